//! Catch-up seen from outside: what a shot that comes late hits, and what the host hears of it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bounds;
mod exits;
mod policies;
mod projectiles;
mod rig;
mod same;
mod soak;
mod targets;
mod world;
