//! Datagrams under way: who lands next, and their bytes in buffers that are used again.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Smallest buffer, and the largest that is kept for the next datagram, in bytes. A few huge
/// datagrams must not leave a pool of huge buffers behind.
const MIN_BUFFER_BYTES: usize = 64;
const MAX_KEPT_BYTES: usize = 2_048;

/// A datagram's place in the order of landing. Those due at the same time land as they took off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Due {
    at_us: u64,
    takeoff: u64,
    buffer: usize,
    number: u64,
}

/// All datagrams under way on one link.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    due: BinaryHeap<Reverse<Due>>,
    buffers: Vec<Vec<u8>>,
    free: Vec<usize>,
    /// Lent to the caller until the next call.
    lent: Option<usize>,
    takeoffs: u64,
    bytes: usize,
    max_datagrams: usize,
    max_bytes: usize,
}

impl Flight {
    pub(super) const fn new(max_datagrams: usize, max_bytes: usize) -> Self {
        Self { due: BinaryHeap::new(), buffers: Vec::new(), free: Vec::new(), lent: None, takeoffs: 0, bytes: 0, max_datagrams, max_bytes }
    }

    pub(super) fn len(&self) -> usize {
        self.due.len()
    }

    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn next_us(&self) -> Option<u64> {
        self.due.peek().map(|Reverse(due)| due.at_us)
    }

    /// Sends datagram `number` off, to land at `at_us`. False if there is no room for it.
    pub(super) fn take_off(&mut self, at_us: u64, number: u64, bytes: &[u8]) -> bool {
        if self.due.len() >= self.max_datagrams || bytes.len() > self.max_bytes - self.bytes {
            return false;
        }
        let buffer = self.free.pop().unwrap_or_else(|| {
            self.buffers.push(Vec::new());
            self.buffers.len() - 1
        });
        let Some(stored) = self.buffers.get_mut(buffer) else {
            return false;
        };
        stored.clear();
        if stored.capacity() < bytes.len() {
            stored.reserve_exact(bytes.len().next_power_of_two().max(MIN_BUFFER_BYTES));
        }
        stored.extend_from_slice(bytes);
        self.bytes += bytes.len();
        self.due.push(Reverse(Due { at_us, takeoff: self.takeoffs, buffer, number }));
        self.takeoffs += 1;
        true
    }

    /// The number and bytes of the next datagram due at or before `now_us`.
    pub(super) fn land(&mut self, now_us: u64) -> Option<(u64, &[u8])> {
        self.take_back();
        if self.next_us()? > now_us {
            return None;
        }
        let Reverse(due) = self.due.pop()?;
        self.lent = Some(due.buffer);
        let bytes = self.buffers.get(due.buffer)?.as_slice();
        self.bytes -= bytes.len();
        Some((due.number, bytes))
    }

    fn take_back(&mut self) {
        if let Some(buffer) = self.lent.take() {
            if let Some(stored) = self.buffers.get_mut(buffer)
                && stored.capacity() > MAX_KEPT_BYTES
            {
                *stored = Vec::new();
            }
            self.free.push(buffer);
        }
    }

    /// Bytes that the allocator handed out: changes when, and only when, something allocated.
    #[cfg(test)]
    pub(super) fn capacity_bytes(&self) -> usize {
        let stored: usize = self.buffers.iter().map(Vec::capacity).sum();
        stored
            + self.buffers.capacity() * size_of::<Vec<u8>>()
            + self.free.capacity() * size_of::<usize>()
            + self.due.capacity() * size_of::<Due>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Rng;

    #[test]
    fn agrees_with_a_sorted_list() {
        for seed in 0..100 {
            let mut rng = Rng::new(seed, 0);
            let (max_datagrams, max_bytes) = (1 + rng.below(50) as usize, 5_000);
            let mut flight = Flight::new(max_datagrams, max_bytes);
            let mut list: Vec<(u64, u64, Vec<u8>)> = Vec::new();
            for number in 0..1_000 {
                let bytes: Vec<u8> = (0..rng.below(400)).map(|_| rng.next_u32() as u8).collect();
                let at_us = u64::from(rng.below(1_000));
                let flying: usize = list.iter().map(|(.., bytes)| bytes.len()).sum();
                let room = list.len() < max_datagrams && flying + bytes.len() <= max_bytes;
                assert_eq!(flight.take_off(at_us, number, &bytes), room);
                if room {
                    list.push((at_us, number, bytes));
                    list.sort_by_key(|(at_us, ..)| *at_us);
                }
                let now_us = u64::from(rng.below(1_000));
                assert_eq!(flight.next_us(), list.first().map(|(at_us, ..)| *at_us));
                let first = list.first().filter(|(at_us, ..)| *at_us <= now_us).cloned();
                let landed = flight.land(now_us).map(|(number, bytes)| (number, bytes.to_vec()));
                assert_eq!(landed, first.map(|(_, number, bytes)| (number, bytes)));
                if landed.is_some() {
                    list.remove(0);
                }
                assert_eq!(flight.len(), list.len());
                assert_eq!(flight.bytes(), list.iter().map(|(.., bytes)| bytes.len()).sum::<usize>());
            }
        }
    }

    #[test]
    fn huge_buffers_are_not_kept() {
        let mut flight = Flight::new(8, 1 << 20);
        for number in 0..8 {
            assert!(flight.take_off(0, number, &[0; 60_000]));
        }
        while flight.land(0).is_some() {}
        assert!(flight.capacity_bytes() < 8 * MAX_KEPT_BYTES);
        assert!(flight.take_off(0, 8, &[0; 60_000]));
    }
}
