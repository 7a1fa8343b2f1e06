//! [`Index`]: who can be met between two ticks, found without asking everyone.
//!
//! Each pair of neighbouring ticks has a [`Slab`](slab::Slab) of everyone who is there at the earlier one, sorted by
//! cell. A search visits the cells around its way. What it finds does not depend on the
//! layout: the smallest time of impact, then the smallest place.
//!
//! - Whoever the newest tick finds elsewhere than the way from the tick before leads to (registered
//!   since, teleported, back after a gap) is among the *arrivals*, which only searches at the newest tick
//!   visit, and which have a slab of their own if they are many.
//! - Who left is still in the slabs that were built before. A candidate's departure is compared with
//!   the age of the slab, so that a place that is used again never leaks its former owner, nor the new
//!   one into the past.
//! - A sample of a slow cadence changes the poses since the one before: those slabs are built again.
//! - A body, an actor with several hitboxes, is one entry in the grid.

mod body;
mod entry;
mod probe;
mod roster;
mod search;
mod slab;
#[cfg(test)]
mod tests;
mod times;

use crate::history::{Piece, RewindHistory, Row, TickPose, Way};
use crate::{ActorId, QueryFilter, RewindCounters, motion, narrow};
use entry::{arrives, kind};
use probe::{Search, Seen, flag_rule, is_particular};
use roster::Roster;
use slab::{Collected, Slab};
use times::Times;

pub(crate) use probe::Found;

/// Arrivals that are not in their slab: more than this and a share of the others, and it is built.
const FEW_ARRIVALS: usize = 32;

/// Who can be met between two ticks.
#[derive(Debug)]
pub(crate) struct Index {
    /// By the later tick of the pair.
    slabs: Vec<Slab>,
    arrivals: Slab,
    arrived: Vec<u32>,
    /// How many of `arrived` are in the slab `arrivals`.
    settled: usize,
    roster: Roster,
    collected: Collected,
    /// Whether the tick that is being recorded left one of a body alone, who was not collected then.
    left_alone: bool,
    /// How often a hitbox left, and at which of these times each place was left last.
    departures: u64,
    departed: Vec<u64>,
    /// Whose each place is: as dense as hits and filters want it.
    owners: Vec<Owner>,
    /// Poses since this tick changed.
    changed_since: u64,
    times: Times,
}

/// Whose a place is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    pub actor: ActorId,
    pub generation: u32,
}

impl Index {
    pub(crate) fn new(max_hitboxes: usize, max_ticks: usize) -> Self {
        Self {
            slabs: (0..max_ticks).map(|_| Slab::new(max_hitboxes)).collect(),
            arrivals: Slab::new(max_hitboxes),
            arrived: Vec::with_capacity(max_hitboxes),
            settled: 0,
            roster: Roster::new(max_hitboxes),
            collected: Collected::new(max_hitboxes),
            left_alone: false,
            departures: 0,
            departed: vec![0; max_hitboxes],
            owners: vec![Owner { actor: ActorId(0), generation: 0 }; max_hitboxes],
            changed_since: u64::MAX,
            times: Times::new(max_ticks),
        }
    }

    /// A hitbox was registered, with its first pose in `newest`, the newest row.
    pub(crate) fn arrive(&mut self, place: u32, owner: Owner, newest: &Row) {
        self.roster.add(owner.actor, place);
        self.owners[place as usize] = owner;
        if self.arrived.len() == self.departed.len() {
            self.forget_departed();
        }
        if self.arrived.len() < self.departed.len() {
            self.arrived.push(place);
        }
        if self.arrived.len() - self.settled > FEW_ARRIVALS + self.settled / 4 {
            self.settle(newest);
        }
    }

    /// A hitbox was unregistered.
    pub(crate) fn depart(&mut self, place: u32, actor: ActorId) {
        self.left_alone |= self.roster.remove(actor, place);
        self.departures += 1;
        self.departed[place as usize] = self.departures;
    }

    /// The poses of a hitbox after `tick` changed, up to the newest tick.
    pub(crate) fn change_since(&mut self, tick: u64) {
        self.changed_since = self.changed_since.min(tick);
    }

