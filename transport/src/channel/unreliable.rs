//! [`SendLatest`] and [`ReceiveLatest`]: the messages of an unreliable channel. Whole or not at all, and
//! never one after a later one.

use super::error::Violation;
use super::outgoing::MESSAGE_COST_BYTES;
use super::packet::{Announcement, Frame, PART_HEADER_BYTES};
use super::rate::{Admission, RateLimit};
use super::topology::Channel;
use std::collections::VecDeque;
use std::sync::Arc;

/// Messages that wait to be read.
const MAX_UNREAD: usize = 32;

/// Messages that wait for the rate. Whoever offers more than the rate is served the newest.
const MAX_WAITING: usize = 4;

/// How far the parts of a message may run ahead of their pace: a program that polls at 60 Hz keeps it.
const AHEAD_US: u64 = 17_000;

#[derive(Debug)]
pub(super) struct SendLatest {
    stream: usize,
    part_bytes: usize,
    queue: VecDeque<Arc<[u8]>>,
    queued_bytes: usize,
    sending: Option<(Arc<[u8]>, usize)>,
    /// What the part that was written last belongs to.
    written: Arc<[u8]>,
    number: u32,
    pub(super) rate: RateLimit,
    /// In how long the parts of a message go out: half the time between two messages.
    spread_us: u64,
    part_us: u64,
    sent: u64,
    dropped: u64,
    pub(super) parts: u64,
}

impl SendLatest {
    pub(super) fn new(stream: usize, max_hz: u16, part_bytes: usize, first: u64) -> Self {
        Self {
            stream,
            part_bytes: part_bytes.max(1),
            queue: VecDeque::new(),
            queued_bytes: 0,
            sending: None,
            written: Arc::default(),
            number: first as u32,
            rate: RateLimit::new(max_hz),
            spread_us: 500_000 / u64::from(max_hz.max(1)),
            part_us: 0,
            sent: 0,
            dropped: 0,
            parts: 0,
        }
    }

    pub(super) fn waiting(&self) -> (usize, usize) {
        (self.queue.len() + usize::from(self.sending.is_some()), self.queued_bytes)
    }

    /// Queues a message, for which there is always room: the oldest makes it.
    pub(super) fn queue(&mut self, message: &[u8]) -> u64 {
        if self.queue.len() >= MAX_WAITING
            && let Some(oldest) = self.queue.pop_front()
        {
            self.queued_bytes = self.queued_bytes.saturating_sub(oldest.len() + MESSAGE_COST_BYTES);
            self.dropped += 1;
        }
        self.queued_bytes += message.len() + MESSAGE_COST_BYTES;
        self.queue.push_back(message.into());
        self.sent += 1;
        self.sent - 1
    }

    pub(super) fn sent(&self) -> u64 {
        self.sent
    }

    /// Messages that made room for newer ones.
    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }

    /// When the next part is due.
    pub(super) fn timeout_us(&self) -> Option<u64> {
        match &self.sending {
            Some(_) => Some(self.part_us),
            None => (!self.queue.is_empty()).then(|| self.rate.open_us()),
        }
    }

    /// The next part that is due and fits.
    pub(super) fn next_due(&mut self, now_us: u64, room_bytes: usize) -> Option<Frame<'_>> {
        if self.sending.is_none() {
            if self.queue.is_empty() || self.rate.open_us() > now_us {
                return None;
            }
            self.sending = self.queue.pop_front().map(|message| (message, 0));
            self.rate.note(now_us);
        } else if self.part_us > now_us {
            return None;
        }
        let (message, part) = self.sending.as_mut()?;
        let from = *part * self.part_bytes;
        let to = message.len().min(from + self.part_bytes);
        if to - from + PART_HEADER_BYTES > room_bytes {
            return None;
        }
        let last = message.len().div_ceil(self.part_bytes).max(1) - 1;
        let (message, this) = (Arc::clone(message), *part);
        *part += 1;
        self.part_us = self.part_us.max(now_us.saturating_sub(AHEAD_US)).saturating_add(self.spread_us / (last as u64 + 1));
        self.parts += 1;
        let number = self.number;
        if this >= last {
            self.sending = None;
            self.number = self.number.wrapping_add(1);
            self.queued_bytes = self.queued_bytes.saturating_sub(message.len() + MESSAGE_COST_BYTES);
        }
        self.written = message;
        Some(Frame::Part {
            stream: self.stream,
            message: number,
            part: this as u8,
            last: last as u8,
            of: Announcement::of(&self.written),
            bytes: self.written.get(from..to)?,
        })
    }
}

