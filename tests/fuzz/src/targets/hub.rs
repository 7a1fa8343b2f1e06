//! A whole [`ChannelHub`]: strangers, an honest peer, and one with the keys of its seat that keeps no
//! rule. Whatever the latter do, the honest two still talk.
//!
//! With the first action, bit 7 encrypts and bit 6 makes the victim a joiner, whose host is the rogue.

use crate::case::{Case, Step};
use crate::targets::channel::{Heard, announcement, filler};
use crate::targets::exchange::MOST_POLLS;
use crate::targets::rogue::{HEARTBEAT, PACKET, Rogue, address, settings};
use snapback_core::{PlayerHandle, PlayerSet};
use snapback_transport::channel::{Channel, ChannelConnection, ChannelHub, ConnectionSettings, Topology};
use std::net::SocketAddr;

/// Honest datagrams flow, for the first byte times 10 ms.
const ADVANCE: u8 = 0;
/// A datagram from elsewhere; the first byte says from where.
const STRANGER: u8 = 1;
/// A datagram from the address of a player: the first byte says of which.
const SPOOF: u8 = 2;
/// A datagram that somebody sent before, once more; the third byte says from where.
const REPEAT: u8 = 3;
/// The rogue sends a payload of its own.
const LIE: u8 = 4;
/// The rogue sends frames behind right headers.
const FRAMES: u8 = 5;
/// The rogue says something on the stream from hub to hub.
const CONTROL: u8 = 6;
/// The rogue greets as it should, with a seat and instance of its own.
const GREET: u8 = 7;
/// The rogue's next honest packet is changed: exclusive or, from an offset on.
const CHANGE: u8 = 8;
/// The rogue's honest half sends a message: channel, length.
const SAY: u8 = 9;
/// The victim sends a message to all: channel, length.
const SEND: u8 = 10;
/// The rogue begins a new connection.
const AGAIN: u8 = 11;
/// The rogue moves to another address.
const MOVE: u8 = 12;
/// Tens of milliseconds in which the rogue is cut off.
const CUT: u8 = 13;
/// Tens of milliseconds in which nobody does anything.
const WAIT: u8 = 14;
/// The victim's program leaves.
const LEAVE: u8 = 15;

const ENCRYPTED: u8 = 0x80;
const JOINER: u8 = 0x40;

/// Steps of 10 ms of one case, before the undisturbed end of it.
const MOST_STEPS: u32 = 1_500;

/// After this long undisturbed the honest two must have talked, whatever they had said before.
const DEADLINE_US: u64 = 120_000_000;

const STRANGERS: u8 = 8;

fn elsewhere(n: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 1, n % STRANGERS], 9))
}

struct Siege {
    victim: ChannelHub,
    victim_seat: u8,
    /// There is one unless the rogue is the host.
    honest: Option<ChannelHub>,
    rogue: Rogue,
    rogue_address: SocketAddr,
    /// The rogue's honest half.
    half: ChannelConnection,
    heard: Heard,
    sequence: u32,
    change: Option<(usize, Vec<u8>)>,
    has_left: bool,
    now_us: u64,
    steps: u32,
    cut_until_us: u64,
    heartbeat_us: u64,
    seen: Vec<(SocketAddr, Vec<u8>)>,
    /// Bytes from and to each stranger.
    strangers: Vec<(usize, usize)>,
    datagrams: u64,
}

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let case = Case::read(input);
    let first = case.steps.first().map_or(0, |step| step.action);
    let mut siege = Siege::new(first & ENCRYPTED != 0, first & JOINER != 0);
    for step in &case.steps {
        siege.step(step);
    }
    siege.end();
    siege.datagrams
}

impl Siege {
    fn new(is_encrypted: bool, is_joiner: bool) -> Self {
        let hub = |seat| ChannelHub::new(settings(seat, is_encrypted), 0).expect("the settings are the usual ones");
        let (victim_seat, rogue_seat) = if is_joiner { (1, 0) } else { (0, 2) };
        Self {
            victim: hub(victim_seat),
            victim_seat,
            honest: (!is_joiner).then(|| hub(1)),
            rogue: Rogue::new(rogue_seat, victim_seat, is_encrypted),
            rogue_address: address(rogue_seat),
            half: ChannelConnection::new(ConnectionSettings::new(1_100)),
            heard: Heard::default(),
            sequence: 0,
            change: None,
            has_left: false,
            now_us: 0,
            steps: 0,
            cut_until_us: 0,
            heartbeat_us: 0,
            seen: Vec::new(),
            strangers: vec![(0, 0); STRANGERS.into()],
            datagrams: 0,
        }
    }

