//! [`SendStream`]: the messages of one reliable channel on their way to one peer.
//!
//! A message is cut into chunks, numbered through the whole stream. A chunk is sent again when three later
//! packets have arrived without it, or when its time is over; the acknowledgement says for each chunk
//! whether it has arrived, so one that is lost costs nothing.

use super::congestion::Congestion;
use super::packet::{Announcement, CHUNK_HEADER_BYTES, Frame, expand};
use super::rate::RateLimit;
use core::ops::Range;
use std::collections::VecDeque;
use std::sync::Arc;

/// Chunks under way at a time.
pub(super) const MAX_CHUNKS: usize = 256;

/// Messages under way at a time.
pub(super) const MAX_MESSAGES: usize = 64;

/// Chunks that may be sent before the receiver has said how many are welcome.
const FIRST_WELCOME: u64 = 32;

/// What a queued message costs beside its bytes, so that empty ones are bounded too.
pub(super) const MESSAGE_COST_BYTES: usize = 64;

/// Packets that arrive after one, before the one counts as lost.
const REORDERED_PACKETS: i32 = 3;

/// Resends of the first chunk after which nothing else is sent again until something arrives.
const SILENT_RESENDS: u8 = 3;

/// Between a chunk that is sent again and its copy.
const COPY_US: u64 = 8_000;

/// The least time that a chunk has to arrive.
const LEAST_TIMEOUT_US: u64 = 20_000;

/// The most that its time grows to by doubling. On a path that is longer than that it stays as it is.
const MOST_DOUBLED_US: u64 = 500_000;

/// The time of a chunk while no round trip was measured: of a small message, and of a large one, whose
/// first window would otherwise be sent twice on a long path.
const FIRST_SMALL_TIMEOUT_US: u64 = 200_000;
const FIRST_TIMEOUT_US: u64 = 1_000_000;

/// Between two questions for an acknowledgement while the receiver has no room.
const ASK_US: u64 = 500_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Waiting,
    Sent { at_us: u64, sequence: u32 },
    Lost,
    Arrived,
}

#[derive(Clone, Debug)]
struct Chunk {
    message: Arc<[u8]>,
    range: Range<usize>,
    fate: Fate,
    resends: u8,
    copy_us: Option<u64>,
}

impl Chunk {
    fn begins(&self) -> bool {
        self.range.start == 0
    }

    fn ends(&self) -> bool {
        self.range.end == self.message.len()
    }

    /// Part of a message of several chunks: those are bounded by the window, others by their rate.
    fn is_bulk(&self) -> bool {
        !(self.begins() && self.ends())
    }

    fn set_lost(&mut self, congestion: &mut Congestion) {
        if let Fate::Sent { .. } = self.fate {
            self.fate = Fate::Lost;
            if self.is_bulk() {
                congestion.lost(self.range.len());
            }
        }
    }

    fn set_arrived(&mut self, congestion: &mut Congestion) {
        match self.fate {
            Fate::Sent { .. } if self.is_bulk() => congestion.arrived(self.range.len()),
            _ => {}
        }
        self.fate = Fate::Arrived;
        self.copy_us = None;
    }
}

/// What the rest of the connection knows, and a stream needs, to decide what is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    pub(super) now_us: u64,
    /// How long an acknowledgement takes at most, normally.
    timeout_us: u64,
    /// The same for what is small. While little is known of the round trip its deviation is taken for
    /// large, and waiting for so long costs people more than a few bytes sent twice.
    small_timeout_us: u64,
    pub(super) rtt_us: Option<u64>,
}

impl Timing {
    pub(super) fn new(now_us: u64, rtt_us: Option<u64>, jitter_us: Option<u64>) -> Self {
        let limited = |timeout_us: u64| timeout_us.max(LEAST_TIMEOUT_US);
        let Some(measured_us) = rtt_us else {
            return Self { now_us, timeout_us: FIRST_TIMEOUT_US, small_timeout_us: FIRST_SMALL_TIMEOUT_US, rtt_us };
        };
        // Four deviations and a tenth above the round trip; the receiver answers at once.
        let deviations_us = 4 * jitter_us.unwrap_or(measured_us / 2);
        let answered_us = measured_us + measured_us / 10 + 5_000;
        let small_us = deviations_us.min(measured_us / 2 + 10_000);
        Self { now_us, timeout_us: limited(answered_us + deviations_us), small_timeout_us: limited(answered_us + small_us), rtt_us }
    }
}

/// How a stream is doing.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct SendCounts {
    pub(super) chunks: u64,
    pub(super) resent: u64,
}

