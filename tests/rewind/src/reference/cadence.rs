//! When a hitbox is due to be sampled.

use super::history::Settings;
use crate::scene::Pace;

/// The shortest and the longest time between two samples, in microseconds: 240 a second, and 80 ms.
pub const INTERVALS_US: (u64, u64) = (4_166, 80_000);

/// The time between two samples; nothing at every tick.
#[must_use]
pub fn interval_us(pace: Pace) -> Option<u64> {
    let (Pace::Owner(hz) | Pace::Fixed(hz)) = pace else { return None };
    let (shortest_us, longest_us) = INTERVALS_US;
    Some(if hz == 0 { longest_us } else { (1_000_000 / u64::from(hz)).clamp(shortest_us, longest_us) })
}

/// What earlier samples used up of the time since a hitbox was registered.
#[derive(Clone, Copy, Debug)]
pub struct Cadence {
    /// Nothing at every tick.
    interval_us: Option<u64>,
    registered_us: u64,
    used_us: u64,
}

impl Cadence {
    /// Of a hitbox that is registered now.
    #[must_use]
    pub fn new(pace: Pace, registered_us: u64) -> Self {
        Self { interval_us: interval_us(pace), registered_us, used_us: 0 }
    }

    /// Whether it is due at the tick at `now_us`, `passed_us` after the one before. Its newest sample is
    /// of `newest_us`. If it is, the intervals that have passed whole are used up.
    pub fn is_due(&mut self, now_us: u64, passed_us: u64, newest_us: u64, settings: &Settings) -> bool {
        let Some(interval_us) = self.interval_us else { return true };
        let intervals = (now_us - self.registered_us - self.used_us) / interval_us;
        // Now there is no gap; at another tick like this one there would be.
        let gap_us = settings.max_interpolation_gap_us;
        let is_last_chance = now_us <= newest_us + gap_us && now_us + passed_us > newest_us + gap_us;
        self.used_us += intervals * interval_us;
        intervals > 0 || is_last_chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of ticks 16 ms apart are due, the first one being the registration.
    fn due(pace: Pace, ticks: &[u64]) -> Vec<u64> {
        let mut cadence = Cadence::new(pace, ticks[0]);
        let mut newest_us = ticks[0];
        let mut due = Vec::new();
        for pair in ticks.windows(2) {
            if cadence.is_due(pair[1], pair[1] - pair[0], newest_us, &Settings::default()) {
                newest_us = pair[1];
                due.push(pair[1]);
            }
        }
        due
    }

    #[test]
    fn the_rest_of_an_interval_counts_towards_the_next() {
        let ticks: Vec<u64> = (0..8).map(|tick| tick * 16_000).collect();
        // 40 ms: at 48 (8 over), 80 (0 over).
        assert_eq!(due(Pace::Fixed(25), &ticks), [48_000, 80_000]);
        assert_eq!(due(Pace::EveryTick, &ticks).len(), 7);
        assert_eq!(interval_us(Pace::Owner(0)), Some(80_000));
        assert_eq!(interval_us(Pace::Owner(1_000)), Some(4_166));
    }

    #[test]
    fn a_hitch_gives_one_sample() {
        // 90 ms are two intervals of 40 and 10 over.
        assert_eq!(due(Pace::Fixed(25), &[0, 90_000, 110_000, 121_000]), [90_000, 121_000]);
    }

    #[test]
    fn before_a_gap_it_is_due_early() {
        // At 60 ms the next tick would be at 120.
        assert_eq!(due(Pace::Fixed(13), &[0, 60_000, 61_000, 121_000]), [60_000, 121_000]);
    }
}
