//! A [`ChannelConnection`] whose peer has all keys and keeps no rule. It hears everything, and has an
//! honest connection at hand whose packets it may change.
//!
//! Numbers that it forges are differences from what would be right, so that a lie is often nearly true.

use crate::case::{Case, Step};
use crate::targets::exchange::MOST_POLLS;
use snapback_transport::channel::{Channel, ChannelConnection, ConnectionSettings};

/// The victim sends a message: channel, length.
const SEND: u8 = 0;
/// The victim's program reads: one channel, or all of them.
const READ: u8 = 1;
/// Milliseconds in which packets flow honestly.
const HONEST: u8 = 2;
/// The honest one sends a message: channel, length.
const SAY: u8 = 3;
/// The next honest packet is changed: exclusive or, from an offset on.
const CHANGE: u8 = 4;
/// More frames stand behind the next honest packet.
const APPEND: u8 = 5;
/// A chunk: stream and flags, the difference of its number, what to add to size and checksum, its bytes.
const CHUNK: u8 = 6;
/// An acknowledgement: stream, the difference of what it expects, how many are welcome, its bits.
const ACK: u8 = 7;
/// A part of an unreliable message: message, part, last, what to add to size and checksum, its bytes.
const PART: u8 = 8;
/// Frames behind a right header.
const FRAMES: u8 = 9;
/// Any packet.
const PACKET: u8 = 10;
/// Milliseconds in which nothing arrives.
const WAIT: u8 = 11;

const STREAMS: usize = Channel::ALL.len();

/// What the liar learns of the victim's packets.
#[derive(Default)]
pub(super) struct Heard {
    /// By stream: the chunk that the victim expects.
    pub(super) expects: [u16; STREAMS],
    /// By stream: one more than the newest chunk that it has sent.
    sent: [u16; STREAMS],
    /// Its newest packet.
    sequence: u32,
}

struct Lies {
    victim: ChannelConnection,
    honest: ChannelConnection,
    heard: Heard,
    /// The sequence of the newest packet that the victim was given.
    sequence: u32,
    change: Option<(usize, Vec<u8>)>,
    append: Vec<u8>,
    now_us: u64,
    packets: u64,
}

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let case = Case::read(input);
    let mut lies = Lies::new();
    for step in &case.steps {
        lies.step(step);
    }
    lies.end();
    lies.packets
}

impl Lies {
    fn new() -> Self {
        let end = || ChannelConnection::new(ConnectionSettings::new(1_150));
        Self { victim: end(), honest: end(), heard: Heard::default(), sequence: 0, change: None, append: Vec::new(), now_us: 0, packets: 0 }
    }

