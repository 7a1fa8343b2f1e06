//! Who is met by an explosion.

use snapback_core::Vec3;

use super::distance::Nearness;
use super::weapon::{AreaTime, AreaWeapon, CentreRule, Falloff, OwnBody, SightRule};
use crate::config::MAX_HITBOXES;
use crate::fire::AcceptedFire;
use crate::{ActorId, HitboxFrame, HitboxId, Near, Point, QueryFilter, RewindCounters, RewindHistory, TimeError, units};

/// What stands in the way now. Walls have no history.
pub trait LineOfSight {
    /// Whether nothing stands between two positions.
    fn is_clear(&self, from: Vec3, to: Vec3) -> bool;
}

/// An explosion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AreaBlast {
    /// Who is to blame.
    pub shooter: ActorId,
    /// The point of impact.
    pub centre: Point,
    /// When it explodes, in the server's time.
    pub time_us: u64,
    /// When the shooter saw others as they were. Before now minus the greatest rewind it counts as
    /// that; counted.
    pub target_us: u64,
    /// The hitbox that was hit, if there was one, for [`CentreRule::WithTarget`].
    pub on: Option<HitboxId>,
}

impl AreaBlast {
    /// The explosion of an accepted shot.
    #[must_use]
    pub fn of(shot: &AcceptedFire, centre: Point, time_us: u64, on: Option<HitboxId>) -> Self {
        Self { shooter: shot.shooter, centre, time_us, target_us: shot.target_us(time_us), on }
    }
}

/// An actor that is met, by its nearest hitbox that is in sight. Equally near ones: the smallest index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AreaHit {
    /// The hitbox as it was at the time that decided.
    pub frame: HitboxFrame,
    /// How far its surface is from the centre, in 256ths of a unit.
    pub distance_256ths: u32,
    /// The point of its surface that is nearest to the centre, or the centre if that is inside.
    pub nearest: Point,
    /// What is left of the damage.
    pub falloff: Falloff,
}

/// Memory for the frames that an explosion looks at. It grows at first and is used again.
#[derive(Clone, Default, Debug)]
pub struct AreaScratch {
    then: Vec<HitboxFrame>,
    now: Vec<HitboxFrame>,
}

impl AreaScratch {
    /// Room for a history with so many hitboxes, so that it never grows. For more than a history can have,
    /// 1,048,576, it is that for so many.
    #[must_use]
    pub fn with_capacity(max_hitboxes: usize) -> Self {
        let max_hitboxes = max_hitboxes.min(MAX_HITBOXES);
        Self { then: Vec::with_capacity(max_hitboxes), now: Vec::with_capacity(max_hitboxes) }
    }

    /// The shooter's own hitboxes into `now`, in the order of places: as they were at `own_us`, or at their newest
    /// sample if they have no pose since.
    fn own_at(
        &mut self,
        own_us: u64,
        present: bool,
        shooter: ActorId,
        history: &RewindHistory,
        filter: &QueryFilter,
        counters: &mut RewindCounters,
    ) -> Result<(), TimeError> {
        history.present_frames(filter, &mut self.then, counters);
        self.now.clear();
        if !present {
            history.frames_at(own_us, filter, &mut self.now, counters)?;
        }
        self.now.retain(|frame| frame.actor == shooter);
        for newest in self.then.iter().filter(|newest| newest.actor == shooter && newest.time_us <= own_us) {
            // A hitbox with a pose at that time is there already.
            if let Err(place) = self.now.binary_search_by_key(&newest.hitbox.index(), |frame| frame.hitbox.index()) {
                self.now.insert(place, *newest);
            }
        }
        Ok(())
    }
}

