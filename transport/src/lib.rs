//! Packets, acknowledgements, handshake and a link conditioner for rollback netcode.
//!
//! Sans-IO: everything but [`udp`] takes `now_us` and bytes and returns bytes and facts. There is
//! no clock, no thread and no random source inside.
//!
//! | module | what it holds |
//! |---|---|
//! | [`packet`] | the `V2RB` packets, as unchecked views and as parsed values |
//! | [`endpoint`] | one connection to one peer, and the table of its states |
//! | [`explain`] | what the bytes of a datagram say, for people |
//! | [`ack`] | sequences received and sent |
//! | [`fec`] | forward error correction: parity, what it gives back, and when it is needed |
//! | `channel` (feature `channels`) | chat, lobby and match state on a second socket |
//! | [`rtt`] | the round trip, smoothed |
//! | [`ticket`] | the text by which a host invites |
//! | [`link`] | a seeded emulator of a bad network |
//! | [`udp`] | the one file that touches a socket |

pub mod ack;
#[cfg(feature = "channels")]
pub mod channel;
pub mod credentials;
pub mod endpoint;
pub mod explain;
pub mod fec;
pub mod link;
pub mod packet;
pub mod rtt;
#[cfg(feature = "dtls")]
pub mod secure;
pub mod ticket;
mod transport;
#[cfg(feature = "udp")]
pub mod udp;

pub use endpoint::{Endpoint, EndpointSettings, EndpointStats, Handled, LinkState};
pub use link::{LinkConditioner, LinkSettings};
pub use packet::{ConnectionKey, PeerParams, Reject, RejectCounts};
pub use ticket::{Ticket, TicketSecurity};
pub use transport::{SendOutcome, Transport};
