//! HMAC-SHA256 over parts that cannot run into each other.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The MAC of `parts` under `key`, for one purpose. Each part goes in behind its length.
pub(super) fn mac(key: &[u8; 32], purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
    // A shorter key is one with zeros behind it. This way there is nothing that could fail.
    let mut block = [0; 64];
    block[..32].copy_from_slice(key);
    let mut mac = Hmac::<Sha256>::new(&block.into());
    for part in core::iter::once(&purpose.as_bytes()).chain(parts) {
        mac.update(&(part.len() as u64).to_le_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Whether two MACs are the same, in constant time.
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && crate::credentials::differing_bits(a, b) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `openssl dgst -sha256 -mac HMAC` says to the same bytes.
    #[test]
    fn it_is_hmac_sha256_over_lengths_and_parts() {
        let hex = |bytes: [u8; 32]| base16ct::lower::encode_string(&bytes);
        insta::assert_snapshot!(hex(mac(&[7; 32], "purpose", &[b"ab", b""])), @"50b23ceffc14a636299816f28c377abedce959da37e9b6f7fe7bf44ef80c3141");
        assert_ne!(mac(&[7; 32], "purpose", &[b"ab", b"c"]), mac(&[7; 32], "purpose", &[b"a", b"bc"]));
        assert_ne!(mac(&[7; 32], "purpose", &[b"ab"]), mac(&[7; 32], "purposeab", &[]));
        assert_ne!(mac(&[7; 32], "purpose", &[b"ab"]), mac(&[8; 32], "purpose", &[b"ab"]));
    }

    #[test]
    fn only_the_same_is_the_same() {
        assert!(same(&[1, 2], &[1, 2]));
        assert!(!same(&[1, 2], &[1, 2, 0]));
        assert!(!same(&[1, 2], &[]));
    }
}
