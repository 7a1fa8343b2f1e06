//! [`Orders`]: what a frame must do.

use super::feed::Feed;
use super::mode::NetMode;
use crate::input::{FrameInputs, SimInput};
use crate::limits::MAX_PLAYERS;
use crate::players::{PlayerHandle, PlayerSet};

/// What a frame must do because of what players have commanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orders {
    /// The world is not stepped.
    pub is_paused: bool,
    /// Whether the pause begins with this frame.
    pub pause_began: bool,
    /// Whether a pause ended before this frame.
    pub pause_ended: bool,
    /// Everybody who has given this match up.
    pub surrendered: PlayerSet,
    /// Those of them who have done so with this frame.
    pub new_surrenders: PlayerSet,
    /// The seats that somebody else plays from this frame on, or their own player again.
    pub new_feeds: PlayerSet,
    /// How the match is said to be played.
    pub mode: NetMode,
    pub(super) feeds: [Feed; MAX_PLAYERS],
}

impl Orders {
    /// Whose input plays the seat of `player`; for a seat that does not exist, its own.
    #[must_use]
    pub fn feed_of(&self, player: PlayerHandle) -> Feed {
        self.feeds.get(player.index()).copied().unwrap_or(Feed::Player(player))
    }

    /// What is pressed for the seat of `player`: nothing once it has surrendered, and `None` if the game has to
    /// decide.
    #[must_use]
    pub fn input<I: SimInput>(&self, player: PlayerHandle, inputs: &FrameInputs<'_, I>) -> Option<I> {
        if self.surrendered.contains(player) {
            return Some(I::zeroed());
        }
        match self.feed_of(player) {
            Feed::Player(by) => Some(inputs.input(by)),
            Feed::Bot => None,
        }
    }
}
