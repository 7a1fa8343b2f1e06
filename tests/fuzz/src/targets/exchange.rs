//! Two honest ends of a [`ChannelConnection`] and a way between them that loses, repeats, delays and
//! keeps silent. Whatever it did: once it stops, every reliable message has arrived once, whole and in
//! order, and both ends fall silent.
//!
//! With the first action, bits 6 and 7 say where the numbers begin: at 0, or shortly before their short
//! forms wrap.

use crate::case::{Case, Step};
use snapback_core::Rng;
use snapback_transport::channel::{Channel, ChannelConnection, ConnectionSettings};
use std::collections::{BTreeMap, VecDeque};

/// An end sends a message: the first byte says which end and channel, two more say how long.
const SAY: u8 = 0;
/// Milliseconds pass.
const RUN: u8 = 1;
/// Of the next packets of an end so many are lost.
const LOSE: u8 = 2;
/// The next packet of an end arrives so many milliseconds later.
const DELAY: u8 = 3;
/// The next packet of an end arrives once more, so many milliseconds later.
const COPY: u8 = 4;
/// Which ends read what they are sent.
const READ: u8 = 5;
/// Tens of milliseconds in which neither end hears the other.
const SILENCE: u8 = 6;
/// An old packet arrives again.
const REPEAT: u8 = 7;

/// Before their short forms wrap: of chunks, of packets, of both.
const FIRST_NUMBERS: [u64; 4] = [0, (1 << 16) - 20, (1 << 32) - 20, (1 << 15) - 20];

const ONE_WAY_US: u64 = 10_000;

/// Once undisturbed, everything must have arrived after this long: 512 messages at 5 Hz, and the rest.
const DEADLINE_US: u64 = 300_000_000;

/// More than this in a row, and polling has no end.
pub(super) const MOST_POLLS: usize = 2_000;

/// The most milliseconds of one case, before the undisturbed end of it.
const MOST_MS: u32 = 60_000;

#[derive(Default)]
struct Side {
    /// Messages that this end sent, by channel: how many.
    said: BTreeMap<Channel, u64>,
    /// Of the other's: the next that is expected.
    expected: BTreeMap<Channel, u64>,
    lose: u8,
    delay_us: u64,
    copy_us: Option<u64>,
    does_read: bool,
}

struct Exchange {
    ends: [ChannelConnection; 2],
    sides: [Side; 2],
    /// By when they land, and in the order in which they left.
    wire: BTreeMap<(u64, u64), (usize, Vec<u8>)>,
    left: u64,
    old: VecDeque<(usize, Vec<u8>)>,
    now_us: u64,
    silent_until_us: u64,
    datagrams: u64,
}

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let case = Case::read(input);
    let first = case.steps.first().map_or(0, |step| step.action >> 6);
    let mut exchange = Exchange::new(FIRST_NUMBERS[usize::from(first)]);
    let mut ms = 0;
    for step in &case.steps {
        ms += exchange.step(step, MOST_MS - ms);
    }
    exchange.end();
    exchange.datagrams
}

/// What message `number` of an end says on a channel: its number, and then as many bytes as follow from it.
fn message(end: usize, channel: Channel, number: u64, len: usize) -> Vec<u8> {
    let mut rng = Rng::new(number, (end * 8 + channel.index()) as u64);
    let mut message = number.to_le_bytes().to_vec();
    message.resize(8 + len, 0);
    message[8..].fill_with(|| rng.next_u32() as u8);
    message
}

impl Exchange {
    fn new(first_number: u64) -> Self {
        let end = || ChannelConnection::new(ConnectionSettings { first_number, ..ConnectionSettings::new(1_150) });
        let side = || Side { does_read: true, ..Side::default() };
        Self {
            ends: [end(), end()],
            sides: [side(), side()],
            wire: BTreeMap::new(),
            left: 0,
            old: VecDeque::new(),
            now_us: 0,
            silent_until_us: 0,
            datagrams: 0,
        }
    }

