//! [`InputPredictor`]: what a player who has not been heard from is guessed to press. What guesses are worth
//! on human inputs stands in `session/docs/prediction.md`.

use snapback_core::{Frame, PlayerHandle, SimInput};

/// What a guess for a player and a frame is made from.
///
/// Guesses are a chain: the guess for a frame sees what the frames before it were stepped with, confirmed
/// or guessed. A session guesses in the order of the frames, and after a correction anew from the first
/// wrong one on.
#[derive(Clone, Copy, Debug)]
pub struct InputPast<'a, I> {
    /// The newest confirmed input and its frame; none before the first.
    pub newest: Option<(Frame, &'a I)>,
    /// What the frame before was stepped with, and the one before that: the newest confirmed input or
    /// what this predictor said of it. Neutral before the first frame.
    pub used: [&'a I; 2],
}

/// Guesses inputs. A guess is local: peers need not guess alike, because a confirmed input replaces
/// every wrong guess on each of them.
///
/// A predictor says the same whenever it is asked the same, and keeps nothing from one call to the next:
/// a rollback would have to take it back. What it would remember is in the [`InputPast`].
///
/// ```
/// use snapback::{Frame, InputPast, InputPredictor, PlayerHandle};
///
/// const TAUNT: u8 = 0x80;
///
/// /// Nobody holds the button of a taunt.
/// struct TauntsAreShort;
///
/// impl InputPredictor<u8> for TauntsAreShort {
///     fn predict(&self, _: PlayerHandle, _: Frame, past: &InputPast<'_, u8>) -> u8 {
///         past.used[0] & !TAUNT
///     }
/// }
///
/// let past = InputPast { newest: Some((Frame::ZERO, &0x81)), used: [&0x81, &0] };
/// assert_eq!(TauntsAreShort.predict(PlayerHandle::new(1), Frame::new(1), &past), 0x01);
/// ```
pub trait InputPredictor<I: SimInput> {
    /// The guess for `player` at `frame`. It must be valid for the simulation, as every input is. The
    /// guess for a command is always "none".
    fn predict(&self, player: PlayerHandle, frame: Frame, past: &InputPast<'_, I>) -> I;
}

/// Repeats the newest confirmed input; neutral before the first. The default: on digital human
/// inputs no predictor is known that does better.
#[derive(Clone, Copy, Default, Debug)]
pub struct RepeatLast;

impl<I: SimInput> InputPredictor<I> for RepeatLast {
    fn predict(&self, _player: PlayerHandle, _frame: Frame, past: &InputPast<'_, I>) -> I {
        past.newest.map_or_else(I::zeroed, |(_, input)| *input)
    }
}

/// Guesses that nothing is pressed: for inputs that are events, such as a card that is played.
#[derive(Clone, Copy, Default, Debug)]
pub struct Neutral;

impl<I: SimInput> InputPredictor<I> for Neutral {
    fn predict(&self, _player: PlayerHandle, _frame: Frame, _past: &InputPast<'_, I>) -> I {
        I::zeroed()
    }
}
