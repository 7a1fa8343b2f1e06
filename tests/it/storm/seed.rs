//! The seed of a match: nobody chooses it, everybody finds it.

use super::game::Game;
use super::net::{MINUTE_US, Net};
use super::node::Shape;
use snapback::PeerPhase;

fn seeds(net: &Net) -> Vec<Option<u64>> {
    net.nodes.iter().map(|node| node.peer.facts().and_then(|facts| facts.seed)).collect()
}

#[test]
fn everybody_finds_the_same_seed_over_any_link() {
    for seed in 0..40u64 {
        let count = 2 + seed as usize % 3;
        let mut net = Net::new(&vec![Shape::default(); count], 30, seed);
        net.weather.loss_per_million = 10_000 * (seed % 5) as u32 * 8;
        net.weather.jitter_us = 40_000;
        net.run_until(|net| net.phase(0) == PeerPhase::Playing);
        assert!(seeds(&net).iter().all(|found| *found == Some(seed)), "seed {seed}: {:?}\n{net}", seeds(&net));
        let known = net.nodes[0].peer.session().unwrap().settings().seed;
        net.must_agree(MINUTE_US);
        assert_eq!(known, seed);
    }
}

/// Whoever is started anew knows the others' shares and could choose its own to fit them: all others
/// throw theirs away.
#[test]
fn a_joiner_that_knows_the_shares_does_not_choose_the_seed() {
    for (count, who) in [(2, 1), (3, 1), (3, 2)] {
        let mut net = Net::new(&vec![Shape::default(); count], 30, 5);
        net.nodes[0] = net.fresh_node(0, Game::default());
        net.run_until(|net| seeds(net).iter().all(|found| *found == Some(5)));
        net.joiners_share = 9;
        net.nodes[who] = net.fresh_node(who, Game::default());
        net.nodes[who].peer.set_loaded();
        net.run(net.now_us + 1_000_000);
        net.nodes[0].peer.set_loaded();
        net.must_agree(MINUTE_US);
        let found = seeds(&net);
        assert!(found.iter().all(|seed| *seed == found[0] && seed.is_some_and(|seed| ![5, 5 ^ 9].contains(&seed))), "{found:?}");
    }
}
