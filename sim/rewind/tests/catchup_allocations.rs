//! Catching up and flying on allocate nothing.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_core::{Fx, NameHash, Quat, Vec3};
use snapback_rewind::catchup::{CatchUpWorld, Destroyed, ProjectileCatchUp, ProjectileHost, Spawn};
use snapback_rewind::fire::AcceptedFire;
use snapback_rewind::flight::{AfterCatchUp, Body, FlightCounters, Impact, ImpactRule, ProjectileSpec, Verdict};
use snapback_rewind::live::{ColliderDesc, ColliderKind, Scene, Solid};
use snapback_rewind::*;

mod counting;

#[derive(Default)]
struct Host {
    impacts: u32,
}

impl ProjectileHost for Host {
    type Projectile = u32;
    type Error = ();

    fn begin_spawn(&mut self, _: &Spawn) -> Result<u32, ()> {
        Ok(1)
    }

    fn set_overlap(&mut self, _: u32, _: bool) {}

    fn finish_spawn(&mut self, _: u32, _: &mut RewindHistory) -> Result<Option<ActorId>, ()> {
        Ok(None)
    }

    fn impact(&mut self, _: u32, _: &Impact) -> Result<Verdict, ()> {
        self.impacts += 1;
        Ok(Verdict::GoOn)
    }

    fn place(&mut self, _: u32, _: &Body, _: u64) -> Result<(), ()> {
        Ok(())
    }

    fn destroy(&mut self, _: u32, _: Destroyed) {}
}

#[test]
fn a_shot_allocates_nothing() {
    let sample = |x_cm: i32| HitboxSample {
        position: Point::of(Vec3::from_ints(x_cm, 0, 400)).unwrap(),
        rotation: Quat::IDENTITY,
        shape: Shape::of(SourceShape::Capsule { radius: Fx::from_int(30), half_height: Fx::from_int(90) }).unwrap(),
        damageable: true,
        blocking: false,
        team: MatchTeam::NONE,
        state_flags: 0,
        epoch: 0,
    };
    let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    history.record_tick(1_000_000, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
    for component in 0..20 {
        let desc = HitboxDesc {
            actor: ActorId(7 + component),
            component: ComponentId(component),
            name: NameHash::of("body"),
            region: NameHash::of("torso"),
            projectile: false,
            client_only: false,
            cadence: Cadence::EveryServerTick,
        };
        history.register(desc, sample(component as i32 * 50)).unwrap();
    }
    let mut scene = Scene::new(2);
    for (normal, z_cm) in [(-Vec3::Z, 900), (Vec3::Z, -100)] {
        scene
            .add(ColliderDesc {
                actor: ActorId(0),
                kind: ColliderKind::WorldStatic,
                team: MatchTeam::NONE,
                damageable: false,
                lag_comp_ignore: false,
                solid: Solid::half_space(normal).unwrap(),
                place: Point::of(Vec3::from_ints(0, 0, z_cm)).unwrap(),
            })
            .unwrap();
    }
    let spec = ProjectileSpec {
        on_impact: ImpactRule::Bounce { restitution: Fx::ratio(9, 10) },
        max_impacts: 100,
        after: AfterCatchUp::ConstantDelay,
        ..ProjectileSpec::default()
    };
    let catch_up = ProjectileCatchUp::new(4_000).unwrap();
    let (mut host, mut counters) = (Host::default(), FlightCounters::default());
    let mut allocated = 0;
    for tick in 1..200u64 {
        let now_us = 1_000_000 + tick * 4_000;
        history.record_tick(now_us, &mut |_, desc: &HitboxDesc| Sampled::Here(sample(desc.component.0 as i32 * 50 + tick as i32))).unwrap();
        let fire = AcceptedFire {
            shooter: ActorId(1),
            sequence: tick as u32,
            rotation: Quat::IDENTITY,
            fire_us: now_us - 150_000,
            view_delay_us: 60_000,
            accepted_us: now_us,
        };
        let mut world = CatchUpWorld { history: &mut history, live: &scene, kind: WorldKind::Game, role: NetRole::Authority, now_us };
        let spawn = Spawn { fire, muzzle: Vec3::ZERO, spec };
        let before = counting::so_far();
        let mut shot = catch_up.launch(&mut world, &spawn, spec.ballistics(), &mut host, &mut counters, &mut ()).unwrap();
        let handle = &mut |_: &Impact| Ok::<_, ()>(Verdict::GoOn);
        shot.flight.tick_live(&scene, Some(&history), &mut counters, &mut (), handle).unwrap();
        allocated += counting::so_far() - before;
    }
    assert_eq!(allocated, 0);
    assert!(host.impacts > 200 && counters.past_sweeps > 5_000, "{} impacts, {} sweeps", host.impacts, counters.past_sweeps);
}
