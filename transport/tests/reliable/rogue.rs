//! A peer with the right keys that means harm, or is of another version.

use crate::wire::{PACKET_BYTES, Wire, message, number_of};
use snapback_core::Rng;
use snapback_transport::Reject;
use snapback_transport::channel::{Channel, ChannelConnection, ChannelSpec, ConnectionSettings, SendError, Topology, Violation};
use snapback_transport::link::{LinkSettings, Loss};

const LOBBY: u8 = Channel::Lobby as u8;
const BEGINS: u8 = 0x08;
const ENDS: u8 = 0x10;
const MOST_BYTES: u32 = 65_536;

fn victim() -> ChannelConnection {
    ChannelConnection::new(ConnectionSettings::new(PACKET_BYTES))
}

/// A packet without an echo, with these frames.
fn packet(sequence: u32, frames: &[&[u8]]) -> Vec<u8> {
    let mut bytes = vec![1];
    bytes.extend(sequence.to_le_bytes());
    bytes.extend(frames.concat());
    bytes
}

fn chunk(number: u16, begins: Option<(u32, u32)>, ends: bool, bytes: &[u8]) -> Vec<u8> {
    let mut frame = vec![LOBBY | if begins.is_some() { BEGINS } else { 0 } | if ends { ENDS } else { 0 }];
    frame.extend(number.to_le_bytes());
    if let Some((len, crc)) = begins {
        frame.extend(len.to_le_bytes());
        frame.extend(crc.to_le_bytes());
    }
    frame.extend((bytes.len() as u16).to_le_bytes());
    frame.extend(bytes);
    frame
}

fn part(number: u32, part: u8, last: u8, of: (u32, u32), bytes: &[u8]) -> Vec<u8> {
    let mut frame = vec![Channel::Spectator as u8 | 0x80];
    frame.extend(number.to_le_bytes());
    frame.extend([part, last]);
    frame.extend(of.0.to_le_bytes());
    frame.extend(of.1.to_le_bytes());
    frame.extend((bytes.len() as u16).to_le_bytes());
    frame.extend(bytes);
    frame
}

fn ack(next: u16, welcome: u16, bits: &[u8]) -> Vec<u8> {
    let mut frame = vec![LOBBY | 0x40];
    frame.extend(next.to_le_bytes());
    frame.extend(welcome.to_le_bytes());
    frame.push(bits.len() as u8);
    frame.extend(bits);
    frame
}