    /// Places that came and went between two ticks fill the list. Afterwards each place is in it once at most,
    /// and if it still is full, everyone is in it.
    #[cold]
    fn forget_departed(&mut self) {
        self.arrived.sort_unstable();
        self.arrived.dedup();
        self.settled = 0;
    }

    fn settle(&mut self, newest: &Row) {
        self.arrivals.begin();
        self.collected.begin(self.arrived.len());
        for &place in &self.arrived {
            let pose = &newest.poses[place as usize];
            if let Some(kind) = kind(pose, pose, false) {
                self.collected.add(place, pose, pose, kind);
            }
        }
        self.arrivals.finish(&mut self.collected, self.departures);
        self.settled = self.arrived.len();
    }

    /// Tick `newest` begins. Everyone is collected while they are sampled, as both poses are at hand then.
    pub(crate) fn begin(&mut self, newest: u64, time_us: u64) {
        self.arrived.clear();
        self.settled = 0;
        self.times.record(newest, time_us);
        self.left_alone = false;
        self.collected.begin(self.roster.len());
    }

    /// Collects those of these places who go on steadily, until one does not; who is in a body waits. How many were
    /// passed.
    pub(crate) fn collect_steady(&mut self, first: usize, from: &[TickPose], to: &[TickPose]) -> usize {
        let in_body = &self.roster.in_body()[first..first + from.len()];
        let mut passed = 0;
        while passed < from.len() {
            let waiting = in_body[passed..].iter().take_while(|&&in_body| in_body).count();
            passed += waiting;
            let added = self.collected.add_steady(first + passed, &from[passed..], &to[passed..], &in_body[passed..]);
            passed += added;
            if waiting + added == 0 {
                break;
            }
        }
        passed
    }

    /// Collects any hitbox.
    pub(crate) fn collect(&mut self, place: u32, from: &TickPose, to: &TickPose, is_gap: bool) {
        if self.roster.in_body()[place as usize] {
            return;
        }
        let kind = kind(from, to, is_gap);
        if let Some(kind) = kind {
            self.collected.add(place, from, to, kind);
        }
        if arrives(kind, to) {
            self.arrived.push(place);
        }
    }

    /// Tick `newest` was recorded: builds the slab that ends at it, and those whose poses changed.
    pub(crate) fn finish(&mut self, rows: &[Row], oldest: u64, newest: u64, max_gap_us: u64) {
        let row = |tick: u64| &rows[(tick % rows.len() as u64) as usize];
        let first = (self.changed_since.saturating_add(1)).max(oldest + 1);
        self.changed_since = u64::MAX;
        let is_gap = |tick: u64| row(tick).time_us - row(tick - 1).time_us > max_gap_us;
        if newest > oldest {
            if self.left_alone {
                self.arrived.clear();
                self.collected.begin(self.roster.len());
            }
            self.build(newest, row(newest - 1), row(newest), is_gap(newest), true);
        }
        for tick in first..newest {
            self.collected.begin(self.roster.len());
            self.build(tick, row(tick - 1), row(tick), is_gap(tick), false);
        }
        if self.arrived.len() > FEW_ARRIVALS {
            self.settle(row(newest));
        }
    }

    /// Builds a slab. Of the newest, those in no body are collected already, unless one was left alone.
    fn build(&mut self, tick: u64, from: &Row, to: &Row, is_gap: bool, is_newest: bool) {
        let at = (tick % self.slabs.len() as u64) as usize;
        let (slab, collected) = (&mut self.slabs[at], &mut self.collected);
        slab.begin();
        let mut first = slab.end();
        let is_collected = is_newest && !self.left_alone;
        if !is_collected || self.roster.has_bodies() {
            for body in self.roster.bodies() {
                let poses = |place: u32| (&from.poses[place as usize], &to.poses[place as usize]);
                if is_newest && !(is_collected && body.len() == 1) {
                    let arriving = |place: u32| {
                        let (from, to) = poses(place);
                        arrives(kind(from, to, is_gap), to)
                    };
                    self.arrived.extend(body.iter().map(|&(_, place)| place).filter(|&place| arriving(place)));
                }
                if let [(_, place)] = *body {
                    let (from, to) = poses(place);
                    if let Some(kind) = kind(from, to, is_gap).filter(|_| !is_collected) {
                        collected.add(place, from, to, kind);
                    }
                    continue;
                }
                let present = body.iter().filter_map(|&(_, place)| {
                    let (from, to) = poses(place);
                    Some((place, from, to, kind(from, to, is_gap)?))
                });
                first = slab.add_body(collected, first, present);
            }
        }
        slab.finish(collected, self.departures);
        if is_newest {
            collected.suit(slab);
        }
    }

