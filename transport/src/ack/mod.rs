//! Acknowledgements: [`AckWindow`] on the receiving side, [`SentWindow`] on the sending side.
//!
//! A sequence is a `u64` that never wraps. The wire carries its low 16 bits, which the reader
//! expands against what it already knows to be true, and refuses what lies out of reach.

mod received;
mod sent;
#[cfg(test)]
mod tests;

pub use received::{AckWindow, Received, SequenceJump};
pub use sent::{AckedPacket, AckedUnsent, SentWindow};

/// Farthest that a sequence may lie ahead of or behind the highest one received.
pub const MAX_SEQUENCE_JUMP: u64 = 1_024;

/// Sequences that one acknowledgement covers below the highest: the bits of its field.
pub const ACK_REACH: u64 = 32;

/// Sent packets that a [`SentWindow`] remembers.
pub const SENT_WINDOW_PACKETS: u64 = 256;
