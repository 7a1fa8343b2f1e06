//! [`ControlCommand`]: the reserved commands, typed.

use super::feed::Feed;
use super::mode::NetMode;
use crate::command::Command;

/// A command that Snapback gives a meaning to.
///
/// | kind | payload | what it is |
/// |---|---|---|
/// | 1 | none | [`Pause`](Self::Pause) |
/// | 2 | none | [`Resume`](Self::Resume) |
/// | 3 | none | [`Surrender`](Self::Surrender) |
/// | 4 | 1 byte: 1 for the bot, 2 to 9 for players 0 to 7 | [`HandOver`](Self::HandOver) |
/// | 5 | 1 byte: 1 rollback, 2 hybrid, 3 delay | [`Mode`](Self::Mode) |
///
/// Kinds 6 to 63 are free, and nobody may use them. They and payloads that are not in the table come from a
/// network: all peers ignore them, and they stay in the input and in every recording. So a version that gives one a meaning
/// raises the version of the simulation.
///
/// ```
/// use snapback_core::control::{ControlCommand, Feed};
/// use snapback_core::{Command, PlayerHandle};
///
/// let given = ControlCommand::HandOver(Feed::Player(PlayerHandle::new(1)));
/// assert_eq!(ControlCommand::decode(&given.into()), Some(given));
/// assert_eq!(ControlCommand::decode(&Command::new(4, &[10]).unwrap()), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ControlCommand {
    /// Stop the world, at the expense of this player's budget.
    Pause,
    /// Let the world go on; only who paused can.
    Resume,
    /// Give the match up.
    Surrender,
    /// Have somebody else play this player's seat. One's own number takes it back.
    HandOver(Feed),
    /// Note how the match is played from now on.
    Mode(NetMode),
}

const PAUSE: u8 = 1;
const RESUME: u8 = 2;
const SURRENDER: u8 = 3;
const HAND_OVER: u8 = 4;
const MODE: u8 = 5;

/// The last kind that has a meaning.
pub(super) const LAST_KIND: u8 = MODE;

impl ControlCommand {
    /// What a [`Command`] means; `None` if it is none of these, or malformed.
    #[must_use]
    pub fn decode(command: &Command) -> Option<Self> {
        match *command.payload() {
            [] => Self::from_parts(command.kind(), 0),
            [detail] => Self::from_parts(command.kind(), detail),
            _ => None,
        }
    }

    /// As kind and detail; 0 is no detail.
    pub(super) const fn parts(self) -> (u8, u8) {
        match self {
            Self::Pause => (PAUSE, 0),
            Self::Resume => (RESUME, 0),
            Self::Surrender => (SURRENDER, 0),
            Self::HandOver(feed) => (HAND_OVER, feed.to_byte()),
            Self::Mode(mode) => (MODE, mode.to_byte()),
        }
    }

    pub(super) fn from_parts(kind: u8, detail: u8) -> Option<Self> {
        match (kind, detail) {
            (PAUSE, 0) => Some(Self::Pause),
            (RESUME, 0) => Some(Self::Resume),
            (SURRENDER, 0) => Some(Self::Surrender),
            (HAND_OVER, detail) => Feed::from_byte(detail).map(Self::HandOver),
            (MODE, detail) => NetMode::from_byte(detail).map(Self::Mode),
            _ => None,
        }
    }
}

impl From<ControlCommand> for Command {
    fn from(command: ControlCommand) -> Self {
        let (kind, detail) = command.parts();
        // One byte always has room.
        Self::new(kind, &[detail]).unwrap_or(Self::NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::PlayerHandle;

    fn every() -> Vec<ControlCommand> {
        let players = (0..8).map(|n| Feed::Player(PlayerHandle::new(n)));
        let feeds = players.chain([Feed::Bot]).map(ControlCommand::HandOver);
        let modes = NetMode::ALL.map(ControlCommand::Mode);
        [ControlCommand::Pause, ControlCommand::Resume, ControlCommand::Surrender].into_iter().chain(feeds).chain(modes).collect()
    }

    /// What stands in old recordings and comes from other versions.
    #[test]
    fn the_bytes_stay() {
        let bytes: Vec<String> = every().into_iter().map(|command| format!("{:?}", Command::from(command))).collect();
        insta::assert_snapshot!(bytes.join("\n"), @"
        command 1 []
        command 2 []
        command 3 []
        command 4 [02]
        command 4 [03]
        command 4 [04]
        command 4 [05]
        command 4 [06]
        command 4 [07]
        command 4 [08]
        command 4 [09]
        command 4 [01]
        command 5 [01]
        command 5 [02]
        command 5 [03]
        ");
    }

    #[test]
    fn every_other_command_is_ignored() {
        let mut read = Vec::new();
        for kind in 0..=u8::MAX {
            for payload in (0..=u8::MAX).map(|byte| vec![byte]).chain([vec![0, 1], vec![1, 1], vec![0; 7], vec![1; 7]]) {
                let Some(command) = Command::new(kind, &payload) else { continue };
                let Some(meant) = ControlCommand::decode(&command) else { continue };
                assert_eq!(Command::from(meant), command);
                if !read.contains(&meant) {
                    read.push(meant);
                }
            }
        }
        assert_eq!(read.len(), every().len());
        assert!(every().iter().all(|command| read.contains(command)));
    }
}
