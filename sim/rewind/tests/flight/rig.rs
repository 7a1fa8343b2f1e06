//! A scene and a flight in it.

use snapback_core::{Fx, Vec3};
use snapback_rewind::flight::{
    Flight, FlightCounters, FlightError, FlightOwner, Gravity, Impact, ImpactRule, ProjectileSpec, Shot, TickError, Verdict,
};
use snapback_rewind::live::{ColliderDesc, ColliderId, ColliderKind, Scene, Solid};
use snapback_rewind::{ActorId, MatchTeam, NetRole, Point, WorldKind};

pub(crate) const TICK_US: u32 = 10_000;

pub(crate) fn cm(x: i32, y: i32, z: i32) -> Point {
    Point::of(Vec3::from_ints(x, y, z)).unwrap()
}

pub(crate) fn cuboid(x: i32, y: i32, z: i32) -> Solid {
    Solid::cuboid(Vec3::from_ints(x, y, z)).unwrap()
}

pub(crate) struct Range {
    pub(crate) scene: Scene,
    pub(crate) counters: FlightCounters,
    pub(crate) impacts: Vec<Impact>,
}

impl Range {
    pub(crate) fn new() -> Self {
        Self { scene: Scene::new(64), counters: FlightCounters::default(), impacts: Vec::new() }
    }

    pub(crate) fn add(&mut self, actor: u64, kind: ColliderKind, team: u16, solid: Solid, place: Point) -> ColliderId {
        let damageable = matches!(kind, ColliderKind::Destructible | ColliderKind::Pawn | ColliderKind::Projectile);
        let (actor, team) = (ActorId(actor), MatchTeam::new(team));
        self.scene.add(ColliderDesc { actor, kind, team, damageable, lag_comp_ignore: false, solid, place }).unwrap()
    }

    pub(crate) fn wall(&mut self, solid: Solid, place: Point) -> ColliderId {
        self.add(50, ColliderKind::WorldStatic, u16::MAX, solid, place)
    }

    pub(crate) fn tick(&mut self, flight: &mut Flight<Gravity>) -> Result<(), TickError<()>> {
        let impacts = &mut self.impacts;
        let note = &mut |impact: &Impact| {
            impacts.push(*impact);
            Ok(Verdict::GoOn)
        };
        flight.tick_live(&self.scene, None, &mut self.counters, &mut (), note)
    }

    pub(crate) fn ticks(&mut self, flight: &mut Flight<Gravity>, ticks: u32) {
        for _ in 0..ticks {
            self.tick(flight).unwrap();
        }
    }

    pub(crate) fn victims(&self) -> Vec<u64> {
        self.impacts.iter().filter(|impact| impact.damage).map(|impact| impact.target.actor().0).collect()
    }
}

pub(crate) fn authority() -> FlightOwner {
    FlightOwner::authority(WorldKind::Game, NetRole::Authority).unwrap()
}

/// From `muzzle` at `velocity`, of actor 1 and team 1.
pub(crate) fn flight(spec: ProjectileSpec, muzzle: Vec3, velocity: Vec3) -> Flight<Gravity> {
    let shot = Shot { shooter: ActorId(1), sequence: 5, muzzle, velocity, fire_us: 0 };
    Flight::new(authority(), ProjectileSpec { team: MatchTeam::new(1), ..spec }, spec.ballistics(), shot, TICK_US).unwrap()
}

pub(crate) fn ball(restitution: Fx) -> ProjectileSpec {
    ProjectileSpec { max_impacts: 255, on_impact: ImpactRule::Bounce { restitution }, ..ProjectileSpec::default() }
}

pub(crate) fn lost(error: TickError<()>) -> FlightError {
    match error {
        TickError::Flight(error) => error,
        TickError::Host(()) => panic!("no host failed"),
    }
}
