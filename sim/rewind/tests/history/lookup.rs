//! One hitbox at a past time, at one microsecond to each side of every limit.

use crate::world::*;
use snapback_core::{Angle, Fx, Quat, Vec3};
use snapback_rewind::*;

fn newer<T>() -> Result<T, LookupError> {
    Err(TimeError::NewerThanNewest.into())
}

fn gap<T>() -> Result<T, LookupError> {
    Err(TimeError::Gap.into())
}

#[test]
fn before_the_first_tick_there_is_nothing() {
    let history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    let mut counters = RewindCounters::default();
    let nothing = history.frames_at(0, &QueryFilter::default(), &mut Vec::new(), &mut counters);
    assert_eq!((nothing, counters.failures(TimeError::Empty.into())), (Err(TimeError::Empty), 1));
}

#[test]
fn older_than_the_oldest_snapshot_fails() {
    let mut world = World::new();
    world.tick();
    let born_us = world.now_us;
    let id = world.add(desc(1), body(3, 0, 0));
    assert_eq!(world.x_at(id, born_us), Ok(3));
    assert_eq!(world.at(id, born_us - 1), Err(TimeError::OlderThanOldest.into()));
    world.tick();
    assert_eq!(world.x_at(id, born_us), Ok(3));
    assert_eq!(world.at(id, born_us - 1), Err(TimeError::OlderThanOldest.into()));
}

#[test]
fn older_than_the_oldest_tick_of_the_ring_fails() {
    let mut world = World::with(RewindConfig { max_hitboxes: 4, max_ticks: 5, ..RewindConfig::default() });
    let id = world.add(desc(1), body(3, 0, 0));
    for _ in 0..10 {
        world.tick();
    }
    let oldest_us = world.now_us - 4 * TICK_US;
    assert_eq!(world.history.oldest_us(), Some(oldest_us));
    assert_eq!(world.x_at(id, oldest_us), Ok(3));
    assert_eq!(world.at(id, oldest_us - 1), Err(TimeError::OlderThanOldest.into()));
}

#[test]
fn older_than_the_greatest_rewind_fails() {
    let mut world = World::new();
    let id = world.add(desc(1), body(3, 0, 0));
    for _ in 0..40 {
        world.tick();
    }
    let earliest_us = world.now_us - 250_000;
    assert_eq!(world.x_at(id, earliest_us), Ok(3));
    assert_eq!(world.at(id, earliest_us - 1), Err(TimeError::OlderThanMaxRewind.into()));
    assert_eq!(world.at(id, 0), Err(TimeError::OlderThanMaxRewind.into()));
}

#[test]
fn newer_than_the_newest_is_the_newest_within_the_tolerance() {
    let mut world = World::new();
    let id = world.add(desc(1), body(3, 0, 0));
    world.set(1, body(8, 0, 0));
    world.tick();
    let newest_us = world.now_us;
    for after_us in [0, 1, 24_999, 25_000] {
        assert_eq!(world.x_at(id, newest_us + after_us), Ok(8), "{after_us}");
    }
    assert_eq!(world.x_at(id, newest_us + 25_001), newer());
    assert_eq!(world.x_at(id, u64::MAX), newer());
}

#[test]
fn a_hitbox_is_held_as_long_after_its_own_newest_sample() {
    let mut world = World::new();
    let id = world.add(HitboxDesc { cadence: Cadence::FixedHz { hz: 1 }, ..desc(1) }, body(3, 0, 0));
    for _ in 0..4 {
        world.tick();
    }
    for (after_us, expected) in
        [(0, Ok(3)), (10_000, Ok(3)), (20_001, Ok(3)), (25_000, Ok(3)), (25_001, newer()), (30_000, newer()), (40_000, newer())]
    {
        assert_eq!(world.x_at(id, START_US + after_us), expected, "{after_us}");
    }
}

