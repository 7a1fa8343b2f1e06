//! [`Direction`] and the playback of one direction of a [`LinkTrace`].

use snapback_core::Rng;

use super::LinkTrace;

/// Sets the coins apart from every other use of the same seed.
const COIN_SEED: u64 = 0x7472_6163_6520_6c6f;

/// Which of the two directions of a recorded path a conditioner plays.
///
/// A recording knows round trips. What it says about one direction is this rule:
///
/// * A datagram sent at time `t` takes half of the RTT of the last sample at or before `t`. Of an
///   odd number of microseconds `Reverse` takes the larger half, so that both make the whole.
/// * A `LOST` sample lost its packet on the way out or on the way back. A coin, thrown from the
///   seed and the number of the sample, says which: until the next sample, that direction drops
///   every datagram sent and the other none. Two conditioners with the same seed and the same
///   trace, one `Forward` and one `Reverse`, therefore never drop in the same sample, and in each
///   `LOST` sample exactly one of them drops.
/// * The direction that does not drop takes half of the last RTT that is known.
/// * Time 0 of the caller is the first sample. When the trace is over it starts again, with new
///   coins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// One way.
    Forward,
    /// The other way.
    Reverse,
}

/// What a trace says about a datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TracedFate {
    pub(super) one_way_us: u64,
    pub(super) lost: bool,
}

/// One direction of a trace.
#[derive(Clone, Debug)]
pub(super) struct Playback {
    trace: LinkTrace,
    direction: Direction,
    seed: u64,
}

impl Playback {
    pub(super) const fn new(trace: LinkTrace, direction: Direction, seed: u64) -> Self {
        Self { trace, direction, seed }
    }

    /// What happens to a datagram sent at `now_us`.
    pub(super) fn fate(&self, now_us: u64) -> TracedFate {
        let duration_us = self.trace.duration_us().max(1);
        let (index, sample) = self.trace.sample_at(now_us % duration_us);
        let laps = now_us / duration_us;
        let number = laps.wrapping_mul(self.trace.sample_count() as u64) + index as u64;
        let rtt_us = u64::from(sample.rtt_us);
        let one_way_us = match self.direction {
            Direction::Forward => rtt_us / 2,
            Direction::Reverse => rtt_us.div_ceil(2),
        };
        TracedFate { one_way_us, lost: sample.lost && self.loser(number) == self.direction }
    }

    /// The direction that drops in sample `number`, if the sample is lost.
    const fn loser(&self, number: u64) -> Direction {
        let forward = Rng::new(self.seed ^ COIN_SEED, number).chance(500_000);
        if forward { Direction::Forward } else { Direction::Reverse }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directions(trace: &LinkTrace, seed: u64) -> [Playback; 2] {
        [Direction::Forward, Direction::Reverse].map(|direction| Playback::new(trace.clone(), direction, seed))
    }

    #[test]
    fn exactly_one_direction_drops_and_the_halves_make_the_whole() {
        let trace = LinkTrace::parse("0,20.001\n10,LOST\n20,30\n30,LOST\n40,LOST\n50,9").unwrap();
        let rtts = [20_001, 20_001, 30_000, 30_000, 30_000, 9_000];
        for seed in 0..100 {
            let [forward, reverse] = directions(&trace, seed);
            for now_us in (0..10 * trace.duration_us()).step_by(1_250) {
                let fates = [forward.fate(now_us), reverse.fate(now_us)];
                let sample = (now_us / 10_000 % 6) as usize;
                let lost = [1, 3, 4].contains(&sample);
                assert_eq!(fates.iter().filter(|fate| fate.lost).count(), usize::from(lost));
                assert_eq!(fates[0].one_way_us + fates[1].one_way_us, rtts[sample]);
            }
        }
    }

    #[test]
    fn coins_are_fair_within_three_sigma_and_differ_from_lap_to_lap() {
        let trace = LinkTrace::parse("0,20\n1,LOST").unwrap();
        for seed in 0..16 {
            let [forward, _] = directions(&trace, seed);
            let coins: Vec<bool> = (0..40_000).map(|n| forward.fate(2_000 * n + 1_000).lost).collect();
            let heads = coins.iter().filter(|coin| **coin).count();
            // The deviation of 40,000 fair coins is 100.
            assert!(heads.abs_diff(20_000) <= 300, "seed {seed}: {heads}");
            for lag in 1..8 {
                let same = coins.iter().zip(&coins[lag..]).filter(|(a, b)| a == b).count();
                assert!(same.abs_diff(20_000) <= 310, "seed {seed}, lag {lag}: {same}");
            }
        }
    }
}
