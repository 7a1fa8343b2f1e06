//! Playing a [`Simulation`](crate::Simulation) under the sessions of [ggrs] 0.13 (feature `ggrs`).

mod block;
mod game;

pub use block::{InputBlock, RepeatInput};
pub use game::{Fulfilled, GgrsConfig, GgrsGame, GgrsGameError};
