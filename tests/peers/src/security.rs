//! What two peers of ours need to encrypt.

use snapback::transport::secure::{Identity, MatchSecret};
use snapback::{Credentials, Security};

/// Credentials of a host and of the joiner that it invited to the second seat. The certificates are
/// fresh, from the operating system.
///
/// # Panics
/// If the system gives no random bytes.
#[must_use]
pub fn encrypted() -> [Security; 2] {
    let secret = MatchSecret([3; 32]);
    let host = Credentials::host(Identity::from_seed(&[1; 32]), [1; 32], secret).expect("the system gives random bytes");
    let fingerprint = host.certificate.fingerprint();
    let joiner = Credentials::join(Identity::from_seed(&[2; 32]), [2; 32], 1, secret.seat(1), fingerprint);
    [host.into(), joiner.expect("the system gives random bytes").into()]
}

/// No encryption on either side.
#[must_use]
pub fn plaintext() -> [Security; 2] {
    [Security::InsecureLan, Security::InsecureLan]
}
