//! A peer whose address changes: trial decryption, then a token that must come back.

use super::association::{Probe, REPEAT_US};
use super::settings::AddressPolicy;
use super::socket::{SecureEvent, SecureSocket};
use super::state::AssociationState;
use crate::packet::{Path, Reject};
use std::net::SocketAddr;

/// Questions to a new address before it is given up.
const PROBES: u8 = 20;

impl SecureSocket {
    /// A sealed datagram from an address that nobody knows. Whoever could have sealed it is one of our
    /// peers, who has moved; or it is a copy that somebody on the way sends from elsewhere, which is
    /// why nothing goes there but a question until it is answered from there.
    pub(super) fn take_from_elsewhere(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) -> Result<(), Reject> {
        if self.settings.address_policy == AddressPolicy::Stay || !(self.is_asked(from) || self.trials.take(now_us)) {
            return Err(Reject::UnknownSender);
        }
        self.stats.trials += 1;
        for at in 0..self.associations.len() {
            let association = &mut self.associations[at];
            if association.state != AssociationState::Established || !association.may_last() {
                continue;
            }
            association.handle(datagram, now_us);
            if self.drain(at, from, now_us) {
                self.probe(at, from, now_us);
                return Ok(());
            }
        }
        Err(Reject::UnknownSender)
    }

    /// Whether a token is on its way to an address: what comes from there may be the answer, and must not
    /// be crowded out.
    fn is_asked(&self, from: SocketAddr) -> bool {
        self.associations.iter().any(|association| association.probe.is_some_and(|probe| probe.candidate == from))
    }

    fn probe(&mut self, at: usize, candidate: SocketAddr, now_us: u64) {
        let association = &mut self.associations[at];
        if association.address == candidate || association.probe.is_some_and(|probe| probe.candidate == candidate) {
            return;
        }
        let token = self.cookies.token("snapback path", now_us ^ association.nonce.rotate_left(17));
        association.probe = Some(Probe { candidate, token, next_send_us: now_us, sends_left: PROBES });
    }

    /// A question or an answer about a path.
    pub(super) fn take_path(&mut self, at: usize, from: SocketAddr, path: Path) -> Result<(), Reject> {
        let association = &mut self.associations[at];
        if !path.is_answer {
            association.path_answer_due = Some(path.token);
            return Ok(());
        }
        let probe = association.probe.ok_or(Reject::WrongState)?;
        if probe.token != path.token || probe.candidate != from {
            return Err(Reject::WrongNonce);
        }
        association.probe = None;
        if self.established(from).is_some() {
            return Err(Reject::WrongState);
        }
        let association = &mut self.associations[at];
        let before = core::mem::replace(&mut association.address, from);
        self.stats.moved += 1;
        self.push_event(SecureEvent::Moved { from: before, to: from });
        Ok(())
    }

    /// The question or answer that is due, and where to.
    pub(super) fn next_path(&mut self, at: usize, now_us: u64) -> Option<(SocketAddr, Path)> {
        let association = self.associations.get_mut(at)?;
        if let Some(token) = association.path_answer_due.take() {
            return Some((association.address, Path { is_answer: true, token }));
        }
        let probe = association.probe.as_mut().filter(|probe| probe.next_send_us <= now_us)?;
        if probe.sends_left == 0 {
            association.probe = None;
            return None;
        }
        probe.sends_left -= 1;
        probe.next_send_us = now_us.saturating_add(REPEAT_US);
        Some((probe.candidate, Path { is_answer: false, token: probe.token }))
    }
}
