//! The rollback session alone: inputs in, reports out.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod ceiling;
mod confirmed;
mod delay;
mod drawing;
mod effects;
mod game;
mod predictors;
mod recovery;
mod refusals;
mod sync_test;
mod sync_test_processes;
mod telemetry;
mod time_sync;
mod training;
mod worked_example;
