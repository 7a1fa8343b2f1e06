//! The door of a [`SecureSocket`]: knocks, cookies and openers, and those who come without encryption.

use super::SecureFailure;
use super::association::{Association, HANDSHAKE_RECORD, Side};
use super::bucket::network_of;
use super::socket::{MAX_ASSOCIATIONS, MAX_EVENTS, MAX_HANDSHAKES, SecureEvent, SecureSocket, is_stranger};
use super::state::{AssociationEvent, AssociationState};
use crate::packet::{ConnectionKey, Cookie, Hello, Knock, Opener, PROTOCOL_VERSION, Refusal, RefusalReason, Reject};
use std::net::SocketAddr;

/// Of those, the most that one network may have.
const MAX_OF_NETWORK: usize = MAX_HANDSHAKES / 2;

/// How long a handshake is safe from being pushed out by another when there are too many.
const SAFE_US: u64 = 1_000_000;

/// Answers to strangers that wait to be sent; more are not kept.
pub(super) const MAX_ANSWERS: usize = 256;

impl SecureSocket {
    fn answer(&mut self, now_us: u64, from: SocketAddr, nonce: u64) -> Result<(), Reject> {
        if self.seats.is_empty() {
            return Err(Reject::WrongState);
        }
        if self.answers.len() >= MAX_ANSWERS {
            return Err(Reject::HandshakesFull);
        }
        let cookie = self.cookies.bake(now_us, from, nonce);
        self.answers.push_back((from, Cookie { version: PROTOCOL_VERSION, nonce, cookie }));
        Ok(())
    }

    pub(super) fn take_knock(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) -> Result<(), Reject> {
        let knock = Knock::read(datagram)?;
        self.answer(now_us, from, knock.nonce)
    }

    /// Whoever dials without encryption learns from a cookie that there is no other way in.
    pub(super) fn take_plain_hello(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) -> Result<(), Reject> {
        let hello = Hello::read(datagram, ConnectionKey::GREETING)?;
        self.answer(now_us, from, hello.nonce)?;
        // A flood of these must not push out what matters.
        if self.events.len() < MAX_EVENTS / 2 {
            self.push_event(SecureEvent::Plaintext { address: from });
        }
        Err(Reject::NotEncrypted)
    }

    /// A listener without encryption cannot be played with.
    pub(super) fn take_plain_refusal(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) -> Result<(), Reject> {
        let refusal = Refusal::read(datagram, ConnectionKey::GREETING)?;
        let association = knocking(&mut self.associations, from)?;
        if association.nonce != refusal.nonce {
            return Err(Reject::WrongNonce);
        }
        if refusal.reason != RefusalReason::NotEncrypted {
            return Err(Reject::NotEncrypted);
        }
        association.hear(SecureFailure::NotEncrypted, now_us);
        Ok(())
    }

    pub(super) fn take_cookie(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) -> Result<(), Reject> {
        let cookie = Cookie::read(datagram)?;
        let (dtls, timeout_us) = (&self.dtls, self.settings.handshake_timeout_us);
        let association = knocking(&mut self.associations, from)?;
        if association.nonce != cookie.nonce {
            return Err(Reject::WrongNonce);
        }
        if cookie.version != PROTOCOL_VERSION {
            association.hear(SecureFailure::Version(cookie.version), now_us);
            return Ok(());
        }
        if let Side::Dialer { cookie: place, .. } = &mut association.side {
            *place = cookie.cookie;
        }
        association.on(AssociationEvent::CookieCame);
        association.heard_us = None;
        association.begin(dtls, timeout_us, now_us);
        self.stats.restarted += u64::from(association.failure.is_some());
        Ok(())
    }

    pub(super) fn take_opener(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) -> Result<(), Reject> {
        let opener = Opener::read(datagram)?;
        if !self.cookies.is_ours(now_us, from, opener.nonce, &opener.cookie) {
            return Err(Reject::BadCookie);
        }
        if opener.record.first() != Some(&HANDSHAKE_RECORD) {
            return Err(Reject::BadField);
        }
        // It was late, or a copy: that handshake is done.
        if self.associations.iter().any(|it| it.address == from && it.nonce == opener.nonce && it.state == AssociationState::Established) {
            return Err(Reject::Duplicate);
        }
        let is_attempt = |it: &Association| it.address == from && it.nonce == opener.nonce && is_stranger(it);
        if let Some(at) = self.associations.iter().position(is_attempt) {
            return self.feed(at, from, opener.record, now_us);
        }
        if !self.begins_by_network.take(now_us, from.ip()) || !self.begins.take(now_us) {
            return Err(Reject::HandshakesFull);
        }
        // The same program once more, or another at the same address: the older attempt is over.
        self.associations.retain(|association| association.address != from || !is_stranger(association));
        self.make_room(now_us, from)?;
        self.associations.push(Association::new(from, opener.nonce, Side::Listener, now_us));
        self.stats.begun += 1;
        let at = self.associations.len() - 1;
        self.associations[at].begin(&self.dtls, self.settings.handshake_timeout_us, now_us);
        self.feed(at, from, opener.record, now_us)
    }

    /// Room for one more handshake: the oldest makes it, unless it is still young. Those that have
    /// proved a seat come last.
    fn make_room(&mut self, now_us: u64, from: SocketAddr) -> Result<(), Reject> {
        let network = network_of(from.ip());
        let of_network = |association: &&Association| is_stranger(association) && network_of(association.address.ip()) == network;
        if self.associations.iter().filter(of_network).count() >= MAX_OF_NETWORK {
            return Err(Reject::HandshakesFull);
        }
        if self.pending_handshakes() < MAX_HANDSHAKES && self.associations.len() < MAX_ASSOCIATIONS {
            return Ok(());
        }
        let oldest = (0..self.associations.len())
            .filter(|at| !self.associations[*at].may_last())
            .min_by_key(|at| (!is_stranger(&self.associations[*at]), self.associations[*at].began_us))
            .ok_or(Reject::HandshakesFull)?;
        if now_us.saturating_sub(self.associations[oldest].began_us) < SAFE_US {
            return Err(Reject::HandshakesFull);
        }
        self.associations.remove(oldest);
        Ok(())
    }
}

fn knocking(associations: &mut [Association], at: SocketAddr) -> Result<&mut Association, Reject> {
    let is_it = |association: &&mut Association| association.address == at && association.state == AssociationState::Knocking;
    associations.iter_mut().find(is_it).ok_or(Reject::WrongState)
}
