//! [`Plain`]: the wire without encryption. Who a datagram is from is told by its seat, and by two nonces
//! that only those know who receive at the right address.
//!
//! One end dials: it knocks with a nonce until somebody echoes it. The other end answers each knock with
//! a nonce made from the knock and its address, and remembers nothing of it. Whoever echoes that one
//! receives there, and is met. An end that is started anew has another nonce, and by echoing the answer
//! to it takes the place of the connection before. Each answer is good for one meeting: what is replayed of
//! a connection that was replaced opens nothing. Late knocks of the last eight are not even answered.
//!
//! Whoever moves is followed once it has answered from there: nothing else goes where a packet only seems to
//! come from.

use super::introduction::Known;
use super::path::Path;
use super::settings::HubSettings;
use super::wire::{Target, Word};
use crate::credentials::{IdentityKey, SecureFailure};
use crate::packet::{ConnectionKey, Pairing, PlainChannel, Reject, RejectCounts};
use snapback_core::limits::MAX_PLAYERS;
use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};

/// Between two knocks.
const KNOCK_US: u64 = 150_000;

/// Between two answers to knocks for one seat: an answer is as long as a knock, and there are no more than
/// a few dozen a second.
const ANSWER_GAP_US: u64 = 20_000;

/// Between two questions, or answers to them, about where the player of a seat is.
const PATH_GAP_US: u64 = 20_000;

/// Between two meetings with one seat: each costs a connection of laminar.
const MEET_GAP_US: u64 = 200_000;

/// Replies that wait to be sent.
const MAX_REPLIES: usize = 2 * MAX_PLAYERS;

/// Nonces of ended connections that are remembered for each seat.
const DEAD: usize = 8;

/// The connection of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Contact {
    None,
    Knocking { address: SocketAddr, nonce: u32, next_us: u64 },
    Met { address: SocketAddr, own: u32, theirs: u32 },
}

#[derive(Clone, Copy, Debug)]
struct Seat {
    contact: Contact,
    /// Whether it may dial.
    is_expected: bool,
    /// How often it was met: answers to knocks before the last meeting are worth nothing.
    meetings: u64,
    next_answer_us: u64,
    next_path_us: u64,
    next_meeting_us: u64,
    /// How often it was followed: the answer that led there leads nowhere again.
    moves: u32,
    dead: [u32; DEAD],
    dead_count: usize,
}

/// A knock's answer, or a question or an answer about a path.
#[derive(Clone, Copy, Debug)]
struct Reply {
    to: SocketAddr,
    seat: u8,
    own: u32,
    theirs: u32,
    path: Option<Path>,
}

/// See the module.
pub(super) struct Plain {
    match_id: u64,
    own_seat: u8,
    /// What nobody else can guess.
    secret: u64,
    seats: [Seat; MAX_PLAYERS],
    replies: VecDeque<Reply>,
    /// Who has just been met.
    met: Option<u8>,
    arrived: Option<u8>,
    payload: Vec<u8>,
    datagram_bytes: usize,
    rejects: RejectCounts,
}

impl Plain {
    /// A wire with nobody on it. Nobody else can guess `secret`.
    pub(super) fn new(settings: &HubSettings, secret: u64) -> Self {
        let seat = Seat {
            contact: Contact::None,
            is_expected: false,
            meetings: 0,
            next_answer_us: 0,
            next_path_us: 0,
            next_meeting_us: 0,
            moves: 0,
            dead: [0; DEAD],
            dead_count: 0,
        };
        Self {
            match_id: settings.match_id,
            own_seat: settings.player.index() as u8,
            secret,
            seats: [seat; MAX_PLAYERS],
            replies: VecDeque::with_capacity(MAX_REPLIES),
            met: None,
            arrived: None,
            payload: Vec::new(),
            datagram_bytes: settings.datagram_budget_bytes,
            rejects: RejectCounts::default(),
        }
    }

    /// Lets the player of a seat dial.
    pub(super) fn invite(&mut self, seat: u8) {
        self.expect(seat, None);
    }

    /// Lets the player of a seat dial. There is nothing by which one could know it.
    pub(super) fn expect(&mut self, seat: u8, _pairing: Option<Pairing>) {
        if let Some(seat) = self.seats.get_mut(usize::from(seat)) {
            seat.is_expected = true;
        }
    }

