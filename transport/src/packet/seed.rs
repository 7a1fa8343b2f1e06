//! [`SeedPart`]: how the peers of a match find a seed that none of them chose.
//!
//! Every peer draws a [`SeedShare`] from its [`SeedSecret`] and first sends only a commitment to it. It reveals the share once
//! it has everybody's commitment. The seed is the exclusive or of all shares: whoever draws its share at
//! random makes it random, and nobody can choose a share that fits the others'. A commitment covers the
//! match, the round and the sender's seats, so that one that is copied from somebody else proves to be
//! wrong. Whoever reveals last can still see the seed before the others do, and leave: the others see that.

use super::reader::{Reader, Writer};
use super::reject::Reject;
use core::fmt;
use sha2::{Digest, Sha256};
use snapback_core::PlayerSet;
use snapback_core::limits::MAX_PLAYERS;

/// From what a peer draws its shares: 32 bytes that nobody else ever sees. From the host program's random
/// source, fresh for every match.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SeedSecret {
    secret: [u8; 32],
    /// What the first share adds to the seed, if that is not left to the secret.
    fixed: Option<u64>,
}

/// Without the secret.
impl fmt::Debug for SeedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SeedSecret(..)")
    }
}

impl SeedSecret {
    /// A secret of 32 random bytes.
    #[must_use]
    pub const fn new(random: [u8; 32]) -> Self {
        Self { secret: random, fixed: None }
    }

    /// A secret that others can guess, for tests and for matches that are played again: what it adds to the
    /// seed in the first round is given. If that is 0 for all peers but one, that one's is the seed.
    ///
    /// ```
    /// use snapback_transport::packet::SeedSecret;
    /// assert_eq!(SeedSecret::fixed(7).share(0).seed(), 7);
    /// ```
    #[must_use]
    pub const fn fixed(seed: u64) -> Self {
        Self { secret: [0; 32], fixed: Some(seed) }
    }

    /// The share of a round. Whoever knows one knows nothing of those of other rounds.
    #[must_use]
    pub fn share(&self, round: u32) -> SeedShare {
        let mut hash = Sha256::new_with_prefix(b"snapback seed share");
        hash.update(self.secret);
        hash.update(round.to_le_bytes());
        hash.update(self.fixed.unwrap_or(0).to_le_bytes());
        let digest: [u8; 32] = hash.finalize().into();
        let mut share = SeedShare(core::array::from_fn(|at| digest[at]));
        if let (Some(seed), 0) = (self.fixed, round) {
            share.0[..8].copy_from_slice(&seed.to_le_bytes());
        }
        share
    }
}

/// What one peer adds to the seed of a match in one round: 8 bytes of seed, and 16 that nobody can guess
/// before the share is revealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeedShare([u8; SeedShare::BYTES]);

impl SeedShare {
    /// How long a share is.
    pub const BYTES: usize = 24;

    /// What it adds to the seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.0.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
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
    /// What the sender has heard from the others, in a match of more than two peers.
    pub heard: SeedHeard,
}

/// The commitments that a peer has heard, in a few bytes each, by the first player of whoever committed
/// itself: so that nobody commits itself to different shares before different peers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeedHeard([[u8; SeedHeard::BYTES]; MAX_PLAYERS]);

impl SeedHeard {
    /// Of a commitment, so many bytes are told on: nobody finds two shares whose commitments begin alike in
    /// the time of a start.
    const BYTES: usize = 12;

    /// Nothing was heard.
    pub const NOTHING: Self = Self([[0; Self::BYTES]; MAX_PLAYERS]);

    /// What was heard of `players`, if anything was.
    #[must_use]
    pub fn of(&self, players: PlayerSet) -> Option<&[u8]> {
        let heard = self.0.get(players.iter().next()?.index())?;
        (heard != &[0; Self::BYTES]).then_some(heard.as_slice())
    }

    /// Notes what was heard of `players`.
    pub fn note(&mut self, players: PlayerSet, commitment: &SeedCommitment) {
        if let Some(first) = players.iter().next()
            && let Some(slot) = self.0.get_mut(first.index())
            && let Some(bytes) = commitment.0.first_chunk()
        {
            *slot = *bytes;
        }
    }

    /// Whether it is the beginning of this commitment.
    #[must_use]
    pub fn agrees(&self, players: PlayerSet, commitment: &SeedCommitment) -> bool {
        self.of(players).is_none_or(|heard| commitment.0.starts_with(heard))
    }

