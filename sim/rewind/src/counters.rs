//! [`RewindCounters`]: what queries did, by reason.

use crate::{LookupError, QueryError, Rejection, TimeError};

/// What queries did. Whoever asks brings them, so that a history can be asked from several places at
/// once; [`add`](Self::add) brings them together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RewindCounters {
    /// Lookups of one hitbox.
    pub lookups: u64,
    /// Casts, sweeps, and searches for candidates.
    pub queries: u64,
    /// Pieces between two ticks that these were split into.
    pub pieces: u64,
    /// Targets whose broadphase ball was met.
    pub candidates: u64,
    /// Exact tests of a ball against a target.
    pub sweeps: u64,
    /// Proxies that were activated.
    pub activations: u64,
    /// Times that were brought to the earliest allowed one.
    pub clamped_times: u64,
    rejections: [u64; Rejection::ALL.len()],
    failures: [u64; FAILURES],
}

const FAILURES: usize = 7;

const fn failure_at(reason: LookupError) -> usize {
    match reason {
        LookupError::Unknown => 0,
        LookupError::Gone => 1,
        LookupError::Time(TimeError::Empty) => 2,
        LookupError::Time(TimeError::OlderThanOldest) => 3,
        LookupError::Time(TimeError::OlderThanMaxRewind) => 4,
        LookupError::Time(TimeError::NewerThanNewest) => 5,
        LookupError::Time(TimeError::Gap) => 6,
    }
}

impl RewindCounters {
    /// How many hitboxes were no candidates for this reason.
    #[must_use]
    pub fn rejections(&self, reason: Rejection) -> u64 {
        self.rejections[reason as usize]
    }

    /// How many lookups and queries failed for this reason.
    #[must_use]
    pub fn failures(&self, reason: LookupError) -> u64 {
        self.failures[failure_at(reason)]
    }

    pub(crate) fn reject(&mut self, reason: Rejection) {
        let count = &mut self.rejections[reason as usize];
        *count = count.saturating_add(1);
    }

    /// A piece of a query: how many were swept, how many were there and apart, and how many were not
    /// there.
    #[inline(always)]
    pub(crate) const fn count_piece(&mut self, swept: u32, apart: u32, absent: usize) {
        self.pieces = self.pieces.wrapping_add(1);
        self.candidates = self.candidates.wrapping_add(swept as u64);
        self.sweeps = self.sweeps.wrapping_add(swept as u64);
        let [apart_count, absent_count] = [Rejection::Apart as usize, Rejection::NoPose as usize];
        self.rejections[apart_count] = self.rejections[apart_count].wrapping_add(apart as u64);
        self.rejections[absent_count] = self.rejections[absent_count].wrapping_add(absent as u64);
    }

    pub(crate) fn fail(&mut self, reason: LookupError) {
        let count = &mut self.failures[failure_at(reason)];
        *count = count.saturating_add(1);
    }

    pub(crate) fn fail_query(&mut self, error: QueryError) {
        if let QueryError::Time(reason) = error {
            self.fail(reason.into());
        }
    }

    /// Adds what others counted.
    pub fn add(&mut self, other: &Self) {
        let numbers = [
            (&mut self.lookups, other.lookups),
            (&mut self.queries, other.queries),
            (&mut self.pieces, other.pieces),
            (&mut self.candidates, other.candidates),
            (&mut self.sweeps, other.sweeps),
            (&mut self.activations, other.activations),
            (&mut self.clamped_times, other.clamped_times),
        ];
        for (mine, theirs) in numbers {
            *mine = mine.saturating_add(theirs);
        }
        for (mine, theirs) in self.rejections.iter_mut().zip(other.rejections) {
            *mine = mine.saturating_add(theirs);
        }
        for (mine, theirs) in self.failures.iter_mut().zip(other.failures) {
            *mine = mine.saturating_add(theirs);
        }
    }
}
