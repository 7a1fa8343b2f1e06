//! [`MovingStick`]: a stick that is on its way is guessed to arrive.

use super::predictor::{InputPast, InputPredictor};
use snapback_core::{Frame, PlayerHandle, SimInput};

/// An input that has analogue sticks.
///
/// ```
/// use bytemuck::{Pod, Zeroable};
/// use snapback::{SimState, StickInput};
///
/// #[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
/// # #[sim(crate = "snapback")]
/// #[repr(C)]
/// struct Pad {
///     buttons: u16,
///     stick: [i8; 2],
/// }
///
/// impl StickInput for Pad {
///     const STICKS: usize = 1;
///
///     fn stick(&self, _: usize) -> [i16; 2] {
///         self.stick.map(i16::from)
///     }
///
///     fn set_stick(&mut self, _: usize, axes: [i16; 2]) {
///         self.stick = axes.map(|axis| axis.clamp(-80, 80) as i8);
///     }
/// }
/// ```
pub trait StickInput: SimInput {
    /// How many sticks it has.
    const STICKS: usize;

    /// The axes of stick `at`, from 0 to [`STICKS`](Self::STICKS) - 1: across and along, 0 at rest. What has one
    /// axis, such as a trigger, has 0 for the other.
    fn stick(&self, at: usize) -> [i16; 2];

    /// Moves stick `at`. Only to rest, or along one axis to the rim that the predictor was made with.
    fn set_stick(&mut self, at: usize, axes: [i16; 2]);
}

/// Repeats the last input, but a stick that is on its way along an axis is guessed to arrive in this
/// frame: at the rim if it left rest or comes from the other side, at rest if it is on its way back.
/// Everything else is held: people move sticks from end to end in two or three frames, and where a
/// stick that goes round will be next is not known well enough.
///
/// For inputs that are [canonical](snapback_core::canonical): a raw stick stops a little beside the rim and
/// hardly ever at the same place, so that repeating is about as good.
///
/// ```
/// # use bytemuck::{Pod, Zeroable};
/// # use snapback::{Frame, InputPast, InputPredictor, MovingStick, PlayerHandle, SimState, StickInput};
/// # #[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
/// # #[sim(crate = "snapback")]
/// # #[repr(C)]
/// # struct Pad { buttons: u16, stick: [i8; 2] }
/// # impl StickInput for Pad {
/// #     const STICKS: usize = 1;
/// #     fn stick(&self, _: usize) -> [i16; 2] { self.stick.map(i16::from) }
/// #     fn set_stick(&mut self, _: usize, axes: [i16; 2]) { self.stick = axes.map(|axis| axis as i8); }
/// # }
/// let rule = MovingStick { rim: 80 };
/// let guess = |before: [i8; 2], last: [i8; 2]| {
///     let [before, last] = [before, last].map(|stick| Pad { buttons: 0, stick });
///     let past = InputPast { newest: Some((Frame::ZERO, &last)), used: [&last, &before] };
///     rule.predict(PlayerHandle::new(1), Frame::new(1), &past).stick
/// };
/// assert_eq!(guess([0, 0], [-48, 0]), [-80, 0]);
/// assert_eq!(guess([0, 80], [0, 40]), [0, 0]);
/// assert_eq!(guess([0, 0], [40, 40]), [40, 40]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MovingStick {
    /// How far a stick goes along an axis: the range of its quantiser. At least 1.
    pub rim: i16,
}

impl<I: StickInput> InputPredictor<I> for MovingStick {
    fn predict(&self, _player: PlayerHandle, _frame: Frame, past: &InputPast<'_, I>) -> I {
        let [last, before] = past.used;
        let mut guess = *last;
        for at in 0..I::STICKS {
            let (here, there) = (last.stick(at), before.stick(at));
            let next = self.next(there, here);
            if next != here {
                guess.set_stick(at, next);
            }
        }
        guess
    }
}

impl MovingStick {
    /// Where a stick will be that was `there` and is `here`.
    fn next(self, there: [i16; 2], here: [i16; 2]) -> [i16; 2] {
        match (there, here) {
            ([there, 0], [here, 0]) => [self.arrived(there, here), 0],
            ([0, there], [0, here]) => [0, self.arrived(there, here)],
            _ => here,
        }
    }

    fn arrived(self, there: i16, here: i16) -> i16 {
        if there.signum() != here.signum() {
            self.rim.saturating_mul(here.signum())
        } else if here.unsigned_abs() < there.unsigned_abs() {
            0
        } else {
            here
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stick_arrives_along_an_axis_and_is_held_otherwise() {
        let next = |there, here| MovingStick { rim: 80 }.next(there, here);
        // From rest, or from the other side.
        assert_eq!(next([0, 0], [8, 0]), [80, 0]);
        assert_eq!(next([0, 0], [0, -48]), [0, -80]);
        assert_eq!(next([40, 0], [-40, 0]), [-80, 0]);
        // Back.
        assert_eq!(next([80, 0], [72, 0]), [0, 0]);
        assert_eq!(next([0, -80], [0, -8]), [0, 0]);
        // It has arrived, or never left.
        assert_eq!(next([48, 0], [80, 0]), [80, 0]);
        assert_eq!(next([80, 0], [0, 0]), [0, 0]);
        assert_eq!(next([0, 0], [0, 0]), [0, 0]);
        assert_eq!(next([56, 0], [56, 0]), [56, 0]);
        // Further out, but not from rest.
        assert_eq!(next([40, 0], [48, 0]), [48, 0]);
        // Round, and slantwise.
        assert_eq!(next([0, 80], [80, 0]), [80, 0]);
        assert_eq!(next([40, 40], [80, 0]), [80, 0]);
        assert_eq!(next([0, 0], [40, 40]), [40, 40]);
        assert_eq!(next([i16::MIN, 0], [i16::MAX, 0]), [80, 0]);
    }
}
