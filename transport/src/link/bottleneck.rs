//! The slowest hop of a link, as a queue that is computed and not kept.

/// A byte in the unit of the backlog, a millionth of a bit, in which a rate in bits per second
/// drains a whole number each microsecond: no rounding adds up.
const BYTE: u64 = 8_000_000;

/// A queue that drains at a fixed rate.
#[derive(Clone, Debug, Default)]
pub(super) struct Bottleneck {
    backlog: u64,
    drained_to_us: u64,
}

impl Bottleneck {
    /// Takes a datagram of `bytes`; returns when its last bit leaves, or `None` if the queue is
    /// full. A datagram that finds the hop idle always fits.
    pub(super) fn admit(&mut self, now_us: u64, bytes: usize, rate_bits_per_second: Option<u64>, queue_bytes: u64) -> Option<u64> {
        let Some(rate) = rate_bits_per_second else {
            self.backlog = 0;
            return Some(now_us);
        };
        let waited_us = now_us.saturating_sub(self.drained_to_us);
        self.backlog = self.backlog.saturating_sub(waited_us.saturating_mul(rate));
        self.drained_to_us = self.drained_to_us.max(now_us);

        let size = (bytes as u64).saturating_mul(BYTE);
        let filled = self.backlog.saturating_add(size);
        if self.backlog > 0 && filled > queue_bytes.saturating_mul(BYTE) {
            return None;
        }
        self.backlog = filled;
        Some(now_us.saturating_add(filled.div_ceil(rate.max(1))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Rng;
    use std::collections::VecDeque;

    /// The same hop as a list of datagrams with exact end times, in units of 1 / rate microseconds.
    #[derive(Default)]
    struct Reference {
        free_at: u128,
        waiting: VecDeque<(u128, u64)>,
    }

    impl Reference {
        fn admit(&mut self, now_us: u64, bytes: usize, rate: u64, queue_bytes: u64) -> Option<u64> {
            let now = u128::from(now_us) * u128::from(rate);
            while self.waiting.front().is_some_and(|(end, _)| *end <= now) {
                self.waiting.pop_front();
            }
            let unsent = self.free_at.saturating_sub(now);
            let queue = u128::from(queue_bytes) * 8_000_000;
            let size = bytes as u128 * 8_000_000;
            if !self.waiting.is_empty() && unsent + size > queue {
                return None;
            }
            self.free_at = self.free_at.max(now) + size;
            self.waiting.push_back((self.free_at, bytes as u64));
            Some(self.free_at.div_ceil(u128::from(rate)) as u64)
        }
    }

    #[test]
    fn agrees_with_a_list_of_datagrams() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed, 0);
            // Half of the runs are coarse, so that a queue is often exactly full.
            let coarse = seed % 2 == 0;
            let step = if coarse { 100 } else { 1 };
            let rate = if coarse { 8_000_000 } else { 1 + u64::from(rng.below(20_000_000)) };
            let queue_bytes = u64::from(rng.below(30_000 / step) * step);
            let (mut hop, mut reference) = (Bottleneck::default(), Reference::default());
            let mut now_us = 0;
            for _ in 0..500 {
                now_us += u64::from(rng.below(3_000 / step) * step);
                let bytes = ((1 + rng.below(1_500 / step)) * step) as usize;
                let leaves = hop.admit(now_us, bytes, Some(rate), queue_bytes);
                let expected = reference.admit(now_us, bytes, rate, queue_bytes);
                assert_eq!(leaves, expected, "seed {seed} at {now_us}");
            }
        }
    }

    #[test]
    fn no_rate_is_no_queue() {
        let mut hop = Bottleneck::default();
        assert_eq!(hop.admit(5, 1_500, Some(1), 0), Some(12_000_000_005));
        assert_eq!(hop.admit(6, 1_500, Some(1), 0), None);
        assert_eq!(hop.admit(7, 1_500, None, 0), Some(7));
    }
}
