//! Random catch-ups, and what must hold of each.
//!
//! `SNAPBACK_SEED=N cargo test -p snapback-rewind --test catchup soak` runs one seed again.

use super::rig::{Call, Host, Mover, SHOOTER, T0, World, body, bullet, cm, sample};
use snapback_core::{Angle, Fx, Quat, Rng, Vec3};
use snapback_rewind::catchup::{CatchUpObserver, LaunchError, Outcome, ProjectileCatchUp, Spawn};
use snapback_rewind::flight::{FlightCounters, FlightObserver, ImpactRule, ImpactTarget, PathSegment, ProjectileSpec};
use snapback_rewind::live::{ColliderKind, Solid};
use snapback_rewind::*;

const WORLDS: u64 = 250;
const SHOTS: u64 = 16;

#[derive(Default)]
struct Path(Vec<PathSegment>);

impl FlightObserver for Path {
    fn segment(&mut self, segment: &PathSegment) {
        self.0.push(*segment);
    }
}

impl CatchUpObserver for Path {}

fn mover(actor: u64, rng: &mut Rng) -> Mover {
    let mut part = |range: u32| i64::from(rng.below(range));
    let (x, y, z) = (part(800) - 400, part(100) - 50, part(2_000) - 200);
    let (across, along) = (part(4_000) - 2_000, part(2_000) - 1_000);
    let team = [MatchTeam::NONE, MatchTeam::new(1), MatchTeam::new(2)][part(3) as usize];
    let (jump_us, jump_cm) = (T0 + part(500_000) as u64, if part(3) == 0 { part(2_000) - 1_000 } else { 0 });
    let damageable = part(8) != 0;
    let radius = 5 + part(60) as i32;
    let half_height = radius + part(2) as i32 * part(100) as i32;
    let at = move |time_us: u64| {
        let (since, jumped) = ((time_us - T0) as i64, time_us >= jump_us);
        let x = x + since * across / 1_000_000 + if jumped { jump_cm } else { 0 };
        let z = z + since * along / 1_000_000;
        let sample = sample(cm(x as i32, y as i32, z as i32), team, u32::from(jumped && jump_cm != 0));
        let turn = Quat::from_axis_angle(Vec3::from_ints(1, 0, 1), Angle::from_degrees((since / 4_000) as i32 % 360));
        Sampled::Here(HitboxSample { damageable, rotation: turn, ..sample })
    };
    Mover { radius, half_height, projectile: rng.chance(150_000), at: Box::new(at), ..body(actor, team, |_| [0; 3]) }
}

fn shot(world: &World, movers: &[Mover], rng: &mut Rng) -> Spawn {
    let on_impact = match rng.below(4) {
        0 | 1 => ImpactRule::Stop,
        2 => ImpactRule::Pierce,
        _ => ImpactRule::Bounce { restitution: Fx::ratio(rng.below(101) as i32, 100) },
    };
    let filter = QueryFilter {
        ignore_same_team: rng.chance(500_000),
        only_damageable: rng.chance(700_000),
        include_projectiles: rng.chance(300_000),
        include_actors: rng.chance(950_000),
        ..QueryFilter::default()
    };
    let spec = ProjectileSpec {
        radius: Fx::ratio(1 + rng.below(300) as i32, 10),
        muzzle_speed: Fx::from_int([rng.below(1_000), rng.below(20_000), rng.below(400_000)][rng.below(3) as usize] as i32),
        gravity: Vec3::from_ints(0, -(rng.below(2_000) as i32), 0),
        max_impacts: 1 + rng.below(20),
        filter,
        on_impact,
        ..bullet()
    };
    let mut spawn = world.shot(u64::from(rng.below(300_000)), [0, rng.below(100_000), rng.below(300_000)][rng.below(3) as usize], spec);
    let turn = |rng: &mut Rng, axis: Vec3| Quat::from_axis_angle(axis, Angle::from_degrees(rng.below(31) as i32 - 15));
    spawn.fire.rotation = turn(rng, Vec3::Y) * turn(rng, Vec3::X);
    spawn.muzzle = Vec3::from_ints(rng.below(200) as i32 - 100, rng.below(60) as i32 - 30, 0);
    // Most are aimed at where someone is in the window.
    let (who, when_us) = (&movers[rng.below(movers.len() as u32) as usize], u64::from(rng.below(300_000)));
    if let (true, Sampled::Here(someone)) = (rng.chance(700_000), (who.at)(world.now_us - when_us)) {
        let Vec3 { x, y, z } = someone.position.to_vec3();
        let mut off = |range: u32| Fx::from_int(rng.below(2 * range) as i32 - range as i32);
        (spawn.fire.rotation, spawn.muzzle) = (Quat::IDENTITY, Vec3::new(x + off(50), y + off(50), z - Fx::from_int(200) + off(180)));
    }
    spawn
}

