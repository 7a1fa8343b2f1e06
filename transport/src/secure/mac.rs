//! HMAC-SHA256 over parts that cannot run into each other.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The MAC of `parts` under `key`, for one purpose. Each part goes in behind its length.
pub(super) fn mac(key: &[u8; 32], purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
    // A key of any length will do.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    for part in core::iter::once(&purpose.as_bytes()).chain(parts) {
        mac.update(&(part.len() as u64).to_le_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Whether two MACs are the same, in constant time.
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}
