//! Acknowledgements: [`AckWindow`] on the receiving side, [`SentWindow`] on the sending side.
//!
//! A sequence is a `u64` that never wraps. The wire carries its low 16 bits, which the reader
//! expands against what it already knows to be true, and refuses what lies out of reach.

use core::fmt;

/// Farthest that a sequence may lie ahead of or behind the highest one received.
pub const MAX_SEQUENCE_JUMP: u64 = 1_024;

/// Sequences that one acknowledgement covers below the highest: the bits of its field.
pub const ACK_REACH: u64 = 32;

/// Sent packets that a [`SentWindow`] remembers.
pub const SENT_WINDOW_PACKETS: u64 = 256;

/// The receiving side: which packets came in, for the acknowledgement on every packet that goes out.
///
/// Call order: [`expand`](Self::expand) the wire's 16 bits, authenticate the packet with the result
/// (a nonce or a checksum covers it), and only then [`accept`](Self::accept) it. A forged packet
/// thus never moves the window.
///
/// ```
/// use snapback_transport::ack::{AckWindow, Received};
/// let mut window = AckWindow::new(65_535);
/// let sequence = window.expand(1)?;
/// assert_eq!(sequence, 65_537);
/// assert_eq!(window.accept(sequence), Received::New);
/// assert_eq!(window.accept(65_535), Received::New);
/// assert_eq!(window.wire_ack(), Some((1, 0b10)));
/// # Ok::<(), snapback_transport::ack::SequenceJump>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AckWindow {
    first: u64,
    highest: Option<u64>,
    bits: u32,
}

/// What a received sequence is to an [`AckWindow`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Received {
    /// It had not been received; now it has.
    New,
    /// It had been received.
    Duplicate,
    /// It lies more than [`ACK_REACH`] below the highest, where nothing is remembered, or before
    /// the first.
    Stale,
}

impl AckWindow {
    /// A window that has received nothing. `first_expected` is the sequence of the peer's first
    /// packet, agreed in the handshake.
    #[must_use]
    pub const fn new(first_expected: u64) -> Self {
        Self { first: first_expected, highest: None, bits: 0 }
    }

    /// The sequence whose low 16 bits are `wire`, nearest to the highest one accepted (to the first
    /// expected, before any). Changes nothing.
    ///
    /// # Errors
    /// It lies more than [`MAX_SEQUENCE_JUMP`] from there, or before the first expected.
    pub const fn expand(&self, wire: u16) -> Result<u64, SequenceJump> {
        let reference = match self.highest {
            Some(highest) => highest,
            None => self.first,
        };
        let distance = wire.wrapping_sub(reference as u16) as i16;
        let by = distance.unsigned_abs();
        let sequence = reference.checked_add_signed(distance as i64);
        match sequence {
            _ if by as u64 > MAX_SEQUENCE_JUMP => {}
            Some(sequence) if sequence >= self.first => return Ok(sequence),
            _ => {}
        }
        Err(if distance > 0 { SequenceJump::Ahead { wire, reference, by } } else { SequenceJump::Behind { wire, reference, by } })
    }

    /// Marks `sequence`, which [`expand`](Self::expand) gave and the packet proved, as received.
    pub const fn accept(&mut self, sequence: u64) -> Received {
        if sequence < self.first {
            return Received::Stale;
        }
        let Some(highest) = self.highest else {
            self.highest = Some(sequence);
            return Received::New;
        };
        if sequence > highest {
            let ahead = sequence - highest;
            // The old highest becomes bit `ahead - 1`; a shift by 32 or more would not clear.
            self.bits = if ahead > ACK_REACH { 0 } else { (((self.bits as u64) << ahead) | (1 << (ahead - 1))) as u32 };
            self.highest = Some(sequence);
            return Received::New;
        }
        let behind = highest - sequence;
        if behind == 0 {
            return Received::Duplicate;
        }
        if behind > ACK_REACH {
            return Received::Stale;
        }
        let bit = 1 << (behind - 1);
        if self.bits & bit != 0 {
            return Received::Duplicate;
        }
        self.bits |= bit;
        Received::New
    }

    /// The highest sequence accepted.
    #[must_use]
    pub const fn highest(&self) -> Option<u64> {
        self.highest
    }

    /// The acknowledgement for the wire: the low 16 bits of the highest sequence accepted, and a
    /// field whose bit `n` says that the one `n + 1` below it was accepted too. `None` before the
    /// first packet.
    #[must_use]
    pub const fn wire_ack(&self) -> Option<(u16, u32)> {
        match self.highest {
            Some(highest) => Some((highest as u16, self.bits)),
            None => None,
        }
    }
}

