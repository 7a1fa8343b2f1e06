//! [`ResultSource`]: what a simulation says of its results.

use core::fmt;
use snapback_core::Simulation;

/// How many results there were, and the newest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResultCount<R> {
    /// Since the simulation was reset.
    pub count: u32,
    /// The newest; `None` before the first.
    pub newest: Option<R>,
}

/// A simulation whose state says what has been decided. The count begins at 0 and rises by one for each
/// result, at most once in a frame.
pub trait ResultSource: Simulation {
    /// What was decided: a knock-out, a round, a match.
    type Result: Clone + PartialEq + fmt::Debug;

    /// The results in a captured state; `None` if it is none.
    fn results(snapshot: &[u8]) -> Option<ResultCount<Self::Result>>;

    /// Appends a result as bytes that are the same on every machine, at most
    /// 400. Peers sign them.
    fn write_result(result: &Self::Result, out: &mut Vec<u8>);
}

/// Match 4, round 4, winner, end and match winner 1 each, as the state holds them.
#[cfg(feature = "sim")]
impl ResultSource for snapback_sim::World {
    type Result = snapback_sim::RoundResult;

    fn results(snapshot: &[u8]) -> Option<ResultCount<Self::Result>> {
        let results = Self::results_of(snapshot)?;
        Some(ResultCount { count: results.count, newest: results.last })
    }

    fn write_result(result: &Self::Result, out: &mut Vec<u8>) {
        out.extend(result.to_bytes());
    }
}
