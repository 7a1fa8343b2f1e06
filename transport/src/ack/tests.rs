use super::*;
use snapback_core::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// First sequences at the places where something may wrap, and a few that are nowhere special.
fn first_sequences() -> Vec<u64> {
    let mut first: Vec<u64> = (65_520..65_552).collect();
    first.extend(0..4);
    first.extend([32_767, 32_768, u64::from(u32::MAX) - 3, 987_654_321, u64::MAX - 5_000]);
    first
}

/// Every answer, worked out from the set of everything accepted.
struct ReceiveModel {
    first: u64,
    accepted: BTreeSet<u64>,
}

impl ReceiveModel {
    fn expand(&self, wire: u16) -> Option<u64> {
        let reference = self.accepted.last().copied().unwrap_or(self.first);
        let low = reference.saturating_sub(MAX_SEQUENCE_JUMP).max(self.first);
        let high = reference.saturating_add(MAX_SEQUENCE_JUMP);
        (low..=high).find(|sequence| *sequence as u16 == wire)
    }

    fn accept(&mut self, sequence: u64) -> Received {
        let behind = self.accepted.last().map_or(0, |high| high.saturating_sub(sequence));
        if sequence < self.first || behind > 32 {
            Received::Stale
        } else if self.accepted.insert(sequence) {
            Received::New
        } else {
            Received::Duplicate
        }
    }

    fn wire_ack(&self) -> Option<(u16, u32)> {
        let highest = *self.accepted.last()?;
        let bits = (0..32).filter(|bit| highest.checked_sub(1 + bit).is_some_and(|seq| self.accepted.contains(&seq)));
        Some((highest as u16, bits.fold(0, |bits, bit| bits | 1 << bit)))
    }

    fn missing_below(&self, count: u64) -> u32 {
        let Some(highest) = self.accepted.last().copied() else { return 0 };
        let low = highest.saturating_sub(count).max(self.first);
        (low..highest).filter(|sequence| !self.accepted.contains(sequence)).count() as u32
    }
}

#[test]
fn ack_window_agrees_with_a_set_of_everything_accepted() {
    for (seed, first) in first_sequences().into_iter().enumerate() {
        let mut rng = Rng::new(seed as u64, 0);
        let mut window = AckWindow::new(first);
        let mut model = ReceiveModel { first, accepted: BTreeSet::new() };
        for step in 0..4_000 {
            let near = window.highest().unwrap_or(first);
            let wire = match rng.below(10) {
                0 => rng.next_u32() as u16,
                1 => (near as u16).wrapping_add(rng.below(2_100) as u16).wrapping_sub(1_050),
                _ => (near as u16).wrapping_add(rng.below(50) as u16).wrapping_sub(45),
            };
            let expanded = window.expand(wire);
            assert_eq!(expanded.ok(), model.expand(wire), "{first}, step {step}: {wire}");
            let Ok(sequence) = expanded else { continue };
            assert_eq!(sequence as u16, wire);
            assert_eq!(window.accept(sequence), model.accept(sequence), "{first}: {sequence}");
            assert_eq!(window.wire_ack(), model.wire_ack(), "{first}, step {step}");
            for count in [0, 1, 7, 31, 32] {
                assert_eq!(window.missing_below(count), model.missing_below(count.into()), "{first}, step {step}: {count}");
            }
        }
    }
}

#[test]
fn ack_window_follows_many_wraps() {
    let mut rng = Rng::new(5, 0);
    let mut window = AckWindow::new(65_530);
    let mut sequence = 65_530;
    while sequence < 50 * 65_536 {
        assert_eq!(window.expand(sequence as u16), Ok(sequence));
        assert_eq!(window.accept(sequence), Received::New);
        sequence += 1 + u64::from(rng.below(MAX_SEQUENCE_JUMP as u32));
    }
}

#[test]
fn a_jump_is_refused_from_1025_on_with_its_size() {
    for reference in [65_530, 131_072] {
        let mut window = AckWindow::new(10);
        assert_eq!(window.accept(reference), Received::New);
        assert_eq!(window.expand((reference + 1_024) as u16), Ok(reference + 1_024));
        assert_eq!(window.expand((reference - 1_024) as u16), Ok(reference - 1_024));
        let wire = (reference + 1_025) as u16;
        assert_eq!(window.expand(wire), Err(SequenceJump::Ahead { wire, reference, by: 1_025 }));
        let wire = (reference - 1_025) as u16;
        assert_eq!(window.expand(wire), Err(SequenceJump::Behind { wire, reference, by: 1_025 }));
    }
}

/// Every answer, worked out from the history of all that was sent and acknowledged.
#[derive(Default)]
struct SendModel {
    sent: BTreeMap<u64, u64>,
    acked: BTreeSet<u64>,
    lost: BTreeSet<u64>,
    highest_acked: u64,
}

impl SendModel {
    fn settle_losses(&mut self) {
        let next = self.sent.last_key_value().map_or(0, |(seq, _)| seq + 1);
        for seq in self.sent.keys().copied() {
            let out_of_reach = seq + 32 < self.highest_acked || seq + 256 < next;
            if out_of_reach && !self.acked.contains(&seq) {
                self.lost.insert(seq);
            }
        }
    }

    fn acknowledge(&mut self, ack: u64, bits: u32) -> Option<Vec<AckedPacket>> {
        let mut reported: Vec<u64> = vec![ack];
        for bit in (0..32).filter(|bit| bits & (1 << bit) != 0) {
            reported.insert(0, ack.checked_sub(1 + bit)?);
        }
        if reported.iter().any(|seq| !self.sent.contains_key(seq)) {
            return None;
        }
        reported.retain(|seq| !self.lost.contains(seq) && self.acked.insert(*seq));
        self.highest_acked = self.highest_acked.max(ack);
        self.settle_losses();
        let packet = |seq| AckedPacket { seq, sent_us: self.sent[&seq], bytes: 40 };
        Some(reported.into_iter().map(packet).collect())
    }
}

