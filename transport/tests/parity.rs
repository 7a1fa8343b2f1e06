//! Parity from end to end: packets that are lost come back exactly, and nothing else does.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_core::Rng;
use snapback_transport::ack::{AckWindow, SentWindow};
use snapback_transport::fec::{
    MAX_COVERED_BYTES, MAX_GROUP_PACKETS, MIN_GROUP_PACKETS, NeedState, Parity, ParityGroup, ParityRecovery, RepairNeed, recover,
};
use snapback_transport::link::{LinkSettings, Loss};
use snapback_transport::packet::{DATAGRAM_BUDGET_BYTES, PacketType, ParityView};
use snapback_transport::{ConnectionKey, LinkConditioner, Reject};
use std::collections::{BTreeMap, BTreeSet};

fn random_packet(rng: &mut Rng, longest_bytes: usize) -> Vec<u8> {
    (0..=rng.below(longest_bytes as u32)).map(|_| rng.next_u32() as u8).collect()
}

/// The parity of these packets as it goes on the wire.
fn parity_of(packets: &[Vec<u8>], base: u64) -> Vec<u8> {
    let mut group = ParityGroup::new(packets.len() as u8);
    let mut out = vec![0; DATAGRAM_BUDGET_BYTES];
    for (index, packet) in packets.iter().enumerate() {
        if let Some(parity) = group.push(base + index as u64, packet) {
            assert_eq!(index + 1, packets.len());
            let len = parity.view().write(ConnectionKey::new(1, 2, 3), &mut out);
            out.truncate(len);
        }
    }
    out
}

/// A packet that says which one it is, as all data packets do.
fn numbered_packet(rng: &mut Rng, sequence: u64) -> Vec<u8> {
    let mut packet = vec![PacketType::Input as u8];
    packet.extend((sequence as u16).to_le_bytes());
    packet.extend(random_packet(rng, 60));
    packet
}

/// Every packet of every group size in turn, at random lengths: through the plain function, and
/// through the receiver's memory with packets and parity in a random order.
#[test]
fn any_one_missing_packet_is_made_again_and_two_never_are() {
    let key = ConnectionKey::new(1, 2, 3);
    for seed in 0..30 {
        let mut rng = Rng::new(seed, 0);
        for packet_count in MIN_GROUP_PACKETS..=MAX_GROUP_PACKETS {
            let longest_bytes = if rng.chance(500_000) { MAX_COVERED_BYTES } else { 40 };
            let base = if rng.chance(200_000) { 65_530 } else { u64::from(rng.next_u32()) };
            let packets: Vec<Vec<u8>> = (0..packet_count).map(|_| random_packet(&mut rng, longest_bytes)).collect();
            let datagram = parity_of(&packets, base);
            let parity = Parity::check(&ParityView::read(&datagram, key).unwrap(), base).unwrap();
            for missing in 0..packets.len() {
                let context = format!("seed {seed}, packet {missing} of {packet_count}");
                let others = || packets.iter().enumerate().filter(|(index, _)| *index != missing).map(|(_, packet)| packet.as_slice());
                let mut out = vec![0xEE; MAX_COVERED_BYTES];
                let len = recover(&parity, others(), &mut out).unwrap();
                assert_eq!(out[..len], packets[missing], "{context}");

                let mut recovery = ParityRecovery::new();
                let mut arrivals: Vec<Option<usize>> = (0..packets.len()).filter(|index| *index != missing).map(Some).collect();
                arrivals.push(None);
                while !arrivals.is_empty() {
                    assert!(recovery.next_recovered().is_none(), "{context}: {} more to come", arrivals.len());
                    match arrivals.swap_remove(rng.below(arrivals.len() as u32) as usize) {
                        Some(index) => recovery.received(base + index as u64, &packets[index]),
                        None => recovery.parity(&parity).unwrap(),
                    }
                }
                let made = recovery.next_recovered().unwrap().unwrap();
                assert_eq!((made.sequence, made.bytes), (base + missing as u64, packets[missing].as_slice()), "{context}");
                assert!(recovery.next_recovered().is_none(), "{context}");

                let another = (missing + 1 + rng.below(u32::from(packet_count) - 1) as usize) % packets.len();
                let fewer = || (0..packets.len()).filter(|index| ![missing, another].contains(index));
                assert_eq!(recover(&parity, fewer().map(|index| packets[index].as_slice()), &mut out), Err(Reject::BadParity), "{context}");
                let mut recovery = ParityRecovery::new();
                recovery.parity(&parity).unwrap();
                for index in fewer() {
                    recovery.received(base + index as u64, &packets[index]);
                    assert!(recovery.next_recovered().is_none(), "{context} and {another}");
                }
            }
        }
    }
}

