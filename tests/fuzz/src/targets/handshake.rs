//! Both ends of an encrypted handshake, a stranger on the way, and strangers elsewhere. Whatever they
//! send, once they stop the honest two come together.

use crate::case::{Case, Step};
use crate::checksum::{GREETING_SEED, sealed};
use snapback_transport::packet::{Cookie, DATAGRAM_BUDGET_BYTES, Hello, Knock, Opener, PROTOCOL_VERSION};
use snapback_transport::secure::{Certificate, Identity, MAX_HANDSHAKES, MatchSecret, SecureEvent, SecureSettings, SecureSocket};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::OnceLock;

/// Honest datagrams flow, for the first byte times 10 ms.
const ADVANCE: u8 = 0;
/// A datagram from one honest end's address to the other.
const TO_LISTENER: u8 = 1;
const TO_DIALER: u8 = 2;
/// From elsewhere; the first byte says from where.
const STRANGER: u8 = 3;
/// From elsewhere, with the cookie that this address was given: the rest is the record behind it.
const STRANGER_OPENS: u8 = 4;
/// The next honest datagram is changed: exclusive or, from an offset on.
const CHANGE: u8 = 5;
/// The next honest datagrams are lost.
const LOSE: u8 = 6;
/// An honest datagram once more; the third byte says from where.
const REPEAT: u8 = 7;
/// As the dialler, with its cookie.
const OPEN: u8 = 8;
/// Time passes.
const WAIT: u8 = 9;

const STRANGERS: u8 = 24;

/// After this long undisturbed they must be together: longer than the longest that one end may wait
/// for the other before it begins again.
const DEADLINE_US: u64 = 60_000_000;

fn address(n: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, n], 7_000))
}

/// Certificates cost more than everything else here.
#[must_use]
pub fn certificate(side: usize) -> Certificate {
    static ALL: OnceLock<[Certificate; 3]> = OnceLock::new();
    ALL.get_or_init(|| [(); 3].map(|()| Certificate::generate().expect("the system has random bytes")))[side].clone()
}

/// What passes between the two.
#[derive(Clone)]
struct Passing {
    to_listener: bool,
    bytes: Vec<u8>,
}

struct Way {
    listener: SecureSocket,
    dialer: SecureSocket,
    now_us: u64,
    wire: VecDeque<Passing>,
    seen: Vec<Passing>,
    change: Option<(usize, Vec<u8>)>,
    lose: u8,
    datagrams: u64,
    /// Bytes from and to each stranger, and whether it showed a cookie.
    strangers: Vec<(usize, usize, bool)>,
}

const LISTENER: u8 = 1;
const DIALER: u8 = 2;
const NONCE: u64 = 0x1234_5678_9ABC_DEF0;

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let case = Case::read(input);
    let mut way = Way::new();
    for step in &case.steps {
        way.step(step);
        assert!(way.listener.pending_handshakes() <= MAX_HANDSHAKES);
    }
    way.end();
    way.datagrams
}

impl Way {
    fn new() -> Self {
        let socket = |side: usize| {
            let seed = [side as u8; 32];
            let settings = SecureSettings::new(7, certificate(side), Identity::from_seed(&seed), seed);
            SecureSocket::new(settings).expect("the library takes the usual settings")
        };
        let (mut listener, mut dialer) = (socket(0), socket(1));
        let secret = MatchSecret([9; 32]).seat(1);
        listener.expect(1, secret, None);
        dialer.dial(0, address(LISTENER), 1, secret, listener.fingerprint(), NONCE);
        Self {
            listener,
            dialer,
            now_us: 0,
            wire: VecDeque::new(),
            seen: Vec::new(),
            change: None,
            lose: 0,
            datagrams: 0,
            strangers: vec![(0, 0, false); STRANGERS.into()],
        }
    }

