//! What strangers spoof from a peer's address restarts a pending handshake at most, and does nothing
//! to a connection.

use super::net::{DEADLINE_US, Datagram, GUEST, HOST, Net, address, settings};
use snapback_core::Rng;

fn record(kind: u8, sequence: u16, body: &[u8]) -> Vec<u8> {
    let [high, low] = sequence.to_be_bytes();
    let len = (body.len() as u16).to_be_bytes();
    [&[kind, 254, 253, 0, 0, 0, 0, 0, 0, high, low, len[0], len[1]], body].concat()
}

/// A part of a handshake message that never becomes whole.
fn fragment(message: u8, message_sequence: u8, part: u8) -> Vec<u8> {
    let header = [message, 0, 0x10, 0, 0, message_sequence, 0, 0, part.wrapping_mul(10), 0, 0, 10];
    record(22, part.into(), &[&header[..], &[part; 10]].concat())
}

/// What a stranger may say in the clear.
fn lies(rng: &mut Rng) -> Vec<Vec<u8>> {
    let alert = |level, what| record(21, 0, &[level, what]);
    let any = record(20 + rng.below(7) as u8, rng.next_u32() as u16, &rng.next_u32().to_le_bytes());
    let behind = [fragment(2, 0, 0), alert(1, 0)].concat();
    let behind_sealed = [&[0x2F, 1, 2, 0, 17][..], &[9; 17], &alert(1, 0)].concat();
    let many: Vec<u8> = (0..17).flat_map(|n| record(22, n, &[])).collect();
    let fatal = rng.next_u32() as u8;
    vec![alert(1, 0), alert(2, 40), alert(2, fatal), record(26, 0, &[0, 0]), record(20, 0, &[1]), any, behind, behind_sealed, many]
}

#[test]
fn alerts_in_the_clear_do_not_hold_up_a_handshake() {
    for seed in 0..20 {
        let mut net = Net::pair(seed);
        let mut rng = Rng::new(seed, 3);
        while !net.is_established() && net.now_us < 4_000_000 {
            net.step(4_000_000);
            for what in [[1, 0], [2, 40], [2, rng.next_u32() as u8]] {
                let alert = record(21, rng.next_u32() as u16, &what);
                let _ = net.give(GUEST, address(HOST), &alert);
                let _ = net.give(HOST, address(GUEST), &alert);
            }
        }
        assert!(net.is_established() && net.now_us < 1_000_000, "seed {seed}: {}", net.now_us);
        assert!(net.talk_both_ways());
    }
}

/// Everything that breaks or stalls the library, for 3 seconds and at every step: still connected
/// before the deadline.
#[test]
fn a_flood_of_fragments_restarts_the_handshake_and_no_more() {
    let mut restarted = 0;
    for seed in 0..20 {
        let mut net = Net::pair(seed);
        let mut rng = Rng::new(seed, 3);
        let deadline_us = net.now_us + DEADLINE_US;
        while net.now_us < 3_000_000 {
            net.step(3_000_000);
            let message = [1, 2, 8, 11, 20][rng.below(5) as usize];
            for part in 0..40 {
                let bytes = fragment(message, (seed % 3) as u8 + part % 2, part);
                let _ = net.give(GUEST, address(HOST), &bytes);
                let _ = net.give(HOST, address(GUEST), &bytes);
            }
            for lie in lies(&mut rng) {
                let _ = net.give(GUEST, address(HOST), &lie);
                let _ = net.give(HOST, address(GUEST), &lie);
            }
        }
        assert!(net.run_until_established(deadline_us), "seed {seed}");
        assert!(net.talk_both_ways(), "seed {seed}");
        restarted += net.nodes[GUEST].socket.stats().restarted;
    }
    assert!(restarted > 20, "only {restarted} restarts: the lies were too weak");
}