    pub(super) fn known(&self, _receiver: u8, _other: u8) -> Option<Known> {
        None
    }

    /// Nobody here proves who it is.
    pub(super) fn identity(&self, _seat: u8) -> Option<IdentityKey> {
        None
    }

    pub(super) fn pinned(&self, _seat: u8) -> Option<IdentityKey> {
        None
    }

    pub(super) fn pin(&mut self, _seat: u8, _identity: IdentityKey, _word: Word) -> bool {
        false
    }

    /// Knocks where the player of a seat listens. `nonce` is a number that nobody else knows.
    pub(super) fn dial(&mut self, now_us: u64, seat: u8, target: Target, nonce: u64) {
        self.hang_up(seat);
        if let Some(seat) = self.seats.get_mut(usize::from(seat)) {
            seat.contact = Contact::Knocking { address: target.address, nonce: (nonce as u32).max(1), next_us: now_us };
        }
    }

    /// Ends what there is with the player of a seat.
    pub(super) fn hang_up(&mut self, seat: u8) {
        if let Some(seat) = self.seats.get_mut(usize::from(seat)) {
            seat.bury();
            seat.contact = Contact::None;
        }
    }

    /// Nobody here says why.
    pub(super) fn failure(&self, _seat: u8) -> Option<SecureFailure> {
        None
    }

    pub(super) fn refusal(&self, _now_us: u64, _seat: u8) -> Option<SecureFailure> {
        None
    }

    /// Where the player of a seat is, once met.
    pub(super) fn address(&self, seat: u8) -> Option<SocketAddr> {
        match self.seats.get(usize::from(seat))?.contact {
            Contact::Met { address, .. } => Some(address),
            _ => None,
        }
    }

    /// Takes a datagram; what is dropped is counted.
    pub(super) fn handle(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) {
        if let Err(reject) = self.take(now_us, from, datagram) {
            self.rejects.count(reject);
        }
    }

    pub(super) fn rejects(&self) -> &RejectCounts {
        &self.rejects
    }

    pub(super) fn packet_budget_bytes(&self) -> usize {
        self.datagram_bytes.saturating_sub(PlainChannel::OVERHEAD_BYTES)
    }

    fn take(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) -> Result<(), Reject> {
        let claimed = PlainChannel::claimed_seat(datagram)?;
        if claimed == self.own_seat {
            return Err(Reject::BadField);
        }
        let packet = PlainChannel::read(datagram, ConnectionKey::channels(self.match_id, claimed, self.own_seat))?;
        let fresh = self.answer_to(packet.seat, packet.nonce, from);
        let seat = self.seats.get_mut(usize::from(claimed)).ok_or(Reject::BadField)?;
        if packet.echo == 0 {
            return self.take_knock(now_us, from, packet, fresh);
        }
        match seat.contact {
            Contact::Met { address, own, theirs } if (packet.echo, packet.nonce) == (own, theirs) => {
                if let Some(path) = Path::read(packet.payload) {
                    return self.take_path(now_us, from, claimed, path);
                }
                if from != address && packet.payload.len() >= Path::BYTES {
                    let token = self.path_token(claimed, from);
                    self.reply_on_path(now_us, from, claimed, Path { is_answer: false, token });
                }
            }
            Contact::Knocking { address, nonce, .. } if (packet.echo, from) == (nonce, address) => {
                seat.contact = Contact::Met { address: from, own: packet.echo, theirs: packet.nonce };
                self.met = Some(claimed);
            }
            _ if !seat.is_expected || packet.echo != fresh || seat.is_dead(packet.nonce) => return Err(Reject::WrongNonce),
            _ if now_us < seat.next_meeting_us => return Err(Reject::HandshakesFull),
            _ => {
                seat.bury();
                seat.meetings = seat.meetings.wrapping_add(1);
                seat.next_meeting_us = now_us.saturating_add(MEET_GAP_US);
                seat.contact = Contact::Met { address: from, own: fresh, theirs: packet.nonce };
                self.met = Some(claimed);
            }
        }
        if !packet.payload.is_empty() {
            self.payload.clear();
            self.payload.extend_from_slice(packet.payload);
            self.arrived = Some(claimed);
        }
        Ok(())
    }

