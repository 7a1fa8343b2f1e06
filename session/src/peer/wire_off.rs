//! Without the `dtls` feature nothing is ever encrypted: the same calls, of which none can happen.

use super::Peer;
use crate::rollback::InputPredictor;
use snapback_core::{PlayerSet, Simulation};
use snapback_transport::credentials::{IdentityKey, SecureFailure};
use snapback_transport::packet::{Pairing, Reject, RejectCounts, RosterEntry};
use std::net::SocketAddr;

/// Nobody has one.
pub(super) enum SecureSocket {}

/// Nobody has one.
#[derive(Clone, Copy)]
pub(super) enum Invitation {}

/// Nobody has proved anything.
pub(super) struct Proved {
    pub(super) seat: u8,
    pub(super) identity: IdentityKey,
}

/// Packets are never sealed.
pub(super) fn packet_budget_bytes(datagram_budget_bytes: usize) -> usize {
    datagram_budget_bytes
}

impl SecureSocket {
    pub(super) fn handle(&mut self, _: u64, _: SocketAddr, _: &[u8]) -> Result<(), Reject> {
        match *self {}
    }

    pub(super) fn next_packet(&mut self) -> Option<(SocketAddr, &[u8])> {
        match *self {}
    }

    pub(super) fn seal(&mut self, _: SocketAddr, _: &[u8], _: &mut [u8]) -> usize {
        match *self {}
    }

    pub(super) fn poll_transmit(&mut self, _: u64, _: &mut [u8]) -> Option<(SocketAddr, usize)> {
        match *self {}
    }

    pub(super) fn poll_timeout(&self) -> Option<u64> {
        match *self {}
    }

    pub(super) fn rejects(&self) -> &RejectCounts {
        match *self {}
    }

    pub(super) fn proved(&self, _: SocketAddr) -> Option<Proved> {
        match *self {}
    }

    pub(super) fn claim(&mut self, _: SocketAddr) {
        match *self {}
    }
}

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    pub(super) fn issue_invitations(&mut self) {
        if let Some(invitation) = self.invitation {
            match invitation {}
        }
    }

    pub(super) fn dial_secure(&mut self, _: SocketAddr, _: Option<Pairing>, _: u64, _: u64) {}

    pub(super) fn redial_secure(&mut self, _: usize, _: u64) {}

    pub(super) fn pairing(&self, _: &PlayerSet, _: &PlayerSet, _: SocketAddr) -> Option<Pairing> {
        None
    }

    pub(super) fn expect_joiners(&mut self, _: &[RosterEntry]) {}

    pub(super) fn absorb_wire(&mut self, _: u64) {}

    pub(super) fn end_if_unanswerable(&mut self, _: u64) {}

    pub(super) fn failure_of(&self, _: SocketAddr) -> Option<SecureFailure> {
        None
    }

    pub(super) fn is_open(&self, _: SocketAddr) -> bool {
        true
    }

    pub(super) fn hang_up(&mut self, _: SocketAddr) {}
}
