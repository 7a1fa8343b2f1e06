//! [`EncryptedSocket`]: ggrs's messages over Snapback's encryption.

use super::filter::{Filter, GgrsPeer, GgrsRules, RefusedMessage};
use super::message;
use core::sync::atomic::{AtomicU64, Ordering};
use ggrs::{Message, NonBlockingSocket};
use snapback_transport::Transport;
use snapback_transport::credentials::SecureFailure;
use snapback_transport::packet::DATAGRAM_BUDGET_BYTES;
use snapback_transport::secure::{DtlsError, Fingerprint, SeatSecret, SecureEvent, SecureSettings, SecureSocket};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// Room for a datagram that came in.
const BUFFER_BYTES: usize = 2_048;

/// Messages that wait for ggrs to take them; more are lost.
const MOST_RECEIVED: usize = 1_024;

/// Carries the messages of a ggrs session over encrypted connections: the same certificates, tickets and proofs as
/// those of a [`Peer`](crate::Peer), over any [`Transport`]. ggrs names a peer by its seat, so it need not know
/// addresses, and does not see when one changes.
///
/// The connections are made while ggrs polls: until one stands, ggrs's messages to it are lost, and it sends
/// them again after a fifth of a second. Who would rather wait [polls](Self::poll) before giving the socket to ggrs. What comes from another end is [checked](RefusedMessage) before ggrs sees it, for ggrs believes
/// whatever is at the right address: one datagram of a peer that lies would end the program.
///
/// ggrs gives its sockets no time, so `clock` says what time it is: microseconds that never go back.
///
/// What remains, because a session that is not ours cannot tell it from the truth: a peer may keep its inputs to
/// itself (ggrs waits, then drops it), slow the other down by a tenth with a false advantage,
/// and send false checksums. In a session all of whose players are remote, ggrs panics when the last of them is
/// gone. One machine may play for several players.
///
/// Where three or more play, nobody is [told](RefusedMessage::Disconnect) by another that a third is gone: everybody
/// notices it by the timeout of the own connection, and waits for the third until then. Those who heard it to
/// different frames take its inputs up to different frames, which ggrs would have settled among them; then their
/// states differ, and ggrs's desync detection says so if it is on.
pub struct EncryptedSocket<T, C> {
    secure: SecureSocket,
    transport: T,
    clock: C,
    rules: GgrsRules,
    local_players: usize,
    others: Vec<Other>,
    received: Vec<(u8, Message)>,
    facts: Arc<SocketFacts>,
}

struct Other {
    seat: u8,
    /// Where it was dialled, or where it is.
    address: Option<SocketAddr>,
    filter: Filter,
}

/// What a host program can see of an [`EncryptedSocket`] that ggrs owns.
#[derive(Debug, Default)]
pub struct SocketFacts {
    connected: [AtomicU64; 4],
    refused: [AtomicU64; RefusedMessage::COUNT],
    unsent: AtomicU64,
    failures: Mutex<Vec<(u8, SecureFailure)>>,
}

impl SocketFacts {
    /// Whether the connection to a seat stands.
    #[must_use]
    pub fn is_connected(&self, seat: u8) -> bool {
        self.connected[usize::from(seat / 64)].load(Ordering::Relaxed) >> (seat % 64) & 1 == 1
    }

    /// How many messages were kept from ggrs for this reason.
    #[must_use]
    pub fn refused(&self, reason: RefusedMessage) -> u64 {
        self.refused[reason as usize].load(Ordering::Relaxed)
    }

    /// How many messages of ggrs went nowhere: the connection did not stand yet, or the message was larger than a
    /// datagram.
    #[must_use]
    pub fn unsent(&self) -> u64 {
        self.unsent.load(Ordering::Relaxed)
    }

    /// Why the last attempt to reach a seat that was dialled failed, if it did.
    #[must_use]
    pub fn failure(&self, seat: u8) -> Option<SecureFailure> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.iter().find(|(of, _)| *of == seat).map(|(_, failure)| *failure)
    }

    fn set_connected(&self, seat: u8) {
        self.connected[usize::from(seat / 64)].fetch_or(1 << (seat % 64), Ordering::Relaxed);
    }

    fn set_failure(&self, seat: u8, failure: SecureFailure) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        match failures.iter_mut().find(|(of, _)| *of == seat) {
            Some(place) => place.1 = failure,
            None => failures.push((seat, failure)),
        }
    }
}

impl<T: Transport, C: FnMut() -> u64> EncryptedSocket<T, C> {
    /// A socket without connections. `local_players` is how many play here; 0 for a spectator.
    ///
    /// # Errors
    /// If the encryption cannot be set up.
    pub fn new(settings: SecureSettings, rules: GgrsRules, local_players: usize, transport: T, clock: C) -> Result<Self, DtlsError> {
        let secure = SecureSocket::new(settings)?;
        Ok(Self { secure, transport, clock, rules, local_players, others: Vec::new(), received: Vec::new(), facts: Arc::default() })
    }