    fn take_knock(&mut self, now_us: u64, from: SocketAddr, knock: PlainChannel<'_>, fresh: u32) -> Result<(), Reject> {
        let seat = self.seats.get_mut(usize::from(knock.seat)).ok_or(Reject::BadField)?;
        if !seat.is_expected {
            return Err(Reject::WrongState);
        }
        if seat.is_dead(knock.nonce) {
            return Err(Reject::WrongNonce);
        }
        if now_us < seat.next_answer_us || self.replies.len() >= MAX_REPLIES {
            return Err(Reject::HandshakesFull);
        }
        // A late knock of the connection that stands hears of that one.
        let own = match seat.contact {
            Contact::Met { own, theirs, .. } if theirs == knock.nonce => own,
            _ => fresh,
        };
        seat.next_answer_us = now_us.saturating_add(ANSWER_GAP_US);
        self.replies.push_back(Reply { to: from, seat: knock.seat, own, theirs: knock.nonce, path: None });
        Ok(())
    }

    /// The player of a seat asks, or answers, whether somebody receives at an address.
    fn take_path(&mut self, now_us: u64, from: SocketAddr, claimed: u8, path: Path) -> Result<(), Reject> {
        if !path.is_answer {
            self.reply_on_path(now_us, from, claimed, Path { is_answer: true, ..path });
            return Ok(());
        }
        let token = self.path_token(claimed, from);
        let seat = self.seats.get_mut(usize::from(claimed)).ok_or(Reject::BadField)?;
        let Contact::Met { address, own, theirs } = seat.contact else { return Err(Reject::WrongState) };
        // A second question was under way when the first was answered.
        if from == address {
            return Ok(());
        }
        if path.token != token {
            return Err(Reject::WrongNonce);
        }
        seat.moves = seat.moves.wrapping_add(1);
        seat.contact = Contact::Met { address: from, own, theirs };
        Ok(())
    }

    /// Says something small where the player of a seat may be, unless it has just done so.
    fn reply_on_path(&mut self, now_us: u64, to: SocketAddr, seat: u8, path: Path) {
        let Some(it) = self.seats.get_mut(usize::from(seat)) else { return };
        let Contact::Met { own, theirs, .. } = it.contact else { return };
        if now_us >= it.next_path_us && self.replies.len() < MAX_REPLIES {
            it.next_path_us = now_us.saturating_add(PATH_GAP_US);
            self.replies.push_back(Reply { to, seat, own, theirs, path: Some(path) });
        }
    }

    /// What only who receives at `from` can repeat, and only until the player is followed somewhere.
    fn path_token(&self, seat: u8, from: SocketAddr) -> u32 {
        let (own, moves) = match self.seats.get(usize::from(seat)) {
            Some(Seat { contact: Contact::Met { own, .. }, moves, .. }) => (*own, *moves),
            _ => (0, 0),
        };
        self.secret_of(1 + u64::from(moves), seat, own, from)
    }

    /// The nonce by which this end answers a knock: none but who receives at `from` learns it.
    fn answer_to(&self, seat: u8, nonce: u32, from: SocketAddr) -> u32 {
        self.secret_of(0, seat, nonce, from)
    }

    fn secret_of(&self, purpose: u64, seat: u8, nonce: u32, from: SocketAddr) -> u32 {
        let ip = match from.ip() {
            IpAddr::V4(ip) => ip.to_ipv6_mapped().to_bits(),
            IpAddr::V6(ip) => ip.to_bits(),
        };
        let meetings = self.seats.get(usize::from(seat)).map_or(0, |seat| seat.meetings);
        let whose = u64::from(nonce) << 32 | u64::from(seat) << 16 | u64::from(from.port());
        let parts = [purpose, meetings, whose, ip as u64, (ip >> 64) as u64];
        let mixed = parts.iter().fold(self.secret, |mixed, part| mix(mixed ^ part));
        ((mixed >> 32) as u32).max(1)
    }

    /// Who was met since the last call.
    pub(super) fn next_met(&mut self) -> Option<u8> {
        self.met.take()
    }

