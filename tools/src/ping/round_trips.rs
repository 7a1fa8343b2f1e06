//! [`RoundTrips`]: what is known of the answers, in whole microseconds and constant memory.

/// Round trips, one after another.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct RoundTrips {
    sent: u64,
    answered: u64,
    min_us: u64,
    max_us: u64,
    sum_us: u64,
    last_us: u64,
    change_sum_us: u64,
}

/// What they come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Summary {
    pub(super) min_us: u64,
    pub(super) mean_us: u64,
    pub(super) max_us: u64,
    /// The mean change from one answer to the next.
    pub(super) jitter_us: u64,
    pub(super) lost_millionths: u64,
}

impl RoundTrips {
    /// Counts a knock. Its number, from 1.
    pub(super) fn send(&mut self) -> u64 {
        self.sent += 1;
        self.sent
    }

    pub(super) fn answer(&mut self, us: u64) {
        if self.answered == 0 {
            (self.min_us, self.max_us) = (us, us);
        } else {
            self.change_sum_us = self.change_sum_us.saturating_add(us.abs_diff(self.last_us));
        }
        self.answered += 1;
        self.last_us = us;
        self.min_us = self.min_us.min(us);
        self.max_us = self.max_us.max(us);
        self.sum_us = self.sum_us.saturating_add(us);
    }

    /// The same, without knocks that nobody can have answered yet.
    pub(super) fn without(mut self, pending: u64) -> Self {
        self.sent = self.sent.saturating_sub(pending);
        self
    }

    pub(super) fn sent(&self) -> u64 {
        self.sent
    }

    pub(super) fn answered(&self) -> u64 {
        self.answered
    }

    pub(super) fn lost(&self) -> u64 {
        self.sent.saturating_sub(self.answered)
    }

    /// None if nobody answered.
    pub(super) fn summary(&self) -> Option<Summary> {
        let mean_us = self.sum_us.checked_div(self.answered)?;
        let jitter_us = self.change_sum_us.checked_div(self.answered - 1).unwrap_or(0);
        let lost_millionths = self.lost().saturating_mul(1_000_000).checked_div(self.sent).unwrap_or(0);
        Some(Summary { min_us: self.min_us, mean_us, max_us: self.max_us, jitter_us, lost_millionths })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_they_come_to() {
        let mut trips = RoundTrips::default();
        assert_eq!(trips.summary(), None);
        for us in [Some(1_000), None, Some(3_000), Some(2_000), None] {
            trips.send();
            us.into_iter().for_each(|us| trips.answer(us));
        }
        let summary = Summary { min_us: 1_000, mean_us: 2_000, max_us: 3_000, jitter_us: 1_500, lost_millionths: 400_000 };
        assert_eq!(trips.summary(), Some(summary));
        assert_eq!((trips.sent(), trips.answered(), trips.lost()), (5, 3, 2));
        assert_eq!(trips.without(1).summary(), Some(Summary { lost_millionths: 250_000, ..summary }));
        let mut one = RoundTrips::default();
        one.send();
        one.answer(7);
        assert_eq!(one.summary(), Some(Summary { min_us: 7, mean_us: 7, max_us: 7, jitter_us: 0, lost_millionths: 0 }));
    }
}
