//! The `V2RB` packets: what is on the wire, and what is known once it has been checked.
//!
//! | type | name | when | checked by |
//! |---|---|---|---|
//! | 1 | [`Hello`] | a peer dials another | CRC or AEAD; `V2RB` and the version stand in it |
//! | 2 | [`Welcome`] | the answer, with a seat and the match | the same |
//! | 3 | [`Refusal`] | the answer when the two cannot play | the same |
//! | 4 | [`Sync`] | while all wait at the start barrier | CRC seeded with the [`ConnectionKey`], or AEAD |
//! | 5 | [`InputHeader`] and inputs | once a frame while playing | the same |
//! | 6 | [`Bye`] | a peer leaves, with what it confirmed | the same |
//! | 8 | [`ParityView`] | after a group of data packets, while packets are lost | CRC or AEAD |
//! | 7 | [`Knock`] | a peer wants to dial with encryption | nothing: it only costs an answer |
//! | 9 | [`Cookie`] | the answer, which the listener does not remember | the dialler's nonce |
//! | 10 | [`Opener`] | the first record of a DTLS handshake | the listener's cookie |
//! | 11 | [`Proof`] | both ends of a fresh encrypted connection | AEAD, the seat's secret, a signature |
//! | 12 | [`Path`] | one end of an encrypted connection has moved | AEAD |
//! | 14 | [`Check`] | every so many confirmed frames | CRC or AEAD |
//! | 13 | [`PlainChannel`] | chat, lobby and match state on the second socket, without encryption | CRC seeded with the match and both seats |
//!
//! The low half of the first byte is the type, the high half are flags. Every number is
//! little-endian. In the plaintext profile a CRC of 4 bytes ends every packet; inside an encrypted
//! connection there is none ([`ConnectionKey::AEAD`]).

mod bye;
mod channel;
mod check;
mod descriptor;
mod door;
mod greeting;
mod input;
mod key;
mod params;
mod parity;
mod proof;
pub(crate) mod reader;
mod reject;
mod seed;
mod sync;

pub use bye::{Bye, LeaveReason};
pub use channel::PlainChannel;
pub use check::{Check, InputDigests};
pub use descriptor::DatagramDescriptor;
pub use door::{Cookie, Knock, OPENER_HEADER_BYTES, Opener};
pub use greeting::{Hello, Pairing, Refusal, RefusalReason, RosterEntry, Welcome};
pub use input::{InputFlags, InputHeader, InputView};
pub use key::ConnectionKey;
pub use params::{Mismatch, PeerParams};
pub use parity::ParityView;
pub use proof::{Path, Proof};
pub use reject::{Reject, RejectCounts};
pub use seed::{SeedCommitment, SeedHeard, SeedPart, SeedSecret, SeedShare};
pub use sync::{BarrierState, Sync};

use snapback_core::codec::worst_sample_bits;

pub(crate) use input::{ack_delay_units, ack_delay_us};

/// The magic of handshake packets.
pub const MAGIC: [u8; 4] = *b"V2RB";

/// The version of everything on the wire. Peers with different versions refuse each other.
pub const PROTOCOL_VERSION: u16 = 4;

/// The largest datagram this crate writes or accepts, before the UDP header.
pub const DATAGRAM_BUDGET_BYTES: usize = 1200;

/// Bytes that DTLS 1.3 adds to a packet: a header of 5, a content type of 1, a tag of 16.
pub const SEAL_BYTES: usize = 22;

/// The most bytes of a packet in a match with so many players, of whom so many are local and press
/// inputs of this size: the largest of a greeting, a roster, and one frame of inputs. More frames go
/// only where there is room.
#[must_use]
pub fn most_packet_bytes(input_bytes: usize, player_count: usize, local_player_count: usize) -> usize {
    let inputs = InputHeader::MAX_BYTES + (worst_sample_bits(input_bytes) * local_player_count).div_ceil(8) + 4;
    let roster = if player_count > 2 { sync::MAX_BYTES } else { 0 };
    inputs.max(roster).max(greeting::GREETING_BYTES).max(Proof::BYTES)
}

/// What kind of packet a datagram claims to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum PacketType {
    /// A peer dials another.
    Hello = 1,
    /// The answer, with a seat.
    Welcome = 2,
    /// The answer when the two cannot play.
    Refuse = 3,
    /// The start barrier.
    Sync = 4,
    /// Inputs and acknowledgements.
    Input = 5,
    /// A peer leaves.
    Bye = 6,
    /// A peer wants to dial with encryption.
    Knock = 7,
    /// The XOR of a group of data packets.
    Parity = 8,
    /// The answer, which the listener does not remember.
    Cookie = 9,
    /// The first record of a DTLS handshake.
    Opener = 10,
    /// Both ends of a fresh encrypted connection convince each other.
    Proof = 11,
    /// One end of an encrypted connection has moved.
    Path = 12,
    /// The channels beside the rollback socket, without encryption.
    PlainChannel = 13,
    /// What a peer computed for a confirmed frame.
    Check = 14,
}

impl PacketType {
    /// The type that the first byte of a datagram claims.
    ///
    /// # Errors
    /// If the datagram is empty or the type does not exist.
    pub fn of(datagram: &[u8]) -> Result<Self, Reject> {
        Ok(match datagram.first().ok_or(Reject::TooShort)? & 0x0F {
            1 => Self::Hello,
            2 => Self::Welcome,
            3 => Self::Refuse,
            4 => Self::Sync,
            5 => Self::Input,
            6 => Self::Bye,
            7 => Self::Knock,
            8 => Self::Parity,
            9 => Self::Cookie,
            10 => Self::Opener,
            11 => Self::Proof,
            12 => Self::Path,
            13 => Self::PlainChannel,
            14 => Self::Check,
            _ => return Err(Reject::UnknownType),
        })
    }
}
