//! [`SessionSettings`] and [`LocalInput`]: what a host program gives a session.

use super::error::SessionError;
use crate::desync::history::HISTORY_FRAMES;
use snapback_core::limits::{LAST_FRAME, MAX_INPUT_DELAY_FRAMES, MAX_PLAYERS};
use snapback_core::{Command, Frame, PlayerHandle, PlayerSet, RollbackConfig, SimInput, StateLayout};

/// How a session is set up. Everything but the predictor and the input delay is the same on every
/// peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionSettings {
    /// The numbers that tune it.
    pub config: RollbackConfig,
    /// The seed of the match.
    pub seed: u64,
    /// How many players there are, 1 to [`MAX_PLAYERS`].
    pub player_count: usize,
    /// The players whose inputs this host gives.
    pub local_players: PlayerSet,
    /// By how many frames local inputs are delayed, 0 to 30. Local: peers need not agree.
    pub input_delay_frames: u8,
    /// The first frame, usually [`Frame::ZERO`].
    pub first_frame: Frame,
}

impl SessionSettings {
    /// A match of `player_count` players from frame 0 without input delay.
    #[must_use]
    pub fn new(seed: u64, player_count: usize, local_players: PlayerSet) -> Self {
        Self { config: RollbackConfig::default(), seed, player_count, local_players, input_delay_frames: 0, first_frame: Frame::ZERO }
    }

    /// How many states a session has: the present, as many before it as can be restored, and what is still to be
    /// compared. If three checks are lost in a row, what differs since the one before them is found by the
    /// fourth, when that has come and is confirmed here.
    pub(super) fn kept_frames(&self) -> usize {
        let RollbackConfig { check_interval_frames, simulation_hz, prediction_window_frames, .. } = self.config;
        let compared = 4 * check_interval_frames + simulation_hz + prediction_window_frames;
        (self.config.snapshot_history_frames as usize + 1).max((compared as usize).min(HISTORY_FRAMES))
    }

    pub(super) fn check(&self) -> Result<(), SessionError> {
        self.config.is_valid()?;
        let reason = if !(1..=MAX_PLAYERS).contains(&self.player_count) {
            format!("a session of {} players is impossible; use 1 to {MAX_PLAYERS}", self.player_count)
        } else if !self.local_players.minus(PlayerSet::first(self.player_count)).is_empty() {
            format!("the local players {:?} are not all among the {} players", self.local_players, self.player_count)
        } else if self.input_delay_frames > MAX_INPUT_DELAY_FRAMES {
            format!("an input delay of {} frames is too long; use 0 to {MAX_INPUT_DELAY_FRAMES}", self.input_delay_frames)
        } else if !(0..=LAST_FRAME).contains(&self.first_frame.number()) {
            format!("the first frame cannot be {}; use 0 to {LAST_FRAME}", self.first_frame)
        } else {
            return Ok(());
        };
        Err(SessionError::Settings { reason })
    }
}

/// What a local player pressed for the coming tick.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LocalInput<I> {
    /// Who.
    pub player: PlayerHandle,
    /// What.
    pub input: I,
    /// A command for all peers, usually [`Command::NONE`].
    pub command: Command,
}

impl<I: SimInput> LocalInput<I> {
    /// An input without a command.
    #[must_use]
    pub fn new(player: PlayerHandle, input: I) -> Self {
        Self { player, input, command: Command::NONE }
    }
}

/// Whether `local` has exactly one valid input for every one of `players`.
pub(crate) fn check_local<I: SimInput>(players: PlayerSet, local: &[LocalInput<I>]) -> Result<(), SessionError> {
    let mut seen = PlayerSet::EMPTY;
    for LocalInput { player, input, .. } in local {
        if !players.contains(*player) || seen.contains(*player) {
            return Err(SessionError::LocalInputs { player: *player });
        }
        if I::LAYOUT.has_ranges() {
            let valid = StateLayout::of::<I>().validate(bytemuck::bytes_of(input));
            valid.map_err(|error| SessionError::InvalidInput { player: *player, error })?;
        }
        seen = seen.with(*player);
    }
    match players.minus(seen).iter().next() {
        Some(player) => Err(SessionError::LocalInputs { player }),
        None => Ok(()),
    }
}
