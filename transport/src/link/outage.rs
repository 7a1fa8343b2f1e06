//! [`Outage`]: a link that is fine, and dead for a moment again and again.

use snapback_core::Rng;

/// Longest period of an outage, in microseconds (one hour).
pub const MAX_OUTAGE_US: u64 = 3_600_000_000;

/// Sets the place of outages apart from every other use of the same seed.
const OUTAGE_SEED: u64 = 0x6f75_7461_6765_2061;

/// A link goes dead once in every period: each datagram sent meanwhile is lost. Those already under
/// way arrive.
///
/// Where in the period that is, the seed alone decides. The two directions of a path share a seed,
/// so both are dead at the same time, as when a radio changes its channel or its satellite. Nothing
/// is drawn for it as datagrams pass, so an outage leaves the fate of all others as it was.
///
/// ```
/// use snapback_transport::link::{LinkConditioner, LinkSettings, Outage};
/// let outage = Some(Outage { every_us: 5_000_000, lasts_us: 400_000 });
/// let mut link = LinkConditioner::new(LinkSettings { outage, ..LinkSettings::default() }, 7, 0);
/// for millisecond in 0..15_000 {
///     link.send(millisecond * 1_000, b"are you there?");
/// }
/// assert_eq!(link.stats().lost, 3 * 400);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outage {
    /// From the beginning of one outage to that of the next, in microseconds,
    /// 1..=[`MAX_OUTAGE_US`].
    pub every_us: u64,
    /// How long each one lasts, in microseconds, 0..=`every_us`.
    pub lasts_us: u64,
}

impl Outage {
    /// The nearest outage in range.
    pub(super) fn clamped(self) -> Self {
        let every_us = self.every_us.clamp(1, MAX_OUTAGE_US);
        Self { every_us, lasts_us: self.lasts_us.min(every_us) }
    }
}

/// Where in their period the outages of a link lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutagePhase(u32);

impl OutagePhase {
    pub(super) const fn new(seed: u64) -> Self {
        Self(Rng::new(seed ^ OUTAGE_SEED, 0).next_u32())
    }

    /// Whether the link is dead at `now_us`.
    pub(super) const fn is_dead(self, now_us: u64, outage: Outage) -> bool {
        // Both factors have 32 bits.
        let begins_us = (self.0 as u64 * outage.every_us) >> 32;
        let since_us = (now_us % outage.every_us + outage.every_us - begins_us) % outage.every_us;
        since_us < outage.lasts_us
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_period_has_one_outage_of_the_right_length() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed, 0);
            let every_us = 1 + u64::from(rng.below(500));
            let outage = Outage { every_us, lasts_us: u64::from(rng.below(every_us as u32 + 1)) };
            let phase = OutagePhase::new(seed);
            let dead: Vec<bool> = (0..4 * every_us).map(|now_us| phase.is_dead(now_us, outage)).collect();
            for period in dead.chunks(every_us as usize) {
                assert_eq!(period, &dead[..every_us as usize], "seed {seed}");
                assert_eq!(period.iter().filter(|dead| **dead).count() as u64, outage.lasts_us, "seed {seed}");
            }
            // In one piece, but for the end of a period.
            let begins = dead.windows(2).filter(|pair| !pair[0] && pair[1]).count();
            assert!(begins <= 4, "seed {seed}: {begins} of them in four periods");
        }
    }

    #[test]
    fn seeds_spread_the_outages_over_the_period() {
        let outage = Outage { every_us: 1_000, lasts_us: 100 };
        let dead = (0..10_000).filter(|seed| OutagePhase::new(*seed).is_dead(123_456_789, outage)).count();
        // A tenth of 10,000, with a deviation of 30.
        assert!(dead.abs_diff(1_000) <= 90, "{dead}");
    }

    #[test]
    fn the_longest_period_does_not_overflow() {
        let outage = Outage { every_us: u64::MAX, lasts_us: u64::MAX }.clamped();
        assert_eq!(outage, Outage { every_us: MAX_OUTAGE_US, lasts_us: MAX_OUTAGE_US });
        assert!((0..100).all(|seed| OutagePhase::new(seed).is_dead(u64::MAX, outage)));
        assert_eq!(Outage { every_us: 0, lasts_us: 9 }.clamped(), Outage { every_us: 1, lasts_us: 1 });
    }
}
