//! [`Times`]: when the ticks were, and which is before a time, without a search where ticks are regular.

/// Steps from the guess to the tick before the binary search begins.
const STEPS: u32 = 4;

/// The times of the ticks in the history.
#[derive(Debug)]
pub(super) struct Times {
    times_us: Vec<u64>,
    newest: u64,
    newest_slot: usize,
}

impl Times {
    pub(super) fn new(max_ticks: usize) -> Self {
        Self { times_us: vec![0; max_ticks], newest: 0, newest_slot: 0 }
    }

    pub(super) fn record(&mut self, tick: u64, time_us: u64) {
        self.newest = tick;
        self.newest_slot = (tick % self.times_us.len() as u64) as usize;
        self.times_us[self.newest_slot] = time_us;
    }

    /// The slot of a tick that is not out of the history yet: without a division, which would cost as
    /// much as a short query.
    #[inline(always)]
    pub(super) fn slot(&self, tick: u64) -> usize {
        let back = (self.newest - tick) as usize;
        if back <= self.newest_slot { self.newest_slot - back } else { self.newest_slot + self.times_us.len() - back }
    }

    #[inline(always)]
    pub(super) fn at(&self, tick: u64) -> u64 {
        self.times_us[self.slot(tick)]
    }

    /// The last tick that is not after `time_us`, which is not before `oldest` and before `newest`.
    pub(super) fn before(&self, time_us: u64, oldest: u64, newest: u64) -> u64 {
        // As if all ticks were as long as the newest.
        let newest_us = self.at(newest);
        let step_us = newest_us - self.at(newest - 1);
        let back = (newest_us - time_us).checked_div(step_us).unwrap_or(0) + 1;
        let mut tick = newest.saturating_sub(back).max(oldest);
        for _ in 0..STEPS {
            if self.at(tick) > time_us {
                tick -= 1;
            } else if self.at(tick + 1) <= time_us {
                tick += 1;
            } else {
                return tick;
            }
        }
        let (mut low, mut high) = (oldest, newest);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.at(middle) <= time_us { low = middle } else { high = middle }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Rng;

    #[test]
    fn the_tick_before_a_time_is_found_however_irregular_ticks_are() {
        let mut rng = Rng::new(5, 1);
        for round in 0..40u32 {
            let mut times = Times::new(2 + rng.below(20) as usize);
            let (mut now_us, mut all) = (1_000, Vec::new());
            for tick in 0..60u64 {
                let size = rng.below(16);
                now_us += 1 + u64::from(if round % 2 == 0 { rng.below(3) + 10 } else { rng.below(1 << size) });
                all.push(now_us);
                times.record(tick, now_us);
                let oldest = (tick + 1).saturating_sub(times.times_us.len() as u64);
                if tick == oldest {
                    continue;
                }
                for _ in 0..20 {
                    let span = now_us - all[oldest as usize];
                    let time_us = all[oldest as usize] + u64::from(rng.next_u32()) % span;
                    let expected = all.iter().rposition(|&at| at <= time_us).unwrap() as u64;
                    assert_eq!(times.before(time_us, oldest, tick), expected);
                }
            }
        }
    }
}