    /// Lets the peer of a seat in that knows the seat's secret.
    #[must_use]
    pub fn expect(mut self, seat: u8, peer: GgrsPeer, secret: SeatSecret) -> Self {
        self.secure.expect(seat, secret, None);
        self.others.push(Other { seat, address: None, filter: Filter::new(peer, self.rules) });
        self
    }

    /// Dials the peer of a seat, which has this certificate, with the secret of one's own seat. `nonce` is a
    /// number that nobody else knows.
    #[must_use]
    pub fn dial(
        mut self,
        seat: u8,
        peer: GgrsPeer,
        address: SocketAddr,
        (own_seat, secret): (u8, SeatSecret),
        certificate: Fingerprint,
        nonce: u64,
    ) -> Self {
        let now_us = (self.clock)();
        self.secure.dial(now_us, address, own_seat, secret, certificate, nonce);
        self.others.push(Other { seat, address: Some(address), filter: Filter::new(peer, self.rules) });
        self
    }

    /// What can be seen of this socket once ggrs owns it.
    #[must_use]
    pub fn facts(&self) -> Arc<SocketFacts> {
        Arc::clone(&self.facts)
    }

    /// Makes connections, and keeps what ggrs will want to see. ggrs does this itself once it has the socket.
    pub fn poll(&mut self) {
        let now_us = (self.clock)();
        let mut buffer = [0; BUFFER_BYTES];
        self.transport.begin_poll();
        while let Some((from, len)) = self.transport.receive(&mut buffer) {
            // What is refused is counted there and changes nothing.
            let _ = self.secure.handle(now_us, from, buffer.get(..len).unwrap_or_default());
            self.absorb_events();
            self.take_packets();
        }
        self.transmit(now_us);
    }

    fn absorb_events(&mut self) {
        while let Some(event) = self.secure.poll_event() {
            match event {
                SecureEvent::Established { address, proved } => {
                    let dialed = self.others.iter_mut().find(|other| other.address == Some(address));
                    let other = match dialed {
                        Some(other) => Some(other),
                        None => self.others.iter_mut().find(|other| other.seat == proved.seat),
                    };
                    let Some(other) = other else { continue };
                    other.address = Some(address);
                    self.facts.set_connected(other.seat);
                    self.secure.claim(address);
                }
                SecureEvent::Moved { from, to } => {
                    if let Some(other) = self.others.iter_mut().find(|other| other.address == Some(from)) {
                        other.address = Some(to);
                    }
                }
                SecureEvent::Plaintext { .. } | SecureEvent::Unproven { .. } => {}
            }
        }
    }

    fn take_packets(&mut self) {
        while let Some((from, packet)) = self.secure.next_packet() {
            let Some(other) = self.others.iter_mut().find(|other| other.address == Some(from)) else { continue };
            let heard = message::look(packet).ok_or(RefusedMessage::Malformed);
            match heard.and_then(|heard| other.filter.check(&heard).map(|()| heard)) {
                Ok(mut heard) if self.received.len() < MOST_RECEIVED => {
                    let message = if other.filter.take_out(&mut heard) {
                        self.facts.refused[RefusedMessage::Disconnect as usize].fetch_add(1, Ordering::Relaxed);
                        message::reread(&heard)
                    } else {
                        message::read(packet)
                    };
                    self.received.extend(message.map(|message| (other.seat, message)));
                }
                // As if lost on the way.
                Ok(_) => {}
                Err(reason) => {
                    self.facts.refused[reason as usize].fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }

    fn transmit(&mut self, now_us: u64) {
        let mut buffer = [0; DATAGRAM_BUDGET_BYTES];
        while let Some((to, len)) = self.secure.poll_transmit(now_us, &mut buffer) {
            self.put(to, buffer.get(..len).unwrap_or_default());
        }
        for other in &self.others {
            if let Some(failure) = other.address.and_then(|address| self.secure.failure(address)) {
                self.facts.set_failure(other.seat, failure);
            }
        }
    }

    fn put(&mut self, to: SocketAddr, datagram: &[u8]) {
        if self.transport.send(to, datagram).is_err() {
            self.facts.unsent.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl<T: Transport, C: FnMut() -> u64> NonBlockingSocket<u8> for EncryptedSocket<T, C> {
    fn send_to(&mut self, message: &Message, seat: &u8) {
        let (mut packet, mut datagram) = ([0; DATAGRAM_BUDGET_BYTES], [0; DATAGRAM_BUDGET_BYTES]);
        let Some(other) = self.others.iter_mut().find(|other| other.seat == *seat) else { return };
        let len = match (message::write(message, &mut packet), other.address) {
            (Some(packet), Some(address)) if packet.len() <= self.secure.packet_budget_bytes() => {
                if let Some(heard) = message::look(packet) {
                    other.filter.note(&heard, self.local_players);
                }
                let len = self.secure.seal(address, packet, &mut datagram);
                (len > 0).then_some((address, len))
            }
            _ => None,
        };
        match len {
            Some((address, len)) => self.put(address, datagram.get(..len).unwrap_or_default()),
            None => {
                self.facts.unsent.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(u8, Message)> {
        self.poll();
        core::mem::take(&mut self.received)
    }
}
