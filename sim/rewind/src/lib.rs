//! Lag compensation in integers: what was where when a player fired.
//!
//! A server keeps a [`RewindHistory`] of hitboxes, a quarter of a second long, and asks it what a
//! shot met *then*. Nothing here knows the fighting world, a network or a clock: times are
//! `u64` microseconds of the server, ids are the host's.
//!
//! | module | what it holds |
//! |---|---|
//! | [`units`] | [`Point`], positions in 1/16,384 m; quantising |
//! | [`actor`] | [`ActorRewind`], an actor's own past as rolled-back state, played backwards |
//! | [`cull`] | [`BoundsHistory`](cull::BoundsHistory), who need not be rewound |
//! | [`ids`] | [`ActorId`], [`HitboxId`], [`MatchTeam`] |
//! | [`shape`] | [`Shape`]: sphere or capsule, validated |
#![doc = include_str!("../docs/model.md")]

pub mod actor;
pub mod cull;
pub mod ids;
pub mod shape;
pub mod units;

pub use actor::ActorRewind;
pub use ids::{ActorId, ComponentId, HitboxId, MatchTeam};
pub use shape::{Shape, ShapeError, ShapeKind, SourceShape};
pub use units::{OutOfWorld, Point};
