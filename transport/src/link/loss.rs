//! [`Loss`]: which datagrams vanish.

use snapback_core::Rng;

const MILLION: u32 = 1_000_000;

/// Which datagrams vanish. Chances are in millionths, 0..=1,000,000.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Loss {
    /// No loss.
    #[default]
    None,
    /// Each datagram vanishes with the same chance, whatever happened to the others.
    Independent {
        /// Chance that a datagram vanishes.
        per_million: u32,
    },
    /// A path with a good and a bad state, which it may change before each datagram. It starts in
    /// the good state. Real loss comes in bursts, and this is the usual model of them.
    GilbertElliott {
        /// Chance of turning bad, before a datagram in the good state.
        good_to_bad_per_million: u32,
        /// Chance of turning good, before a datagram in the bad state.
        bad_to_good_per_million: u32,
        /// Chance that a datagram vanishes in the good state.
        loss_good_per_million: u32,
        /// Chance that a datagram vanishes in the bad state.
        loss_bad_per_million: u32,
    },
}

impl Loss {
    /// Loss in runs: every datagram of the bad state vanishes and none of the good one.
    ///
    /// `mean_burst_packets` is the mean length of a run of lost datagrams, 1..=1,000,000 (outside
    /// of it, the nearest of these). Where the two cannot both hold, as with 60 % lost in runs of 1,
    /// which would need gaps shorter than a datagram, the mean loss does and runs are longer.
    /// From a loss of 1,000,000 on, everything vanishes.
    ///
    /// ```
    /// use snapback_transport::link::Loss;
    /// let tenth_in_fours = Loss::bursts(100_000, 4);
    /// assert_eq!(
    ///     tenth_in_fours,
    ///     Loss::GilbertElliott {
    ///         good_to_bad_per_million: 27_778,
    ///         bad_to_good_per_million: 250_000,
    ///         loss_good_per_million: 0,
    ///         loss_bad_per_million: 1_000_000,
    ///     },
    /// );
    /// ```
    #[must_use]
    pub const fn bursts(mean_loss_per_million: u32, mean_burst_packets: u32) -> Self {
        let lost = if mean_loss_per_million < MILLION { mean_loss_per_million } else { MILLION };
        let kept = MILLION - lost;
        let burst = match mean_burst_packets {
            0 => 1,
            // A chance of less than a millionth would round to never turning good.
            MILLION.. => MILLION,
            packets => packets,
        };
        let mut to_good = div_round(MILLION as u64, burst as u64);
        let mut to_bad = MILLION as u64;
        if kept == 0 {
            to_good = 0;
        } else {
            // In balance as many datagrams turn bad as turn good: kept * to_bad = lost * to_good.
            let balanced = div_round(lost as u64 * MILLION as u64, kept as u64 * burst as u64);
            if balanced > to_bad {
                to_good = div_round(kept as u64 * to_bad, lost as u64);
            } else {
                to_bad = balanced;
            }
        }
        Self::GilbertElliott {
            good_to_bad_per_million: to_bad as u32,
            bad_to_good_per_million: to_good as u32,
            loss_good_per_million: 0,
            loss_bad_per_million: MILLION,
        }
    }
}

const fn div_round(dividend: u64, divisor: u64) -> u64 {
    (dividend + divisor / 2) / divisor
}

/// The state that a [`Loss`] keeps from datagram to datagram.
#[derive(Clone, Debug)]
pub(super) struct LossProcess {
    rng: Rng,
    bad: bool,
}

impl LossProcess {
    pub(super) const fn new(rng: Rng) -> Self {
        Self { rng, bad: false }
    }

