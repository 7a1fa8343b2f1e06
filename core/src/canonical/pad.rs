//! [`PadCanonicaliser`]: a pad with two sticks and two triggers, canonicalised as a whole.

use super::axis::{AxisQuantiser, AxisSettings};
use super::buttons::ButtonMap;
use super::error::InvalidPad;
use super::trigger::{TriggerButton, TriggerSettings};

/// What a pad says in a frame, in its own units.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct RawPad {
    /// A bit for each button.
    pub buttons: u32,
    /// Each stick's axes, across and along, 0 at rest.
    pub sticks: [[i16; 2]; 2],
    /// How far each trigger is down, 0 at rest.
    pub triggers: [i16; 2],
}

/// What is left of it: what goes into the game's own input type. Nothing pressed is all zeros.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct CanonicalPad {
    /// A bit for each button that the game can tell apart, triggers among them.
    pub buttons: u32,
    /// Each stick's axes, in steps.
    pub sticks: [[i16; 2]; 2],
}

/// How a pad is canonicalised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PadSettings {
    /// Both axes of each stick.
    pub sticks: [AxisSettings; 2],
    /// Where each trigger is pressed.
    pub triggers: [TriggerSettings; 2],
    /// The buttons that a pressed trigger presses, after [`buttons`](Self::buttons): they need not be kept.
    pub trigger_buttons: [u32; 2],
    /// What becomes of the buttons.
    pub buttons: ButtonMap,
}

/// The canonicaliser of one player's pad. Feed it once a frame, whether the match advances or not; give
/// what it says to the session as the local input.
///
/// See the [module](super) for an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PadCanonicaliser {
    axes: [[AxisQuantiser; 2]; 2],
    triggers: [TriggerButton; 2],
    trigger_buttons: [u32; 2],
    buttons: ButtonMap,
}

impl PadCanonicaliser {
    /// For a pad at rest.
    ///
    /// # Errors
    /// Names the setting that is not in its range.
    pub fn new(settings: PadSettings) -> Result<Self, InvalidPad> {
        let PadSettings { sticks: [left, right], triggers: [first, second], trigger_buttons, buttons } = settings;
        let axes = [[AxisQuantiser::new(left)?; 2], [AxisQuantiser::new(right)?; 2]];
        let triggers = [TriggerButton::new(first)?, TriggerButton::new(second)?];
        Ok(Self { axes, triggers, trigger_buttons, buttons })
    }

    /// The canonical pad of this frame.
    pub fn sample(&mut self, raw: &RawPad) -> CanonicalPad {
        let mut canonical = CanonicalPad { buttons: self.buttons.apply(raw.buttons), sticks: [[0; 2]; 2] };
        for ((trigger, raw), pressed) in self.triggers.iter_mut().zip(raw.triggers).zip(self.trigger_buttons) {
            canonical.buttons |= if trigger.sample(raw) { pressed } else { 0 };
        }
        let axes = self.axes.as_flattened_mut().iter_mut().zip(raw.sticks.as_flattened());
        for ((axis, raw), value) in axes.zip(canonical.sticks.as_flattened_mut()) {
            *value = axis.sample(*raw);
        }
        canonical
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::cases::cases;

    const GUARD: u32 = 0x40;

    fn settings() -> PadSettings {
        let stick = AxisSettings { step: 8, dead_zone: 0, hysteresis: 2, range: 80 };
        PadSettings {
            sticks: [stick, AxisSettings { step: 40, hysteresis: 10, ..stick }],
            triggers: [TriggerSettings { press: 43, release: 30 }, TriggerSettings { press: 100, release: 90 }],
            trigger_buttons: [GUARD, GUARD | 1],
            buttons: ButtonMap { kept: 0x0300, merged: &[(0x0C00, 0x0400)] },
        }
    }

    /// A pad that jumps about, or trembles, or holds still.
    fn moved(rng: &mut Rng, raw: &RawPad) -> RawPad {
        let mut next = *raw;
        match rng.below(3) {
            0 => {
                next.buttons = rng.next_u32();
                next.sticks = [(); 2].map(|()| [(); 2].map(|()| rng.below(161) as i16 - 80));
                next.triggers = [(); 2].map(|()| rng.below(141) as i16);
            }
            1 => next.sticks.as_flattened_mut().iter_mut().for_each(|axis| *axis = (*axis + rng.below(5) as i16 - 2).clamp(-80, 80)),
            _ => {}
        }
        next
    }

    #[test]
    fn each_part_is_what_it_is_alone_and_in_its_place() {
        for seed in 0..cases(200) {
            let mut rng = Rng::new(seed.into(), 0);
            let settings = settings();
            let mut pad = PadCanonicaliser::new(settings).unwrap();
            let mut axes = [0, 0, 1, 1].map(|stick| AxisQuantiser::new(settings.sticks[stick]).unwrap());
            let mut triggers = settings.triggers.map(|trigger| TriggerButton::new(trigger).unwrap());
            let mut raw = RawPad::default();
            for _ in 0..100 {
                raw = moved(&mut rng, &raw);
                let [a, b, c, d] = [0, 1, 2, 3].map(|at| axes[at].sample(raw.sticks[at / 2][at % 2]));
                let pressed = [0, 1].map(|at| if triggers[at].sample(raw.triggers[at]) { settings.trigger_buttons[at] } else { 0 });
                let buttons = settings.buttons.apply(raw.buttons) | pressed[0] | pressed[1];
                let expected = CanonicalPad { buttons, sticks: [[a, b], [c, d]] };
                assert_eq!(pad.sample(&raw), expected, "seed {seed}");
                assert_eq!(pad.sample(&raw), expected, "seed {seed}: the same again");
            }
        }
    }

    #[test]
    fn a_pad_that_is_let_go_of_is_neutral() {
        for seed in 0..cases(200) {
            let mut rng = Rng::new(seed.into(), 1);
            let mut pad = PadCanonicaliser::new(settings()).unwrap();
            let mut raw = RawPad::default();
            for _ in 0..20 {
                raw = moved(&mut rng, &raw);
                pad.sample(&raw);
            }
            assert_eq!(pad.sample(&RawPad::default()), CanonicalPad::default(), "seed {seed}");
        }
    }
}