#[derive(Debug)]
pub(super) struct SendStream {
    stream: usize,
    most_queued_bytes: usize,
    chunk_bytes: usize,
    queue: VecDeque<Arc<[u8]>>,
    queued_bytes: usize,
    /// The message that is being cut, and where the next cut begins.
    cutting: Option<(Arc<[u8]>, usize)>,
    chunks: VecDeque<Chunk>,
    /// The number of the first of them.
    first: u64,
    messages_under_way: usize,
    /// The number of the first chunk that is not welcome yet.
    welcome_until: u64,
    pub(super) rate: RateLimit,
    sent: u64,
    delivered: u64,
    ask_us: u64,
    pub(super) counts: SendCounts,
}

impl SendStream {
    pub(super) fn new(stream: usize, max_hz: u16, max_message_bytes: usize, chunk_bytes: usize, first: u64) -> Self {
        Self {
            stream,
            most_queued_bytes: most_queued_bytes(max_message_bytes),
            chunk_bytes: chunk_bytes.max(1),
            queue: VecDeque::new(),
            queued_bytes: 0,
            cutting: None,
            chunks: VecDeque::new(),
            first,
            messages_under_way: 0,
            welcome_until: first + FIRST_WELCOME,
            rate: RateLimit::new(max_hz),
            sent: 0,
            delivered: 0,
            ask_us: 0,
            counts: SendCounts::default(),
        }
    }

    /// How many bytes a message may have to find room now.
    pub(super) fn room_bytes(&self) -> usize {
        self.most_queued_bytes.saturating_sub(self.queued_bytes + MESSAGE_COST_BYTES)
    }

    /// Whether not even an empty message finds room.
    pub(super) fn is_full(&self) -> bool {
        self.queued_bytes + MESSAGE_COST_BYTES > self.most_queued_bytes
    }

    pub(super) fn waiting(&self) -> (usize, usize) {
        (self.queue.len() + usize::from(self.cutting.is_some()), self.queued_bytes)
    }

    /// Queues a message for which there is room. Returns its number.
    pub(super) fn queue(&mut self, message: &[u8]) -> u64 {
        self.queued_bytes += message.len() + MESSAGE_COST_BYTES;
        self.queue.push_back(message.into());
        self.sent += 1;
        self.sent - 1
    }

    pub(super) fn sent(&self) -> u64 {
        self.sent
    }

    pub(super) fn delivered(&self) -> u64 {
        self.delivered
    }

    pub(super) fn is_flushed(&self) -> bool {
        self.delivered == self.sent
    }

    fn next_number(&self) -> u64 {
        self.first + self.chunks.len() as u64
    }

    fn has_place(&self) -> bool {
        self.chunks.len() < MAX_CHUNKS && self.next_number() < self.welcome_until
    }

    /// Whether another message could be begun if the rate allows it.
    fn may_begin(&self) -> bool {
        self.cutting.is_none() && !self.queue.is_empty() && self.messages_under_way < MAX_MESSAGES && self.has_place()
    }

    /// Cuts what may go out into chunks.
    pub(super) fn cut(&mut self, now_us: u64) {
        while self.has_place() {
            if self.cutting.is_none() && self.may_begin() && self.rate.open_us() <= now_us {
                self.rate.note(now_us);
                self.messages_under_way += 1;
                self.cutting = self.queue.pop_front().map(|message| (message, 0));
            }
            let Some((message, from)) = self.cutting.take() else { return };
            let to = message.len().min(from + self.chunk_bytes);
            if to < message.len() {
                self.cutting = Some((Arc::clone(&message), to));
            }
            self.chunks.push_back(Chunk { message, range: from..to, fate: Fate::Waiting, resends: 0, copy_us: None });
        }
    }

    /// When a chunk should be sent, if nothing arrives before; none if only an acknowledgement can tell.
    fn due_us(&self, at: usize, chunk: &Chunk, timing: &Timing, congestion: &Congestion) -> Option<u64> {
        let gated = |due_us: u64| {
            if !chunk.is_bulk() {
                Some(due_us)
            } else if congestion.has_room() {
                Some(due_us.max(congestion.open_us()))
            } else {
                None
            }
        };
        // In a silence the first one asks whether the other end is there again; the others wait for its answer.
        let is_silent = at > 0 && self.chunks.front().is_some_and(|first| first.resends >= SILENT_RESENDS);
        match chunk.fate {
            Fate::Arrived => None,
            Fate::Waiting => gated(0),
            Fate::Lost if is_silent => None,
            Fate::Lost => gated(0),
            Fate::Sent { .. } if is_silent => None,
            Fate::Sent { at_us, .. } => {
                // Once is often, twice is rare: only then is there reason to take more time.
                let doubled = u32::from(chunk.resends.saturating_sub(1)).min(8);
                let timeout_us = if chunk.is_bulk() { timing.timeout_us } else { timing.small_timeout_us };
                let again_us = at_us.saturating_add((timeout_us << doubled).min(MOST_DOUBLED_US.max(timeout_us)));
                Some(chunk.copy_us.map_or(again_us, |copy_us| copy_us.min(again_us)))
            }
        }
    }