/// A sequence on the wire that cannot be one of the peer's next or recent packets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SequenceJump {
    /// Too far ahead.
    Ahead {
        /// The 16 bits of the wire.
        wire: u16,
        /// The highest sequence accepted, or the first expected.
        reference: u64,
        /// How far ahead.
        by: u16,
    },
    /// Too far behind, or before the first packet of the peer.
    Behind {
        /// The 16 bits of the wire.
        wire: u16,
        /// The highest sequence accepted, or the first expected.
        reference: u64,
        /// How far behind.
        by: u16,
    },
}

impl fmt::Display for SequenceJump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wire, reference, by, side) = match self {
            Self::Ahead { wire, reference, by } => (wire, reference, by, "ahead of"),
            Self::Behind { wire, reference, by } => (wire, reference, by, "behind"),
        };
        write!(
            f,
            "sequence {wire} on the wire is {by} {side} {reference}: at most {MAX_SEQUENCE_JUMP} \
             either way is believed, and nothing before the first packet"
        )
    }
}

impl core::error::Error for SequenceJump {}

/// A packet that the peer reports for the first time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AckedPacket {
    /// Its sequence.
    pub seq: u64,
    /// When it was sent, in microseconds.
    pub sent_us: u64,
    /// Its size, in bytes.
    pub bytes: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    Free,
    InFlight(AckedPacket),
    /// Acknowledged or given up.
    Settled(u64),
}

impl Slot {
    const fn holds(&self, sequence: u64) -> bool {
        match self {
            Self::Free => false,
            Self::InFlight(packet) => packet.seq == sequence,
            Self::Settled(settled) => *settled == sequence,
        }
    }
}

const SLOTS: usize = SENT_WINDOW_PACKETS as usize;

/// The sending side: which packets are under way, and what became of the others.
///
/// Every packet sent ends as acknowledged or as lost, once, so `sent_count == acked_count +
/// lost_count + in_flight` at all times. A packet is lost when no acknowledgement can report it any
/// more: the highest acknowledged sequence is more than [`ACK_REACH`] above it, or
/// [`SENT_WINDOW_PACKETS`] newer ones were sent. A report that comes later is ignored.
///
/// ```
/// use snapback_transport::ack::SentWindow;
/// let mut window = SentWindow::new(65_535);
/// window.sent(65_535, 1_000, 40);
/// window.sent(65_536, 17_667, 40);
/// let mut round_trips_us = Vec::new();
/// window.acknowledge(0, 0b1, |packet| round_trips_us.push(50_000 - packet.sent_us))?;
/// assert_eq!(round_trips_us, [49_000, 32_333]);
/// # Ok::<(), snapback_transport::ack::AckedUnsent>(())
/// ```
#[derive(Clone, Debug)]
pub struct SentWindow {
    slots: [Slot; SLOTS],
    first: u64,
    next: u64,
    /// Whatever was sent before this is acknowledged or lost.
    settled_below: u64,
    sent: u64,
    acked: u64,
    lost: u64,
}

impl SentWindow {
    /// A window that has sent nothing. `initial_sequence` is the sequence of the first packet; any
    /// number is good, one just below a multiple of 65,536 included.
    #[must_use]
    pub const fn new(initial_sequence: u64) -> Self {
        Self {
            slots: [Slot::Free; SLOTS],
            first: initial_sequence,
            next: initial_sequence,
            settled_below: initial_sequence,
            sent: 0,
            acked: 0,
            lost: 0,
        }
    }

    /// The sequence for the next packet.
    #[must_use]
    pub const fn next_sequence(&self) -> u64 {
        self.next
    }

    /// Notes that packet `seq` of `bytes` went out at `now_us`.
    ///
    /// Sequences rise; leaving some out is allowed, and the peer cannot acknowledge those. A
    /// sequence that does not rise is ignored: one used twice would be acknowledged twice.
    pub fn sent(&mut self, seq: u64, now_us: u64, bytes: usize) {
        if seq < self.next {
            return;
        }
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let slot = self.slot(seq);
        if matches!(slot, Slot::InFlight(_)) {
            self.lost += 1;
        }
        self.put(seq, Slot::InFlight(AckedPacket { seq, sent_us: now_us, bytes }));
        self.sent += 1;
        self.next = seq.saturating_add(1);
    }

