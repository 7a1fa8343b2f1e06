//! A connection that stands: copies, damage and lies do nothing to it.

use super::net::{DEADLINE_US, Datagram, GUEST, HOST, Net, address};
use snapback_core::Rng;
use snapback_transport::packet::Reject;

#[test]
fn replayed_flipped_and_cut_records_do_nothing_and_are_counted() {
    let mut net = Net::standing(1);
    let mut rng = Rng::new(1, 1);
    let mut genuine = Vec::new();
    for n in 0..50u8 {
        let bytes = net.sealed(GUEST, address(HOST), &[n; 40]);
        net.give(HOST, address(GUEST), &bytes).unwrap();
        genuine.push(bytes);
    }
    assert_eq!(net.nodes[HOST].got.len(), 50);
    let before = net.nodes[HOST].socket.rejects().of(Reject::Undecryptable);
    let mut refused = 0;
    for bytes in &genuine {
        assert_eq!(net.give(HOST, address(GUEST), bytes), Err(Reject::Undecryptable), "a copy");
        // Back to where it came from.
        assert!(net.give(GUEST, address(HOST), bytes).is_err(), "reflected");
        refused += 1;
    }
    let fresh = net.sealed(GUEST, address(HOST), &[99; 40]);
    for len in 0..fresh.len() {
        assert!(net.give(HOST, address(GUEST), &fresh[..len]).is_err(), "{len} bytes of it");
    }
    for bit in 0..8 * fresh.len() {
        let mut flipped = fresh.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(net.give(HOST, address(GUEST), &flipped).is_err(), "bit {bit}");
    }
    for _ in 0..2_000 {
        let mut junk = fresh.clone();
        for _ in 0..1 + rng.below(20) {
            let at = rng.below(junk.len() as u32) as usize;
            junk[at] = rng.next_u32() as u8;
        }
        if junk != fresh {
            assert!(net.give(HOST, address(GUEST), &junk).is_err());
        }
    }
    assert_eq!(net.nodes[HOST].got.len(), 50, "nothing of it came through");
    assert!(net.nodes[HOST].socket.rejects().of(Reject::Undecryptable) >= before + refused);
    // The original was not used up by any of it.
    net.give(HOST, address(GUEST), &fresh).unwrap();
    assert!(net.talk_both_ways());
}

/// The replay window moves by what decrypts, and by nothing else.
#[test]
fn spoofed_sequences_leave_the_replay_window_alone() {
    let mut net = Net::standing(1);
    // Sealed before the lies, and on its way while they arrive.
    let on_its_way: Vec<Vec<u8>> = (0..20u8).map(|n| net.sealed(GUEST, address(HOST), &[n])).collect();
    for sequence in [0xFFFF_u16, 0xFFFE, 0x8000, 0x7FFF, 0, 1_000] {
        for epoch in 0..4 {
            for body in [16_usize, 17, 40, 1_000] {
                let len = (body as u16).to_be_bytes();
                let header = [0x2C | epoch, (sequence >> 8) as u8, sequence as u8, len[0], len[1]];
                let spoofed = [&header[..], &vec![0x5A; body]].concat();
                assert!(net.give(HOST, address(GUEST), &spoofed).is_err());
            }
        }
    }
    // A true packet under every false number.
    for sequence in (0..=u16::MAX).step_by(97) {
        let mut moved = on_its_way[0].clone();
        if moved[1..3] != sequence.to_be_bytes() {
            moved[1..3].copy_from_slice(&sequence.to_be_bytes());
            assert!(net.give(HOST, address(GUEST), &moved).is_err());
        }
    }
    for bytes in on_its_way.iter().rev() {
        net.give(HOST, address(GUEST), bytes).unwrap();
    }
    assert!(net.talk_both_ways());
}

/// Numbers of records wrap on the wire after 65,536: nothing is lost there, in any order.
#[test]
fn record_numbers_wrap() {
    let mut net = Net::standing(1);
    let mut rng = Rng::new(1, 1);
    let mut group = Vec::new();
    let mut arrived = 0;
    for n in 0..140_000u32 {
        group.push(net.sealed(GUEST, address(HOST), &n.to_le_bytes()));
        if group.len() == 8 {
            while !group.is_empty() {
                let bytes = group.swap_remove(rng.below(group.len() as u32) as usize);
                net.give(HOST, address(GUEST), &bytes).unwrap();
                assert!(net.give(HOST, address(GUEST), &bytes).is_err());
                arrived += 1;
            }
        }
        net.nodes[HOST].got.clear();
    }
    assert_eq!(arrived, 140_000);
    assert!(net.talk_both_ways());
}

/// The same two addresses, later, with fresh certificates: everything of the earlier match is noise,
/// before, during and after the new handshake.
#[test]
fn an_earlier_match_between_the_same_addresses_means_nothing() {
    let mut earlier = Net::standing(1);
    for n in 0..20 {
        earlier.send(GUEST, address(HOST), &[n; 30]);
        earlier.send(HOST, address(GUEST), &[n; 30]);
    }
    let old = earlier.heard.clone();
    let replay = |net: &mut Net| {
        for Datagram { from, to, bytes } in &old {
            let to = usize::from(*to == address(GUEST));
            let _ = net.give(to, *from, bytes);
        }
    };
    // Keys of cookies too are fresh for every match.
    for stage in 0..10 {
        let mut net = Net::pair(2);
        for _ in 0..stage {
            net.step(DEADLINE_US);
        }
        replay(&mut net);
        assert!(net.nodes.iter().all(|node| node.got.is_empty()), "stage {stage}");
        assert!(net.run_until_established(net.now_us + DEADLINE_US), "stage {stage}");
        let events: Vec<usize> = net.nodes.iter().map(|node| node.events.len()).collect();
        net.nodes[HOST].socket.claim(address(GUEST));
        replay(&mut net);
        net.run(net.now_us + 100_000);
        assert_eq!(net.nodes.iter().map(|node| node.events.len()).collect::<Vec<_>>(), events, "stage {stage}");
        assert!(net.nodes.iter().all(|node| node.got.is_empty()), "stage {stage}");
        assert!(net.talk_both_ways(), "stage {stage}");
    }
}
