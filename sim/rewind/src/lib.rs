//! Lag compensation in integers: what was where when a player fired.
//!
//! A server keeps a [`RewindHistory`] of hitboxes, a quarter of a second long, and asks it what a
//! shot met *then*. Nothing here knows the fighting world, a network or a clock: times are
//! `u64` microseconds of the server, ids are the host's.
//!
//! `examples/server_tick.rs` is a whole tick of a server in its order: record, fly, take requests,
//! launch, explode. `cargo run -p snapback-rewind --example server_tick` says what happens in it.
//!
//! | module | what it holds |
//! |---|---|
//! | [`units`] | [`Point`], positions in 1/16,384 m; quantising |
//! | [`ids`] | [`ActorId`], [`HitboxId`], [`MatchTeam`] |
//! | [`id_set`] | a few ids in a fixed place |
//! | [`shape`] | [`Shape`]: sphere or capsule, validated |
//! | [`sample`] | [`HitboxDesc`], [`HitboxSample`], [`HitboxSource`]: what the host tells |
//! | [`cadence`] | [`Cadence`]: how often a hitbox is sampled |
//! | [`host`] | whose world this is: histories live on authority only |
//! | [`config`] | [`RewindConfig`] |
//! | [`history`] | [`RewindHistory`] |
//! | [`frame`] | [`HitboxFrame`], a hitbox at a time of the past |
//! | [`filter`] | [`QueryFilter`], and the reasons against a candidate |
//! | [`bounds`] | [`QueryBounds`]: where a query goes |
//! | [`query`] | [`Sweep`], [`SweepHit`], and the reasons why a query cannot be answered |
//! | [`counters`] | [`RewindCounters`] |
//! | [`fire`] | what a client may say about a shot, [`fire::FireGate`], [`fire::AcceptedFire`] |
//! | [`live`] | [`LiveWorld`](live::LiveWorld): the present world; [`Scene`](live::Scene), one of simple solids |
//! | [`flight`] | [`Flight`](flight::Flight): a projectile under way, tick by tick |
//! | [`catchup`] | [`ProjectileCatchUp`](catchup::ProjectileCatchUp): from the time of fire to now, before anything else |
//! | [`area`] | [`area::AreaWeapon`]: damage around a point |
//! | [`replicate`] | which copy of a projectile damages, and who gets which |
//! | [`trail`] | the trail of a projectile that appears caught up |
//! | [`proxy`] | [`ProxyPool`](proxy::ProxyPool): candidates as colliders of a channel that only rewind queries see |
//! | [`cull`] | [`BoundsHistory`](cull::BoundsHistory), who need not be rewound |
//! | [`actor`] | [`ActorRewind`], an actor's own past as rolled-back state, played backwards |
//! | [`debug`] | what was asked and why, as data to draw; a hitbox's past as text |
//! | `scenario` | a shot and everything around it as a text file, played and explained (feature `scenario`) |
//!
#![doc = include_str!("../docs/model.md")]

pub mod actor;
pub mod area;
pub mod bounds;
pub mod cadence;
pub mod catchup;
pub mod config;
pub mod counters;
pub mod cull;
pub mod debug;
pub mod filter;
pub mod fire;
pub mod flight;
pub mod frame;
pub mod history;
pub mod host;
pub mod id_set;
pub mod ids;
mod index;
pub mod live;
mod motion;
mod narrow;
pub mod proxy;
pub mod query;
pub mod replicate;
pub mod sample;
#[cfg(feature = "scenario")]
pub mod scenario;
pub mod shape;
pub mod trail;
pub mod units;

pub use actor::ActorRewind;
pub use bounds::{QueryBounds, Segment};
pub use cadence::Cadence;
pub use config::{InvalidRewindConfig, RewindConfig};
pub use counters::RewindCounters;
pub use filter::{Near, QueryFilter, Rejection};
pub use frame::{HitboxFrame, LookupError};
pub use history::{Cast, Lifetime, Past, RecordError, RecordReport, RegisterError, RewindHistory, SampleError, Span};
pub use host::{NetRole, NotAuthority, WorldKind};
pub use id_set::{ActorSet, ColliderSet};
pub use ids::{ActorId, ComponentId, HitboxId, MatchTeam};
pub use query::{QueryError, Sweep, SweepHit, TimeError, Toi, TooOld};
pub use sample::{HitboxDesc, HitboxSample, HitboxSource, Notice, Sampled};
pub use shape::{Shape, ShapeError, ShapeKind, SourceShape};
pub use units::{OutOfWorld, Point};