#[test]
fn a_gap_between_two_ticks_has_poses_at_the_ticks_only() {
    let at = |passed_us: u64, after_us: u64| {
        let mut world = World::new();
        let id = world.add(desc(1), body(0, 0, 0));
        world.set(1, body(1_000, 0, 0));
        world.tick_after(passed_us);
        world.x_at(id, START_US + after_us)
    };
    assert_eq!([at(100_000, 0), at(100_000, 50_000), at(100_000, 100_000)], [Ok(0), Ok(500), Ok(1_000)]);
    assert_eq!([at(100_001, 0), at(100_001, 1), at(100_001, 50_000)], [Ok(0), gap(), gap()]);
    assert_eq!([at(100_001, 100_000), at(100_001, 100_001)], [gap(), Ok(1_000)]);
}

#[test]
fn a_gap_between_two_samples_has_no_pose_at_the_ticks_in_between() {
    let at = |gap_us: u64, after_us: u64| {
        let mut world = World::new();
        let id = world.add(desc(1), body(0, 0, 0));
        // Nobody can say where it is for a while.
        let lost = HitboxSample { position: Point { x: i32::MIN, y: 0, z: 0 }, ..body(0, 0, 0) };
        world.set(1, lost);
        for _ in 0..9 {
            world.tick();
        }
        world.set(1, body(1_000, 0, 0));
        world.tick_after(gap_us - 90_000);
        world.x_at(id, START_US + after_us)
    };
    assert_eq!([at(100_000, 0), at(100_000, 10_000), at(100_000, 15_000), at(100_000, 100_000)], [Ok(0), Ok(100), Ok(150), Ok(1_000)]);
    assert_eq!([at(100_001, 0), at(100_001, 1), at(100_001, 10_000), at(100_001, 90_000)], [Ok(0), gap(), gap(), gap()]);
    assert_eq!([at(100_001, 100_000), at(100_001, 100_001)], [gap(), Ok(1_000)]);
}

#[test]
fn a_hold_comes_before_a_gap_of_ticks() {
    let mut world = World::new();
    let id = world.add(desc(1), body(3, 0, 0));
    world.set(1, HitboxSample { position: Point { x: i32::MIN, y: 0, z: 0 }, ..body(0, 0, 0) });
    world.tick_after(150_000);
    assert_eq!(world.x_at(id, START_US + 25_000), Ok(3));
    assert_eq!(world.x_at(id, START_US + 25_001), newer());
    world.set(1, body(3, 0, 0));
    world.tick();
    // Now it is known that there is one.
    assert_eq!([world.x_at(id, START_US + 25_000), world.x_at(id, START_US + 150_000)], [gap(), gap()]);
}

#[test]
fn after_a_long_hitch_everything_before_it_fails() {
    let mut world = World::new();
    let id = world.add(desc(1), body(3, 0, 0));
    for _ in 0..10 {
        world.tick();
    }
    let before_us = world.now_us;
    world.tick_after(3_000_000);
    let now_us = world.now_us;
    for time_us in [START_US, before_us, now_us - 250_001] {
        assert_eq!(world.at(id, time_us), Err(TimeError::OlderThanMaxRewind.into()));
    }
    assert_eq!([world.x_at(id, now_us - 250_000), world.x_at(id, now_us - 1)], [gap(), gap()]);
    assert_eq!(world.x_at(id, now_us), Ok(3));
    world.tick();
    assert_eq!(world.x_at(id, now_us + 5_000), Ok(3));
}

#[test]
fn a_query_on_a_stored_tick_returns_that_tick() {
    let mut world = World::new();
    // Nothing about it is linear.
    let sample = |tick: i32| HitboxSample {
        rotation: Quat::from_axis_angle(Vec3::from_ints(tick, 1, 2), Angle::from_degrees(tick * 37)),
        shape: capsule(1_000 + tick * 13 % 7, 9_000 + tick * 31 % 11),
        state_flags: tick as u32,
        ..body(tick * tick * 97, tick % 3, -tick * 1_001)
    };
    let id = world.add(desc(1), sample(0));
    for tick in 1..=20 {
        world.set(1, sample(tick));
        world.tick_after(7_001 + tick as u64 * 13 % 5);
    }
    let mut time_us = START_US;
    for tick in 0..=20 {
        time_us += if tick == 0 { 0 } else { 7_001 + tick as u64 * 13 % 5 };
        let (frame, expected) = (world.at(id, time_us).unwrap(), sample(tick));
        assert_eq!((frame.centre, frame.rotation, frame.state_flags), (expected.position, expected.rotation, expected.state_flags));
        assert_eq!((frame.radius, frame.half_height), (expected.shape.radius(), expected.shape.half_height()));
    }
}

