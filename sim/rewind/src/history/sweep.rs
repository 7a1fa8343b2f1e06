//! What a moving ball met first.

use super::RewindHistory;
use super::lookup::Moment;
use super::target::Piece;
use crate::index::Found;
use crate::motion::{self, ONE};
use crate::narrow::{self, V};
use crate::query::{MAX_LENGTH_UNITS, MAX_QUERY_RADIUS_UNITS};
use crate::{HitboxId, QueryError, QueryFilter, RewindCounters, Sweep, SweepHit, TimeError, Toi, TooOld};

impl RewindHistory {
    /// What `sweep` met first, of what `filter` lets through.
    ///
    /// # Errors
    /// If the sweep is too long or too wide, ends before it begins, or its times cannot be answered.
    pub fn sweep(&self, sweep: &Sweep, filter: &QueryFilter, counters: &mut RewindCounters) -> Result<Option<SweepHit>, QueryError> {
        counters.queries += 1;
        self.first_hit(sweep, counters, |piece, counters| self.index.first_in_piece(self, piece, filter, counters))
            .inspect_err(|&error| counters.fail_query(error))
    }

    /// The first hit in the earliest piece for which `find` has one.
    pub(crate) fn first_hit(
        &self,
        sweep: &Sweep,
        counters: &mut RewindCounters,
        find: impl Fn(&Piece, &mut RewindCounters) -> Option<Found>,
    ) -> Result<Option<SweepHit>, QueryError> {
        let (a, b) = (sweep.from.to_array().map(i64::from), sweep.to.to_array().map(i64::from));
        let way = way(a, b, sweep.radius_units)?;
        if sweep.to_us < sweep.from_us {
            return Err(QueryError::BackwardTime);
        }
        let now_us = self.now_us().ok_or(TimeError::Empty)?;
        let earliest_us = match sweep.too_old {
            TooOld::Fail => 0,
            TooOld::Clamp => now_us.saturating_sub(self.config.max_rewind_us),
        };
        if sweep.from_us < earliest_us {
            counters.clamped_times += 1;
        }
        self.moment(sweep.to_us.max(earliest_us))?;
        let whole_us = i128::from(sweep.to_us - sweep.from_us);
        let mut start_us = sweep.from_us;
        for number in 0u32.. {
            let moment = self.moment(start_us.max(earliest_us))?;
            let end_us = self.piece_end(start_us, sweep.to_us, earliest_us, now_us);
            let at = |time_us: u64| -> (V, i64) {
                if time_us == sweep.to_us && whole_us == 0 {
                    return (b, 1 << 30);
                }
                let passed = i128::from(time_us - sweep.from_us);
                let part = |axis: usize| a[axis] + (i128::from(way[axis]) * passed).div_euclid(whole_us) as i64;
                ([part(0), part(1), part(2)], ((passed << 30) / whole_us) as i64)
            };
            let (from, begin) = if start_us == sweep.from_us { (a, 0) } else { at(start_us) };
            let (to, end) = at(end_us);
            let s1 = if end_us <= earliest_us || moment.s == ONE {
                moment.s
            } else {
                let (before, after) = (self.row(moment.tick - 1).time_us, self.row(moment.tick).time_us);
                motion::fraction(end_us, before, after)
            };
            let piece = Piece {
                tick: moment.tick,
                slot: (moment.tick % self.rows.len() as u64) as usize,
                has_pair: moment.tick > self.oldest_tick(),
                s0: moment.s,
                s1,
                from,
                to,
                radius: i64::from(sweep.radius_units),
                from_us: start_us.max(earliest_us),
                to_us: end_us.max(earliest_us),
            };
            counters.pieces += 1;
            if let Some(found) = find(&piece, counters) {
                let at = begin + (((end - begin) * found.n) >> 30);
                return Ok(Some(self.hit(&piece, &found, number, at)));
            }
            if end_us == sweep.to_us {
                return Ok(None);
            }
            start_us = end_us;
        }
        Ok(None)
    }

    fn hit(&self, piece: &Piece, found: &Found, number: u32, at: i64) -> SweepHit {
        let slot = &self.slots[found.place as usize];
        let length_us = piece.to_us - piece.from_us;
        SweepHit {
            hitbox: HitboxId { index: found.place, generation: slot.generation },
            actor: slot.desc.map_or(crate::ActorId(0), |desc| desc.actor),
            at: Toi(at as u32),
            at_in_piece: Toi(found.n as u32),
            piece: number,
            target_us: piece.from_us + ((found.n as u128 * u128::from(length_us)) >> 30) as u64,
            offset: narrow::offset(found.m, found.d, found.e, found.n),
        }
    }

    /// Where the piece that begins at `start_us` ends: at the next tick, the end of the clamp, the
    /// newest tick, or the end.
    fn piece_end(&self, start_us: u64, to_us: u64, earliest_us: u64, now_us: u64) -> u64 {
        if start_us < earliest_us {
            return to_us.min(earliest_us);
        }
        if start_us >= now_us {
            return to_us;
        }
        let next = self.moment(start_us).map_or(to_us, |Moment { tick, .. }| self.row(tick).time_us);
        to_us.min(next)
    }
}

/// The way of a query, if it is one that can be computed.
fn way(a: V, b: V, radius_units: i32) -> Result<V, QueryError> {
    let way = narrow::sub(b, a);
    if way.iter().any(|part| part.abs() > MAX_LENGTH_UNITS) || narrow::dot(way, way) > MAX_LENGTH_UNITS * MAX_LENGTH_UNITS {
        return Err(QueryError::TooLong);
    }
    if !(0..=MAX_QUERY_RADIUS_UNITS).contains(&radius_units) {
        return Err(QueryError::BadRadius { radius_units });
    }
    Ok(way)
}