impl AreaWeapon {
    /// Everybody that a blast meets, into `out`, which is emptied first: one hit per actor, in the order
    /// of actors.
    ///
    /// A weapon that is not [valid](Self::validate) counts as one with its numbers brought into range.
    ///
    /// # Errors
    /// If the history has no answer for the time.
    pub fn resolve(
        &self,
        blast: &AreaBlast,
        history: &RewindHistory,
        sight: &impl LineOfSight,
        scratch: &mut AreaScratch,
        out: &mut Vec<AreaHit>,
        counters: &mut RewindCounters,
    ) -> Result<(), TimeError> {
        out.clear();
        let now_us = history.now_us().ok_or(TimeError::Empty)?;
        let weapon = self.in_range();
        let oldest_us = now_us.saturating_sub(history.config().max_rewind_us);
        let mut clamped = |time_us: u64| {
            counters.clamped_times += u64::from(time_us < oldest_us);
            time_us.max(oldest_us)
        };
        let present = weapon.time == AreaTime::Present;
        let on = blast.on.filter(|_| weapon.centre == CentreRule::WithTarget);
        let seen_us = if present && on.is_none() { now_us } else { clamped(blast.target_us) };
        let own_us = if present || weapon.own == OwnBody::Spared { now_us } else { clamped(blast.time_us) };
        let moved = on.and_then(|on| moved(blast.centre, on, history, seen_us, counters));
        let centre_now = moved.unwrap_or(blast.centre);
        let centre = if present { centre_now } else { blast.centre };

        let filter = QueryFilter { near: Some(Near { centre, radius: units::fx(weapon.radius_units) }), ..weapon.filter };
        if present {
            history.present_frames(&filter, &mut scratch.then, counters);
        } else {
            history.frames_at(seen_us, &filter, &mut scratch.then, counters)?;
        }
        for frame in scratch.then.iter().filter(|frame| frame.actor != blast.shooter) {
            weapon.meet(centre, frame, sight, out);
        }
        if let AreaTime::Hybrid { grace_units } = weapon.time {
            let reach_units = weapon.radius_units + grace_units;
            let filter = QueryFilter { near: Some(Near { centre: centre_now, radius: units::fx(reach_units) }), ..weapon.filter };
            history.present_frames(&filter, &mut scratch.now, counters);
            out.retain(|hit| {
                scratch.now.iter().filter(|frame| frame.actor == hit.frame.actor).any(|frame| {
                    let stayed = history.frame_at(frame.hitbox, seen_us, counters).is_ok_and(|then| then.epoch == frame.epoch);
                    stayed && weapon.reaches(centre_now, frame, reach_units, sight).is_some()
                })
            });
        }
        if weapon.own == OwnBody::Hurt {
            // Nobody else, and no team rule.
            let filter = QueryFilter {
                ignore_actor: None,
                ignore_team: crate::MatchTeam::NONE,
                ignore_same_team: false,
                near: Some(Near { centre, radius: units::fx(weapon.radius_units) }),
                ..weapon.filter
            };
            scratch.own_at(own_us, present, blast.shooter, history, &filter, counters)?;
            for frame in &scratch.now {
                weapon.meet(centre, frame, sight, out);
            }
        }
        Ok(())
    }

    fn in_range(&self) -> Self {
        let radius_units = self.radius_units.clamp(0, super::MAX_AREA_RADIUS_UNITS);
        let time = match self.time {
            AreaTime::Hybrid { grace_units } => AreaTime::Hybrid { grace_units: grace_units.clamp(0, super::MAX_AREA_RADIUS_UNITS) },
            time => time,
        };
        Self { radius_units, full_units: self.full_units.clamp(0, radius_units), time, ..*self }
    }

    /// How a hitbox lies to a centre, if it is within reach and in sight.
    fn reaches(&self, centre: Point, frame: &HitboxFrame, reach_units: i32, sight: &impl LineOfSight) -> Option<Nearness> {
        let nearness = Nearness::of(centre, frame);
        let to = match self.sight {
            _ if !nearness.is_within(reach_units.into()) => return None,
            SightRule::Through => return Some(nearness),
            SightRule::ToCentre => frame.centre,
            SightRule::ToNearest => nearness.nearest(centre, frame),
        };
        sight.is_clear(centre.to_vec3(), to.to_vec3()).then_some(nearness)
    }

    /// Adds a hitbox to the hits, if it is one and is nearer than what is there of its actor.
    fn meet(&self, centre: Point, frame: &HitboxFrame, sight: &impl LineOfSight, out: &mut Vec<AreaHit>) {
        let at = out.binary_search_by_key(&frame.actor, |hit| hit.frame.actor);
        let best_256ths = at.ok().map(|at| out[at].distance_256ths);
        let distance_256ths = Nearness::of(centre, frame).distance_256ths();
        // Frames come in the order of places, so the first of equals is the one with the smallest index.
        if best_256ths.is_some_and(|best_256ths| distance_256ths >= best_256ths) {
            return;
        }
        let Some(nearness) = self.reaches(centre, frame, self.radius_units, sight) else { return };
        let nearest = nearness.nearest(centre, frame);
        let hit = AreaHit { frame: *frame, distance_256ths, nearest, falloff: self.falloff(distance_256ths) };
        match at {
            Ok(at) => out[at] = hit,
            Err(at) => out.insert(at, hit),
        }
    }
}

/// Where a point of a hitbox's world of the past is now, if the hitbox did not jump in between.
fn moved(point: Point, on: HitboxId, history: &RewindHistory, then_us: u64, counters: &mut RewindCounters) -> Option<Point> {
    let then = history.frame_at(on, then_us, counters).ok()?;
    let now = history.newest_frame(on, counters).ok().filter(|now| now.epoch == then.epoch)?;
    let [point, then, now] = [point, then.centre, now.centre].map(Point::to_array);
    Some(Point::from_array([0, 1, 2].map(|axis| {
        let at = i64::from(point[axis]) + i64::from(now[axis]) - i64::from(then[axis]);
        at.clamp(-i64::from(units::MAX_COORDINATE), units::MAX_COORDINATE.into()) as i32
    })))
}
