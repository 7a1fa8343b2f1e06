//! What was there at a time: one hitbox, or all.

use super::candidates::judge;
use super::row::{TickMeta, TickPose, flags, presence};
use super::{RewindHistory, Slot};
use crate::debug::TimesUsed;
use crate::motion::{self, ONE};
use crate::{
    HitboxDesc, HitboxFrame, HitboxId, LookupError, MatchTeam, Point, QueryFilter, Rejection, RewindCounters, ShapeKind, TimeError, units,
};

/// A time of the history: between the tick before `tick` and `tick`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Moment {
    pub time_us: u64,
    /// The later of the two ticks.
    pub tick: u64,
    /// From 0 at the earlier tick to [`ONE`], which is only used at the newest tick and after it.
    pub s: i64,
}

/// How a hitbox stands at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stand {
    /// As it was at this tick.
    At(u64),
    /// Between the two ticks of the moment.
    Between,
}

/// When a hitbox came and went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lifetime {
    /// The time of its first snapshot.
    pub born_us: u64,
    /// When it was retired.
    pub gone_us: Option<u64>,
}

/// The past that is kept of a hitbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The oldest tick at which it has a pose.
    pub oldest_us: u64,
    /// Its newest snapshot.
    pub newest_us: u64,
}

impl RewindHistory {
    /// Where a time lies.
    pub(crate) fn moment(&self, time_us: u64) -> Result<Moment, TimeError> {
        let newest = self.ticks.checked_sub(1).ok_or(TimeError::Empty)?;
        let newest_us = self.row(newest).time_us;
        if time_us > newest_us.saturating_add(self.config.max_future_tolerance_us) {
            return Err(TimeError::NewerThanNewest);
        }
        if time_us.saturating_add(self.config.max_rewind_us) < newest_us {
            return Err(TimeError::OlderThanMaxRewind);
        }
        if time_us >= newest_us {
            return Ok(Moment { time_us, tick: newest, s: ONE });
        }
        let oldest = self.oldest_tick();
        if time_us < self.row(oldest).time_us {
            return Err(TimeError::OlderThanOldest);
        }
        let (tick, s) = self.index.pair_around(time_us, oldest, newest);
        Ok(Moment { time_us, tick, s })
    }

    /// How the hitbox at `index` stands at a moment.
    pub(crate) fn stand(&self, index: usize, moment: &Moment) -> Result<Stand, LookupError> {
        let slot = self.slots.get(index).filter(|slot| slot.desc.is_some()).ok_or(LookupError::Unknown)?;
        if !slot.sampled {
            return Err(TimeError::Empty.into());
        }
        if slot.gone_us.is_some_and(|gone_us| moment.time_us > gone_us) {
            return Err(LookupError::Gone);
        }
        if moment.time_us < slot.born_us {
            return Err(TimeError::OlderThanOldest.into());
        }
        let row = self.row(moment.tick);
        let to = row.poses[index].presence;
        if moment.s == ONE {
            return self.held(slot, to, moment.tick, moment);
        }
        let before = self.row(moment.tick - 1);
        let from = before.poses[index].presence;
        // The hold comes before the gap: nobody knows yet where the hitbox goes.
        if moment.time_us == before.time_us || (from != presence::ABSENT && to == presence::HELD) {
            return self.held(slot, from, moment.tick - 1, moment);
        }
        let apart_us = row.time_us - before.time_us;
        if from == presence::ABSENT || to == presence::ABSENT || apart_us > self.config.max_interpolation_gap_us {
            return Err(TimeError::Gap.into());
        }
        Ok(Stand::Between)
    }

    fn held(&self, slot: &Slot, presence: u8, tick: u64, moment: &Moment) -> Result<Stand, LookupError> {
        match presence {
            presence::ABSENT => Err(TimeError::Gap.into()),
            _ if moment.time_us > slot.last_us.saturating_add(self.config.max_future_tolerance_us) => {
                Err(TimeError::NewerThanNewest.into())
            }
            _ => Ok(Stand::At(tick)),
        }
    }

