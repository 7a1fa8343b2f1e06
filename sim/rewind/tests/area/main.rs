//! Area damage: past, present and both, with walls, friends and the shooter.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod cadence;
#[path = "../counting/mod.rs"]
mod counting;
mod distance;
mod exact;
mod policies;
mod rules;

use snapback_core::{Fx, NameHash, Quat, Vec3};
use snapback_rewind::area::{AreaBlast, AreaHit, AreaScratch, AreaTime, AreaWeapon, CentreRule, LineOfSight, OwnBody, SightRule};
use snapback_rewind::units::UNITS_PER_METRE;
use snapback_rewind::{
    ActorId, Cadence, ComponentId, HitboxDesc, HitboxId, HitboxSample, MatchTeam, NetRole, Point, QueryFilter, RewindConfig,
    RewindCounters, RewindHistory, Sampled, Shape, SourceShape, TimeError, WorldKind,
};

const SHOOTER: ActorId = ActorId(1);
const TARGET: ActorId = ActorId(2);
/// The time of the first tick, of the newest, and of one in between at which the shooter saw others.
const FIRST_US: u64 = 1_000_000;
const NOW_US: u64 = FIRST_US + 20 * TICK_US;
const SEEN_US: u64 = FIRST_US + 5 * TICK_US;
const TICK_US: u64 = 10_000;

fn cm(x: i32, y: i32, z: i32) -> Point {
    Point::of(Vec3::from_ints(x, y, z)).unwrap()
}

fn body(at: Point) -> HitboxSample {
    HitboxSample {
        position: at,
        rotation: Quat::IDENTITY,
        shape: Shape::of(SourceShape::Capsule { radius: Fx::from_int(30), half_height: Fx::from_int(90) }).unwrap(),
        damageable: true,
        blocking: false,
        team: MatchTeam::NONE,
        state_flags: 0,
        epoch: 0,
    }
}

fn ball(at: Point, radius_cm: i32) -> HitboxSample {
    HitboxSample { shape: Shape::of(SourceShape::Sphere { radius: Fx::from_int(radius_cm) }).unwrap(), ..body(at) }
}

/// A hitbox and how it moves: its sample at a tick, 0 to 20. None when it is gone.
type Mover = (ActorId, Box<dyn Fn(u64) -> Option<HitboxSample>>);

fn mover(actor: ActorId, sample: impl Fn(u64) -> Option<HitboxSample> + 'static) -> Mover {
    (actor, Box::new(sample))
}

fn stands(actor: ActorId, sample: HitboxSample) -> Mover {
    mover(actor, move |_| Some(sample))
}

/// Somebody who is at one place until the shooter saw them there, and then walks to another.
fn goes(actor: ActorId, from: Point, to: Point) -> Mover {
    mover(actor, move |tick| Some(body(if tick <= 7 { from } else { to })))
}

/// A history of 20 ticks.
fn history(movers: &[Mover]) -> (RewindHistory, Vec<HitboxId>) {
    let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    history.record_tick(FIRST_US, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
    let ids: Vec<HitboxId> = movers
        .iter()
        .enumerate()
        .map(|(at, (actor, sample))| {
            let desc = HitboxDesc {
                actor: *actor,
                component: ComponentId(at as u64),
                name: NameHash::of("body"),
                region: NameHash::of("torso"),
                projectile: false,
                client_only: false,
                cadence: Cadence::EveryServerTick,
            };
            history.register(desc, sample(0).unwrap()).unwrap()
        })
        .collect();
    for tick in 1..=20u64 {
        let source = &mut |_: HitboxId, desc: &HitboxDesc| match movers[desc.component.0 as usize].1(tick) {
            Some(sample) => Sampled::Here(sample),
            None => Sampled::Gone,
        };
        history.record_tick(FIRST_US + tick * TICK_US, source).unwrap();
    }
    (history, ids)
}

/// A wall in the plane of one x, from the ground up to a height. `None` is an open field.
struct Wall(Option<(i32, i32)>);

const OPEN: Wall = Wall(None);

impl LineOfSight for Wall {
    fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        let Some((x_cm, height_cm)) = self.0 else { return true };
        let x = Fx::from_int(x_cm);
        let crosses = (from.x < x) != (to.x < x);
        // The height at which the line crosses, by the middle: exact enough for walls of tests.
        !crosses || from.y + (to.y - from.y) * ((x - from.x) / (to.x - from.x)) > Fx::from_int(height_cm)
    }
}

/// 3 m of radius, none of it at full damage.
fn weapon(time: AreaTime) -> AreaWeapon {
    AreaWeapon {
        radius_units: 3 * UNITS_PER_METRE,
        full_units: 0,
        time,
        centre: CentreRule::Impact,
        sight: SightRule::ToCentre,
        filter: QueryFilter::default(),
        own: OwnBody::Spared,
    }
}

const HYBRID: AreaTime = AreaTime::Hybrid { grace_units: UNITS_PER_METRE };
const TIMES: [AreaTime; 3] = [AreaTime::Historical, AreaTime::Present, HYBRID];

fn blast() -> AreaBlast {
    AreaBlast { shooter: SHOOTER, centre: Point::ORIGIN, time_us: NOW_US - 50_000, target_us: SEEN_US, on: None }
}

fn resolve(weapon: &AreaWeapon, blast: &AreaBlast, history: &RewindHistory, wall: &Wall) -> Result<Vec<AreaHit>, TimeError> {
    weapon.validate().unwrap();
    let mut out = Vec::new();
    weapon.resolve(blast, history, wall, &mut AreaScratch::default(), &mut out, &mut RewindCounters::default())?;
    Ok(out)
}

/// Who is met under each of [`TIMES`].
fn met(movers: &[Mover], wall: &Wall) -> [Vec<u64>; 3] {
    let (history, _) = history(movers);
    TIMES.map(|time| resolve(&weapon(time), &blast(), &history, wall).unwrap().iter().map(|hit| hit.frame.actor.0).collect())
}