#[test]
fn position_sizes_and_rotation_are_interpolated() {
    let mut world = World::new();
    // It crouches while it runs more than its own width a tick, turning as it goes.
    let turn = |degrees| Quat::from_axis_angle(Vec3::Z, Angle::from_degrees(degrees));
    let standing = HitboxSample { shape: capsule(5_000, 15_000), rotation: turn(0), ..body(0, 15_000, 0) };
    let crouching = HitboxSample { shape: capsule(6_000, 8_000), rotation: turn(90), ..body(40_000, 8_000, -4) };
    let id = world.add(desc(1), standing);
    world.set(1, crouching);
    world.tick();
    let frame = world.at(id, START_US + 2_500).unwrap();
    assert_eq!(frame.centre, Point { x: 10_000, y: 13_250, z: -1 });
    assert_eq!((frame.radius, frame.half_height, frame.broadphase_radius), (units::fx(5_250), units::fx(13_250), units::fx(13_250)));
    assert_eq!(frame.rotation, turn(0).slerp(turn(90), Fx::ratio(1, 4)));
    // The axis that sweeps use is lerped from 10,000 up to 2,000 to the left.
    assert_eq!(frame.half_axis, [-500, 7_500, 0]);
}

#[test]
fn flags_and_team_are_those_of_the_nearest_frame() {
    let mut world = World::new();
    let first = HitboxSample { damageable: true, blocking: false, team: MatchTeam::new(1), state_flags: 1, ..body(0, 0, 0) };
    let second = HitboxSample { damageable: false, blocking: true, team: MatchTeam::NONE, state_flags: 2, ..body(0, 0, 0) };
    let id = world.add(desc(1), first);
    world.set(1, second);
    world.tick_after(65_536);
    // One microsecond is one 65,536th; the earlier if both are as near.
    for (after_us, expected) in [(0, first), (32_767, first), (32_768, first), (32_769, second), (65_536, second)] {
        let frame = world.at(id, START_US + after_us).unwrap();
        let seen = (frame.damageable, frame.blocking, frame.team, frame.state_flags);
        assert_eq!(seen, (expected.damageable, expected.blocking, expected.team, expected.state_flags), "{after_us}");
    }
}

#[test]
fn a_tick_between_two_samples_takes_flags_of_the_sample_that_is_nearer_in_time() {
    // 50,000 us between samples. 25,001 is nearer the later one though its fraction is floored to one half and no more.
    for (passed_us, team) in [(24_999, 1), (25_000, 1), (25_001, 2)] {
        let mut world = World::new();
        let id = world
            .add(HitboxDesc { cadence: Cadence::FixedHz { hz: 20 }, ..desc(1) }, HitboxSample { team: MatchTeam::new(1), ..body(0, 0, 0) });
        world.set(1, HitboxSample { team: MatchTeam::new(2), ..body(0, 0, 0) });
        world.tick_after(passed_us);
        world.tick_after(50_000 - passed_us);
        assert_eq!(world.at(id, START_US + passed_us).unwrap().team, MatchTeam::new(team), "{passed_us}");
    }
}

#[test]
fn each_failure_is_counted_under_its_reason() {
    let mut world = World::new();
    let (id, retired, pruned) = (world.add(desc(1), body(0, 0, 0)), world.add(desc(2), body(0, 0, 0)), world.add(desc(3), body(0, 0, 0)));
    world.components.remove(&3);
    for _ in 0..5 {
        world.tick();
    }
    world.history.retire(retired);
    let gone_us = world.now_us;
    let young = world.add(desc(4), body(0, 0, 0));
    world.tick();
    world.tick_after(150_000);
    let now_us = world.now_us;
    for (expected, who, time_us) in [
        (LookupError::Unknown, pruned, now_us),
        (LookupError::Gone, retired, now_us),
        (TimeError::OlderThanOldest.into(), young, gone_us - 1),
        (TimeError::OlderThanMaxRewind.into(), id, now_us - 250_001),
        (TimeError::NewerThanNewest.into(), id, now_us + 25_001),
        (TimeError::Gap.into(), id, now_us - 1),
    ] {
        let before = world.counters;
        assert_eq!(world.at(who, time_us), Err(expected));
        assert_eq!(world.counters.failures(expected), before.failures(expected) + 1);
        assert_eq!(world.counters.lookups, before.lookups + 1);
    }
    let mut sum = RewindCounters::default();
    sum.add(&world.counters);
    sum.add(&world.counters);
    assert_eq!((sum.lookups, sum.failures(LookupError::Gone)), (12, 2));
}

