//! [`Obstacle`]: what stands in the present world: walls, floors, crates.

use super::actor::{MAX_COORDINATE, MAX_SIZE, read_team};
use super::read::{Node, Read};
use crate::live::{ColliderDesc, ColliderKind, Solid};
use crate::{ActorId, MatchTeam, Point};
use snapback_core::{Fx, Vec3};

/// Something of the present world, which has no history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// Its name, unlike any other's.
    pub name: String,
    /// Its shape and where it is.
    pub shape: ObstacleShape,
    /// What it is.
    pub kind: ObstacleKind,
    /// Its team.
    pub team: MatchTeam,
    /// Whether it can be damaged.
    pub damageable: bool,
    /// Whether catch-up passes through it: the tag `lag_comp_ignore`.
    pub lag_comp_ignore: bool,
}

/// The shape of an obstacle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObstacleShape {
    /// A box along the axes.
    Box {
        /// Its middle.
        centre: Vec3,
        /// Half of its size.
        half: Vec3,
    },
    /// A ball.
    Ball {
        /// Its middle.
        centre: Vec3,
        /// Its radius.
        radius: Fx,
    },
    /// All that is not above a plane.
    HalfSpace {
        /// A point of the plane.
        point: Vec3,
        /// Away from it, out of the solid; of any length.
        normal: Vec3,
    },
}

/// What an obstacle is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObstacleKind {
    /// Never moves: walls, floors.
    Static,
    /// May move, and blocks.
    Dynamic,
    /// Can be destroyed.
    Destructible,
}

/// Obstacles are numbered from here, actors before.
const FIRST_ACTOR: u64 = 1_000;

impl Obstacle {
    /// What the present world has of it; `place` is its place in the file.
    pub(super) fn collider(&self, place: usize) -> Option<ColliderDesc> {
        let (solid, at) = match self.shape {
            ObstacleShape::Box { centre, half } => (Solid::cuboid(half), centre),
            ObstacleShape::Ball { centre, radius } => (Solid::ball(radius), centre),
            ObstacleShape::HalfSpace { point, normal } => (Solid::half_space(normal), point),
        };
        Some(ColliderDesc {
            actor: ActorId(FIRST_ACTOR + place as u64),
            kind: match self.kind {
                ObstacleKind::Static => ColliderKind::WorldStatic,
                ObstacleKind::Dynamic => ColliderKind::WorldDynamic,
                ObstacleKind::Destructible => ColliderKind::Destructible,
            },
            team: self.team,
            damageable: self.damageable,
            lag_comp_ignore: self.lag_comp_ignore,
            solid: solid.ok()?,
            place: Point::of(at).ok()?,
        })
    }

    /// Which obstacle an actor of the present world is, if it is one.
    pub(super) fn place_of(actor: ActorId) -> Option<usize> {
        actor.0.checked_sub(FIRST_ACTOR).map(|place| place as usize)
    }

    pub(super) fn read(mut node: Node<'_>) -> Read<Self> {
        #[derive(Clone, Copy)]
        enum Shape {
            Box,
            Ball,
            HalfSpace,
        }
        let name = node.own_name("obstacle")?;
        let shape = node.choice("shape", &[("box", Shape::Box), ("ball", Shape::Ball), ("half space", Shape::HalfSpace)])?;
        let shape = match shape {
            Shape::Box => {
                let (centre, half) = (node.vector("centre_cm", MAX_COORDINATE)?, node.vector("half_size_cm", MAX_SIZE)?);
                if half.x <= Fx::ZERO || half.y <= Fx::ZERO || half.z <= Fx::ZERO {
                    return Err(node.error("half_size_cm", "has a part that is not over zero", "give three lengths over zero"));
                }
                ObstacleShape::Box { centre, half }
            }
            Shape::Ball => ObstacleShape::Ball {
                centre: node.vector("centre_cm", MAX_COORDINATE)?,
                radius: node.decimal("radius_cm", Fx::ratio(1, 10), Fx::from_int(6_000))?,
            },
            Shape::HalfSpace => {
                let (point, normal) = (node.vector("point_cm", MAX_COORDINATE)?, node.vector("normal", Fx::from_int(1_000))?);
                if normal.normalise().is_none() {
                    return Err(node.error("normal", "is zero", "give a direction out of the solid, such as [0, 1, 0] for a floor"));
                }
                ObstacleShape::HalfSpace { point, normal }
            }
        };
        let kinds = [("static", ObstacleKind::Static), ("dynamic", ObstacleKind::Dynamic), ("destructible", ObstacleKind::Destructible)];
        let kind = node.choice_or("kind", &kinds, ObstacleKind::Static)?;
        let team = read_team(&mut node)?.unwrap_or(MatchTeam::NONE);
        let damageable = node.truth_or("damageable", kind == ObstacleKind::Destructible)?;
        let lag_comp_ignore = node.truth_or("lag_comp_ignore", false)?;
        node.finish()?;
        Ok(Self { name, shape, kind, team, damageable, lag_comp_ignore })
    }
}
