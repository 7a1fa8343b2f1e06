//! Starts: words that are lost, peers that come again, settings with which nobody could begin.

use crate::game::Game;
use crate::net::{MATCH_ID, MINUTE_US, Net, Passing};
use crate::node::{Shape, address};
use snapback::transport::packet::PacketType;
use snapback::{Peer, PeerPhase, PeerSettings, Role, RollbackConfig, Security, SeedSecret};

/// Whether a datagram is a Sync packet that says when to start. Its state is in the second byte, below
/// the echo bit.
fn says_go(passing: &Passing<'_>) -> bool {
    PacketType::of(passing.bytes) == Ok(PacketType::Sync) && passing.bytes.get(1).is_some_and(|byte| byte & 0x7F == 3)
}

/// A host that predicts nothing stands still before frame 0, but it still sends: that starts the others.
#[test]
fn a_host_without_a_window_starts_those_whom_it_could_not_tell() {
    let shapes = [Shape::with_window(0).delayed(1), Shape::default().delayed(3)];
    Net::new(&shapes, 300, 1).must_agree(MINUTE_US);
    let mut net = Net::new(&shapes, 300, 1);
    net.set_filter(|passing| !says_go(passing));
    net.must_agree(MINUTE_US);
}

/// Both would wait for each other's first input for ever.
#[test]
fn no_window_and_no_delay_is_refused_with_a_line_that_says_why() {
    let config = RollbackConfig { prediction_window_frames: 0, require_encrypted_transport: false, ..RollbackConfig::default() };
    let role = Role::Join { host: address(0) };
    let settings = PeerSettings {
        role,
        match_id: MATCH_ID,
        nonce: 1,
        seed_secret: SeedSecret::fixed(1),
        player_count: 2,
        local_player_count: 1,
        config,
        input_delay_frames: 0,
        security: Security::InsecureLan,
    };
    let error = Peer::new(Game::default(), settings.clone(), 0).map(|_| ()).unwrap_err();
    insta::assert_snapshot!(error, @"without a prediction window and without an input delay two peers wait for each other's first input for ever; give at least one of prediction_window_frames and input_delay_frames 1 or more");
    assert!(Peer::new(Game::default(), PeerSettings { input_delay_frames: 1, ..settings.clone() }, 0).is_ok());
    let alone = PeerSettings { role: Role::Host { first_frame: snapback::Frame::ZERO, last_frame: None }, ..settings };
    assert!(Peer::new(Game::default(), PeerSettings { player_count: 1, ..alone }, 0).is_ok(), "who plays alone waits for nobody");
}

/// Of three, either joiner is started anew at the same address while the host still loads. The other
/// joiner, which was connected to it, finds it again.
#[test]
fn a_joiner_that_is_started_anew_is_found_by_everybody() {
    for who in [1, 2] {
        let mut net = Net::new(&[Shape::default(); 3], 100, 1);
        net.nodes[0] = net.fresh_node(0, Game::default());
        net.run(1_000_000);
        assert!(net.nodes.iter().all(|node| node.peer.connections().count() == 2), "{net}");
        net.nodes[who] = net.fresh_node(who, Game::default());
        net.nodes[who].peer.set_loaded();
        net.run(1_500_000);
        net.nodes[0].peer.set_loaded();
        net.must_agree(MINUTE_US);
    }
}

/// The same, while everybody is about to be ready: nobody holds the host back.
#[test]
fn a_joiner_that_is_started_anew_at_any_moment_leaves_nobody_waiting() {
    for at_us in (0..200_000).step_by(4_000) {
        for who in [1, 2] {
            let mut net = Net::new(&[Shape::default(); 3], 60, 1);
            net.run(at_us);
            if net.nodes.iter().any(|node| node.peer.phase() > PeerPhase::Gathering) {
                continue;
            }
            net.nodes[who] = net.fresh_node(who, Game::default());
            net.nodes[who].peer.set_loaded();
            let is_over = net.run(MINUTE_US);
            assert!(is_over && net.spins == 0, "peer {who} at {at_us} us: {net}");
        }
    }
}

/// The answers to a joiner are lost for so long that the host is about to free its seat. The first one
/// that arrives is as good as any.
#[test]
fn an_answer_that_comes_late_keeps_its_seat() {
    let mut net = Net::new(&[Shape::default(); 2], 60, 1);
    net.weather.delay_us = 60_000;
    net.set_filter(|passing| PacketType::of(passing.bytes) != Ok(PacketType::Welcome) || passing.now_us >= 1_900_000);
    net.must_agree(MINUTE_US);
}

/// Less than the timeout, but longer than the host keeps a seat for an address that it has not heard.
#[test]
fn three_silent_seconds_at_any_moment_of_the_start_end_no_match() {
    for from_us in (0..400_000).step_by(5_000) {
        let mut net = Net::new(&[Shape::default(); 2], 60, 1);
        net.set_filter(move |passing| !(from_us..from_us + 3_000_000).contains(&passing.now_us));
        let is_over = net.run(MINUTE_US);
        let all_agree = net.nodes.iter().all(|node| node.peer.outcome() == Some(&snapback::Outcome::Agreed));
        assert!(is_over && all_agree, "from {from_us} us: {net}");
    }
}
