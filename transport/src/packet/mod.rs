//! The `V2RB` packets: what is on the wire, and what is known once it has been checked.
//!
//! | type | name | when | checked by |
//! |---|---|---|---|
//! | 1 | [`Hello`] | a peer dials another | CRC; `V2RB` and the version stand in it |
//! | 2 | [`Welcome`] | the answer, with a seat and the match | the same |
//! | 3 | [`Refusal`] | the answer when the two cannot play | the same |
//! | 4 | [`Sync`] | while all wait at the start barrier | CRC seeded with the [`ConnectionKey`] |
//! | 5 | [`InputHeader`] and inputs | once a frame while playing | the same |
//! | 6 | [`Bye`] | a peer leaves, with what it confirmed | the same |
//! | 8 | [`ParityView`] | after a group of data packets, while packets are lost | the same |
//!
//! The low half of the first byte is the type, the high half are flags. Every number is
//! little-endian. A CRC of 4 bytes ends every packet of this plaintext profile.

mod bye;
mod greeting;
mod input;
mod key;
mod params;
mod parity;
mod reader;
mod reject;
mod sync;

pub use bye::{Bye, LeaveReason};
pub use greeting::{Hello, Refusal, RefusalReason, RosterEntry, Welcome};
pub use input::{InputFlags, InputHeader, InputView};
pub use key::ConnectionKey;
pub use params::{Mismatch, PeerParams};
pub use parity::ParityView;
pub use reject::{Reject, RejectCounts};
pub use sync::{BarrierState, Sync};

pub(crate) use input::{ack_delay_units, ack_delay_us};

/// The magic of handshake packets.
pub const MAGIC: [u8; 4] = *b"V2RB";

/// The version of everything on the wire. Peers with different versions refuse each other.
pub const PROTOCOL_VERSION: u16 = 1;

/// The largest datagram this crate writes or accepts, before the UDP header.
pub const DATAGRAM_BUDGET_BYTES: usize = 1200;

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
    /// The XOR of a group of data packets.
    Parity = 8,
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
            8 => Self::Parity,
            _ => return Err(Reject::UnknownType),
        })
    }
}