    /// What came in, and from whom; valid until the next call.
    pub(super) fn next_packet(&mut self) -> Option<(u8, &[u8])> {
        let seat = self.arrived.take()?;
        Some((seat, &self.payload))
    }

    /// Writes a packet for a player who was met, and says where to.
    pub(super) fn write(&self, to: u8, payload: &[u8], out: &mut [u8]) -> Option<(SocketAddr, usize)> {
        let Contact::Met { address, own, theirs } = self.seats.get(usize::from(to))?.contact else { return None };
        self.packet(address, to, own, theirs, payload, out)
    }

    fn packet(&self, at: SocketAddr, to: u8, nonce: u32, echo: u32, payload: &[u8], out: &mut [u8]) -> Option<(SocketAddr, usize)> {
        let packet = PlainChannel { seat: self.own_seat, nonce, echo, payload };
        let len = packet.write(ConnectionKey::channels(self.match_id, self.own_seat, to), out);
        (len > 0).then_some((at, len))
    }

    /// The next knock or reply that is due.
    pub(super) fn poll_transmit(&mut self, now_us: u64, out: &mut [u8]) -> Option<(SocketAddr, usize)> {
        if let Some(Reply { to, seat, own, theirs, path }) = self.replies.pop_front() {
            let payload = path.map(Path::write);
            return self.packet(to, seat, own, theirs, payload.as_ref().map_or(&[], |payload| payload), out);
        }
        for (seat, it) in (0u8..).zip(&mut self.seats) {
            if let Contact::Knocking { address, nonce, next_us } = &mut it.contact
                && *next_us <= now_us
            {
                *next_us = now_us.saturating_add(KNOCK_US);
                let (address, nonce) = (*address, *nonce);
                return self.packet(address, seat, nonce, 0, &[], out);
            }
        }
        None
    }

    pub(super) fn poll_timeout(&self) -> Option<u64> {
        let reply = (!self.replies.is_empty()).then_some(0);
        let knocks = self.seats.iter().filter_map(|seat| match seat.contact {
            Contact::Knocking { next_us, .. } => Some(next_us),
            _ => None,
        });
        knocks.chain(reply).min()
    }
}

impl Seat {
    fn is_dead(&self, nonce: u32) -> bool {
        self.dead.contains(&nonce)
    }

    /// The connection that there is never comes back.
    fn bury(&mut self) {
        if let Contact::Met { theirs, .. } = self.contact {
            self.dead[self.dead_count % DEAD] = theirs;
            self.dead_count += 1;
        }
    }
}