    fn step(&mut self, Step { action, bytes }: &Step) {
        let first = bytes.first().copied().unwrap_or(0);
        match action & 0x0F {
            ADVANCE => {
                for _ in 0..first.min(64) {
                    self.now_us += 10_000;
                    self.collect();
                    self.deliver();
                }
            }
            TO_LISTENER => self.tell_listener(DIALER, bytes),
            TO_DIALER => {
                self.datagrams += 1;
                let _ = self.dialer.handle(self.now_us, address(LISTENER), bytes);
            }
            STRANGER => self.stranger(first % STRANGERS, bytes.get(1..).unwrap_or_default()),
            STRANGER_OPENS => self.stranger_opens(first % STRANGERS, bytes.get(1..).unwrap_or_default()),
            CHANGE => {
                let Some((at, mask)) = bytes.split_first_chunk::<2>() else { return };
                self.change = Some((u16::from_le_bytes(*at).into(), mask.to_vec()));
            }
            LOSE => self.lose = first % 8,
            REPEAT => {
                let Some(&[low, high, from]) = bytes.first_chunk::<3>() else { return };
                let at = usize::from(u16::from_le_bytes([low, high]));
                let Some(Passing { to_listener, bytes }) = self.seen.get(at % self.seen.len().max(1)).cloned() else { return };
                match (to_listener, from % 3) {
                    (true, 0) => self.stranger(0, &bytes),
                    (true, _) => self.tell_listener(DIALER, &bytes),
                    (false, _) => {
                        self.datagrams += 1;
                        let _ = self.dialer.handle(self.now_us, address(LISTENER), &bytes);
                    }
                }
            }
            OPEN => {
                let cookie = self.seen.iter().rev().filter(|passing| !passing.to_listener).find_map(|it| Cookie::read(&it.bytes).ok());
                let Some(Cookie { cookie, nonce, .. }) = cookie else { return };
                let mut out = [0; DATAGRAM_BUDGET_BYTES];
                let len = Opener { nonce: nonce ^ u64::from(action >> 7), cookie, record: bytes }.write(&mut out);
                self.tell_listener(DIALER, &out[..len]);
            }
            WAIT => self.now_us += 1_000 * u64::from(bytes.first_chunk::<2>().map_or(1, |chunk| u16::from_le_bytes(*chunk) % 4_096)),
            _ => {}
        }
        self.collect();
    }

    fn tell_listener(&mut self, from: u8, datagram: &[u8]) {
        self.datagrams += 1;
        let _ = self.listener.handle(self.now_us, address(from), datagram);
    }

    fn stranger(&mut self, stranger: u8, datagram: &[u8]) {
        self.strangers[usize::from(stranger)].0 += datagram.len();
        self.tell_listener(100 + stranger, datagram);
        self.collect();
        let (came, went, has_cookie) = self.strangers[usize::from(stranger)];
        assert!(has_cookie || went <= came, "a stranger sent {came} bytes and was sent {went}");
    }

    fn stranger_opens(&mut self, stranger: u8, record: &[u8]) {
        let mut out = [0; DATAGRAM_BUDGET_BYTES];
        let nonce = 77 + u64::from(stranger);
        let len = Knock { version: PROTOCOL_VERSION, nonce }.write(&mut out);
        self.tell_listener(100 + stranger, &out[..len]);
        let mut polls = 0;
        while let Some((to, len)) = self.listener.poll_transmit(self.now_us, &mut out) {
            polls += 1;
            assert!(polls < 1_000, "polling has no end");
            if to != address(100 + stranger) {
                self.took(to, &out[..len]);
                continue;
            }
            let Ok(cookie) = Cookie::read(&out[..len]) else { continue };
            self.strangers[usize::from(stranger)].2 = true;
            let len = Opener { nonce, cookie: cookie.cookie, record }.write(&mut out);
            let datagram = out[..len].to_vec();
            self.tell_listener(100 + stranger, &datagram);
        }
    }

    /// Something that the listener has sent.
    fn took(&mut self, to: SocketAddr, datagram: &[u8]) {
        if to == address(DIALER) {
            self.wire.push_back(Passing { to_listener: false, bytes: datagram.to_vec() });
        } else if let Some(at) = (0..STRANGERS).find(|n| address(100 + n) == to) {
            self.strangers[usize::from(at)].1 += datagram.len();
        }
    }

    /// What both ends have to send goes on its way. Who asks to be polled at once may do so a few
    /// times in a row, and not for ever.
    fn collect(&mut self) {
        let is_due = |socket: &SecureSocket, now_us: u64| socket.poll_timeout().is_some_and(|next| next <= now_us);
        for _ in 0..4 {
            self.collect_once();
            if !is_due(&self.listener, self.now_us) && !is_due(&self.dialer, self.now_us) {
                return;
            }
        }
        let next = (self.listener.poll_timeout(), self.dialer.poll_timeout());
        panic!("at {} nothing is sent, and polling is asked for at {next:?} by listener and dialler", self.now_us);
    }

    fn collect_once(&mut self) {
        let mut out = [0; DATAGRAM_BUDGET_BYTES];
        let mut polls = 0;
        while let Some((to, len)) = self.listener.poll_transmit(self.now_us, &mut out) {
            polls += 1;
            assert!(polls < 1_000, "polling has no end");
            self.took(to, &out[..len]);
        }
        while let Some((_, len)) = self.dialer.poll_transmit(self.now_us, &mut out) {
            polls += 1;
            assert!(polls < 1_000, "polling has no end");
            self.wire.push_back(Passing { to_listener: true, bytes: out[..len].to_vec() });
        }
        while let Some(event) = self.listener.poll_event() {
            if let SecureEvent::Established { address, .. } = event {
                self.listener.claim(address);
            }
        }
        while self.dialer.poll_event().is_some() {}
        while self.listener.next_packet().is_some() {}
        while self.dialer.next_packet().is_some() {}
        assert!(self.wire.len() < 2_000, "too much to send");
    }