    pub(super) fn pose_of(&self, index: usize, moment: &Moment, stand: Stand) -> TickPose {
        match stand {
            Stand::At(tick) => self.row(tick).poses[index],
            Stand::Between => {
                let (from, to) = (&self.row(moment.tick - 1).poses[index], &self.row(moment.tick).poses[index]);
                motion::mix_pose(from, to, moment.s, motion::is_later(moment.s))
            }
        }
    }

    pub(super) fn meta_of(&self, index: usize, moment: &Moment, stand: Stand) -> TickMeta {
        match stand {
            Stand::At(tick) => self.row(tick).metas[index],
            Stand::Between => {
                let (from, to) = (self.row(moment.tick - 1), self.row(moment.tick));
                let (a, b, later) = (&from.poses[index], &to.poses[index], motion::is_later(moment.s));
                motion::mix_meta(a, &from.metas[index], b, &to.metas[index], moment.s, later)
            }
        }
    }

    /// A hitbox as it was at `time_us`.
    ///
    /// # Errors
    /// If it is not registered, was gone, or has no snapshots for that time. Counted by reason.
    pub fn frame_at(&self, id: HitboxId, time_us: u64, counters: &mut RewindCounters) -> Result<HitboxFrame, LookupError> {
        counters.lookups += 1;
        self.look_up(id, time_us).inspect_err(|&reason| counters.fail(reason))
    }

    pub(crate) fn look_up(&self, id: HitboxId, time_us: u64) -> Result<HitboxFrame, LookupError> {
        let (slot, desc) = self.slot(id).ok_or(LookupError::Unknown)?;
        if slot.gone_us.is_some_and(|gone_us| time_us > gone_us) {
            return Err(LookupError::Gone);
        }
        let moment = self.moment(time_us)?;
        let index = id.index as usize;
        let stand = self.stand(index, &moment)?;
        Ok(frame(id, desc, &self.pose_of(index, &moment, stand), &self.meta_of(index, &moment, stand), time_us))
    }

    /// Everything that `filter` lets through, as it was at `time_us`, into `out`, which is emptied
    /// first, in the order of places.
    ///
    /// Everybody is looked at: to be near what a query wants, [`candidates`](Self::candidates).
    ///
    /// # Errors
    /// If the time cannot be answered for anybody.
    pub fn frames_at(
        &self,
        time_us: u64,
        filter: &QueryFilter,
        out: &mut Vec<HitboxFrame>,
        counters: &mut RewindCounters,
    ) -> Result<(), TimeError> {
        out.clear();
        counters.lookups += 1;
        self.visit(time_us, filter, None, counters, |_, verdict| out.extend(verdict.ok()))
    }

    /// A hitbox as it is at present: its newest sample, however old that is, since its cadence decides how old it
    /// gets. The frame's time is that of the sample.
    ///
    /// # Errors
    /// If it is not registered, retired, or never had a sample. Counted by reason.
    pub fn newest_frame(&self, id: HitboxId, counters: &mut RewindCounters) -> Result<HitboxFrame, LookupError> {
        counters.lookups += 1;
        let found = self.slot(id).ok_or(LookupError::Unknown).and_then(|(slot, desc)| {
            let (pose, meta) = self.newest(id.index as usize, slot)?;
            Ok(frame(id, desc, pose, meta, slot.last_us))
        });
        found.inspect_err(|&reason| counters.fail(reason))
    }

    /// Everything that `filter` lets through, each as in [`newest_frame`](Self::newest_frame), into `out`, which
    /// is emptied first, in the order of places.
    pub fn present_frames(&self, filter: &QueryFilter, out: &mut Vec<HitboxFrame>, counters: &mut RewindCounters) {
        out.clear();
        counters.lookups += 1;
        for (id, desc) in self.described() {
            let index = id.index as usize;
            let slot = &self.slots[index];
            let judged = self.newest(index, slot).map_err(|_| Rejection::NoPose).and_then(|(pose, meta)| {
                judge(desc, pose, filter, None)?;
                Ok(frame(id, desc, pose, meta, slot.last_us))
            });
            match judged {
                Ok(frame) => out.push(frame),
                Err(reason) => counters.reject(reason),
            }
        }
    }

