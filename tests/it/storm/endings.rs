//! Endings: who quits before all is confirmed does not disagree.

use crate::game::Game;
use crate::net::{MINUTE_US, Net};
use crate::node::Shape;
use crate::seeds::blames;
use snapback::{Frame, Outcome, PeerPhase, PlayerSet};

const HOST: PlayerSet = PlayerSet::from_bits(1);
const JOINER: PlayerSet = PlayerSet::from_bits(2);

/// The joiner quits once the host has finished, and must not be taken for one that computed another
/// match.
fn quit_when_the_host_has_finished(net: &mut Net) {
    net.run_until(|net| net.phase(0) >= PeerPhase::Farewell);
    assert_eq!(net.phase(1), PeerPhase::Playing);
    let now_us = net.now_us;
    net.nodes[1].peer.leave(now_us);
    assert!(net.run(MINUTE_US), "{net}");
    assert_eq!(net.nodes[0].peer.outcome(), Some(&Outcome::Unverified { players: JOINER }), "{net}");
    assert_eq!(net.nodes[1].peer.outcome(), Some(&Outcome::Quit), "{net}");
}

#[test]
fn a_late_quit_is_no_disagreement() {
    let mut net = Net::new(&[Shape::default(), Shape::default().delayed(10)], 300, 1);
    quit_when_the_host_has_finished(&mut net);
}

#[test]
fn a_late_quit_after_a_hitch_is_no_disagreement() {
    let mut net = Net::new(&[Shape::default().delayed(10); 2], 300, 1);
    net.run_until(|net| net.frame(1) >= 270);
    // A hitch of five frames.
    net.nodes[1].next_tick_us = net.nodes[1].next_tick_us.map(|at| at + 80_000);
    quit_when_the_host_has_finished(&mut net);
}

/// The checker of all storms: a peer that simulates one frame wrongly is found by both.
#[test]
fn a_planted_disagreement_is_seen() {
    let mut net = Net::new(&[Shape::default(); 2], 100, 1);
    net.nodes[1] = net.fresh_node(1, Game { wrong_at: Some(Frame::new(50)), ..Game::default() });
    net.nodes[1].peer.set_loaded();
    assert!(net.run(MINUTE_US), "{net}");
    for (node, other) in net.nodes.iter().zip([JOINER, HOST]) {
        assert!(matches!(node.peer.outcome(), Some(Outcome::Disagreed { players, .. }) if *players == other), "{net}");
        assert!(blames(node.peer.outcome()));
    }
}
