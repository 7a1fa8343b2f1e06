//! A projectile in the present world, tick by tick.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bounce;
mod once;
mod rig;
mod teams;
mod tunnel;
