//! [`Congestion`]: how much of a large message is under way at a time.
//!
//! Messages of one packet are bounded by their channel's rate and are never held back. Larger ones are:
//! by a window that grows by a sixteenth each round trip (by half until the first sign of a queue), and
//! shrinks when packets begin to queue on the way (the shortest round trip of a whole round is 12 ms above
//! the least of such: jitter alone leaves some that are short) or more than a fifth are lost. Loss below
//! that is the weather of a radio link and says nothing about room. A queue is noticed before it costs
//! the match beside it much: the inputs share the path.

const PACKET_BYTES: u64 = 1_200;
const LEAST_BYTES: u64 = 8 * PACKET_BYTES;
const FIRST_BYTES: u64 = 16 * PACKET_BYTES;
const MOST_BYTES: u64 = 256 * PACKET_BYTES;

/// A round whose shortest trip is this far above the least has a queue in it.
const QUEUE_US: u64 = 12_000;

/// Measurements in a round, below which its shortest says nothing.
const LEAST_SAMPLES: u32 = 8;

/// Taken for the round trip while none is known.
const UNKNOWN_RTT_US: u64 = 100_000;

/// How far packets may run ahead of an even pace.
const AHEAD_US: u64 = 2_000;

/// For how long the least round trip is remembered, at least; twice that at most.
const MEMORY_US: u64 = 10_000_000;

#[derive(Clone, Debug)]
pub(super) struct Congestion {
    window_bytes: u64,
    under_way_bytes: u64,
    is_probing: bool,
    least_rtt_us: [u64; 2],
    least_since_us: u64,
    round_until_us: u64,
    round: Round,
    next_us: u64,
}

/// What one round trip showed.
#[derive(Clone, Copy, Debug)]
struct Round {
    arrived: u32,
    lost: u32,
    samples: u32,
    shortest_us: u64,
    was_full: bool,
}

impl Round {
    const NEW: Self = Self { arrived: 0, lost: 0, samples: 0, shortest_us: u64::MAX, was_full: false };
}

impl Congestion {
    pub(super) fn new() -> Self {
        Self {
            window_bytes: FIRST_BYTES,
            under_way_bytes: 0,
            is_probing: true,
            least_rtt_us: [u64::MAX; 2],
            least_since_us: 0,
            round_until_us: 0,
            round: Round::NEW,
            next_us: 0,
        }
    }

    /// Whether the window has room for another packet; if not, an acknowledgement makes some.
    pub(super) fn has_room(&self) -> bool {
        self.under_way_bytes < self.window_bytes
    }

    /// From when the next packet may go, as far as the pace is concerned.
    pub(super) fn open_us(&self) -> u64 {
        self.next_us
    }

    pub(super) fn sent(&mut self, now_us: u64, bytes: usize, rtt_us: Option<u64>) {
        self.under_way_bytes += bytes as u64;
        self.round.was_full |= !self.has_room();
        // A quarter faster than the window needs, so that the pace never is what bounds it.
        let spacing_us = bytes as u64 * rtt_us.unwrap_or(UNKNOWN_RTT_US) * 4 / (self.window_bytes * 5);
        self.next_us = self.next_us.max(now_us.saturating_sub(AHEAD_US)).saturating_add(spacing_us);
    }

    pub(super) fn arrived(&mut self, bytes: usize) {
        self.under_way_bytes = self.under_way_bytes.saturating_sub(bytes as u64);
        self.round.arrived += 1;
    }

    pub(super) fn lost(&mut self, bytes: usize) {
        self.under_way_bytes = self.under_way_bytes.saturating_sub(bytes as u64);
        self.round.lost += 1;
    }

    /// A round trip was measured.
    pub(super) fn measured(&mut self, now_us: u64, rtt_us: u64) {
        self.round.samples += 1;
        self.round.shortest_us = self.round.shortest_us.min(rtt_us);
        if now_us >= self.round_until_us {
            self.end_round(now_us);
            self.round_until_us = now_us.saturating_add(rtt_us);
        }
    }