/// Under its checksum every cut and every flipped bit of a parity packet is seen.
#[test]
fn a_damaged_parity_packet_is_refused() {
    let key = ConnectionKey::new(1, 2, 3);
    let mut rng = Rng::new(5, 0);
    for _ in 0..20 {
        let packets: Vec<Vec<u8>> = (0..4).map(|_| random_packet(&mut rng, 60)).collect();
        let datagram = parity_of(&packets, 70_000);
        assert_eq!(PacketType::of(&datagram), Ok(PacketType::Parity));
        for len in 0..datagram.len() {
            assert!(matches!(ParityView::read(&datagram[..len], key), Err(Reject::TooShort | Reject::BadCrc)), "{len} bytes");
        }
        for bit in 0..8 * datagram.len() {
            let mut flipped = datagram.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(ParityView::read(&flipped, key), Err(Reject::BadCrc), "bit {bit}");
        }
    }
}

/// The same damage with the checksum made right again, as only the peer can: what is made of it is
/// refused with a type, or it is a packet that says it is another one, or it is one in which only
/// what it carries was changed, which nobody but its sender could tell.
#[test]
fn a_parity_that_lies_is_seen_unless_it_changes_only_what_a_packet_carries() {
    let mut rng = Rng::new(6, 0);
    let mut refused = BTreeMap::new();
    let (mut taken, mut misnumbered) = (0, 0);
    for round in 0..40 {
        let base = 70_000;
        let packets: Vec<Vec<u8>> = (base..base + 4).map(|sequence| numbered_packet(&mut rng, sequence)).collect();
        let datagram = parity_of(&packets, base);
        let honest = ParityView::read(&datagram, ConnectionKey::new(1, 2, 3)).unwrap();
        let missing = round % 4;
        let fields = [honest.base.to_le_bytes().to_vec(), vec![honest.packet_count], honest.length_xor.to_le_bytes().to_vec()].concat();
        let body = [fields, honest.bytes.to_vec()].concat();
        let lies = (0..8 * body.len()).map(|bit| {
            let mut lie = body.clone();
            lie[bit / 8] ^= 1 << (bit % 8);
            lie
        });
        let cuts = (6..body.len()).map(|len| body[..len].to_vec());
        for lie in lies.chain(cuts) {
            let view = ParityView {
                base: u16::from_le_bytes([lie[0], lie[1]]),
                packet_count: lie[2],
                length_xor: u16::from_le_bytes([lie[3], lie[4]]),
                bytes: &lie[5..],
            };
            let mut recovery = ParityRecovery::new();
            let mut window = AckWindow::new(65_536);
            for (index, packet) in packets.iter().enumerate().filter(|(index, _)| *index != missing) {
                window.accept(base + index as u64);
                recovery.received(base + index as u64, packet);
            }
            let result = window
                .expand(view.base)
                .map_err(|_| Reject::SequenceJump)
                .and_then(|base| Parity::check(&view, base))
                .and_then(|parity| recovery.parity(&parity))
                .and_then(|()| recovery.next_recovered().transpose());
            match result {
                Err(reject) => *refused.entry(reject).or_insert(0) += 1,
                Ok(None) => *refused.entry(Reject::WrongState).or_insert(0) += 1,
                Ok(Some(made)) if made.bytes.get(1..3) != Some(&(made.sequence as u16).to_le_bytes()) => misnumbered += 1,
                Ok(Some(made)) => {
                    taken += 1;
                    assert_eq!(made.sequence, base + missing as u64);
                    assert_ne!(made.bytes, packets[missing]);
                    assert!(made.bytes.len() <= view.bytes.len());
                }
            }
        }
    }
    for reject in [Reject::BadField, Reject::BadParity, Reject::SequenceJump, Reject::WrongState] {
        assert!(refused.contains_key(&reject), "{reject} never came up: {refused:?}");
    }
    assert!(taken > 0 && misnumbered > 0, "{taken}, {misnumbered}");
}

/// What two ends of a lossy link hand to each other, with payloads that are sent once.
struct Outcome {
    sent: BTreeMap<u64, Vec<u8>>,
    arrived: BTreeSet<u64>,
    made: BTreeMap<u64, Vec<u8>>,
    needed: Vec<NeedState>,
    /// The sum of the measured loss, over the second half of the packets.
    measured_sum: u64,
    refused: u64,
}