/// An alert that hides behind a record of a handshake is taken by the library: even "closed" only means
/// that it begins again.
#[test]
fn a_hidden_alert_restarts_the_handshake_and_no_more() {
    for what in [[1, 0], [2, 40]] {
        let mut net = Net::pair(1);
        let deadline_us = net.now_us + DEADLINE_US;
        while net.now_us < 3_000_000 {
            net.step(3_000_000);
            let hidden = [fragment(2, 3, 0), record(21, 0, &what)].concat();
            let _ = net.give(GUEST, address(HOST), &hidden);
        }
        assert!(net.nodes[GUEST].socket.stats().restarted > 5, "{what:?}: it was not taken");
        assert!(net.run_until_established(deadline_us) && net.talk_both_ways(), "{what:?}");
    }
}

/// The first answer of another listener, from the right address, before the right answer: the library
/// then waits for the rest of what will never come.
#[test]
fn a_spoofed_first_answer_stalls_one_attempt() {
    let mut other = Net::new(9, vec![settings(HOST), settings(GUEST)]);
    other.invite();
    assert!(other.run_until_established(DEADLINE_US));
    let is_answer = |datagram: &&Datagram| datagram.to == address(GUEST) && datagram.bytes[0] == 22;
    let spoofed = other.heard.iter().find(is_answer).unwrap().bytes.clone();
    let mut net = Net::pair(9);
    let deadline_us = net.now_us + DEADLINE_US;
    let is_opener = |datagram: &Datagram| datagram.bytes[0] == 10;
    while !net.heard.iter().any(is_opener) {
        net.step(DEADLINE_US);
    }
    net.give(GUEST, address(HOST), &spoofed).unwrap();
    assert!(!net.run_until_established(2_000_000), "the lie was not believed");
    assert!(net.run_until_established(deadline_us) && net.talk_both_ways());
    assert_eq!(net.nodes[GUEST].socket.stats().restarted, 1);
}

/// The dialler believes that the handshake is done, and the listener has forgotten it.
#[test]
fn a_listener_that_forgot_is_dialled_anew() {
    let mut net = Net::pair(2);
    // No proof ever arrives.
    net.set_hook(|_, datagram| datagram.bytes.len() != 131 + 22);
    net.run(1_000_000);
    net.nodes[HOST].socket.hang_up(address(GUEST));
    net.clear_hook();
    assert!(net.run_until_established(DEADLINE_US) && net.talk_both_ways());
}

/// On a connection none of it means anything.
#[test]
fn a_connection_does_not_mind() {
    for seed in 0..4 {
        let mut net = Net::standing(seed);
        let mut rng = Rng::new(seed, 3);
        let (events, stats) = (net.nodes.iter().map(|node| node.events.len()).collect::<Vec<_>>(), net.nodes[GUEST].socket.stats());
        for round in 0..200 {
            for part in 0..40 {
                let bytes = fragment([1, 2, 8, 11, 20, 24][round % 6], part % 4, part);
                let _ = net.give(GUEST, address(HOST), &bytes);
                let _ = net.give(HOST, address(GUEST), &bytes);
            }
            for lie in lies(&mut rng) {
                let _ = net.give(GUEST, address(HOST), &lie);
                let _ = net.give(HOST, address(GUEST), &lie);
            }
            if round % 20 == 0 {
                assert!(net.talk_both_ways(), "round {round}");
            }
        }
        assert_eq!(net.nodes.iter().map(|node| node.events.len()).collect::<Vec<_>>(), events);
        assert_eq!(net.nodes[GUEST].socket.stats(), stats);
        assert_eq!(net.nodes[HOST].socket.pending_handshakes(), 0);
    }
}

/// A late or copied first record of a handshake that is done begins nothing.
#[test]
fn an_opener_that_comes_late_holds_no_slot() {
    let mut net = Net::standing(1);
    let openers: Vec<Datagram> = net.heard.iter().filter(|datagram| datagram.bytes[0] == 10).cloned().collect();
    assert!(!openers.is_empty());
    for opener in openers {
        assert!(net.give(HOST, opener.from, &opener.bytes).is_err());
        assert_eq!(net.nodes[HOST].socket.pending_handshakes(), 0);
    }
    assert!(net.talk_both_ways());
}
