//! Plain data as what the engine wants, and its answers as plain data.

use crate::reference::frames::Frame;
use crate::reference::history::Hit;
use crate::reference::lookup::Absence;
use crate::scene::{self, Attributes, Circle, Filter, Kind, Pace, Sample};
use snapback_rewind::{
    ActorId, ActorSet, Cadence, HitboxFrame, HitboxId, HitboxSample, LookupError, MatchTeam, Point, QueryBounds, QueryError, QueryFilter,
    Shape, ShapeKind, SourceShape, SweepHit, TimeError,
};
use std::collections::BTreeMap;

/// What hitboxes of a scene are called.
#[derive(Clone, Default, Debug)]
pub(super) struct Names {
    ids: BTreeMap<usize, HitboxId>,
    hitboxes: BTreeMap<HitboxId, usize>,
}

impl Names {
    pub(super) fn insert(&mut self, hitbox: usize, id: HitboxId) {
        self.ids.insert(hitbox, id);
        assert_eq!(self.hitboxes.insert(id, hitbox), None, "an id names one hitbox");
    }

    pub(super) fn id(&self, hitbox: usize) -> Option<HitboxId> {
        self.ids.get(&hitbox).copied()
    }

    pub(super) fn hitbox(&self, id: HitboxId) -> usize {
        self.hitboxes[&id]
    }
}

pub(super) fn point(point: [i32; 3]) -> Point {
    Point::from_array(point)
}

pub(super) fn team(team: Option<u16>) -> MatchTeam {
    team.map_or(MatchTeam::NONE, MatchTeam::new)
}

pub(super) fn cadence(pace: Pace) -> Cadence {
    match pace {
        Pace::EveryTick => Cadence::EveryServerTick,
        Pace::Owner(hz) => Cadence::OwnerNetUpdateRate { hz },
        Pace::Fixed(hz) => Cadence::FixedHz { hz },
    }
}

pub(super) fn sample(sample: &Sample) -> HitboxSample {
    let shape = match sample.shape {
        scene::Shape::Sphere { radius } => SourceShape::Sphere { radius },
        scene::Shape::Capsule { radius, half_height } => SourceShape::Capsule { radius, half_height },
    };
    HitboxSample {
        position: Point::of(sample.position).expect("in the world"),
        rotation: sample.rotation,
        shape: Shape::of(shape).expect("a good shape"),
        damageable: sample.attributes.damageable,
        blocking: sample.attributes.blocking,
        team: team(sample.attributes.team),
        state_flags: sample.attributes.flags,
        epoch: sample.epoch,
    }
}

fn near(circle: &Circle) -> snapback_rewind::Near {
    // Its height does not matter.
    snapback_rewind::Near { centre: Point { x: circle.x, y: circle.x ^ circle.z, z: circle.z }, radius: circle.radius }
}

pub(super) fn filter(filter: &Filter) -> QueryFilter {
    let mut except = ActorSet::EMPTY;
    if let Some(actor) = filter.except {
        except.insert(ActorId(actor));
    }
    QueryFilter {
        ignore_actor: filter.ignored_actor.map(ActorId),
        except,
        ignore_team: team(filter.ignored_team),
        own_team: team(filter.own_team),
        ignore_same_team: filter.spare_own_team,
        only_damageable: filter.only_damageable,
        include_blocking: filter.blocking,
        include_projectiles: filter.projectiles,
        include_actors: filter.actors,
        near: filter.circle.as_ref().map(near),
    }
}

pub(super) fn bounds(asked: &scene::Near) -> QueryBounds {
    let circle = asked.circle.as_ref().map(near);
    match asked.segment {
        None => QueryBounds::circle(circle.expect("one of the two")),
        Some((from, to, radius)) => {
            let segment = QueryBounds::segment(point(from), point(to), radius.into()).expect("not too long");
            circle.map_or(segment, |circle| segment.and_circle(circle))
        }
    }
}

pub(super) fn absence(reason: LookupError) -> Absence {
    match reason {
        LookupError::Unknown => Absence::Unknown,
        LookupError::Gone => Absence::Gone,
        LookupError::Time(TimeError::Empty) => Absence::Never,
        LookupError::Time(TimeError::OlderThanOldest) => Absence::BeforeOldest,
        LookupError::Time(TimeError::OlderThanMaxRewind) => Absence::TooLongAgo,
        LookupError::Time(TimeError::NewerThanNewest) => Absence::AfterNewest,
        LookupError::Time(TimeError::Gap) => Absence::Gap,
    }
}

pub(super) fn frame(names: &Names, frame: &HitboxFrame) -> Frame {
    Frame {
        hitbox: names.hitbox(frame.hitbox),
        time_us: frame.time_us,
        actor: frame.actor.0,
        component: frame.component.0,
        name: frame.name,
        region: frame.region,
        kind: if frame.projectile { Kind::Projectile } else { Kind::Actor },
        is_capsule: frame.kind == ShapeKind::Capsule,
        centre: frame.centre.to_array().map(i64::from),
        half_axis: frame.half_axis.map(i64::from),
        rotation: frame.rotation,
        radius: frame.radius,
        half_height: frame.half_height,
        broadphase: frame.broadphase_radius,
        attributes: Attributes {
            damageable: frame.damageable,
            blocking: frame.blocking,
            team: frame.team.number(),
            flags: frame.state_flags,
        },
        epoch: frame.epoch,
    }
}

pub(super) fn answer(names: &Names, answer: Result<Option<SweepHit>, QueryError>) -> Result<Option<Hit>, Absence> {
    match answer {
        Ok(hit) => Ok(hit.map(|hit| Hit {
            hitbox: names.hitbox(hit.hitbox),
            piece: hit.piece,
            n: hit.at_in_piece.bits(),
            at: hit.at.bits(),
            time_us: hit.target_us,
            offset: hit.offset.map(i64::from),
        })),
        Err(QueryError::Time(reason)) => Err(absence(reason.into())),
        Err(error) => panic!("no question of a scene is like that: {error}"),
    }
}
