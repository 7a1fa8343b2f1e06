//! [`TokenBucket`]: how often something may be tried.

/// Tries that may come at once.
const CAPACITY: u64 = 32;

/// Between two tries in the long run.
const REFILL_US: u64 = 10_000;

/// Lets 32 tries through at once and 100 a second in the long run.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct TokenBucket {
    /// When the bucket would be full, on the caller's clock.
    full_at_us: u64,
}

impl TokenBucket {
    /// Whether there may be one more try now.
    pub(super) fn take(&mut self, now_us: u64) -> bool {
        let full_at_us = self.full_at_us.max(now_us) + REFILL_US;
        let may = full_at_us <= now_us.saturating_add(CAPACITY * REFILL_US);
        if may {
            self.full_at_us = full_at_us;
        }
        may
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_then_a_rate() {
        let mut bucket = TokenBucket::default();
        let taken = |bucket: &mut TokenBucket, now_us| (0..1_000).filter(|_| bucket.take(now_us)).count();
        assert_eq!(taken(&mut bucket, 0), 32);
        assert_eq!(taken(&mut bucket, 9_999), 0);
        assert_eq!(taken(&mut bucket, 50_000), 5);
        assert_eq!(taken(&mut bucket, 10_000_000), 32);
    }
}
