//! Scenes as plain data, and the seeded generator of them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`data`] | hitboxes, samples, ticks, queries |
//! | [`shots`](mod@shots) | projectiles, and the present world |
//! | [`actors`] | how actors are born, move, turn, crouch, jump and die |
//! | [`clock`] | when ticks are: jitter and hitches |
//! | [`questions`] | what is asked after a tick |
//! | [`fire`] | what is fired after a tick, and what stands around it |
//! | [`generate`] | a scene from its seed |
//! | [`draw`] | drawing from [`Rng`](snapback_core::Rng) |

pub mod actors;
pub mod clock;
pub mod data;
pub mod draw;
pub mod fire;
pub mod generate;
pub mod questions;
pub mod shots;

pub use data::{
    Attributes, Cast, Census, Circle, Filter, HitboxSpec, Kind, Lookup, Near, Pace, Question, Sample, Scene, Seen, Shape, Sweep, Tick,
};
pub use generate::Load;
pub use shots::{After, Rule, Shot, Solid, Stuff, Wall};
