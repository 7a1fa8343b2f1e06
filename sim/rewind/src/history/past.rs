//! [`Past`]: a time of the history, found once and asked often.

use super::RewindHistory;
use super::lookup::Moment;
use super::sweep::way;
use super::target::Piece;
use crate::{Point, QueryError, QueryFilter, RewindCounters, SweepHit, TimeError};

/// A ball on its way among targets that stand still.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cast {
    /// Where it begins.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
    /// Its radius in units, 0 to [`MAX_QUERY_RADIUS_UNITS`](crate::query::MAX_QUERY_RADIUS_UNITS).
    pub radius_units: i32,
}

/// The world as it was at one time. [`RewindHistory::sweep`] from a time to the same time asks the same; this
/// spares many queries at one time to look for it.
#[derive(Clone, Copy, Debug)]
pub struct Past<'a> {
    history: &'a RewindHistory,
    moment: Moment,
    slot: usize,
    has_pair: bool,
    is_at_tick: bool,
}

impl RewindHistory {
    /// The world as it was at `time_us`.
    ///
    /// # Errors
    /// If nothing is known about that time.
    pub fn at(&self, time_us: u64) -> Result<Past<'_>, TimeError> {
        let moment = self.moment(time_us)?;
        Ok(Past {
            history: self,
            moment,
            slot: self.index.slot(moment.tick),
            has_pair: moment.tick > self.oldest_tick(),
            is_at_tick: self.is_tick(&moment),
        })
    }
}

impl Past<'_> {
    /// The time.
    #[must_use]
    pub const fn time_us(&self) -> u64 {
        self.moment.time_us
    }

    /// What `cast` met first, of what `filter` lets through.
    ///
    /// # Errors
    /// If it is too long or too wide.
    pub fn cast(&self, cast: &Cast, filter: &QueryFilter, counters: &mut RewindCounters) -> Result<Option<SweepHit>, QueryError> {
        counters.queries += 1;
        let (from, to) = (cast.from.to_array().map(i64::from), cast.to.to_array().map(i64::from));
        way(from, to, cast.radius_units)?;
        let Moment { time_us, tick, s } = self.moment;
        let piece = Piece {
            tick,
            slot: self.slot,
            has_pair: self.has_pair,
            s0: s,
            s1: s,
            from,
            to,
            radius: i64::from(cast.radius_units),
            from_us: time_us,
            to_us: time_us,
            is_at_tick: self.is_at_tick,
        };
        counters.pieces += 1;
        let found = self.history.index.first_in_piece(self.history, &piece, filter, counters);
        Ok(found.map(|found| self.history.hit(&piece, &found, 0, found.n)))
    }
}
