//! [`SessionError`]: what a session refuses, and what it cannot go on from.

use core::fmt;
use snapback_core::{BudgetExceeded, Frame, InvalidConfig, InvalidState, PlayerHandle, ResetError};

/// What a session refuses, and what it cannot go on from. Nothing was changed by a call that
/// returns it, unless the variant says otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SessionError {
    /// A field of the configuration is out of its range.
    Config(InvalidConfig),
    /// The number of players, the local ones among them, the input delay, a first or last frame or a
    /// distance is impossible.
    Settings {
        /// What is wrong and what is possible, in one line.
        reason: String,
    },
    /// The simulation does not start.
    Reset(ResetError),
    /// The state is larger than its budget.
    Budget(BudgetExceeded),
    /// The input type is larger than [`MAX_INPUT_BYTES`](snapback_core::limits::MAX_INPUT_BYTES),
    /// or empty.
    InputSize {
        /// Its size.
        input_bytes: usize,
    },
    /// Not every local player has exactly one input in this tick.
    LocalInputs {
        /// The player with none, or with more than one.
        player: PlayerHandle,
    },
    /// A local input is out of a range that its type gives: every other peer would refuse it.
    InvalidInput {
        /// The player.
        player: PlayerHandle,
        /// What is wrong with it.
        error: InvalidState,
    },
    /// A player's confirmed input arrived a second time, with another value. A confirmed input
    /// never changes: whoever sent this is broken or cheats.
    ConfirmedInputChanged {
        /// The player.
        player: PlayerHandle,
        /// The frame.
        frame: Frame,
    },
    /// A confirmed input arrived whose predecessor is missing.
    InputGap {
        /// The player.
        player: PlayerHandle,
        /// The frame that came.
        frame: Frame,
        /// The frame that was expected.
        expected_frame: Frame,
    },
    /// A confirmed input arrived for a player who does not exist or is local.
    NotRemote {
        /// The player.
        player: PlayerHandle,
    },
    /// A confirmed input arrived so far ahead that keeping it would overwrite inputs still needed.
    TooFarAhead {
        /// The player.
        player: PlayerHandle,
        /// The frame that came.
        frame: Frame,
    },
    /// The state to rewind to is not in the history any more. The session cannot go on.
    SnapshotMissing {
        /// The frame whose state is missing.
        frame: Frame,
    },
    /// The state to rewind to was not taken back by the simulation. The session cannot go on.
    RestoreFailed {
        /// The frame whose state it was.
        frame: Frame,
        /// What the simulation said.
        error: InvalidState,
    },
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => write!(f, "the configuration is not valid: {error}"),
            Self::Settings { reason } => f.write_str(reason),
            Self::Reset(error) => error.fmt(f),
            Self::Budget(error) => error.fmt(f),
            Self::InputSize { input_bytes } => write!(f, "an input of {input_bytes} bytes is impossible; use 1 to 64 bytes"),
            Self::LocalInputs { player } => {
                write!(f, "give every local player exactly one input a tick; player {player} has none or several")
            }
            Self::InvalidInput { player, error } => write!(f, "the input of player {player} is not valid: {error}"),
            Self::ConfirmedInputChanged { player, frame } => {
                write!(f, "player {player} changed an input that was confirmed, at frame {frame}; end the match")
            }
            Self::InputGap { player, frame, expected_frame } => {
                write!(
                    f,
                    "an input of player {player} for frame {frame} came while frame {expected_frame} was expected; give inputs in order"
                )
            }
            Self::NotRemote { player } => write!(f, "player {player} is not a remote player of this session"),
            Self::TooFarAhead { player, frame } => write!(f, "an input of player {player} for frame {frame} is too far ahead to be kept"),
            Self::SnapshotMissing { frame } => write!(f, "the state after frame {frame} is not in the history any more"),
            Self::RestoreFailed { frame, error } => write!(f, "the state after frame {frame} could not be restored: {error}"),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<InvalidConfig> for SessionError {
    fn from(error: InvalidConfig) -> Self {
        Self::Config(error)
    }
}

impl From<ResetError> for SessionError {
    fn from(error: ResetError) -> Self {
        Self::Reset(error)
    }
}

impl From<BudgetExceeded> for SessionError {
    fn from(error: BudgetExceeded) -> Self {
        Self::Budget(error)
    }
}
