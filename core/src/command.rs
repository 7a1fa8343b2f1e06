//! [`Command`]: a fact about a frame that every peer must apply at the same frame.

use crate::limits::MAX_COMMAND_BYTES;
use bytemuck::{Pod, Zeroable};
use core::fmt;

/// A small message inside a player's input for one frame: pause, surrender, takeover, a mode.
///
/// It is confirmed like any input, so no agreement protocol is needed: every peer sees the same
/// command at the same frame. It is never predicted: a missing input predicts "no command".
///
/// Kinds 1 to 63 are reserved for Snapback: [`ControlCommand`](crate::control::ControlCommand) says which have a
/// meaning. A game uses [`Command::FIRST_GAME_KIND`] (64) to 255.
///
/// ```
/// use snapback_core::Command;
/// let taunt = Command::new(Command::FIRST_GAME_KIND, &[3]).unwrap();
/// assert_eq!((taunt.kind(), taunt.payload()), (64, &[3][..]));
/// assert!(Command::NONE.is_none());
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Command {
    kind: u8,
    payload: [u8; MAX_COMMAND_BYTES],
}

impl Command {
    /// No command.
    pub const NONE: Self = Self { kind: 0, payload: [0; MAX_COMMAND_BYTES] };

    /// The first kind that Snapback leaves to games.
    pub const FIRST_GAME_KIND: u8 = 64;

    /// A command of `kind` with a payload of at most [`MAX_COMMAND_BYTES`] bytes. Shorter payloads
    /// are filled up with zeros, which are not told apart from zeros that were given.
    ///
    /// `None` if the payload is too long, or if `kind` is 0 with a payload that is not all zeros.
    #[must_use]
    pub fn new(kind: u8, payload: &[u8]) -> Option<Self> {
        let mut command = Self { kind, payload: [0; MAX_COMMAND_BYTES] };
        command.payload.get_mut(..payload.len())?.copy_from_slice(payload);
        if kind == 0 && command != Self::NONE { None } else { Some(command) }
    }

    /// What the command is; 0 is none.
    #[must_use]
    pub const fn kind(&self) -> u8 {
        self.kind
    }

    /// The payload up to its last byte that is not zero.
    #[must_use]
    pub fn payload(&self) -> &[u8] {
        let len = self.payload.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
        &self.payload[..len]
    }

    /// Whether there is no command.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.kind == 0
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() { f.write_str("none") } else { write!(f, "command {} {:02x?}", self.kind, self.payload()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_are_bounded_and_none_is_unique() {
        assert!(Command::new(64, &[0; 8]).is_none());
        assert!(Command::new(0, &[1]).is_none());
        assert_eq!(Command::new(0, &[]), Some(Command::NONE));
        assert_eq!(Command::new(9, &[1, 0, 2, 0]).map(|c| c.payload().to_vec()), Some(vec![1, 0, 2]));
    }
}