    /// The fate of the next datagram.
    pub(super) const fn next_is_lost(&mut self, loss: Loss) -> bool {
        match loss {
            Loss::None => false,
            Loss::Independent { per_million } => self.rng.chance(per_million),
            Loss::GilbertElliott { good_to_bad_per_million, bad_to_good_per_million, loss_good_per_million, loss_bad_per_million } => {
                let turn = if self.bad { bad_to_good_per_million } else { good_to_bad_per_million };
                self.bad ^= self.rng.chance(turn);
                let lost = if self.bad { loss_bad_per_million } else { loss_good_per_million };
                self.rng.chance(lost)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKETS: u64 = 100_000;

    fn fates(loss: Loss, seed: u64) -> Vec<bool> {
        let mut process = LossProcess::new(Rng::new(seed, 0));
        (0..PACKETS).map(|_| process.next_is_lost(loss)).collect()
    }

    /// Mean loss in millionths and the variance of the number lost, from the model's closed form.
    /// States decay with memory m = 1 - to_bad - to_good, so the variance of independent loss grows
    /// by 2 * spread^2 * p(good) * p(bad) * m / (1 - m) for each datagram.
    fn expected(loss: Loss) -> (u64, u64) {
        let million = i128::from(MILLION);
        let (mean, covariance) = match loss {
            Loss::None => (0, 0),
            Loss::Independent { per_million } => (i128::from(per_million), 0),
            Loss::GilbertElliott {
                good_to_bad_per_million: to_bad,
                bad_to_good_per_million: to_good,
                loss_good_per_million: good,
                loss_bad_per_million: bad,
            } => {
                let [to_bad, to_good, good, bad] = [to_bad, to_good, good, bad].map(i128::from);
                let turn = to_bad + to_good;
                let mean = (to_good * good + to_bad * bad) / turn;
                let spread = bad - good;
                let states = spread * to_good / turn * (spread * to_bad / turn);
                (mean, 2 * states * (million - turn) / turn)
            }
        };
        let one = mean * (million - mean) + covariance;
        (mean as u64, (i128::from(PACKETS) * one / (million * million)).max(0) as u64)
    }

    fn models() -> Vec<Loss> {
        let mut models = vec![Loss::None];
        models.extend([1, 10_000, 100_000, 500_000, 1_000_000].map(|per_million| Loss::Independent { per_million }));
        for (loss, burst) in [(1_000, 1), (20_000, 3), (100_000, 4), (300_000, 12), (600_000, 1)] {
            models.push(Loss::bursts(loss, burst));
        }
        models.push(Loss::GilbertElliott {
            good_to_bad_per_million: 30_000,
            bad_to_good_per_million: 200_000,
            loss_good_per_million: 5_000,
            loss_bad_per_million: 400_000,
        });
        models
    }

    #[test]
    fn loss_rate_lies_within_three_sigma_for_each_model() {
        for loss in models() {
            let (mean, variance) = expected(loss);
            for seed in 0..8 {
                let lost = fates(loss, seed).into_iter().filter(|lost| *lost).count() as u64;
                let bound = 3 * variance.isqrt() + 3;
                let expected = mean * PACKETS / 1_000_000;
                assert!(lost.abs_diff(expected) <= bound, "{loss:?}, seed {seed}: {lost} lost, expected {expected} +- {bound}");
            }
        }
    }

    #[test]
    fn mean_burst_is_the_one_asked_for() {
        for (loss, burst) in [(10_000, 2), (100_000, 4), (100_000, 8), (300_000, 12)] {
            let (mut runs, mut lost) = (0u64, 0u64);
            for seed in 0..8 {
                let fates = fates(Loss::bursts(loss, burst), seed);
                lost += fates.iter().filter(|lost| **lost).count() as u64;
                runs += fates.windows(2).filter(|pair| pair[0] && !pair[1]).count() as u64;
            }
            // Run lengths are geometric: their deviation is below their mean.
            let mean_thousandths = lost * 1_000 / runs;
            let bound = 3 * u64::from(burst) * 1_000 / runs.isqrt() + 10;
            assert!(
                mean_thousandths.abs_diff(u64::from(burst) * 1_000) <= bound,
                "{loss} in {burst}: {mean_thousandths} / 1000 +- {bound}"
            );
        }
    }

    #[test]
    fn mean_loss_of_bursts_is_the_one_asked_for() {
        for loss in [1_000, 10_000, 100_000, 300_000, 600_000, 950_000] {
            for burst in [1, 2, 4, 12, 50] {
                let (mean, _) = expected(Loss::bursts(loss, burst));
                // Chances are whole millionths, which shows where they are small.
                let bound = u64::from(loss / 100 * burst.min(5)) + 1;
                assert!(mean.abs_diff(u64::from(loss)) <= bound, "{loss} in {burst}: {mean}");
            }
        }
    }

    #[test]
    fn bursts_are_valid_for_every_argument() {
        for loss in [0, 1, 499_999, 500_000, 999_999, 1_000_000, u32::MAX] {
            for burst in [0, 1, 2, 1_000_000, 3_000_000, u32::MAX] {
                let settings = crate::link::LinkSettings { loss: Loss::bursts(loss, burst), ..Default::default() };
                assert_eq!(settings.is_valid(), Ok(()), "bursts({loss}, {burst})");
            }
        }
        assert!(fates(Loss::bursts(0, 4), 1).iter().all(|lost| !lost));
        assert!(fates(Loss::bursts(1_000_000, 4), 1).iter().all(|lost| *lost));
    }
}
