//! What a moving ball met first.

use super::RewindHistory;
use super::lookup::Moment;
use super::target::{Piece, Way};
use crate::index::Found;
use crate::motion::{self, ONE};
use crate::narrow::{self, V};
use crate::query::{MAX_LENGTH_UNITS, MAX_QUERY_RADIUS_UNITS};
use crate::{HitboxId, Point, QueryError, QueryFilter, RewindCounters, Sweep, SweepHit, TimeError, Toi, TooOld};

impl RewindHistory {
    /// What `sweep` met first, of what `filter` lets through.
    ///
    /// # Errors
    /// If the sweep is too long or too wide, ends before it begins, or its times cannot be answered.
    pub fn sweep(&self, sweep: &Sweep, filter: &QueryFilter, counters: &mut RewindCounters) -> Result<Option<SweepHit>, QueryError> {
        counters.queries += 1;
        self.first_hit(sweep, counters, |piece, way, counters| {
            if piece.s0 == piece.s1 {
                self.index.first_in_piece::<false>(self, piece, way, filter, counters)
            } else {
                self.index.first_in_piece::<true>(self, piece, way, filter, counters)
            }
        })
        .inspect_err(|&error| counters.fail_query(error))
    }

    /// The first hit in the earliest piece for which `find` has one.
    pub(crate) fn first_hit(
        &self,
        sweep: &Sweep,
        counters: &mut RewindCounters,
        find: impl Fn(&Piece, &Way, &mut RewindCounters) -> Option<Found>,
    ) -> Result<Option<SweepHit>, QueryError> {
        let whole = way(sweep.from, sweep.to, sweep.radius_units)?;
        let b = narrow::add(whole.from, whole.way);
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
        let mut start_us = sweep.from_us;
        let mut moment = self.moment(start_us.max(earliest_us))?;
        let mut from = whole.from;
        for number in 0u32.. {
            let tick_us = self.index.time_us(moment.tick);
            let is_clamped = start_us < earliest_us;
            let end_us = if is_clamped {
                sweep.to_us.min(earliest_us)
            } else if moment.s == ONE {
                sweep.to_us
            } else {
                sweep.to_us.min(tick_us)
            };
            let s1 = if is_clamped || moment.s == ONE || start_us == end_us {
                moment.s
            } else if end_us == tick_us {
                ONE
            } else {
                motion::fraction(end_us, self.index.time_us(moment.tick - 1), tick_us)
            };
            let to = if end_us == sweep.to_us { b } else { passed_way(&whole, sweep, end_us) };
            let piece = Piece {
                tick: moment.tick,
                slot: self.index.slot(moment.tick),
                has_pair: moment.tick > self.oldest_tick(),
                s0: moment.s,
                s1,
                from_us: start_us.max(earliest_us),
                to_us: end_us.max(earliest_us),
                is_at_tick: end_us.max(earliest_us) == moment.time_us && self.is_tick(&moment),
            };
            let way = Way { from, way: narrow::sub(to, from), radius: whole.radius };
            if let Some(found) = find(&piece, &way, counters) {
                let (begin, end) = (passed_share(sweep, start_us, 0), passed_share(sweep, end_us, 1 << 30));
                let at = begin + (((end - begin) * found.n) >> 30);
                return Ok(Some(self.hit(&piece, &found, number, at)));
            }
            if end_us == sweep.to_us {
                return Ok(None);
            }
            (start_us, from) = (end_us, to);
            moment = if is_clamped {
                self.moment(start_us)?
            } else if moment.tick + 1 < self.ticks {
                Moment { time_us: start_us, tick: moment.tick + 1, s: 0 }
            } else {
                Moment { time_us: start_us, tick: moment.tick, s: ONE }
            };
        }
        Ok(None)
    }

    /// Whether a moment is at a tick, exactly, and there is a later one.
    pub(super) fn is_tick(&self, moment: &Moment) -> bool {
        moment.s == 0 && moment.time_us == self.index.time_us(moment.tick - 1)
    }

    pub(super) fn hit(&self, piece: &Piece, found: &Found, number: u32, at: i64) -> SweepHit {
        let slot = &self.slots[found.place as usize];
        let length_us = piece.to_us - piece.from_us;
        SweepHit {
            hitbox: HitboxId { index: found.place, generation: slot.generation },
            actor: slot.desc.map_or(crate::ActorId(0), |desc| desc.actor),
            at: Toi(at as u32),
            at_in_piece: Toi(found.n as u32),
            piece: number,
            target_us: piece.from_us + ((found.n as u128 * u128::from(length_us)) >> 30) as u64,
            offset: narrow::offset(found.contact[0], found.contact[1], found.contact[2], found.n),
        }
    }
}

/// Where the ball is at `time_us`, between the start and the end.
fn passed_way(&Way { from, way, .. }: &Way, sweep: &Sweep, time_us: u64) -> V {
    let (passed_us, whole_us) = (time_us - sweep.from_us, sweep.to_us - sweep.from_us);
    let part = |axis: usize| {
        // A component is at most 2^24.
        if whole_us < 1 << 38 {
            from[axis] + (way[axis] * passed_us as i64).div_euclid(whole_us as i64)
        } else {
            from[axis] + (i128::from(way[axis]) * i128::from(passed_us)).div_euclid(i128::from(whole_us)) as i64
        }
    };
    [part(0), part(1), part(2)]
}

/// The share of the whole time that has passed at `time_us`, in 2^-30ths; of no time, `of_nothing`.
fn passed_share(sweep: &Sweep, time_us: u64, of_nothing: i64) -> i64 {
    let (passed_us, whole_us) = (u128::from(time_us - sweep.from_us), u128::from(sweep.to_us - sweep.from_us));
    (passed_us << 30).checked_div(whole_us).map_or(of_nothing, |share| share as i64)
}

const FAR: i64 = 1 << 30;

/// The way of a query, if it is one that can be computed.
#[inline(always)]
pub(super) fn way(from: Point, to: Point, radius_units: i32) -> Result<Way, QueryError> {
    let (from, to) = (from.to_array().map(i64::from), to.to_array().map(i64::from));
    let way = narrow::sub(to, from);
    // What is under 2^30 either way can be squared; the square decides.
    let is_far = ((way[0] + FAR) | (way[1] + FAR) | (way[2] + FAR)) as u64 >= 2 * FAR as u64;
    if is_far || narrow::dot(way, way) > MAX_LENGTH_UNITS * MAX_LENGTH_UNITS {
        return Err(QueryError::TooLong);
    }
    if !(0..=MAX_QUERY_RADIUS_UNITS).contains(&radius_units) {
        return Err(QueryError::BadRadius { radius_units });
    }
    Ok(Way { from, way, radius: i64::from(radius_units) })
}
