//! Nothing is flown through, at any speed, and what is too fast says so.

use super::rig::{Range, authority, ball, cm, cuboid, flight, lost};
use snapback_core::{Fx, Rng, Vec3};
use snapback_rewind::flight::{BadFlight, Flight, FlightEnd, FlightError, MAX_PIECES_PER_TICK, ProjectileSpec, Shot, SpecError};
use snapback_rewind::live::{ColliderKind, Solid};
use snapback_rewind::{ActorId, ActorSet};

/// Six plates without thickness around a room of this half size.
fn room(range: &mut Range, half: i32) {
    let out = half + 50;
    for side in [-1, 1] {
        range.wall(cuboid(0, out, out), cm(side * half, 0, 0));
        range.wall(cuboid(out, 0, out), cm(0, side * half, 0));
        range.wall(cuboid(out, out, 0), cm(0, 0, side * half));
    }
}

#[test]
fn nothing_leaves_a_room_of_thin_walls_at_any_speed() {
    let mut bounces = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed, 4);
        let mut range = Range::new();
        room(&mut range, 150);
        let mut part = |most: u32| rng.below(2 * most + 1) as i32 - most as i32;
        range.wall(Solid::capsule(Fx::from_int(20), Fx::from_int(60)).unwrap(), cm(part(80), part(80), part(80)));
        let most = [500, 10_000, 1_000_000, 100_000_000][seed as usize % 4];
        let velocity = Vec3::from_ints(part(most), part(most), part(most));
        let spec = ProjectileSpec {
            radius: Fx::ratio(1 + part(99).abs(), 10),
            gravity: Vec3::from_ints(0, -part(2_000).abs(), 0),
            ..ball(Fx::ratio(part(100).abs(), 100))
        };
        let mut bouncing = flight(spec, Vec3::from_ints(part(120), part(120), part(120)), velocity);
        for tick in 0..60 {
            range.ticks(&mut bouncing, 1);
            let inside = Fx::from_int(150) - spec.radius + Fx::ratio(1, 50);
            let Vec3 { x, y, z } = bouncing.body().position.abs();
            assert!(x <= inside && y <= inside && z <= inside, "seed {seed}, tick {tick}: {:?}", bouncing.body());
        }
        bounces += bouncing.impacts();
    }
    assert!(bounces > 10_000, "{bounces}");
}

#[test]
fn a_point_does_not_step_over_a_plate_without_thickness() {
    for seed in 0..500 {
        let mut rng = Rng::new(seed, 5);
        let mut range = Range::new();
        range.wall(cuboid(900, 900, 0), cm(0, 0, 100));
        let spec = ProjectileSpec { radius: Fx::ZERO, ..ProjectileSpec::default() };
        let speed = Fx::from_bits(i64::from(rng.next_u32()) << rng.below(10)) + Fx::from_int(20_000);
        let from = Vec3::new(Fx::ratio(rng.below(1_000) as i32, 7), Fx::ratio(rng.below(1_000) as i32, 7), Fx::ZERO);
        let mut point = flight(spec, from, Vec3::new(speed * Fx::ratio(1, 3), Fx::ZERO, speed));
        range.ticks(&mut point, 1);
        assert_eq!(point.end(), Some(FlightEnd::Stopped), "seed {seed}");
    }
}

#[test]
fn a_step_longer_than_a_query_is_swept_in_pieces() {
    // 3 km a tick; a plate at every kilometre and near the ends of the pieces.
    for z_m in [1, 999, 1_000, 1_001, 1_023, 1_024, 1_500, 2_047, 2_990] {
        let mut range = Range::new();
        range.wall(cuboid(100, 100, 0), cm(0, 0, z_m * 100));
        let mut fast = flight(ProjectileSpec::default(), Vec3::ZERO, Vec3::from_ints(0, 0, 30_000_000));
        range.ticks(&mut fast, 1);
        assert_eq!(fast.end(), Some(FlightEnd::Stopped), "{z_m} m");
        let z = fast.body().position.z - Fx::from_int(z_m * 100 - 5);
        assert!(z.abs() < Fx::ratio(1, 20), "{z_m} m: {z}");
        // A tick of 10 ms is 655 / 65,536 s, so three pieces of 99,945 cm.
        assert_eq!(range.counters.live_sweeps, (z_m as u64 * 100 - 5) / 99_945 + 1, "{z_m} m");
    }
}