    fn write(&self, out: &mut Writer<'_>) {
        let count = self.0.iter().rposition(|heard| heard != &[0; Self::BYTES]).map_or(0, |last| last + 1);
        out.u8(count as u8);
        self.0.iter().take(count).for_each(|heard| out.bytes(heard));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Reject> {
        let mut heard = Self::NOTHING;
        let count = usize::from(from.u8()?);
        for slot in heard.0.get_mut(..count).ok_or(Reject::BadField)? {
            *slot = from.array()?;
        }
        match heard.0.get(..count).and_then(<[_]>::last) {
            Some(last) if last == &[0; Self::BYTES] => Err(Reject::BadField),
            _ => Ok(heard),
        }
    }
}

impl SeedPart {
    /// What `players`, whose secret it is, say in a round, having heard nobody else's commitment.
    #[must_use]
    pub fn new(secret: &SeedSecret, match_id: u64, players: PlayerSet, round: u32, is_revealed: bool) -> Self {
        let share = secret.share(round);
        Self {
            round,
            commitment: share.commitment(match_id, players, round),
            share: is_revealed.then_some(share),
            heard: SeedHeard::NOTHING,
        }
    }

    /// How much of a packet it takes, together with the flag whether a share is there.
    pub(super) const BYTES: usize = 4 + 32 + 1 + SeedShare::BYTES + 1;

    /// And that much more in a match of more than two peers.
    pub(super) const HEARD_BYTES: usize = MAX_PLAYERS * SeedHeard::BYTES;

    pub(super) fn write(&self, out: &mut Writer<'_>) {
        out.u32(self.round);
        out.bytes(&self.commitment.0);
        out.u8(u8::from(self.share.is_some()));
        out.bytes(&self.share.map_or([0; SeedShare::BYTES], |share| share.0));
        self.heard.write(out);
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Self, Reject> {
        let (round, commitment, has_share, share) = (from.u32()?, SeedCommitment(from.array()?), from.u8()?, from.array()?);
        let share = match has_share {
            0 if share == [0; SeedShare::BYTES] => None,
            1 => Some(SeedShare(share)),
            _ => return Err(Reject::BadField),
        };
        Ok(Self { round, commitment, share, heard: SeedHeard::read(from)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: PlayerSet = PlayerSet::from_bits(1);

    #[test]
    fn a_commitment_is_to_one_share_match_round_and_seat() {
        let (secret, round) = (SeedSecret::new([7; 32]), 3);
        let share = secret.share(round);
        let commitment = share.commitment(9, ME, round);
        assert_eq!(commitment, share.commitment(9, ME, round));
        for other in [
            SeedSecret::new([8; 32]).share(round).commitment(9, ME, round),
            share.commitment(8, ME, round),
            share.commitment(9, PlayerSet::from_bits(2), round),
            share.commitment(9, ME, 4),
        ] {
            assert_ne!(commitment, other);
        }
    }

    /// The bytes are what peers of this protocol version compare.
    #[test]
    fn a_commitment_is_sha256_over_its_parts() {
        let commitment = SeedShare([7; 24]).commitment(9, PlayerSet::from_bits(2), 1);
        insta::assert_snapshot!(base16ct::lower::encode_string(&commitment.0), @"b9173f14d1a0e19de65b403bfbfa6fa4f82dfe429de3da4f3e5433252beced1e");
    }

    #[test]
    fn the_share_of_a_round_follows_from_the_secret_and_from_no_other_share() {
        let secret = SeedSecret::new([7; 32]);
        let shares: Vec<_> = (0..5).map(|round| secret.share(round)).collect();
        for (n, share) in shares.iter().enumerate() {
            assert!(shares[..n].iter().all(|other| other != share));
            // What is revealed is not what the next one is made of.
            let mut guessed = [0; 32];
            guessed[..24].copy_from_slice(&share.0);
            assert!((0..5).all(|round| !shares.contains(&SeedSecret::new(guessed).share(round))));
        }
        assert_eq!(SeedSecret::fixed(7).share(0).seed(), 7);
        assert_ne!(SeedSecret::fixed(7).share(1).seed(), 7);
    }

    #[test]
    fn what_was_heard_is_told_on_and_compared() {
        let (ours, theirs) = (SeedSecret::new([1; 32]).share(0), SeedSecret::new([2; 32]).share(0));
        let (they, commitment) = (PlayerSet::from_bits(0b110), theirs.commitment(9, PlayerSet::from_bits(0b110), 0));
        let mut heard = SeedHeard::NOTHING;
        assert!(heard.agrees(they, &commitment), "who has heard nothing contradicts nobody");
        heard.note(they, &commitment);
        assert!(heard.agrees(they, &commitment));
        assert!(!heard.agrees(they, &ours.commitment(9, they, 0)));
        let mut out = [0; 256];
        let mut writer = Writer::new(&mut out);
        let part = SeedPart { round: 1, commitment, share: Some(ours), heard };
        part.write(&mut writer);
        let len = writer.finish_bare();
        assert_eq!(SeedPart::read(&mut Reader::new(&out[..len])), Ok(part));
        for cut in 0..len {
            assert!(SeedPart::read(&mut Reader::new(&out[..cut])).is_err());
        }
    }

    #[test]
    fn nobody_reads_a_secret_in_a_debug_line() {
        assert_eq!(format!("{:?}", SeedSecret::fixed(7)), "SeedSecret(..)");
    }
}
