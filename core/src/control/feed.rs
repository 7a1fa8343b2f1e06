//! [`Feed`]: whose input plays a seat.

use crate::limits::MAX_PLAYERS;
use crate::players::PlayerHandle;
use core::fmt;

/// Whose input plays a seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Feed {
    /// What this player presses, usually the seat's own.
    Player(PlayerHandle),
    /// The game decides, from its state.
    Bot,
}

const BOT: u8 = 1;
const FIRST_PLAYER: u8 = 2;

/// The largest byte of a feed.
pub(super) const LAST_FEED: u8 = FIRST_PLAYER + MAX_PLAYERS as u8 - 1;

impl Feed {
    /// 0 for a handle that no session has.
    pub(super) const fn to_byte(self) -> u8 {
        match self {
            Self::Bot => BOT,
            Self::Player(player) if player.index() < MAX_PLAYERS => FIRST_PLAYER + player.index() as u8,
            Self::Player(_) => 0,
        }
    }

    pub(super) fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            BOT => Some(Self::Bot),
            FIRST_PLAYER..=LAST_FEED => Some(Self::Player(PlayerHandle::new(byte - FIRST_PLAYER))),
            _ => None,
        }
    }
}

impl fmt::Display for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(player) => write!(f, "player {player}"),
            Self::Bot => f.write_str("the bot"),
        }
    }
}
