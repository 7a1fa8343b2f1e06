//! [`QueryFilter`]: which hitboxes a query may meet, asked before anything is computed.

use snapback_core::Fx;

use crate::{ActorId, ActorSet, MatchTeam, Point};

/// Which hitboxes a query may meet.
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
    /// Only what can be damaged.
    pub only_damageable: bool,
    /// Also what blocks.
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
    /// Whether a frame is a candidate.
    ///
    /// # Errors
    /// The first reason against it.
    pub fn check_frame(&self, frame: &crate::HitboxFrame) -> Result<(), Rejection> {
        let crate::HitboxFrame { actor, team, damageable, blocking, projectile, .. } = *frame;
        self.check(&Seen { actor, team, damageable, blocking, projectile })?;
        let Some(near) = self.near else { return Ok(()) };
        let apart = |a: i32, b: i32| i128::from(i64::from(a) - i64::from(b));
        let (x, z) = (apart(frame.centre.x, near.centre.x), apart(frame.centre.z, near.centre.z));
        let reach = i128::from((near.radius + frame.broadphase_radius).to_bits());
        let scale = i128::from(crate::units::DELTAS_PER_UNIT);
        if (x * x + z * z) * scale * scale <= reach * reach { Ok(()) } else { Err(Rejection::NotNear) }
    }
}
