//! A projectile that caught up is, to the bit, where one would be that had been there all the time.

use super::rig::{Host, Mover, SHOOTER, T0, World, body, bullet, cm};
use snapback_core::{Angle, Fx, Quat, Rng, Vec3};
use snapback_rewind::catchup::{CatchUpWorld, ProjectileCatchUp};
use snapback_rewind::flight::{
    AfterCatchUp, Flight, FlightCounters, FlightOwner, Gravity, Impact, ImpactRule, ProjectileSpec, Shot, Verdict,
};
use snapback_rewind::live::{ColliderKind, Solid};
use snapback_rewind::{MatchTeam, NetRole, WorldKind};

fn room(world: &mut World, rng: &mut Rng) {
    let half = 200 + rng.below(400) as i32;
    for (normal, place) in [
        (Vec3::X, cm(-half, 0, 0)),
        (-Vec3::X, cm(half, 0, 0)),
        (Vec3::Y, cm(0, -150, 0)),
        (-Vec3::Y, cm(0, half, 0)),
        (Vec3::Z, cm(0, 0, -half)),
        (-Vec3::Z, cm(0, 0, half)),
    ] {
        world.add(50, ColliderKind::WorldStatic, Solid::half_space(normal).unwrap(), place);
    }
    for actor in 60..60 + u64::from(rng.below(6)) {
        let mut part = |range: u32| rng.below(range) as i32;
        let place = cm(part(600) - 300, part(300) - 150, 80 + part(200));
        let solid = match part(3) {
            0 => Solid::ball(Fx::from_int(5 + part(50))),
            1 => Solid::capsule(Fx::from_int(5 + part(50)), Fx::from_int(90)),
            _ => Solid::cuboid(Vec3::from_ints(part(80), 1 + part(80), part(80))),
        };
        let kind = if rng.chance(500_000) { ColliderKind::Destructible } else { ColliderKind::WorldStatic };
        world.add(actor, kind, solid.unwrap(), place);
    }
}

fn spec(rng: &mut Rng) -> ProjectileSpec {
    let on_impact = match rng.below(4) {
        0 => ImpactRule::Stop,
        1 => ImpactRule::Pierce,
        _ => ImpactRule::Bounce { restitution: Fx::ratio(rng.below(101) as i32, 100) },
    };
    let speed = [300, 3_000, 30_000, 300_000][rng.below(4) as usize];
    ProjectileSpec {
        radius: Fx::ratio(1 + rng.below(200) as i32, 10),
        muzzle_speed: Fx::ratio(rng.below(speed * 10) as i32, 10),
        gravity: Vec3::from_ints(0, -(rng.below(3_000) as i32), 0),
        max_impacts: 1 + rng.below(60),
        on_impact,
        ..bullet()
    }
}

fn aim(rng: &mut Rng) -> Quat {
    let mut part = || rng.below(2_001) as i32 - 1_000;
    Quat::from_axis_angle(Vec3::from_ints(part(), part(), part()), Angle::from_degrees(part() % 180))
}

