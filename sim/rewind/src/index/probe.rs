//! [`Search`]: one piece of a query against one entry after the other.

use super::entry::{Axes, Entry, bits, step};
use super::slab::Slab;
use crate::history::{Piece, RewindHistory, flags};
use crate::motion;
use crate::narrow::{self, ONE, TOI_BITS, V, dot, wide, wide_squared};
use crate::{QueryFilter, Rejection, RewindCounters};

/// The first hit so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// Time of impact; over [`ONE`] if there is none.
    pub n: i64,
    pub place: u32,
    /// Where it was, for what a host wants to know of it.
    pub m: V,
    pub d: V,
    pub e: V,
}

/// What was counted on the way.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Counts {
    pub candidates: u32,
    pub filtered: u32,
}

/// A piece of a query on its way through a slab.
pub(super) struct Search<'a> {
    pub history: &'a RewindHistory,
    pub slab: &'a Slab,
    pub piece: &'a Piece,
    pub filter: &'a QueryFilter,
    pub from: V,
    pub way: V,
    pub way_squared: i64,
    /// At least the length of the way in the plane of x and z. Only of long ways.
    pub flat_length: i64,
    pub middle: i64,
    /// Of [`Entry::bits`], those that the filter looks at, and how they must be.
    pub look_at: u16,
    pub must_be: u16,
    /// Everyone must be asked more than their flags: the filter wants it, hitboxes left since the slab was built,
    /// or it is the newest tick.
    pub is_careful: bool,
    pub found: Found,
    pub counts: Counts,
    pub counters: &'a mut RewindCounters,
}

/// The flags that a filter looks at, and what they must be: `flags & .0 == .1`.
pub(super) fn flag_rule(filter: &QueryFilter) -> (u16, u16) {
    let (mut look_at, mut must_be) = (0, 0);
    match (filter.include_actors, filter.include_projectiles) {
        (true, true) => {}
        (true, false) => look_at |= flags::PROJECTILE,
        (false, true) => (look_at, must_be) = (flags::PROJECTILE, flags::PROJECTILE),
        // Nobody.
        (false, false) => must_be = flags::PROJECTILE,
    }
    if filter.only_damageable {
        (look_at, must_be) = (look_at | flags::DAMAGEABLE, must_be | flags::DAMAGEABLE);
    }
    if !filter.include_blocking {
        look_at |= flags::BLOCKING;
    }
    (look_at.into(), must_be.into())
}

