//! Peers compare what they computed: no honest match ends by it, and every fault in one does, by name.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod acks;
mod blame;
mod bundle;
mod faults;
mod game;
mod honest;
mod hostile;
mod play;
mod two_faced;
mod withheld;
