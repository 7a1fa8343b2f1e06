//! The deterministic floor of Snapback: frames, inputs and their codec, snapshots, hashes,
//! fixed-point numbers. No clock, no socket, no float, no hash-map order.
//!
//! Start at [`Simulation`]: a game implements it and everything else follows.
//!
//! | module | what it holds |
//! |---|---|
//! | [`frame`] | [`Frame`], the time of the simulation |
//! | [`players`] | [`PlayerHandle`], [`PlayerSet`] |
//! | [`command`] | [`Command`], a fact about a frame that all peers must share |
//! | [`control`] | [`MatchControl`](control::MatchControl): pause, surrender, takeover, as a part of a game's state |
//! | [`input`] | [`InputSample`], [`PlayerInput`], [`InputStatus`], [`FrameInputs`] |
//! | [`canonical`] | inputs brought down to what a game can tell apart, where they are sampled |
//! | [`codec`] | the one encoder of inputs, for the wire and for files |
//! | [`simulation`] | the [`Simulation`] trait |
//! | [`state`] | [`SimState`], layouts, canonical bytes, hashes, differences |
//! | [`snapshot`] | [`SnapshotRing`] and the snapshot budget |
//! | [`divergence`] | [`Divergence`], where two runs differ |
//! | [`effects`] | [`Effects`] and [`SideEffectPolicy`] |
//! | [`present`] | [`PresentWorld`], drawing between two frames |
//! | [`fx`] | [`Fx`], the fixed-point scalar |
//! | [`math`] | [`Angle`], [`Vec2`], [`Vec3`], [`Quat`]: trigonometry, roots, rotations |
//! | [`rng`] | [`Rng`], whose cursor is state |
//! | [`name`] | [`NameHash`], names that hash the same in every process |
//! | [`config`] | [`RollbackConfig`] |
//! | [`limits`] | the numbers that bound everything |

pub mod canonical;
#[cfg(test)]
mod cases;
pub mod codec;
pub mod command;
pub mod config;
pub mod control;
mod crc;
pub mod divergence;
pub mod effects;
pub mod frame;
pub mod fx;
pub mod input;
pub mod limits;
pub mod math;
pub mod name;
pub mod players;
pub mod present;
pub mod rng;
pub mod simulation;
pub mod snapshot;
pub mod state;

pub use command::Command;
pub use config::{InvalidConfig, RollbackConfig};
pub use crc::crc32;
pub use divergence::Divergence;
pub use effects::{Effect, EffectId, Effects, SideEffectPolicy};
pub use frame::Frame;
pub use fx::Fx;
pub use input::{FrameInputs, InputSample, InputStatus, PlayerInput, SimInput};
pub use math::{Angle, Quat, Vec2, Vec3};
pub use name::NameHash;
pub use players::{PlayerHandle, PlayerSet};
pub use present::PresentWorld;
pub use rng::Rng;
pub use simulation::{ResetError, Simulation, SimulationId};
pub use snapshot::{BudgetExceeded, SnapshotRing};
pub use state::{InvalidState, SimState, StateHash, StateLayout};

// The derive macro names its types by this path, inside this crate too.
extern crate self as snapback_core;