/// Sends payloads that are not repeated over a link that also swaps and repeats packets. An
/// acknowledgement comes back for each; parity goes out while `need` says so, or always.
fn send_once(loss: Loss, packets: u64, seed: u64, always: bool) -> Outcome {
    let key = ConnectionKey::new(seed, 2, 3);
    let settings = LinkSettings {
        delay_us: 30_000,
        jitter_us: 5_000,
        reorder_per_million: 20_000,
        duplicate_per_million: 20_000,
        loss,
        ..LinkSettings::default()
    };
    let mut link = LinkConditioner::new(settings, seed, 0);
    let mut rng = Rng::new(seed, 99);
    let first = (1 << 16) + 65_000;
    let (mut sent, mut received) = (SentWindow::new(first), AckWindow::new(first));
    let (mut group, mut recovery, mut need) = (ParityGroup::new(4), ParityRecovery::new(), RepairNeed::new());
    let mut was_on = false;
    let mut outcome =
        Outcome { sent: BTreeMap::new(), arrived: BTreeSet::new(), made: BTreeMap::new(), needed: Vec::new(), measured_sum: 0, refused: 0 };
    for step in 0..packets + 60 {
        let now_us = 16_667 * step;
        while let Some(datagram) = link.receive(now_us) {
            if PacketType::of(datagram) == Ok(PacketType::Parity) {
                let view = ParityView::read(datagram, key).unwrap();
                let base = received.expand(view.base).unwrap();
                let result = recovery.parity(&Parity::check(&view, base).unwrap());
                outcome.refused += u64::from(result.is_err());
            } else {
                let sequence = received.expand(u16::from_le_bytes([datagram[1], datagram[2]])).unwrap();
                received.accept(sequence);
                recovery.received(sequence, datagram);
                outcome.arrived.insert(sequence);
            }
            while let Some(made) = recovery.next_recovered() {
                let made = made.unwrap();
                assert!(outcome.made.insert(made.sequence, made.bytes.to_vec()).is_none(), "given back twice");
            }
            if let Some((ack, bits)) = received.wire_ack() {
                sent.acknowledge(ack, bits, |_| {}).unwrap();
            }
        }
        if step >= packets {
            continue;
        }
        let sequence = sent.next_sequence();
        let payload = numbered_packet(&mut rng, sequence);
        sent.sent(sequence, now_us, payload.len());
        link.send(now_us, &payload);
        let on = need.update(sent.acked_count(), sent.lost_count()) == NeedState::On || always;
        outcome.needed.push(need.state());
        outcome.measured_sum += if step < packets / 2 { 0 } else { need.loss_per_million().into() };
        if on && !was_on {
            group.restart();
        }
        was_on = on;
        if on && let Some(parity) = group.push(sequence, &payload) {
            let mut out = [0; DATAGRAM_BUDGET_BYTES];
            let len = parity.view().write(key, &mut out);
            link.send(now_us, &out[..len]);
        }
        outcome.sent.insert(sequence, payload);
    }
    outcome
}

#[test]
fn a_thousand_payloads_that_are_sent_once_come_by_parity_alone() {
    let outcome = send_once(Loss::Independent { per_million: 100_000 }, 20_000, 11, true);
    let by_parity_alone: Vec<u64> = outcome.made.keys().copied().filter(|sequence| !outcome.arrived.contains(sequence)).collect();
    assert!(by_parity_alone.len() >= 1_000, "only {}", by_parity_alone.len());
    for (sequence, bytes) in &outcome.made {
        assert_eq!(bytes, &outcome.sent[sequence], "sequence {sequence}");
    }
    let lost = outcome.sent.len() - outcome.arrived.len();
    // One of four, the parity and the other three there: 0.9^4 of what is lost.
    let hundredths = 100 * by_parity_alone.len() / lost;
    assert!((60..=70).contains(&hundredths), "{} of {lost} lost ones came back", by_parity_alone.len());
    assert!(outcome.refused < 200, "{} parities were refused: only copies of them should be", outcome.refused);
}

/// Loss is measured before repair, so repair that works does not switch itself off. At 3 % parity
/// brings back nearly all of it: who counted that as received would see a clean link.
#[test]
fn working_repair_does_not_oscillate() {
    const PACKETS: u64 = 20_000;
    for seed in 0..4 {
        let lossy = [(30_000, Loss::Independent { per_million: 30_000 }), (100_000, Loss::Independent { per_million: 100_000 })];
        for (per_million, loss) in [lossy[0], lossy[1], (100_000, Loss::bursts(100_000, 4))] {
            let outcome = send_once(loss, PACKETS, seed, false);
            let changes = outcome.needed.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert_eq!((changes, outcome.needed.last()), (1, Some(&NeedState::On)), "{loss:?}, seed {seed}");
            let measured = outcome.measured_sum / (PACKETS / 2);
            assert!(measured.abs_diff(per_million) < per_million / 5, "{loss:?}, seed {seed}: measured {measured}");
            assert!(outcome.made.len() > 100, "{loss:?}, seed {seed}: {}", outcome.made.len());
        }
        let clean = send_once(Loss::None, 5_000, seed, false);
        assert!(clean.needed.iter().all(|state| *state == NeedState::Off) && clean.made.is_empty());
    }
}