    fn step(&mut self, Step { action, bytes }: &Step) {
        let [first, low, high, fourth, fifth] = [0, 1, 2, 3, 4].map(|at| bytes.get(at).copied().unwrap_or(0));
        let channel = Channel::ALL[usize::from(first) % STREAMS];
        let number = u16::from_le_bytes([low, high]);
        let ms = u64::from(u16::from_le_bytes([first, low]));
        match action & 0x0F {
            SEND => {
                let _ = self.victim.send(channel, &filler(channel, number));
            }
            READ => self.read(if first == u8::MAX { None } else { Some(channel) }),
            HONEST => {
                for _ in 0..ms % 256 {
                    self.now_us += 1_000;
                    self.exchange();
                }
            }
            SAY => {
                let _ = self.honest.send(channel, &filler(channel, number));
            }
            CHANGE => {
                if let Some((at, mask)) = bytes.split_first_chunk::<2>() {
                    self.change = Some((u16::from_le_bytes(*at).into(), mask.to_vec()));
                }
            }
            APPEND => self.append.clone_from(bytes),
            CHUNK => {
                let flags = first & 0x18;
                let stream = usize::from(first & 7) % STREAMS;
                let content = bytes.get(4..).unwrap_or_default();
                let mut frame = vec![stream as u8 | flags];
                frame.extend(self.heard.expects[stream].wrapping_add_signed((low as i8).into()).to_le_bytes());
                if flags & 0x08 != 0 {
                    frame.extend(announcement(content, high, fourth));
                }
                frame.extend((content.len() as u16).to_le_bytes());
                frame.extend(content);
                let _ = self.tell_frames(&frame);
            }
            ACK => {
                let stream = usize::from(first) % STREAMS;
                let bits = bytes.get(4..).unwrap_or_default();
                let mut frame = vec![stream as u8 | 0x40];
                frame.extend(self.heard.sent[stream].wrapping_add_signed((low as i8).into()).to_le_bytes());
                frame.extend([high, fourth, bits.len() as u8]);
                frame.extend(bits);
                let was_taken = self.tell_frames(&frame);
                assert!(!was_taken || low as i8 <= 0, "what was never sent was acknowledged");
            }
            PART => {
                let content = bytes.get(5..).unwrap_or_default();
                let mut frame = vec![Channel::Spectator.index() as u8 | 0x80];
                frame.extend([first, 0, 0, 0, low, high]);
                frame.extend(announcement(content, fourth, fifth));
                frame.extend((content.len() as u16).to_le_bytes());
                frame.extend(content);
                let _ = self.tell_frames(&frame);
            }
            FRAMES => drop(self.tell_frames(bytes)),
            PACKET => drop(self.tell(bytes)),
            WAIT => {
                self.now_us += 1_000 * ms;
                self.poll();
            }
            _ => {}
        }
    }

    /// What both have to send goes to the other, at once.
    fn exchange(&mut self) {
        self.poll();
        let mut out = [0; 1_200];
        for polls in 0.. {
            assert!(polls < MOST_POLLS, "polling has no end");
            let Some(len) = self.honest.poll_transmit(self.now_us, &mut out) else { break };
            let mut packet = out[..len].to_vec();
            packet.append(&mut self.append);
            if let Some((at, mask)) = self.change.take() {
                packet.iter_mut().skip(at).zip(mask).for_each(|(byte, mask)| *byte ^= mask);
            }
            let _ = self.tell(&packet);
        }
        while self.honest.receive(self.now_us).is_some() {}
    }

    fn poll(&mut self) {
        let mut out = [0; 1_200];
        for polls in 0.. {
            assert!(polls < MOST_POLLS, "polling has no end");
            let Some(len) = self.victim.poll_transmit(self.now_us, &mut out) else { break };
            assert_eq!(self.victim.violation(), None, "it is over, and yet it speaks");
            assert!(len <= 1_150, "a packet of {len} bytes");
            self.heard.listen(&out[..len]);
            let _ = self.honest.handle(self.now_us, &out[..len]);
        }
        let next = self.victim.poll_timeout();
        assert!(next.is_none_or(|next| next > self.now_us), "at {} nothing is sent, and polling is asked for at {next:?}", self.now_us);
    }

    /// Frames, behind a header that tells of the victim's newest packet.
    fn tell_frames(&mut self, frames: &[u8]) -> bool {
        self.sequence = self.sequence.wrapping_add(1);
        let mut packet = vec![0x81];
        packet.extend(self.sequence.to_le_bytes());
        packet.extend(self.heard.sequence.to_le_bytes());
        packet.extend([10, 0]);
        packet.extend(frames);
        self.tell(&packet)
    }

