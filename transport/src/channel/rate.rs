//! How often messages may go out, and how often they are believed to come in.

use std::collections::VecDeque;

const SECOND_US: u64 = 1_000_000;

/// At most so many in any second, whenever that second begins: a burst of that many goes at once, the
/// next one waits until the first is a second old.
#[derive(Clone, Debug)]
pub(super) struct RateLimit {
    max_hz: usize,
    sent_us: VecDeque<u64>,
}

impl RateLimit {
    pub(super) fn new(max_hz: u16) -> Self {
        let max_hz = usize::from(max_hz.max(1));
        Self { max_hz, sent_us: VecDeque::with_capacity(max_hz) }
    }

    /// From when the next may go.
    pub(super) fn open_us(&self) -> u64 {
        match self.sent_us.front() {
            Some(first) if self.sent_us.len() >= self.max_hz => first.saturating_add(SECOND_US),
            _ => 0,
        }
    }

    /// Notes that one goes now.
    pub(super) fn note(&mut self, now_us: u64) {
        if self.sent_us.len() >= self.max_hz {
            self.sent_us.pop_front();
        }
        self.sent_us.push_back(now_us);
    }
}

/// What a receiver lets through: a sender that keeps to the rate is never held up, however its messages
/// are bunched on the way.
#[derive(Clone, Debug)]
pub(super) struct Admission {
    /// Between two messages in the long run.
    spacing_us: u64,
    /// What has been saved up, as time: at most `depth_us`.
    saved_us: u64,
    depth_us: u64,
    seen_us: u64,
}

impl Admission {
    /// For a sender of at most `max_hz`, of whose messages `most_under_way` may arrive at once.
    pub(super) fn new(max_hz: u16, most_under_way: usize) -> Self {
        // A tenth faster than the rate: two clocks are never the same.
        let spacing_us = SECOND_US * 10 / (u64::from(max_hz.max(1)) * 11);
        let depth_us = spacing_us * (most_under_way as u64 + 2 * u64::from(max_hz));
        Self { spacing_us, saved_us: depth_us, depth_us, seen_us: 0 }
    }

    fn saved_at(&self, now_us: u64) -> u64 {
        self.saved_us.saturating_add(now_us.saturating_sub(self.seen_us)).min(self.depth_us)
    }

    /// Whether a message is let through now; it is counted if it is.
    pub(super) fn admit(&mut self, now_us: u64) -> bool {
        self.saved_us = self.saved_at(now_us);
        self.seen_us = self.seen_us.max(now_us);
        let is_admitted = self.saved_us >= self.spacing_us;
        if is_admitted {
            self.saved_us -= self.spacing_us;
        }
        is_admitted
    }

    /// From when the next is let through.
    pub(super) fn open_us(&self) -> u64 {
        self.seen_us.saturating_add(self.spacing_us.saturating_sub(self.saved_us))
    }
}

/// What was used of the rates of all channels to one peer, in both directions.
#[derive(Clone, Debug)]
pub(crate) struct UsedRates(pub(super) Vec<(RateLimit, Admission)>);

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Rng;

    #[test]
    fn no_second_holds_more_than_the_rate_and_none_wastes_it() {
        for (seed, max_hz) in (0..).zip([1, 5, 10, 15, 30, 60]) {
            let mut rng = Rng::new(seed, 0);
            let mut limit = RateLimit::new(max_hz);
            let mut sent: Vec<u64> = Vec::new();
            let mut now_us = 0;
            for _ in 0..20_000 {
                now_us += u64::from(rng.below(2 * 1_000_000 / u32::from(max_hz)));
                let recent = sent.iter().rev().take_while(|at| **at + SECOND_US > now_us).count();
                assert_eq!(limit.open_us() <= now_us, recent < usize::from(max_hz), "{max_hz} Hz at {now_us}");
                if limit.open_us() <= now_us {
                    limit.note(now_us);
                    sent.push(now_us);
                }
            }
            assert!(sent.len() > 1_000);
        }
    }

    #[test]
    fn an_honest_sender_is_never_held_up_however_its_messages_are_bunched() {
        for (seed, max_hz) in (0..).zip([1, 5, 10, 15, 30, 60]) {
            let mut rng = Rng::new(seed, 1);
            let (mut limit, mut admission) = (RateLimit::new(max_hz), Admission::new(max_hz, 64));
            let (mut now_us, mut waiting) = (0, 0);
            for _ in 0..5_000 {
                now_us = limit.open_us().max(now_us);
                limit.note(now_us);
                waiting += 1;
                // The link lets them through now, or only once 64 are under way.
                if waiting == 64 || rng.below(40) == 0 {
                    for _ in 0..core::mem::take(&mut waiting) {
                        assert!(admission.admit(now_us), "{max_hz} Hz at {now_us}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_sender_that_is_too_fast_gets_no_more_than_the_rate_in_the_long_run() {
        let mut admission = Admission::new(10, 64);
        let admitted = (0..60_000_000).step_by(1_000).filter(|now_us| admission.admit(*now_us)).count();
        assert!((600..=660 + 64 + 20).contains(&admitted), "{admitted}");
        let open_us = admission.open_us();
        assert!(!admission.clone().admit(open_us - 1) && admission.admit(open_us));
    }
}
