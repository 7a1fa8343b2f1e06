//! The present world of the host, as far as projectiles meet it.
//!
//! Walls, blockers and destructibles that stand still need no history: they are met where they are
//! now. The host brings its world as a [`LiveWorld`]; [`Scene`] is one for hosts without physics.

mod scene;
mod sight;
mod solid;

pub use scene::{ColliderDesc, Scene, SceneError};
pub use sight::Sight;
pub use solid::{MAX_SOLID_EXTENT_UNITS, MAX_SOLID_RADIUS_UNITS, Solid, SolidError};

use snapback_core::Vec3;

use crate::{ActorId, ActorSet, ColliderSet, MatchTeam, Point, QueryFilter, Toi};

/// A collider of the host's world. Ties of two hits go to the smaller one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ColliderId(pub u64);

/// What a collider is. The channel of historical proxies is none of these, so that nothing here
/// ever meets one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ColliderKind {
    /// Never moves.
    WorldStatic,
    /// Blocks and may move.
    WorldDynamic,
    /// Can be destroyed. It is in everybody's way. Without a team anybody damages it; of a team, whom the team rules of
    /// the shot let: with `ignore_same_team`, its own do not.
    Destructible,
    /// A character.
    Pawn,
    /// A projectile.
    Projectile,
}

/// A set of [`ColliderKind`].
///
/// ```
/// use snapback_rewind::live::{ColliderKind, KindSet};
/// assert!(KindSet::WORLD.has(ColliderKind::Destructible) && !KindSet::WORLD.has(ColliderKind::Pawn));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct KindSet(u8);

impl KindSet {
    /// None.
    pub const NONE: Self = Self(0);
    /// What has no history: static, dynamic and destructible.
    pub const WORLD: Self = Self::NONE.with(ColliderKind::WorldStatic).with(ColliderKind::WorldDynamic).with(ColliderKind::Destructible);
    /// All.
    pub const ALL: Self = Self::WORLD.with(ColliderKind::Pawn).with(ColliderKind::Projectile);

    /// The set and `kind`.
    #[must_use]
    pub const fn with(self, kind: ColliderKind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    /// Whether `kind` is in it.
    #[must_use]
    pub const fn has(self, kind: ColliderKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }
}

/// A ball on its way through the present world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiveSweep {
    /// Where it begins.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
    /// Its radius in units, 0 to [`MAX_QUERY_RADIUS_UNITS`](crate::query::MAX_QUERY_RADIUS_UNITS).
    pub radius_units: i32,
}

/// What a sweep of the present world may meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiveFilter {
    /// Only these kinds.
    pub kinds: KindSet,
    /// Nothing of this actor.
    pub ignore_actor: Option<ActorId>,
    /// Not what the host tagged `lag_comp_ignore`: in catch-up only.
    pub skip_lag_comp_ignore: bool,
    /// Nothing of these actors: whom a shot is through with.
    pub except: ActorSet,
    /// None of these colliders.
    pub except_colliders: ColliderSet,
    /// No pawn or projectile of this team. Walls and destructibles are in the way of every team, whomever they
    /// let damage them.
    pub ignore_team: MatchTeam,
    /// Nor of this.
    pub ignore_other_team: MatchTeam,
    /// No pawn or projectile that cannot be damaged.
    pub only_damageable: bool,
}

/// All that is no pawn and no projectile.
impl Default for LiveFilter {
    fn default() -> Self {
        Self {
            kinds: KindSet::WORLD,
            ignore_actor: None,
            skip_lag_comp_ignore: false,
            except: ActorSet::EMPTY,
            except_colliders: ColliderSet::EMPTY,
            ignore_team: MatchTeam::NONE,
            ignore_other_team: MatchTeam::NONE,
            only_damageable: false,
        }
    }
}

/// What a filter looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColliderTags {
    /// Which collider.
    pub collider: ColliderId,
    /// Whose it is. Of a wrapper, the wrapper: never a child of it.
    pub actor: ActorId,
    /// What it is.
    pub kind: ColliderKind,
    /// Its team now.
    pub team: MatchTeam,
    /// Whether it can be damaged.
    pub damageable: bool,
    /// Whether catch-up passes it. Nothing else asks.
    pub lag_comp_ignore: bool,
}

impl LiveFilter {
    /// The present world as a filter of the past would have it: pawns and projectiles of the present
    /// are met like hitboxes of actors and of projectiles.
    #[must_use]
    pub fn like(filter: &QueryFilter) -> Self {
        let kinds = if filter.include_actors { KindSet::WORLD.with(ColliderKind::Pawn) } else { KindSet::WORLD };
        Self {
            kinds: if filter.include_projectiles { kinds.with(ColliderKind::Projectile) } else { kinds },
            ignore_actor: filter.ignore_actor,
            skip_lag_comp_ignore: false,
            except: filter.except,
            except_colliders: ColliderSet::EMPTY,
            ignore_team: filter.ignore_team,
            ignore_other_team: if filter.ignore_same_team { filter.own_team } else { MatchTeam::NONE },
            only_damageable: filter.only_damageable,
        }
    }

    /// Whether a collider may be met.
    #[must_use]
    pub fn lets(&self, tags: &ColliderTags) -> bool {
        let moves_by_itself = matches!(tags.kind, ColliderKind::Pawn | ColliderKind::Projectile);
        let ignored = self.ignore_actor == Some(tags.actor)
            || self.except.contains(tags.actor)
            || self.except_colliders.contains(tags.collider)
            || self.skip_lag_comp_ignore && tags.lag_comp_ignore;
        let passed =
            self.ignore_team.is_same(tags.team) || self.ignore_other_team.is_same(tags.team) || self.only_damageable && !tags.damageable;
        self.kinds.has(tags.kind) && !ignored && !(moves_by_itself && passed)
    }
}

/// What a sweep of the present world met first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiveHit {
    /// When on its way: the smallest time at which the ball touches the collider.
    pub at: Toi,
    /// What it met.
    pub collider: ColliderId,
    /// Whose it is.
    pub actor: ActorId,
    /// What it is.
    pub kind: ColliderKind,
    /// Its team.
    pub team: MatchTeam,
    /// Whether it can be damaged.
    pub damageable: bool,
    /// Away from the collider, of length one.
    pub normal: Vec3,
}

/// The present world of the host.
pub trait LiveWorld {
    /// The nearest collider that `sweep` meets of those that `filter` [lets](LiveFilter::lets), of two
    /// at the same time that of the smaller id. A ball that touches one where it begins meets it at
    /// [`Toi::START`], with the normal of the shortest way out.
    fn sweep(&self, sweep: &LiveSweep, filter: &LiveFilter) -> Option<LiveHit>;

    /// Whether nothing that `filter` lets through is between two places. There is no line of sight
    /// to what is outside of the world.
    fn line_of_sight(&self, from: Vec3, to: Vec3, filter: &LiveFilter) -> bool {
        let (Ok(from), Ok(to)) = (Point::of(from), Point::of(to)) else { return false };
        self.sweep(&LiveSweep { from, to, radius_units: 0 }, filter).is_none()
    }
}

impl<L: LiveWorld + ?Sized> LiveWorld for &L {
    fn sweep(&self, sweep: &LiveSweep, filter: &LiveFilter) -> Option<LiveHit> {
        (**self).sweep(sweep, filter)
    }

    fn line_of_sight(&self, from: Vec3, to: Vec3, filter: &LiveFilter) -> bool {
        (**self).line_of_sight(from, to, filter)
    }
}