    /// Whether the victim took it.
    fn tell(&mut self, packet: &[u8]) -> bool {
        self.packets += 1;
        let known = |victim: &ChannelConnection| {
            (victim.stats(), victim.violation(), victim.is_flushed(), Channel::ALL.map(|channel| victim.room_bytes(channel)))
        };
        let before = known(&self.victim);
        let handled = self.victim.handle(self.now_us, packet);
        match handled {
            Err(reject) => assert_eq!(known(&self.victim), before, "{reject}, and yet something changed"),
            Ok(()) => assert_eq!(before.1, None, "it is over, and yet it listens"),
        }
        for channel in Channel::ALL {
            let (delivered, sent) = (self.victim.delivered(channel), self.victim.sent(channel));
            assert!(delivered <= sent, "{channel}: {delivered} of {sent} are known to have arrived");
            assert!(delivered >= before.0.of(channel).delivered_messages, "{channel}: what had arrived has not");
        }
        if let Some(sequence) = packet.get(1..5) {
            self.sequence = self.sequence.max(sequence.try_into().map_or(0, u32::from_le_bytes));
        }
        handled.is_ok()
    }

    fn read(&mut self, channel: Option<Channel>) {
        let settings = ConnectionSettings::new(0);
        let check = |channel: Channel, message: &[u8]| {
            let most = settings.topology.spec(channel).max_message_bytes as usize;
            assert!(message.len() <= most, "{channel}: a message of {} bytes", message.len());
            assert_ne!(channel, Channel::RollbackInputs);
        };
        match channel {
            Some(channel) => {
                if let Some(message) = self.victim.receive_on(self.now_us, channel) {
                    check(channel, &message);
                }
            }
            None => {
                while let Some((channel, message)) = self.victim.receive(self.now_us) {
                    check(channel, &message);
                }
            }
        }
    }

    fn end(&mut self) {
        self.poll();
        self.read(None);
        self.poll();
        if self.victim.violation().is_some() {
            assert_eq!(self.victim.poll_timeout(), None);
            assert!(self.victim.send(Channel::Lobby, b"still there?").is_err());
        }
    }
}

impl Heard {
    pub(super) fn listen(&mut self, packet: &[u8]) {
        let Some((&[format, s0, s1, s2, s3], mut rest)) = packet.split_first_chunk::<5>() else { return };
        self.sequence = u32::from_le_bytes([s0, s1, s2, s3]);
        if format & 0x80 != 0 {
            rest = rest.get(6..).unwrap_or_default();
        }
        while let Some((&[first, low, high], behind)) = rest.split_first_chunk::<3>() {
            let stream = usize::from(first & 7);
            let number = u16::from_le_bytes([low, high]);
            let skip = match first & 0xC0 {
                0 => {
                    self.sent[stream] = self.sent[stream].max(number.wrapping_add(1));
                    let at = if first & 8 == 0 { 0 } else { 8 };
                    behind.get(at..at + 2).map_or(usize::MAX, |len| at + 2 + usize::from(u16::from_le_bytes([len[0], len[1]])))
                }
                0x40 => {
                    self.expects[stream] = number;
                    behind.get(2).map_or(usize::MAX, |len| 3 + usize::from(*len))
                }
                // Of a part only its length has to be known.
                0x80 => behind.get(12..14).map_or(usize::MAX, |len| 14 + usize::from(u16::from_le_bytes([len[0], len[1]]))),
                // A question is one byte.
                _ => {
                    rest = rest.get(1..).unwrap_or_default();
                    continue;
                }
            };
            rest = behind.get(skip..).unwrap_or_default();
        }
    }
}

/// Size and checksum of a message, and how far they are off.
pub(super) fn announcement(content: &[u8], bytes: u8, crc: u8) -> [u8; 8] {
    let size = (content.len() as u32).wrapping_add_signed(i32::from(bytes as i8) * if bytes & 1 == 0 { 1 } else { 65_537 });
    let crc = crc32fast::hash(content) ^ u32::from(crc);
    let mut out = [0; 8];
    out[..4].copy_from_slice(&size.to_le_bytes());
    out[4..].copy_from_slice(&crc.to_le_bytes());
    out
}

/// A message of so many bytes; sixteen times as many where large ones are usual.
pub(super) fn filler(channel: Channel, len: u16) -> Vec<u8> {
    let times = if channel == Channel::MatchState { 16 } else { 1 };
    vec![channel.index() as u8; times * usize::from(len)]
}