    /// Says how many milliseconds it took: at most `most_ms`.
    fn step(&mut self, Step { action, bytes }: &Step, most_ms: u32) -> u32 {
        let [first, low, high] = [0, 1, 2].map(|at| bytes.get(at).copied().unwrap_or(0));
        let end = usize::from(first & 1);
        match action & 7 {
            SAY => {
                let channel = Channel::ALL[usize::from(first >> 1) % Channel::ALL.len()];
                // Large messages come only where they are taken: 16 bytes for each that is asked for.
                let len = usize::from(u16::from_le_bytes([low, high]));
                self.say(end, channel, if channel == Channel::MatchState { 8 * len } else { len });
            }
            RUN => {
                let ms = u32::from(u16::from_le_bytes([first, low]) % 4_096).min(most_ms);
                for _ in 0..ms {
                    self.now_us += 1_000;
                    self.turn();
                }
                return ms;
            }
            LOSE => self.sides[end].lose = low,
            DELAY => self.sides[end].delay_us = 1_000 * u64::from(low),
            COPY => self.sides[end].copy_us = Some(1_000 * u64::from(low)),
            READ => {
                self.sides[0].does_read = first & 1 != 0;
                self.sides[1].does_read = first & 2 != 0;
            }
            SILENCE => self.silent_until_us = self.now_us + 10_000 * u64::from(first),
            _ => {
                let at = usize::from(first) % self.old.len().max(1);
                if let Some((to, packet)) = self.old.get(at).cloned() {
                    self.deliver(to, &packet);
                }
            }
        }
        0
    }

    fn say(&mut self, end: usize, channel: Channel, len: usize) {
        let number = self.sides[end].said.get(&channel).copied().unwrap_or(0);
        let said = message(end, channel, number, len);
        let room_bytes = self.ends[end].room_bytes(channel);
        match self.ends[end].send(channel, &said) {
            Ok(id) => {
                assert_eq!(id, number, "{channel}: numbers of messages have a gap");
                assert!(said.len() <= room_bytes, "{channel} took more than it had room for");
                self.sides[end].said.insert(channel, number + 1);
            }
            Err(error) => {
                assert!(channel == Channel::RollbackInputs || said.len() > room_bytes, "{error}, and yet there is room for {room_bytes}");
            }
        }
    }

    /// Packets land, messages are read, and new packets leave.
    fn turn(&mut self) {
        while let Some(entry) = self.wire.first_entry().filter(|entry| entry.key().0 <= self.now_us) {
            let (to, packet) = entry.remove();
            self.deliver(to, &packet);
        }
        for end in 0..2 {
            if self.sides[end].does_read {
                self.read(end);
            }
            self.write(end);
        }
    }

    fn deliver(&mut self, to: usize, packet: &[u8]) {
        self.datagrams += 1;
        let handled = self.ends[to].handle(self.now_us, packet);
        // An old packet may be too old; nothing that the other end ever wrote is against the rules.
        assert_eq!(self.ends[to].violation(), None, "the honest are accused, and {handled:?}");
    }

    fn read(&mut self, end: usize) {
        while let Some((channel, heard)) = self.ends[end].receive(self.now_us) {
            let number = heard.first_chunk::<8>().map(|number| u64::from_le_bytes(*number)).expect("every message has a number");
            let expected = self.sides[end].expected.entry(channel).or_default();
            if channel == Channel::Spectator {
                assert!(number >= *expected, "{channel}: {number} came after {expected}");
            } else {
                assert_eq!(number, *expected, "{channel}: out of order");
            }
            *expected = number + 1;
            assert!(number < self.sides[1 - end].said.get(&channel).copied().unwrap_or(0), "{channel}: {number} was never said");
            assert_eq!(heard, message(1 - end, channel, number, heard.len() - 8), "{channel}: {number} is not what was said");
        }
    }

    fn write(&mut self, end: usize) {
        let mut out = [0; 1_200];
        for polls in 0.. {
            assert!(polls < MOST_POLLS, "polling has no end");
            let Some(len) = self.ends[end].poll_transmit(self.now_us, &mut out) else { break };
            self.put(end, &out[..len]);
        }
        let next = self.ends[end].poll_timeout();
        assert!(next.is_none_or(|next| next > self.now_us), "at {} nothing is sent, and polling is asked for at {next:?}", self.now_us);
    }

    fn put(&mut self, end: usize, packet: &[u8]) {
        if self.old.len() < 256 {
            self.old.push_back((1 - end, packet.to_vec()));
        }
        let side = &mut self.sides[end];
        let lands_us = self.now_us + ONE_WAY_US + std::mem::take(&mut side.delay_us);
        let copy_us = side.copy_us.take();
        if side.lose > 0 || self.now_us < self.silent_until_us {
            side.lose = side.lose.saturating_sub(1);
            return;
        }
        for lands_us in [Some(lands_us), copy_us.map(|later_us| lands_us + later_us)].into_iter().flatten() {
            self.left += 1;
            self.wire.insert((lands_us, self.left), (1 - end, packet.to_vec()));
        }
    }