    /// The newest sample of the hitbox at `index`: the newest row has it, held if need be.
    fn newest(&self, index: usize, slot: &Slot) -> Result<(&TickPose, &TickMeta), LookupError> {
        if slot.gone_us.is_some() {
            return Err(LookupError::Gone);
        }
        let tick = self.ticks.checked_sub(1).filter(|_| slot.sampled).ok_or(TimeError::Empty)?;
        let row = self.row(tick);
        Ok((&row.poses[index], &row.metas[index]))
    }

    /// Which ticks the pose of a hitbox at a time is from.
    pub(crate) fn times_used(&self, id: HitboxId, time_us: u64) -> Option<TimesUsed> {
        let moment = self.moment(time_us).ok()?;
        Some(match self.stand(self.slot(id).map(|_| id.index as usize)?, &moment).ok()? {
            Stand::At(tick) => TimesUsed { from_us: self.row(tick).time_us, to_us: self.row(tick).time_us, fraction: 0 },
            Stand::Between => {
                TimesUsed { from_us: self.row(moment.tick - 1).time_us, to_us: self.row(moment.tick).time_us, fraction: moment.s as u32 }
            }
        })
    }

    /// A hitbox at every tick that is kept, the oldest first.
    pub(crate) fn rows_of(&self, id: HitboxId) -> impl Iterator<Item = (u64, &TickPose, &TickMeta)> + '_ {
        let index = self.slot(id).map(|_| id.index as usize);
        (self.oldest_tick()..self.ticks).filter_map(move |tick| {
            let row = self.row(tick);
            Some((row.time_us, &row.poses[index?], &row.metas[index?]))
        })
    }

    /// What is registered under an id.
    #[must_use]
    pub fn desc(&self, id: HitboxId) -> Option<&HitboxDesc> {
        self.slot(id).map(|(_, desc)| desc)
    }

    /// When a hitbox came and went; nothing if it never had a snapshot.
    #[must_use]
    pub fn lifetime(&self, id: HitboxId) -> Option<Lifetime> {
        let (slot, _) = self.slot(id).filter(|(slot, _)| slot.sampled)?;
        Some(Lifetime { born_us: slot.born_us, gone_us: slot.gone_us })
    }

    /// How much of the past is kept of a hitbox; nothing if there is none.
    #[must_use]
    pub fn span(&self, id: HitboxId) -> Option<Span> {
        let (slot, _) = self.slot(id).filter(|(slot, _)| slot.sampled)?;
        let oldest = (self.oldest_tick()..self.ticks).find(|&tick| self.row(tick).poses[id.index as usize].presence != presence::ABSENT)?;
        Some(Span { oldest_us: self.row(oldest).time_us, newest_us: slot.last_us })
    }
}

pub(super) fn frame(id: HitboxId, desc: &HitboxDesc, pose: &TickPose, meta: &TickMeta, time_us: u64) -> HitboxFrame {
    let kind = if pose.flags & flags::CAPSULE == 0 { ShapeKind::Sphere } else { ShapeKind::Capsule };
    HitboxFrame {
        time_us,
        hitbox: id,
        actor: desc.actor,
        component: desc.component,
        name: desc.name,
        region: desc.region,
        kind,
        centre: Point::from_array(pose.c),
        rotation: meta.rotation,
        half_axis: pose.e.map(i32::from),
        radius: units::fx(i32::from(pose.radius)),
        half_height: units::fx(pose.half_height as i32),
        broadphase_radius: units::fx(pose.broadphase_units() as i32),
        damageable: pose.flags & flags::DAMAGEABLE != 0,
        blocking: pose.flags & flags::BLOCKING != 0,
        projectile: pose.flags & flags::PROJECTILE != 0,
        team: MatchTeam(pose.team),
        state_flags: meta.state_flags,
        epoch: pose.epoch,
    }
}
