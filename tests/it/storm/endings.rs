//! Endings: who quits before all is confirmed does not disagree.

use crate::game::Game;
use crate::net::{MINUTE_US, Net};
use crate::node::Shape;
use crate::seeds::blames;
use snapback::{Outcome, PeerPhase, PlayerSet};

const HOST: PlayerSet = PlayerSet::from_bits(1);
const JOINER: PlayerSet = PlayerSet::from_bits(2);

/// A joiner that is some frames behind, after a hitch, tells the host that it has every input long
/// before it has simulated them. If it quits then, it has not computed another match.
#[test]
fn a_late_quit_is_no_disagreement() {
    for host_delay_frames in [0, 10] {
        let mut net = Net::new(&[Shape::default().delayed(host_delay_frames), Shape::default().delayed(10)], 300, 1);
        net.run_until(|net| net.frame(1) >= 270);
        net.nodes[1].next_tick_us = net.nodes[1].next_tick_us.map(|at| at + 80_000);
        net.run_until(|net| net.phase(0) >= PeerPhase::Farewell);
        assert_eq!(net.phase(1), PeerPhase::Playing);
        let now_us = net.now_us;
        net.nodes[1].peer.leave(now_us);
        assert!(net.run(MINUTE_US), "{net}");
        assert_eq!(net.nodes[0].peer.outcome(), Some(&Outcome::Unverified { players: JOINER }), "{net}");
        assert_eq!(net.nodes[1].peer.outcome(), Some(&Outcome::Quit), "{net}");
    }
}

/// The checker of all storms: a peer that simulates one frame wrongly is found by both.
#[test]
fn a_planted_disagreement_is_seen() {
    let mut net = Net::new(&[Shape::default(); 2], 100, 1);
    net.nodes[1] = net.fresh_node(1, Game::wrong_at(50));
    net.nodes[1].peer.set_loaded();
    assert!(net.run(MINUTE_US), "{net}");
    for (node, other) in net.nodes.iter().zip([JOINER, HOST]) {
        assert!(matches!(node.peer.outcome(), Some(Outcome::Desynced { players, .. }) if *players == other), "{net}");
        assert!(blames(node.peer.outcome()));
    }
}
