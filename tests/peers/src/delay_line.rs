//! [`DelayLine`]: one direction of a link.

use snapback::{Rng, TRANSMIT_BUFFER_BYTES};

/// How many datagrams may be on their way.
const IN_FLIGHT: usize = 64;

struct Slot {
    due_us: u64,
    len: usize,
    bytes: [u8; TRANSMIT_BUFFER_BYTES],
}

/// One direction of a link: every datagram takes the same time, and some are lost. Its memory is
/// allocated once, and is lent to whoever writes or reads a datagram.
pub struct DelayLine {
    slots: Box<[Slot]>,
    first: usize,
    count: usize,
    delay_us: u64,
    loss: Option<(Rng, u32)>,
}

impl DelayLine {
    /// A line that loses nothing.
    #[must_use]
    pub fn new(delay_us: u64) -> Self {
        let slots = (0..IN_FLIGHT).map(|_| Slot { due_us: 0, len: 0, bytes: [0; TRANSMIT_BUFFER_BYTES] }).collect();
        Self { slots, first: 0, count: 0, delay_us, loss: None }
    }

    /// From now on loses this many of a million datagrams, drawn from `rng`.
    pub fn lose(&mut self, rng: Rng, per_million: u32) {
        self.loss = Some((rng, per_million));
    }

    /// Sends what `write` writes; nothing if it returns 0. Returns what it returned.
    ///
    /// # Panics
    /// If more datagrams are on their way than any peer here sends in the time that they take.
    pub fn send(&mut self, now_us: u64, write: impl FnOnce(&mut [u8]) -> usize) -> usize {
        assert!(self.count < IN_FLIGHT, "more than {IN_FLIGHT} datagrams are on their way");
        let slot = &mut self.slots[(self.first + self.count) % IN_FLIGHT];
        slot.len = write(&mut slot.bytes);
        slot.due_us = now_us + self.delay_us;
        let lost = self.loss.as_mut().is_some_and(|(rng, per_million)| rng.chance(*per_million));
        if slot.len > 0 && !lost {
            self.count += 1;
        }
        slot.len
    }

    /// The next datagram that has arrived.
    pub fn receive(&mut self, now_us: u64) -> Option<&[u8]> {
        let slot = &self.slots[self.first];
        if self.count == 0 || slot.due_us > now_us {
            return None;
        }
        self.first = (self.first + 1) % IN_FLIGHT;
        self.count -= 1;
        Some(&slot.bytes[..slot.len])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(byte: u8) -> impl FnOnce(&mut [u8]) -> usize {
        move |out| {
            out[0] = byte;
            1
        }
    }

    #[test]
    fn datagrams_arrive_in_order_when_they_are_due() {
        let mut line = DelayLine::new(10);
        for n in 0..200 {
            let now_us = u64::from(n) * 5;
            assert_eq!(line.send(now_us, one(n)), 1);
            let expected = n.checked_sub(2).map(|n| vec![n]);
            assert_eq!(line.receive(now_us).map(<[u8]>::to_vec), expected);
            assert_eq!(line.receive(now_us), None);
        }
    }

    #[test]
    fn nothing_written_is_nothing_sent() {
        let mut line = DelayLine::new(0);
        assert_eq!(line.send(0, |_| 0), 0);
        assert_eq!(line.receive(0), None);
    }

    #[test]
    fn loss_is_as_often_as_was_asked() {
        let mut line = DelayLine::new(0);
        line.lose(Rng::new(1, 0), 250_000);
        let arrived = (0..4_000).filter(|_| {
            line.send(0, one(1));
            line.receive(0).is_some()
        });
        let arrived = arrived.count();
        assert!((2_900..3_100).contains(&arrived), "{arrived} of 4000 arrived");
    }
}