    fn deliver(&mut self) {
        while let Some(mut passing) = self.wire.pop_front() {
            if self.seen.len() < 64 {
                self.seen.push(passing.clone());
            }
            if self.lose > 0 {
                self.lose -= 1;
                continue;
            }
            if let Some((at, mask)) = self.change.take() {
                passing.bytes.iter_mut().skip(at).zip(mask).for_each(|(byte, mask)| *byte ^= mask);
            }
            self.datagrams += 1;
            let (socket, from) = if passing.to_listener { (&mut self.listener, DIALER) } else { (&mut self.dialer, LISTENER) };
            let _ = socket.handle(self.now_us, address(from), &passing.bytes);
        }
    }

    fn are_together(&self) -> bool {
        self.listener.proved(address(DIALER)).is_some() && self.dialer.proved(address(LISTENER)).is_some()
    }

    /// Undisturbed from here on.
    fn end(&mut self) {
        (self.change, self.lose) = (None, 0);
        let deadline_us = self.now_us + DEADLINE_US;
        while !self.are_together() {
            assert!(self.now_us < deadline_us, "the honest two do not come together: {:?}", self.dialer.failure(address(LISTENER)));
            self.collect();
            self.deliver();
            self.now_us += 20_000;
        }
        self.collect();
        let mut out = [0; DATAGRAM_BUDGET_BYTES];
        let len = self.dialer.seal(address(LISTENER), &[5, 1, 2], &mut out);
        self.listener.handle(self.now_us, address(DIALER), &out[..len]).expect("an honest packet");
        assert_eq!(self.listener.next_packet(), Some((address(DIALER), &[5, 1, 2][..])));
    }
}

/// An honest handshake, met by what its own datagrams look like.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let mut way = Way::new();
    way.step(&Step::new(ADVANCE, [40]));
    let seen = way.seen;
    let to = |passing: &Passing| if passing.to_listener { TO_LISTENER } else { TO_DIALER };
    let mut out = [0; DATAGRAM_BUDGET_BYTES];
    let hello = Hello {
        version: PROTOCOL_VERSION,
        match_id: 7,
        nonce: 8,
        players: snapback_core::PlayerSet::EMPTY,
        player_count: 1,
        params: super::packets::params(2),
    };
    let len = hello.write(snapback_transport::ConnectionKey::AEAD, &mut out);
    let hello = [&[1][..], &sealed(GREETING_SEED, &out[..len])].concat();
    let alert = [21, 254, 253, 0, 0, 0, 0, 0, 0, 0, 9, 0, 2, 2, 40];
    let close = [21, 254, 253, 0, 0, 0, 0, 0, 0, 0, 9, 0, 2, 1, 0];

    let before = seen.iter().map(|passing| Step::new(to(passing), passing.bytes.clone())).chain([Step::new(ADVANCE, [20])]).collect();
    let mut between = Vec::new();
    for (n, passing) in seen.iter().enumerate() {
        between.push(Step::new(ADVANCE, [1]));
        between.push(Step::new(to(passing), passing.bytes.clone()));
        between.push(Step::new(REPEAT, [n as u8, 0, 1]));
        between.push(Step::new(CHANGE, [11, 0, 1, 0, 0, 0, 255]));
    }
    let opener = seen.iter().find_map(|passing| Opener::read(&passing.bytes).ok());
    let record = opener.map_or_else(Vec::new, |opener| opener.record.to_vec());
    let mut strangers = vec![Step::new(STRANGER, hello)];
    for n in 0..STRANGERS {
        strangers.push(Step::new(STRANGER_OPENS, [&[n][..], &record].concat()));
    }
    strangers.push(Step::new(OPEN | 0x80, record.clone()));
    strangers.push(Step::new(WAIT, [232, 3]));
    strangers.push(Step::new(OPEN, record));
    let mut alerts = Vec::new();
    for n in 0..8 {
        alerts.push(Step::new(ADVANCE, [n % 3]));
        alerts.push(Step::new(TO_DIALER, if n % 2 == 0 { alert } else { close }));
        alerts.push(Step::new(TO_LISTENER, if n % 2 == 1 { alert } else { close }));
        alerts.push(Step::new(LOSE, [n]));
    }
    [("before", before), ("between", between), ("strangers", strangers), ("alerts", alerts)]
        .into_iter()
        .map(|(name, steps)| (name.to_owned(), Case { steps }))
        .collect()
}
