//! Rollback netcode with a deterministic fixed-point simulation.
//!
//! Implement [`Simulation`] for your game. Give it to a [`Peer`] to play over a network, to a
//! [`RollbackSession`] if you have a network of your own, or to a [`SyncTestSession`] to find state
//! that a snapshot leaves out.
//!
//! | type | what it is for |
//! |---|---|
//! | [`Peer`] | a match over UDP or anything like it; sans-IO: you own the socket and the clock |
//! | [`RollbackSession`] | the session alone: inputs in, [`TickReport`] out |
//! | [`SyncTestSession`] | offline: rolls back on every frame and names the field that differs |
//!
//! The three duties of the game: a [`step`](Simulation::step) that reads nothing but state and
//! inputs, a [`capture`](Simulation::capture) that leaves nothing out, and a call of
//! [`tick`](Peer::tick) for every frame, in time.
//!
//! A crate that depends on this one alone writes `#[sim(crate = "snapback")]` beside
//! `#[derive(SimState)]`:
//!
//! ```
//! use bytemuck::{Pod, Zeroable};
//! use snapback::{Fx, SimState};
//!
//! #[derive(Clone, Copy, Pod, Zeroable, SimState)]
//! #[sim(crate = "snapback")]
//! #[repr(C)]
//! struct Ball {
//!     position: [Fx; 2],
//!     speed: [Fx; 2],
//! }
//! ```
//!
//! Features: `udp` (default) has the socket, `sim` the fighting world, `golden` the straight replay.

pub mod peer;
pub mod rollback;

pub use peer::{Outcome, Peer, PeerEvent, PeerPhase, PeerSettings, Role, TRANSMIT_BUFFER_BYTES, Transmit};
pub use rollback::{
    ConfirmedFrame, FreezeReason, InputPredictor, LocalInput, RepeatLast, RollbackSession, SessionError, SessionSettings, SessionStats,
    SyncTestError, SyncTestSession, TickReport,
};
pub use snapback_core::*;
#[cfg(feature = "golden")]
pub use snapback_golden as golden;
#[cfg(feature = "sim")]
pub use snapback_sim as sim;
pub use snapback_transport as transport;
