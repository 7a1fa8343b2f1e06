//! [`CatchUpReport`]: what a catch-up did.

use crate::flight::FlightEnd;

/// How a catch-up ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The time to catch up was too short: it begins at its muzzle, now.
    Skipped,
    /// It flies on from where it caught up to.
    Missed,
    /// It is over.
    Over(FlightEnd),
}

/// What a catch-up did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CatchUpReport {
    /// From the fire to now, after clamping.
    pub window_us: u64,
    /// Whether the fire was in the future or longer ago than [`max_window_us`](super::ProjectileCatchUp::max_window_us).
    pub clamped_start: bool,
    /// Ticks that were flown.
    pub steps: u32,
    /// Groups of ticks that were begun.
    pub substeps: u32,
    /// Queries for candidates: one a substep, so at most [`MAX_SUBSTEPS`](super::MAX_SUBSTEPS).
    pub candidate_queries: u32,
    /// Sweeps of the present world.
    pub live_sweeps: u64,
    /// Sweeps of the past, inside of the queries for candidates.
    pub past_sweeps: u64,
    /// Of these, those whose targets were held at the earliest allowed time.
    pub clamped_times: u64,
    /// Of these, those to which the history had no answer.
    pub unanswered: u64,
    /// Impacts.
    pub impacts: u64,
    /// Impacts with damage.
    pub hits: u64,
    /// How it ended.
    pub outcome: Outcome,
}