    fn step(&mut self, Step { action, bytes }: &Step) {
        let [first, low, high] = [0, 1, 2].map(|at| bytes.get(at).copied().unwrap_or(0));
        let channel = Channel::ALL[usize::from(first) % Channel::ALL.len()];
        let rest = bytes.get(1..).unwrap_or_default();
        match action & 0x0F {
            ADVANCE => (0..first).for_each(|_| self.advance()),
            STRANGER => self.give(elsewhere(first), rest),
            SPOOF => self.give(address(first % 3), rest),
            REPEAT => {
                let at = usize::from(u16::from_le_bytes([first, low]));
                let Some((from, bytes)) = self.seen.get(at % self.seen.len().max(1)).cloned() else { return };
                self.give(if high == 0 { from } else { elsewhere(high) }, &bytes);
            }
            LIE => self.lie_and_be_caught(bytes),
            FRAMES => self.tell_frames(bytes),
            CONTROL => self.control(bytes),
            GREET => self.greet(first, low),
            CHANGE => {
                if let Some((at, mask)) = bytes.split_first_chunk::<2>() {
                    self.change = Some((u16::from_le_bytes(*at).into(), mask.to_vec()));
                }
            }
            SAY => {
                let _ = self.half.send(channel, &filler(channel, u16::from_le_bytes([low, high])));
            }
            SEND => {
                let _ = self.victim.send_to_all(self.now_us, channel, &filler(channel, u16::from_le_bytes([low, high])));
            }
            AGAIN => {
                self.rogue.begin(self.now_us);
                self.half = ChannelConnection::new(ConnectionSettings::new(1_100));
                (self.heard, self.sequence) = (Heard::default(), 0);
            }
            MOVE => self.rogue_address.set_port(7_001 + u16::from(first % 4)),
            CUT => self.cut_until_us = self.now_us + 10_000 * u64::from(first),
            WAIT => self.now_us += 10_000 * u64::from(first),
            LEAVE => {
                self.victim.close(self.now_us);
                self.has_left = true;
            }
            _ => {}
        }
        self.collect();
    }

