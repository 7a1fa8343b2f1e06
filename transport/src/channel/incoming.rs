//! [`ReceiveStream`]: the messages of one reliable channel that come from one peer.

use super::error::Violation;
use super::outgoing::{MAX_CHUNKS, MAX_MESSAGES, MESSAGE_COST_BYTES};
use super::packet::{ACK_BITS, Announcement, Frame, expand};
use super::rate::Admission;
use super::topology::Channel;
use crate::packet::DATAGRAM_BUDGET_BYTES;
use std::collections::{BTreeMap, VecDeque};

/// What fits beside the largest message, so that one that has begun can always be finished.
const SPARE_BYTES: usize = 64 << 10;

/// A receiver that had so little room tells at once when there is more.
const LITTLE: u64 = 8;

#[derive(Debug)]
struct Held {
    begins: Option<Announcement>,
    ends: bool,
    bytes: Box<[u8]>,
}

#[derive(Debug)]
struct Assembly {
    of: Announcement,
    bytes: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct ReceiveStream {
    stream: usize,
    max_message_bytes: usize,
    /// The number of the chunk that is expected.
    next: u64,
    /// Chunks that came before it.
    held: BTreeMap<u64, Held>,
    assembly: Option<Assembly>,
    ready: VecDeque<Vec<u8>>,
    ready_bytes: usize,
    /// What came on the connections before and was not read yet.
    before_bytes: usize,
    /// The number of the first chunk that the sender may not send yet.
    granted: u64,
    pub(super) admission: Admission,
    is_ack_due: bool,
    received: u64,
    duplicates: u64,
    held_up: u64,
}

impl ReceiveStream {
    pub(super) fn new(stream: usize, max_hz: u16, max_message_bytes: usize, first: u64) -> Self {
        let mut receive = Self {
            stream,
            max_message_bytes,
            next: first,
            held: BTreeMap::new(),
            assembly: None,
            ready: VecDeque::new(),
            ready_bytes: 0,
            before_bytes: 0,
            granted: first,
            admission: Admission::new(max_hz, MAX_MESSAGES),
            is_ack_due: false,
            received: 0,
            duplicates: 0,
            held_up: 0,
        };
        receive.granted = first + receive.welcome();
        receive
    }

    fn channel(&self) -> Option<Channel> {
        Channel::from_index(self.stream).filter(|channel| *channel != Channel::RollbackInputs)
    }

    fn most_bytes(&self) -> usize {
        self.max_message_bytes + SPARE_BYTES
    }

    /// Whether a message may begin. What this connection was sent has always found room, since no more was
    /// welcome; but what came before takes from it, and the sender did not know.
    fn has_place_for(&self, of: &Announcement) -> bool {
        let taken_bytes = self.before_bytes.saturating_add(self.ready_bytes);
        self.before_bytes == 0 || taken_bytes.saturating_add(MESSAGE_COST_BYTES).saturating_add(of.bytes as usize) <= self.most_bytes()
    }

    /// See [`before_bytes`](Self::before_bytes).
    pub(super) fn set_unread_before(&mut self, bytes: usize) {
        let has_grown = bytes < self.before_bytes;
        self.before_bytes = bytes;
        if has_grown {
            self.tell_of_room();
        }
    }

    /// How many chunks from the next on find room.
    fn welcome(&self) -> u64 {
        let taken_bytes = self.before_bytes + self.ready_bytes + self.assembly.as_ref().map_or(0, |assembly| assembly.bytes.len());
        let room_bytes = self.most_bytes().saturating_sub(taken_bytes);
        (room_bytes / DATAGRAM_BUDGET_BYTES).min(MAX_CHUNKS) as u64
    }

    /// The whole number of a chunk, if it may be sent at all.
    pub(super) fn check(&self, number: u16) -> Option<u64> {
        expand(number, self.next).filter(|number| *number < self.granted)
    }

    /// Takes a chunk whose number has been checked.
    pub(super) fn take(&mut self, number: u64, begins: Option<Announcement>, ends: bool, bytes: &[u8]) {
        self.is_ack_due = true;
        if number < self.next || self.held.contains_key(&number) {
            self.duplicates += 1;
            return;
        }
        self.held.insert(number, Held { begins, ends, bytes: bytes.into() });
    }