    /// Undisturbed from here on.
    fn end(&mut self) {
        for side in &mut self.sides {
            (side.lose, side.delay_us, side.copy_us, side.does_read) = (0, 0, None, true);
        }
        self.silent_until_us = 0;
        let deadline_us = self.now_us + DEADLINE_US;
        loop {
            self.turn();
            let lands_us = self.wire.first_key_value().map(|((lands_us, _), _)| *lands_us);
            let timeouts = self.ends.each_ref().map(ChannelConnection::poll_timeout);
            let Some(next_us) = timeouts.into_iter().chain([lands_us]).flatten().min() else { break };
            self.now_us = self.now_us.max(next_us);
            assert!(self.now_us < deadline_us, "there is no end to it: {:?}", self.ends.each_ref().map(ChannelConnection::stats));
        }
        for (end, [this, other]) in [[0, 1], [1, 0]].into_iter().enumerate() {
            assert!(self.ends[end].is_flushed(), "end {end} waits for ever: {:?}", self.ends[end].stats());
            for (channel, said) in &self.sides[this].said {
                let heard = self.sides[other].expected.get(channel).copied().unwrap_or(0);
                assert!(*channel == Channel::Spectator || heard == *said, "{channel}: {heard} of {said} messages arrived");
                let delivered = self.ends[this].delivered(*channel);
                assert!(*channel == Channel::Spectator || delivered == *said, "{channel}: {delivered} of {said} are known to have arrived");
            }
        }
    }
}

/// Talk on every channel, over ways that are bad each in its own manner.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let say = |end: u8, channel: Channel, len: u16| {
        let [low, high] = len.to_le_bytes();
        Step::new(SAY, [end | (channel.index() as u8) << 1, low, high])
    };
    let run = |ms: u16| Step::new(RUN, ms.to_le_bytes());
    let everybody = |n: u16| {
        let of_end = move |end| Channel::ALL.into_iter().map(move |channel| say(end, channel, 60 * n));
        of_end(0).chain(of_end(1))
    };
    let mut seeds = Vec::new();
    for (name, disturb) in [
        ("losing", [LOSE, LOSE]),
        ("delaying", [DELAY, DELAY]),
        ("copying", [COPY, DELAY]),
        ("silent", [SILENCE, LOSE]),
        ("repeating", [REPEAT, REPEAT]),
        ("not-read", [READ, LOSE]),
    ] {
        let mut steps = vec![run(5)];
        for n in 0..12u16 {
            steps.extend(everybody(n));
            let at = n as u8;
            steps.push(Step::new(disturb[usize::from(n % 2)], [at & 3, 3 + at, 0]));
            steps.push(run(40));
        }
        seeds.push((name.to_owned(), Case { steps }));
    }
    let large = [say(0, Channel::MatchState, 60_000), say(1, Channel::Telemetry, 65_000), say(0, Channel::Spectator, 30_000), run(30)];
    let lost = (0..40u8).flat_map(|n| [Step::new(LOSE, [n & 1, 1 + n % 5, 0]), run(12)]);
    seeds.push(("large".to_owned(), Case { steps: large.into_iter().chain(lost).collect() }));
    // The window is full, and whatever tells that there is room again is lost.
    let unread = (0..5).flat_map(|_| [Step::new(READ, [1]), say(0, Channel::Lobby, 60_000), run(900)]);
    let lost = [Step::new(LOSE, [1, 200]), Step::new(READ, [3]), run(100)];
    let blocked = unread.chain(lost).collect();
    seeds.push(("blocked".to_owned(), Case { steps: blocked }));
    for (first, name) in [(1u8, "wraps-chunks"), (2, "wraps-packets"), (3, "half-way")] {
        let mut steps: Vec<Step> = (0..10).flat_map(|n| everybody(n).chain([run(100), Step::new(LOSE, [1, 2])])).collect();
        steps[0].action |= first << 6;
        seeds.push((name.to_owned(), Case { steps }));
    }
    seeds
}