#[derive(Debug)]
struct Assembly {
    number: u32,
    of: Announcement,
    parts: Vec<Option<Box<[u8]>>>,
    missing: usize,
    bytes: usize,
}

#[derive(Debug)]
pub(super) struct ReceiveLatest {
    stream: usize,
    max_message_bytes: usize,
    /// The number of the newest message that was delivered or given up.
    newest: Option<u32>,
    assembly: Option<Assembly>,
    ready: VecDeque<Vec<u8>>,
    ready_bytes: usize,
    pub(super) admission: Admission,
    received: u64,
    duplicates: u64,
    dropped: u64,
}

impl ReceiveLatest {
    pub(super) fn new(stream: usize, max_hz: u16, max_message_bytes: usize) -> Self {
        Self {
            stream,
            max_message_bytes,
            newest: None,
            assembly: None,
            ready: VecDeque::new(),
            ready_bytes: 0,
            admission: Admission::new(max_hz, 0),
            received: 0,
            duplicates: 0,
            dropped: 0,
        }
    }

    /// Takes a part.
    pub(super) fn take(&mut self, now_us: u64, number: u32, part: u8, last: u8, of: Announcement, bytes: &[u8]) -> Result<(), Violation> {
        let channel = Channel::from_index(self.stream);
        let count = usize::from(last) + 1;
        if of.bytes as usize > self.max_message_bytes {
            return Err(Violation::TooLarge { channel });
        }
        if part > last {
            return Err(Violation::BrokenMessage { channel });
        }
        let is_newer = |than: u32| number.wrapping_sub(than) as i32 > 0;
        if self.newest.is_some_and(|newest| !is_newer(newest)) {
            self.duplicates += 1;
            return Ok(());
        }
        match &self.assembly {
            Some(assembly) if assembly.number == number => {}
            Some(assembly) if !is_newer(assembly.number) => {
                self.duplicates += 1;
                return Ok(());
            }
            unfinished => {
                self.dropped += u64::from(unfinished.is_some());
                self.assembly = None;
                if !self.admission.admit(now_us) {
                    self.dropped += 1;
                    self.newest = Some(number);
                    return Ok(());
                }
                let parts = core::iter::repeat_with(|| None).take(count).collect();
                self.assembly = Some(Assembly { number, of, parts, missing: count, bytes: 0 });
            }
        }
        let Some(assembly) = &mut self.assembly else { return Ok(()) };
        if assembly.of != of || assembly.parts.len() != count {
            return Err(Violation::BrokenMessage { channel });
        }
        let Some(slot) = assembly.parts.get_mut(usize::from(part)) else { return Ok(()) };
        if slot.is_some() {
            self.duplicates += 1;
            return Ok(());
        }
        assembly.bytes += bytes.len();
        if assembly.bytes > of.bytes as usize {
            return Err(Violation::BrokenMessage { channel });
        }
        *slot = Some(bytes.into());
        assembly.missing -= 1;
        if assembly.missing == 0 { self.finish() } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<(), Violation> {
        let channel = Channel::from_index(self.stream);
        let Some(Assembly { number, of, parts, .. }) = self.assembly.take() else { return Ok(()) };
        let bytes: Vec<u8> = parts.into_iter().flatten().flatten().collect();
        if bytes.len() != of.bytes as usize {
            return Err(Violation::BrokenMessage { channel });
        }
        if crc32fast::hash(&bytes) != of.crc {
            return Err(Violation::WrongChecksum { channel });
        }
        self.newest = Some(number);
        self.received += 1;
        self.ready_bytes += bytes.len() + MESSAGE_COST_BYTES;
        self.ready.push_back(bytes);
        // Who does not read sees the newest.
        while self.ready.len() > MAX_UNREAD || self.ready_bytes > 4 * (self.max_message_bytes + MESSAGE_COST_BYTES) {
            self.receive();
            self.dropped += 1;
        }
        Ok(())
    }

    pub(super) fn receive(&mut self) -> Option<Vec<u8>> {
        let message = self.ready.pop_front()?;
        self.ready_bytes = self.ready_bytes.saturating_sub(message.len() + MESSAGE_COST_BYTES);
        Some(message)
    }

    pub(super) fn counts(&self) -> LatestCounts {
        LatestCounts {
            received: self.received,
            duplicates: self.duplicates,
            dropped: self.dropped,
            unread: self.ready.len(),
            unread_bytes: self.ready_bytes,
        }
    }
}

/// How a stream is doing.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct LatestCounts {
    pub(super) received: u64,
    pub(super) duplicates: u64,
    pub(super) dropped: u64,
    pub(super) unread: usize,
    pub(super) unread_bytes: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(receive: &mut ReceiveLatest, now_us: u64, number: u32, message: &[u8]) {
        receive.take(now_us, number, 0, 0, Announcement::of(message), message).unwrap();
    }

