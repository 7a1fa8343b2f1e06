//! [`Sampler`]: what has changed since the last sample.

use super::ring::Ring;
use super::sample::NetSample;

/// Takes a sample now and then. Everything it is told counts from the start of the match.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    ring: Ring<NetSample>,
    interval_us: u64,
    due_us: Option<u64>,
    depth_frames: u32,
    /// The sums at the last sample.
    before: NetSample,
}

impl Sampler {
    pub(crate) fn new(capacity: usize, interval_us: u64) -> Self {
        let ring = Ring::new(capacity, || NetSample::EMPTY);
        Self { ring, interval_us: interval_us.max(1), due_us: None, depth_frames: 0, before: NetSample::EMPTY }
    }

    /// A tick rewound so far. Whether a sample is due.
    pub(crate) fn tick(&mut self, now_us: u64, depth_frames: u32) -> bool {
        self.depth_frames = self.depth_frames.max(depth_frames);
        now_us >= *self.due_us.get_or_insert(now_us)
    }

    /// Takes a sample: `sums` has the momentary values, and everything that is counted since the start.
    pub(crate) fn take(&mut self, sums: NetSample) {
        let is_first = self.ring.pushed() == 0 && self.before.at_us == 0;
        let before = core::mem::replace(&mut self.before, sums);
        // A program that was asleep does not make up for the samples that it missed.
        let due_us = self.due_us.unwrap_or(sums.at_us).saturating_add(self.interval_us);
        self.due_us = Some(if due_us <= sums.at_us { sums.at_us.saturating_add(self.interval_us) } else { due_us });
        let depth_frames = core::mem::take(&mut self.depth_frames);
        if is_first {
            // What the handshake took is not of any moment of the match.
            return;
        }
        let sample = NetSample {
            span_us: sums.at_us.saturating_sub(before.at_us),
            frames: sums.frames.saturating_sub(before.frames),
            rollbacks: sums.rollbacks.saturating_sub(before.rollbacks),
            resimulated_frames: sums.resimulated_frames.saturating_sub(before.resimulated_frames),
            stalls: sums.stalls.since(&before.stalls),
            sent_bytes: sums.sent_bytes.saturating_sub(before.sent_bytes),
            received_bytes: sums.received_bytes.saturating_sub(before.received_bytes),
            depth_frames,
            ..sums
        };
        if let Some(place) = self.ring.push() {
            *place = sample;
        }
    }

    /// The samples from `number` on that are still here, the oldest first.
    pub(crate) fn since(&self, number: u64) -> impl DoubleEndedIterator<Item = &NetSample> + '_ {
        self.ring.since(number)
    }

    /// How many were taken.
    pub(crate) fn taken(&self) -> u64 {
        self.ring.pushed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_what_changed_since_the_one_before() {
        let mut sampler = Sampler::new(2, 1_000);
        let mut taken = Vec::new();
        for tick in 0..40 {
            let now_us = 5_000 + tick * 100;
            if sampler.tick(now_us, (tick % 7) as u32) {
                sampler.take(NetSample { at_us: now_us, frames: 10 * tick, sent_bytes: tick * tick, ..NetSample::EMPTY });
            }
            taken = sampler
                .since(0)
                .map(|sample| (sample.at_us, sample.span_us, sample.frames, sample.sent_bytes, sample.depth_frames))
                .collect();
        }
        assert_eq!(taken, [(7_000, 1_000, 100, 300, 6), (8_000, 1_000, 100, 500, 6)]);
        assert_eq!(sampler.taken(), 3);
    }

    #[test]
    fn time_asleep_is_one_sample() {
        let mut sampler = Sampler::new(8, 1_000);
        for now_us in [1, 1_001, 9_500, 10_400, 10_500] {
            if sampler.tick(now_us, 0) {
                sampler.take(NetSample { at_us: now_us, ..NetSample::EMPTY });
            }
        }
        assert_eq!(sampler.since(0).map(|sample| sample.span_us).collect::<Vec<_>>(), [1_000, 8_499, 1_000]);
    }
}
