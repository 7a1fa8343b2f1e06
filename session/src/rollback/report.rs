//! [`TickReport`]: what one tick did.

use super::state::SessionState;
use crate::telemetry::StallCause;
use core::fmt;
use snapback_core::present::Overlay;
use snapback_core::{Frame, PlayerHandle};

/// What one tick did. The hash of the state that it reached is not here, because it costs more than most ticks
/// and nobody needs that of a guess: [`RollbackSession::state_hash`](super::RollbackSession::state_hash) of
/// [`frame`](Self::frame) computes it once it is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TickReport {
    /// The frame that the session has reached.
    pub frame: Frame,
    /// How far the tick rewound: from the frame before it to the state that it restored. 0 if
    /// nothing was wrong.
    pub rollback_frames: u32,
    /// Whether a wrong prediction was corrected.
    pub recovered: bool,
    /// Whether the simulation did not advance. No local input was consumed.
    pub simulation_frozen: bool,
    /// Why it did not.
    pub reason: Option<FreezeReason>,
    /// Whose fault that is, if the match is on and the tick is one of a [`Peer`](crate::Peer): a session alone
    /// knows nothing of its connections.
    pub stall: Option<StallCause>,
    /// Whether the session plays, waits or catches up.
    pub state: SessionState,
    /// What to show above the picture: once the session has stood still for
    /// [`recovery_overlay_frames`](snapback_core::RollbackConfig::recovery_overlay_frames) ticks, until it
    /// has gone on for as many.
    pub overlay: Option<Overlay>,
}

/// Why a tick did not advance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FreezeReason {
    /// The next frame would be further ahead of a player's confirmed inputs than the prediction
    /// window allows.
    PredictionCeiling {
        /// Whose inputs are missing.
        waiting_for: PlayerHandle,
        /// The last of that player's frames that is confirmed.
        confirmed_frame: Frame,
    },
    /// A correction is deeper than one tick may resimulate, and the rest comes in the next ones.
    CatchingUp {
        /// Frames that must still be simulated again.
        remaining_frames: u32,
    },
    /// A peer has not acknowledged as many of our inputs as may be outstanding.
    ResendWindowFull {
        /// A player of that peer.
        waiting_for: PlayerHandle,
        /// The last of our frames that it has acknowledged.
        acked_frame: Frame,
    },
    /// Frame 0 has not been reached yet: the start barrier.
    NotStarted,
    /// The last frame has been simulated; its inputs may still be on their way.
    MatchOver,
    /// The connection to a player is gone.
    Disconnected {
        /// The player.
        player: PlayerHandle,
    },
}

impl FreezeReason {
    /// Whether the match would go on if the connection were better, or has to make up for that it was not.
    #[must_use]
    pub fn is_recovery(self) -> bool {
        matches!(self, Self::PredictionCeiling { .. } | Self::CatchingUp { .. } | Self::ResendWindowFull { .. })
    }
}

impl fmt::Display for FreezeReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PredictionCeiling { waiting_for, confirmed_frame } => {
                write!(f, "waiting for the inputs of player {waiting_for} after frame {confirmed_frame}")
            }
            Self::CatchingUp { remaining_frames } => write!(f, "playing again: {remaining_frames} frames to go"),
            Self::ResendWindowFull { waiting_for, acked_frame } => {
                write!(f, "player {waiting_for} has acknowledged nothing after frame {acked_frame}")
            }
            Self::NotStarted => f.write_str("waiting for the start"),
            Self::MatchOver => f.write_str("the match is over"),
            Self::Disconnected { player } => write!(f, "player {player} is gone"),
        }
    }
}
