//! Encryption, and who is at the other end.

mod association;
mod bucket;
mod certificate;
mod cookie;
mod door;
mod dtls;
mod identity;
mod mac;
mod movement;
mod proving;
mod random;
mod secret;
mod settings;
mod socket;
mod state;

pub use crate::credentials::{Fingerprint, IdentityKey, SeatSecret, SecureFailure};
pub use association::Proved;
pub use certificate::{Certificate, CertificateError, fingerprint_of};
pub use cookie::CookieJar;
pub use dtls::{DtlsError, DtlsOutput, DtlsRole, DtlsSession, DtlsSettings};
pub use identity::Identity;
pub use random::NoRandomness;
pub use secret::MatchSecret;
pub use settings::{AddressPolicy, SecureSettings};
pub use socket::{MAX_HANDSHAKES, SecureEvent, SecureSocket, SecureStats, packet_budget_bytes};
pub use state::{ASSOCIATION, AssociationEvent, AssociationState};
