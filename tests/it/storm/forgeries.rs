//! Packets that are well made but come at the wrong time, from the wrong place or with lies inside.

use crate::net::{MATCH_ID, MINUTE_US, Net};
use crate::node::{Shape, address};
use crate::seeds::{name, play_seeds};
use snapback::transport::packet::{
    BarrierState, Bye, ConnectionKey, InputFlags, InputHeader, LeaveReason, PacketType, Reject, SeedPart, Sync, Welcome,
};
use snapback::{Frame, Outcome, PeerPhase, PlayerSet, Rng, SeedSecret, StateHash, TRANSMIT_BUFFER_BYTES};
use std::net::SocketAddr;

/// Somebody sends Hellos in another's name: the victim gets no more bytes than were sent to us.
#[test]
fn an_address_that_never_answers_gets_no_more_than_was_sent_for_it() {
    let mut net = Net::new(&[Shape::default(); 2], 300, 1);
    let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
    let len = net.nodes[1].peer.poll_transmit(0, &mut buffer).unwrap().len;
    let hello = buffer[..len].to_vec();
    let victim = SocketAddr::from(([9, 9, 9, 9], 9));
    let host = &mut net.nodes[0].peer;
    let (mut received, mut sent, mut now_us) = (0, 0, 0);
    for _ in 0..5 {
        host.handle(now_us, victim, &hello);
        received += hello.len();
        let end_us = now_us + 20_000_000;
        while let Some(timeout) = host.poll_timeout().filter(|timeout| *timeout < end_us) {
            now_us = now_us.max(timeout);
            while let Some(transmit) = host.poll_transmit(now_us, &mut buffer) {
                assert_eq!(transmit.to, victim);
                sent += transmit.len;
            }
        }
        now_us = end_us;
    }
    assert!(sent > 0 && sent <= received, "{sent} bytes for {received}");
    assert_eq!(host.connections().count(), 0, "the seat is free again");
}

/// The key of the connection whose Welcome this is, and where the dialler's sequences begin.
fn key_of(welcome: &Welcome) -> (ConnectionKey, u16) {
    (ConnectionKey::new(MATCH_ID, welcome.nonce, welcome.listener_nonce), (welcome.nonce & 0xFFFF) as u16)
}

fn is_welcome(bytes: &[u8]) -> bool {
    PacketType::of(bytes) == Ok(PacketType::Welcome)
}

/// One of two joiners sends an input although the other one has not come.
#[test]
fn an_input_that_comes_too_early_starts_no_host() {
    let mut net = Net::new(&[Shape::default(); 3], 300, 1);
    net.nodes[2].is_dead = true;
    let heard = net.overhear(|passing| is_welcome(passing.bytes));
    net.run(1_000_000);
    assert_eq!(net.phase(0), PeerPhase::Gathering);
    let (key, sequence) = key_of(&Welcome::read(&heard.borrow()[0], ConnectionKey::GREETING).unwrap());
    let mut out = [0; 100];
    // One neutral input of one player: a zero bit.
    let header = InputHeader {
        flags: InputFlags { every_frame_send: true, ..InputFlags::default() },
        sequence,
        ack: 0,
        ack_bits: 0,
        newest_frame: 0,
        frame_count: 1,
        input_ack: 0xFFFF,
        ack_delay_units: 0,
        lag_frames: 0,
    };
    let len = header.finish(key, 1, &mut out);
    let now_us = net.now_us;
    net.nodes[0].peer.handle(now_us, address(1), &out[..len]);
    // Nothing else is wrong with it.
    assert_eq!(net.nodes[0].peer.rejects().collect::<Vec<_>>(), [(Reject::WrongState, 1)], "the forgery is well made: {net}");
    net.run(5_000_000);
    assert_eq!((net.phase(0), net.frame(0)), (PeerPhase::Gathering, -1), "{net}");
}

/// Syncs from before the start come again while frames are played. They measure nothing and keep
/// nobody alive.
#[test]
fn an_old_sync_is_no_round_trip_and_no_sign_of_life() {
    let mut net = Net::new(&[Shape::default(); 2], 6_000, 1);
    let heard = net.overhear(|passing| passing.from == 1 && PacketType::of(passing.bytes) == Ok(PacketType::Sync));
    net.run(4_000_000);
    assert_eq!(net.phase(0), PeerPhase::Playing);
    let rtt_us = |net: &Net| net.nodes[0].peer.connections().next().unwrap().1.rtt_us;
    let before = rtt_us(&net);
    let now_us = net.now_us;
    for sync in heard.borrow().iter() {
        net.nodes[0].peer.handle(now_us, address(1), sync);
    }
    assert_eq!((rtt_us(&net), net.phase(0)), (before, PeerPhase::Playing));

    net.nodes[1].is_dead = true;
    let silent_since_us = net.now_us;
    while !net.is_over() && net.now_us < MINUTE_US {
        net.step();
        let now_us = net.now_us;
        net.nodes[0].peer.handle(now_us, address(1), heard.borrow().last().unwrap());
    }
    assert_eq!(net.nodes[0].peer.outcome(), Some(&Outcome::Lost { players: PlayerSet::from_bits(2), told_by: PlayerSet::EMPTY }));
    let lost_after_us = net.now_us - silent_since_us;
    assert!((10_000_000..14_000_000).contains(&lost_after_us), "{lost_after_us} us, farewell included");
}

