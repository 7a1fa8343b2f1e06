//! [`Tally`]: what became of the messages of one or many trials.

use crate::wire::WireCount;

/// Messages, latencies and what went over the wire. Trials add up.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Messages given to `send`.
    pub sent: u64,
    /// Messages that came out at the other end.
    pub delivered: u64,
    /// Of those, how many came after a later one.
    pub out_of_order: u64,
    /// How many came once more.
    pub duplicates: u64,
    /// How many were not as they had been sent.
    pub damaged: u64,
    /// What both ends sent while messages were being sent.
    pub wire: WireCount,
    /// Of every delivered message, in microseconds.
    latencies_us: Vec<u64>,
    /// Last messages of a burst: how many were sent, and the latencies of those that arrived.
    last_sent: u64,
    last_latencies_us: Vec<u64>,
}

impl Tally {
    /// A message was sent; whether it ends a burst.
    pub fn sent(&mut self, is_last: bool) {
        self.sent += 1;
        self.last_sent += u64::from(is_last);
    }

    /// A message arrived for the first time.
    pub fn arrived(&mut self, latency_us: u64, is_last: bool) {
        self.delivered += 1;
        self.latencies_us.push(latency_us);
        if is_last {
            self.last_latencies_us.push(latency_us);
        }
    }

    /// Adds another trial.
    pub fn add(&mut self, other: &Self) {
        self.sent += other.sent;
        self.delivered += other.delivered;
        self.out_of_order += other.out_of_order;
        self.duplicates += other.duplicates;
        self.damaged += other.damaged;
        self.wire = WireCount::sum([self.wire, other.wire]);
        self.latencies_us.extend(&other.latencies_us);
        self.last_sent += other.last_sent;
        self.last_latencies_us.extend(&other.last_latencies_us);
    }

    /// The counts and latencies in one line, for a test that fails.
    #[must_use]
    pub fn summary(&self) -> String {
        let Self { sent, delivered, out_of_order, duplicates, damaged, .. } = self;
        let latencies = [500, 990, 1_000].map(|per_thousand| self.latency_us(per_thousand));
        format!(
            "{delivered} of {sent} delivered, {out_of_order} out of order, {duplicates} duplicates, {damaged} damaged, \
             p50, p99, longest: {latencies:?} us"
        )
    }

    /// Whether every message came once, in order and as it had been sent.
    #[must_use]
    pub fn is_flawless(&self) -> bool {
        self.delivered == self.sent && self.is_clean()
    }

    /// Whether what came, came once, in order and as it had been sent.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.out_of_order + self.duplicates + self.damaged == 0
    }

    /// The latency that so many of a thousand messages do not exceed, in microseconds; `None` if it is
    /// that of a message which never came. 1,000 is the longest.
    #[must_use]
    pub fn latency_us(&self, per_thousand: u64) -> Option<u64> {
        rank(&self.latencies_us, self.sent, per_thousand)
    }

    /// The same of the last messages of bursts.
    #[must_use]
    pub fn last_latency_us(&self, per_thousand: u64) -> Option<u64> {
        rank(&self.last_latencies_us, self.last_sent, per_thousand)
    }
}

/// The nearest rank: of `sent` messages in the order of their latency, the one at this share.
fn rank(latencies_us: &[u64], sent: u64, per_thousand: u64) -> Option<u64> {
    let mut sorted = latencies_us.to_vec();
    sorted.sort_unstable();
    let place = (sent * per_thousand).div_ceil(1_000).max(1) - 1;
    sorted.get(usize::try_from(place).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_came_is_the_slowest() {
        let mut tally = Tally::default();
        assert_eq!(tally.latency_us(500), None);
        for n in 1..=98 {
            tally.sent(n == 98);
            tally.arrived(n, n == 98);
        }
        tally.sent(true);
        tally.sent(false);
        assert_eq!((tally.latency_us(500), tally.latency_us(980)), (Some(50), Some(98)));
        assert_eq!((tally.latency_us(990), tally.latency_us(1_000)), (None, None));
        assert_eq!((tally.last_latency_us(500), tally.last_latency_us(990)), (Some(98), None));
        assert!(tally.is_clean() && !tally.is_flawless());
        let mut twice = tally.clone();
        twice.add(&tally);
        assert_eq!((twice.sent, twice.delivered, twice.latency_us(500)), (200, 196, Some(50)));
    }
}
