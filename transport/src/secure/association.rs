//! [`Association`]: one encrypted connection, from the first knock to its end.

use super::state::{AssociationEvent, AssociationState};
use super::{DtlsOutput, DtlsRole, DtlsSession, DtlsSettings, Fingerprint, IdentityKey, SeatSecret, SecureFailure};
use crate::packet::{OPENER_HEADER_BYTES, Opener, Proof, SEAL_BYTES};
use std::net::SocketAddr;

/// Between two knocks, and between two proofs.
pub(super) const REPEAT_US: u64 = 100_000;

/// How long a dialler waits before it begins again with one who showed the wrong certificate.
const IMPOSTOR_PAUSE_US: u64 = 500_000;

/// From one nonce of a dialler to the next: odd, so that none comes twice.
const NONCE_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A handshake of a dialler that is not done by then begins again: a stranger may have spoofed a part
/// of it, and then the library waits for ever for the rest. By now its repetitions are far apart, so
/// that beginning again is no loss on a bad link either.
const ATTEMPT_US: u64 = 3_000_000;

/// The library is told the time at least this often.
const TICK_US: u64 = 1_000_000;

/// The first byte of a DTLS record that carries a part of the handshake in the clear.
pub(super) const HANDSHAKE_RECORD: u8 = 22;

/// Which end of it this is.
#[derive(Clone, Debug)]
pub(super) enum Side {
    Dialer { seat: u8, secret: SeatSecret, fingerprint: Fingerprint, cookie: [u8; 16] },
    Listener,
}

/// What the other end has proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proved {
    /// Whose secret it knows: a player's number.
    pub seat: u8,
    /// Its identity.
    pub identity: IdentityKey,
    /// Its certificate.
    pub fingerprint: Fingerprint,
}

/// An address from which a packet of the connection came, and which has yet to answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    pub(super) candidate: SocketAddr,
    pub(super) token: u64,
    pub(super) next_send_us: u64,
    pub(super) sends_left: u8,
}

#[derive(Debug)]
pub(super) struct Association {
    pub(super) address: SocketAddr,
    pub(super) nonce: u64,
    pub(super) side: Side,
    pub(super) state: AssociationState,
    pub(super) dtls: Option<DtlsSession>,
    pub(super) peer: Option<Fingerprint>,
    pub(super) proved: Option<Proved>,
    /// A dialler's: who alone may answer, if that is known.
    pub(super) expected: Option<IdentityKey>,
    /// Our proof, once it is made: it takes a signature, and is the same at every repetition.
    pub(super) own_proof: Option<Proof>,
    /// The other side's proof, once it is checked, for the same reason.
    pub(super) accepted_proof: Option<Proof>,
    /// Whether somebody above uses it.
    pub(super) is_claimed: bool,
    pub(super) began_us: u64,
    /// When a dialler's attempt counts as broken.
    pub(super) attempt_until_us: u64,
    /// The next knock or proof.
    pub(super) next_send_us: u64,
    /// When the library wants to know the time.
    pub(super) tick_us: u64,
    /// Whether the library may have datagrams to send.
    pub(super) is_dirty: bool,
    /// Whether the other side waits for our answer to its proof.
    pub(super) answer_due: bool,
    pub(super) path_answer_due: Option<u64>,
    pub(super) probe: Option<Probe>,
    pub(super) failure: Option<SecureFailure>,
    /// Since when the listener has said nothing but that, in the clear.
    pub(super) heard_us: Option<u64>,
}

impl Association {
    pub(super) fn new(address: SocketAddr, nonce: u64, side: Side, now_us: u64) -> Self {
        let state = match side {
            Side::Dialer { .. } => AssociationState::Knocking,
            Side::Listener => AssociationState::Handshaking,
        };
        Self {
            address,
            nonce,
            side,
            state,
            dtls: None,
            peer: None,
            proved: None,
            expected: None,
            own_proof: None,
            accepted_proof: None,
            is_claimed: false,
            began_us: now_us,
            attempt_until_us: u64::MAX,
            next_send_us: now_us,
            tick_us: u64::MAX,
            is_dirty: false,
            answer_due: false,
            path_answer_due: None,
            probe: None,
            failure: None,
            heard_us: None,
        }
    }

    pub(super) fn is_dialer(&self) -> bool {
        matches!(self.side, Side::Dialer { .. })
    }

    pub(super) fn on(&mut self, event: AssociationEvent) {
        self.state = self.state.after(event);
    }

    /// Starts DTLS.
    pub(super) fn begin(&mut self, settings: &DtlsSettings, timeout_us: u64, now_us: u64) {
        let role = if self.is_dialer() { DtlsRole::Client13 } else { DtlsRole::Server13 };
        match DtlsSession::new(settings, role, now_us) {
            Ok(session) => {
                self.dtls = Some(session);
                self.attempt_until_us = now_us.saturating_add(ATTEMPT_US.min(timeout_us / 3));
                self.tick_us = now_us.saturating_add(TICK_US);
                self.is_dirty = true;
            }
            Err(_) => self.die(SecureFailure::Handshake, now_us),
        }
    }