    fn end_round(&mut self, now_us: u64) {
        let Round { arrived, lost, samples, shortest_us, was_full } = core::mem::replace(&mut self.round, Round::NEW);
        let is_measured = samples >= LEAST_SAMPLES;
        if is_measured {
            if now_us.saturating_sub(self.least_since_us) >= MEMORY_US {
                self.least_since_us = now_us;
                self.least_rtt_us = [u64::MAX, self.least_rtt_us[0]];
            }
            // Of whole rounds, as what it is compared with: one lucky trip says nothing.
            self.least_rtt_us[0] = self.least_rtt_us[0].min(shortest_us);
        }
        let least_us = self.least_rtt_us[0].min(self.least_rtt_us[1]);
        let unqueued_us = least_us.saturating_add(QUEUE_US);
        let is_lossy = lost > 4 && u64::from(lost) * 5 > u64::from(arrived) + u64::from(lost);
        if is_measured && shortest_us > unqueued_us {
            self.is_probing = false;
            // As much as was under way beyond what the path itself holds waits in the queue.
            self.window_bytes = self.window_bytes * (unqueued_us - QUEUE_US / 2) / shortest_us;
        } else if is_lossy {
            self.window_bytes = self.window_bytes * 2 / 3;
            self.is_probing = false;
        } else if was_full {
            self.window_bytes += if self.is_probing { self.window_bytes / 2 } else { PACKET_BYTES.max(self.window_bytes / 16) };
        }
        self.window_bytes = self.window_bytes.clamp(LEAST_BYTES, MOST_BYTES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fills the window every round trip of `rtt_us`, of which every `lost_every`th packet is lost.
    fn run(congestion: &mut Congestion, from_us: u64, rounds: u64, rtt_us: u64, lost_every: usize) -> u64 {
        let mut now_us = from_us;
        for _ in 0..rounds {
            let mut sent = 0;
            while congestion.has_room() {
                congestion.sent(now_us, 1_200, Some(rtt_us));
                sent += 1;
            }
            now_us += rtt_us;
            for packet in 1..=sent {
                if packet % lost_every == 0 {
                    congestion.lost(1_200)
                } else {
                    congestion.arrived(1_200)
                }
                // The last one ends the round.
                congestion.measured(if packet == sent { now_us } else { now_us - 1 }, rtt_us);
            }
        }
        now_us
    }

    #[test]
    fn it_grows_on_a_clean_link_and_on_a_lossy_one_and_shrinks_before_a_queue() {
        for lost_every in [usize::MAX, 10] {
            let mut congestion = Congestion::new();
            let now_us = run(&mut congestion, 0, 10, 60_000, lost_every);
            assert_eq!(congestion.window_bytes, MOST_BYTES, "one of {lost_every} lost");
            // The same with a queue of 40 ms.
            run(&mut congestion, now_us, 40, 100_000, lost_every);
            assert!(congestion.window_bytes <= MOST_BYTES / 4, "{}", congestion.window_bytes);
        }
        let mut congestion = Congestion::new();
        run(&mut congestion, 0, 60, 60_000, 3);
        // With fewer packets than that, a few losses are no sign of anything.
        assert!(congestion.window_bytes <= 2 * LEAST_BYTES, "a third lost: {}", congestion.window_bytes);
    }

    #[test]
    fn a_longer_path_is_taken_for_a_queue_only_for_a_while() {
        let mut congestion = Congestion::new();
        let now_us = run(&mut congestion, 0, 100, 60_000, usize::MAX);
        let now_us = run(&mut congestion, now_us, 60, 100_000, usize::MAX);
        assert_eq!(congestion.window_bytes, LEAST_BYTES);
        run(&mut congestion, now_us, 400, 100_000, usize::MAX);
        assert!(congestion.window_bytes > 4 * LEAST_BYTES);
    }

    #[test]
    fn what_is_not_used_does_not_grow() {
        let mut congestion = Congestion::new();
        for round in 0..100 {
            congestion.sent(round * 60_000, 1_200, Some(60_000));
            congestion.arrived(1_200);
            congestion.measured(round * 60_000 + 60_000, 60_000);
        }
        assert_eq!(congestion.window_bytes, FIRST_BYTES);
    }

    #[test]
    fn the_pace_spreads_a_window_over_less_than_a_round_trip() {
        let mut congestion = Congestion::new();
        let mut packets = 0;
        for now_us in 0..60_000 {
            if congestion.has_room() && congestion.open_us() <= now_us {
                congestion.sent(now_us, 1_200, Some(60_000));
                packets += 1;
            }
            if now_us == 10_000 {
                assert!((2..=5).contains(&packets), "{packets}");
            }
        }
        assert_eq!(packets, 16);
    }
}
