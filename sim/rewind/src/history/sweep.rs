//! What a moving ball met first.

use super::lookup::Moment;
use super::row::{flags, presence};
use super::{RewindHistory, row::TickPose};
use crate::motion::{self, ONE, lerp};
use crate::narrow::{self, V};
use crate::query::{MAX_LENGTH_UNITS, MAX_QUERY_RADIUS_UNITS};
use crate::{HitboxId, MatchTeam, QueryError, QueryFilter, RewindCounters, Sweep, SweepHit, TimeError, Toi, TooOld, filter::Seen};

/// A part of a sweep between two ticks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// The later tick of the pair.
    tick: u64,
    s0: i64,
    s1: i64,
    from: V,
    to: V,
    /// Target time at both ends.
    from_us: u64,
    to_us: u64,
    /// The same as parts of the whole sweep, in 2^-30ths.
    begin: i64,
    end: i64,
}

impl RewindHistory {
    /// What `sweep` met first, of what `filter` lets through.
    ///
    /// # Errors
    /// If the sweep is too long or too wide, ends before it begins, or its times cannot be answered.
    pub fn sweep(&self, sweep: &Sweep, filter: &QueryFilter, counters: &mut RewindCounters) -> Result<Option<SweepHit>, QueryError> {
        counters.queries += 1;
        self.first_hit(sweep, filter, counters).inspect_err(|&error| counters.fail_query(error))
    }

    fn first_hit(&self, sweep: &Sweep, filter: &QueryFilter, counters: &mut RewindCounters) -> Result<Option<SweepHit>, QueryError> {
        let (a, b) = (sweep.from.to_array().map(i64::from), sweep.to.to_array().map(i64::from));
        let way = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        if way.iter().any(|part| part.abs() > MAX_LENGTH_UNITS) || narrow::dot(way, way) > MAX_LENGTH_UNITS * MAX_LENGTH_UNITS {
            return Err(QueryError::TooLong);
        }
        if !(0..=MAX_QUERY_RADIUS_UNITS).contains(&sweep.radius_units) {
            return Err(QueryError::BadRadius { radius_units: sweep.radius_units });
        }
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
                s0: moment.s,
                s1,
                from,
                to,
                from_us: start_us.max(earliest_us),
                to_us: end_us.max(earliest_us),
                begin,
                end,
            };
            counters.pieces += 1;
            if let Some(hit) = self.first_in_piece(&piece, number, sweep, filter, counters) {
                return Ok(Some(hit));
            }
            if end_us == sweep.to_us {
                return Ok(None);
            }
            start_us = end_us;
        }
        Ok(None)
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

    fn first_in_piece(
        &self,
        piece: &Piece,
        number: u32,
        sweep: &Sweep,
        filter: &QueryFilter,
        counters: &mut RewindCounters,
    ) -> Option<SweepHit> {
        let mut best: Option<SweepHit> = None;
        for (index, slot) in self.slots.iter().enumerate() {
            let Some(desc) = &slot.desc else { continue };
            let Some(target) = self.target(index, piece) else {
                counters.reject(crate::Rejection::NoPose);
                continue;
            };
            let seen = Seen {
                actor: desc.actor,
                team: MatchTeam(target.team),
                damageable: target.flags & flags::DAMAGEABLE != 0,
                blocking: target.flags & flags::BLOCKING != 0,
                projectile: target.flags & flags::PROJECTILE != 0,
            };
            if let Err(reason) = filter.check(&seen) {
                counters.reject(reason);
                continue;
            }
            let m = [0, 1, 2].map(|axis| piece.from[axis] - target.c0[axis]);
            let d = [0, 1, 2].map(|axis| piece.to[axis] - piece.from[axis] - (target.c1[axis] - target.c0[axis]));
            let radius = target.radius + i64::from(sweep.radius_units);
            let reach = radius + narrow::ceil_length(target.e);
            if (0..3).any(|axis| m[axis].min(m[axis] + d[axis]) > reach || m[axis].max(m[axis] + d[axis]) < -reach) {
                counters.reject(crate::Rejection::Apart);
                continue;
            }
            counters.candidates += 1;
            counters.sweeps += 1;
            let Some(n) = narrow::toi_capsule(m, d, target.e, radius) else { continue };
            let time_us = piece.from_us + ((n as u128 * u128::from(piece.to_us - piece.from_us)) >> 30) as u64;
            if target.until_us.is_some_and(|until_us| time_us > until_us) {
                continue;
            }
            if best.as_ref().is_none_or(|best| (n as u32) < best.at_in_piece.0) {
                best = Some(SweepHit {
                    hitbox: HitboxId { index: index as u32, generation: slot.generation },
                    actor: desc.actor,
                    at: Toi((piece.begin + (((piece.end - piece.begin) * n) >> 30)) as u32),
                    at_in_piece: Toi(n as u32),
                    piece: number,
                    target_us: time_us,
                    offset: narrow::offset(m, d, target.e, n),
                });
            }
        }
        best
    }

    fn target(&self, index: usize, piece: &Piece) -> Option<Target> {
        let slot = &self.slots[index];
        let tolerance_us = self.config.max_future_tolerance_us;
        let row = self.row(piece.tick);
        let to = &row.poses[index];
        let still = |pose: &TickPose, until_us: Option<u64>| {
            let c = pose.c.map(i64::from);
            Some(Target::new(pose, c, c, until_us))
        };
        if piece.s0 == ONE {
            return match to.presence {
                presence::ABSENT => None,
                _ if piece.from_us > slot.last_us + tolerance_us => None,
                _ => still(to, Some(slot.gone_us.unwrap_or(slot.last_us + tolerance_us))),
            };
        }
        let before = self.row(piece.tick - 1);
        let from = &before.poses[index];
        if from.presence == presence::ABSENT {
            return None;
        }
        if to.presence == presence::HELD {
            return if piece.from_us > slot.last_us + tolerance_us { None } else { still(from, Some(slot.last_us + tolerance_us)) };
        }
        if piece.s0 == 0 && piece.s1 == 0 {
            return still(from, None);
        }
        if to.presence == presence::ABSENT || row.time_us - before.time_us > self.config.max_interpolation_gap_us {
            return None;
        }
        let centre = |s: i64| {
            [0, 1, 2].map(|axis| {
                if motion::is_continuous(from, to) {
                    lerp(i64::from(from.c[axis]), i64::from(to.c[axis]), s)
                } else {
                    i64::from(from.c[axis])
                }
            })
        };
        let meta = bytemuck::Zeroable::zeroed();
        let (pose, _) = motion::between(from, &meta, to, &meta, (piece.s0 + piece.s1) >> 1);
        Some(Target::new(&pose, centre(piece.s0), centre(piece.s1), None))
    }
}

/// A hitbox during a piece.
struct Target {
    c0: V,
    c1: V,
    e: V,
    radius: i64,
    team: u16,
    flags: u8,
    /// No hit after this counts.
    until_us: Option<u64>,
}

impl Target {
    fn new(pose: &TickPose, c0: V, c1: V, until_us: Option<u64>) -> Self {
        let TickPose { e, radius, team, flags, .. } = *pose;
        Self { c0, c1, e: e.map(i64::from), radius: i64::from(radius), team, flags, until_us }
    }
}
