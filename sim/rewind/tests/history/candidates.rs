//! Who could be met, before anything is built or swept.

use crate::world::*;
use snapback_core::{Angle, Fx, Quat, Rng, Vec3};
use snapback_rewind::*;

fn found(world: &mut World, bounds: &QueryBounds) -> Vec<u64> {
    let mut out = Vec::new();
    world.history.candidates(world.now_us, &QueryFilter::default(), bounds, &mut out, &mut world.counters).unwrap();
    out.iter().map(|frame| frame.actor.0).collect()
}

fn balls(centres: &[[i32; 3]]) -> World {
    let mut world = World::new();
    for (number, &centre) in centres.iter().enumerate() {
        world.add(desc(number as u64), HitboxSample { shape: ball(1_000), position: Point::from_array(centre), ..body(0, 0, 0) });
    }
    world
}

#[test]
fn the_circle_leaves_out_who_is_far() {
    let mut world = balls(&[[0, 0, 0], [3_000, 500_000, 0], [0, 0, -3_001], [2_400, 0, 1_800], [2_401, 0, 1_800]]);
    let bounds = QueryBounds::circle(Near { centre: Point::ORIGIN, radius: units::fx(2_000) });
    assert_eq!(found(&mut world, &bounds), [0, 1, 3]);
    assert_eq!((world.counters.rejections(Rejection::NotNear), world.counters.candidates, world.counters.queries), (2, 3, 1));
}

#[test]
fn the_segment_leaves_out_who_is_above() {
    // Along x at height 0 with a ball of 500: 1,500 beyond the line.
    let mut world =
        balls(&[[5_000, 1_500, 0], [5_000, 1_501, 0], [-1_500, 0, 0], [-1_501, 0, 0], [5_000, 900, -1_200], [5_000, 900, -1_201]]);
    let bounds = QueryBounds::segment(Point::ORIGIN, Point { x: 10_000, y: 0, z: 0 }, 500).unwrap();
    assert_eq!(found(&mut world, &bounds), [0, 2, 4]);
    assert_eq!((world.counters.rejections(Rejection::Apart), world.counters.candidates), (3, 3));
    // In the plane all of them are near.
    let flat = QueryBounds::circle(Near { centre: Point { x: 5_000, y: 0, z: 0 }, radius: units::fx(6_000) });
    assert_eq!(found(&mut world, &flat).len(), 6);
}

#[test]
fn both_bounds_must_agree() {
    let mut world = balls(&[[0, 0, 0], [9_000, 0, 0], [0, 9_000, 0]]);
    let near = Near { centre: Point::ORIGIN, radius: units::fx(3_000) };
    let bounds = QueryBounds::segment(Point::ORIGIN, Point { x: 10_000, y: 0, z: 0 }, 0).unwrap().and_circle(near);
    assert_eq!(found(&mut world, &bounds), [0]);
    assert_eq!((world.counters.rejections(Rejection::NotNear), world.counters.rejections(Rejection::Apart)), (1, 1));
}

#[test]
fn candidates_are_judged_where_they_were() {
    let mut world = World::new();
    let id = world.add(desc(1), body(0, 0, 0));
    world.set(1, body(400_000, 0, 0));
    world.tick();
    let at = |x| QueryBounds::segment(Point { x, y: 0, z: -90_000 }, Point { x, y: 0, z: 90_000 }, 0).unwrap();
    let mut out = Vec::new();
    for (time_us, x, meets) in [
        (START_US, 0, true),
        (START_US, 400_000, false),
        (START_US + 5_000, 200_000, true),
        (START_US + 5_000, 400_000, false),
        (world.now_us, 400_000, true),
        (world.now_us + 25_000, 400_000, true),
    ] {
        world.history.candidates(time_us, &QueryFilter::default(), &at(x), &mut out, &mut world.counters).unwrap();
        assert_eq!(out.len(), usize::from(meets), "{time_us} {x}");
        if meets {
            assert_eq!(Ok(out[0]), world.at(id, time_us));
        }
    }
    let late_us = world.now_us + 25_001;
    let failed = world.history.candidates(late_us, &QueryFilter::default(), &at(0), &mut out, &mut world.counters);
    assert_eq!((failed, out.len()), (Err(TimeError::NewerThanNewest), 0));
    assert_eq!(world.counters.failures(TimeError::NewerThanNewest.into()), 1);
}

