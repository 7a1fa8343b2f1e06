//! [`Sealed`]: the encrypted wire. A [`SecureSocket`] of its own, with connections told by seat.

use super::introduction::Known;
use super::settings::{HubError, HubInvitation, HubSettings};
use super::wire::{Target, Word};
use crate::credentials::{IdentityKey, SecureFailure};
use crate::packet::{Pairing, RejectCounts};
use crate::secure::{MatchSecret, Proved, SecureEvent, SecureSettings, SecureSocket};
use snapback_core::limits::MAX_PLAYERS;
use std::collections::VecDeque;
use std::net::SocketAddr;

/// Who was met and not told yet: at most two come of one datagram.
const MAX_MET: usize = 2 * MAX_PLAYERS;

#[derive(Clone, Copy, Default, Debug)]
struct Contact {
    dialed: Option<SocketAddr>,
    /// Where the player is, once met.
    address: Option<SocketAddr>,
    is_expected: bool,
    /// Who alone may have the seat, once that is known, and whose word it is.
    pinned: Option<(IdentityKey, Word)>,
}

/// See the module.
pub(super) struct Sealed {
    socket: SecureSocket,
    own_seat: u8,
    /// What the host alone knows.
    issued: Option<MatchSecret>,
    contacts: [Contact; MAX_PLAYERS],
    met: VecDeque<u8>,
}

impl Sealed {
    /// A wire with nobody on it, and how a joiner knows the host.
    pub(super) fn new(
        settings: &HubSettings,
        secure: &SecureSettings,
        invitation: &HubInvitation,
    ) -> Result<(Self, Option<Pairing>), HubError> {
        let socket = SecureSocket::new(SecureSettings {
            match_id: settings.match_id,
            datagram_budget_bytes: settings.datagram_budget_bytes,
            ..secure.clone()
        });
        let (issued, host) = match *invitation {
            HubInvitation::Issued(secret) => (Some(secret), None),
            HubInvitation::Held { secret, host } => (None, Some(Pairing { fingerprint: host, secret: secret.for_channels() })),
        };
        let sealed = Self {
            socket: socket.map_err(HubError::Secure)?,
            own_seat: settings.player.index() as u8,
            issued,
            contacts: [Contact::default(); MAX_PLAYERS],
            met: VecDeque::with_capacity(MAX_MET),
        };
        Ok((sealed, host))
    }

    /// Lets in who has the ticket of a seat.
    pub(super) fn invite(&mut self, seat: u8) {
        if let (Some(contact), Some(issued)) = (self.contacts.get_mut(usize::from(seat)), self.issued) {
            contact.is_expected = true;
            self.socket.expect(seat, issued.seat(seat).for_channels(), None);
        }
    }

    /// How the other joiner is known to the receiver.
    pub(super) fn known(&self, receiver: u8, other: u8) -> Option<Known> {
        let Proved { fingerprint, identity, .. } = self.socket.proved(self.address(other)?)?;
        Some(Known { pairing: Pairing { fingerprint, secret: self.issued?.pair(receiver, other).for_channels() }, identity })
    }

    pub(super) fn identity(&self, seat: u8) -> Option<IdentityKey> {
        self.socket.proved(self.address(seat)?).map(|proved| proved.identity)
    }

    pub(super) fn pinned(&self, seat: u8) -> Option<IdentityKey> {
        self.contacts.get(usize::from(seat))?.pinned.map(|(identity, _)| identity)
    }

    /// Says who alone may have a seat, unless one whose word counts more has said it. Whether somebody else
    /// has it.
    pub(super) fn pin(&mut self, seat: u8, identity: IdentityKey, word: Word) -> bool {
        let Some(contact) = self.contacts.get_mut(usize::from(seat)) else { return false };
        if contact.pinned.is_some_and(|(_, before)| before > word) {
            return false;
        }
        contact.pinned = Some((identity, word));
        let dialed = contact.dialed;
        self.socket.pin(seat, identity);
        if let Some(address) = dialed {
            self.socket.pin_dialed(address, identity);
        }
        self.identity(seat).is_some_and(|other| other != identity)
    }

    /// Lets another joiner dial.
    pub(super) fn expect(&mut self, seat: u8, pairing: Option<Pairing>) {
        if let (Some(contact), Some(Pairing { fingerprint, secret })) = (self.contacts.get_mut(usize::from(seat)), pairing) {
            contact.is_expected = true;
            self.socket.expect(seat, secret, Some(fingerprint));
            if let Some((identity, _)) = contact.pinned {
                self.socket.pin(seat, identity);
            }
        }
    }

