//! [`MatchSecret`]: one secret of the host, from which the secret of every seat comes.

use super::mac::{mac, same};
use crate::credentials::{Fingerprint, SeatSecret};
use core::fmt;

/// What the host alone knows: 32 bytes from its random source, fresh for every match.
#[derive(Clone, Copy)]
pub struct MatchSecret(pub [u8; 32]);

impl fmt::Debug for MatchSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MatchSecret(hidden)")
    }
}

impl MatchSecret {
    /// What lets a peer take the seat of `player`: it goes into that peer's ticket.
    #[must_use]
    pub fn seat(&self, player: u8) -> SeatSecret {
        SeatSecret(mac(&self.0, "snapback seat", &[&[player]]))
    }

    /// What two joiners show each other, whoever of them asks.
    #[must_use]
    pub fn pair(&self, a: u8, b: u8) -> SeatSecret {
        SeatSecret(mac(&self.0, "snapback pair", &[&[a.min(b)], &[a.max(b)]]))
    }
}

impl SeatSecret {
    /// The secret of the same seat on the socket of the channels, so that what proves one there proves
    /// nothing here, and the other way round.
    #[must_use]
    pub fn for_channels(&self) -> Self {
        Self(mac(&self.0, "snapback channels", &[]))
    }

    /// Shows that this end of a connection knows the secret, without telling it: an HMAC-SHA256 over
    /// the match, the sender's certificate and the receiver's. It proves nothing anywhere else.
    #[must_use]
    pub fn prove(&self, match_id: u64, sender: &Fingerprint, receiver: &Fingerprint) -> [u8; 32] {
        mac(&self.0, "snapback proof", &[&match_id.to_le_bytes(), &sender.0, &receiver.0])
    }

    /// Whether the other end knows the secret. In constant time.
    #[must_use]
    pub fn is_proved(&self, proof: &[u8; 32], match_id: u64, sender: &Fingerprint, receiver: &Fingerprint) -> bool {
        same(proof, &self.prove(match_id, sender, receiver))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seat_and_every_pair_has_its_own() {
        let secret = MatchSecret([7; 32]);
        let mut seen = Vec::new();
        for a in 0..8 {
            seen.push(secret.seat(a));
            for b in 0..a {
                assert_eq!(secret.pair(a, b), secret.pair(b, a));
                seen.push(secret.pair(a, b));
                seen.push(secret.pair(a, b).for_channels());
            }
            seen.push(secret.seat(a).for_channels());
        }
        for (n, one) in seen.iter().enumerate() {
            assert!(seen[..n].iter().all(|other| other != one));
        }
        assert_ne!(secret.seat(1), MatchSecret([8; 32]).seat(1));
        assert_eq!(format!("{secret:?}"), "MatchSecret(hidden)");
    }

    /// What a peer of another build must make of the same bytes.
    #[test]
    fn secrets_and_proofs_are_the_same_everywhere() {
        let secret = MatchSecret([7; 32]);
        insta::assert_snapshot!(secret.seat(1), @"d3185e1d362633404aa89b43bb4c4ea8a99b3529aef62bb8b9235b452b44f8e6");
        insta::assert_snapshot!(secret.pair(2, 1), @"f35bc82872a11361f6f08cf15e81acf85d5848f821102ff44cf45be9c8ef2b77");
        insta::assert_snapshot!(secret.seat(1).for_channels(), @"1429d1dfde9deca70cf9ef560b181b12fe8bee3e650807fbc564ca6650e47002");
        let proof = secret.seat(1).prove(5, &Fingerprint([1; 32]), &Fingerprint([2; 32]));
        insta::assert_snapshot!(Fingerprint(proof), @"893f8fcdc7e8440a8c9110a84a2d7021852123678c8753a1866ab9cfb87cf6ff");
    }

    #[test]
    fn a_proof_holds_for_one_connection_and_one_direction() {
        let secret = MatchSecret([7; 32]).seat(1);
        let (a, b) = (Fingerprint([1; 32]), Fingerprint([2; 32]));
        let proof = secret.prove(5, &a, &b);
        assert!(secret.is_proved(&proof, 5, &a, &b));
        assert!(!secret.is_proved(&proof, 6, &a, &b));
        assert!(!secret.is_proved(&proof, 5, &b, &a));
        assert!(!secret.is_proved(&proof, 5, &a, &a));
        assert!(!MatchSecret([7; 32]).seat(2).is_proved(&proof, 5, &a, &b));
        for bit in 0..256 {
            let mut changed = proof;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(!secret.is_proved(&changed, 5, &a, &b));
        }
    }
}
