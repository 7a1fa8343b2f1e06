//! Who could be met: filter and bounds before anything is interpolated whole.

use super::lookup::frame;
use super::row::flags;
use super::{RewindHistory, TickPose};
use crate::filter::Seen;
use crate::{
    HitboxDesc, HitboxFrame, HitboxId, LookupError, MatchTeam, QueryBounds, QueryFilter, Rejection, RewindCounters, TimeError, narrow,
};

/// Why a hitbox is no candidate, to the last detail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Against {
    /// There is no pose to judge.
    NoPose(LookupError),
    /// Something else. Where it was is known.
    Rejected(Rejection),
}

impl RewindHistory {
    /// The candidates for a query, as they were at `time_us`, into `out`, which is emptied first, in
    /// the order of places: what `filter` lets through and `bounds` may meet. Everyone else is
    /// counted by reason.
    ///
    /// Never leaves out what a frozen sweep along the segment of the bounds would hit.
    ///
    /// # Errors
    /// If the time cannot be answered for anybody.
    ///
    /// ```
    /// # use snapback_rewind::*;
    /// # let history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    /// let (mut candidates, mut counters) = (Vec::with_capacity(64), RewindCounters::default());
    /// let bounds = QueryBounds::segment(Point::ORIGIN, Point { x: 0, y: 0, z: 16_384 }, 800)?;
    /// let found = history.candidates(1_000, &QueryFilter::default(), &bounds, &mut candidates, &mut counters);
    /// assert_eq!(found, Err(TimeError::Empty));
    /// assert_eq!(counters.failures(TimeError::Empty.into()), 1);
    /// # Ok::<(), QueryError>(())
    /// ```
    pub fn candidates(
        &self,
        time_us: u64,
        filter: &QueryFilter,
        bounds: &QueryBounds,
        out: &mut Vec<HitboxFrame>,
        counters: &mut RewindCounters,
    ) -> Result<(), TimeError> {
        out.clear();
        self.visit_candidates(time_us, filter, bounds, counters, |frame| out.push(frame))
    }

    /// As [`candidates`](Self::candidates), one by one.
    ///
    /// # Errors
    /// If the time cannot be answered for anybody.
    pub fn visit_candidates(
        &self,
        time_us: u64,
        filter: &QueryFilter,
        bounds: &QueryBounds,
        counters: &mut RewindCounters,
        mut each: impl FnMut(HitboxFrame),
    ) -> Result<(), TimeError> {
        counters.queries += 1;
        let mut found = 0;
        let done = self.visit(time_us, filter, Some(bounds), counters, |_, verdict| {
            if let Ok(frame) = verdict {
                found += 1;
                each(frame);
            }
        });
        counters.candidates += found;
        done
    }

    /// Everybody, with what speaks against them.
    pub(crate) fn visit(
        &self,
        time_us: u64,
        filter: &QueryFilter,
        bounds: Option<&QueryBounds>,
        counters: &mut RewindCounters,
        mut each: impl FnMut((HitboxId, &HitboxDesc), Result<HitboxFrame, Against>),
    ) -> Result<(), TimeError> {
        let moment = self.moment(time_us).inspect_err(|&reason| counters.fail(reason.into()))?;
        for (id, desc) in self.described() {
            let index = id.index as usize;
            let judged = self.stand(index, &moment).map_err(Against::NoPose).and_then(|stand| {
                let pose = self.pose_of(index, &moment, stand);
                judge(desc, &pose, filter, bounds).map_err(Against::Rejected)?;
                Ok(frame(id, desc, &pose, &self.meta_of(index, &moment, stand), time_us))
            });
            match judged {
                Ok(_) => {}
                Err(Against::NoPose(_)) => counters.reject(Rejection::NoPose),
                Err(Against::Rejected(reason)) => counters.reject(reason),
            }
            each((id, desc), judged);
        }
        Ok(())
    }
}

pub(super) fn judge(desc: &HitboxDesc, pose: &TickPose, filter: &QueryFilter, bounds: Option<&QueryBounds>) -> Result<(), Rejection> {
    filter.check(&Seen {
        actor: desc.actor,
        team: MatchTeam(pose.team),
        damageable: pose.flags & flags::DAMAGEABLE != 0,
        blocking: pose.flags & flags::BLOCKING != 0,
        projectile: pose.flags & flags::PROJECTILE != 0,
    })?;
    filter.check_near(pose.c, pose.broadphase_units())?;
    bounds.map_or(Ok(()), |bounds| bounds.check(pose.c, pose.broadphase_units(), pose.ball_units()))
}

impl TickPose {
    /// The greater of radius and half height.
    pub(crate) fn broadphase_units(&self) -> u32 {
        self.half_height.max(u32::from(self.radius))
    }

    /// The radius of a ball that surely holds the shape. A lean axis is rounded, so that it can be longer than
    /// the half height says.
    pub(crate) fn ball_units(&self) -> i64 {
        let axis = narrow::ceil_length(self.e.map(i64::from));
        (i64::from(self.radius) + axis).max(i64::from(self.broadphase_units()))
    }
}