#[test]
fn beyond_the_limit_the_flight_is_lost_with_a_type() {
    let mut range = Range::new();
    let fits = i32::try_from(MAX_PIECES_PER_TICK).unwrap() * 102_300;
    let mut fast = flight(ProjectileSpec::default(), Vec3::from_ints(0, 0, -fits / 2), Vec3::from_ints(0, 0, fits * 100));
    range.ticks(&mut fast, 1);
    assert_eq!((fast.end(), range.counters.live_sweeps), (None, u64::from(MAX_PIECES_PER_TICK)));
    let mut faster = flight(ProjectileSpec::default(), Vec3::from_ints(0, 0, -fits / 2), Vec3::from_ints(0, 0, fits * 101));
    assert_eq!(range.tick(&mut faster).map_err(lost), Err(FlightError::TooFast));
    assert_eq!(faster.end(), Some(FlightEnd::Lost(FlightError::TooFast)));
    range.ticks(&mut faster, 5);
    // Out of the world it goes no further either, and no number overflows.
    let mut leaving = flight(ProjectileSpec::default(), Vec3::ZERO, Vec3::new(Fx::MAX, Fx::MIN, Fx::MAX));
    assert!(matches!(range.tick(&mut leaving).map_err(lost), Err(FlightError::OutOfWorld(_))));
}

#[test]
fn what_it_overlaps_at_the_muzzle_is_hit_at_once() {
    for kind in [ColliderKind::WorldStatic, ColliderKind::Destructible, ColliderKind::Pawn] {
        let mut range = Range::new();
        range.add(7, kind, 2, cuboid(20, 20, 20), cm(0, 0, 0));
        let mut inside = flight(ProjectileSpec::default(), Vec3::ZERO, Vec3::from_ints(0, 0, 10_000));
        range.ticks(&mut inside, 1);
        assert_eq!((range.impacts.len(), range.impacts[0].time_us, range.impacts[0].position), (1, 0, Vec3::ZERO));
        assert_eq!(inside.end(), Some(FlightEnd::Stopped));
    }
}

#[test]
fn what_cannot_fly_is_refused_by_type() {
    let refused = |spec: ProjectileSpec, muzzle: Vec3, tick_us: u32| {
        let shot = Shot { shooter: ActorId(1), sequence: 0, muzzle, velocity: Vec3::ZERO, fire_us: 0 };
        Flight::new(authority(), spec, spec.ballistics(), shot, tick_us).unwrap_err()
    };
    let spec = ProjectileSpec::default();
    assert!(matches!(refused(spec, Vec3::new(Fx::MAX, Fx::ZERO, Fx::ZERO), 10_000), BadFlight::Muzzle(_)));
    assert_eq!(refused(spec, Vec3::ZERO, 999), BadFlight::Tick { tick_us: 999 });
    let wide = Fx::from_int(401);
    assert_eq!(refused(ProjectileSpec { radius: wide, ..spec }, Vec3::ZERO, 10_000), BadFlight::Spec(SpecError::Radius(wide)));
    let gain = Fx::ONE + Fx::DELTA;
    assert_eq!(refused(ball(gain), Vec3::ZERO, 10_000), BadFlight::Spec(SpecError::Restitution(gain)));
    assert_eq!(refused(ProjectileSpec { max_impacts: 256, ..spec }, Vec3::ZERO, 10_000), BadFlight::Spec(SpecError::MaxImpacts(256)));
    assert_eq!(
        refused(ProjectileSpec { muzzle_speed: -Fx::DELTA, ..spec }, Vec3::ZERO, 10_000),
        BadFlight::Spec(SpecError::MuzzleSpeed(-Fx::DELTA))
    );
    let mut filter = spec.filter;
    filter.except = (10..15).fold(ActorSet::EMPTY, |mut set, actor| {
        set.insert(ActorId(actor));
        set
    });
    assert_eq!(refused(ProjectileSpec { filter, ..spec }, Vec3::ZERO, 10_000), BadFlight::Spec(SpecError::Except(5)));
}
