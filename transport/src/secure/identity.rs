//! [`Identity`]: who a peer is, beyond one match.

use super::random::{NoRandomness, random};
use crate::credentials::{Fingerprint, IdentityKey};
use core::fmt;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

/// A peer's ed25519 key pair. The host program keeps it: the same identity signs results later and
/// lets a dropped player back in.
#[derive(Clone)]
pub struct Identity(SigningKey);

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Identity").field(&self.key()).finish()
    }
}

impl Identity {
    /// The identity of a seed: 32 bytes from a random source, kept secret. The same seed is the same
    /// identity.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// A fresh identity, from the operating system.
    ///
    /// # Errors
    /// If the system gives no random bytes.
    pub fn generate() -> Result<Self, NoRandomness> {
        Ok(Self::from_seed(&random()?))
    }

    /// The public half.
    #[must_use]
    pub fn key(&self) -> IdentityKey {
        IdentityKey(self.0.verifying_key().to_bytes())
    }

    /// Signs `parts` for one purpose. Each part goes in behind its length, so that none can run into
    /// the next.
    #[must_use]
    pub fn sign(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 64] {
        self.0.sign(&framed(purpose, parts)).to_bytes()
    }

    /// Ties this identity to the sender's certificate, on one connection of one match.
    #[must_use]
    pub fn bind(&self, match_id: u64, sender: &Fingerprint, receiver: &Fingerprint) -> [u8; 64] {
        self.sign(BINDING, &[&match_id.to_le_bytes(), &sender.0, &receiver.0])
    }
}

const BINDING: &str = "snapback identity";

impl IdentityKey {
    /// Whether the identity signed `parts` for this purpose.
    #[must_use]
    pub fn has_signed(&self, signature: &[u8; 64], purpose: &str, parts: &[&[u8]]) -> bool {
        let Ok(key) = VerifyingKey::from_bytes(&self.0) else { return false };
        key.verify_strict(&framed(purpose, parts), &Signature::from_bytes(signature)).is_ok()
    }

    /// Whether the identity stands behind the sender's certificate, on this connection.
    #[must_use]
    pub fn is_bound(&self, signature: &[u8; 64], match_id: u64, sender: &Fingerprint, receiver: &Fingerprint) -> bool {
        self.has_signed(signature, BINDING, &[&match_id.to_le_bytes(), &sender.0, &receiver.0])
    }
}

fn framed(purpose: &str, parts: &[&[u8]]) -> Vec<u8> {
    let mut message = Vec::new();
    for part in core::iter::once(&purpose.as_bytes()).chain(parts) {
        message.extend((part.len() as u64).to_le_bytes());
        message.extend(*part);
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binding_holds_for_one_connection_and_one_direction() {
        let identity = Identity::from_seed(&[3; 32]);
        let (a, b) = (Fingerprint([1; 32]), Fingerprint([2; 32]));
        let signature = identity.bind(5, &a, &b);
        let key = identity.key();
        assert!(key.is_bound(&signature, 5, &a, &b));
        assert!(!key.is_bound(&signature, 6, &a, &b));
        assert!(!key.is_bound(&signature, 5, &b, &a));
        assert!(!Identity::from_seed(&[4; 32]).key().is_bound(&signature, 5, &a, &b));
        assert!(!IdentityKey([0xFF; 32]).is_bound(&signature, 5, &a, &b));
        let mut changed = signature;
        changed[63] ^= 1;
        assert!(!key.is_bound(&changed, 5, &a, &b));
        assert!(!format!("{identity:?}").contains("0303"));
    }

    #[test]
    fn each_generated_one_is_another() {
        assert_ne!(Identity::generate().unwrap().key(), Identity::generate().unwrap().key());
    }

    /// RFC 8032, section 7.1, test 1.
    #[test]
    fn a_seed_is_the_identity_that_everybody_makes_of_it() {
        let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60".parse::<IdentityKey>().unwrap().0;
        insta::assert_snapshot!(Identity::from_seed(&seed).key(), @"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    }

    /// What OpenSSL signs with the same seed.
    #[test]
    fn a_binding_is_the_same_everywhere() {
        let signature = Identity::from_seed(&[3; 32]).bind(5, &Fingerprint([1; 32]), &Fingerprint([2; 32]));
        let (r, s) = signature.split_at(32);
        insta::assert_snapshot!(base16ct::lower::encode_string(r), @"981e046b89e285e63d561e790c628d9eab816e071951faee189abcbcfa0de5d8");
        insta::assert_snapshot!(base16ct::lower::encode_string(s), @"982d13fd39b2b12e81eae23da8883d9bb87f4d7e6543ee0207dc4e496574b50c");
    }

    /// With the neutral element as key, the neutral element and 0 are a valid signature of everything,
    /// unless the check is strict.
    #[test]
    fn a_key_of_small_order_signs_nothing() {
        let mut neutral = [0; 32];
        neutral[0] = 1;
        let mut signature = [0; 64];
        signature[0] = 1;
        assert!(!IdentityKey(neutral).has_signed(&signature, "result", &[b"ab"]));
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        let identity = Identity::from_seed(&[3; 32]);
        let signature = identity.sign("result", &[b"ab", b"c"]);
        assert!(identity.key().has_signed(&signature, "result", &[b"ab", b"c"]));
        assert!(!identity.key().has_signed(&signature, "result", &[b"a", b"bc"]));
        assert!(!identity.key().has_signed(&signature, "other", &[b"ab", b"c"]));
    }
}
