//! [`RttEstimator`]: round-trip time and its variation, smoothed in integers.

/// Largest sample, in microseconds (one minute); a longer one counts as this.
pub const MAX_RTT_US: u64 = 60_000_000;

/// Smoothed round-trip time and its mean deviation, as in RFC 6298.
///
/// The first sample `R` sets `SRTT = R` and `RTTVAR = R / 2`. Every later one does, in this order:
///
/// ```text
/// RTTVAR = 3/4 * RTTVAR + 1/4 * |SRTT - R|
/// SRTT   = 7/8 * SRTT   + 1/8 * R
/// ```
///
/// `SRTT` is kept in eighths and `RTTVAR` in quarters of a microsecond, the way of appendix A of
/// V. Jacobson, "Congestion Avoidance and Control" (1988), so that truncation does not add up: each
/// lies within 8 µs of the exact value.
///
/// The RFC's first deviation is a guess that suits a retransmission timer. As a measure of jitter
/// it is too high until about ten samples have come in: see [`sample_count`](Self::sample_count).
///
/// ```
/// use snapback_transport::rtt::RttEstimator;
/// let mut rtt = RttEstimator::new();
/// assert_eq!(rtt.smoothed_us(), None);
/// rtt.sample(40_000);
/// rtt.sample(48_000);
/// assert_eq!(rtt.smoothed_us(), Some(41_000));
/// assert_eq!(rtt.jitter_us(), Some(17_000));
/// assert_eq!(rtt.min_us(), Some(40_000));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RttEstimator {
    smoothed_eighths: u64,
    deviation_quarters: u64,
    min_us: u64,
    latest_us: u64,
    samples: u64,
}

impl RttEstimator {
    /// An estimator without a sample.
    #[must_use]
    pub const fn new() -> Self {
        Self { smoothed_eighths: 0, deviation_quarters: 0, min_us: 0, latest_us: 0, samples: 0 }
    }

    /// Takes in one measured round trip, in microseconds, at most [`MAX_RTT_US`].
    pub const fn sample(&mut self, rtt_us: u64) {
        let rtt_us = if rtt_us < MAX_RTT_US { rtt_us } else { MAX_RTT_US };
        if self.samples == 0 {
            self.smoothed_eighths = rtt_us * 8;
            self.deviation_quarters = rtt_us * 2;
            self.min_us = rtt_us;
        } else {
            let smoothed_us = self.smoothed_eighths / 8;
            let error_us = smoothed_us.abs_diff(rtt_us);
            self.deviation_quarters = self.deviation_quarters - self.deviation_quarters / 4 + error_us;
            self.smoothed_eighths = self.smoothed_eighths - smoothed_us + rtt_us;
            if rtt_us < self.min_us {
                self.min_us = rtt_us;
            }
        }
        self.latest_us = rtt_us;
        self.samples = self.samples.saturating_add(1);
    }

    /// Smoothed round-trip time, in microseconds.
    #[must_use]
    pub const fn smoothed_us(&self) -> Option<u64> {
        self.measured(self.smoothed_eighths / 8)
    }

    /// Smoothed mean deviation from the smoothed round-trip time, in microseconds.
    #[must_use]
    pub const fn jitter_us(&self) -> Option<u64> {
        self.measured(self.deviation_quarters / 4)
    }

    /// Shortest round trip so far, in microseconds.
    #[must_use]
    pub const fn min_us(&self) -> Option<u64> {
        self.measured(self.min_us)
    }

    /// Latest round trip, in microseconds.
    #[must_use]
    pub const fn latest_us(&self) -> Option<u64> {
        self.measured(self.latest_us)
    }

    /// Number of samples taken in.
    #[must_use]
    pub const fn sample_count(&self) -> u64 {
        self.samples
    }

    const fn measured(&self, value_us: u64) -> Option<u64> {
        if self.samples == 0 { None } else { Some(value_us) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Rng;

    const ONE: u128 = 1 << 64;

    /// The RFC's formulas with 64 fractional bits.
    struct Reference {
        smoothed: u128,
        deviation: u128,
    }

    impl Reference {
        fn sample(&mut self, rtt_us: u64) {
            let rtt = u128::from(rtt_us.min(MAX_RTT_US)) * ONE;
            self.deviation = self.deviation * 3 / 4 + self.smoothed.abs_diff(rtt) / 4;
            self.smoothed = self.smoothed * 7 / 8 + rtt / 8;
        }
    }

    #[test]
    fn stays_within_8_us_of_exact_arithmetic() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed, 0);
            let base_us = u64::from(rng.below(300_000));
            let spread_us = 1 + rng.below(100_000);
            let draw = |rng: &mut Rng| match rng.below(100) {
                0 => u64::from(rng.next_u32()),
                _ => base_us + u64::from(rng.below(spread_us)),
            };
            let first = draw(&mut rng);
            let mut rtt = RttEstimator::new();
            rtt.sample(first);
            let first = u128::from(first.min(MAX_RTT_US)) * ONE;
            let mut reference = Reference { smoothed: first, deviation: first / 2 };
            for _ in 0..2_000 {
                let rtt_us = draw(&mut rng);
                rtt.sample(rtt_us);
                reference.sample(rtt_us);
                let smoothed_us = (reference.smoothed / ONE) as u64;
                let deviation_us = (reference.deviation / ONE) as u64;
                assert!(rtt.smoothed_us().unwrap().abs_diff(smoothed_us) <= 8, "seed {seed}");
                assert!(rtt.jitter_us().unwrap().abs_diff(deviation_us) <= 8, "seed {seed}");
            }
        }
    }

    #[test]
    fn a_constant_round_trip_is_found_exactly_and_without_jitter() {
        for rtt_us in [0, 1, 7, 8, 16_667, 59_999_999, MAX_RTT_US] {
            let mut rtt = RttEstimator::new();
            rtt.sample(250_000);
            for _ in 0..400 {
                rtt.sample(rtt_us);
            }
            assert_eq!(rtt.smoothed_us(), Some(rtt_us));
            assert!(rtt.jitter_us() <= Some(1), "{rtt:?}");
            assert_eq!(rtt.latest_us(), Some(rtt_us));
            assert_eq!(rtt.min_us(), Some(rtt_us.min(250_000)));
        }
    }

    #[test]
    fn absurd_samples_are_bounded() {
        let mut rtt = RttEstimator::new();
        for rtt_us in [u64::MAX, 0, u64::MAX, u64::MAX] {
            rtt.sample(rtt_us);
            assert!(rtt.smoothed_us() <= Some(MAX_RTT_US) && rtt.jitter_us() <= Some(MAX_RTT_US));
        }
        assert_eq!((rtt.latest_us(), rtt.min_us()), (Some(MAX_RTT_US), Some(0)));
        assert_eq!(rtt.sample_count(), 4);
    }
}