    /// Puts together what has arrived in order.
    pub(super) fn assemble(&mut self, now_us: u64) -> Result<(), Violation> {
        let channel = self.channel();
        while let Some((number, held)) = self.held.first_key_value().filter(|(number, _)| **number == self.next) {
            let (number, begins) = (*number, held.begins.filter(|_| self.assembly.is_none()));
            if begins.is_some_and(|of| !self.has_place_for(&of)) {
                return Ok(());
            }
            if begins.is_some() && !self.admission.admit(now_us) {
                self.held_up += 1;
                return Ok(());
            }
            let Some(Held { begins, ends, bytes }) = self.held.remove(&number) else { return Ok(()) };
            self.next += 1;
            // One that was held up has been told of as arrived, and not yet as passed.
            self.is_ack_due = true;
            let assembly = match (begins, &mut self.assembly) {
                (Some(of), assembly @ None) if of.bytes as usize <= self.max_message_bytes => {
                    // What is announced is believed only as far as it comes.
                    assembly.insert(Assembly { of, bytes: Vec::new() })
                }
                (Some(_), None) => return Err(Violation::TooLarge { channel }),
                (None, Some(assembly)) => assembly,
                _ => return Err(Violation::BrokenMessage { channel }),
            };
            let len = assembly.bytes.len() + bytes.len();
            let is_whole = len == assembly.of.bytes as usize;
            if len > assembly.of.bytes as usize || ends != is_whole || (bytes.is_empty() && !is_whole) {
                return Err(Violation::BrokenMessage { channel });
            }
            assembly.bytes.extend_from_slice(&bytes);
            if let Some(Assembly { of, bytes }) = self.assembly.take_if(|_| is_whole) {
                if crc32fast::hash(&bytes) != of.crc {
                    return Err(Violation::WrongChecksum { channel });
                }
                self.ready_bytes += bytes.len() + MESSAGE_COST_BYTES;
                self.ready.push_back(bytes);
                self.received += 1;
            }
        }
        Ok(())
    }

    /// The next message.
    pub(super) fn receive(&mut self) -> Option<Vec<u8>> {
        let message = self.ready.pop_front()?;
        self.ready_bytes = self.ready_bytes.saturating_sub(message.len() + MESSAGE_COST_BYTES);
        self.tell_of_room();
        Some(message)
    }

    fn tell_of_room(&mut self) {
        let told = self.granted.saturating_sub(self.next);
        if told < LITTLE && self.welcome() >= LITTLE {
            self.is_ack_due = true;
        }
    }

    pub(super) fn ask_for_ack(&mut self) {
        self.is_ack_due = true;
    }

    pub(super) fn is_ack_due(&self) -> bool {
        self.is_ack_due
    }

    /// The acknowledgement that is due, with its bits in `bits`.
    pub(super) fn next_ack<'a>(&mut self, bits: &'a mut [u8; ACK_BITS as usize / 8]) -> Option<Frame<'a>> {
        if !core::mem::take(&mut self.is_ack_due) {
            return None;
        }
        *bits = [0; ACK_BITS as usize / 8];
        let mut len = 0;
        for number in self.held.keys() {
            let Some(bit) = number.checked_sub(self.next + 1).filter(|bit| *bit < ACK_BITS) else { continue };
            if let Some(byte) = bits.get_mut(bit as usize / 8) {
                *byte |= 1 << (bit % 8);
                len = bit as usize / 8 + 1;
            }
        }
        let welcome = self.welcome();
        self.granted = self.granted.max(self.next + welcome);
        Some(Frame::Ack { stream: self.stream, next: self.next as u16, welcome: welcome as u16, bits: bits.get(..len)? })
    }

    /// From when a message that has arrived is let through.
    pub(super) fn timeout_us(&self) -> Option<u64> {
        let (number, held) = self.held.first_key_value()?;
        let begins = held.begins.filter(|_| *number == self.next)?;
        // Otherwise only reading helps.
        self.has_place_for(&begins).then(|| self.admission.open_us())
    }

    pub(super) fn counts(&self) -> ReceiveCounts {
        ReceiveCounts {
            received: self.received,
            duplicates: self.duplicates,
            held_up: self.held_up,
            unread: self.ready.len(),
            unread_bytes: self.ready_bytes,
        }
    }
}

/// How a stream is doing.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ReceiveCounts {
    pub(super) received: u64,
    pub(super) duplicates: u64,
    pub(super) held_up: u64,
    pub(super) unread: usize,
    pub(super) unread_bytes: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sender that was stopped for want of room learns at once when somebody has read.
    #[test]
    fn room_after_none_is_told() {
        let mut receive = ReceiveStream::new(5, 60, 4_096, 0);
        let message = [7; 1_000];
        let mut bits = [0; ACK_BITS as usize / 8];
        let mut number = 0;
        let told = loop {
            receive.take(number, Some(Announcement::of(&message)), true, &message);
            // Slowly enough for the rate.
            receive.assemble(number * 1_000_000).unwrap();
            number += 1;
            match receive.next_ack(&mut bits) {
                Some(Frame::Ack { welcome, .. }) if welcome < 8 => break welcome,
                Some(Frame::Ack { .. }) => {}
                other => panic!("{other:?}"),
            }
        };
        assert!(number > 40 && told < 8);
        assert!(!receive.is_ack_due());
        for _ in 0..20 {
            receive.receive().unwrap();
        }
        assert!(receive.is_ack_due(), "the sender would only ask after half a second");
        assert!(matches!(receive.next_ack(&mut bits), Some(Frame::Ack { welcome: 8.., .. })));
        // With room enough nobody needs to be told.
        receive.receive().unwrap();
        assert!(!receive.is_ack_due());
    }
}
