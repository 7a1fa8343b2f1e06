//! [`CatchUpObserver`]: who wants to see why a shot hit or missed.

use super::{CatchUpReport, Substep};
use crate::RewindCounters;
use crate::flight::FlightObserver;

/// Sees what a catch-up does, beside what its ticks do. `()` sees nothing and costs nothing.
///
/// Candidates and rejections by reason are the difference of the counters before and after a substep.
pub trait CatchUpObserver: FlightObserver {
    /// A substep was flown, to its end or to that of the projectile.
    fn substep(&mut self, substep: &Substep, before: &RewindCounters, after: &RewindCounters) {
        let _ = (substep, before, after);
    }

    /// It is over.
    fn decided(&mut self, report: &CatchUpReport) {
        let _ = report;
    }
}

impl CatchUpObserver for () {}
