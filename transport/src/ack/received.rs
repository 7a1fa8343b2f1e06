//! [`AckWindow`]: which packets came in.

use super::{ACK_REACH, MAX_SEQUENCE_JUMP};
use core::fmt;

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

    /// How many of the `count` sequences below the highest one have not been accepted, of those that are
    /// remembered and not before the first. 0 before any.
    #[must_use]
    pub const fn missing_below(&self, count: u32) -> u32 {
        let Some(highest) = self.highest else { return 0 };
        let since_first = highest - self.first;
        let mut count = if count as u64 > ACK_REACH { ACK_REACH as u32 } else { count };
        if count as u64 > since_first {
            count = since_first as u32;
        }
        let known = if count == 0 { 0 } else { self.bits & (u32::MAX >> (u32::BITS - count)) };
        count - known.count_ones()
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
