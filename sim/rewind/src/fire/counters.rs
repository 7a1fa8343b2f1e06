//! [`FireCounters`]: what became of requests, by reason.

use super::{FireClamp, FireRefusal};

/// What became of requests.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FireCounters {
    /// Accepted.
    pub accepted: u64,
    /// Of these, how many came after a later sequence.
    pub late: u64,
    clamps: [u64; FireClamp::ALL.len()],
    refusals: [u64; OTHER_REFUSALS + FireClamp::ALL.len()],
}

const OTHER_REFUSALS: usize = 5;

const fn refusal_at(refusal: FireRefusal) -> usize {
    match refusal {
        FireRefusal::UnknownShooter => 0,
        FireRefusal::Malformed(_) => 1,
        FireRefusal::Duplicate { .. } => 2,
        FireRefusal::SequenceTooOld { .. } => 3,
        FireRefusal::SequenceJump { .. } => 4,
        FireRefusal::Claim(claim) => OTHER_REFUSALS + claim as usize,
    }
}

impl FireCounters {
    /// How many accepted shots had a claim of this kind brought within bounds.
    #[must_use]
    pub const fn clamps(&self, claim: FireClamp) -> u64 {
        self.clamps[claim as usize]
    }

    /// How many requests were refused for this reason. What a refusal carries does not matter.
    #[must_use]
    pub const fn refusals(&self, refusal: FireRefusal) -> u64 {
        self.refusals[refusal_at(refusal)]
    }

    /// How many requests were refused.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refusals.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    pub(super) fn clamp(&mut self, claim: FireClamp) {
        let count = &mut self.clamps[claim as usize];
        *count = count.saturating_add(1);
    }

    pub(super) fn refuse(&mut self, refusal: FireRefusal) {
        let count = &mut self.refusals[refusal_at(refusal)];
        *count = count.saturating_add(1);
    }

    /// Adds what others counted.
    pub fn add(&mut self, other: &Self) {
        let mine = [&mut self.accepted, &mut self.late].into_iter().chain(&mut self.clamps).chain(&mut self.refusals);
        let theirs = [other.accepted, other.late].into_iter().chain(other.clamps).chain(other.refusals);
        for (mine, theirs) in mine.zip(theirs) {
            *mine = mine.saturating_add(theirs);
        }
    }
}
