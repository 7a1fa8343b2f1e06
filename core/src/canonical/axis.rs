//! [`AxisQuantiser`]: an axis in steps, which holds its step until it is clearly left.

use super::error::InvalidPad;

/// How an axis is quantised, in the units of the axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AxisSettings {
    /// The distance of two values. From 1 to `range`.
    pub step: i16,
    /// Up to here the axis is at rest, exactly 0. From 0 to `range - 1 - 2 * hysteresis`.
    pub dead_zone: i16,
    /// By how much an axis must leave its step before its value changes. Less than half a step. An axis that
    /// trembles by twice this, from end to end, never goes to and fro between two values.
    pub hysteresis: i16,
    /// From here on the axis is at its rim and this is its value. A little less than what the pad can
    /// reach, so that a worn stick still reaches it.
    pub range: i16,
}

impl AxisSettings {
    fn check(&self) -> Result<(), InvalidPad> {
        let (range, hysteresis) = (i32::from(self.range), i32::from(self.hysteresis));
        InvalidPad::check("range", self.range, 1, i16::MAX.into())?;
        InvalidPad::check("step", self.step, 1, range)?;
        InvalidPad::check("hysteresis", self.hysteresis, 0, (i32::from(self.step) - 1) / 2)?;
        InvalidPad::check("dead_zone", self.dead_zone, 0, range - 1 - 2 * hysteresis)
    }
}

/// An axis of a stick in steps: its values are 0, whole steps, and the two ends of its range.
///
/// What stays true, whatever is fed:
/// - The same sample again gives the same value: it changes no more often than the axis does.
/// - A value differs from its sample by half a step and the hysteresis at most; at rest, by the dead zone
///   and twice the hysteresis if that is more. Samples beyond the range count as its ends.
/// - An axis that moves one way gives values that move that way.
/// - A sample inside the dead zone gives exactly 0, one beyond the range exactly its end.
///
/// ```
/// use snapback_core::canonical::{AxisQuantiser, AxisSettings};
/// let mut axis = AxisQuantiser::new(AxisSettings { step: 8, dead_zone: 4, hysteresis: 2, range: 80 })?;
/// let values = [3, 9, 13, 14, 15, 11, 9, 79, 80, 75, 4].map(|sample| axis.sample(sample));
/// assert_eq!(values, [0, 8, 8, 8, 16, 16, 8, 80, 80, 80, 0]);
/// # Ok::<(), snapback_core::canonical::InvalidPad>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AxisQuantiser {
    settings: AxisSettings,
    value: i16,
}

impl AxisQuantiser {
    /// An axis at rest.
    ///
    /// # Errors
    /// Names the setting that is not in its range.
    pub fn new(settings: AxisSettings) -> Result<Self, InvalidPad> {
        settings.check()?;
        Ok(Self { settings, value: 0 })
    }

    /// The value of this frame, given what the pad says.
    pub fn sample(&mut self, raw: i16) -> i16 {
        let distance = i32::from(raw).abs();
        let nearest = if distance <= i32::from(self.settings.dead_zone) {
            0
        } else if distance >= i32::from(self.settings.range) {
            self.settings.range
        } else if self.is_left_by(raw) {
            self.nearest(distance)
        } else {
            return self.value;
        };
        self.value = if raw < 0 { -nearest } else { nearest };
        self.value
    }

    /// The value of the last frame; 0 before the first.
    #[must_use]
    pub fn value(&self) -> i16 {
        self.value
    }

    /// Whether `raw` is no longer in the step of the value.
    fn is_left_by(&self, raw: i16) -> bool {
        let [step, dead_zone, hysteresis] = [self.settings.step, self.settings.dead_zone, self.settings.hysteresis].map(i32::from);
        let twice_held = step + 2 * hysteresis;
        // Back to rest at the dead zone's edge; away from it only where that is as far off as anywhere else.
        let twice_held = if self.value == 0 { twice_held.max(2 * dead_zone + 4 * hysteresis) } else { twice_held };
        2 * (i32::from(raw) - i32::from(self.value)).abs() > twice_held
    }

