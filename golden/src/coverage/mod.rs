//! What a corpus of replays shows, and which of its replays show nothing.
//!
//! [`survey`] plays one replay of any simulation and notes the [`Goal`]s that it reaches: sections
//! and fields that change, input bits that are pressed. With the feature `world`,
//! `WorldSurveyor` adds moves, mechanics and edge cases of the fighting world. [`Coverage`] puts
//! the surveys of a corpus together and says what nobody reaches.
//!
//! | module | what it holds |
//! |---|---|
//! | `survey` | one replay, any simulation |
//! | `fields` | which fields change, and which only count |
//! | `vacuous` | why a replay proves nothing |
//! | `corpus` | all replays together |
//! | `world` | what only the fighting world has |

mod corpus;
mod fields;
mod survey;
mod vacuous;
#[cfg(feature = "world")]
mod world;

pub use corpus::{Coverage, GroupCoverage, Missing, Reached, VacuousReplay};
pub use survey::{Goal, Survey, survey};
pub use vacuous::Vacuous;
#[cfg(feature = "world")]
pub use world::{RoundLine, WorldSummary, WorldSurveyor};
