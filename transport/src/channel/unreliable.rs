//! [`SendLatest`] and [`ReceiveLatest`]: the messages of an unreliable channel. Whole or not at all, and
//! never one after a later one.

use super::error::Violation;
use super::outgoing::MESSAGE_COST_BYTES;
use super::packet::{Announcement, Frame, PART_HEADER_BYTES};
use super::rate::{Admission, RateLimit};
use super::topology::Channel;
use std::collections::VecDeque;
use std::sync::Arc;

/// Messages that wait for the rate, or to be read.
const MAX_WAITING: usize = 32;

#[derive(Debug)]
pub(super) struct SendLatest {
    stream: usize,
    most_queued_bytes: usize,
    part_bytes: usize,
    queue: VecDeque<Arc<[u8]>>,
    queued_bytes: usize,
    sending: Option<(Arc<[u8]>, usize)>,
    /// What the part that was written last belongs to.
    written: Arc<[u8]>,
    number: u32,
    pub(super) rate: RateLimit,
    sent: u64,
    pub(super) parts: u64,
}

impl SendLatest {
    pub(super) fn new(stream: usize, max_hz: u16, max_message_bytes: usize, part_bytes: usize, first: u64) -> Self {
        Self {
            stream,
            most_queued_bytes: 4 * (max_message_bytes + MESSAGE_COST_BYTES),
            part_bytes: part_bytes.max(1),
            queue: VecDeque::new(),
            queued_bytes: 0,
            sending: None,
            written: Arc::default(),
            number: first as u32,
            rate: RateLimit::new(max_hz),
            sent: 0,
            parts: 0,
        }
    }

    pub(super) fn room_bytes(&self) -> usize {
        if self.is_full() { 0 } else { self.most_queued_bytes - self.queued_bytes - MESSAGE_COST_BYTES }
    }

    /// Whether not even an empty message finds room.
    pub(super) fn is_full(&self) -> bool {
        self.queue.len() >= MAX_WAITING || self.queued_bytes + MESSAGE_COST_BYTES > self.most_queued_bytes
    }

    pub(super) fn waiting(&self) -> (usize, usize) {
        (self.queue.len() + usize::from(self.sending.is_some()), self.queued_bytes)
    }

    pub(super) fn queue(&mut self, message: &[u8]) -> u64 {
        self.queued_bytes += message.len() + MESSAGE_COST_BYTES;
        self.queue.push_back(message.into());
        self.sent += 1;
        self.sent - 1
    }

    pub(super) fn sent(&self) -> u64 {
        self.sent
    }

    /// When the next part is due. `pace_us` is from when the next of a large message may go.
    pub(super) fn timeout_us(&self, pace_us: u64) -> Option<u64> {
        match &self.sending {
            Some(_) => Some(pace_us),
            None => (!self.queue.is_empty()).then(|| self.rate.open_us()),
        }
    }

    /// The next part that is due and fits.
    pub(super) fn next_due(&mut self, now_us: u64, room_bytes: usize, pace_us: u64) -> Option<Frame<'_>> {
        if self.sending.is_none() {
            if self.queue.is_empty() || self.rate.open_us() > now_us {
                return None;
            }
            self.sending = self.queue.pop_front().map(|message| (message, 0));
            self.rate.note(now_us);
        } else if pace_us > now_us {
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
        while self.ready.len() > MAX_WAITING || self.ready_bytes > 4 * (self.max_message_bytes + MESSAGE_COST_BYTES) {
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

    /// Received, received twice, given up, unread, bytes of those.
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
