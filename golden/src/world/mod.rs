//! Replays of the fighting world (feature `world`).

mod setup;

pub use setup::{setup_text, world_of, world_with};
