//! The checksums of the plaintext profile, set right by somebody who knows the format. Written from
//! its description, not from its code.

/// The seed of the CRC of greetings.
pub const GREETING_SEED: u32 = 0;

/// The seed of every other CRC of a connection.
#[must_use]
pub fn connection_seed(match_id: u64, dialer_nonce: u64, listener_nonce: u64) -> u32 {
    let mut bytes = b"V2RB".to_vec();
    bytes.extend(snapback_transport::packet::PROTOCOL_VERSION.to_le_bytes());
    bytes.extend([match_id, dialer_nonce, listener_nonce].iter().flat_map(|part| part.to_le_bytes()));
    crc32fast::hash(&bytes)
}

/// The bytes with their CRC behind them.
#[must_use]
pub fn sealed(seed: u32, body: &[u8]) -> Vec<u8> {
    let mut hasher = crc32fast::Hasher::new_with_initial(seed);
    hasher.update(body);
    let mut out = body.to_vec();
    out.extend(hasher.finalize().to_le_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::{Frame, PlayerSet, StateHash};
    use snapback_transport::packet::{Bye, ConnectionKey, Knock, LeaveReason, Reject};

    #[test]
    fn the_decoders_take_them() {
        let (hash, lost) = (StateHash::from_bits(3), PlayerSet::EMPTY);
        let bye = Bye { reason: LeaveReason::Quit, confirmed_frame: Frame::ZERO, confirmed_hash: hash, digest: 4, lost };
        let mut out = [0; 64];
        let len = bye.write(ConnectionKey::AEAD, &mut out);
        assert_eq!(Bye::read(&sealed(connection_seed(7, 8, 9), &out[..len]), ConnectionKey::new(7, 8, 9)), Ok(bye));
        assert_eq!(Bye::read(&sealed(GREETING_SEED, &out[..len]), ConnectionKey::GREETING), Ok(bye));
        assert_eq!(Bye::read(&sealed(1, &out[..len]), ConnectionKey::GREETING), Err(Reject::BadCrc));
        assert!(Knock::read(&out[..len]).is_err());
    }
}
