//! Everything in Snapback that reads bytes of strangers, as functions of bytes that must never panic,
//! never hold more than a bounded amount of memory and always come to an end.
//!
//! | module | what it holds |
//! |---|---|
//! | [`case`] | an input: a row of steps, each an action and bytes, so that one holds many datagrams |
//! | [`targets`] | the table of targets, one file each |
//! | [`mutate`] | inputs made from others by a seed |
//! | [`corpus`] | the stored inputs |
//! | [`mod@run`] | one input on one target: what it held, whether it failed |
//! | [`fuzz`] | many inputs on one target |
//! | [`minimize`] | a smaller input that fails the same way |
//! | [`memory`] | the allocator, which knows the most that was held |
//! | [`checksum`] | the checksums that a stranger who knows the format sets right |
//! | [`game`] | a game so small that a step costs next to nothing |
//!
//! The runner is `cargo run --release -p snapback-fuzz -- --help`. The same targets stand ready for
//! libFuzzer in `libfuzzer/`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a target fails by panicking")]

pub mod case;
pub mod checksum;
pub mod corpus;
pub mod fuzz;
pub mod game;
pub mod memory;
pub mod minimize;
pub mod mutate;
pub mod run;
pub mod targets;

pub use case::{Case, Step};
pub use run::{Ran, run};
pub use targets::{TARGETS, Target};