    /// The DTLS connection broke, or is with somebody else. A dialler knocks again, under another
    /// nonce: by that the listener knows that this is not the attempt that it may still have.
    pub(super) fn die(&mut self, failure: SecureFailure, now_us: u64) {
        // That something broke says less than what else is known: an answer that was late, from the attempt
        // before, breaks the next.
        if failure != SecureFailure::Handshake || self.failure.is_none() {
            self.failure = Some(failure);
        }
        self.nonce = self.nonce.wrapping_add(NONCE_STEP);
        self.attempt_until_us = u64::MAX;
        self.dtls = None;
        self.peer = None;
        self.own_proof = None;
        self.accepted_proof = None;
        self.tick_us = u64::MAX;
        self.is_dirty = false;
        let pause_us = if failure == SecureFailure::Handshake { 0 } else { IMPOSTOR_PAUSE_US };
        self.next_send_us = self.next_send_us.max(now_us.saturating_add(pause_us));
        self.on(if self.is_dialer() { AssociationEvent::Died } else { AssociationEvent::Ended });
    }

    /// Takes note of what the listener, or anybody, says in the clear.
    pub(super) fn hear(&mut self, failure: SecureFailure, now_us: u64) {
        self.failure = Some(failure);
        self.heard_us.get_or_insert(now_us);
    }

    /// Gives the library a datagram.
    pub(super) fn handle(&mut self, datagram: &[u8], now_us: u64) {
        let Some(dtls) = &mut self.dtls else { return };
        let told = if self.state == AssociationState::Established { Ok(()) } else { dtls.tick(now_us) };
        if told.and_then(|()| dtls.handle(datagram)).is_err() {
            self.die(SecureFailure::Handshake, now_us);
        }
    }

    /// Tells the library the time, if it wants to know.
    pub(super) fn tick(&mut self, now_us: u64) {
        if now_us < self.tick_us {
            return;
        }
        let Some(dtls) = &mut self.dtls else { return };
        self.tick_us = now_us.saturating_add(TICK_US);
        self.is_dirty = true;
        if dtls.tick(now_us).is_err() {
            self.die(SecureFailure::Handshake, now_us);
        }
    }

    pub(super) fn poll(&mut self, now_us: u64, buffer: &mut [u8]) -> DtlsOutput {
        let Some(dtls) = &mut self.dtls else { return DtlsOutput::Idle { next_us: u64::MAX } };
        let output = dtls.poll(buffer);
        if let DtlsOutput::Idle { next_us } = output {
            self.is_dirty = false;
            self.tick_us = next_us.clamp(now_us.saturating_add(1_000), now_us.saturating_add(TICK_US));
        }
        output
    }

    /// Seals a packet; the size of the datagram, 0 if it cannot be.
    pub(super) fn seal(&mut self, packet: &[u8], out: &mut [u8]) -> usize {
        let Some(dtls) = &mut self.dtls else { return 0 };
        // The library would keep what does not fit, and give it in place of the next packet.
        if packet.is_empty() || out.len() < packet.len() + SEAL_BYTES {
            return 0;
        }
        if dtls.send(packet).is_err() {
            self.on(AssociationEvent::Ended);
            return 0;
        }
        match dtls.poll(out) {
            DtlsOutput::Datagram(len) => len,
            _ => 0,
        }
    }

    /// Puts the cookie before the first record of a handshake; returns the size of the datagram.
    pub(super) fn wrap(&self, len: usize, out: &mut [u8]) -> usize {
        let Side::Dialer { cookie, .. } = &self.side else { return len };
        if out.first() != Some(&HANDSHAKE_RECORD) || out.len() < len + OPENER_HEADER_BYTES {
            return len;
        }
        out.copy_within(..len, OPENER_HEADER_BYTES);
        let header = Opener { nonce: self.nonce, cookie: *cookie, record: &[] };
        header.write(out) + len
    }

    /// When something is due on it; none if nothing is.
    pub(super) fn due_us(&self, timeout_us: u64) -> Option<u64> {
        let now = Some(0).filter(|_| self.is_dirty || self.answer_due || self.path_answer_due.is_some());
        let repeat = match self.state {
            AssociationState::Closed => return Some(0),
            AssociationState::Knocking => Some(self.next_send_us),
            AssociationState::Proving if self.is_dialer() => Some(self.next_send_us),
            _ => None,
        };
        let attempt = Some(self.attempt_until_us).filter(|_| self.is_in_attempt());
        let tick = Some(self.tick_us).filter(|tick| *tick != u64::MAX);
        let probe = self.probe.map(|probe| probe.next_send_us);
        let expiry = Some(self.expiry_us(timeout_us)).filter(|_| !self.may_last());
        [now, repeat, attempt, tick, probe, expiry].into_iter().flatten().min()
    }

    /// When it is forgotten, unless it may last.
    pub(super) fn expiry_us(&self, timeout_us: u64) -> u64 {
        self.began_us.saturating_add(timeout_us)
    }

    /// Whether it is a dialler's and its handshake is under way.
    pub(super) fn is_in_attempt(&self) -> bool {
        self.is_dialer() && matches!(self.state, AssociationState::Handshaking | AssociationState::Proving)
    }

    /// Whether it ends only when somebody above says so: those do who dial, and who use it.
    pub(super) fn may_last(&self) -> bool {
        self.is_dialer() || self.is_claimed
    }
}
