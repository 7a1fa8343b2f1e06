//! [`Security`]: whether the connections are encrypted, and by what the peers know each other.

use super::settings::PeerSettings;
#[cfg(not(feature = "dtls"))]
use super::wire_off::{Invitation, SecureSocket};
use crate::rollback::SessionError;
#[cfg(feature = "dtls")]
use snapback_core::RollbackConfig;
#[cfg(feature = "dtls")]
use snapback_transport::secure::{
    AddressPolicy, Certificate, CertificateError, Fingerprint, Identity, MatchSecret, SeatSecret, SecureSettings, SecureSocket,
};

/// Whether the connections of a match are encrypted.
#[derive(Clone, Debug)]
pub enum Security {
    /// DTLS 1.3 with certificates on both sides. Others cannot read or change anything, and nobody
    /// takes a seat who has no ticket for it.
    #[cfg(feature = "dtls")]
    Encrypted(Box<Credentials>),
    /// Plaintext: whoever is on the way can read and change everything. For tests, for networks that
    /// are your own, and for a host program whose own network encrypts. It needs
    /// [`require_encrypted_transport`](snapback_core::RollbackConfig::require_encrypted_transport)
    /// to be false.
    InsecureLan,
}

#[cfg(feature = "dtls")]
/// What a peer shows the others, and by what it knows them.
#[derive(Clone)]
pub struct Credentials {
    /// Fresh for every match: [`Certificate::generate`].
    pub certificate: Certificate,
    /// Who this peer is, beyond one match.
    pub identity: Identity,
    /// 32 bytes from the host program's random source, for cookies.
    pub cookie_key: [u8; 32],
    /// What it knows of the others before they meet.
    pub invitation: Invitation,
    /// What becomes of a peer whose address changes.
    pub address_policy: AddressPolicy,
    /// For a host: how many players one ticket seats at most, its own seat and those after it. Usually 1.
    pub players_per_ticket: u8,
}

#[cfg(feature = "dtls")]
/// Without the secrets.
impl core::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Credentials")
            .field("certificate", &self.certificate)
            .field("identity", &self.identity)
            .field("invitation", &self.invitation)
            .field("address_policy", &self.address_policy)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "dtls")]
impl Credentials {
    /// The credentials of a host, with a fresh certificate. `match_secret` and `cookie_key` come from
    /// the host program's random source, fresh for every match.
    ///
    /// # Errors
    /// If the system gives no random bytes for a key.
    pub fn host(identity: Identity, cookie_key: [u8; 32], match_secret: MatchSecret) -> Result<Self, CertificateError> {
        Self::new(identity, cookie_key, Invitation::Issued(match_secret))
    }

    /// The credentials of a joiner, with a fresh certificate, from what stands in its ticket.
    ///
    /// # Errors
    /// If the system gives no random bytes for a key.
    pub fn join(
        identity: Identity,
        cookie_key: [u8; 32],
        seat: u8,
        secret: SeatSecret,
        host: Fingerprint,
    ) -> Result<Self, CertificateError> {
        Self::new(identity, cookie_key, Invitation::Held { seat, secret, host })
    }

    fn new(identity: Identity, cookie_key: [u8; 32], invitation: Invitation) -> Result<Self, CertificateError> {
        let certificate = Certificate::generate()?;
        Ok(Self { certificate, identity, cookie_key, invitation, address_policy: AddressPolicy::default(), players_per_ticket: 1 })
    }

    /// The encryption of a socket in this match.
    pub(super) fn secure_settings(&self, match_id: u64, config: &RollbackConfig) -> SecureSettings {
        let Self { certificate, identity, cookie_key, address_policy, .. } = self;
        SecureSettings {
            datagram_budget_bytes: config.datagram_budget_bytes as usize,
            handshake_timeout_us: u64::from(config.disconnect_timeout_ms) * 1_000,
            address_policy: *address_policy,
            ..SecureSettings::new(match_id, certificate.clone(), identity.clone(), *cookie_key)
        }
    }
}

#[cfg(feature = "dtls")]
impl From<Credentials> for Security {
    fn from(credentials: Credentials) -> Self {
        Self::Encrypted(Box::new(credentials))
    }
}

#[cfg(feature = "dtls")]
/// What a peer knows of the others before they meet.
#[derive(Clone, Copy, Debug)]
pub enum Invitation {
    /// It is the host and invites: the secret of each seat comes from this one, and goes into that
    /// seat's ticket.
    Issued(MatchSecret),
    /// It has a ticket.
    Held {
        /// The seat, a player's number.
        seat: u8,
        /// The seat's secret.
        secret: SeatSecret,
        /// The host's certificate.
        host: Fingerprint,
    },
}

impl Security {
    /// How many players one ticket seats; without tickets as many as there are.
    pub(super) fn players_per_ticket(&self) -> usize {
        match self {
            Self::InsecureLan => usize::MAX,
            #[cfg(feature = "dtls")]
            Self::Encrypted(credentials) => credentials.players_per_ticket.into(),
        }
    }

    /// The encryption for a peer with these settings; none in the plaintext profile.
    pub(super) fn open(&self, settings: &PeerSettings) -> Result<(Option<SecureSocket>, Option<Invitation>), SessionError> {
        let refuse = |reason: String| SessionError::Settings { reason };
        match self {
            Self::InsecureLan if settings.config.require_encrypted_transport => Err(refuse(
                "without encryption whoever is on the way can read and change everything: give credentials, or set \
                 require_encrypted_transport to false if the network is your own"
                    .to_owned(),
            )),
            Self::InsecureLan => Ok((None, None)),
            #[cfg(feature = "dtls")]
            Self::Encrypted(credentials) => {
                let socket = SecureSocket::new(credentials.secure_settings(settings.match_id, &settings.config));
                let socket = socket.map_err(|error| refuse(format!("the encryption cannot be set up: {error}")))?;
                Ok((Some(socket), Some(credentials.invitation)))
            }
        }
    }
}
