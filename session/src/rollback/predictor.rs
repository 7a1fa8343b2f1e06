//! [`InputPredictor`]: what a player who has not been heard from is guessed to press.

use snapback_core::{Frame, PlayerHandle, SimInput};

/// Guesses inputs. A guess is local: peers need not guess alike, because a confirmed input replaces
/// every wrong guess on each of them.
pub trait InputPredictor<I: SimInput> {
    /// The guess for `player` at `frame`, given the newest confirmed input and its frame (none
    /// before the first). The guess for a command is always "none".
    fn predict(&self, player: PlayerHandle, frame: Frame, newest: Option<(Frame, &I)>) -> I;
}

/// Repeats the newest confirmed input; neutral before the first. The default: on digital human
/// inputs no predictor is known that does better.
#[derive(Clone, Copy, Default, Debug)]
pub struct RepeatLast;

impl<I: SimInput> InputPredictor<I> for RepeatLast {
    fn predict(&self, _player: PlayerHandle, _frame: Frame, newest: Option<(Frame, &I)>) -> I {
        newest.map_or_else(I::zeroed, |(_, input)| *input)
    }
}
