//! [`ConnectionKey`]: what ties a packet to one connection of one match.

use super::reader::crc;
use super::{MAGIC, PROTOCOL_VERSION};

/// The seed of every CRC after the handshake: made from the magic, the version, the match and the
/// nonces of both ends, so that a datagram of an earlier match between the same two ports, or of
/// another pair, does not check out.
///
/// This tells strays and damage from what belongs here; it is no secret and stops no attacker who
/// sees the packets. That is the encrypted profile's work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConnectionKey(u32);

impl ConnectionKey {
    /// The key of the connection between a dialler and a listener. Both ends compute the same.
    #[must_use]
    pub fn new(match_id: u64, dialer_nonce: u64, listener_nonce: u64) -> Self {
        let mut seed = crc(0, &MAGIC);
        seed = crc(seed, &PROTOCOL_VERSION.to_le_bytes());
        for part in [match_id, dialer_nonce, listener_nonce] {
            seed = crc(seed, &part.to_le_bytes());
        }
        Self(seed)
    }

    pub(crate) const fn seed(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_matters_and_the_value_is_stored() {
        let key = ConnectionKey::new(1, 2, 3);
        for other in [ConnectionKey::new(9, 2, 3), ConnectionKey::new(1, 9, 3), ConnectionKey::new(1, 2, 9), ConnectionKey::new(1, 3, 2)] {
            assert_ne!(key, other);
        }
        let mut bytes = b"V2RB\x01\x00".to_vec();
        bytes.extend([1u64, 2, 3].iter().flat_map(|part| part.to_le_bytes()));
        assert_eq!(key.seed(), crc32fast::hash(&bytes));
    }
}
