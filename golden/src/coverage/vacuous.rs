//! [`Vacuous`]: why a replay proves nothing.

use core::fmt;
use serde::Serialize;

/// Why a replay proves nothing: a fault in the simulation would hardly show in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Vacuous {
    /// There are no frames.
    NoFrames,
    /// All inputs are neutral and there is no command.
    NobodyActs,
    /// With neutral inputs the very same states come.
    InputsChangeNothing,
    /// No field changes but those that change in every frame by the same amount.
    StateOnlyCounts,
    /// It says that a session recorded it, and there was not one rollback.
    NoRollback,
    /// No attack connects, not even with a guard.
    NoHit,
}

impl fmt::Display for Vacuous {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoFrames => "it has no frames",
            Self::NobodyActs => "nobody acts: every input is neutral, and there is no command",
            Self::InputsChangeNothing => "the inputs change nothing: with neutral inputs the same states come",
            Self::StateOnlyCounts => "the state never changes, except for what changes in every frame by the same amount",
            Self::NoRollback => "it is a live recording without a rollback behind it",
            Self::NoHit => "nobody is hit, and nobody guards a hit",
        })
    }
}
