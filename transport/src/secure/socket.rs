//! [`SecureSocket`]: encrypted connections to several peers over one socket.

use super::association::{Association, HANDSHAKE_RECORD, Proved, REPEAT_US, Side};
use super::bucket::{NetworkBuckets, TokenBucket};
use super::settings::SecureSettings;
use super::state::{AssociationEvent, AssociationState};
use super::{CookieJar, DtlsError, DtlsOutput, DtlsSettings, Fingerprint, Identity, IdentityKey, SeatSecret, SecureFailure};
use crate::packet::{
    Cookie, DATAGRAM_BUDGET_BYTES, Knock, OPENER_HEADER_BYTES, PROTOCOL_VERSION, PacketType, Path, Proof, Reject, RejectCounts,
};
use core::ops::Range;
use std::collections::VecDeque;
use std::net::SocketAddr;

/// Handshakes that strangers may have under way at once.
pub const MAX_HANDSHAKES: usize = 16;

/// Handshakes that strangers may begin: each costs a millisecond and a half. Forty at once, then 25 a
/// second, and of those one network 12 and 4.
const BEGINS: TokenBucket = TokenBucket::new(40, 40_000);
const BEGINS_OF_NETWORK: TokenBucket = TokenBucket::new(12, 250_000);

/// What a dialler hears in the clear is believed when nothing better came for so long.
const BELIEF_US: u64 = 1_000_000;

/// Connections in all: pending, dialled, and those that stand.
pub(super) const MAX_ASSOCIATIONS: usize = 2 * MAX_HANDSHAKES;

/// Datagrams of handshakes that wait to be sent.
pub(super) const MAX_OUTBOX: usize = 64;

/// Events that wait to be polled.
pub(super) const MAX_EVENTS: usize = 64;

/// Room for a packet that the library hands out.
const SCRATCH_BYTES: usize = 2_048;

/// What happened on a [`SecureSocket`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecureEvent {
    /// Both sides have proved who they are: packets flow.
    Established {
        /// Where the other side is.
        address: SocketAddr,
        /// What it proved.
        proved: Proved,
    },
    /// The other side has moved, and has answered from its new address.
    Moved {
        /// Where it was.
        from: SocketAddr,
        /// Where it is.
        to: SocketAddr,
    },
    /// Somebody without encryption dialled, and was turned away.
    Plaintext {
        /// Where it is.
        address: SocketAddr,
    },
    /// Somebody came through the handshake who proves no seat.
    Unproven {
        /// Where it is.
        address: SocketAddr,
    },
}

/// A seat that a peer may take if it knows the secret.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    pub(super) seat: u8,
    pub(super) secret: SeatSecret,
    pub(super) fingerprint: Option<Fingerprint>,
    /// Who alone may take it, once that is known.
    pub(super) identity: Option<IdentityKey>,
}

/// How many handshakes there were.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct SecureStats {
    /// Handshakes begun, here or by others behind a right cookie.
    pub begun: u64,
    /// Handshakes that both sides proved.
    pub established: u64,
    /// Times a dialled handshake began again because something broke it.
    pub restarted: u64,
    /// Times the other side of a connection moved.
    pub moved: u64,
    /// Sealed datagrams from addresses that nobody knows, tried with the keys of the connections.
    pub trials: u64,
}