fn crc(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

#[test]
fn what_cannot_be_true_is_dropped_and_changes_nothing() {
    let mut victim = victim();
    victim.send(Channel::Lobby, b"one").unwrap();
    victim.send(Channel::Lobby, b"two").unwrap();
    let mut buffer = [0; 1_200];
    victim.poll_transmit(0, &mut buffer).unwrap();
    let good = chunk(0, Some((2, crc(b"hi"))), true, b"hi");
    let echo_of_unsent = [&[0x81, 9, 0, 0, 0, 1, 0, 0, 0, 0, 0][..], &good].concat();
    for (bytes, reject) in [
        (packet(9, &[&good, &ack(3, 0, &[])]), Reject::AckOfUnsent),
        (packet(9, &[&good, &ack(0, 0, &[2])]), Reject::AckOfUnsent),
        (packet(9, &[&good, &ack(2, 0, &[1])]), Reject::AckOfUnsent),
        (packet(9, &[&good, &ack(u16::MAX, 0, &[])]), Reject::AckOfUnsent),
        (packet(9, &[&good, &chunk(300, None, false, b"x")]), Reject::BadWindow),
        (packet(9, &[&good, &chunk(u16::MAX, None, false, b"x")]), Reject::BadWindow),
        (packet(9, &[&good, &[0xC0 | LOBBY | 0x08]]), Reject::BadField),
        (packet(9, &[&good, &[Channel::Lobby as u8 | 0x80; 17]]), Reject::TooShort),
        (packet(9, &[&good, &part(1, 0, 0, (1, 1), b"x")[..10]]), Reject::TooShort),
        (packet(9, &[&good, &[0xC0 | Channel::Spectator as u8]]), Reject::BadField),
        (packet(9, &[&good, &[0x06]]), Reject::BadField),
        (echo_of_unsent, Reject::AckOfUnsent),
        (vec![1; 1_201], Reject::TooLong),
        (vec![], Reject::TooShort),
    ] {
        assert_eq!(victim.handle(1_000, &bytes), Err(reject), "{bytes:?}");
        assert_eq!(victim.receive(1_000), None, "{bytes:?}");
        assert_eq!((victim.delivered(Channel::Lobby), victim.violation()), (0, None));
        assert_eq!(victim.stats().packets_received, 0);
    }
    victim.handle(1_000, &packet(9, &[&good, &ack(2, 0, &[])])).unwrap();
    assert_eq!(victim.receive(1_000), Some((Channel::Lobby, b"hi".to_vec())));
    assert_eq!(victim.delivered(Channel::Lobby), 2);
}

#[test]
fn what_breaks_the_protocol_ends_the_connection_with_a_reason() {
    let channel = Some(Channel::Lobby);
    let viewers = Some(Channel::Spectator);
    let broken = Violation::BrokenMessage { channel };
    let begin = |bytes: u32| Some((bytes, crc(b"hihi")));
    for (frames, violation) in [
        (vec![chunk(0, Some((MOST_BYTES + 1, 0)), false, b"hi")], Violation::TooLarge { channel }),
        (vec![chunk(0, Some((u32::MAX, 0)), true, b"hi")], Violation::TooLarge { channel }),
        (vec![chunk(0, Some((2, 7)), true, b"hi")], Violation::WrongChecksum { channel }),
        (vec![chunk(0, Some((0, 7)), true, b"")], Violation::WrongChecksum { channel }),
        (vec![chunk(0, None, false, b"hi")], broken),
        (vec![chunk(0, begin(4), false, b"hi"), chunk(1, begin(4), true, b"hi")], broken),
        (vec![chunk(0, begin(4), true, b"hi")], broken),
        (vec![chunk(0, begin(4), false, b"hihi")], broken),
        (vec![chunk(0, begin(4), false, b"hi"), chunk(1, None, true, b"hihi")], broken),
        (vec![chunk(0, begin(4), false, b"")], broken),
        (vec![chunk(0, begin(4), false, b"hi"), chunk(1, None, false, b"")], broken),
        // The later one first.
        (vec![chunk(1, None, false, b"hi"), chunk(0, begin(4), true, b"hihi")], broken),
        (vec![part(1, 0, 0, (32_769, 0), b"hi")], Violation::TooLarge { channel: viewers }),
        (vec![part(1, 1, 0, (2, 0), b"hi")], Violation::BrokenMessage { channel: viewers }),
        (vec![part(1, 0, 0, (2, 0), b"hi")], Violation::WrongChecksum { channel: viewers }),
        (vec![part(1, 0, 0, (3, crc(b"hi")), b"hi")], Violation::BrokenMessage { channel: viewers }),
        (vec![part(1, 0, 1, (1, 0), b"hi")], Violation::BrokenMessage { channel: viewers }),
        (vec![part(1, 0, 1, (4, 0), b"hi"), part(1, 1, 1, (5, 0), b"hi")], Violation::BrokenMessage { channel: viewers }),
        (vec![part(1, 0, 1, (4, 0), b"hi"), part(1, 1, 2, (4, 0), b"hi")], Violation::BrokenMessage { channel: viewers }),
    ] {
        let mut victim = victim();
        for (sequence, frame) in (0..).zip(&frames) {
            let _ = victim.handle(0, &packet(sequence, &[frame]));
            let _ = victim.receive(0);
        }
        assert_eq!(victim.violation(), Some(violation), "{frames:?}");
        assert_eq!(victim.send(Channel::Lobby, b"x"), Err(SendError::Over(violation)));
        assert_eq!(victim.poll_transmit(0, &mut [0; 1_200]), None);
        assert_eq!(victim.poll_timeout(), None);
        assert_eq!(victim.handle(0, &packet(9, &[])), Err(Reject::WrongState));
        assert!(!violation.to_string().is_empty());
    }
}

/// Its chunks are all within the window and never make a message: they are kept, and no more than those.
#[test]
fn chunks_that_lead_to_nothing_are_bounded() {
    let mut victim = victim();
    let mut rng = Rng::new(1, 0);
    let mut buffer = [0; 1_200];
    let mut taken = 0;
    for sequence in 0..200_000 {
        let now_us = u64::from(sequence) * 100;
        let number = rng.next_u32() as u16;
        if number != 0 && victim.handle(now_us, &packet(sequence, &[&chunk(number, None, false, &[7; 1_000])])).is_ok() {
            taken += 1;
        }
        while victim.poll_transmit(now_us, &mut buffer).is_some() {}
    }
    let stats = *victim.stats().of(Channel::Lobby);
    assert!(taken > 0 && taken - stats.duplicate_pieces <= 256, "{taken} taken, {stats:?}");
    assert_eq!((victim.violation(), stats.received_messages), (None, 0));
}

/// Settings with which chat ignores its rate.
fn fast() -> ConnectionSettings {
    let rows: Vec<ChannelSpec> = Topology::default()
        .rows()
        .iter()
        .map(|row| if row.channel == Channel::ChatPresence { ChannelSpec { max_hz: 60, ..*row } } else { *row })
        .collect();
    ConnectionSettings { topology: Topology::new(&rows).unwrap(), ..ConnectionSettings::new(PACKET_BYTES) }
}

/// What is let through late is told in one packet only. If that is lost, the sender asks.
#[test]
fn a_sender_that_is_held_up_finds_out_whatever_is_lost() {
    for seed in 0..20 {
        let lossy = LinkSettings { delay_us: 30_000, loss: Loss::Independent { per_million: 400_000 }, ..LinkSettings::default() };
        let mut wire = Wire::new(&lossy, seed);
        wire.ends[0] = ChannelConnection::new(fast());
        let mut sent = 0;
        for second in 1..=200 {
            while second <= 40 && wire.ends[0].send(Channel::ChatPresence, &message(Channel::ChatPresence, sent, 20)).is_ok() {
                sent += 1;
            }
            wire.run_until(second * 1_000_000, |wire| while wire.ends[1].receive(wire.now_us).is_some() {});
            if second > 40 && wire.ends[0].is_flushed() {
                break;
            }
            assert!(wire.ends[0].poll_timeout().is_some(), "seed {seed}: it waits for ever");
        }
        wire.run_until(1_500_000_000, |wire| while wire.ends[1].receive(wire.now_us).is_some() {});
        assert!(wire.ends[0].is_flushed(), "seed {seed}: {} of {sent}", wire.ends[0].delivered(Channel::ChatPresence));
    }
}

/// Messages of a sender that ignores the rate are let through at the rate, and none of them is lost.
#[test]
fn a_sender_that_is_too_fast_is_held_to_the_rate() {
    let mut wire = Wire::new(&LinkSettings { delay_us: 30_000, ..LinkSettings::default() }, 1);
    wire.ends[0] = ChannelConnection::new(fast());
    let mut sent = 0;
    let mut arrived = Vec::new();
    for second in 1..=120 {
        while second <= 60 && wire.ends[0].send(Channel::ChatPresence, &message(Channel::ChatPresence, sent, 20)).is_ok() {
            sent += 1;
        }
        wire.run_until(second * 1_000_000, |wire| {
            while let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
                assert_eq!(number_of(channel, &bytes), arrived.len() as u64);
                arrived.push(wire.now_us);
            }
        });
        let most = 64 + 20 + 11 * second as usize + 1;
        assert!(arrived.len() <= most, "{} in {second} s", arrived.len());
    }
    assert!(wire.ends[1].stats().of(Channel::ChatPresence).held_up > 0);
    wire.run_until(3_000_000_000, |wire| while wire.ends[1].receive(wire.now_us).is_some() {});
    assert!(wire.ends[0].is_flushed() && wire.ends[1].violation().is_none());
}