#[test]
fn a_cast_at_a_time_that_was_found_before_is_a_query() {
    let mut world = World::new();
    let id = world.add(desc(1), body(0, 0, 0));
    world.tick();
    let mut counters = RewindCounters::default();
    let past = world.history.at(world.now_us, &mut counters).unwrap();
    assert_eq!(counters, RewindCounters::default());
    // A time without an answer is counted as everywhere.
    let late = world.history.at(world.now_us + 25_001, &mut counters).map(|past| past.time_us());
    assert_eq!((late, counters.failures(TimeError::NewerThanNewest.into())), (Err(TimeError::NewerThanNewest), 1));
    let Sweep { from, to, radius_units, .. } = shot(0, 0, 0, world.now_us);
    for queries in 1..4 {
        let hit = past.cast(&Cast { from, to, radius_units }, &QueryFilter::default(), &mut counters).unwrap();
        assert_eq!((hit.map(|hit| hit.hitbox), counters.queries), (Some(id), queries));
    }
}

#[test]
fn the_newest_sample_is_there_however_old_until_the_hitbox_is_gone() {
    let mut world = World::new();
    let slow = HitboxDesc { cadence: Cadence::FixedHz { hz: 0 }, ..desc(1) };
    world.tick();
    let (id, born_us) = (world.add(slow, body(3, 0, 0)), world.now_us);
    let quick = world.add(desc(2), body(5, 0, 0));
    while world.at(id, world.now_us).is_ok() {
        world.tick();
    }
    assert!(world.now_us > born_us + 25_000);
    let mut counters = RewindCounters::default();
    let newest = world.history.newest_frame(id, &mut counters).unwrap();
    assert_eq!((newest.hitbox, newest.time_us, newest.centre), (id, born_us, body(3, 0, 0).position));
    let present = |world: &World, filter: QueryFilter, counters: &mut RewindCounters| {
        let mut out = Vec::new();
        world.history.present_frames(&filter, &mut out, counters);
        out.iter().map(|frame| (frame.hitbox, frame.time_us)).collect::<Vec<_>>()
    };
    assert_eq!(present(&world, QueryFilter::default(), &mut counters), [(id, born_us), (quick, world.now_us)]);
    let others = QueryFilter { ignore_actor: Some(newest.actor), ..QueryFilter::default() };
    assert_eq!(present(&world, others, &mut counters), [(quick, world.now_us)]);
    assert_eq!((counters.lookups, counters.rejections(Rejection::IgnoredActor)), (3, 1));
    assert!(world.history.retire(id));
    assert_eq!(world.history.newest_frame(id, &mut counters), Err(LookupError::Gone));
    assert_eq!(present(&world, QueryFilter::default(), &mut counters), [(quick, world.now_us)]);
    assert!(world.history.unregister(quick));
    assert_eq!(world.history.newest_frame(quick, &mut counters), Err(LookupError::Unknown));
    let failures = [LookupError::Gone, LookupError::Unknown].map(|reason| counters.failures(reason));
    assert_eq!((failures, counters.rejections(Rejection::NoPose)), ([1, 1], 1));
}

#[test]
fn who_was_never_sampled_has_no_newest_sample() {
    let mut world = World::new();
    world.tick();
    let id = world
        .history
        .register_from(desc(1), &mut |_: HitboxId, _: &HitboxDesc| Sampled::Unsupported(snapback_core::NameHash::of("box")))
        .unwrap();
    assert_eq!(world.history.newest_frame(id, &mut RewindCounters::default()), Err(TimeError::Empty.into()));
}