    /// 10 ms of everybody.
    fn advance(&mut self) {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return;
        }
        self.now_us += 10_000;
        for datagram in self.rogue.poll(self.now_us) {
            self.send_as_rogue(&datagram);
        }
        let mut out = [0; 1_200];
        while let Some(len) = self.half.poll_transmit(self.now_us, &mut out) {
            let mut payload = [&PACKET[..], &out[..len]].concat();
            if let Some((at, mask)) = self.change.take() {
                payload.iter_mut().skip(at).zip(mask).for_each(|(byte, mask)| *byte ^= mask);
            }
            self.sequence += 1;
            self.lie(&payload);
        }
        while self.half.receive(self.now_us).is_some() {}
        if self.now_us >= self.heartbeat_us {
            self.heartbeat_us = self.now_us + 1_000_000;
            self.lie(&HEARTBEAT);
        }
        self.collect();
    }

    /// The honest one and the victim say what they have to say.
    fn collect(&mut self) {
        let mut out = [0; 1_200];
        if let Some(honest) = &mut self.honest {
            let mut sent = Vec::new();
            while let Some((to, len)) = honest.poll_transmit(self.now_us, &mut out) {
                assert!(sent.len() < MOST_POLLS, "polling the honest one has no end");
                sent.push((to, out[..len].to_vec()));
            }
            for (to, datagram) in sent {
                if to == address(self.victim_seat) {
                    self.give(address(1), &datagram);
                }
            }
        }
        for polls in 0.. {
            assert!(polls < MOST_POLLS, "polling has no end");
            let Some((to, len)) = self.victim.poll_transmit(self.now_us, &mut out) else { break };
            self.took(to, &out[..len]);
        }
        let next = self.victim.poll_timeout();
        assert!(next.is_none_or(|next| next > self.now_us), "at {} nothing is sent, and polling is asked for at {next:?}", self.now_us);
        while self.victim.poll_event().is_some() {}
        let everybody = PlayerSet::from_bits(7).without(PlayerHandle::new(self.victim_seat));
        assert!(everybody.union(self.victim.connected()) == everybody, "connected with nobody");
    }

    /// Something that the victim has sent.
    fn took(&mut self, to: SocketAddr, datagram: &[u8]) {
        if to == address(1) && self.honest.is_some() {
            let now_us = self.now_us;
            if let Some(honest) = &mut self.honest {
                honest.handle(now_us, address(self.victim_seat), datagram);
            }
        } else if to.ip() == self.rogue_address.ip() {
            if self.now_us < self.cut_until_us {
                return;
            }
            for payload in self.rogue.hear(self.now_us, datagram) {
                if let Some(packet) = payload.strip_prefix(&PACKET) {
                    self.heard.listen(packet);
                    let _ = self.half.handle(self.now_us, packet);
                }
            }
        } else if let Some(at) = (0..STRANGERS).find(|n| elsewhere(*n) == to) {
            self.strangers[usize::from(at)].1 += datagram.len();
            let (came, went) = self.strangers[usize::from(at)];
            // A host that lies may say that somebody to dial is there.
            let is_sure = self.victim_seat == 0;
            assert!(!is_sure || went <= came, "a stranger sent {came} bytes and was sent {went}");
        }
    }

    fn give(&mut self, from: SocketAddr, datagram: &[u8]) {
        self.datagrams += 1;
        if let Some(at) = (0..STRANGERS).find(|n| elsewhere(*n) == from) {
            self.strangers[usize::from(at)].0 += datagram.len();
        }
        if self.seen.len() < 128 {
            self.seen.push((from, datagram.to_vec()));
        }
        self.victim.handle(self.now_us, from, datagram);
    }

    fn send_as_rogue(&mut self, datagram: &[u8]) {
        if self.now_us >= self.cut_until_us {
            self.give(self.rogue_address, datagram);
        }
    }

    /// A payload of the rogue's wire.
    fn lie(&mut self, payload: &[u8]) {
        if let Some(datagram) = self.rogue.seal(payload) {
            self.send_as_rogue(&datagram);
        }
    }

    /// What laminar would do more with than carry it is dropped, and counted.
    fn lie_and_be_caught(&mut self, payload: &[u8]) {
        let count = |hub: &ChannelHub| hub.rejects().map(|(_, count)| count).sum::<u64>();
        let (rejects, given) = (count(&self.victim), self.datagrams);
        // Where nobody is met, a new handshake may swallow it.
        let is_heard = self.victim.connected().contains(PlayerHandle::new(self.rogue.seat));
        self.lie(payload);
        let is_carried = payload.is_empty() || payload.starts_with(&PACKET) || payload == HEARTBEAT;
        let is_caught = count(&self.victim) > rejects;
        assert!(!is_heard || is_carried || is_caught || self.datagrams == given || self.has_left, "{payload:?} was taken");
    }

    fn tell_frames(&mut self, frames: &[u8]) {
        self.sequence += 1;
        let mut payload = PACKET.to_vec();
        payload.push(1);
        payload.extend(self.sequence.to_le_bytes());
        payload.extend(frames);
        self.lie(&payload);
    }

    /// A whole message on the stream from hub to hub, next in its turn.
    fn control(&mut self, message: &[u8]) {
        let number = self.heard.expects[0];
        let mut frame = vec![0x18];
        frame.extend(number.to_le_bytes());
        frame.extend(announcement(message, 0, 0));
        frame.extend((message.len() as u16).to_le_bytes());
        frame.extend(message);
        self.tell_frames(&frame);
    }

    fn greet(&mut self, seat: u8, instance: u8) {
        let mut greeting = vec![1, 1];
        greeting.extend(Topology::default().digest().to_le_bytes());
        greeting.push(self.rogue.seat ^ seat);
        greeting.extend([instance, 0, 0, 0]);
        self.control(&greeting);
    }

    /// Undisturbed from here on.
    fn end(&mut self) {
        if self.honest.is_none() || self.has_left {
            return;
        }
        let (victim, honest) = (PlayerHandle::new(self.victim_seat), PlayerHandle::new(1));
        self.cut_until_us = u64::MAX;
        let deadline_us = self.now_us + DEADLINE_US;
        let (mut is_said, mut is_answered) = (false, false);
        loop {
            assert!(self.now_us < deadline_us, "the honest do not talk: said {is_said}, answered {is_answered}");
            self.now_us += 20_000;
            self.collect();
            if let Some(hub) = &mut self.honest {
                is_said = is_said || hub.send(self.now_us, victim, Channel::Lobby, b"still here?").is_ok();
                while let Some(received) = hub.receive(self.now_us) {
                    if received.message == b"still here" {
                        return;
                    }
                }
            }
            while let Some(received) = self.victim.receive(self.now_us) {
                let is_question = received.from == honest && received.message == b"still here?";
                is_answered |= is_question && self.victim.send(self.now_us, honest, Channel::Lobby, b"still here").is_ok();
            }
        }
    }
}

