//! Encryption, and who is at the other end.

mod certificate;
mod cookie;
mod dtls;
mod identity;
mod mac;
mod secret;
mod state;

pub use crate::credentials::{Fingerprint, IdentityKey, SeatSecret};
pub use certificate::{Certificate, CertificateError, fingerprint_of};
pub use cookie::CookieJar;
pub use dtls::{DTLS_OVERHEAD_BYTES, DtlsError, DtlsOutput, DtlsRole, DtlsSession, DtlsSettings};
pub use identity::Identity;
pub use secret::MatchSecret;
pub use state::{ASSOCIATION, AssociationEvent, AssociationState};
