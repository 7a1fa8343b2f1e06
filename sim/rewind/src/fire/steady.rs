//! [`Steady`]: what a claimed delay is usually, so that one that jumps up is seen.

/// How far a delay may jump up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steadiness {
    /// How far over the usual one it may be: the jitter of honest networks.
    pub allowance_us: u32,
    /// How fast the usual one follows upwards, in microseconds per second. Downwards it follows at once.
    pub rise_us_per_s: u32,
}

/// A pause counts as this long at most, so that waiting buys nothing.
pub(super) const MAX_RISE_PAUSE_US: u64 = 500_000;

/// The usual delay: the least one of late.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Steady {
    usual_us: Option<u64>,
    since_us: u64,
}

impl Steady {
    /// A delay that is known already.
    pub(super) const fn known(usual_us: u64, now_us: u64) -> Self {
        Self { usual_us: Some(usual_us), since_us: now_us }
    }

    pub(super) const fn usual_us(&self) -> Option<u64> {
        self.usual_us
    }

    /// The greatest delay that is believed now. Without any evidence, every one.
    pub(super) fn limit_us(&self, rules: Steadiness) -> u64 {
        self.usual_us.map_or(u64::MAX, |usual_us| usual_us.saturating_add(rules.allowance_us.into()))
    }

    /// Takes a delay as evidence. Call it after the delay was judged.
    pub(super) fn observe(&mut self, delay_us: u64, now_us: u64, rules: Steadiness) {
        let Some(usual_us) = self.usual_us.filter(|&usual_us| delay_us > usual_us) else {
            *self = Self::known(delay_us, now_us);
            return;
        };
        let pause_us = now_us.saturating_sub(self.since_us).min(MAX_RISE_PAUSE_US);
        let rise_us = pause_us * u64::from(rules.rise_us_per_s) / 1_000_000;
        // What is too short to rise in is saved up.
        if rise_us > 0 {
            *self = Self::known(delay_us.min(usual_us.saturating_add(rise_us)), now_us);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Steadiness = Steadiness { allowance_us: 80_000, rise_us_per_s: 50_000 };

    #[test]
    fn it_follows_down_at_once_and_up_slowly() {
        let mut steady = Steady::default();
        assert_eq!(steady.limit_us(RULES), u64::MAX);
        steady.observe(100_000, 0, RULES);
        steady.observe(20_000, 100_000, RULES);
        assert_eq!(steady.usual_us(), Some(20_000));
        steady.observe(240_000, 200_000, RULES);
        assert_eq!(steady.usual_us(), Some(25_000));
        steady.observe(26_000, 400_000, RULES);
        assert_eq!(steady.usual_us(), Some(26_000));
    }

    #[test]
    fn waiting_buys_no_more_than_half_a_second() {
        let mut steady = Steady::known(0, 0);
        steady.observe(240_000, u64::MAX, RULES);
        assert_eq!(steady.usual_us(), Some(25_000));
    }

    #[test]
    fn evidence_in_tiny_steps_rises_as_fast_as_in_great_ones() {
        let mut steady = Steady::known(0, 0);
        for now_us in 0..1_000_000 {
            steady.observe(240_000, now_us, RULES);
        }
        assert!((49_000..=50_000).contains(&steady.usual_us().unwrap()), "{steady:?}");
    }

    #[test]
    fn the_greatest_numbers_do_not_overflow() {
        let rules = Steadiness { allowance_us: u32::MAX, rise_us_per_s: u32::MAX };
        let mut steady = Steady::known(u64::MAX - 1, 0);
        assert_eq!(steady.limit_us(rules), u64::MAX);
        steady.observe(u64::MAX, u64::MAX, rules);
        assert_eq!(steady.usual_us(), Some(u64::MAX));
    }
}
