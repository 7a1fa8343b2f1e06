//! What was there at a time: one hitbox, or all.

use super::row::{TickMeta, TickPose, flags, presence};
use super::{RewindHistory, Slot};
use crate::motion::{self, ONE};
use crate::{HitboxDesc, HitboxFrame, HitboxId, LookupError, MatchTeam, Point, QueryFilter, RewindCounters, ShapeKind, TimeError, units};

/// A time of the history: between the tick before `tick` and `tick`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Moment {
    pub time_us: u64,
    /// The later of the two ticks.
    pub tick: u64,
    /// From 0 at the earlier tick to [`ONE`], which is only used at the newest tick and after it.
    pub s: i64,
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

    /// The hitbox at `index` at a moment.
    pub(crate) fn pose_at(&self, index: usize, moment: &Moment) -> Result<(TickPose, TickMeta), LookupError> {
        let slot = &self.slots[index];
        if slot.desc.is_none() {
            return Err(LookupError::Unknown);
        }
        if slot.gone_us.is_some_and(|gone_us| moment.time_us > gone_us) {
            return Err(LookupError::Gone);
        }
        if moment.time_us < slot.born_us {
            return Err(TimeError::OlderThanOldest.into());
        }
        let row = self.row(moment.tick);
        let (to, to_meta) = (row.poses[index], row.metas[index]);
        if moment.s == ONE {
            return self.held(slot, to, to_meta, moment);
        }
        let before = self.row(moment.tick - 1);
        let (from, from_meta) = (before.poses[index], before.metas[index]);
        if moment.s == 0 || (from.presence != presence::ABSENT && to.presence == presence::HELD) {
            return self.held(slot, from, from_meta, moment);
        }
        let apart_us = row.time_us - before.time_us;
        if from.presence == presence::ABSENT || to.presence == presence::ABSENT || apart_us > self.config.max_interpolation_gap_us {
            return Err(TimeError::Gap.into());
        }
        Ok(motion::between(&from, &from_meta, &to, &to_meta, moment.s))
    }

    fn held(&self, slot: &Slot, pose: TickPose, meta: TickMeta, moment: &Moment) -> Result<(TickPose, TickMeta), LookupError> {
        match pose.presence {
            presence::ABSENT => Err(TimeError::Gap.into()),
            _ if moment.time_us > slot.last_us.saturating_add(self.config.max_future_tolerance_us) => {
                Err(TimeError::NewerThanNewest.into())
            }
            _ => Ok((pose, meta)),
        }
    }

    /// A hitbox as it was at `time_us`.
    ///
    /// # Errors
    /// If it is not registered, was gone, or has no snapshots for that time. Counted by reason.
    pub fn frame_at(&self, id: HitboxId, time_us: u64, counters: &mut RewindCounters) -> Result<HitboxFrame, LookupError> {
        counters.lookups += 1;
        let frame = self.look_up(id, time_us);
        if let Err(reason) = frame {
            counters.fail(reason);
        }
        frame
    }

    fn look_up(&self, id: HitboxId, time_us: u64) -> Result<HitboxFrame, LookupError> {
        let (_, desc) = self.slot(id).ok_or(LookupError::Unknown)?;
        let moment = self.moment(time_us)?;
        let (pose, meta) = self.pose_at(id.index as usize, &moment)?;
        Ok(frame(id, desc, &pose, &meta, time_us))
    }

    /// Everything that `filter` lets through, as it was at `time_us`, into `out`, which is emptied
    /// first, in the order of places.
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
        let moment = self.moment(time_us).inspect_err(|&reason| counters.fail(reason.into()))?;
        for (index, slot) in self.slots.iter().enumerate() {
            let Some(desc) = &slot.desc else { continue };
            let id = HitboxId { index: index as u32, generation: slot.generation };
            let Ok((pose, meta)) = self.pose_at(index, &moment) else {
                counters.reject(crate::Rejection::NoPose);
                continue;
            };
            let frame = frame(id, desc, &pose, &meta, time_us);
            match filter.check_frame(&frame) {
                Ok(()) => out.push(frame),
                Err(reason) => counters.reject(reason),
            }
        }
        Ok(())
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
        broadphase_radius: units::fx((pose.half_height as i32).max(i32::from(pose.radius))),
        damageable: pose.flags & flags::DAMAGEABLE != 0,
        blocking: pose.flags & flags::BLOCKING != 0,
        projectile: pose.flags & flags::PROJECTILE != 0,
        team: MatchTeam(pose.team),
        state_flags: meta.state_flags,
        epoch: pose.epoch,
    }
}
