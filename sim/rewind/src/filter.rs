//! [`QueryFilter`]: which hitboxes a query may meet, asked before anything is computed.

use snapback_core::Fx;

use crate::{ActorId, ActorSet, HitboxFrame, MatchTeam, Point, units};

/// Which hitboxes a query may meet.
///
/// The default asks for what can be damaged. A shield that blocks and cannot be damaged is not met by it: a query that
/// shields stop has `only_damageable: false`, and leaves [`include_blocking`](Self::include_blocking) on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryFilter {
    /// Nothing of this actor, such as the shooter.
    pub ignore_actor: Option<ActorId>,
    /// Nothing of these either: whom a shot is through with.
    pub except: ActorSet,
    /// Nothing of this team.
    pub ignore_team: MatchTeam,
    /// The team of who asks, for [`ignore_same_team`](Self::ignore_same_team).
    pub own_team: MatchTeam,
    /// Nothing of [`own_team`](Self::own_team). Who has no team ignores nobody by that.
    pub ignore_same_team: bool,
    /// Only what can be damaged: no shield that merely blocks.
    pub only_damageable: bool,
    /// Also what blocks. Brings in nothing that [`only_damageable`](Self::only_damageable) leaves out.
    pub include_blocking: bool,
    /// Also projectiles.
    pub include_projectiles: bool,
    /// Also what is no projectile.
    pub include_actors: bool,
    /// Only what is near, in the plane of x and z: `d² <= (radius + broadphase)²`.
    pub near: Option<Near>,
}

/// A circle in the plane of x and z.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Near {
    /// Its centre. y does not matter.
    pub centre: Point,
    /// Its radius, zero or more.
    pub radius: Fx,
}

impl Default for QueryFilter {
    fn default() -> Self {
        Self {
            ignore_actor: None,
            except: ActorSet::EMPTY,
            ignore_team: MatchTeam::NONE,
            own_team: MatchTeam::NONE,
            ignore_same_team: false,
            only_damageable: true,
            include_blocking: true,
            include_projectiles: false,
            include_actors: true,
            near: None,
        }
    }
}

/// Why a hitbox is no candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rejection {
    /// It belongs to the ignored actor.
    IgnoredActor,
    /// It belongs to the ignored team.
    IgnoredTeam,
    /// It belongs to the team of who asks.
    SameTeam,
    /// It cannot be damaged.
    NotDamageable,
    /// It blocks, and blocking ones are left out.
    Blocking,
    /// It is a projectile, and projectiles are left out.
    Projectile,
    /// It is no projectile, and actors are left out.
    NotProjectile,
    /// It is outside of the circle.
    NotNear,
    /// The query's segment passes its broadphase ball.
    Apart,
    /// It has no pose at that time.
    NoPose,
}

impl Rejection {
    /// All of them, in the order in which they are asked.
    pub const ALL: [Self; 10] = [
        Self::NoPose,
        Self::Projectile,
        Self::NotProjectile,
        Self::IgnoredActor,
        Self::IgnoredTeam,
        Self::SameTeam,
        Self::NotDamageable,
        Self::Blocking,
        Self::NotNear,
        Self::Apart,
    ];
}

/// What a filter looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub actor: ActorId,
    pub team: MatchTeam,
    pub damageable: bool,
    pub blocking: bool,
    pub projectile: bool,
}

impl QueryFilter {
    /// Everything but what is about places.
    pub(crate) fn check(&self, seen: &Seen) -> Result<(), Rejection> {
        let rules = [
            (seen.projectile && !self.include_projectiles, Rejection::Projectile),
            (!seen.projectile && !self.include_actors, Rejection::NotProjectile),
            (self.ignore_actor == Some(seen.actor) || self.except.contains(seen.actor), Rejection::IgnoredActor),
            (self.ignore_team.is_same(seen.team), Rejection::IgnoredTeam),
            (self.ignore_same_team && self.own_team.is_same(seen.team), Rejection::SameTeam),
            (self.only_damageable && !seen.damageable, Rejection::NotDamageable),
            (!self.include_blocking && seen.blocking, Rejection::Blocking),
        ];
        rules.iter().find(|(rejects, _)| *rejects).map_or(Ok(()), |&(_, reason)| Err(reason))
    }
}

impl QueryFilter {
    /// What is about places.
    pub(crate) fn check_near(&self, centre: [i32; 3], broadphase_units: u32) -> Result<(), Rejection> {
        match &self.near {
            Some(near) if !near.meets(centre, broadphase_units) => Err(Rejection::NotNear),
            _ => Ok(()),
        }
    }

    /// Whether a frame is a candidate.
    ///
    /// # Errors
    /// The first reason against it, in the order of [`Rejection::ALL`].
    pub fn check_frame(&self, frame: &HitboxFrame) -> Result<(), Rejection> {
        let HitboxFrame { actor, team, damageable, blocking, projectile, .. } = *frame;
        self.check(&Seen { actor, team, damageable, blocking, projectile })?;
        self.check_near(frame.centre.to_array(), frame.broadphase_units())
    }
}

impl Near {
    /// `d² <= (radius + broadphase)²` in the plane of x and z, exactly. A negative radius takes from the broadphase.
    pub(crate) fn meets(&self, centre: [i32; 3], broadphase_units: u32) -> bool {
        let apart = |a: i32, b: i32| (i128::from(a) - i128::from(b)) * i128::from(units::DELTAS_PER_UNIT);
        let (x, z) = (apart(centre[0], self.centre.x), apart(centre[2], self.centre.z));
        let reach = i128::from(self.radius.to_bits()) + i128::from(broadphase_units) * i128::from(units::DELTAS_PER_UNIT);
        reach >= 0 && x * x + z * z <= reach * reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(radius: Fx, x: i32, z: i32, broadphase_units: u32) -> bool {
        Near { centre: Point::from_array([10, 999, 20]), radius }.meets([10 + x, -999, 20 + z], broadphase_units)
    }

    #[test]
    fn a_circle_reaches_as_far_as_both_radii_whatever_the_height() {
        let radius = units::fx(30);
        assert!(met(radius, 50, 0, 20) && met(radius, 30, -40, 20));
        assert!(!met(radius, 51, 0, 20) && !met(radius, 30, 41, 20));
        // The radius is not quantised: 30 units less the smallest step.
        assert!(!met(radius - Fx::DELTA, 50, 0, 20));
    }

    #[test]
    fn a_hostile_circle_overflows_nowhere() {
        assert!(met(Fx::MAX, i32::MAX - 10, i32::MIN + 20, u32::MAX));
        assert!(!met(Fx::MIN, 0, 0, u32::MAX));
        assert!(!met(-units::fx(5), 0, 0, 4) && met(-units::fx(5), 0, 0, 5));
        let far = Near { centre: Point::from_array([i32::MIN; 3]), radius: Fx::ZERO };
        assert!(!far.meets([i32::MAX; 3], 0));
    }

    #[test]
    fn every_reason_has_a_place_of_its_own_in_the_list() {
        for (at, reason) in Rejection::ALL.iter().enumerate() {
            assert!(!Rejection::ALL[..at].contains(reason));
            assert!((*reason as usize) < Rejection::ALL.len());
        }
    }
}