    pub(super) fn dial(&mut self, now_us: u64, seat: u8, target: Target, nonce: u64) {
        self.hang_up(seat);
        if let (Some(contact), Some(Pairing { fingerprint, secret })) = (self.contacts.get_mut(usize::from(seat)), target.pairing) {
            contact.dialed = Some(target.address);
            self.socket.dial(now_us, target.address, self.own_seat, secret, fingerprint, nonce);
            if let Some((identity, _)) = contact.pinned {
                self.socket.pin_dialed(target.address, identity);
            }
        }
    }

    pub(super) fn hang_up(&mut self, seat: u8) {
        let Some(contact) = self.contacts.get_mut(usize::from(seat)) else { return };
        let (dialed, address) = (contact.dialed.take(), contact.address.take());
        for address in dialed.into_iter().chain(address) {
            self.socket.hang_up(address);
        }
    }

    pub(super) fn failure(&self, seat: u8) -> Option<SecureFailure> {
        self.socket.failure(self.contacts.get(usize::from(seat))?.dialed?)
    }

    /// That a handshake broke may happen to anybody.
    pub(super) fn refusal(&self, now_us: u64, seat: u8) -> Option<SecureFailure> {
        let address = self.contacts.get(usize::from(seat))?.dialed?;
        let is_other = |failure: &SecureFailure| {
            matches!(failure, SecureFailure::OtherCertificate | SecureFailure::BadProof | SecureFailure::OtherIdentity)
        };
        self.socket.refusal(now_us, address).or_else(|| self.socket.failure(address).filter(is_other))
    }

    pub(super) fn address(&self, seat: u8) -> Option<SocketAddr> {
        self.contacts.get(usize::from(seat))?.address
    }

    pub(super) fn rejects(&self) -> &RejectCounts {
        self.socket.rejects()
    }

    /// Takes a datagram; what is dropped is counted.
    pub(super) fn handle(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) {
        // The socket counts.
        let _ = self.socket.handle(now_us, from, datagram);
        self.absorb();
    }

    fn absorb(&mut self) {
        while let Some(event) = self.socket.poll_event() {
            match event {
                SecureEvent::Established { address, proved } => self.meet(address, proved),
                SecureEvent::Moved { from, to } => self.follow(from, to),
                SecureEvent::Plaintext { .. } | SecureEvent::Unproven { .. } => {}
            }
        }
    }

    /// A connection stands: one that was dialled, where our own seat was proved, or one of a player who
    /// proved the seat that it dials from.
    fn meet(&mut self, address: SocketAddr, proved: Proved) {
        let is_dialed = proved.seat == self.own_seat;
        let found = (0u8..)
            .zip(&self.contacts)
            .find(|(seat, contact)| if is_dialed { contact.dialed == Some(address) } else { *seat == proved.seat && contact.is_expected });
        let Some((seat, contact)) = found.map(|(seat, contact)| (seat, *contact)) else {
            self.socket.hang_up(address);
            return;
        };
        match contact.pinned {
            // Two may have come before the first was pinned.
            Some((identity, _)) if identity != proved.identity => return self.socket.hang_up(address),
            Some(_) => {}
            None => {
                self.pin(seat, proved.identity, Word::Own);
            }
        }
        if let Some(before) = contact.address.filter(|before| *before != address) {
            self.socket.hang_up(before);
        }
        self.socket.claim(address);
        if let Some(contact) = self.contacts.get_mut(usize::from(seat)) {
            contact.address = Some(address);
        }
        if self.met.len() < MAX_MET {
            self.met.push_back(seat);
        }
    }

    fn follow(&mut self, from: SocketAddr, to: SocketAddr) {
        for contact in &mut self.contacts {
            if contact.address == Some(from) {
                contact.address = Some(to);
                contact.dialed = contact.dialed.map(|_| to);
            }
        }
    }

    pub(super) fn next_met(&mut self) -> Option<u8> {
        self.met.pop_front()
    }

    pub(super) fn next_packet(&mut self) -> Option<(u8, &[u8])> {
        let (from, packet) = self.socket.next_packet()?;
        // A seat that nobody has is refused above.
        let seat = (0u8..).zip(&self.contacts).find(|(_, contact)| contact.address == Some(from)).map_or(u8::MAX, |(seat, _)| seat);
        Some((seat, packet))
    }

    pub(super) fn write(&mut self, to: u8, packet: &[u8], out: &mut [u8]) -> Option<(SocketAddr, usize)> {
        let address = self.address(to)?;
        let len = self.socket.seal(address, packet, out);
        (len > 0).then_some((address, len))
    }

    pub(super) fn poll_transmit(&mut self, now_us: u64, out: &mut [u8]) -> Option<(SocketAddr, usize)> {
        let transmit = self.socket.poll_transmit(now_us, out);
        self.absorb();
        transmit
    }

    pub(super) fn poll_timeout(&self) -> Option<u64> {
        self.socket.poll_timeout()
    }

    pub(super) fn packet_budget_bytes(&self) -> usize {
        self.socket.packet_budget_bytes()
    }
}
