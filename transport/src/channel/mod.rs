//! Channels beside the rollback socket: chat, lobby, match state, spectators, telemetry.
//!
//! They have a socket of their own, so that nothing they do can hold up an input, and a blackout of
//! one leaves the other as it is.

mod error;
mod topology;

pub use error::{SendError, Violation};
pub use topology::{Channel, ChannelSpec, MAX_HZ, MAX_MESSAGE_BYTES, MAX_UNRELIABLE_MESSAGE_BYTES, SocketRole, Topology, TopologyError};
