//! [`Search`]: one piece of a query against one entry after the other.

use super::entry::{Entry, bits, step};
use super::slab::Slab;
use crate::history::{Piece, RewindHistory, Way, flags};
use crate::motion;
use crate::narrow::{self, ONE, TOI_BITS, V, dot, wide, wide_squared};
use crate::{QueryFilter, Rejection, RewindCounters};
use core::ops::Range;

/// The first hit of a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// Time of impact.
    pub n: i64,
    pub place: u32,
    /// m, d and e of `narrow`, for what a host wants to know of the hit.
    pub contact: [V; 3],
}

/// What a search has seen.
#[derive(Debug)]
pub(super) struct Seen<'a> {
    /// Time of impact of the first hit so far; over [`ONE`] if there is none.
    pub n: i64,
    pub place: u32,
    pub contact: Option<[V; 3]>,
    pub candidates: u32,
    /// Who was refused for a reason that is counted already.
    pub refused: u32,
    pub counters: &'a mut RewindCounters,
}

/// A piece of a query on its way through a slab. It is handed on by value: who calls a part that is
/// rarely taken copies it then, and who does not keeps it in registers.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub history: &'a RewindHistory,
    pub slab: &'a Slab,
    pub piece: &'a Piece,
    pub filter: &'a QueryFilter,
    pub way: Way,
    pub way_squared: i64,
    pub middle: i64,
    /// Of [`Entry::bits`], those that the filter looks at, and how they must be.
    pub look_at: u16,
    pub must_be: u16,
    /// Everyone must be asked more than their flags: the filter wants it, hitboxes left since the slab was built,
    /// or it is the newest tick.
    pub is_careful: bool,
}

/// The flags that a filter looks at, and what they must be: `flags & .0 == .1`. Without a branch: this is a
/// fair part of what a short query costs.
#[inline(always)]
pub(super) fn flag_rule(filter: &QueryFilter) -> (u16, u16) {
    let bit = |set: bool, flag: u8| u16::from(set) * u16::from(flag);
    let QueryFilter { include_actors, include_projectiles, only_damageable, include_blocking, .. } = *filter;
    let damageable = bit(only_damageable, flags::DAMAGEABLE);
    // With neither, nobody is looked at and must be a projectile: nobody passes.
    let look_at = bit(include_actors != include_projectiles, flags::PROJECTILE) | damageable | bit(!include_blocking, flags::BLOCKING);
    (look_at, bit(!include_actors, flags::PROJECTILE) | damageable)
}

/// Whether a filter looks at more than flags and actors.
#[inline(always)]
pub(super) const fn is_particular(filter: &QueryFilter) -> bool {
    // Every field is named, so that a new one cannot be left out.
    let &QueryFilter {
        ignore_actor: _,
        ref except,
        ignore_team,
        own_team,
        ignore_same_team,
        near,
        only_damageable: _,
        include_blocking: _,
        include_projectiles: _,
        include_actors: _,
    } = filter;
    !except.is_empty() | ignore_team.number().is_some() | (ignore_same_team & own_team.number().is_some()) | near.is_some()
}

