//! [`ProjectileTimes`]: when projectiles were fired, accepted and destroyed, and which of them a query may meet.
//!
//! What comes late changes nothing that was decided. The history itself enforces that, and no query asks these records: a
//! hitbox begins at the newest tick when it is registered, and ends when it is retired, so a launch at the time of that tick
//! meets nobody who is registered after it or at the same tick. (After the newest tick, within the tolerance, it would: that is
//! why a gate's `now_us` is the tick's.)
//!
//! The records are for hosts that want to know: the times of a projectile, and for which reason somebody was or was not seen.

use core::fmt;

use super::AcceptedFire;
use crate::config::MAX_HITBOXES;
use crate::{ActorId, InvalidRewindConfig};

/// The times of an accepted projectile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProjectileTimes {
    /// When it was fired.
    pub fired_us: u64,
    /// When the server accepted it: its history begins here.
    pub accepted_us: u64,
    /// When it was destroyed: its history ends here.
    pub destroyed_us: Option<u64>,
}

/// A moment in the order in which projectiles were accepted. A query has the one at which it is made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QueryOrder(u64);

/// Why a query does not see a projectile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unseen {
    /// It is not known, or not any more.
    Unknown,
    /// It was accepted when the query had been made: what comes late changes nothing that was
    /// decided.
    AcceptedLater,
    /// The time is before it was accepted: it was nowhere then, whenever it was fired.
    BeforeAccepted,
    /// The time is after it was destroyed.
    AfterDestroyed,
}

/// Why a projectile is not recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimesError {
    /// The actor is recorded already.
    AlreadyRecorded,
    /// There is no room.
    Full {
        /// How many are recorded.
        max_projectiles: usize,
    },
}

impl fmt::Display for TimesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlreadyRecorded => write!(f, "the projectile is recorded already"),
            Self::Full { max_projectiles } => {
                write!(f, "{max_projectiles} projectiles are recorded, which is all: prune, or raise max_projectiles")
            }
        }
    }
}

impl std::error::Error for TimesError {}

/// The times of all projectiles that a rewind can still reach.
///
/// The rule: a query that was made at `order` and asks about time `t` sees projectile B if B was
/// accepted before the query was made, and `t` is from B's acceptance to its end. So whoever is
/// validated first is never validated again because somebody else's request came late.
///
/// Only projectiles that are targets of others need a record. All memory is taken when it is made.
#[derive(Clone, Debug)]
pub struct ProjectileRecords {
    max_projectiles: usize,
    accepted: u64,
    /// In the order of ids.
    records: Vec<Record>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    projectile: ActorId,
    order: QueryOrder,
    times: ProjectileTimes,
}

impl ProjectileRecords {
    /// Room for so many, 0 to 1,048,576: no history has more hitboxes.
    ///
    /// # Errors
    /// If there are to be more.
    pub fn new(max_projectiles: usize) -> Result<Self, InvalidRewindConfig> {
        let (value, max) = (max_projectiles as u64, MAX_HITBOXES as u64);
        if value > max {
            return Err(InvalidRewindConfig { field: "max_projectiles", value, min: 0, max });
        }
        Ok(Self { max_projectiles, accepted: 0, records: Vec::with_capacity(max_projectiles) })
    }

    /// How many are recorded.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The order of a query that is made now: it sees everything that was recorded so far.
    #[must_use]
    pub const fn now(&self) -> QueryOrder {
        QueryOrder(self.accepted)
    }

    /// Records an accepted projectile. What is returned is the order of its own catch-up: it sees what was recorded
    /// before it.
    ///
    /// # Errors
    /// If the actor is recorded already, or there is no room.
    pub fn accept(&mut self, projectile: ActorId, shot: &AcceptedFire) -> Result<QueryOrder, TimesError> {
        let at = self.find(projectile).err().ok_or(TimesError::AlreadyRecorded)?;
        if self.records.len() >= self.max_projectiles {
            return Err(TimesError::Full { max_projectiles: self.max_projectiles });
        }
        let order = self.now();
        let times = ProjectileTimes { fired_us: shot.fire_us, accepted_us: shot.accepted_us, destroyed_us: None };
        self.records.insert(at, Record { projectile, order, times });
        self.accepted += 1;
        Ok(order)
    }

    /// Notes that a projectile was destroyed; the first time counts. Whether it was recorded and alive.
    pub fn destroyed(&mut self, projectile: ActorId, now_us: u64) -> bool {
        let Ok(at) = self.find(projectile) else { return false };
        let times = &mut self.records[at].times;
        let alive = times.destroyed_us.is_none();
        times.destroyed_us.get_or_insert(now_us.max(times.accepted_us));
        alive
    }

    /// Forgets projectiles that were destroyed longer ago than a rewind goes.
    pub fn prune(&mut self, now_us: u64, max_rewind_us: u64) {
        let oldest_us = now_us.saturating_sub(max_rewind_us);
        self.records.retain(|record| record.times.destroyed_us.is_none_or(|destroyed_us| destroyed_us >= oldest_us));
    }

    /// The times of a projectile.
    #[must_use]
    pub fn times(&self, projectile: ActorId) -> Option<ProjectileTimes> {
        Some(self.records[self.find(projectile).ok()?].times)
    }

    /// Whether a query that was made at `made` sees a projectile at `time_us`.
    ///
    /// # Errors
    /// The reason against it.
    pub fn check(&self, projectile: ActorId, made: QueryOrder, time_us: u64) -> Result<ProjectileTimes, Unseen> {
        let Record { order, times, .. } = self.records[self.find(projectile).map_err(|_| Unseen::Unknown)?];
        if order >= made {
            return Err(Unseen::AcceptedLater);
        }
        if time_us < times.accepted_us {
            return Err(Unseen::BeforeAccepted);
        }
        if times.destroyed_us.is_some_and(|destroyed_us| time_us > destroyed_us) {
            return Err(Unseen::AfterDestroyed);
        }
        Ok(times)
    }

    fn find(&self, projectile: ActorId) -> Result<usize, usize> {
        self.records.binary_search_by_key(&projectile, |record| record.projectile)
    }
}
