//! [`TriggerButton`]: an analogue trigger as a button, which is let go of lower than it was pressed.

use super::error::InvalidPad;

/// Where a trigger counts as pressed, in the units of the trigger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TriggerSettings {
    /// From here on it is pressed. At least `release`.
    pub press: i16,
    /// Below this it is let go of. At least 1, so that a trigger at rest is.
    pub release: i16,
}

/// A trigger that is a button.
///
/// ```
/// use snapback_core::canonical::{TriggerButton, TriggerSettings};
/// let mut trigger = TriggerButton::new(TriggerSettings { press: 43, release: 30 })?;
/// let pressed = [42, 43, 38, 30, 29, 42].map(|sample| trigger.sample(sample));
/// assert_eq!(pressed, [false, true, true, true, false, false]);
/// # Ok::<(), snapback_core::canonical::InvalidPad>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TriggerButton {
    settings: TriggerSettings,
    is_pressed: bool,
}

impl TriggerButton {
    /// A trigger at rest.
    ///
    /// # Errors
    /// Names the setting that is not in its range.
    pub fn new(settings: TriggerSettings) -> Result<Self, InvalidPad> {
        InvalidPad::check("press", settings.press, 1, i16::MAX.into())?;
        InvalidPad::check("release", settings.release, 1, settings.press.into())?;
        Ok(Self { settings, is_pressed: false })
    }

    /// Whether it is pressed in this frame, given how far it is down.
    pub fn sample(&mut self, raw: i16) -> bool {
        let threshold = if self.is_pressed { self.settings.release } else { self.settings.press };
        self.is_pressed = raw >= threshold;
        self.is_pressed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::cases::cases;

    #[test]
    fn between_the_thresholds_nothing_changes_and_beyond_them_everything_is_said() {
        for seed in 0..cases(1_000) {
            let mut rng = Rng::new(seed.into(), 0);
            let press = 1 + rng.below(140) as i16;
            let release = 1 + rng.below(press as u32) as i16;
            let mut trigger = TriggerButton::new(TriggerSettings { press, release }).unwrap();
            let mut was_pressed = false;
            for _ in 0..200 {
                let sample = rng.below(160) as i16 - 10;
                let is_pressed = trigger.sample(sample);
                let expected = if sample >= press {
                    true
                } else if sample < release {
                    false
                } else {
                    was_pressed
                };
                assert_eq!(is_pressed, expected, "seed {seed}: {sample} with {press} and {release}");
                assert_eq!(trigger.sample(sample), is_pressed, "seed {seed}");
                was_pressed = is_pressed;
            }
        }
    }

    #[test]
    fn a_trembling_finger_presses_once_and_with_one_threshold_all_the_time() {
        let presses = |release| {
            let mut rng = Rng::new(1, 0);
            let mut trigger = TriggerButton::new(TriggerSettings { press: 43, release }).unwrap();
            let pressed: Vec<bool> = (0..200).map(|_| trigger.sample(40 + rng.below(7) as i16)).collect();
            pressed.windows(2).filter(|pair| pair[0] != pair[1]).count()
        };
        assert!(presses(40) <= 1);
        assert!(presses(43) > 50);
    }

    #[test]
    fn a_release_over_the_press_is_refused() {
        let error = TriggerButton::new(TriggerSettings { press: 30, release: 31 }).unwrap_err();
        insta::assert_snapshot!(error, @"release is 31; with the other settings it must be 1 to 30");
        assert_eq!(TriggerButton::new(TriggerSettings { press: 30, release: 0 }).unwrap_err().field, "release");
        assert_eq!(TriggerButton::new(TriggerSettings { press: 0, release: 0 }).unwrap_err().field, "press");
    }
}