/// The distance of a point from a hitbox as a lookup sees it, in units.
fn distance(history: &RewindHistory, hitbox: HitboxId, time_us: u64, point: Vec3) -> Option<i64> {
    let frame = history.frame_at(hitbox, time_us, &mut RewindCounters::default()).ok()?;
    let (p, c) = (Point::of(point).ok()?.to_array().map(i64::from), frame.centre.to_array().map(i64::from));
    let (e, m) = (frame.half_axis.map(i64::from), [0, 1, 2].map(|axis| p[axis] - c[axis]));
    let dot = |a: [i64; 3], b: [i64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (along, whole) = (dot(m, e).clamp(-dot(e, e), dot(e, e)), dot(e, e).max(1));
    let d = [0, 1, 2].map(|axis| m[axis] - e[axis] * along / whole);
    Some(dot(d, d).isqrt() - i64::from(units::units(frame.radius)?))
}

/// One world and its shots. How many hit someone of the past.
fn run(seed: u64) -> [u64; 4] {
    let mut rng = Rng::new(seed, 3);
    let tick_us = [4_167, 10_000, 16_667, 33_333][rng.below(4) as usize];
    let movers: Vec<Mover> =
        (0..1 + u64::from(rng.below(12))).map(|number| Mover { component: number, ..mover(100 + number / 2, &mut rng) }).collect();
    let mut world = World::new(tick_us, 500_000 / u64::from(tick_us), &movers);
    let floor = world.add(50, ColliderKind::WorldStatic, Solid::half_space(Vec3::Y).unwrap(), cm(0, -200, 0));
    let back = world.add(51, ColliderKind::WorldStatic, Solid::half_space(-Vec3::Z).unwrap(), cm(0, 0, 2_500));
    for actor in 60..60 + u64::from(rng.below(3)) {
        let kind = if rng.chance(500_000) { ColliderKind::Destructible } else { ColliderKind::WorldDynamic };
        let place = cm(rng.below(600) as i32 - 300, 0, 100 + rng.below(1_500) as i32);
        world.add(actor, kind, Solid::cuboid(Vec3::from_ints(1 + rng.below(40) as i32, 60, rng.below(20) as i32)).unwrap(), place);
    }
    let mut seen = [0; 4];
    for number in 0..SHOTS {
        let spawn = shot(&world, &movers, &mut rng);
        let fail_at = [None, None, None, Some(Call::Impact), Some(Call::Place)][rng.below(5) as usize];
        let mut launch = || {
            let mut host = Host { fail_at, ..Host::default() };
            let (mut counters, mut path) = (FlightCounters::default(), Path::default());
            let catch_up = ProjectileCatchUp::new(tick_us).unwrap();
            let launched = catch_up.launch(&mut world.view(), &spawn, spawn.spec.ballistics(), &mut host, &mut counters, &mut path);
            (launched, host, counters, path)
        };
        let (launched, host, counters, path) = launch();
        let at = format!("seed {seed}, shot {number}");
        assert!(host.is_clear(), "{at}: {:?}", host.calls);
        assert!(host.damage().values().all(|&times| times == 1), "{at}: {:?}", host.damage());
        assert!(host.impacts.len() <= spawn.spec.max_impacts as usize, "{at}");
        assert_eq!(counters.rewind.queries, counters.past_sweeps, "{at}");
        assert_eq!(launch().0, launched, "{at}: twice the same");
        for impact in &host.impacts {
            check_impact(&world, &spawn, impact, &at);
        }
        if spawn.spec.on_impact != ImpactRule::Pierce {
            let (low, far) = (world.scene.get(floor).unwrap().place.y, world.scene.get(back).unwrap().place.z);
            let radius = units::units(spawn.spec.radius).unwrap();
            for segment in &path.0 {
                assert!(
                    segment.from.y - low >= radius - 3 && far - segment.from.z >= radius - 3,
                    "{at}: out of the room at {:?}",
                    segment.from
                );
            }
        }
        match launched {
            Err(LaunchError::Host(_)) => seen[0] += 1,
            Err(other) => panic!("{at}: {other:?}"),
            Ok(launched) => {
                assert!(launched.report.candidate_queries <= 8, "{at}");
                assert!(launched.report.live_sweeps >= u64::from(launched.report.steps), "{at}");
                assert_eq!(launched.report.impacts, host.impacts.len() as u64, "{at}");
                if launched.report.outcome == Outcome::Missed {
                    assert!(world.now_us - launched.flight.time_us() < u64::from(tick_us), "{at}");
                    assert_eq!(host.placed.unwrap().0, *launched.flight.body(), "{at}");
                    if host.impacts.is_empty() {
                        check_miss(&world, &spawn, &path, &at);
                        seen[3] += 1;
                    }
                }
            }
        }
        seen[1] += u64::from(host.impacts.iter().any(|impact| matches!(impact.target, ImpactTarget::Hitbox { .. })));
        seen[2] += u64::from(host.impacts.iter().any(|impact| matches!(impact.target, ImpactTarget::Collider(_))));
    }
    seen
}

/// What was hit touches the projectile, at the time and the place that the impact says, and may be hit.
fn check_impact(world: &World, spawn: &Spawn, impact: &flight::Impact, at: &str) {
    assert!((impact.normal.length() - Fx::ONE).abs() < Fx::ratio(1, 1_000), "{at}: {impact:?}");
    assert_ne!(impact.target.actor(), SHOOTER, "{at}");
    let ImpactTarget::Hitbox { id, historical_us, .. } = impact.target else { return };
    let earliest_us = world.now_us - 250_000;
    let target_us = (impact.time_us - u64::from(spawn.fire.view_delay_us)).max(earliest_us);
    assert!(historical_us.abs_diff(target_us) <= 2, "{at}: {historical_us} for {target_us}");
    let frame = world.history.frame_at(id, historical_us, &mut RewindCounters::default()).unwrap();
    let filter = &spawn.spec.filter;
    assert!(!frame.projectile || filter.include_projectiles, "{at}");
    assert!(frame.projectile || filter.include_actors, "{at}");
    assert!(!(filter.ignore_same_team && frame.team.is_same(spawn.spec.team)), "{at}");
    assert!(!filter.only_damageable || frame.damageable, "{at}");
    // A time in microseconds and an axis that is frozen for a piece leave this much: 2 cm, and what a
    // fast ball flies in 2 us.
    let speed_units_us = impact.velocity.length().to_bits() / (400 * 1_000_000) + 1;
    let gap = distance(&world.history, id, historical_us, impact.position).unwrap() - i64::from(units::units(spawn.spec.radius).unwrap());
    let slack = 1_400 + 3 * speed_units_us;
    assert!(gap <= slack, "{at}: {gap} units apart, {slack} allowed");
    if impact.time_us > spawn.fire.fire_us.max(earliest_us) {
        // Who lands on the projectile out of nowhere is deep in it at once.
        let before = world.history.frame_at(id, historical_us - 2 * u64::from(world.tick_us), &mut RewindCounters::default());
        let came = before.is_ok_and(|before| before.epoch == frame.epoch);
        let allowed = if impact.number == 1 && came { slack } else { i64::MAX };
        assert!(-gap <= allowed, "{at}: {gap} units deep, {slack} allowed");
    }
}

/// A shot that met nobody was never deep in anybody whom it may meet.
fn check_miss(world: &World, spawn: &Spawn, path: &Path, at: &str) {
    let mut frames = Vec::new();
    let filter = QueryFilter { own_team: spawn.spec.team, ignore_actor: Some(SHOOTER), ..spawn.spec.filter };
    for segment in &path.0 {
        let (from_us, to_us) = segment.target_us.unwrap();
        for part in 0..8 {
            let time_us = from_us + (to_us - from_us) * part / 8;
            if time_us < world.now_us - 250_000 {
                continue;
            }
            world.history.frames_at(time_us, &filter, &mut frames, &mut RewindCounters::default()).unwrap();
            let place = segment.from.to_vec3().lerp(segment.to.to_vec3(), Fx::ratio(part as i32, 8));
            for frame in &frames {
                let gap = distance(&world.history, frame.hitbox, time_us, place).unwrap() - i64::from(segment.radius_units);
                assert!(gap > -1_400, "{at}: {} units deep in {:?} at {time_us}", -gap, frame.actor);
            }
        }
    }
}

#[test]
fn soak_of_random_catch_ups() {
    let only = std::env::var("SNAPBACK_SEED").ok().map(|seed| seed.parse().unwrap());
    let mut seen = [0; 4];
    for seed in only.map_or(0..WORLDS, |seed: u64| seed..seed + 1) {
        let one = run(seed);
        seen = [0, 1, 2, 3].map(|at| seen[at] + one[at]);
    }
    println!(
        "{} shots: {} refused by the host, {} met the past, {} the present, {} misses looked at",
        WORLDS * SHOTS,
        seen[0],
        seen[1],
        seen[2],
        seen[3]
    );
    assert!(only.is_some() || seen.iter().all(|&count| count > 500), "{seen:?}");
}
