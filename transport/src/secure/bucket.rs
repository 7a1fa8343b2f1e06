//! [`TokenBucket`]: how often something may be tried, by everybody or by one network.

use std::net::IpAddr;

/// Lets `capacity` tries through at once and one every `refill_us` in the long run.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenBucket {
    capacity: u64,
    refill_us: u64,
    /// When the bucket would be full, on the caller's clock.
    full_at_us: u64,
}

impl TokenBucket {
    pub(super) const fn new(capacity: u64, refill_us: u64) -> Self {
        Self { capacity, refill_us, full_at_us: 0 }
    }

    /// Whether there may be one more try now.
    pub(super) fn take(&mut self, now_us: u64) -> bool {
        let full_at_us = self.full_at_us.max(now_us) + self.refill_us;
        let may = full_at_us <= now_us.saturating_add(self.capacity * self.refill_us);
        if may {
            self.full_at_us = full_at_us;
        }
        may
    }
}

/// Networks that are remembered; beyond them the one that tried least lately is forgotten.
const NETWORKS: usize = 64;

/// A bucket for each network that tries.
#[derive(Clone, Debug)]
pub(super) struct NetworkBuckets {
    fresh: TokenBucket,
    buckets: Vec<(u128, TokenBucket)>,
}

impl NetworkBuckets {
    pub(super) fn new(fresh: TokenBucket) -> Self {
        Self { fresh, buckets: Vec::with_capacity(NETWORKS) }
    }

    /// Whether somebody in the network of `ip` may try once more now.
    pub(super) fn take(&mut self, now_us: u64, ip: IpAddr) -> bool {
        let network = network_of(ip);
        let at = match self.buckets.iter().position(|(known, _)| *known == network) {
            Some(at) => at,
            None => {
                if self.buckets.len() == NETWORKS
                    && let Some(oldest) = (0..NETWORKS).min_by_key(|at| self.buckets.get(*at).map(|(_, bucket)| bucket.full_at_us))
                {
                    self.buckets.swap_remove(oldest);
                }
                self.buckets.push((network, self.fresh));
                self.buckets.len() - 1
            }
        };
        self.buckets.get_mut(at).is_some_and(|(_, bucket)| bucket.take(now_us))
    }
}

/// Whom one may count as one: an IPv4 address, or the 64 bits that a provider gives to one house.
pub(super) fn network_of(ip: IpAddr) -> u128 {
    match ip.to_canonical() {
        IpAddr::V4(ip) => u128::from(ip.to_bits()),
        IpAddr::V6(ip) => ip.to_bits() | u128::from(u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_then_a_rate() {
        let mut bucket = TokenBucket::new(32, 10_000);
        let taken = |bucket: &mut TokenBucket, now_us| (0..1_000).filter(|_| bucket.take(now_us)).count();
        assert_eq!(taken(&mut bucket, 0), 32);
        assert_eq!(taken(&mut bucket, 9_999), 0);
        assert_eq!(taken(&mut bucket, 50_000), 5);
        assert_eq!(taken(&mut bucket, 10_000_000), 32);
    }

    #[test]
    fn each_network_has_its_own_and_the_list_is_bounded() {
        let mut buckets = NetworkBuckets::new(TokenBucket::new(2, 1_000_000));
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        assert_eq!((0..9).filter(|_| buckets.take(0, ip("10.0.0.1"))).count(), 2);
        assert!(buckets.take(0, ip("10.0.0.2")) && !buckets.take(0, ip("::ffff:10.0.0.1")));
        assert_eq!((0..9).filter(|n| buckets.take(0, ip(&format!("2001:db8::{n}")))).count(), 2);
        for n in 0..10_000u32 {
            buckets.take(0, IpAddr::from(n.to_be_bytes()));
        }
        assert_eq!(buckets.buckets.len(), NETWORKS);
    }
}