/// What a frozen sweep hits is a candidate, also where the axis of a leaning capsule is rounded outwards.
#[test]
fn no_candidate_is_missed_that_a_sweep_hits() {
    let (mut hits, mut rejected) = (0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed, 3);
        let spread = |rng: &mut Rng, range: u32| rng.below(2 * range + 1) as i32 - range as i32;
        let mut world = World::new();
        for number in 0..8 {
            let axis = Vec3::from_ints(spread(&mut rng, 9), spread(&mut rng, 9), spread(&mut rng, 9));
            let radius = 1 + rng.below(300) as i32;
            let sample = HitboxSample {
                rotation: Quat::from_axis_angle(axis, Angle::from_degrees(spread(&mut rng, 180))),
                shape: capsule(radius, radius + rng.below(3_000) as i32),
                ..body(spread(&mut rng, 2_000), spread(&mut rng, 2_000), spread(&mut rng, 2_000))
            };
            world.add(desc(number), sample);
        }
        let point = |rng: &mut Rng| Point { x: spread(rng, 7_000), y: spread(rng, 7_000), z: spread(rng, 7_000) };
        // Through the middle, more or less.
        let (from, aside) = (point(&mut rng), [0; 3].map(|_| spread(&mut rng, 1_000)));
        let to = Point { x: aside[0] - from.x, y: aside[1] - from.y, z: aside[2] - from.z };
        let sweep = Sweep { from, to, radius_units: rng.below(200) as i32, ..shot(0, 0, 0, START_US) };
        let bounds = QueryBounds::of_sweep(&sweep).unwrap();
        let candidates = found(&mut world, &bounds);
        rejected += world.counters.rejections(Rejection::Apart);
        // Everyone that alone would be hit.
        for number in 0..8 {
            let mut alone = World::new();
            let id = world.history.find(ActorId(number), ComponentId(number), snapback_core::NameHash::of("body")).unwrap();
            let frame = world.at(id, START_US).unwrap();
            let kept = SourceShape::Capsule { radius: frame.radius, half_height: frame.half_height };
            let sample =
                HitboxSample { position: frame.centre, rotation: frame.rotation, shape: Shape::of(kept).unwrap(), ..body(0, 0, 0) };
            alone.add(desc(number), sample);
            let hit = alone.history.sweep(&sweep, &QueryFilter::default(), &mut RewindCounters::default()).unwrap();
            if hit.is_some() {
                hits += 1;
                assert!(candidates.contains(&number), "seed {seed}, hitbox {number}");
            }
        }
    }
    assert!(hits > 150 && rejected > 500, "{hits} hits, {rejected} rejected");
}

#[test]
fn an_end_cap_that_rounding_moved_outwards_is_still_a_candidate() {
    // Along (1, 1, 1): each component of the half axis is rounded up, so that it is longer than the half height says.
    let lean = Quat::from_axis_angle(Vec3::from_ints(1, 0, -1), Angle::from_degrees(55));
    let mut most = 0;
    for half_height in 100..400 {
        let mut world = World::new();
        let id = world.add(desc(1), HitboxSample { rotation: lean, shape: capsule(1, half_height), ..body(0, 0, 0) });
        let frame = world.at(id, START_US).unwrap();
        let tip = Point::from_array(frame.half_axis.map(|part| part + part.signum()));
        let squared: i32 = frame.half_axis.iter().map(|part| part * part).sum();
        most = most.max(squared - (half_height - 1) * (half_height - 1));
        let sweep = Sweep { from: tip, to: tip, radius_units: 1, ..shot(0, 0, 0, START_US) };
        let hit = world.history.sweep(&sweep, &QueryFilter::default(), &mut RewindCounters::default()).unwrap();
        assert!(hit.is_none() || !found(&mut world, &QueryBounds::of_sweep(&sweep).unwrap()).is_empty(), "{half_height}");
    }
    assert!(most > 0, "no axis was rounded outwards: {most}");
}

#[test]
fn a_radius_of_the_host_is_checked_once() {
    assert_eq!(query::query_radius_units(Fx::from_int(-1)), Err(QueryError::BadRadius { radius_units: -164 }));
    assert!(query::query_radius_units(Fx::MAX).is_err());
}