    #[test]
    fn who_does_not_read_finds_the_newest_and_nothing_grows() {
        for (len, most) in [(10, MAX_UNREAD), (1_000, 4)] {
            let mut receive = ReceiveLatest::new(3, 20, 1_000);
            for number in 0..500 {
                part(&mut receive, u64::from(number) * 1_000_000, number, &vec![number as u8; len]);
            }
            let counts = receive.counts();
            assert_eq!((counts.unread, counts.dropped), (most, 500 - most as u64));
            assert!(counts.unread_bytes <= 4 * 1_064);
            let read: Vec<u8> = core::iter::from_fn(|| receive.receive()).map(|message| message[0]).collect();
            assert_eq!(read, (0..500).map(|number| number as u8).skip(500 - most).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_sender_that_is_too_fast_is_cut_to_the_rate() {
        let mut receive = ReceiveLatest::new(3, 20, 1_000);
        let mut read = 0;
        for number in 0..10_000 {
            part(&mut receive, u64::from(number) * 1_000, number, b"x");
            read += usize::from(receive.receive().is_some());
        }
        assert!((200..=220 + 40).contains(&read), "{read} in ten seconds");
    }

    #[test]
    fn whoever_offers_more_than_the_rate_is_served_the_newest() {
        let mut send = SendLatest::new(3, 20, 900, 0);
        let mut sent = Vec::new();
        for now_us in (0..3_000_000u64).step_by(1_000) {
            send.queue(&now_us.to_le_bytes());
            while let Some(Frame::Part { bytes, .. }) = send.next_due(now_us, 1_000) {
                sent.push((now_us, u64::from_le_bytes(bytes.try_into().unwrap())));
            }
        }
        assert_eq!(sent.len(), 60);
        assert!(sent.iter().all(|(at_us, made_us)| at_us - made_us <= 3_000), "{sent:?}");
        assert_eq!(send.dropped() + 60 + send.waiting().0 as u64, send.sent());
    }

    #[test]
    fn the_parts_of_a_message_are_spread_over_half_the_time_to_the_next() {
        let mut send = SendLatest::new(3, 20, 1_000, 0);
        send.queue(&[7; 30_000]);
        let mut times = Vec::new();
        for now_us in (100_000..200_000).step_by(100) {
            while send.next_due(now_us, 1_100).is_some() {
                times.push(now_us);
            }
        }
        assert_eq!(times.len(), 30);
        // What is allowed ahead of the pace goes at once.
        assert!((5_000..=25_000).contains(&(times[29] - times[0])), "{times:?}");
    }
}
