//! Inputs: what players pressed, whether it is known or guessed, and what a step may see of it.

use crate::command::Command;
use crate::frame::Frame;
use crate::limits::MAX_PLAYERS;
use crate::players::PlayerHandle;
use crate::state::SimState;

/// What a player can press in one frame: plain bytes with a canonical encoding, at most
/// [`MAX_INPUT_BYTES`](crate::limits::MAX_INPUT_BYTES). All zeros is neutral.
///
/// Implemented by every [`SimState`]; a type is made one by `#[derive(Pod, Zeroable, SimState)]`.
pub trait SimInput: SimState + PartialEq + core::fmt::Debug {}
impl<T: SimState + PartialEq + core::fmt::Debug> SimInput for T {}

/// How well an input is known.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum InputStatus {
    /// It came from the player and never changes again.
    Confirmed,
    /// It is a guess that a confirmed input may correct.
    #[default]
    Predicted,
    /// The player is gone; every peer has agreed to use neutral inputs. Nothing produces it yet: today
    /// a match ends when a player is gone.
    Disconnected,
}

/// One player's input for one frame, with the command that rides in it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InputSample<I> {
    /// The frame it is for.
    pub frame: Frame,
    /// Whose it is.
    pub player: PlayerHandle,
    /// What was pressed.
    pub input: I,
    /// The command for all peers, usually [`Command::NONE`].
    pub command: Command,
}

impl<I: SimInput> InputSample<I> {
    /// A sample without a command.
    #[must_use]
    pub fn new(frame: Frame, player: PlayerHandle, input: I) -> Self {
        Self { frame, player, input, command: Command::NONE }
    }
}

/// One player's part of a frame, as the session holds it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerInput<I> {
    /// What was pressed, or is guessed to have been.
    pub input: I,
    /// The command for all peers.
    pub command: Command,
    /// How well it is known.
    pub status: InputStatus,
}

impl<I: SimInput> PlayerInput<I> {
    /// Nothing pressed, with this status.
    #[must_use]
    pub fn neutral(status: InputStatus) -> Self {
        Self { input: I::zeroed(), command: Command::NONE, status }
    }
}

/// Every player's input for one frame, as a [`Simulation`](crate::Simulation) sees it.
///
/// A step cannot ask whether an input is predicted: a state that depended on it would differ
/// between peers. It can ask whether a player is gone, because every peer agrees on that.
#[derive(Clone, Copy, Debug)]
pub struct FrameInputs<'a, I> {
    players: &'a [PlayerInput<I>],
}

impl<'a, I: SimInput> FrameInputs<'a, I> {
    /// The inputs of `players`, by seat. Seats over [`MAX_PLAYERS`] are left out.
    #[must_use]
    pub fn new(players: &'a [PlayerInput<I>]) -> Self {
        Self { players: players.get(..MAX_PLAYERS).unwrap_or(players) }
    }

    /// How many players there are.
    #[must_use]
    pub fn player_count(&self) -> usize {
        self.players.len()
    }

    /// What `player` pressed; neutral for a seat that does not exist.
    #[must_use]
    pub fn input(&self, player: PlayerHandle) -> I {
        self.players.get(player.index()).map_or_else(I::zeroed, |p| p.input)
    }

    /// The command of `player` for this frame, usually [`Command::NONE`].
    #[must_use]
    pub fn command(&self, player: PlayerHandle) -> Command {
        self.players.get(player.index()).map_or(Command::NONE, |p| p.command)
    }

    /// Whether `player` has left the match, which all peers agree on.
    #[must_use]
    pub fn is_disconnected(&self, player: PlayerHandle) -> bool {
        self.players.get(player.index()).is_some_and(|p| p.status == InputStatus::Disconnected)
    }
}
