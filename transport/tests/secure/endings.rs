//! How connections end, and that nothing keeps a program awake.

use super::net::{DEADLINE_US, GUEST, HOST, MATCH_ID, Net, SEAT, address, elsewhere, secret, settings};
use super::rogue::Rogue;
use snapback_transport::secure::{Identity, SecureSettings, SecureSocket};

/// Nobody above wants it: it ends when the time for its handshake is over.
#[test]
fn what_nobody_claims_is_forgotten() {
    let mut net = Net::pair(1);
    assert!(net.run_until_established(DEADLINE_US));
    assert!(net.proved(HOST, address(GUEST)).is_some());
    net.run(net.now_us + DEADLINE_US);
    assert_eq!(net.proved(HOST, address(GUEST)), None);
    assert!(net.proved(GUEST, address(HOST)).is_some(), "who dials ends it himself");
    assert_eq!(net.nodes[HOST].socket.poll_timeout(), None);
}

#[test]
fn what_is_claimed_lasts() {
    let mut net = Net::standing(1);
    net.run(net.now_us + 60 * DEADLINE_US);
    assert!(net.talk_both_ways());
}

#[test]
fn after_hanging_up_nothing_is_left() {
    let mut net = Net::standing(1);
    let late = net.sealed(GUEST, address(HOST), b"late");
    for (at, peer) in [(HOST, GUEST), (GUEST, HOST)] {
        net.nodes[at].socket.hang_up(address(peer));
        assert_eq!((net.proved(at, address(peer)), net.nodes[at].socket.poll_timeout()), (None, None));
        let mut out = [0; 64];
        assert_eq!(net.nodes[at].socket.seal(address(peer), b"x", &mut out), 0);
    }
    assert!(net.give(HOST, address(GUEST), &late).is_err());
    assert!(net.nodes[HOST].got.is_empty());
}

/// A handshake that stops half-way is forgotten by the listener, and goes on for ever at the dialler's.
#[test]
fn who_stops_half_way_is_forgotten() {
    let mut host = SecureSocket::new(settings(HOST)).unwrap();
    host.expect(SEAT, secret(SEAT), None);
    let mut rogues: Vec<Rogue> = (0..5).map(|n| Rogue::dialer(elsewhere(n), n.into())).collect();
    for rogue in &mut rogues {
        rogue.exchange(&mut host, 1_000);
        assert!(rogue.is_connected);
    }
    assert_eq!(host.pending_handshakes(), 5);
    let mut out = [0; 1_200];
    let mut now_us = 1_000;
    let mut wakings = 0;
    while let Some(timeout_us) = host.poll_timeout() {
        assert!(timeout_us > now_us);
        now_us = timeout_us;
        wakings += 1;
        while host.poll_transmit(now_us, &mut out).is_some() {}
    }
    assert_eq!(host.pending_handshakes(), 0);
    assert!(now_us <= 1_000 + DEADLINE_US && wakings < 500, "{wakings} wakings until {now_us}");
    // What it says afterwards comes from a stranger.
    let proof = rogues[0].proof(SEAT, &Identity::from_seed(&[2; 32]));
    rogues[0].prove(&mut host, now_us, &proof);
    assert_eq!(host.stats().established, 0);
}

/// Nobody answers: a knock every 100 ms, and no more.
#[test]
fn knocking_is_calm() {
    let mut net = Net::pair(1);
    net.set_hook(|_, _| false);
    net.run(10_001_000);
    assert!((95..=102).contains(&net.heard.len()), "{} knocks in 10 s", net.heard.len());
    net.clear_hook();
    assert!(net.run_until_established(net.now_us + 1_000_000));
}

/// A connection that nobody talks on sends nothing.
#[test]
fn a_quiet_connection_is_quiet() {
    let mut net = Net::standing(1);
    let sent = net.heard.len();
    net.run(net.now_us + 60_000_000);
    assert_eq!(net.heard.len(), sent);
}

/// What is too large for a buffer is not sealed, and does not come out in place of the next packet.
#[test]
fn a_buffer_that_is_too_small_keeps_nothing_back() {
    let mut net = Net::standing(1);
    let mut small = [0; 30];
    assert_eq!(net.nodes[GUEST].socket.seal(address(HOST), &[5; 9], &mut small), 0);
    assert_eq!(net.nodes[GUEST].socket.seal(address(HOST), &[], &mut small), 0);
    assert_eq!(net.nodes[GUEST].socket.seal(address(HOST), &[5; 8], &mut small), 30);
    net.give(HOST, address(GUEST), &small).unwrap();
    assert_eq!(net.nodes[HOST].got.last(), Some(&(address(GUEST), vec![5; 8])));
    let largest = net.nodes[GUEST].socket.packet_budget_bytes();
    let mut out = [0; 1_200];
    let len = net.nodes[GUEST].socket.seal(address(HOST), &vec![5; largest], &mut out);
    assert!(len > largest && len <= 1_200);
    net.give(HOST, address(GUEST), &out[..len]).unwrap();
    assert_eq!(net.nodes[HOST].got.last(), Some(&(address(GUEST), vec![5; largest])));
}

/// Every datagram keeps to the budget, also those of the handshake.
#[test]
fn datagrams_keep_to_their_budget() {
    for datagram_budget_bytes in [600, 1_000, 1_200] {
        let with_budget = |index| SecureSettings { datagram_budget_bytes, ..settings(index) };
        let mut net = Net::new(1, vec![with_budget(HOST), with_budget(GUEST)]);
        net.invite();
        assert!(net.run_until_established(DEADLINE_US), "{datagram_budget_bytes}");
        let largest = net.heard.iter().map(|datagram| datagram.bytes.len()).max().unwrap();
        assert!(largest <= datagram_budget_bytes, "{largest} bytes of {datagram_budget_bytes}");
        assert!(net.talk_both_ways());
    }
    assert_eq!(settings(HOST).match_id, MATCH_ID);
}

/// The caller's clock may leap by 5 seconds, in the middle of everything.
#[test]
fn a_leap_of_the_clock_breaks_nothing() {
    for stage in 0..12 {
        let mut net = Net::pair(1);
        for _ in 0..stage {
            net.step(DEADLINE_US);
        }
        net.now_us += 5_000_000;
        assert!(net.run_until_established(net.now_us + DEADLINE_US), "stage {stage}");
        assert!(net.talk_both_ways(), "stage {stage}");
    }
}
