//! The built command, from the outside: what it prints and how it ends.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and waits for other programs"
)]

mod attest;
mod bad_input;
mod channels;
mod desync;
mod docs;
mod duel;
mod golden;
mod gone;
mod guide;
mod inspect_packet;
mod inspect_rewind;
mod liar;
mod netsim;
mod ping;
#[path = "../../../golden/tests/planted/mod.rs"]
mod planted;
mod remote;
mod support;
mod telemetry;