/// Encrypted connections to several peers over one socket. Sans-IO.
///
/// Each connection is DTLS 1.3 with certificates on both sides, and then a proof inside it: of a
/// secret, which shows that the peer was invited, and of an identity. An address that nobody knows
/// gets a stateless cookie and nothing else.
///
/// Call order: [`handle`](Self::handle) every datagram, then [`poll_event`](Self::poll_event) and
/// [`next_packet`](Self::next_packet) until they return `None`; [`seal`](Self::seal) what is to be
/// sent; [`poll_transmit`](Self::poll_transmit) until it returns `None`, after every datagram and
/// whenever [`poll_timeout`](Self::poll_timeout) has come. Every call takes the same clock, in
/// microseconds that never go back.
///
/// ```
/// use snapback_transport::secure::{Certificate, Identity, MatchSecret, SecureSettings, SecureSocket};
/// let peer = |seed: u8| -> Result<SecureSocket, Box<dyn core::error::Error>> {
///     let settings = SecureSettings::new(7, Certificate::generate()?, Identity::from_seed(&[seed; 32]), [seed; 32]);
///     Ok(SecureSocket::new(settings)?)
/// };
/// let (mut host, mut guest) = (peer(1)?, peer(2)?);
/// let (host_at, guest_at) = ("10.0.0.1:7000".parse()?, "10.0.0.2:7000".parse()?);
/// let secret = MatchSecret([9; 32]).seat(1);
/// host.expect(1, secret, None);
/// guest.dial(0, host_at, 1, secret, host.fingerprint(), 1234);
///
/// let mut buffer = [0; 1_200];
/// for now_us in (0..1_000_000).step_by(1_000) {
///     while let Some((_, len)) = guest.poll_transmit(now_us, &mut buffer) {
///         host.handle(now_us, guest_at, &buffer[..len])?;
///     }
///     while let Some((_, len)) = host.poll_transmit(now_us, &mut buffer) {
///         guest.handle(now_us, host_at, &buffer[..len])?;
///     }
/// }
/// let len = guest.seal(host_at, b"hello", &mut buffer);
/// host.handle(1_000_000, guest_at, &buffer[..len])?;
/// let (from, packet) = host.next_packet().ok_or("nothing came")?;
/// assert_eq!((from, packet), (guest_at, b"hello".as_slice()));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct SecureSocket {
    pub(super) settings: SecureSettings,
    pub(super) dtls: DtlsSettings,
    pub(super) own: Fingerprint,
    pub(super) cookies: CookieJar,
    pub(super) seats: Vec<Seat>,
    pub(super) associations: Vec<Association>,
    pub(super) answers: VecDeque<(SocketAddr, Cookie)>,
    pub(super) outbox: VecDeque<(SocketAddr, Vec<u8>)>,
    inbox: Vec<u8>,
    waiting: VecDeque<(SocketAddr, Range<usize>)>,
    pub(super) events: VecDeque<SecureEvent>,
    scratch: Vec<u8>,
    pub(super) trials: TokenBucket,
    pub(super) begins: TokenBucket,
    pub(super) begins_by_network: NetworkBuckets,
    pub(super) stats: SecureStats,
    rejects: RejectCounts,
}

impl SecureSocket {
    /// A socket without connections.
    ///
    /// # Errors
    /// If the DTLS library refuses the settings.
    pub fn new(settings: SecureSettings) -> Result<Self, DtlsError> {
        let budget_bytes = settings.datagram_budget_bytes.min(DATAGRAM_BUDGET_BYTES);
        Ok(Self {
            dtls: DtlsSettings::new(
                &settings.certificate,
                budget_bytes.saturating_sub(OPENER_HEADER_BYTES),
                settings.handshake_timeout_us,
            )?,
            own: settings.certificate.fingerprint(),
            cookies: CookieJar::new(settings.cookie_key),
            settings,
            seats: Vec::new(),
            associations: Vec::with_capacity(MAX_ASSOCIATIONS),
            answers: VecDeque::with_capacity(super::door::MAX_ANSWERS),
            outbox: VecDeque::new(),
            inbox: Vec::with_capacity(SCRATCH_BYTES),
            waiting: VecDeque::with_capacity(64),
            events: VecDeque::with_capacity(MAX_EVENTS),
            scratch: vec![0; SCRATCH_BYTES],
            trials: TokenBucket::new(32, 10_000),
            begins: BEGINS,
            begins_by_network: NetworkBuckets::new(BEGINS_OF_NETWORK),
            stats: SecureStats::default(),
            rejects: RejectCounts::default(),
        })
    }

