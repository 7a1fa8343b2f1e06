//! [`SecureSettings`]: how a [`SecureSocket`](super::SecureSocket) is set up.

use super::{Certificate, Identity};
use crate::packet::DATAGRAM_BUDGET_BYTES;

/// How a [`SecureSocket`](super::SecureSocket) is set up.
#[derive(Clone)]
pub struct SecureSettings {
    /// The match, from its ticket.
    pub match_id: u64,
    /// Fresh for every match.
    pub certificate: Certificate,
    /// Who this peer is, beyond one match.
    pub identity: Identity,
    /// 32 bytes from a random source, for cookies.
    pub cookie_key: [u8; 32],
    /// The largest datagram, before the UDP header: at most [`DATAGRAM_BUDGET_BYTES`].
    pub datagram_budget_bytes: usize,
    /// How long a handshake may take before a listener forgets it.
    pub handshake_timeout_us: u64,
    /// What becomes of a peer whose address changes.
    pub address_policy: AddressPolicy,
}

/// Without the secrets.
impl core::fmt::Debug for SecureSettings {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SecureSettings")
            .field("match_id", &self.match_id)
            .field("certificate", &self.certificate)
            .field("identity", &self.identity)
            .field("datagram_budget_bytes", &self.datagram_budget_bytes)
            .field("handshake_timeout_us", &self.handshake_timeout_us)
            .field("address_policy", &self.address_policy)
            .finish_non_exhaustive()
    }
}

impl SecureSettings {
    /// Settings with the usual numbers.
    #[must_use]
    pub fn new(match_id: u64, certificate: Certificate, identity: Identity, cookie_key: [u8; 32]) -> Self {
        Self {
            match_id,
            certificate,
            identity,
            cookie_key,
            datagram_budget_bytes: DATAGRAM_BUDGET_BYTES,
            handshake_timeout_us: 10_000_000,
            address_policy: AddressPolicy::default(),
        }
    }
}

/// What becomes of a peer whose address changes in the middle of a match: a router chose another
/// port, or a phone went from Wi-Fi to mobile.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum AddressPolicy {
    /// A packet from elsewhere that decrypts is taken, and the connection moves there once a token
    /// sent there has come back from there.
    #[default]
    Follow,
    /// Packets from elsewhere are dropped: the connection ends by silence.
    Stay,
}