/// The finalizer of SplitMix64: a permutation in which every bit of the input moves every bit of the
/// output. It keeps no secret from who computes; such a one needs the encrypted profile.
const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::{HubRole, HubSecurity};
    use snapback_core::PlayerHandle;

    const LISTENER: &str = "10.0.0.1:7000";
    const DIALER: &str = "10.0.0.2:7000";

    fn at(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    fn plain(player: u8) -> Plain {
        let host = at(LISTENER);
        let role = if player == 0 { HubRole::Host } else { HubRole::Join { host } };
        let settings = HubSettings::new(9, PlayerHandle::new(player), 4, 0, role, HubSecurity::InsecureLan);
        Plain::new(&settings, 77 + u64::from(player))
    }

    fn listener() -> Plain {
        let mut plain = plain(0);
        plain.invite(1);
        plain
    }

    fn dialer(nonce: u64) -> Plain {
        let mut plain = plain(1);
        plain.dial(0, 0, Target { address: at(LISTENER), pairing: None }, nonce);
        plain
    }

    fn next(plain: &mut Plain, now_us: u64) -> Vec<u8> {
        let mut out = [0; 64];
        let (_, len) = plain.poll_transmit(now_us, &mut out).expect("nothing is due");
        out[..len].to_vec()
    }

    fn said(plain: &Plain, to: u8, payload: &[u8]) -> Vec<u8> {
        let mut out = [0; 64];
        let (_, len) = plain.write(to, payload, &mut out).expect("nobody was met");
        out[..len].to_vec()
    }

    /// Both have met; the dialler's packet that did it.
    fn meet(now_us: u64, listener: &mut Plain, dialer: &mut Plain, from: &str) -> Vec<u8> {
        let knock = next(dialer, now_us);
        listener.take(now_us, at(from), &knock).unwrap();
        let answer = next(listener, now_us);
        assert!(answer.len() <= knock.len(), "the answer is longer than the question");
        dialer.take(now_us, at(LISTENER), &answer).unwrap();
        assert_eq!(dialer.next_met(), Some(0));
        let first = said(dialer, 0, b"hello");
        listener.take(now_us, at(from), &first).unwrap();
        assert_eq!(listener.next_met(), Some(1));
        first
    }

    #[test]
    fn two_meet_and_one_who_moves_is_followed() {
        let (mut listener, mut dialer) = (listener(), dialer(5));
        assert_eq!(listener.next_met(), None);
        meet(0, &mut listener, &mut dialer, DIALER);
        assert_eq!(listener.next_packet(), Some((1, b"hello".as_slice())));
        dialer.take(0, at(LISTENER), &said(&listener, 1, b"welcome")).unwrap();
        assert_eq!(dialer.next_packet(), Some((0, b"welcome".as_slice())));
        let elsewhere = at("10.9.9.9:1");
        listener.take(0, elsewhere, &said(&dialer, 0, b"moved")).unwrap();
        assert_eq!(listener.next_packet(), Some((1, b"moved".as_slice())));
        assert_eq!((listener.next_met(), listener.address(1)), (None, Some(at(DIALER))), "followed unasked");
        dialer.take(0, at(LISTENER), &next(&mut listener, 0)).unwrap();
        let answer = next(&mut dialer, 0);
        assert_eq!(listener.take(0, at("10.9.9.9:2"), &answer), Err(Reject::WrongNonce));
        listener.take(0, elsewhere, &answer).unwrap();
        assert_eq!((listener.next_met(), listener.address(1)), (None, Some(elsewhere)));
        assert_eq!((listener.next_packet(), dialer.next_packet()), (None, None), "laminar sees none of it");
        // Back again, the old answer of another place is worth nothing.
        listener.take(20_000, at(DIALER), &said(&dialer, 0, b"again")).unwrap();
        dialer.take(20_000, at(LISTENER), &next(&mut listener, 20_000)).unwrap();
        listener.take(20_000, at(DIALER), &next(&mut dialer, 20_000)).unwrap();
        assert_eq!(listener.take(20_000, elsewhere, &answer), Err(Reject::WrongNonce));
        assert_eq!(listener.address(1), Some(at(DIALER)));
        listener.next_packet();
        assert!(listener.poll_timeout().is_none() && dialer.poll_timeout().is_none());
    }

    #[test]
    fn one_who_is_started_anew_takes_its_place_and_the_old_one_never_comes_back() {
        let (mut listener, mut old) = (listener(), dialer(5));
        let first = meet(0, &mut listener, &mut old, DIALER);
        let mut anew = dialer(6);
        meet(1_000_000, &mut listener, &mut anew, DIALER);
        for late in [first, said(&old, 0, b"late")] {
            assert_eq!(listener.take(2_000_000, at(DIALER), &late), Err(Reject::WrongNonce));
        }
        let mut knock = [0; 64];
        let late = PlainChannel { seat: 1, nonce: 5, echo: 0, payload: &[] };
        let len = late.write(ConnectionKey::channels(9, 1, 0), &mut knock);
        assert_eq!(listener.take(2_000_000, at(DIALER), &knock[..len]), Err(Reject::WrongNonce));
        assert_eq!(listener.take(2_000_000, at(DIALER), &said(&anew, 0, b"on")), Ok(()));
    }

    #[test]
    fn a_late_knock_or_answer_changes_nothing() {
        let (mut listener, mut dialer) = (listener(), dialer(5));
        let knock = next(&mut dialer, 0);
        listener.take(0, at(DIALER), &knock).unwrap();
        let answer = next(&mut listener, 0);
        dialer.take(0, at(LISTENER), &answer).unwrap();
        listener.take(0, at(DIALER), &said(&dialer, 0, b"x")).unwrap();
        assert_eq!((listener.next_met(), dialer.next_met()), (Some(1), Some(0)));
        listener.take(500_000, at(DIALER), &knock).unwrap();
        assert_eq!(next(&mut listener, 500_000), answer);
        dialer.take(500_000, at(LISTENER), &answer).unwrap();
        assert_eq!((listener.next_met(), dialer.next_met()), (None, None));
    }

    #[test]
    fn whoever_does_not_receive_at_an_address_is_not_met_there() {
        let (mut listener, mut dialer) = (listener(), dialer(5));
        listener.take(0, at(DIALER), &next(&mut dialer, 0)).unwrap();
        dialer.take(0, at(LISTENER), &next(&mut listener, 0)).unwrap();
        let packet = said(&dialer, 0, b"x");
        assert_eq!(listener.take(0, at("10.9.9.9:1"), &packet), Err(Reject::WrongNonce));
        assert_eq!(listener.next_met(), None);
        let mut out = [0; 64];
        for echo in [1, 2, u32::MAX] {
            let guess = PlainChannel { seat: 1, nonce: 5, echo, payload: b"x" };
            let len = guess.write(ConnectionKey::channels(9, 1, 0), &mut out);
            assert_eq!(listener.take(0, at(DIALER), &out[..len]), Err(Reject::WrongNonce));
        }
    }

    #[test]
    fn a_flood_of_knocks_is_answered_with_less() {
        let mut listener = listener();
        let (mut sent, mut answered, mut out) = (0, 0, [0; 64]);
        for n in 0..10_000u32 {
            let knock = PlainChannel { seat: 1, nonce: n + 1, echo: 0, payload: &[] };
            sent += knock.write(ConnectionKey::channels(9, 1, 0), &mut out);
            let _ = listener.take(u64::from(n) * 100, at(DIALER), &out[..14]);
            while let Some((_, len)) = listener.poll_transmit(u64::from(n) * 100, &mut out) {
                answered += len;
            }
        }
        assert_eq!((sent, answered), (140_000, 700));
        // Nobody dials a seat that is not expected.
        let knock = PlainChannel { seat: 2, nonce: 1, echo: 0, payload: &[] };
        let len = knock.write(ConnectionKey::channels(9, 2, 0), &mut out);
        assert_eq!(listener.take(9_000_000, at(DIALER), &out[..len]), Err(Reject::WrongState));
    }

    #[test]
    fn a_copy_from_elsewhere_is_answered_with_no_more_than_it_was_and_not_often() {
        let (mut listener, mut dialer) = (listener(), dialer(5));
        meet(0, &mut listener, &mut dialer, DIALER);
        let question = dialer.packet(at(LISTENER), 0, 5, 0, &[], &mut [0; 64]);
        assert!(question.is_some());
        for (payload, may) in [(&b""[..], false), (b"4444", false), (b"55555", true), (&Path { is_answer: false, token: 3 }.write(), true)]
        {
            let copy = said(&dialer, 0, payload);
            let (mut sent, mut count, mut out) = (0, 0, [0; 64]);
            for n in 1..=10_000u64 {
                let now_us = n * 100 + 10_000_000 * payload.len() as u64 + 5_000_000 * u64::from(payload.first() == Some(&1));
                listener.take(now_us, at("10.9.9.9:1"), &copy).unwrap();
                while let Some((to, len)) = listener.poll_transmit(now_us, &mut out) {
                    assert_eq!(to, at("10.9.9.9:1"));
                    assert!(len <= copy.len(), "{len} bytes for {}", copy.len());
                    (sent, count) = (sent + len, count + 1);
                }
            }
            assert_eq!((count, sent > 0), (if may { 50 } else { 0 }, may), "{payload:?}");
            assert_eq!(listener.address(1), Some(at(DIALER)));
        }
    }

    #[test]
    fn meetings_with_one_seat_are_spaced() {
        let mut listener = listener();
        let mut met = 0;
        for n in 0..1_000u64 {
            let mut dialer = dialer(n + 1);
            let now_us = n * 21_000;
            listener.take(now_us, at(DIALER), &next(&mut dialer, now_us)).unwrap();
            dialer.take(now_us, at(LISTENER), &next(&mut listener, now_us)).unwrap();
            let _ = listener.take(now_us, at(DIALER), &said(&dialer, 0, b"x"));
            met += u32::from(listener.next_met().is_some());
        }
        assert!((90..=106).contains(&met), "{met} meetings in 21 s");
    }
}