#[test]
fn caught_up_is_bit_exactly_where_a_live_one_is() {
    let (mut bounced, mut flying) = (0, 0);
    for seed in 0..1_500 {
        let mut rng = Rng::new(seed, 1);
        let tick_us = [4_167, 8_333, 10_000, 16_667, 33_333][rng.below(5) as usize];
        let mut world = World::new(tick_us, 2, &[]);
        world.now_us = T0 + 1_000_000;
        room(&mut world, &mut rng);
        let spec = spec(&mut rng);
        let mut spawn = world.shot(u64::from(rng.below(250_001)), 0, spec);
        spawn.fire.rotation = aim(&mut rng);
        let mut host = Host::default();
        let caught = world.launch_with(&spawn, &mut host).unwrap();

        let velocity = spawn.fire.rotation.rotate(Vec3::new(Fx::ZERO, Fx::ZERO, spec.muzzle_speed));
        let shot = Shot { shooter: SHOOTER, sequence: 3, muzzle: spawn.muzzle, velocity, fire_us: spawn.fire.fire_us };
        let owner = FlightOwner::authority(WorldKind::Game, NetRole::Authority).unwrap();
        let mut live = Flight::new(owner, spec, spec.ballistics(), shot, tick_us).unwrap();
        let mut impacts = Vec::new();
        let fly = |flight: &mut Flight<Gravity>, impacts: &mut Vec<Impact>| {
            let note = &mut |impact: &Impact| {
                impacts.push(*impact);
                Ok::<_, ()>(Verdict::GoOn)
            };
            flight.tick_live(&world.scene, None, &mut FlightCounters::default(), &mut (), note).unwrap();
        };
        for _ in 0..caught.report.steps {
            fly(&mut live, &mut impacts);
        }
        assert_eq!(host.impacts, impacts, "seed {seed}");
        if caught.report.steps > 0 {
            assert_eq!((caught.flight.body(), caught.flight.time_us()), (live.body(), live.time_us()), "seed {seed}");
        }
        assert_eq!((caught.flight.end(), caught.flight.impacts()), (live.end(), live.impacts()), "seed {seed}");
        bounced += usize::from(impacts.len() > 1);
        // And it stays so.
        let (mut caught, mut later) = (caught.flight, Vec::new());
        if caught.time_us() == live.time_us() {
            for _ in 0..20 {
                fly(&mut caught, &mut later);
                fly(&mut live, &mut impacts);
            }
            assert_eq!(caught.body(), live.body(), "seed {seed}");
            flying += usize::from(live.end().is_none());
        }
    }
    assert!(bounced > 300 && flying > 100, "{bounced} bounced, {flying} still fly");
}

/// Under a constant delay, catching up the whole way is catching up a part of it and flying the rest:
/// with targets of the past, bounces and walls.
#[test]
fn where_catch_up_ends_and_live_flight_begins_makes_no_difference() {
    let (mut hits, mut shots) = (0, 0);
    for seed in 0..1_000 {
        let mut rng = Rng::new(seed, 2);
        let tick_us = [4_167, 10_000, 16_667][rng.below(3) as usize];
        let movers: Vec<Mover> = (0..4u64)
            .map(|actor| {
                let mut part = |range: u32| i64::from(rng.below(range));
                let (x, z, speed) = (part(400) - 200, 60 + part(150), part(40) - 20);
                body(100 + actor, MatchTeam::NONE, move |time_us| [(x + (time_us - T0) as i64 * speed / 20_000) as i32, 0, z as i32])
            })
            .collect();
        let mut world = World::new(tick_us, 400_000 / u64::from(tick_us), &movers);
        room(&mut world, &mut rng);
        let spec = ProjectileSpec { after: AfterCatchUp::ConstantDelay, ..spec(&mut rng) };
        let mut spawn = world.shot(u64::from(tick_us) * 9, rng.below(100_000), spec);
        spawn.fire.rotation = aim(&mut rng);
        spawn.fire.fire_us -= u64::from(rng.below(tick_us));
        let mut whole = Host::default();
        let all = world.launch_with(&spawn, &mut whole).unwrap();
        for steps in 1..9 {
            let catch_up = ProjectileCatchUp::new(tick_us).unwrap();
            let mut view = CatchUpWorld { now_us: spawn.fire.fire_us + u64::from(steps * tick_us), ..world.view() };
            let (mut host, mut counters) = (Host::default(), FlightCounters::default());
            let part = catch_up.launch(&mut view, &spawn, spec.ballistics(), &mut host, &mut counters, &mut ()).unwrap();
            let (mut flight, mut impacts) = (part.flight, host.impacts);
            for _ in steps..9 {
                let note = &mut |impact: &Impact| {
                    impacts.push(*impact);
                    Ok::<_, ()>(Verdict::GoOn)
                };
                flight.tick_live(&world.scene, Some(&world.history), &mut counters, &mut (), note).unwrap();
            }
            assert_eq!(whole.impacts, impacts, "seed {seed}, {steps} steps");
            assert_eq!((all.flight.body(), all.flight.end()), (flight.body(), flight.end()), "seed {seed}, {steps} steps");
        }
        shots += 1;
        hits += usize::from(!whole.victims().is_empty());
    }
    assert!(hits * 10 > shots, "{hits} of {shots}");
}
