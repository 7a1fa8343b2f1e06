//! Encrypted matches, and everybody who must not get in.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod door;
mod faults;
mod matches;
mod moving;
mod posing;
mod real;
mod table;
mod valid;
