//! Bounces: the true normal, and the rest of the tick in the new direction.

use super::rig::{Range, TICK_US, ball, cm, cuboid, flight};
use snapback_core::{Fx, Rng, Vec3};
use snapback_rewind::flight::{FlightEnd, ProjectileSpec};
use snapback_rewind::live::{ColliderKind, Solid};

fn near(a: Vec3, b: Vec3) -> bool {
    a.distance(b) < Fx::ratio(1, 10)
}

#[test]
fn the_rest_of_the_tick_is_flown_in_the_new_direction() {
    let mut range = Range::new();
    range.wall(cuboid(300, 300, 5), cm(0, 0, 60));
    // 100 cm a tick, of which 50 are free: 60 - 5 - 5.
    let mut bouncing = flight(ball(Fx::ONE), Vec3::ZERO, Vec3::from_ints(0, 0, 10_000));
    range.ticks(&mut bouncing, 1);
    assert!(near(bouncing.body().position, Vec3::ZERO), "{:?}", bouncing.body());
    assert_eq!(bouncing.body().velocity, Vec3::from_ints(0, 0, -10_000));
    assert!(range.impacts[0].time_us.abs_diff(5_003) <= 1);
    let mut half = flight(ball(Fx::ratio(1, 2)), Vec3::ZERO, Vec3::from_ints(1_000, 0, 10_000));
    range.ticks(&mut half, 1);
    assert!(near(half.body().position, Vec3::from_ints(10, 0, 25)), "{:?}", half.body());
    assert_eq!(half.body().velocity, Vec3::from_ints(1_000, 0, -5_000));
}

#[test]
fn faces_edges_and_corners_throw_back_along_their_own_normals() {
    let mut range = Range::new();
    range.wall(cuboid(50, 50, 50), cm(0, 0, 0));
    let spec = ProjectileSpec { radius: Fx::from_int(20), ..ball(Fx::ONE) };
    // Against a face; against an edge on its diagonal; against a corner on its diagonal.
    for (from, velocity) in
        [((0, 200, 10), (0, -9_000, 0)), ((200, 200, 0), (-9_000, -9_000, 0)), ((-200, 200, 200), (9_000, -9_000, -9_000))]
    {
        let (from, velocity) = (Vec3::from_ints(from.0, from.1, from.2), Vec3::from_ints(velocity.0, velocity.1, velocity.2));
        let mut bouncing = flight(spec, from, velocity);
        range.ticks(&mut bouncing, 4);
        assert_eq!(bouncing.impacts(), 1);
        assert!((bouncing.body().velocity + velocity).length() < Fx::ONE, "{:?}", bouncing.body());
    }
    // Past an edge, 10 cm off its diagonal: thrown aside.
    let mut aside = flight(spec, Vec3::from_ints(200, 55, 0), Vec3::from_ints(-9_000, 0, 0));
    range.ticks(&mut aside, 3);
    let normal = range.impacts.last().unwrap().normal;
    assert!(normal.x > Fx::ZERO && normal.y > Fx::ZERO && normal.z == Fx::ZERO, "{normal:?}");
    // sin of the normal is 5 / 20.
    assert!((normal.y - Fx::ratio(1, 4)).abs() < Fx::ratio(1, 500), "{normal:?}");
    assert!((aside.body().velocity.length() - Fx::from_int(9_000)).abs() < Fx::ONE);
}

#[test]
fn a_ball_comes_to_rest_on_the_floor_and_not_below_it() {
    for restitution in [Fx::ZERO, Fx::ratio(1, 2), Fx::ratio(9, 10)] {
        let mut range = Range::new();
        range.wall(Solid::half_space(Vec3::Y).unwrap(), cm(0, 0, 0));
        let spec = ProjectileSpec { gravity: Vec3::from_ints(0, -981, 0), ..ball(restitution) };
        let mut bouncing = flight(spec, Vec3::from_ints(0, 80, 0), Vec3::from_ints(100, 0, 0));
        for _ in 0..20_000 {
            range.ticks(&mut bouncing, 1);
            assert!(bouncing.body().position.y > Fx::from_int(5) - Fx::ratio(1, 50), "{:?}", bouncing.body());
        }
        assert_eq!((bouncing.end(), bouncing.impacts()), (Some(FlightEnd::ImpactsUsed), 255));
        assert!(bouncing.body().position.y < Fx::from_int(40));
    }
}

#[test]
fn no_bounce_makes_it_faster() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed, 1);
        let mut part = || rng.below(20_001) as i32 - 10_000;
        let (normal, velocity) = (Vec3::from_ints(part(), part(), part()), Vec3::from_ints(part(), part(), part()));
        let mut range = Range::new();
        let Ok(solid) = Solid::half_space(normal) else { continue };
        range.wall(solid, cm(0, 0, 0));
        let from = normal.normalise().unwrap() * Fx::from_int(40);
        let mut bouncing = flight(ball(Fx::ONE), from, velocity);
        range.ticks(&mut bouncing, 20);
        assert!((bouncing.body().velocity.length() - velocity.length()).abs() < Fx::ratio(1, 2), "seed {seed}");
        if bouncing.impacts() == 1 {
            // The part along the wall stays.
            let unit = normal.normalise().unwrap();
            let along = |v: Vec3| v - unit * v.dot(unit);
            assert!((along(velocity) - along(bouncing.body().velocity)).length() < Fx::ONE, "seed {seed}");
        }
    }
}

#[test]
fn a_lift_that_rises_into_it_carries_it() {
    let mut range = Range::new();
    let lift = range.add(50, ColliderKind::WorldDynamic, u16::MAX, cuboid(200, 20, 200), cm(0, 0, 0));
    let spec = ProjectileSpec { gravity: Vec3::from_ints(0, -981, 0), ..ball(Fx::ZERO) };
    let mut resting = flight(spec, Vec3::from_ints(0, 26, 0), Vec3::ZERO);
    for tick in 0..120 {
        // 19 cm a tick, which is 19 m a second.
        range.scene.place(lift, cm(0, tick * 19, 0)).unwrap();
        range.ticks(&mut resting, 1);
        let over = resting.body().position.y - Fx::from_int(tick * 19);
        assert!(over > Fx::from_int(24) && over < Fx::from_int(27), "tick {tick}: {over} cm over the lift");
    }
}

#[test]
fn a_tick_with_too_many_contacts_ends_where_it_is() {
    let mut range = Range::new();
    range.wall(cuboid(300, 300, 5), cm(0, 0, 20));
    range.wall(cuboid(300, 300, 5), cm(0, 0, -20));
    // 20 cm between two walls, 100 m a tick.
    let mut bouncing = flight(ball(Fx::ONE), Vec3::ZERO, Vec3::from_ints(0, 0, 1_000_000));
    range.ticks(&mut bouncing, 1);
    assert_eq!((bouncing.impacts(), range.counters.crowded_ticks), (8, 1));
    assert_eq!(bouncing.time_us(), u64::from(TICK_US));
    assert!(bouncing.body().position.z.abs() <= Fx::from_int(10));
    assert!(bouncing.end().is_none());
}
