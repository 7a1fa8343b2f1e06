//! [`Scene`]: a present world of simple solids, for hosts without physics, for tests and scenarios.

use core::fmt;

use super::{ColliderId, ColliderKind, ColliderTags, LiveFilter, LiveHit, LiveSweep, LiveWorld, Solid};
use crate::{ActorId, MatchTeam, Point, Toi, units::MAX_COORDINATE};

/// A sweep asks each of them.
const MAX_COLLIDERS: usize = 1 << 16;

/// What a collider is made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColliderDesc {
    /// Whose it is. Of a wrapper around others, the wrapper.
    pub actor: ActorId,
    /// What it is.
    pub kind: ColliderKind,
    /// Its team. Stationary buildings have none.
    pub team: MatchTeam,
    /// Whether it can be damaged.
    pub damageable: bool,
    /// Whether catch-up passes it, as the host's tag `lag_comp_ignore` says. Nothing else asks.
    pub lag_comp_ignore: bool,
    /// Its shape.
    pub solid: Solid,
    /// Where it is.
    pub place: Point,
}

/// Why a scene refuses a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SceneError {
    /// There is no room.
    Full {
        /// How many it holds.
        max_colliders: usize,
    },
    /// There is no such collider.
    Unknown(ColliderId),
    /// It never moves.
    Static(ColliderId),
    /// It would be more than 65.5 km from the origin.
    OutOfWorld,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full { max_colliders } => write!(f, "the scene holds {max_colliders} colliders, which is all: make it larger"),
            Self::Unknown(ColliderId(id)) => write!(f, "there is no collider {id}"),
            Self::Static(ColliderId(id)) => write!(f, "collider {id} is static and never moves: make it WorldDynamic"),
            Self::OutOfWorld => write!(f, "a collider cannot be more than 65.5 km from the origin"),
        }
    }
}

impl std::error::Error for SceneError {}

/// Boxes, balls, upright capsules and half spaces, where they are now. A sweep asks each of them, in
/// integers and exactly.
///
/// ```
/// use snapback_core::Vec3;
/// use snapback_rewind::live::{ColliderDesc, ColliderKind, LiveFilter, LiveSweep, LiveWorld, Scene, Solid};
/// use snapback_rewind::{ActorId, MatchTeam, Point};
/// let mut scene = Scene::new(16);
/// let wall = scene.add(ColliderDesc {
///     actor: ActorId(1),
///     kind: ColliderKind::WorldStatic,
///     team: MatchTeam::NONE,
///     damageable: false,
///     lag_comp_ignore: false,
///     solid: Solid::cuboid(Vec3::from_ints(100, 200, 500))?,
///     place: Point::of(Vec3::from_ints(300, 0, 0))?,
/// })?;
/// let sweep = LiveSweep { from: Point::ORIGIN, to: Point::of(Vec3::from_ints(400, 0, 0))?, radius_units: 0 };
/// let hit = scene.sweep(&sweep, &LiveFilter::default()).unwrap();
/// assert_eq!((hit.collider, hit.normal, hit.at.bits()), (wall, -Vec3::X, 1 << 29));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    max_colliders: usize,
    next: u64,
    /// By id.
    colliders: Vec<(ColliderId, ColliderDesc)>,
}

impl Scene {
    /// An empty one with room for this many colliders, at most 65,536: more are cut off. It takes all
    /// its memory now.
    #[must_use]
    pub fn new(max_colliders: usize) -> Self {
        let max_colliders = max_colliders.min(MAX_COLLIDERS);
        Self { max_colliders, next: 0, colliders: Vec::with_capacity(max_colliders) }
    }

    /// Puts a collider in. Ids count up from 0 and never come again.
    ///
    /// # Errors
    /// If there is no room, or it is out of the world.
    pub fn add(&mut self, desc: ColliderDesc) -> Result<ColliderId, SceneError> {
        if self.colliders.len() >= self.max_colliders {
            return Err(SceneError::Full { max_colliders: self.max_colliders });
        }
        check_place(desc.place)?;
        let id = ColliderId(self.next);
        self.next += 1;
        self.colliders.push((id, desc));
        Ok(id)
    }

