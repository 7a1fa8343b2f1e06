//! What lies between a peer and its datagrams: encryption, or nothing.

use super::Peer;
use super::event::{Outcome, PeerEvent};
use super::phase::{PeerPhase, PhaseEvent};
use super::security::Invitation;
use crate::rollback::InputPredictor;
use snapback_core::{PlayerSet, Simulation};
use snapback_transport::packet::{Pairing, RefusalReason, RosterEntry};
use snapback_transport::secure::{Identity, IdentityKey, SecureEvent, SecureFailure, SecureSocket};
use std::net::SocketAddr;

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// Lets those in who have a ticket: every seat that is not the host's own.
    pub(super) fn issue_invitations(&mut self) {
        let Some((socket, Invitation::Issued(secret))) = self.wire.as_mut().zip(self.invitation) else { return };
        for seat in self.settings.local_player_count..self.settings.player_count {
            socket.expect(seat, secret.seat(seat), None);
        }
    }

    /// Dials through the encryption, if there is any.
    pub(super) fn dial_secure(&mut self, address: SocketAddr, pairing: Option<Pairing>, nonce: u64, now_us: u64) {
        let own_seat = self.facts.and_then(|facts| facts.local_players.iter().next()).map(|player| player.index() as u8);
        let Some(socket) = &mut self.wire else { return };
        match (pairing, self.invitation) {
            (Some(Pairing { fingerprint, secret }), _) => {
                socket.dial(now_us, address, own_seat.unwrap_or(0), secret, fingerprint, nonce);
            }
            (None, Some(Invitation::Held { seat, secret, host })) => socket.dial(now_us, address, seat, secret, host, nonce),
            (None, _) => {}
        }
    }

    /// Dials once more, if there is encryption: the connection stands here and is forgotten there.
    pub(super) fn redial_secure(&mut self, at: usize, now_us: u64) {
        let Some(link) = self.links.get(at) else { return };
        let (address, pairing) = (link.endpoint.address(), link.dialed.and_then(|entry| entry.pairing));
        // The listener takes an attempt with an old nonce for the one that it has already.
        let nonce = self.settings.nonce ^ now_us.rotate_left(20);
        self.dial_secure(address, pairing, nonce, now_us);
    }

    /// How the peer of one link knows that of another.
    pub(super) fn pairing(&self, receiver: &PlayerSet, other: &PlayerSet, address: SocketAddr) -> Option<Pairing> {
        let Some(Invitation::Issued(secret)) = self.invitation else { return None };
        let first = |players: &PlayerSet| players.iter().next().map(|player| player.index() as u8);
        let fingerprint = self.wire.as_ref()?.proved(address)?.fingerprint;
        Some(Pairing { fingerprint, secret: secret.pair(first(receiver)?, first(other)?) })
    }

    /// Lets those joiners in who will dial this one.
    pub(super) fn expect_joiners(&mut self, roster: &[RosterEntry]) {
        let Some(facts) = self.facts else { return };
        let Some(socket) = &mut self.wire else { return };
        for entry in roster {
            let (seat, own) = (entry.players.iter().next(), facts.local_players.iter().next());
            if let (true, Some(seat), Some(pairing)) = (seat > own, seat, entry.pairing) {
                socket.expect(seat.index() as u8, pairing.secret, Some(pairing.fingerprint));
            }
        }
    }

    /// Takes note of what happened below.
    pub(super) fn absorb_wire(&mut self, now_us: u64) {
        while let Some(event) = self.wire.as_mut().and_then(SecureSocket::poll_event) {
            match event {
                SecureEvent::Established { address, .. } => {
                    if let Some(link) = self.links.iter_mut().find(|link| link.endpoint.address() == address) {
                        link.next_send_us = link.next_send_us.min(now_us);
                    }
                }
                SecureEvent::Moved { from, to } => self.follow(from, to),
                SecureEvent::Plaintext { address } => self.turned_away(address, RefusalReason::EncryptionRequired),
                SecureEvent::Unproven { address } => self.turned_away(address, RefusalReason::NoTicket),
            }
        }
        self.end_if_unanswerable(now_us);
    }

    fn follow(&mut self, from: SocketAddr, to: SocketAddr) {
        if self.host_address == Some(from) {
            self.host_address = Some(to);
        }
        if let Some(link) = self.links.iter_mut().find(|link| link.endpoint.address() == from) {
            link.endpoint.set_address(to);
            if let Some(dialed) = &mut link.dialed {
                dialed.address = Some(to);
            }
            let players = link.endpoint.remote_players();
            self.push_event(PeerEvent::Moved { players, from, to });
        }
    }

    /// What no further knock would mend.
    pub(super) fn end_if_unanswerable(&mut self, now_us: u64) {
        if self.phase != PeerPhase::Gathering {
            return;
        }
        let Some((socket, host)) = self.wire.as_ref().zip(self.host_address) else { return };
        let reason = match socket.refusal(now_us, host) {
            Some(SecureFailure::Version(theirs)) => RefusalReason::Version(theirs),
            Some(SecureFailure::NotEncrypted) => RefusalReason::NotEncrypted,
            Some(SecureFailure::NoTicket) => RefusalReason::NoTicket,
            _ => return,
        };
        self.end(Outcome::Refused(reason), PhaseEvent::Failed, now_us);
    }

    /// Why a peer that was dialled cannot be reached, if more is known than silence.
    pub(super) fn failure_of(&self, address: SocketAddr) -> Option<SecureFailure> {
        self.wire.as_ref().and_then(|socket| socket.failure(address))
    }

    /// Whether packets can go to an address.
    pub(super) fn is_open(&self, address: SocketAddr) -> bool {
        self.wire.as_ref().is_none_or(|socket| socket.proved(address).is_some())
    }

    pub(super) fn hang_up(&mut self, address: SocketAddr) {
        if let Some(socket) = &mut self.wire {
            socket.hang_up(address);
        }
    }

    /// The identities of the others, as they proved them; nobody without encryption.
    pub fn identities(&self) -> impl Iterator<Item = (PlayerSet, IdentityKey)> + '_ {
        self.links.iter().filter_map(|link| {
            let proved = self.wire.as_ref()?.proved(link.endpoint.address())?;
            Some((link.endpoint.remote_players(), proved.identity))
        })
    }

    /// This peer's own identity; none without encryption.
    #[must_use]
    pub fn identity(&self) -> Option<&Identity> {
        self.wire.as_ref().map(SecureSocket::identity)
    }
}
