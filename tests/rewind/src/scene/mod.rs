//! Scenes as plain data, and the seeded generator of them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`data`] | hitboxes, samples, ticks, queries, shots |
//! | [`actors`] | how actors are born, move, turn, crouch, jump and die |
//! | [`clock`] | when ticks are: jitter and hitches |
//! | [`questions`] | what is asked after a tick |
//! | [`shots`] | what is fired after a tick, and the walls around it |
//! | [`generate`] | a scene from its seed |
//! | [`draw`] | drawing from [`Rng`](snapback_core::Rng) |

pub mod actors;
pub mod clock;
pub mod data;
pub mod draw;
pub mod generate;
pub mod questions;
pub mod shots;

pub use data::{Attributes, Cast, Circle, Filter, HitboxSpec, Kind, Lookup, Question, Sample, Scene, Shape, Shot, Sweep, Tick, Wall};
pub use generate::Load;