    /// Takes an acknowledgement from the wire, the two halves of [`AckWindow::wire_ack`], and calls
    /// `on_new` for each packet it reports for the first time, in the order they were sent.
    ///
    /// # Errors
    /// It reports a packet that was never sent. Then nothing changes and `on_new` is not called.
    pub fn acknowledge(&mut self, ack_wire: u16, bits: u32, mut on_new: impl FnMut(AckedPacket)) -> Result<(), AckedUnsent> {
        let refused = AckedUnsent { ack_wire, bits, next: self.next };
        if self.next == self.first {
            return Err(refused);
        }
        let highest_sent = self.next - 1;
        let behind = (highest_sent as u16).wrapping_sub(ack_wire);
        // Half a cycle back and half a cycle ahead are all the wire can tell apart.
        if behind > i16::MAX as u16 {
            return Err(refused);
        }
        let ack = highest_sent.checked_sub(u64::from(behind)).ok_or(refused)?;
        if !self.was_sent(ack) {
            return Err(refused);
        }
        for below in set_bits(bits) {
            match ack.checked_sub(below) {
                Some(sequence) if self.was_sent(sequence) => {}
                _ => return Err(refused),
            }
        }

        for below in set_bits(bits).rev() {
            self.settle(ack.saturating_sub(below), &mut on_new);
        }
        self.settle(ack, &mut on_new);
        self.give_up_below(ack.saturating_sub(ACK_REACH));
        Ok(())
    }

    /// Packets sent.
    #[must_use]
    pub const fn sent_count(&self) -> u64 {
        self.sent
    }

    /// Packets that the peer reported.
    #[must_use]
    pub const fn acked_count(&self) -> u64 {
        self.acked
    }

    /// Packets that no acknowledgement can report any more.
    #[must_use]
    pub const fn lost_count(&self) -> u64 {
        self.lost
    }

    /// Packets of which nothing is known yet: 0..=[`SENT_WINDOW_PACKETS`].
    #[must_use]
    pub const fn in_flight(&self) -> u64 {
        self.sent - self.acked - self.lost
    }

    /// Whether `sequence` went out, as far back as is remembered; before that, whether it could
    /// have.
    fn was_sent(&self, sequence: u64) -> bool {
        let remembered_from = self.next.saturating_sub(SENT_WINDOW_PACKETS);
        (self.first..self.next).contains(&sequence) && (sequence < remembered_from || self.slot(sequence).holds(sequence))
    }

    fn settle(&mut self, sequence: u64, on_new: &mut impl FnMut(AckedPacket)) {
        if let Slot::InFlight(packet) = self.slot(sequence)
            && packet.seq == sequence
        {
            self.put(sequence, Slot::Settled(sequence));
            self.acked += 1;
            on_new(packet);
        }
    }

    fn give_up_below(&mut self, end: u64) {
        // What has left the ring was counted when its slot was taken.
        let remembered_from = self.next.saturating_sub(SENT_WINDOW_PACKETS);
        for sequence in self.settled_below.max(remembered_from)..end {
            if let Slot::InFlight(packet) = self.slot(sequence)
                && packet.seq == sequence
            {
                self.put(sequence, Slot::Settled(sequence));
                self.lost += 1;
            }
        }
        self.settled_below = self.settled_below.max(end);
    }

    fn slot(&self, sequence: u64) -> Slot {
        self.slots[(sequence % SENT_WINDOW_PACKETS) as usize]
    }

    fn put(&mut self, sequence: u64, slot: Slot) {
        self.slots[(sequence % SENT_WINDOW_PACKETS) as usize] = slot;
    }
}

/// How far below the acknowledged sequence each set bit of a field points, nearest first.
fn set_bits(bits: u32) -> impl DoubleEndedIterator<Item = u64> {
    (1..=ACK_REACH).filter(move |below| bits & (1 << (below - 1)) != 0)
}

/// An acknowledgement of a packet that was never sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AckedUnsent {
    /// The 16 bits of the wire.
    pub ack_wire: u16,
    /// The field of the wire.
    pub bits: u32,
    /// The sequence that would be sent next.
    pub next: u64,
}

impl fmt::Display for AckedUnsent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ack_wire, bits, next } = self;
        write!(
            f,
            "acknowledgement {ack_wire} with bits {bits:#010x} reports a packet that was never \
             sent: the next to send is {next} ({} on the wire)",
            *next as u16
        )
    }
}

impl core::error::Error for AckedUnsent {}

#[cfg(test)]
mod tests {
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
}
