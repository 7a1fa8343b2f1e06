//! A shot of the engine: launched, caught up, and followed tick by tick.

use super::convert::{self, Names};
use crate::reference::flight::{Body, End, Flown, Impact, Target};
use crate::scene::{After, Rule, Shot, Solid, Stuff, Wall};
use core::convert::Infallible;
use snapback_rewind::catchup::{CatchUpWorld, Destroyed, LaunchError, Launched, Outcome, ProjectileCatchUp, ProjectileHost, Spawn};
use snapback_rewind::fire::AcceptedFire;
use snapback_rewind::flight::{self, AfterCatchUp, FlightCounters, FlightEnd, FlightError, ImpactRule, ImpactTarget, ProjectileSpec};
use snapback_rewind::flight::{TickError, Verdict};
use snapback_rewind::live::{self, ColliderDesc, ColliderKind, Scene};
use snapback_rewind::{ActorId, NetRole, RewindHistory, WorldKind, units};

/// The host of one projectile, which notes what it is told.
struct Host<'a> {
    names: &'a Names,
    own_actor: Option<ActorId>,
    impacts: Vec<Impact>,
}

impl ProjectileHost for Host<'_> {
    type Projectile = ();
    type Error = Infallible;

    fn begin_spawn(&mut self, _: &Spawn) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_overlap(&mut self, (): (), _: bool) {}

    fn finish_spawn(&mut self, (): (), _: &mut RewindHistory) -> Result<Option<ActorId>, Infallible> {
        Ok(self.own_actor)
    }

    fn impact(&mut self, (): (), impact: &flight::Impact) -> Result<Verdict, Infallible> {
        self.impacts.push(convert_impact(self.names, impact));
        Ok(Verdict::GoOn)
    }

    fn place(&mut self, (): (), _: &flight::Body, _: u64) -> Result<(), Infallible> {
        Ok(())
    }

    fn destroy(&mut self, (): (), _: Destroyed) {}
}

fn convert_impact(names: &Names, impact: &flight::Impact) -> Impact {
    let target = match &impact.target {
        ImpactTarget::Hitbox { id, region, historical_us, .. } => {
            Target::Hitbox { hitbox: names.hitbox(*id), region: *region, time_us: *historical_us }
        }
        ImpactTarget::Collider(hit) => Target::Wall { wall: usize::try_from(hit.collider.0).expect("few"), n: hit.at.bits() },
    };
    Impact {
        time_us: impact.time_us,
        body: Body { position: impact.position, velocity: impact.velocity },
        normal: impact.normal,
        target,
        number: impact.number,
        damage: impact.damage,
    }
}

fn scene(walls: &[Wall]) -> Scene {
    let mut scene = Scene::new(walls.len());
    for wall in walls {
        let length = units::fx;
        let solid = match wall.solid {
            Solid::Box([x, y, z]) => live::Solid::cuboid(snapback_core::Vec3::new(length(x), length(y), length(z))),
            Solid::Ball(radius) => live::Solid::ball(length(radius)),
            Solid::Capsule(radius, half_height) => live::Solid::capsule(length(radius), length(half_height)),
            Solid::HalfSpace(normal) => live::Solid::half_space(normal),
        };
        let desc = ColliderDesc {
            actor: ActorId(wall.actor),
            kind: match wall.stuff {
                Stuff::Static => ColliderKind::WorldStatic,
                Stuff::Dynamic => ColliderKind::WorldDynamic,
                Stuff::Destructible => ColliderKind::Destructible,
                Stuff::Pawn => ColliderKind::Pawn,
                Stuff::Projectile => ColliderKind::Projectile,
            },
            team: convert::team(wall.team),
            damageable: wall.damageable,
            lag_comp_ignore: wall.ignored_in_catch_up,
            solid: solid.expect("a good solid"),
            place: convert::point(wall.place),
        };
        scene.add(desc).expect("there is room");
    }
    scene
}

