//! Forward error correction: packets that are lost are made again from what did arrive.
//!
//! | file | what it holds |
//! |---|---|
//! | `parity` | [`ParityGroup`], the sender's side: the XOR of a group of packets |
//! | `recover` | [`recover`], and [`ParityRecovery`], the receiver's side |
//! | `memory` | the bytes of the newest packets that were received |
//! | `spread` | [`SpreadCopy`], the newest frame a second time |
//! | `need` | [`RepairNeed`], which says when the link loses enough to pay for it |
//!
//! # What a parity covers
//! A data packet without its checksum: what the encryption seals, or in the plaintext profile all
//! but the last 4 bytes. The parity packet has a checksum or a seal of its own.
//!
//! # What is guaranteed
//! The packets of a group and its parity as they were sent give back exactly the one that is
//! missing, whatever the order in which they come. Two missing ones are never made up.
//!
//! A parity that lies is refused where its own group shows it: the lengths must fit, what is filled
//! with zeros must be zeros. An XOR holds no more proof than that. So
//!
//! * under encryption only the peer can make a parity, and it could as well have sent the packet;
//! * in the plaintext profile the checksum keeps out damage and strays, and no attacker, as for
//!   every other packet;
//! * a packet that was made again is read and checked like one that arrived, and the sequence in its
//!   header must be the one that was missing.
//!
//! # What is not acknowledged
//! A packet that was made again did not arrive. It must not enter the
//! [`AckWindow`](crate::ack::AckWindow): the sender measures loss by the acknowledgements, and
//! would switch the parity off because it works.

mod memory;
mod need;
mod parity;
mod recover;
mod spread;

pub use memory::MEMORY_PACKETS;
pub use need::{NeedEvent, NeedState, OFF_AT_PER_MILLION, ON_AT_PER_MILLION, RepairNeed, TRANSITIONS};
pub use parity::{MAX_COVERED_BYTES, MAX_GROUP_PACKETS, MIN_GROUP_PACKETS, Parity, ParityGroup};
pub use recover::{ParityRecovery, Recovered, WAITING_PARITIES, recover};
pub use spread::SpreadCopy;