/// Whether a filter looks at more than flags.
pub(super) const fn is_particular(filter: &QueryFilter) -> bool {
    // Every field is named, so that a new one cannot be left out.
    let &QueryFilter {
        ignore_actor,
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
    ignore_actor.is_some()
        || !except.is_empty()
        || ignore_team.number().is_some()
        || (ignore_same_team && own_team.number().is_some())
        || near.is_some()
}

impl Search<'_> {
    /// Looks at everyone in a part of the slab. `MOVING`: targets move in this piece. `LONG`: the
    /// way is much longer than it is wide.
    #[inline(always)]
    pub(super) fn visit<const MOVING: bool, const LONG: bool>(&mut self, (entries, axes): (&[Entry], &[Axes])) {
        for (entry, axes) in entries.iter().zip(axes) {
            self.look::<MOVING, LONG>(entry, axes);
        }
    }

    #[inline(always)]
    fn look<const MOVING: bool, const LONG: bool>(&mut self, entry: &Entry, axes: &Axes) {
        if entry.bits & bits::WIDE != 0 {
            self.ask_rows(entry.place);
            return;
        }
        let Some((m, d)) = self.meets_ball::<MOVING, LONG>(entry) else { return };
        if entry.bits & bits::BODY == 0 {
            self.meet::<MOVING>(entry, axes, m, d);
        } else {
            self.meet_body::<MOVING>(entry);
        }
    }

    #[inline(never)]
    fn meet_body<const MOVING: bool>(&mut self, body: &Entry) {
        let (entries, axes) = self.slab.body(body);
        for (entry, axes) in entries.iter().zip(axes) {
            if let Some((m, d)) = self.meets_ball::<MOVING, false>(entry) {
                self.meet::<MOVING>(entry, axes, m, d);
            }
        }
    }

    /// Where an entry is from the way's start and how it is passed, unless its ball is missed or met
    /// after the first hit so far.
    #[inline(always)]
    fn meets_ball<const MOVING: bool, const LONG: bool>(&self, entry: &Entry) -> Option<(V, V)> {
        let (s0, s1) = (self.piece.s0, self.piece.s1);
        // Under 2^17.1.
        let reach = i64::from(entry.reach) + self.piece.radius;
        let (cx, cz) = (entry.at(0, s0), entry.at(2, s0));
        let (mx, mz) = (self.from[0] - cx, self.from[2] - cz);
        let (dx, dz) =
            if MOVING { (self.way[0] - (entry.at(0, s1) - cx), self.way[2] - (entry.at(2, s1) - cz)) } else { (self.way[0], self.way[2]) };
        // The distance from the line in the plane. Under 2^32 * 2^24.2 for anyone in the world.
        if LONG && !MOVING && (mx * dz - mz * dx).abs() > reach * self.flat_length {
            return None;
        }
        let passes = |m: i64, d: i64| (m.min(m + d) > reach) | (m.max(m + d) < -reach);
        if passes(mx, dx) | passes(mz, dz) {
            return None;
        }
        let cy = entry.at(1, s0);
        let my = self.from[1] - cy;
        let dy = if MOVING { self.way[1] - (entry.at(1, s1) - cy) } else { self.way[1] };
        if passes(my, dy) {
            return None;
        }
        // From here on the sizes of `narrow` hold.
        let (m, d) = ([mx, my, mz], [dx, dy, dz]);
        let a = if MOVING { dot(d, d) } else { self.way_squared };
        let (b, c) = (dot(m, d), dot(m, m) - reach * reach);
        if c > 0 && (b >= 0 || (-b > a && a + 2 * b + c > 0) || wide(b, b) < wide(a, c)) {
            return None;
        }
        let n = self.found.n;
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
    #[inline(always)]
    fn meet<const MOVING: bool>(&mut self, entry: &Entry, axes: &Axes, m: V, d: V) {
        if entry.bits & self.look_at != self.must_be {
            self.refuse_flags(entry.place);
            return;
        }
        let is_special = self.is_careful || entry.bits & bits::SOMETIMES != 0;
        if is_special && !self.admits(entry) {
            return;
        }
        self.counts.candidates += 1;
        let radius = step(i64::from(entry.radius), i64::from(entry.d_radius), self.middle) + self.piece.radius;
        let is_capsule = entry.bits & u16::from(flags::CAPSULE) != 0;
        let e = if is_capsule { axes.at(self.middle) } else { [0; 3] };
        let hit = if is_capsule { narrow::capsule(m, d, e, radius) } else { narrow::ball(m, d, radius) };
        if let Some(n) = hit {
            self.take(n, entry.place, is_special, [m, d, e]);
        }
    }

    #[inline(always)]
    fn take(&mut self, n: i64, place: u32, is_special: bool, [m, d, e]: [V; 3]) {
        if (n, place) >= (self.found.n, self.found.place) {
            return;
        }
        if is_special && !self.history.is_in_time(place as usize, self.piece, n) {
            return;
        }
        self.found = Found { n, place, m, d, e };
    }

    #[cold]
    #[inline(never)]
    fn refuse_flags(&mut self, place: u32) {
        if let Err(reason) = self.history.admits(place as usize, self.piece, self.filter) {
            self.counters.reject(reason);
            self.counts.filtered += 1;
        }
    }

    /// What is asked of candidates only, as it lies elsewhere in memory.
    #[inline(never)]
    fn admits(&mut self, entry: &Entry) -> bool {
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
                self.counters.reject(reason);
                self.counts.filtered += 1;
                false
            }
        }
    }

    /// The plain way, for what does not fit an entry.
    #[cold]
    #[inline(never)]
    pub(super) fn ask_rows(&mut self, place: u32) {
        let Some(target) = self.history.target(place as usize, self.piece) else { return };
        if let Err(reason) = self.history.admits(place as usize, self.piece, self.filter) {
            self.counts.filtered += 1;
            self.counters.reject(reason);
            return;
        }
        let Some((m, d, radius)) = target.meets(self.piece) else {
            self.counters.reject(Rejection::Apart);
            self.counts.filtered += 1;
            return;
        };
        self.counts.candidates += 1;
        if let Some(n) = narrow::capsule(m, d, target.e, radius) {
            self.take(n, place, true, [m, d, target.e]);
        }
    }
}
