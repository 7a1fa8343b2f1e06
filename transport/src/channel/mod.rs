//! Channels beside the rollback socket: chat, lobby, match state, spectators, telemetry.
//!
//! They have a socket of their own, so that nothing they do can hold up an input, and a blackout of
//! one leaves the other as it is.

mod congestion;
mod connection;
mod error;
mod incoming;
mod outgoing;
mod packet;
mod rate;
mod stats;
mod topology;
mod unreliable;

mod hub;

pub(crate) use rate::UsedRates;

pub use connection::{ChannelConnection, ConnectionSettings};
pub use error::{SendError, Violation};
pub use stats::{ChannelStats, ConnectionStats};
pub use topology::{Channel, ChannelSpec, MAX_HZ, MAX_MESSAGE_BYTES, MAX_UNRELIABLE_MESSAGE_BYTES, SocketRole, Topology, TopologyError};

#[cfg(feature = "dtls")]
pub use hub::HubInvitation;
pub use hub::{ChannelHub, HubError, HubEvent, HubRole, HubSecurity, HubSettings, LostReason, Received, Undelivered};
