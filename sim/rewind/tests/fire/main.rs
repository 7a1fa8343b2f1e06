//! Fire requests: what clients claim, honest and hostile, and what the server believes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../counting/mod.rs"]
mod counting;
mod gate;
mod hostile;
mod lag;
mod request;
mod times;

use snapback_core::{Angle, Quat, Vec3};
use snapback_rewind::ActorId;
use snapback_rewind::fire::{FireGate, FirePolicy, FireRequest};

const SHOOTER: ActorId = ActorId(7);

/// A shot that is aimed elsewhere than every other one.
fn shot(sequence: u32, fire_us: u64, view_delay_us: u32) -> FireRequest {
    let aim = Quat::from_axis_angle(Vec3::Y, Angle::from_degrees((sequence % 360) as i32));
    FireRequest::new(sequence, aim, fire_us, view_delay_us).unwrap()
}

/// A gate that knows one shooter, whose first lag it believes.
fn gate(policy: FirePolicy) -> FireGate {
    let mut gate = FireGate::new(policy, 8).unwrap();
    gate.admit(SHOOTER, None, 0).unwrap();
    gate
}