/// Talk that goes well, with lies between.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let talk = |len: u16| {
        let [low, high] = len.to_le_bytes();
        (0..6u8).flat_map(move |channel| [Step::new(SEND, [channel, low, high]), Step::new(SAY, [channel, low, high])])
    };
    let honest = |ms: u8| Step::new(HONEST, [ms, 0]);
    let mut between = Vec::new();
    let mut wrong = Vec::new();
    for n in 0..16u8 {
        between.extend(talk(40 + 200 * u16::from(n)));
        between.push(honest(70));
        // What came before, once more and otherwise.
        between.push(Step::new(CHUNK, [0x18 | (n % 6), 255 - n % 3, 0, 0, 104, 105, n]));
        between.push(Step::new(ACK, [n % 6, 0u8.wrapping_sub(n % 3), 32, 0, 0]));
        between.push(Step::new(PART, [n, 0, 0, 0, 0, 1, 2, 3]));
        between.push(Step::new(APPEND, [0x45, n, 0, 9, 0, 0]));
        between.push(Step::new(READ, [n]));
        wrong.push(Step::new(FRAMES, [n << 4, n, 0, 1, 0, 7]));
        wrong.push(Step::new(PACKET, [1, n, 0, 0, 0, 0xC0 | n]));
        wrong.push(Step::new(CHANGE, [n, 0, 1 << (n % 8)]));
        wrong.extend(talk(9));
        wrong.push(honest(20));
    }
    between.push(Step::new(READ, [255]));
    // Begun and never ended, too long, with a wrong checksum, without a beginning.
    let lies = [
        ("unfinished", Step::new(CHUNK, [0x08 | 1, 0, 100, 0, 1, 2, 3])),
        ("too-large", Step::new(CHUNK, [0x18 | 2, 0, 101, 0, 1, 2, 3])),
        ("checksum", Step::new(CHUNK, [0x18 | 5, 0, 0, 1, 1, 2, 3])),
        ("no-beginning", Step::new(CHUNK, [0x10 | 4, 0, 0, 0, 1, 2, 3])),
    ];
    let mut seeds: Vec<(String, Case)> = lies
        .into_iter()
        .map(|(name, lie)| {
            let steps = talk(50).chain([honest(30), lie, honest(30), Step::new(READ, [255]), Step::new(WAIT, [200, 0])]).collect();
            (name.to_owned(), Case { steps })
        })
        .collect();
    // Nobody reads, and every window is full.
    let full = (0..39).flat_map(|n| talk(60_000 - 500 * n).chain([honest(60)])).collect();
    // Chunks that come without the one before them.
    let ahead = (0..200u8).map(|n| Step::new(CHUNK, [0x08 | 1, n, 0, 0, 1, 2, 3])).collect();
    seeds.extend(
        [("between", between), ("wrong", wrong), ("full", full), ("ahead", ahead)].map(|(name, steps)| (name.to_owned(), Case { steps })),
    );
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_transport::channel::Violation;

    /// What the seeds are made for does happen.
    #[test]
    fn the_seeds_reach_what_they_are_for() {
        for (name, case) in seeds() {
            let mut lies = Lies::new();
            for step in &case.steps {
                lies.step(step);
            }
            let (violation, stats) = (lies.victim.violation(), lies.victim.stats());
            let chat = Some(Channel::ChatPresence);
            match name.as_str() {
                "too-large" => assert_eq!(violation, Some(Violation::TooLarge { channel: chat })),
                "checksum" => assert_eq!(violation, Some(Violation::WrongChecksum { channel: Some(Channel::Lobby) })),
                "no-beginning" => assert_eq!(violation, Some(Violation::BrokenMessage { channel: Some(Channel::Telemetry) })),
                "between" => assert!(stats.packets_received > 100, "{stats:?}"),
                "full" => assert!(stats.of(Channel::MatchState).unread_bytes > 900_000, "{stats:?}"),
                _ => {}
            }
        }
    }
}
