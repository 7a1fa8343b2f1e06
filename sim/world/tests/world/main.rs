//! What the world does, seen from outside: through steps, captured bytes and effects.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

#[path = "../../../../core/src/cases.rs"]
mod cases;
mod combat;
mod control;
mod data;
mod determinism;
mod expectations;
mod extremes;
mod fairness;
mod guide;
mod leaves;
mod matches;
mod mechanics;
mod mirror;
mod movement;
mod moves;
mod picture;
mod random;
mod rig;
mod rounds;
mod size;