    /// Takes a collider out, such as a destructible that is destroyed. Whether it was there.
    pub fn remove(&mut self, id: ColliderId) -> bool {
        self.find(id).map(|at| self.colliders.remove(at)).is_some()
    }

    /// Moves a collider, between two ticks.
    ///
    /// # Errors
    /// If there is none, it is static, or the place is out of the world.
    pub fn place(&mut self, id: ColliderId, place: Point) -> Result<(), SceneError> {
        check_place(place)?;
        let desc = self.desc_mut(id)?;
        if desc.kind == ColliderKind::WorldStatic {
            return Err(SceneError::Static(id));
        }
        desc.place = place;
        Ok(())
    }

    /// Gives a collider to a team.
    ///
    /// # Errors
    /// If there is none.
    pub fn set_team(&mut self, id: ColliderId, team: MatchTeam) -> Result<(), SceneError> {
        self.desc_mut(id)?.team = team;
        Ok(())
    }

    /// Says whether a collider can be damaged.
    ///
    /// # Errors
    /// If there is none.
    pub fn set_damageable(&mut self, id: ColliderId, damageable: bool) -> Result<(), SceneError> {
        self.desc_mut(id)?.damageable = damageable;
        Ok(())
    }

    /// What a collider is now.
    #[must_use]
    pub fn get(&self, id: ColliderId) -> Option<&ColliderDesc> {
        self.colliders.get(self.find(id)?).map(|(_, desc)| desc)
    }

    /// All of them, by id.
    pub fn iter(&self) -> impl Iterator<Item = (ColliderId, &ColliderDesc)> {
        self.colliders.iter().map(|(id, desc)| (*id, desc))
    }

    fn find(&self, id: ColliderId) -> Option<usize> {
        self.colliders.binary_search_by_key(&id, |&(id, _)| id).ok()
    }

    fn desc_mut(&mut self, id: ColliderId) -> Result<&mut ColliderDesc, SceneError> {
        let at = self.find(id).ok_or(SceneError::Unknown(id))?;
        self.colliders.get_mut(at).map(|(_, desc)| desc).ok_or(SceneError::Unknown(id))
    }
}

fn check_place(place: Point) -> Result<(), SceneError> {
    let inside = place.to_array().iter().all(|part| part.unsigned_abs() <= MAX_COORDINATE as u32);
    if inside { Ok(()) } else { Err(SceneError::OutOfWorld) }
}

impl LiveWorld for Scene {
    fn sweep(&self, sweep: &LiveSweep, filter: &LiveFilter) -> Option<LiveHit> {
        let mut best: Option<LiveHit> = None;
        for &(collider, ref desc) in &self.colliders {
            let ColliderDesc { actor, kind, team, damageable, lag_comp_ignore, ref solid, place } = *desc;
            if !filter.lets(&ColliderTags { collider, actor, kind, team, damageable, lag_comp_ignore }) {
                continue;
            }
            // Of two at the same time the earlier id stays.
            let end = match &best {
                None => Toi::END,
                Some(best) if best.at == Toi::START => break,
                Some(best) => Toi(best.at.bits() - 1),
            };
            if let Some((at, normal)) = solid.touch(place, sweep.from, sweep.to, sweep.radius_units, end) {
                best = Some(LiveHit { at, collider, actor, kind, team, damageable, normal });
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Vec3;

    #[test]
    fn a_scene_with_room_for_more_than_there_can_be_has_room_for_as_many_as_there_can_be() {
        let mut scene = Scene::new(usize::MAX);
        let desc = ColliderDesc {
            actor: ActorId(1),
            kind: ColliderKind::WorldStatic,
            team: MatchTeam::NONE,
            damageable: false,
            lag_comp_ignore: false,
            solid: Solid::cuboid(Vec3::from_ints(1, 1, 1)).unwrap(),
            place: Point::ORIGIN,
        };
        assert!((0..MAX_COLLIDERS).all(|_| scene.add(desc).is_ok()));
        assert_eq!(scene.add(desc), Err(SceneError::Full { max_colliders: MAX_COLLIDERS }));
    }
}
