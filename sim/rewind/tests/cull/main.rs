//! Who is worth a rewind, seen from outside.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod allocations;
#[path = "../../../../core/src/cases.rs"]
mod cases;
#[path = "../counting/mod.rs"]
mod counting;
mod draw;
mod exact;
mod filters;
mod history;
mod never_missed;
mod slow;

use snapback_core::Rng;
use snapback_rewind::cull::Aabb;
use snapback_rewind::{ActorId, Cadence, ComponentId, Point};

const TICK_US: u64 = 16_667;

fn at(x: i32, y: i32, z: i32) -> Point {
    Point { x, y, z }
}

fn cube(x: i32, half: u32) -> Aabb {
    Aabb::around(at(x, 0, 0), [half; 3])
}

const fn actor(number: u64) -> ActorId {
    ActorId(number)
}

const EACH: Cadence = Cadence::EveryServerTick;
const BODY: ComponentId = ComponentId(0);
const HEAD: ComponentId = ComponentId(1);

/// From `-reach` to `reach`.
fn within(rng: &mut Rng, reach: u32) -> i32 {
    rng.below(2 * reach + 1) as i32 - reach as i32
}

fn point(rng: &mut Rng, reach: u32) -> Point {
    at(within(rng, reach), within(rng, reach), within(rng, reach))
}