impl Search<'_> {
    /// Looks at everyone in a part of the slab. `MOVING`: targets move in this piece. `flat_length`: of long ways,
    /// at least the length in the plane of x and z; else zero.
    #[inline(always)]
    pub(super) fn visit<const MOVING: bool, const LONG: bool>(self, range: Range<u32>, flat_length: i64, seen: &mut Seen<'_>) {
        for (entry, at) in self.slab.entries(range.clone()).iter().zip(range.start..) {
            if entry.bits & bits::WIDE != 0 {
                self.copied().ask_rows(entry.place, seen);
                continue;
            }
            let Some((m, d)) = self.meets_ball::<MOVING, LONG, false>(entry, flat_length, seen.n) else { continue };
            if entry.bits & bits::BODY == 0 {
                self.copied().meet(entry, at, m, d, seen);
            } else {
                self.copied().meet_body::<MOVING, LONG>(entry, m, flat_length, seen);
            }
        }
    }

    /// A copy field by field, made where it is wanted: so that whoever only looks at an entry and goes on keeps all
    /// fields in registers.
    #[inline(always)]
    pub(super) const fn copied(&self) -> Self {
        let Self { history, slab, piece, filter, way, way_squared, middle, look_at, must_be, is_careful } = *self;
        let way = Way { from: way.from, way: way.way, radius: way.radius };
        Self { history, slab, piece, filter, way, way_squared, middle, look_at, must_be, is_careful }
    }

    /// Where an entry is from the way's start and how it is passed, unless its ball is missed, or met
    /// after `n`, the first hit so far.
    #[inline(always)]
    pub(super) fn meets_ball<const MOVING: bool, const LONG: bool, const IN_BODY: bool>(
        self,
        entry: &Entry,
        flat_length: i64,
        n: i64,
    ) -> Option<(V, V)> {
        let (s0, s1) = (self.piece.s0, self.piece.s1);
        let Way { from, way, radius } = self.way;
        // Under 2^17.1.
        let reach = i64::from(entry.reach) + radius;
        let of = |axis: usize| {
            let c = entry.at(axis, s0);
            (from[axis] - c, if MOVING { way[axis] - (entry.at(axis, s1) - c) } else { way[axis] })
        };
        // Either end beyond the reach, both on one side: |m + d / 2| > reach + |d| / 2.
        let passes = |(m, d): (i64, i64)| (2 * m + d).abs() > 2 * reach + d.abs();
        // Of a body that is met most are too high or too low; of a crowd, most are elsewhere.
        let y = if IN_BODY { of(1) } else { (0, 0) };
        if IN_BODY && passes(y) {
            return None;
        }
        let (x, z) = (of(0), of(2));
        // The distance from the line in the plane. Under 2^32 * 2^24.2 for anyone in the world.
        if LONG && !MOVING && (x.0 * z.1 - z.0 * x.1).abs() > reach * flat_length {
            return None;
        }
        if passes(x) | passes(z) {
            return None;
        }
        let y = if IN_BODY { y } else { of(1) };
        if !IN_BODY && passes(y) {
            return None;
        }
        // From here on the sizes of `narrow` hold.
        let (m, d) = ([x.0, y.0, z.0], [x.1, y.1, z.1]);
        let a = if MOVING { dot(d, d) } else { self.way_squared };
        let (b, c) = (dot(m, d), dot(m, m) - reach * reach);
        if c > 0 && (b >= 0 || (-b > a && a + 2 * b + c > 0) || wide(b, b) < wide(a, c)) {
            return None;
        }
        if n <= ONE && wide(b, ONE) + wide(a, n) < 0 {
            // Still approaching at the time of the first hit: outside then is outside before.
            let at = [0, 1, 2].map(|axis| (m[axis] << TOI_BITS) + d[axis] * n);
            let limit = reach << TOI_BITS;
            if wide_squared(at) > wide(limit, limit) as u128 {
                return None;
            }
        }
        Some((m, d))
    }

    /// The filter, then the exact test.
    #[inline(never)]
    pub(super) fn meet(&self, entry: &Entry, at: u32, m: V, d: V, seen: &mut Seen<'_>) {
        if entry.bits & self.look_at != self.must_be {
            self.refuse_flags(entry.place, seen);
            return;
        }
        let is_special = self.is_careful || entry.bits & bits::SOMETIMES != 0;
        if is_special && !self.admits(entry, seen) {
            return;
        }
        // The shooter. Who is special was asked for it already.
        if self.filter.ignore_actor.is_some_and(|ignored| ignored == self.history.index().owner(entry.place).actor) {
            seen.counters.reject(Rejection::IgnoredActor);
            seen.refused += 1;
            return;
        }
        seen.candidates += 1;
        let radius = step(i64::from(entry.radius), i64::from(entry.d_radius), self.middle) + self.way.radius;
        let is_capsule = entry.bits & u16::from(flags::CAPSULE) != 0;
        let e = if is_capsule { self.slab.axes(at).at(self.middle) } else { [0; 3] };
        let hit = if is_capsule { narrow::capsule(m, d, e, radius) } else { narrow::ball(m, d, radius) };
        if let Some(n) = hit {
            self.take(n, entry.place, is_special, [m, d, e], seen);
        }
    }

    #[inline(always)]
    fn take(&self, n: i64, place: u32, is_special: bool, contact: [V; 3], seen: &mut Seen<'_>) {
        if (n, place) >= (seen.n, seen.place) {
            return;
        }
        if is_special && !self.history.is_in_time(place as usize, self.piece, n) {
            return;
        }
        (seen.n, seen.place, seen.contact) = (n, place, Some(contact));
    }

    #[cold]
    #[inline(never)]
    fn refuse_flags(&self, place: u32, seen: &mut Seen<'_>) {
        if let Err(reason) = self.history.admits(place as usize, self.piece, self.filter) {
            seen.counters.reject(reason);
            seen.refused += 1;
        }
    }

    /// What is asked of candidates only, as it lies elsewhere in memory.
    #[inline(never)]
    fn admits(&self, entry: &Entry, seen: &mut Seen<'_>) -> bool {
        let is_at_later = self.piece.s0 == motion::ONE;
        if (is_at_later && entry.bits & bits::STAYS != 0) || (!self.piece.is_at_tick && entry.bits & bits::STARTS != 0) {
            return false;
        }
        if !self.history.index().was_here(entry.place, self.slab.built) {
            return false;
        }
        match self.history.admits(entry.place as usize, self.piece, self.filter) {
            Ok(()) => true,
            Err(reason) => {
                seen.counters.reject(reason);
                seen.refused += 1;
                false
            }
        }
    }

    /// The plain way, for what does not fit an entry.
    #[cold]
    #[inline(never)]
    pub(super) fn ask_rows(&self, place: u32, seen: &mut Seen<'_>) {
        let Some(target) = self.history.target(place as usize, self.piece) else { return };
        if let Err(reason) = self.history.admits(place as usize, self.piece, self.filter) {
            seen.refused += 1;
            seen.counters.reject(reason);
            return;
        }
        let Some((m, d, radius)) = target.meets(&self.way) else { return };
        seen.candidates += 1;
        if let Some(n) = narrow::capsule(m, d, target.e, radius) {
            self.take(n, place, true, [m, d, target.e], seen);
        }
    }
}
