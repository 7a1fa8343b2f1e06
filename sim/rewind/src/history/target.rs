//! [`Piece`] of a query, and what one hitbox does during it, by the rows: the plain way, which the index
//! takes for what does not fit it.

use super::RewindHistory;
use super::row::{TickPose, flags, presence};
use crate::filter::Seen;
use crate::motion::{self, ONE, lerp};
use crate::narrow::{self, V};
use crate::{MatchTeam, QueryFilter, Rejection};

/// A part of a query between two ticks: when it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// The later tick of the pair.
    pub tick: u64,
    /// Its row.
    pub slot: usize,
    /// Whether the earlier tick is there: not if the only tick is asked about.
    pub has_pair: bool,
    pub s0: i64,
    pub s1: i64,
    /// Target time at both ends.
    pub from_us: u64,
    pub to_us: u64,
    /// Everything stands as it was at the earlier tick, and nothing is asked about after it.
    pub is_at_tick: bool,
}

/// A part of a query between two ticks: where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub from: V,
    pub way: V,
    /// Of the ball.
    pub radius: i64,
}

/// A hitbox during a piece.
#[derive(Debug)]
pub(crate) struct Target {
    c0: V,
    c1: V,
    pub e: V,
    radius: i64,
    centre: [i32; 3],
    broadphase_units: u32,
    team: u16,
    flags: u8,
}

impl Target {
    fn new(pose: &TickPose, c0: V, c1: V) -> Self {
        let TickPose { c: centre, e, radius, half_height, team, flags, .. } = *pose;
        let broadphase_units = half_height.max(radius.into());
        Self { c0, c1, e: e.map(i64::from), radius: i64::from(radius), centre, broadphase_units, team, flags }
    }

    /// Where it is from the start of a way, how it is passed, and how near is a hit; nothing if it is
    /// far from the way.
    pub(crate) fn meets(&self, way: &Way) -> Option<(V, V, i64)> {
        let m = narrow::sub(way.from, self.c0);
        let d = narrow::sub(way.way, narrow::sub(self.c1, self.c0));
        let radius = self.radius + way.radius;
        narrow::is_near(m, d, radius + narrow::ceil_length(self.e)).then_some((m, d, radius))
    }
}

impl RewindHistory {
    /// A hitbox during a piece, if it is there.
    pub(crate) fn target(&self, place: usize, piece: &Piece) -> Option<Target> {
        let slot = &self.slots[place];
        slot.desc.as_ref()?;
        let row = self.row(piece.tick);
        let to = &row.poses[place];
        let still = |pose: &TickPose| {
            let c = pose.c.map(i64::from);
            Some(Target::new(pose, c, c))
        };
        if piece.s0 == ONE {
            return if to.presence == presence::ABSENT { None } else { still(to) };
        }
        let before = self.row(piece.tick - 1);
        let from = &before.poses[place];
        if from.presence == presence::ABSENT {
            return None;
        }
        if to.presence == presence::HELD || piece.is_at_tick {
            return still(from);
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
        let middle = (piece.s0 + piece.s1) >> 1;
        let pose = motion::mix_pose(from, to, middle, motion::is_later(middle));
        Some(Target::new(&pose, centre(piece.s0), centre(piece.s1)))
    }

    /// Whether a filter lets a hitbox through that is there during a piece.
    pub(crate) fn admits(&self, place: usize, piece: &Piece, filter: &QueryFilter) -> Result<(), Rejection> {
        let Some(desc) = &self.slots[place].desc else { return Err(Rejection::NoPose) };
        let target = self.target(place, piece).ok_or(Rejection::NoPose)?;
        filter.check(&Seen {
            actor: desc.actor,
            team: MatchTeam(target.team),
            damageable: target.flags & flags::DAMAGEABLE != 0,
            blocking: target.flags & flags::BLOCKING != 0,
            projectile: target.flags & flags::PROJECTILE != 0,
        })?;
        filter.check_near(target.centre, target.broadphase_units)
    }

    /// Whether a hitbox is still there at time `n` of a piece. Only after its newest sample it may not
    /// be.
    pub(crate) fn is_in_time(&self, place: usize, piece: &Piece, n: i64) -> bool {
        let slot = &self.slots[place];
        let held_until_us = slot.last_us.saturating_add(self.config.max_future_tolerance_us);
        let until_us = if piece.s0 == ONE {
            // Who is retired is nowhere after its last tick, so not in a piece that goes on.
            if slot.gone_us.is_some_and(|gone_us| piece.to_us > gone_us) {
                return false;
            }
            held_until_us
        } else if self.row(piece.tick).poses[place].presence == presence::HELD
            // Retired while it was held: its last tick can be after its tolerance.
            || piece.is_at_tick && self.row(piece.tick - 1).poses[place].presence == presence::HELD
        {
            held_until_us
        } else {
            return true;
        };
        let length_us = piece.to_us - piece.from_us;
        let time_us = piece.from_us + ((n as u128 * u128::from(length_us)) >> 30) as u64;
        time_us <= until_us
    }
}
