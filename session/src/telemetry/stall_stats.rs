//! [`StallStats`]: how many ticks each cause froze.

use super::stall::StallCause;

/// How many ticks each cause froze.
///
/// ```
/// use snapback::telemetry::{StallCause, StallStats};
/// let mut stats = StallStats::default();
/// assert_eq!(stats.worst(), None);
/// stats.count(StallCause::Link);
/// assert_eq!((stats.of(StallCause::Link), stats.total(), stats.worst()), (1, 1, Some(StallCause::Link)));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct StallStats {
    counts: [u64; StallCause::ALL.len()],
}

impl StallStats {
    /// Nothing was frozen.
    pub const NONE: Self = Self { counts: [0; StallCause::ALL.len()] };

    /// Counts a frozen tick.
    pub fn count(&mut self, cause: StallCause) {
        self.add(cause, 1);
    }

    fn add(&mut self, cause: StallCause, ticks: u64) {
        if let Some(count) = self.counts.get_mut(cause as usize) {
            *count += ticks;
        }
    }

    /// Some ticks turn out to have another cause.
    pub(crate) fn move_ticks(&mut self, from: StallCause, to: StallCause, ticks: u64) {
        let ticks = ticks.min(self.of(from));
        if let Some(count) = self.counts.get_mut(from as usize) {
            *count -= ticks;
        }
        self.add(to, ticks);
    }

    /// How many ticks this cause froze.
    #[must_use]
    pub fn of(&self, cause: StallCause) -> u64 {
        self.counts.get(cause as usize).copied().unwrap_or(0)
    }

    /// How many ticks were frozen in all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Each cause that froze any, with how many.
    pub fn iter(&self) -> impl Iterator<Item = (StallCause, u64)> + '_ {
        StallCause::ALL.into_iter().map(|cause| (cause, self.of(cause))).filter(|(_, ticks)| *ticks > 0)
    }

    /// The cause that froze most; none if nothing was frozen.
    #[must_use]
    pub fn worst(&self) -> Option<StallCause> {
        self.iter().max_by_key(|(_, ticks)| *ticks).map(|(cause, _)| cause)
    }

    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = *self;
        other.iter().for_each(|(cause, ticks)| sum.add(cause, ticks));
        sum
    }

    /// What has come since `earlier`. A tick whose cause turned out to be another one is with the later one.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let mut since = *self;
        for (count, before) in since.counts.iter_mut().zip(earlier.counts) {
            *count = count.saturating_sub(before);
        }
        since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_counters_is_the_order_of_the_causes() {
        let mut stats = StallStats::default();
        for (place, cause) in StallCause::ALL.into_iter().enumerate() {
            assert_eq!(cause as usize, place);
            (0..=place).for_each(|_| stats.count(cause));
        }
        assert_eq!((stats.total(), stats.worst()), (21, Some(StallCause::Silence)));
        let before = stats;
        stats.move_ticks(StallCause::Silence, StallCause::TheirLoss, 100);
        assert_eq!((stats.total(), stats.of(StallCause::TheirLoss), stats.of(StallCause::Silence)), (21, 7, 0));
        assert_eq!(stats.since(&before).of(StallCause::TheirLoss), 6);
    }
}
