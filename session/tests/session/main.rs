//! The rollback session alone: inputs in, reports out.

mod ceiling;
mod confirmed;
mod game;
mod refusals;
mod sync_test;
mod worked_example;
