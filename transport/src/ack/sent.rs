//! [`SentWindow`]: what became of the packets that went out.

use super::{ACK_REACH, SENT_WINDOW_PACKETS};
use core::fmt;

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
    /// The newest packet that was reported, and which ones at and before it were, bit n being the one
    /// n before it: most of an acknowledgement repeats the one before.
    newest_reported: u64,
    reported: u64,
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
            newest_reported: initial_sequence,
            reported: 0,
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

    /// Takes an acknowledgement from the wire, the two halves of [`AckWindow::wire_ack`](super::AckWindow::wire_ack), and calls
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
        let known = self.known_at(ack);
        let news = bits & !((known >> 1) as u32);
        for below in set_bits(news) {
            match ack.checked_sub(below) {
                Some(sequence) if self.was_sent(sequence) => {}
                _ => return Err(refused),
            }
        }

        for below in set_bits(news) {
            self.settle(ack.saturating_sub(below), &mut on_new);
        }
        self.settle(ack, &mut on_new);
        self.give_up_below(ack.saturating_sub(ACK_REACH));
        if ack >= self.newest_reported {
            self.newest_reported = ack;
            self.reported = known | u64::from(bits) << 1 | 1;
        }
        Ok(())
    }

    /// Which packets at and before `ack` were reported before: bit n is the one n before it.
    const fn known_at(&self, ack: u64) -> u64 {
        let (ahead, behind) = (ack.saturating_sub(self.newest_reported), self.newest_reported.saturating_sub(ack));
        if ahead > ACK_REACH || behind > ACK_REACH { 0 } else { self.reported << ahead >> behind }
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

/// How far below the acknowledged sequence each set bit of a field points, farthest first.
fn set_bits(mut bits: u32) -> impl Iterator<Item = u64> {
    core::iter::from_fn(move || {
        let below = bits.checked_ilog2()? + 1;
        bits &= !(1 << (below - 1));
        Some(below.into())
    })
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
