//! Hubs of channels on one virtual clock, with bad links between them, in both profiles.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod endings;
mod hostile;
#[cfg(feature = "dtls")]
mod identity;
mod meeting;
mod net;
mod silence;