    /// The whole number of steps that is nearest, or the end of the range if that is less.
    fn nearest(&self, distance: i32) -> i16 {
        let step = i32::from(self.settings.step);
        let steps = (2 * distance + step) / (2 * step);
        i16::try_from(steps * step).unwrap_or(i16::MAX).min(self.settings.range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::cases::cases;

    /// Any valid settings: tiny, usual and as large as they may be.
    fn any_settings(rng: &mut Rng) -> AxisSettings {
        let widest = if rng.chance(500_000) { 130 } else { i16::MAX as u32 };
        let range = 1 + rng.below(widest) as i16;
        let step = 1 + rng.below(range.unsigned_abs().into()).min(rng.below(400)) as i16;
        // A hysteresis that leaves a dead zone of 0 at least.
        let hysteresis = rng.below(u32::from(step.unsigned_abs()).div_ceil(2)).min((range as u32 - 1) / 2) as i16;
        let dead_zone = rng.below((range - 2 * hysteresis).unsigned_abs().into()) as i16;
        let dead_zone = if rng.chance(500_000) { dead_zone.min(step) } else { dead_zone };
        AxisSettings { step, dead_zone, hysteresis, range }
    }

    /// A sample that is often near the edges.
    fn any_sample(rng: &mut Rng, settings: &AxisSettings) -> i16 {
        let near = [0, settings.dead_zone, settings.range, settings.step, i16::MAX][rng.below(5) as usize];
        let off = rng.below(2 * settings.step as u32 + 3) as i32 - i32::from(settings.step) - 1;
        let sample = if rng.chance(300_000) { rng.next_u32() as i16 } else { (i32::from(near) + off).clamp(-32_768, 32_767) as i16 };
        if rng.chance(500_000) { sample } else { sample.saturating_neg() }
    }

    #[test]
    fn every_value_is_near_its_sample_and_holds_while_the_sample_does() {
        for seed in 0..cases(4_000) {
            let mut rng = Rng::new(seed.into(), 0);
            let settings = any_settings(&mut rng);
            let mut axis = AxisQuantiser::new(settings).unwrap();
            let [step, dead_zone, hysteresis, range] =
                [settings.step, settings.dead_zone, settings.hysteresis, settings.range].map(i32::from);
            for _ in 0..200 {
                let sample = any_sample(&mut rng, &settings);
                let value = axis.sample(sample);
                let context = format!("seed {seed}, {settings:?}: {sample} gives {value}");
                assert_eq!(axis.sample(sample), value, "{context}, then another");
                assert!(value % settings.step == 0 || value.abs() == settings.range, "{context}");
                let twice_off = 2 * (i32::from(sample).clamp(-range, range) - i32::from(value)).abs();
                let twice_allowed = step + 2 * hysteresis;
                let twice_allowed = if value == 0 { twice_allowed.max(2 * dead_zone + 4 * hysteresis) } else { twice_allowed };
                assert!(twice_off <= twice_allowed, "{context}");
                let distance = i32::from(sample).abs();
                assert!(distance > dead_zone || value == 0, "{context}");
                assert!(distance < range || i32::from(value.abs()) == range, "{context}");
                assert!(value == 0 || (value > 0) == (sample > 0), "{context}");
            }
        }
    }

    #[test]
    fn a_larger_sample_never_gives_a_smaller_value() {
        for seed in 0..cases(400) {
            let mut rng = Rng::new(seed.into(), 1);
            let settings = any_settings(&mut rng);
            let mut axis = AxisQuantiser::new(settings).unwrap();
            for _ in 0..20 {
                axis.sample(any_sample(&mut rng, &settings));
                let mut pair = [any_sample(&mut rng, &settings), any_sample(&mut rng, &settings)];
                pair.sort_unstable();
                let [lower, upper] = pair.map(|sample| axis.clone().sample(sample));
                assert!(lower <= upper, "seed {seed}: {axis:?} {pair:?}");
            }
        }
    }

    #[test]
    fn a_motion_one_way_gives_values_one_way_and_no_more_of_them() {
        for seed in 0..cases(400) {
            let mut rng = Rng::new(seed.into(), 2);
            let settings = any_settings(&mut rng);
            let mut axis = AxisQuantiser::new(settings).unwrap();
            let mut motion: Vec<i16> = (0..50).map(|_| any_sample(&mut rng, &settings)).collect();
            motion.sort_unstable();
            if rng.chance(500_000) {
                motion.reverse();
            }
            let rises = motion.first() < motion.last();
            axis.sample(motion[0]);
            let (mut changes, mut raw_changes) = (0, 0);
            for pair in motion.windows(2) {
                let before = axis.value();
                let value = axis.sample(pair[1]);
                assert!(value == before || (value > before) == rises, "seed {seed}: {settings:?}");
                changes += u32::from(value != before);
                raw_changes += u32::from(pair[0] != pair[1]);
            }
            assert!(changes <= raw_changes, "seed {seed}");
        }
    }

    /// How often the axis comes back to a value that it has left, while it trembles by `tremble` from end to
    /// end; the most at any place of its range.
    fn most_returns(settings: AxisSettings, tremble: i16, seed: u64) -> u32 {
        let mut rng = Rng::new(seed, 3);
        let mut worst = 0;
        for place in -settings.range - 3..=settings.range + 3 {
            let mut axis = AxisQuantiser::new(settings).unwrap();
            // From either side, as far as it goes.
            axis.sample(if rng.chance(500_000) { settings.range } else { -settings.range });
            let mut values: Vec<i16> = (0..60).map(|_| axis.sample(place + rng.below(tremble as u32 + 1) as i16)).collect();
            values.dedup();
            let returns = values.iter().enumerate().filter(|(at, value)| values[..*at].contains(value)).count();
            worst = worst.max(returns as u32);
        }
        worst
    }

    #[test]
    fn what_trembles_by_twice_the_hysteresis_never_goes_to_and_fro_and_without_it_all_the_time() {
        for seed in 0..cases(300) {
            let mut rng = Rng::new(seed.into(), 4);
            let range = 20 + rng.below(80) as i16;
            let step = 3 + rng.below(14) as i16;
            let hysteresis = 1 + rng.below((step as u32 - 1) / 2) as i16;
            let dead_zone = rng.below((range - 2 * hysteresis) as u32) as i16;
            let settings = AxisSettings { step, dead_zone, hysteresis, range };
            assert_eq!(most_returns(settings, 2 * hysteresis, seed.into()), 0, "seed {seed}: {settings:?}");
            // A little more is more than is promised.
            assert!(most_returns(settings, 2 * hysteresis + 2, seed.into()) > 0, "seed {seed}: {settings:?}");
            let without = AxisSettings { hysteresis: 0, ..settings };
            assert!(most_returns(without, 2 * hysteresis, seed.into()) > 10, "seed {seed}: {settings:?}");
        }
    }

    #[test]
    fn with_a_step_of_one_an_axis_is_what_it_was() {
        let mut axis = AxisQuantiser::new(AxisSettings { step: 1, dead_zone: 0, hysteresis: 0, range: i16::MAX }).unwrap();
        for sample in i16::MIN..=i16::MAX {
            assert_eq!(axis.sample(sample), sample.max(-i16::MAX));
        }
    }

    #[test]
    fn settings_that_do_not_fit_are_named() {
        let good = AxisSettings { step: 8, dead_zone: 4, hysteresis: 3, range: 80 };
        let refused = |settings| AxisQuantiser::new(settings).map_err(|error| error.to_string()).unwrap_err();
        insta::assert_snapshot!(refused(AxisSettings { range: 0, ..good }), @"range is 0; with the other settings it must be 1 to 32767");
        insta::assert_snapshot!(refused(AxisSettings { step: 81, ..good }), @"step is 81; with the other settings it must be 1 to 80");
        insta::assert_snapshot!(refused(AxisSettings { hysteresis: 4, ..good }), @"hysteresis is 4; with the other settings it must be 0 to 3");
        insta::assert_snapshot!(refused(AxisSettings { dead_zone: 74, ..good }), @"dead_zone is 74; with the other settings it must be 0 to 73");
        assert!(AxisQuantiser::new(good).is_ok());
    }
}