    /// Whose a place is that is in use.
    #[inline(always)]
    pub(crate) fn owner(&self, place: u32) -> Owner {
        self.owners[place as usize]
    }

    /// The time of a tick that is in the history.
    #[inline(always)]
    pub(crate) fn time_us(&self, tick: u64) -> u64 {
        self.times.at(tick)
    }

    /// Where the row and the slab of a tick are that is in the history.
    #[inline(always)]
    pub(crate) fn slot(&self, tick: u64) -> usize {
        self.times.slot(tick)
    }

    /// The later of the two ticks around a time, and where it is between them. `oldest <= time < newest`.
    pub(crate) fn pair_around(&self, time_us: u64, oldest: u64, newest: u64) -> (u64, i64) {
        let before = self.times.before(time_us, oldest, newest);
        (before + 1, motion::fraction(time_us, self.time_us(before), self.time_us(before + 1)))
    }

    /// Whether the owner of a place is still the one of a slab that was built after so many departures.
    #[inline(always)]
    pub(crate) fn was_here(&self, place: u32, built: u64) -> bool {
        self.departed[place as usize] <= built
    }

    /// The first that a piece meets. `MOVING` if its two fractions differ.
    #[inline(always)]
    pub(crate) fn first_in_piece<const MOVING: bool>(
        &self,
        history: &RewindHistory,
        piece: &Piece,
        way: &Way,
        filter: &QueryFilter,
        counters: &mut RewindCounters,
    ) -> Option<Found> {
        let slab = &self.slabs[piece.slot];
        let near = search::near(slab, way);
        let is_newest = piece.s0 == motion::ONE;
        if near.as_ref().is_some_and(|near| near.is_empty) && slab.loose == 0 && !is_newest {
            counters.count_piece(0, slab.hitboxes, self.roster.len().saturating_sub(slab.hitboxes as usize));
            return None;
        }
        let middle = (piece.s0 + piece.s1) >> 1;
        let (look_at, must_be) = flag_rule(filter);
        let shift = if motion::is_later(middle) { entry::bits::LATER } else { 0 };
        let search = Search {
            history,
            slab,
            piece,
            filter,
            way: *way,
            way_squared: narrow::dot(way.way, way.way),
            middle,
            look_at: look_at << shift,
            must_be: must_be << shift,
            is_careful: is_newest || is_particular(filter) || slab.built < self.departures,
        };
        let mut seen = Seen { n: i64::MAX, place: u32::MAX, contact: None, candidates: 0, refused: 0, counters };
        let mut there = 0;
        if piece.has_pair {
            there = slab.hitboxes;
            search.run::<MOVING>(near, &mut seen);
        }
        if is_newest && !self.arrived.is_empty() {
            there += self.search_arrivals(search.copied(), &mut seen);
        }
        let Seen { n, place, contact, candidates, refused, counters } = seen;
        counters.count_piece(candidates, there.saturating_sub(candidates + refused), self.roster.len().saturating_sub(there as usize));
        if n > narrow::ONE {
            return None;
        }
        contact.map(|contact| Found { n, place, contact })
    }

    /// How many there are.
    #[cold]
    #[inline(never)]
    fn search_arrivals(&self, search: Search<'_>, seen: &mut Seen<'_>) -> u32 {
        let search = Search { slab: &self.arrivals, is_careful: true, ..search };
        if self.settled > 0 {
            search.run::<false>(search::near(&self.arrivals, &search.way), seen);
        }
        for &place in &self.arrived[self.settled..] {
            search.ask_rows(place, seen);
        }
        self.arrived.len() as u32
    }
}