#[test]
fn sent_window_agrees_with_the_whole_history() {
    for (seed, first) in first_sequences().into_iter().enumerate() {
        let mut rng = Rng::new(seed as u64, 1);
        let mut window = SentWindow::new(first);
        let mut model = SendModel::default();
        let silent = rng.chance(300_000);
        for step in 0..1_500u64 {
            let seq = window.next_sequence();
            window.sent(seq, step * 16_667, 40);
            model.sent.insert(seq, step * 16_667);
            model.settle_losses();
            let quiet = silent && (300..700).contains(&step);
            for _ in 0..if quiet { 0 } else { rng.below(3) } {
                let back = if rng.chance(50_000) { rng.below(400) } else { rng.below(40) };
                let ahead = u64::from(rng.chance(50_000)) * u64::from(rng.below(2_000));
                let ack = (seq + ahead).saturating_sub(u64::from(back));
                let bits = rng.next_u32() & rng.next_u32() & sent_below(&model, ack, &mut rng);
                let mut reported = Vec::new();
                let result = window.acknowledge(ack as u16, bits, |packet| reported.push(packet));
                let expected = model.acknowledge(ack, bits);
                assert_eq!(result.is_ok(), expected.is_some(), "{first}, step {step}: {ack}");
                assert_eq!(reported, expected.unwrap_or_default(), "{first}, step {step}");
            }
            assert_eq!(window.sent_count(), model.sent.len() as u64);
            assert_eq!(window.acked_count(), model.acked.len() as u64);
            assert_eq!(window.lost_count(), model.lost.len() as u64, "{first}, step {step}");
            let settled = model.acked.len() + model.lost.len();
            assert_eq!(window.in_flight(), (model.sent.len() - settled) as u64);
        }
    }
}

/// A mask of the bits that point at packets that were sent, or, now and then, of all.
fn sent_below(model: &SendModel, ack: u64, rng: &mut Rng) -> u32 {
    if rng.chance(20_000) {
        return u32::MAX;
    }
    let sent = |bit: &u64| ack.checked_sub(1 + bit).is_some_and(|seq| model.sent.contains_key(&seq));
    (0..32).filter(sent).fold(0, |bits, bit| bits | 1 << bit)
}

#[test]
fn sequences_left_out_cannot_be_acknowledged_and_none_is_sent_twice() {
    let mut window = SentWindow::new(65_530);
    for seq in [65_530, 65_531, 65_535, 65_531, 65_540] {
        window.sent(seq, 0, 40);
    }
    assert_eq!((window.sent_count(), window.next_sequence()), (4, 65_541));
    let nothing = |_| panic!("refused, so not reported");
    for (ack, bits) in [(65_534, 0), (65_535, 0b1), (65_541, 0), (65_529, 0), (65_531, 0b10)] {
        let wire = ack as u16;
        assert!(window.acknowledge(wire, bits, nothing).is_err(), "{ack} {bits:b}");
    }
    let mut acked = Vec::new();
    window.acknowledge(4, 0b1_0001_0000, |packet| acked.push(packet.seq)).unwrap();
    assert_eq!(acked, [65_531, 65_535, 65_540]);
}

#[test]
fn an_acknowledgement_ahead_is_refused_however_much_was_sent() {
    let mut window = SentWindow::new(65_530);
    for seq in 65_530..200_000 {
        window.sent(seq, 0, 40);
    }
    for ahead in [0, 1, 1_000, 32_766] {
        let wire = (200_000 + ahead) as u16;
        assert!(window.acknowledge(wire, 0, |_| panic!()).is_err(), "{ahead} ahead");
    }
    // One that is merely old is no offence: a slow path delivers such.
    assert_eq!(window.acknowledge((200_000 - 30_000) as u16, 0, |_| panic!()), Ok(()));
    assert_eq!((window.acked_count(), window.in_flight()), (0, 256));
}

/// Both windows and a wire between them that loses, repeats and swaps.
#[test]
fn the_two_windows_agree_on_what_arrived() {
    for (seed, first) in first_sequences().into_iter().enumerate() {
        let mut rng = Rng::new(seed as u64, 2);
        let (mut sender, mut receiver) = (SentWindow::new(first), AckWindow::new(first));
        let (mut arrived, mut acked) = (BTreeSet::new(), Vec::new());
        let mut wire: Vec<u64> = Vec::new();
        for step in 0..4_000 {
            let seq = sender.next_sequence();
            sender.sent(seq, step, 40);
            for _ in 0..rng.below(3) {
                wire.push(seq);
            }
            while !wire.is_empty() && rng.chance(600_000) {
                let seq = wire.swap_remove(rng.below(wire.len().min(6) as u32) as usize);
                let expanded = receiver.expand(seq as u16).unwrap();
                assert_eq!(expanded, seq);
                if receiver.accept(expanded) == Received::New {
                    assert!(arrived.insert(seq));
                }
            }
            wire.truncate(30);
            if let Some((ack, bits)) = receiver.wire_ack().filter(|_| rng.chance(700_000)) {
                sender.acknowledge(ack, bits, |packet| acked.push(packet.seq)).unwrap();
            }
        }
        let once: BTreeSet<u64> = acked.iter().copied().collect();
        assert_eq!(once.len(), acked.len());
        assert!(once.is_subset(&arrived));
        assert_eq!(acked.len() as u64, sender.acked_count());
        assert!(sender.lost_count() > 0 && sender.acked_count() > 1_000);
    }
}