    /// The next chunk that is due and fits into `room_bytes`. `bulk` says whether to look at those of
    /// large messages or at the others.
    pub(super) fn next_due(
        &mut self,
        timing: &Timing,
        sequence: u32,
        bulk: bool,
        room_bytes: usize,
        congestion: &mut Congestion,
    ) -> Option<Frame<'_>> {
        let at = (0..self.chunks.len()).find(|at| {
            self.chunks.get(*at).is_some_and(|chunk| {
                chunk.is_bulk() == bulk
                    && chunk.range.len() + CHUNK_HEADER_BYTES <= room_bytes
                    && self.due_us(*at, chunk, timing, congestion).is_some_and(|due_us| due_us <= timing.now_us)
            })
        })?;
        let number = self.first + at as u64;
        let chunk = self.chunks.get_mut(at)?;
        let is_copy = chunk.copy_us.take().is_some_and(|copy_us| copy_us <= timing.now_us);
        if is_copy && let Fate::Sent { .. } = chunk.fate {
            // It counts as sent when its first was.
            self.counts.resent += 1;
            return Some(frame(self.stream, number, chunk));
        }
        chunk.set_lost(congestion);
        if chunk.fate == Fate::Lost {
            chunk.resends = chunk.resends.saturating_add(1);
            self.counts.resent += 1;
            // Two in a row are seldom lost, and a loss of both costs a second round trip.
            chunk.copy_us = (!chunk.is_bulk()).then(|| timing.now_us.saturating_add(COPY_US));
        } else {
            self.counts.chunks += 1;
        }
        chunk.fate = Fate::Sent { at_us: timing.now_us, sequence };
        if chunk.is_bulk() {
            congestion.sent(timing.now_us, chunk.range.len(), timing.rtt_us);
        }
        Some(frame(self.stream, number, chunk))
    }

    /// Whether nothing is under way and only the receiver can tell how it goes on: it had no room, or it
    /// holds messages up that it has, and what it said when it let them through was lost.
    fn is_blocked(&self) -> bool {
        let has_more = self.cutting.is_some() || !self.queue.is_empty();
        let is_unwelcome = has_more && self.next_number() >= self.welcome_until;
        self.chunks.iter().all(|chunk| chunk.fate == Fate::Arrived) && (!self.chunks.is_empty() || is_unwelcome)
    }

    pub(super) fn next_ask(&mut self, now_us: u64) -> Option<Frame<'static>> {
        if !self.is_blocked() || self.ask_us > now_us {
            return None;
        }
        self.ask_us = now_us.saturating_add(ASK_US);
        Some(Frame::Ask { stream: self.stream })
    }

    /// When something is due if nothing arrives.
    pub(super) fn timeout_us(&self, timing: &Timing, congestion: &Congestion) -> Option<u64> {
        let chunks = self.chunks.iter().enumerate().filter_map(|(at, chunk)| self.due_us(at, chunk, timing, congestion));
        let begin = (self.may_begin()).then(|| self.rate.open_us());
        let cut = (self.cutting.is_some() && self.has_place()).then_some(0);
        let ask = self.is_blocked().then_some(self.ask_us);
        chunks.chain(begin).chain(cut).chain(ask).min()
    }

    /// The whole number that an acknowledgement begins with, if everything it tells of was sent.
    pub(super) fn check_ack(&self, next: u16, bits: &[u8]) -> Option<u64> {
        let next = expand(next, self.first)?;
        let below = usize::try_from(next.saturating_sub(self.first)).ok()?;
        let was_sent = |at: usize| self.chunks.get(at).is_some_and(|chunk| chunk.fate != Fate::Waiting);
        let beyond_were_sent = set_bits(bits).all(|bit| match (next + 1 + bit).checked_sub(self.first) {
            Some(at) => was_sent(at as usize),
            None => true,
        });
        ((0..below).all(was_sent) && beyond_were_sent).then_some(next)
    }

    /// Takes an acknowledgement that has been checked. Whether it told anything new.
    pub(super) fn acknowledge(&mut self, next: u64, welcome: u16, bits: &[u8], echo: Option<u32>, congestion: &mut Congestion) -> bool {
        self.welcome_until = self.welcome_until.max(next.saturating_add(welcome.into()));
        let mut any = false;
        for bit in set_bits(bits) {
            let chunk = (next + 1 + bit).checked_sub(self.first).and_then(|at| self.chunks.get_mut(at as usize));
            if let Some(chunk) = chunk.filter(|chunk| chunk.fate != Fate::Arrived) {
                chunk.set_arrived(congestion);
                any = true;
            }
        }
        while self.first < next {
            let Some(mut chunk) = self.chunks.pop_front() else { break };
            chunk.set_arrived(congestion);
            any = true;
            self.first += 1;
            if chunk.ends() {
                self.messages_under_way -= 1;
                self.delivered += 1;
                self.queued_bytes = self.queued_bytes.saturating_sub(chunk.message.len() + MESSAGE_COST_BYTES);
            }
        }
        if any {
            // The other end is there: whatever a silence kept waiting is due, all of it.
            for chunk in &mut self.chunks {
                chunk.resends = chunk.resends.min(1);
            }
        }
        if let Some(echo) = echo {
            for chunk in &mut self.chunks {
                if let Fate::Sent { sequence, .. } = chunk.fate
                    && (echo.wrapping_sub(sequence) as i32) >= REORDERED_PACKETS
                {
                    chunk.set_lost(congestion);
                }
            }
        }
        any
    }
}

