//! [`FlightCounters`]: what flights did.

use crate::RewindCounters;

/// What flights did, and what their queries of the past did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FlightCounters {
    /// Ticks that were flown.
    pub ticks: u64,
    /// Sweeps of the present world.
    pub live_sweeps: u64,
    /// Sweeps of the past.
    pub past_sweeps: u64,
    /// Sweeps of the past that could not be answered, such as from before the first snapshot: nobody
    /// was met in them.
    pub unanswered: u64,
    /// Contacts that were handled.
    pub impacts: u64,
    /// Impacts with damage.
    pub damaging: u64,
    /// Ticks that ended early because there were too many contacts in them.
    pub crowded_ticks: u64,
    /// Overlaps that the host reported and that were refused: the shot was over, or through with the target.
    pub overlaps_refused: u64,
    /// What the queries of the past did.
    pub rewind: RewindCounters,
}

impl FlightCounters {
    /// Adds what others counted.
    pub fn add(&mut self, other: &Self) {
        let numbers = [
            (&mut self.ticks, other.ticks),
            (&mut self.live_sweeps, other.live_sweeps),
            (&mut self.past_sweeps, other.past_sweeps),
            (&mut self.unanswered, other.unanswered),
            (&mut self.impacts, other.impacts),
            (&mut self.damaging, other.damaging),
            (&mut self.crowded_ticks, other.crowded_ticks),
            (&mut self.overlaps_refused, other.overlaps_refused),
        ];
        for (mine, theirs) in numbers {
            *mine = mine.saturating_add(theirs);
        }
        self.rewind.add(&other.rewind);
    }
}
