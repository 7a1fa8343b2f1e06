//! Handshakes over networks that lose, repeat, reorder and damage.

use super::net::{DEADLINE_US, Datagram, GUEST, HOST, Net, SEAT, Weather, address};
use snapback_core::Rng;
use snapback_transport::secure::{Identity, SecureEvent};
use std::cell::Cell;
use std::rc::Rc;

#[test]
fn both_learn_who_the_other_is() {
    let mut net = Net::standing(1);
    let (host, guest) = (net.proved(HOST, address(GUEST)).unwrap(), net.proved(GUEST, address(HOST)).unwrap());
    assert_eq!((host.seat, guest.seat), (SEAT, SEAT));
    assert_eq!(host.identity, Identity::from_seed(&[2; 32]).key());
    assert_eq!(guest.identity, Identity::from_seed(&[1; 32]).key());
    assert_eq!(host.fingerprint, net.nodes[GUEST].socket.fingerprint());
    assert_eq!(guest.fingerprint, net.nodes[HOST].socket.fingerprint());
    assert!(net.talk_both_ways());
    assert_eq!(net.nodes[HOST].events, [SecureEvent::Established { address: address(GUEST), proved: host }]);
    assert_eq!(net.nodes[HOST].socket.pending_handshakes(), 0);
}

/// Up to a half of all datagrams are lost, in both directions, and some are doubled or overtaken.
#[test]
fn it_comes_through_loss() {
    let (mut slowest_us, mut slow) = (0, 0);
    for seed in 0..200 {
        let mut net = Net::pair(seed);
        let loss_per_million = (seed as u32 % 6) * 100_000;
        net.weather = Weather { loss_per_million, duplicate_per_million: 100_000, jitter_us: 30_000 };
        if !net.run_until_established(DEADLINE_US) {
            // The library draws its pauses from the operating system: no seed repeats them.
            slow += 1;
            assert!(loss_per_million >= 400_000, "seed {seed}: {loss_per_million} of a million lost");
            assert!(net.run_until_established(6 * DEADLINE_US), "seed {seed}");
        }
        slowest_us = slowest_us.max(net.now_us);
        net.weather = Weather::default();
        assert!(net.talk_both_ways(), "seed {seed}");
    }
    println!("{slow} of 200 handshakes took longer than 10 s, the slowest {} ms", slowest_us / 1_000);
    assert!(slow <= 4, "{slow} of 200 handshakes took longer than 10 s");
}

/// Every datagram of the handshake, each alone: lost once, doubled, late by a second, cut, flipped.
#[test]
fn no_single_datagram_matters() {
    let mut clean = Net::pair(1);
    assert!(clean.run_until_established(DEADLINE_US));
    let count = clean.heard.len();
    assert!((6..20).contains(&count), "{count} datagrams");
    for nth in 0..count {
        for harm in 0..4 {
            let mut net = Net::pair(1);
            let seen = Rc::new(Cell::new(0));
            let mut rng = Rng::new(nth as u64, harm);
            net.set_hook(move |_, datagram| {
                let is_it = seen.get() == nth;
                seen.set(seen.get() + 1);
                if is_it {
                    match harm {
                        0 => return false,
                        1 => datagram.bytes.truncate(rng.below(datagram.bytes.len() as u32) as usize),
                        2 => flip(&mut rng, &mut datagram.bytes),
                        _ => datagram.bytes.extend([0; 20]),
                    }
                }
                true
            });
            assert!(net.run_until_established(DEADLINE_US), "datagram {nth}, harm {harm}");
            assert!(net.talk_both_ways(), "datagram {nth}, harm {harm}");
        }
    }
}

fn flip(rng: &mut Rng, bytes: &mut [u8]) {
    let bit = rng.below(8 * bytes.len() as u32) as usize;
    bytes[bit / 8] ^= 1 << (bit % 8);
}

/// A recorded handshake, its datagrams in pieces of every length, to both sides at every stage.
#[test]
fn truncated_at_every_length() {
    let mut recorded = Net::pair(3);
    assert!(recorded.run_until_established(DEADLINE_US));
    for stage in 0..8 {
        let mut net = Net::pair(3);
        for _ in 0..stage * 2 {
            net.step(DEADLINE_US);
        }
        let (own, old) = (net.heard.clone(), recorded.heard.clone());
        for Datagram { from, to, bytes } in own.iter().chain(&old) {
            let to = usize::from(*to == address(GUEST));
            for len in 0..bytes.len() {
                let _ = net.give(to, *from, &bytes[..len]);
            }
        }
        assert!(net.run_until_established(net.now_us + DEADLINE_US), "stage {stage}");
        assert!(net.talk_both_ways(), "stage {stage}");
        assert_eq!(net.nodes[HOST].socket.stats().established, 1, "stage {stage}");
    }
}

/// While an honest handshake runs: its own datagrams with bits flipped, and those of an earlier
/// handshake between the same two addresses, in any order.
#[test]
fn flipped_replayed_and_reordered() {
    let mut recorded = Net::pair(4);
    assert!(recorded.run_until_established(DEADLINE_US));
    for seed in 0..40 {
        let mut net = Net::pair(4);
        let mut rng = Rng::new(seed, 1);
        let mut injected = 0;
        while !net.is_established() && net.now_us < 5_000_000 {
            net.step(DEADLINE_US);
            for _ in 0..10 {
                let from_old = rng.chance(500_000);
                let all = if from_old { &recorded.heard } else { &net.heard };
                let Datagram { from, to, mut bytes } = all[rng.below(all.len() as u32) as usize].clone();
                let to = usize::from(to == address(GUEST));
                if !from_old || rng.chance(300_000) {
                    for _ in 0..1 + rng.below(4) {
                        flip(&mut rng, &mut bytes);
                    }
                }
                let _ = net.give(to, from, &bytes);
                injected += 1;
            }
        }
        assert!(injected > 20);
        assert!(net.run_until_established(net.now_us + DEADLINE_US), "seed {seed}");
        assert!(net.talk_both_ways(), "seed {seed}");
        assert_eq!(net.proved(HOST, address(GUEST)).unwrap().fingerprint, net.nodes[GUEST].socket.fingerprint());
    }
}

/// Nothing but one's own certificate makes a connection: not a bit of an earlier one.
#[test]
fn a_recorded_handshake_opens_nothing() {
    let mut recorded = Net::pair(5);
    assert!(recorded.run_until_established(DEADLINE_US));
    recorded.send(GUEST, address(HOST), b"hello");
    // The same host, to whom nobody dials.
    let mut net = Net::pair(5);
    net.nodes[GUEST].socket.hang_up(address(HOST));
    for _ in 0..3 {
        for Datagram { from, to, bytes } in recorded.heard.clone() {
            if to == address(HOST) {
                let _ = net.give(HOST, from, &bytes);
                net.run(net.now_us + 10_000);
            }
        }
    }
    assert_eq!(net.nodes[HOST].socket.stats().established, 0);
    assert!(net.nodes[HOST].got.is_empty());
}
