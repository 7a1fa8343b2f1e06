//! Simulations under the sessions of ggrs, over our encryption: the same hashes as under our own session, and
//! nothing that a peer says ends the program.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod differential;
mod hostile;
mod ledger;
mod net;
mod rogue;
mod sync_test;
