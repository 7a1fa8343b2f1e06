//! `SecureSocket` against networks that lose and strangers that lie, in memory and on virtual time.

#![cfg(feature = "dtls")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod endings;
mod established;
mod handshake;
mod impostors;
mod moving;
mod net;
mod restarts;
mod rogue;
mod strangers;
