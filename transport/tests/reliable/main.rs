//! What a `ChannelConnection` promises, on virtual time and seeds: every message of a reliable channel
//! arrives once, whole and in order, whatever the link does; an unreliable one whole or not at all.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod faults;
mod large;
mod rates;
mod readers;
mod rogue;
mod wire;