/// A queue that holds the largest message and something beside it.
fn most_queued_bytes(max_message_bytes: usize) -> usize {
    max_message_bytes + (64 << 10)
}

/// The places of the bits that are set.
fn set_bits(bits: &[u8]) -> impl Iterator<Item = u64> + '_ {
    (0..).zip(bits).flat_map(|(at, byte)| (0..8).filter(move |bit| byte & (1 << bit) != 0).map(move |bit| at * 8 + bit))
}

fn frame(stream: usize, number: u64, chunk: &Chunk) -> Frame<'_> {
    Frame::Chunk {
        stream,
        number: number as u16,
        begins: chunk.begins().then(|| Announcement::of(&chunk.message)),
        ends: chunk.ends(),
        bytes: chunk.message.get(chunk.range.clone()).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends what is due; the numbers of the chunks.
    fn send(stream: &mut SendStream, now_us: u64, sequence: u32) -> Vec<u16> {
        let mut congestion = Congestion::new();
        let timing = Timing::new(now_us, Some(60_000), Some(0));
        stream.cut(now_us);
        core::iter::from_fn(|| match stream.next_due(&timing, sequence, false, 1_000, &mut congestion) {
            Some(Frame::Chunk { number, .. }) => Some(number),
            _ => None,
        })
        .collect()
    }

    #[test]
    fn a_packet_that_is_overtaken_by_two_is_not_lost_and_one_by_three_is() {
        let mut congestion = Congestion::new();
        let mut stream = SendStream::new(5, 60, 1_000, 900, 0);
        for sequence in 0..4 {
            stream.queue(b"x");
            assert_eq!(send(&mut stream, u64::from(sequence), sequence), [sequence as u16]);
        }
        // The second and the third have arrived.
        assert!(stream.acknowledge(0, 32, &[0b011], Some(2), &mut congestion));
        assert_eq!(send(&mut stream, 10, 4), [0; 0]);
        // The fourth, too.
        assert!(stream.acknowledge(0, 32, &[0b111], Some(3), &mut congestion));
        assert_eq!(send(&mut stream, 20, 5), [0]);
        assert_eq!((stream.counts.chunks, stream.counts.resent), (4, 1));
        // What was sent again is followed by a copy, unless it arrives before.
        assert_eq!(send(&mut stream, 20 + COPY_US - 1, 6), [0; 0]);
        assert_eq!(send(&mut stream, 20 + COPY_US, 6), [0]);
        assert!(stream.acknowledge(4, 32, &[], Some(6), &mut congestion));
        assert!(stream.is_flushed());
        assert_eq!(stream.timeout_us(&Timing::new(99, None, None), &congestion), None);
    }

    #[test]
    fn the_time_of_a_chunk_doubles_from_the_second_time_on_up_to_half_a_second() {
        let mut stream = SendStream::new(5, 60, 1_000, 900, 0);
        stream.queue(b"x");
        let mut sent_us = Vec::new();
        for now_us in (0..3_000_000).step_by(1_000) {
            sent_us.extend(send(&mut stream, now_us, now_us as u32).iter().map(|_| now_us));
        }
        // 60 ms, a tenth of them, and 5 ms; each time but the first is followed by a copy.
        let gaps: Vec<u64> = core::iter::once(0).chain(sent_us.iter().skip(1).step_by(2).copied()).collect();
        let gaps: Vec<u64> = gaps.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(gaps[..6], [71_000, 71_000, 142_000, 284_000, 500_000, 500_000]);
    }
}