fn spec(shot: &Shot) -> ProjectileSpec {
    ProjectileSpec {
        radius: units::fx(shot.radius.into()),
        muzzle_speed: shot.speed,
        gravity: shot.gravity,
        max_impacts: shot.max_impacts,
        team: convert::team(shot.team),
        filter: convert::filter(&shot.filter),
        on_impact: match shot.rule {
            Rule::Stop => ImpactRule::Stop,
            Rule::Bounce(restitution) => ImpactRule::Bounce { restitution },
            Rule::Pierce => ImpactRule::Pierce,
        },
        damages: shot.damages,
        after: match shot.after {
            After::Collapse => AfterCatchUp::Collapse,
            After::Constant => AfterCatchUp::ConstantDelay,
            After::Ramp(over_us) => AfterCatchUp::RampToZero { over_us },
        },
        source: 0,
    }
}

fn lost(error: FlightError) -> End {
    match error {
        FlightError::OutOfWorld(_) => End::OutOfWorld,
        FlightError::TooFast => End::TooFast,
        FlightError::Query(error) => panic!("no way is like that: {error}"),
    }
}

fn end(end: FlightEnd) -> End {
    match end {
        FlightEnd::Stopped => End::Stopped,
        FlightEnd::ImpactsUsed => End::ImpactsUsed,
        FlightEnd::TargetsUsed => End::TargetsUsed,
        FlightEnd::Lost(error) => lost(error),
        FlightEnd::Ended => panic!("nobody ended it"),
    }
}

pub(super) fn fly(history: &mut RewindHistory, names: &Names, shot: &Shot, walls: &[Wall], late_us: i32) -> Flown {
    let live = scene(walls);
    let mut world =
        CatchUpWorld { history: &mut *history, live: &live, kind: WorldKind::Game, role: NetRole::Authority, now_us: shot.now_us };
    let fire = AcceptedFire {
        shooter: ActorId(shot.shooter),
        sequence: 1,
        rotation: shot.rotation,
        fire_us: shot.fire_us,
        view_delay_us: shot.view_delay_us.saturating_add_signed(late_us),
        accepted_us: shot.now_us,
    };
    let spec = spec(shot);
    let spawn = Spawn { fire, muzzle: shot.muzzle, spec };
    let mut host = Host { names, own_actor: shot.own_actor.map(ActorId), impacts: Vec::new() };
    let catch_up = ProjectileCatchUp::new(shot.step_us).expect("a good tick");
    let mut counters = FlightCounters::default();
    let launched = catch_up.launch(&mut world, &spawn, spec.ballistics(), &mut host, &mut counters, &mut ());
    let start_us = shot.fire_us.clamp(shot.now_us.saturating_sub(catch_up.max_window_us()), shot.now_us);
    let Launched { mut flight, report, .. } = match launched {
        Ok(launched) => launched,
        Err(LaunchError::Flight(error)) => {
            // There is nothing to ask any more.
            let (is_clamped, is_skipped) = (start_us != shot.fire_us, false);
            return Flown { impacts: host.impacts, end: Some(lost(error)), state: None, steps: None, is_clamped, is_skipped };
        }
        Err(error) => panic!("no shot of a scene is like that: {error:?}"),
    };
    let mut impacts = host.impacts;
    assert_eq!((report.impacts, report.hits), (impacts.len() as u64, impacts.iter().filter(|it| it.damage).count() as u64));
    assert!(report.candidate_queries <= 8, "{report:?}");
    for _ in 0..shot.live_steps {
        let mut note = |impact: &flight::Impact| {
            impacts.push(convert_impact(names, impact));
            Ok::<_, Infallible>(Verdict::GoOn)
        };
        match flight.tick_live(&live, Some(history), &mut counters, &mut (), &mut note) {
            Ok(()) | Err(TickError::Flight(_)) => {}
        }
    }
    Flown {
        impacts,
        end: flight.end().map(end),
        state: Some((Body { position: flight.body().position, velocity: flight.body().velocity }, flight.time_us())),
        steps: Some(report.steps),
        is_clamped: report.clamped_start,
        is_skipped: report.outcome == Outcome::Skipped,
    }
}