/// What a malicious host says of another joiner.
fn introduction(seat: u8, instance: u8, is_encrypted: bool, at: SocketAddr) -> Vec<u8> {
    let mut message = vec![2, seat, instance, 0, 0, 0, u8::from(is_encrypted)];
    if is_encrypted {
        // Certificate, secret and identity.
        message.extend([instance; 96]);
    }
    message.push(4);
    if let SocketAddr::V4(at) = at {
        message.extend(at.ip().octets());
        message.extend(at.port().to_le_bytes());
    }
    message
}

/// A rogue that is met and behaves; and what it may do then, in both profiles and on both sides.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let advance = |n: u8| Step::new(ADVANCE, [n]);
    let mut seeds = Vec::new();
    for (name, first) in [("plain", 0), ("sealed", ENCRYPTED), ("plain-joiner", JOINER), ("sealed-joiner", ENCRYPTED | JOINER)] {
        let met = || [Step::new(ADVANCE | first, [90]), Step::new(GREET, [0, 1]), advance(10)].into_iter();
        let talk = (0..12u8).flat_map(|n| [Step::new(SAY, [n, 90, n]), Step::new(SEND, [n, 200, n / 3]), advance(8)]);
        let moved = [Step::new(MOVE, [2]), advance(20), Step::new(REPEAT, [9, 0, 4]), Step::new(CUT, [255]), Step::new(CUT, [255])];
        let again = [Step::new(AGAIN, []), advance(60), Step::new(GREET, [0, 2]), advance(10), Step::new(SAY, [5, 9, 0]), advance(10)];
        let strangers = (0..16u8).flat_map(|n| {
            let junk = Step::new(STRANGER, [&[n, 7 + n % 7][..], &[n; 30]].concat());
            [junk, Step::new(SPOOF, [n, 13, n % 3, 1, 2, 3, 4]), Step::new(REPEAT, [n, 0, n % 3]), advance(1)]
        });
        let lies = (0..12u8).flat_map(|n| {
            let part = Step::new(LIE, [0x54, 0x09, n % 4, n / 4, n % 2, n, 0, 1, 2, 3]);
            [part, Step::new(FRAMES, [0x18 | (n % 6), n, 0, 1, 0, 0, 0, 1, 2, 3, 4, 1, 0, 7]), advance(2)]
        });
        let introductions = (0..6u8).flat_map(|n| {
            let at = elsewhere(n);
            [Step::new(CONTROL, introduction(2 - n / 3, n / 2, first & ENCRYPTED != 0, at)), advance(6)]
        });
        let left = [Step::new(CONTROL, [3]), advance(40), Step::new(LEAVE, []), advance(100)];
        let change = (0..8u8).flat_map(|n| [Step::new(SAY, [n, 90, 0]), Step::new(CHANGE, [4 + n, 0, 1 << n]), advance(4)]);
        for (what, steps) in [
            ("talk", met().chain(talk).chain(moved).chain(again).collect::<Vec<_>>()),
            ("strangers", met().chain(strangers).chain([Step::new(WAIT, [200]), advance(9)]).collect()),
            ("lies", met().chain(lies).collect()),
            ("control", met().chain(introductions).chain(left).collect()),
            ("change", met().chain(change).collect()),
            ("silent", met().chain((0..14).flat_map(|_| [Step::new(CUT, [255]), Step::new(WAIT, [250]), advance(3)])).collect()),
        ] {
            seeds.push((format!("{name}-{what}"), Case { steps }));
        }
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the seeds are made for does happen: the rogue is met, and taken for a player.
    #[test]
    fn the_rogue_is_let_in() {
        for (name, case) in seeds().into_iter().filter(|(name, _)| name.ends_with("talk")) {
            let first = case.steps[0].action;
            let mut siege = Siege::new(first & ENCRYPTED != 0, first & JOINER != 0);
            for step in &case.steps[..12] {
                siege.step(step);
            }
            assert!(siege.rogue.is_met(), "{name}");
            let connected = siege.victim.connected();
            assert!(connected.contains(PlayerHandle::new(siege.rogue.seat)), "{name}: {connected:?}");
            let stats = siege.victim.connection(PlayerHandle::new(siege.rogue.seat)).map(ChannelConnection::stats);
            assert!(stats.is_some_and(|stats| stats.of(Channel::MatchState).received_messages > 0), "{name}: {stats:?}");
        }
    }
}