/// A joiner that has the key sends whatever it likes. The host does not panic, does not spin, and comes
/// to an end or waits for another one.
#[test]
fn a_peer_that_lies_in_every_field_ends_the_match_at_most() {
    let tally = play_seeds("a_peer_that_lies_in_every_field_ends_the_match_at_most", 100, |seed, tally| {
        let mut rng = Rng::new(seed, 5);
        let mut net = Net::new(&[Shape::default(); 2], 400, seed);
        net.noisy_bytes = 2;
        let heard = net.overhear(|passing| is_welcome(passing.bytes));
        net.run(u64::from(50_000 + rng.below(4_000_000)));
        let welcome = Welcome::read(&heard.borrow()[0], ConnectionKey::GREETING).unwrap();
        for _ in 0..600 {
            let mut out = [0; TRANSMIT_BUFFER_BYTES];
            let len = forge(&mut rng, &welcome, net.frame(0), &mut out);
            let now_us = net.now_us + u64::from(rng.below(1_000));
            net.nodes[0].peer.handle(now_us, address(1), &out[..len]);
            if rng.below(20) == 0 {
                (0..3).for_each(|_| net.step());
            }
        }
        // A goodbye before the start only makes the host wait for the next one.
        let is_over = net.run(100_000_000) || net.phase(0) == PeerPhase::Gathering;
        *tally.entry(name(net.nodes[0].peer.outcome())).or_default() += 1;
        if is_over && net.spins == 0 { Ok(()) } else { Err(net.to_string()) }
    });
    if let Some(tally) = tally {
        assert!(tally.len() > 2, "lies that change nothing prove nothing: {tally:?}");
    }
}

/// A packet that only the joiner can make, with anything in it. `frame` is where the host is.
fn forge(rng: &mut Rng, welcome: &Welcome, frame: i64, out: &mut [u8]) -> usize {
    let (key, _) = key_of(welcome);
    match rng.below(12) {
        0 => forge_sync(rng).write(key, out),
        1 if rng.below(200) == 0 => forge_bye(rng).write(key, out),
        _ => forge_inputs(rng, welcome, frame, out),
    }
}

fn forge_sync(rng: &mut Rng) -> Sync {
    let states = [BarrierState::Loading, BarrierState::Loaded, BarrierState::Ready, BarrierState::Go];
    let echo = (rng.next_u32(), rng.next_u32());
    Sync {
        state: states[rng.below(4) as usize],
        sent_us: rng.next_u32(),
        echo: rng.chance(500_000).then_some(echo),
        start_in_us: rng.next_u32() >> rng.below(32),
        seed: SeedPart::new(
            &SeedSecret::fixed(rng.next_u32().into()),
            u64::from(rng.next_u32()),
            PlayerSet::from_bits(2),
            rng.below(3),
            rng.chance(500_000),
        ),
        roster: Vec::new(),
    }
}

fn forge_bye(rng: &mut Rng) -> Bye {
    let reasons = [LeaveReason::Finished, LeaveReason::Quit, LeaveReason::Violation, LeaveReason::PeerLost];
    Bye {
        reason: reasons[rng.below(4) as usize],
        confirmed_frame: Frame::new(i64::from(rng.next_u32()) << rng.below(33)),
        confirmed_hash: StateHash::from_bits(rng.next_u32()),
        digest: rng.next_u32(),
        lost: PlayerSet::from_bits(rng.next_u32() as u8),
    }
}

fn forge_inputs(rng: &mut Rng, welcome: &Welcome, frame: i64, out: &mut [u8]) -> usize {
    let (key, first_sequence) = key_of(welcome);
    let frame_count = if rng.below(4) == 0 { rng.next_u32() as u8 } else { rng.below(12) as u8 };
    // Half of them are neutral inputs in the right number, which are valid; the others are noise.
    let is_neutral = rng.chance(500_000);
    let inputs_bytes = if is_neutral { usize::from(frame_count).div_ceil(8) } else { rng.below(60) as usize };
    let inputs = &mut out[InputHeader::MAX_BYTES..][..inputs_bytes];
    inputs.fill_with(|| if is_neutral || rng.below(3) == 0 { 0 } else { rng.next_u32() as u8 });
    let header = InputHeader {
        flags: InputFlags { has_ack: rng.chance(300_000), ..InputFlags::default() },
        sequence: first_sequence.wrapping_add(rng.below(1_500) as u16),
        ack: (welcome.listener_nonce as u16).wrapping_add(rng.below(900) as u16),
        ack_bits: rng.next_u32() >> rng.below(32),
        newest_frame: (frame as u16).wrapping_add(rng.below(40) as u16).wrapping_sub(20),
        frame_count,
        input_ack: (frame as u16).wrapping_sub(rng.below(40) as u16),
        ack_delay_units: rng.next_u32() as u8,
        lag_frames: rng.next_u32() as i8,
    };
    header.finish(key, inputs_bytes, out)
}
