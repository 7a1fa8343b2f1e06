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
    piece: Piece,
}

impl RewindHistory {
    /// The world as it was at `time_us`.
    ///
    /// # Errors
    /// If nothing is known about that time. Counted by reason.
    pub fn at(&self, time_us: u64, counters: &mut RewindCounters) -> Result<Past<'_>, TimeError> {
        let moment = self.moment(time_us).inspect_err(|&reason| counters.fail(reason.into()))?;
        let Moment { time_us, tick, s } = moment;
        let piece = Piece {
            tick,
            slot: self.index.slot(tick),
            has_pair: tick > self.oldest_tick(),
            s0: s,
            s1: s,
            from_us: time_us,
            to_us: time_us,
            is_at_tick: self.is_tick(&moment),
        };
        Ok(Past { history: self, piece })
    }
}

impl Past<'_> {
    /// The time.
    #[must_use]
    pub const fn time_us(&self) -> u64 {
        self.piece.from_us
    }

    /// What `cast` met first, of what `filter` lets through.
    ///
    /// # Errors
    /// If it is too long or too wide.
    pub fn cast(&self, cast: &Cast, filter: &QueryFilter, counters: &mut RewindCounters) -> Result<Option<SweepHit>, QueryError> {
        counters.queries += 1;
        let way = way(cast.from, cast.to, cast.radius_units)?;
        let found = self.history.index.first_in_piece::<false>(self.history, &self.piece, &way, filter, counters);
        let Some(found) = found else { return Ok(None) };
        Ok(Some(self.history.hit(&self.piece, &found, 0, found.n)))
    }
}
