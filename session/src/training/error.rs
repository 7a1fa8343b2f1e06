//! [`TrainingError`]: what a training session refuses.

use super::slots::SAVE_SLOTS;
use crate::rollback::SessionError;
use core::fmt;
use snapback_core::InvalidState;

/// What a training session refuses. Nothing was changed by a call that returns it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TrainingError {
    /// There is no such slot.
    NoSuchSlot {
        /// The one that was asked for.
        slot: usize,
    },
    /// Nothing was saved in the slot.
    EmptySlot {
        /// The one that was asked for.
        slot: usize,
    },
    /// The bytes are not a saved state, or damaged.
    NotAState,
    /// The state is of another game, another version of it, or another match.
    OtherMatch {
        /// What differs.
        what: &'static str,
    },
    /// The state cannot be one of this game.
    InvalidState(InvalidState),
    /// The session refuses.
    Session(SessionError),
}

impl fmt::Display for TrainingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchSlot { slot } => write!(f, "there is no slot {slot}; use 0 to {}", SAVE_SLOTS - 1),
            Self::EmptySlot { slot } => write!(f, "nothing was saved in slot {slot}; save a state first"),
            Self::NotAState => f.write_str("these bytes are no saved state, or are damaged; export it again"),
            Self::OtherMatch { what } => {
                write!(f, "the saved state has another {what}; load it in a session of the same game, version, seed and players")
            }
            Self::InvalidState(error) => write!(f, "the saved state is impossible: {error}"),
            Self::Session(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TrainingError {}

impl From<SessionError> for TrainingError {
    fn from(error: SessionError) -> Self {
        Self::Session(error)
    }
}
