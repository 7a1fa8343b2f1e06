//! [`SeedPart`]: how the peers of a match find a seed that none of them chose.
//!
//! Every peer draws a [`SeedShare`] and first sends only a commitment to it. It reveals the share once
//! it has everybody's commitment. The seed is the exclusive or of all shares: whoever draws its share at
//! random makes it random, and nobody can choose a share that fits the others'. A commitment covers the
//! match, the round and the sender's seats, so that one that is copied from somebody else proves to be
//! wrong. Whoever reveals last can still see the seed before the others do, and leave: the others see that.

use super::reader::{Reader, Writer};
use super::reject::Reject;
use core::fmt;
use sha2::{Digest, Sha256};
use snapback_core::PlayerSet;

/// What one peer adds to the seed of a match: 8 bytes of seed, and 16 that nobody can guess before the
/// share is revealed. From the host program's random source, fresh for every match.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SeedShare([u8; SeedShare::BYTES]);

/// Without the secret.
impl fmt::Debug for SeedShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SeedShare(..)")
    }
}

impl SeedShare {
    /// How long a share is.
    pub const BYTES: usize = 24;

    /// A share of 24 random bytes.
    #[must_use]
    pub const fn new(random: [u8; Self::BYTES]) -> Self {
        Self(random)
    }

    /// A share that others can guess, for tests and for matches that are played again: if the fixed
    /// shares of all peers are 0 but one, that one is the seed.
    ///
    /// ```
    /// use snapback_transport::packet::SeedShare;
    /// assert_eq!(SeedShare::fixed(7).seed(), 7);
    /// ```
    #[must_use]
    pub fn fixed(seed: u64) -> Self {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Self(bytes)
    }

    /// What it adds to the seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.0.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// The share that takes this one's place in a later round, because this one is known already.
    #[must_use]
    pub fn of_round(&self, round: u32) -> Self {
        if round == 0 {
            return *self;
        }
        let mut hash = Sha256::new_with_prefix(b"snapback seed share");
        hash.update(self.0);
        hash.update(round.to_le_bytes());
        let digest: [u8; 32] = hash.finalize().into();
        Self(core::array::from_fn(|at| digest[at]))
    }

    /// What `players`, who drew the share, say of it before they reveal it.
    #[must_use]
    pub fn commitment(&self, match_id: u64, players: PlayerSet, round: u32) -> SeedCommitment {
        let mut hash = Sha256::new_with_prefix(b"snapback seed commitment");
        hash.update(match_id.to_le_bytes());
        hash.update([players.bits()]);
        hash.update(round.to_le_bytes());
        hash.update(self.0);
        SeedCommitment(hash.finalize().into())
    }
}

/// SHA-256 over a share, the match, the round and the seats of whoever drew it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeedCommitment(pub [u8; 32]);

/// What a peer says about the seed in a packet of the start barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeedPart {
    /// Begins with 0 and rises whenever somebody commits itself after shares have been revealed.
    pub round: u32,
    /// To the sender's share of this round.
    pub commitment: SeedCommitment,
    /// The share, once the sender has everybody's commitment.
    pub share: Option<SeedShare>,
}

impl SeedPart {
    /// What `players`, who drew `share` for the first round, say in this one.
    #[must_use]
    pub fn new(share: &SeedShare, match_id: u64, players: PlayerSet, round: u32, is_revealed: bool) -> Self {
        let share = share.of_round(round);
        Self { round, commitment: share.commitment(match_id, players, round), share: is_revealed.then_some(share) }
    }

    /// How much of a packet it takes, together with the flag whether a share is there.
    pub(super) const BYTES: usize = 4 + 32 + 1 + SeedShare::BYTES;

    pub(super) fn write(&self, out: &mut Writer<'_>) {
        out.u32(self.round);
        out.bytes(&self.commitment.0);
        out.u8(u8::from(self.share.is_some()));
        out.bytes(&self.share.map_or([0; SeedShare::BYTES], |share| share.0));
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, Reject> {
        let (round, commitment, has_share, share) = (from.u32()?, SeedCommitment(from.array()?), from.u8()?, from.array()?);
        let share = match has_share {
            0 if share == [0; SeedShare::BYTES] => None,
            1 => Some(SeedShare(share)),
            _ => return Err(Reject::BadField),
        };
        Ok(Self { round, commitment, share })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commitment_is_to_one_share_match_round_and_seat() {
        let (share, me, round) = (SeedShare::new([7; 24]), PlayerSet::from_bits(1), 3);
        let commitment = share.commitment(9, me, round);
        assert_eq!(commitment, share.commitment(9, me, round));
        for other in [
            SeedShare::new([8; 24]).commitment(9, me, round),
            share.commitment(8, me, round),
            share.commitment(9, PlayerSet::from_bits(2), round),
            share.commitment(9, me, 4),
        ] {
            assert_ne!(commitment, other);
        }
    }

    /// The bytes are what peers of this protocol version compare.
    #[test]
    fn a_commitment_is_sha256_over_its_parts() {
        let commitment = SeedShare::fixed(7).commitment(9, PlayerSet::from_bits(2), 1);
        insta::assert_snapshot!(base16ct::lower::encode_string(&commitment.0), @"59901439197613b59a38cdb867906adba40cb90a333747e886357ee6b13330d6");
    }

    #[test]
    fn every_round_has_a_share_of_its_own() {
        let share = SeedShare::new([7; 24]);
        assert_eq!(share.of_round(0), share);
        assert_ne!(share.of_round(1), share);
        assert_ne!(share.of_round(1), share.of_round(2));
        assert_ne!(share.of_round(1), SeedShare::new([8; 24]).of_round(1));
    }

    #[test]
    fn nobody_reads_a_share_in_a_debug_line() {
        assert_eq!(format!("{:?}", SeedShare::fixed(7)), "SeedShare(..)");
    }
}