    /// The fingerprint of this side's certificate: it goes into tickets.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.own
    }

    /// Who this side is.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.settings.identity
    }

    /// How many handshakes there were.
    #[must_use]
    pub fn stats(&self) -> SecureStats {
        self.stats
    }

    /// What was dropped, by reason.
    #[must_use]
    pub fn rejects(&self) -> &RejectCounts {
        &self.rejects
    }

    /// Handshakes of strangers that are under way: 0..=[`MAX_HANDSHAKES`].
    #[must_use]
    pub fn pending_handshakes(&self) -> usize {
        self.associations.iter().filter(|association| is_stranger(association)).count()
    }

    /// Lets a peer in that knows the secret of a seat, and has this certificate if one is given.
    /// Without such a seat nobody is answered.
    pub fn expect(&mut self, seat: u8, secret: SeatSecret, fingerprint: Option<Fingerprint>) {
        self.seats.retain(|known| known.seat != seat);
        self.seats.push(Seat { seat, secret, fingerprint, identity: None });
    }

    /// From now on lets nobody else in on an expected seat, whoever knows its secret. A connection that
    /// stands is not touched; to expect the seat anew forgets it.
    pub fn pin(&mut self, seat: u8, identity: IdentityKey) {
        if let Some(known) = self.seats.iter_mut().find(|known| known.seat == seat) {
            known.identity = Some(identity);
        }
    }

    /// The same for whom this side dials at an address: until it is dialled anew.
    pub fn pin_dialed(&mut self, address: SocketAddr, identity: IdentityKey) {
        for association in self.associations.iter_mut().filter(|it| it.address == address && it.is_dialer()) {
            association.expected = Some(identity);
        }
    }

    /// Dials a peer that has this certificate, with the secret of a seat. It knocks until somebody
    /// answers, and begins again whatever breaks the handshake: [`hang_up`](Self::hang_up) ends that.
    /// `nonce` is a number that nobody else knows.
    pub fn dial(&mut self, now_us: u64, address: SocketAddr, seat: u8, secret: SeatSecret, fingerprint: Fingerprint, nonce: u64) {
        self.hang_up(address);
        let side = Side::Dialer { seat, secret, fingerprint, cookie: [0; 16] };
        self.associations.push(Association::new(address, nonce, side, now_us));
        self.stats.begun += 1;
    }

    /// Ends everything with an address.
    pub fn hang_up(&mut self, address: SocketAddr) {
        self.associations.retain(|association| association.address != address);
    }

    /// Keeps the connection to an address, which otherwise ends when the time of its handshake is
    /// over.
    pub fn claim(&mut self, address: SocketAddr) {
        if let Some(at) = self.established(address) {
            self.associations[at].is_claimed = true;
        }
    }

    /// What the peer at an address has proved, once the connection stands.
    #[must_use]
    pub fn proved(&self, address: SocketAddr) -> Option<Proved> {
        self.established(address).and_then(|at| self.associations[at].proved)
    }

    /// Why the last attempt to reach an address failed, if it did.
    #[must_use]
    pub fn failure(&self, address: SocketAddr) -> Option<SecureFailure> {
        self.associations.iter().filter(|association| association.address == address).find_map(|association| association.failure)
    }

    /// Why knocking any longer at an address is of no use: the listener said so again and again and did
    /// nothing else. Anybody on the way may have said it in the clear, so it takes a second to believe.
    #[must_use]
    pub fn refusal(&self, now_us: u64, address: SocketAddr) -> Option<SecureFailure> {
        let association = self.associations.iter().find(|association| association.address == address && association.is_dialer())?;
        let is_believed = match association.failure? {
            SecureFailure::NoTicket => true,
            _ => association.heard_us.is_some_and(|heard| now_us >= heard.saturating_add(BELIEF_US)),
        };
        association.failure.filter(|_| is_believed)
    }

    pub(super) fn established(&self, address: SocketAddr) -> Option<usize> {
        self.associations
            .iter()
            .position(|association| association.address == address && association.state == AssociationState::Established)
    }

    /// Takes a datagram.
    ///
    /// # Errors
    /// Says why it was dropped; it was counted and changed nothing.
    pub fn handle(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) -> Result<(), Reject> {
        let handled = self.dispatch(now_us, from, datagram);
        if let Err(reject) = handled {
            self.rejects.count(reject);
        }
        handled
    }

    fn dispatch(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) -> Result<(), Reject> {
        if self.waiting.is_empty() {
            self.inbox.clear();
        }
        let first = *datagram.first().ok_or(Reject::TooShort)?;
        if datagram.len() > DATAGRAM_BUDGET_BYTES {
            return Err(Reject::TooLong);
        }
        match first {
            // DTLS in the clear: handshakes, alerts and acknowledgements before there are keys.
            20..=26 => self.take_clear(now_us, from, datagram),
            // DTLS 1.3 with keys.
            0x20..=0x3F => self.take_sealed(now_us, from, datagram),
            _ if first & 0xF0 != 0 => Err(Reject::NotEncrypted),
            _ => match PacketType::of(datagram)? {
                PacketType::Knock => self.take_knock(now_us, from, datagram),
                PacketType::Cookie => self.take_cookie(now_us, from, datagram),
                PacketType::Opener => self.take_opener(now_us, from, datagram),
                PacketType::Hello => self.take_plain_hello(now_us, from, datagram),
                PacketType::Refuse => self.take_plain_refusal(now_us, from, datagram),
                _ => Err(Reject::NotEncrypted),
            },
        }
    }

    /// The only thing that our peers send in the clear without a cookie is a listener's first answer.
    /// An alert in the clear is somebody else's.
    fn take_clear(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) -> Result<(), Reject> {
        if datagram.first() != Some(&HANDSHAKE_RECORD) {
            return Err(Reject::NotEncrypted);
        }
        let pending = |it: &Association| it.address == from && it.is_in_attempt() && it.dtls.is_some();
        let at = self.associations.iter().position(pending).ok_or(Reject::UnknownSender)?;
        self.feed(at, from, datagram, now_us)
    }

    fn take_sealed(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) -> Result<(), Reject> {
        let mut known = false;
        for at in 0..self.associations.len() {
            let association = &self.associations[at];
            if association.address != from || association.dtls.is_none() {
                continue;
            }
            known = true;
            let is_pending = association.state.is_pending();
            self.associations[at].handle(datagram, now_us);
            if self.drain(at, from, now_us) || is_pending {
                return Ok(());
            }
        }
        if known { Err(Reject::Undecryptable) } else { self.take_from_elsewhere(now_us, from, datagram) }
    }

    pub(super) fn feed(&mut self, at: usize, from: SocketAddr, record: &[u8], now_us: u64) -> Result<(), Reject> {
        self.associations[at].handle(record, now_us);
        self.drain(at, from, now_us);
        Ok(())
    }

    /// Takes out of the library what came in. Whether a packet was among it.
    pub(super) fn drain(&mut self, at: usize, from: SocketAddr, now_us: u64) -> bool {
        let mut any = false;
        let mut scratch = core::mem::take(&mut self.scratch);
        loop {
            match self.associations[at].poll(now_us, &mut scratch) {
                DtlsOutput::Datagram(len) => self.put_out(at, len, &mut scratch),
                DtlsOutput::Packet(len) => {
                    any = true;
                    let packet = scratch.get(..len).unwrap_or_default();
                    if let Err(reject) = self.take_packet(at, from, packet, now_us) {
                        self.rejects.count(reject);
                    }
                }
                DtlsOutput::Peer(fingerprint) => self.meet(at, fingerprint, now_us),
                DtlsOutput::Connected => {
                    self.associations[at].on(AssociationEvent::Connected);
                    self.associations[at].next_send_us = now_us;
                }
                // Before there are keys anybody can say so.
                DtlsOutput::Closed if self.associations[at].state.is_pending() => {
                    self.associations[at].die(SecureFailure::Handshake, now_us);
                }
                DtlsOutput::Closed => self.associations[at].on(AssociationEvent::Ended),
                DtlsOutput::BufferTooSmall { .. } | DtlsOutput::Idle { .. } => break,
            }
        }
        self.scratch = scratch;
        any
    }

    /// Keeps a datagram of a handshake until it is asked for.
    fn put_out(&mut self, at: usize, len: usize, scratch: &mut [u8]) {
        if self.outbox.len() < MAX_OUTBOX {
            let association = &self.associations[at];
            let len = association.wrap(len, scratch);
            self.outbox.push_back((association.address, scratch.get(..len).unwrap_or_default().to_vec()));
        }
    }

    /// The other side has shown its certificate.
    fn meet(&mut self, at: usize, fingerprint: Fingerprint, now_us: u64) {
        let association = &mut self.associations[at];
        match &association.side {
            Side::Dialer { fingerprint: expected, .. } if *expected != fingerprint => {
                association.die(SecureFailure::OtherCertificate, now_us);
            }
            _ => association.peer = Some(fingerprint),
        }
    }

    fn take_packet(&mut self, at: usize, from: SocketAddr, packet: &[u8], now_us: u64) -> Result<(), Reject> {
        let state = self.associations[at].state;
        match (PacketType::of(packet).ok().filter(|kind| packet.first() == Some(&(*kind as u8))), state) {
            (Some(PacketType::Proof), AssociationState::Proving | AssociationState::Established) => self.take_proof(at, packet, now_us),
            (Some(PacketType::Path), AssociationState::Established) => self.take_path(at, from, Path::read(packet)?),
            (Some(PacketType::Proof | PacketType::Path), _) => Err(Reject::WrongState),
            (_, AssociationState::Established) => {
                let start = self.inbox.len();
                if start + packet.len() > self.inbox.capacity() || self.waiting.len() == self.waiting.capacity() {
                    return Err(Reject::TooLong);
                }
                self.inbox.extend_from_slice(packet);
                let address = self.associations[at].address;
                self.waiting.push_back((address, start..start + packet.len()));
                Ok(())
            }
            (Some(PacketType::Refuse), AssociationState::Proving) => self.take_refusal(at, packet, now_us),
            // The proof that came before it was lost; both come again.
            _ => Err(Reject::WrongState),
        }
    }

    pub(super) fn push_event(&mut self, event: SecureEvent) {
        if self.events.len() < MAX_EVENTS {
            self.events.push_back(event);
        }
    }

    /// What happened.
    pub fn poll_event(&mut self) -> Option<SecureEvent> {
        self.events.pop_front()
    }

    /// The next packet that came in, and from whom; valid until the next call.
    pub fn next_packet(&mut self) -> Option<(SocketAddr, &[u8])> {
        let (from, range) = self.waiting.pop_front()?;
        Some((from, self.inbox.get(range)?))
    }

    /// The largest packet that [`seal`](Self::seal) takes.
    #[must_use]
    pub fn packet_budget_bytes(&self) -> usize {
        packet_budget_bytes(self.settings.datagram_budget_bytes)
    }

    /// Seals a packet for the peer at an address, into `out`. Returns the size of the datagram: 0 if
    /// there is no connection, or `out` is smaller than the packet and [`SEAL_BYTES`](crate::packet::SEAL_BYTES).
    pub fn seal(&mut self, to: SocketAddr, packet: &[u8], out: &mut [u8]) -> usize {
        match self.established(to) {
            Some(at) => self.associations[at].seal(packet, out),
            None => 0,
        }
    }

    /// Writes the next datagram of a handshake that is due, and says where to. `None` when nothing is
    /// due. `out` is at least as long as the datagram budget.
    pub fn poll_transmit(&mut self, now_us: u64, out: &mut [u8]) -> Option<(SocketAddr, usize)> {
        if let Some((to, cookie)) = self.answers.pop_front() {
            return Some((to, cookie.write(out)));
        }
        if let Some(transmit) = self.next_in_outbox(out) {
            return Some(transmit);
        }
        let timeout_us = self.settings.handshake_timeout_us;
        self.associations.retain(|association| {
            let is_over = association.state == AssociationState::Closed && !association.is_dialer();
            !is_over && (association.may_last() || now_us < association.expiry_us(timeout_us))
        });
        for at in 0..self.associations.len() {
            if self.associations[at].due_us(timeout_us).is_some_and(|due| due <= now_us)
                && let Some(transmit) = self.transmit(at, now_us, out)
            {
                return Some(transmit);
            }
        }
        self.next_in_outbox(out)
    }

    fn next_in_outbox(&mut self, out: &mut [u8]) -> Option<(SocketAddr, usize)> {
        let (to, datagram) = self.outbox.pop_front()?;
        out.get_mut(..datagram.len())?.copy_from_slice(&datagram);
        Some((to, datagram.len()))
    }

    fn transmit(&mut self, at: usize, now_us: u64, out: &mut [u8]) -> Option<(SocketAddr, usize)> {
        let association = &mut self.associations[at];
        let to = association.address;
        // First: a handshake whose time is over begins again with a knock.
        association.tick(now_us);
        if association.is_in_attempt() && association.attempt_until_us <= now_us {
            association.die(SecureFailure::Handshake, now_us);
        }
        if association.state == AssociationState::Knocking && association.next_send_us <= now_us {
            association.next_send_us = now_us.saturating_add(REPEAT_US);
            return Some((to, Knock { version: PROTOCOL_VERSION, nonce: association.nonce }.write(out)));
        }
        // What the library repeats goes first: a packet that is sealed would wait behind it.
        if association.is_dirty {
            if let DtlsOutput::Datagram(len) = association.poll(now_us, out) {
                return Some((to, association.wrap(len, out)));
            }
            // Nothing but packets that came before a repetition; what it was is told anew.
            self.drain(at, to, now_us);
        }
        let association = &mut self.associations[at];
        let is_proving = association.state == AssociationState::Proving && association.is_dialer() && association.next_send_us <= now_us;
        if is_proving || association.answer_due {
            association.next_send_us = now_us.saturating_add(REPEAT_US);
            association.answer_due = false;
            let proof = match self.associations[at].own_proof {
                Some(proof) => proof,
                None => self.prove(at)?,
            };
            self.associations[at].own_proof = Some(proof);
            let mut packet = [0; Proof::BYTES];
            proof.write(&mut packet);
            return Some((to, self.associations[at].seal(&packet, out))).filter(|(_, len)| *len > 0);
        }
        if let Some((to, path)) = self.next_path(at, now_us) {
            let mut packet = [0; Path::BYTES];
            path.write(&mut packet);
            return Some((to, self.associations[at].seal(&packet, out))).filter(|(_, len)| *len > 0);
        }
        None
    }

    /// When [`poll_transmit`](Self::poll_transmit) should be called next even if nothing arrives.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<u64> {
        if !self.answers.is_empty() || !self.outbox.is_empty() {
            return Some(0);
        }
        let timeout_us = self.settings.handshake_timeout_us;
        self.associations.iter().filter(|association| !is_spent(association)).filter_map(|association| association.due_us(timeout_us)).min()
    }
}

/// The largest packet that fits into datagrams of this size. The library fills the first datagram of
/// a handshake up to its own limit, which leaves room for a cookie.
#[must_use]
pub fn packet_budget_bytes(datagram_budget_bytes: usize) -> usize {
    datagram_budget_bytes.min(DATAGRAM_BUDGET_BYTES).saturating_sub(OPENER_HEADER_BYTES + crate::packet::SEAL_BYTES)
}

/// A dialled connection that has ended stays until it is hung up, so that one can ask why.
fn is_spent(association: &Association) -> bool {
    association.state == AssociationState::Closed && association.is_dialer()
}

/// Whether it is a handshake that a stranger began and has not finished.
pub(super) fn is_stranger(association: &Association) -> bool {
    !association.is_dialer() && association.state.is_pending()
}
