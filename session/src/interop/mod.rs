//! Playing a [`Simulation`](crate::Simulation) under the sessions of [ggrs](https://docs.rs/ggrs/0.13) (feature
//! `ggrs`, never on by default).
//!
//! For who comes from ggrs, and for who wants to compare: a game that implements
//! [`Simulation`](crate::Simulation) once is played by a [`Peer`](crate::Peer), or by ggrs's `P2PSession`,
//! `SpectatorSession` or `SyncTestSession`, with the same state hashes. How a ggrs game becomes a Snapback game
//! is told step by step in `session/docs/from-ggrs.md`.
//!
//! | type | what it is |
//! |---|---|
//! | [`GgrsGame`] | fulfils the requests of any ggrs session |
//! | [`GgrsConfig`] | the types with which ggrs plays a simulation |
//! | [`InputBlock`] | an input and its command |
//! | [`EncryptedSocket`] | carries ggrs's messages over our encryption, and keeps those away that make it panic |
//!
//! ggrs reads the wall clock and draws random numbers by itself: nothing here does.

mod block;
mod filter;
mod game;
mod message;
mod runs;
mod socket;

pub use block::{InputBlock, RepeatInput};
pub use filter::{GgrsPeer, GgrsRules, RefusedMessage};
pub use game::{Fulfilled, GgrsConfig, GgrsGame, GgrsGameError};
pub use socket::{EncryptedSocket, SocketFacts};
