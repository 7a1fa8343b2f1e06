//! An actor's own past, seen from outside.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod animation;
#[path = "../../../../core/src/cases.rs"]
mod cases;
mod hostile;
mod model;
mod record;
mod rewind;
mod rollback;
mod size;

use snapback_core::{Angle, Fx, Quat, Rng, Vec3};
use snapback_rewind::actor::{ActorRewind, Body, MovementMode, RewindRules, RewindSpeed};

const STEP_US: u32 = 10_000;

/// A sample every 40 ms, played back as fast as it was.
fn rules() -> RewindRules {
    RewindRules::new(40_000, RewindSpeed::SAME).unwrap()
}

fn faster(numerator: u16, denominator: u16) -> RewindRules {
    RewindRules::new(40_000, RewindSpeed::new(numerator, denominator).unwrap()).unwrap()
}

/// An actor that moves and turns evenly, `time_us` after the start; its mode changes every 100 ms.
fn body_at(time_us: u64) -> Body {
    let milliseconds = (time_us / 1_000) as i32;
    Body {
        position: Vec3::from_ints(milliseconds, -2 * milliseconds, 5),
        rotation: Quat::from_axis_angle(Vec3::Y, Angle::from_turns(milliseconds, 4_000)),
        linear_velocity: Vec3::from_ints(3 * milliseconds, 0, -milliseconds),
        angular_velocity: Vec3::from_ints(0, milliseconds, 0),
        input_velocity: Vec3::from_ints(0, 0, 4 * milliseconds),
        mode: MovementMode(milliseconds as u32 / 100),
    }
}

/// After `ticks` ticks of 10 ms.
fn recorded<const N: usize>(ticks: u64) -> ActorRewind<N> {
    let mut rewind = ActorRewind::new();
    for tick in 1..=ticks {
        rewind.record(&rules(), STEP_US, &body_at(tick * u64::from(STEP_US)));
    }
    rewind
}

fn times_us<const N: usize>(rewind: &ActorRewind<N>) -> Vec<u64> {
    rewind.samples().map(|sample| sample.time().time_us).collect()
}

fn any_u64(rng: &mut Rng) -> u64 {
    u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32())
}

fn any_body(rng: &mut Rng) -> Body {
    let mut vector = || {
        let mut lane = || Fx::from_bits((any_u64(rng) as i64) >> rng.below(64));
        Vec3::new(lane(), lane(), lane())
    };
    let (position, linear_velocity, angular_velocity, input_velocity) = (vector(), vector(), vector(), vector());
    let rotation = Quat::from_bits([rng.next_u32(), rng.next_u32(), rng.next_u32(), rng.next_u32()].map(|it| it as i32)).normalise();
    Body { position, rotation, linear_velocity, angular_velocity, input_velocity, mode: MovementMode(rng.below(5)) }
}
