//! [`ConnectionKey`]: what ties a packet to one connection of one match.

use super::reader::crc;
use super::{MAGIC, PROTOCOL_VERSION};

/// How packets are told from damage and from strangers: by a CRC in the plaintext profile, by
/// nothing of their own under AEAD, which does it for them.
///
/// The seed of every CRC after the handshake is made from the magic, the version, the match and the
/// nonces of both ends, so that a datagram of an earlier match between the same two ports, or of
/// another pair, does not check out. It is no secret and stops no attacker who sees the packets:
/// that is the encrypted profile's work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConnectionKey(Option<u32>);

impl ConnectionKey {
    /// Inside an encrypted connection: no CRC.
    pub const AEAD: Self = Self(None);

    /// Greetings of the plaintext profile, before there is a connection.
    pub const GREETING: Self = Self(Some(0));

    /// The key of the plaintext connection between a dialler and a listener. Both ends compute the
    /// same.
    #[must_use]
    pub fn new(match_id: u64, dialer_nonce: u64, listener_nonce: u64) -> Self {
        let mut seed = crc(0, &MAGIC);
        seed = crc(seed, &PROTOCOL_VERSION.to_le_bytes());
        for part in [match_id, dialer_nonce, listener_nonce] {
            seed = crc(seed, &part.to_le_bytes());
        }
        Self(Some(seed))
    }

    /// The key of what one seat sends another on the channels beside the rollback socket, in the
    /// plaintext profile. The nonces of such a connection stand in its packets.
    #[must_use]
    pub fn channels(match_id: u64, sender: u8, receiver: u8) -> Self {
        let mut seed = crc(0, &MAGIC);
        seed = crc(seed, &PROTOCOL_VERSION.to_le_bytes());
        seed = crc(seed, &match_id.to_le_bytes());
        Self(Some(crc(seed, &[sender, receiver])))
    }

    /// Bytes after the fields of a packet: 4 with a CRC, else 0.
    #[must_use]
    pub const fn trailer_bytes(self) -> usize {
        if self.0.is_some() { 4 } else { 0 }
    }

    /// The CRC of these bytes, if this key asks for one.
    pub(crate) fn crc(self, bytes: &[u8]) -> Option<u32> {
        self.0.map(|seed| crc(seed, bytes))
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
        let mut bytes = b"V2RB\x04\x00".to_vec();
        bytes.extend([1u64, 2, 3].iter().flat_map(|part| part.to_le_bytes()));
        assert_eq!(key, ConnectionKey(Some(crc32fast::hash(&bytes))));
        let channels = [b"V2RB\x04\x00".as_slice(), &1u64.to_le_bytes(), &[2, 3]].concat();
        assert_eq!(ConnectionKey::channels(1, 2, 3), ConnectionKey(Some(crc32fast::hash(&channels))));
        assert_eq!((key.trailer_bytes(), ConnectionKey::AEAD.trailer_bytes()), (4, 0));
    }
}
