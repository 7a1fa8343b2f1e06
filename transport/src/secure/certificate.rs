//! [`Certificate`]: a fresh self-signed certificate for each peer, and its [`Fingerprint`].

use super::random::{NoRandomness, random};
use crate::credentials::Fingerprint;
use core::fmt;
use core::time::Duration;
use dimpl::DtlsCertificate;
use p256::ecdsa::{DerSignature, SigningKey};
use p256::pkcs8::EncodePrivateKey;
use sha2::{Digest, Sha256};
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::{Builder, CertificateBuilder};
use x509_cert::der::asn1::UtcTime;
use x509_cert::der::{DateTime, Encode};
use x509_cert::ext::pkix::BasicConstraints;
use x509_cert::ext::{Extension, ToExtension};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::{SubjectPublicKeyInfoOwned, SubjectPublicKeyInfoRef};
use x509_cert::time::{Time, Validity};
use x509_cert::{TbsCertificate, builder};

/// A self-signed ECDSA P-256 certificate with its private key.
///
/// Make a fresh one for each match: then nothing that was sent in an earlier match between the same
/// two addresses means anything in this one. Peers pin [`fingerprint`](Self::fingerprint) and look at
/// nothing else in it; its dates are 1970 to 9999, because a library reads no clock.
///
/// ```
/// use snapback_transport::secure::Certificate;
/// let certificate = Certificate::generate()?;
/// assert_eq!(certificate.fingerprint().to_string().len(), 64);
/// # Ok::<(), snapback_transport::secure::CertificateError>(())
/// ```
#[derive(Clone)]
pub struct Certificate {
    der: Vec<u8>,
    private_key: Vec<u8>,
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Certificate").field(&self.fingerprint()).finish()
    }
}

/// Why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CertificateError {
    /// There is nothing to make a key from.
    NoRandomness(NoRandomness),
    /// The certificate could not be built.
    Build(String),
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRandomness(error) => error.fmt(f),
            Self::Build(error) => write!(f, "no certificate could be made: {error}"),
        }
    }
}

impl core::error::Error for CertificateError {}

impl From<NoRandomness> for CertificateError {
    fn from(error: NoRandomness) -> Self {
        Self::NoRandomness(error)
    }
}

/// Numbers that are no key are drawn about once in 2^32 times.
const KEY_DRAWS: usize = 8;

impl Certificate {
    /// A fresh certificate, with a key and a serial number from the operating system.
    ///
    /// # Errors
    /// If the system gives no random bytes, or the same impossible ones again and again.
    pub fn generate() -> Result<Self, CertificateError> {
        let build = |error: &dyn fmt::Display| CertificateError::Build(error.to_string());
        let mut key = None;
        for _ in 0..KEY_DRAWS {
            key = SigningKey::from_slice(&random::<32>()?).ok();
            if key.is_some() {
                break;
            }
        }
        let key = key.ok_or_else(|| CertificateError::Build("the operating system gives no number that is a key".to_owned()))?;
        let mut serial = random::<16>()?;
        // A serial number is positive and has no leading zero.
        serial[0] = serial[0] & 0x7F | 0x40;
        let serial = SerialNumber::new(&serial).map_err(|error| build(&error))?;
        let public = SubjectPublicKeyInfoOwned::from_key(key.verifying_key()).map_err(|error| build(&error))?;
        let profile = SelfSigned("CN=Snapback peer".parse().map_err(|error| build(&error))?);
        let certificate = CertificateBuilder::new(profile, serial, validity().map_err(|error| build(&error))?, public)
            .and_then(|builder| builder.build::<_, DerSignature>(&key))
            .map_err(|error| build(&error))?;
        let der = certificate.to_der().map_err(|error| build(&error))?;
        let private_key = key.to_pkcs8_der().map_err(|error| build(&error))?.as_bytes().to_vec();
        Ok(Self { der, private_key })
    }

    /// By which others know it.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        fingerprint_of(&self.der)
    }

    /// The certificate in DER.
    #[must_use]
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// The private key in PKCS#8 DER, for programs that speak with others than ours. Keep it secret.
    #[must_use]
    pub fn private_key_der(&self) -> &[u8] {
        &self.private_key
    }

    pub(super) fn to_dtls(&self) -> DtlsCertificate {
        DtlsCertificate { certificate: self.der.clone(), private_key: self.private_key.clone() }
    }
}

/// The SHA-256 of a certificate in DER.
#[must_use]
pub fn fingerprint_of(der: &[u8]) -> Fingerprint {
    Fingerprint(Sha256::digest(der).into())
}

fn validity() -> Result<Validity, x509_cert::der::Error> {
    let from = Time::UtcTime(UtcTime::from_unix_duration(Duration::ZERO)?);
    let to = Time::GeneralTime(DateTime::new(9999, 12, 31, 23, 59, 59)?.into());
    Ok(Validity::new(from, to))
}

/// Its own issuer, and nobody else's. TLS wants X.509 version 3, and the builder writes version 1 if
/// there is no extension.
struct SelfSigned(Name);

impl BuilderProfile for SelfSigned {
    fn get_issuer(&self, subject: &Name) -> Name {
        subject.clone()
    }

    fn get_subject(&self) -> Name {
        self.0.clone()
    }

    fn build_extensions(
        &self,
        _: SubjectPublicKeyInfoRef<'_>,
        _: SubjectPublicKeyInfoRef<'_>,
        certificate: &TbsCertificate,
    ) -> builder::Result<Vec<Extension>> {
        let no_authority = BasicConstraints { ca: false, path_len_constraint: None };
        Ok(vec![no_authority.to_extension(certificate.subject(), &[])?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_another_and_none_shows_its_key() {
        let (a, b) = (Certificate::generate().unwrap(), Certificate::generate().unwrap());
        assert_ne!(a.fingerprint(), b.fingerprint());
        assert_eq!(format!("{a:?}"), format!("Certificate({:?})", a.fingerprint()));
        assert_eq!(a.fingerprint().to_string().parse(), Ok(a.fingerprint()));
    }
}
