//! Proofs inside a fresh DTLS connection: of a seat's secret, and of an identity.

use super::association::{Proved, Side};
use super::socket::{MAX_OUTBOX, SecureEvent, SecureSocket};
use super::state::{AssociationEvent, AssociationState};
use super::{IdentityKey, SecureFailure};
use crate::packet::{ConnectionKey, DATAGRAM_BUDGET_BYTES, Proof, Refusal, RefusalReason, Reject};

impl SecureSocket {
    pub(super) fn take_proof(&mut self, at: usize, packet: &[u8], now_us: u64) -> Result<(), Reject> {
        let proof = Proof::read(packet)?;
        let association = &self.associations[at];
        let peer = association.peer.ok_or(Reject::WrongState)?;
        let match_id = self.settings.match_id;
        let identity = IdentityKey(proof.identity);
        let (secret, pinned) = match &association.side {
            Side::Dialer { seat, secret, .. } if proof.is_answer && proof.seat == *seat => (Some(*secret), association.expected),
            Side::Dialer { .. } => (None, None),
            Side::Listener if proof.is_answer => (None, None),
            Side::Listener => self
                .seats
                .iter()
                .find(|seat| seat.seat == proof.seat && seat.fingerprint.is_none_or(|expected| expected == peer))
                .map_or((None, None), |seat| (Some(seat.secret), seat.identity)),
        };
        let is_right = association.accepted_proof == Some(proof)
            || secret.is_some_and(|secret| secret.is_proved(&proof.secret_proof, match_id, &peer, &self.own))
                && identity.is_bound(&proof.signature, match_id, &peer, &self.own);
        // Who has the secret and is somebody else has it from another's ticket.
        let is_other = is_right && association.state == AssociationState::Proving && pinned.is_some_and(|pinned| pinned != identity);
        if !is_right || is_other {
            if association.state == AssociationState::Proving {
                let address = association.address;
                self.tell_refusal(at);
                self.associations[at].die(if is_other { SecureFailure::OtherIdentity } else { SecureFailure::BadProof }, now_us);
                self.push_event(SecureEvent::Unproven { address });
            }
            return Err(Reject::BadProof);
        }
        let proved = Proved { seat: proof.seat, identity, fingerprint: peer };
        if association.state == AssociationState::Proving && !self.take_place(at, proved) {
            return Err(Reject::WrongState);
        }
        let association = &mut self.associations[at];
        association.accepted_proof = Some(proof);
        association.answer_due |= !association.is_dialer();
        Ok(())
    }

    /// Tells who came through the handshake and proves nothing that its ticket is wrong, once.
    fn tell_refusal(&mut self, at: usize) {
        let association = &mut self.associations[at];
        if association.is_dialer() || self.outbox.len() >= MAX_OUTBOX {
            return;
        }
        let refusal = Refusal { match_id: self.settings.match_id, nonce: association.nonce, reason: RefusalReason::NoTicket };
        let (mut packet, mut datagram) = ([0; DATAGRAM_BUDGET_BYTES], [0; DATAGRAM_BUDGET_BYTES]);
        let len = refusal.write(ConnectionKey::AEAD, &mut packet);
        let len = association.seal(packet.get(..len).unwrap_or_default(), &mut datagram);
        if len > 0 {
            self.outbox.push_back((association.address, datagram.get(..len).unwrap_or_default().to_vec()));
        }
    }

    /// A listener with the right certificate does not accept our proof.
    pub(super) fn take_refusal(&mut self, at: usize, packet: &[u8], now_us: u64) -> Result<(), Reject> {
        let refusal = Refusal::read(packet, ConnectionKey::AEAD)?;
        let association = &mut self.associations[at];
        if !association.is_dialer() || refusal.reason != RefusalReason::NoTicket {
            return Err(Reject::WrongState);
        }
        if refusal.nonce != association.nonce {
            return Err(Reject::WrongNonce);
        }
        association.die(SecureFailure::NoTicket, now_us);
        Ok(())
    }

    /// The connection stands, in place of an older one with the same address. A connection that is in
    /// use makes room for nobody but the same peer, who was started anew.
    fn take_place(&mut self, at: usize, proved: Proved) -> bool {
        let address = self.associations[at].address;
        if let Some(old) = self.established(address) {
            let older = &self.associations[old];
            let is_same = older.proved.is_some_and(|old| old.seat == proved.seat && old.identity == proved.identity);
            if older.is_claimed && !is_same {
                self.associations[at].on(AssociationEvent::Ended);
                return false;
            }
            // Whoever uses the connection uses it on.
            let is_claimed = self.associations[old].is_claimed && is_same;
            self.associations[old].on(AssociationEvent::Ended);
            self.associations[at].is_claimed |= is_claimed;
        }
        let association = &mut self.associations[at];
        association.proved = Some(proved);
        association.failure = None;
        association.on(AssociationEvent::Proved);
        self.stats.established += 1;
        self.push_event(SecureEvent::Established { address, proved });
        true
    }

    pub(super) fn prove(&self, at: usize) -> Option<Proof> {
        let association = &self.associations[at];
        let peer = association.peer?;
        let (seat, secret) = match &association.side {
            Side::Dialer { seat, secret, .. } => (*seat, *secret),
            Side::Listener => {
                let seat = association.proved?.seat;
                (seat, self.seats.iter().find(|known| known.seat == seat)?.secret)
            }
        };
        let (match_id, identity) = (self.settings.match_id, &self.settings.identity);
        Some(Proof {
            seat,
            is_answer: !association.is_dialer(),
            secret_proof: secret.prove(match_id, &self.own, &peer),
            identity: identity.key().0,
            signature: identity.bind(match_id, &self.own, &peer),
        })
    }
}
