//! Straight replays: the judge of what a rollback session should have computed.
//!
//! A session predicts, rewinds and resimulates; a [`StraightReplay`] does none of that. It is given
//! the confirmed inputs in order and steps once a frame. Whatever a session claims about a
//! confirmed frame must be what the straight replay computes: two peers that share a bug agree with
//! each other, but not with this.

mod straight;

pub use straight::{ReplayError, StraightReplay};
