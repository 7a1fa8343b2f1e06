//! Sizes and times at their ends.

use crate::world::*;
use snapback_rewind::*;

#[test]
fn the_ring_keeps_as_many_ticks_as_were_asked_for() {
    for max_ticks in [2, 3, 64] {
        let mut world = World::with(RewindConfig { max_hitboxes: 1, max_ticks, ..RewindConfig::default() });
        let id = world.add(desc(1), body(0, 0, 0));
        for tick in 1..=200 {
            world.set(1, body(tick, 0, 0));
            world.tick_after(1_000);
            let kept = (tick as usize + 1).min(max_ticks) as u64 - 1;
            let now_us = world.now_us;
            assert_eq!(world.history.oldest_us(), Some(now_us - kept * 1_000));
            for back in 0..=kept {
                assert_eq!(world.x_at(id, now_us - back * 1_000), Ok(tick - back as i32));
            }
            assert!(world.at(id, now_us - kept * 1_000 - 1).is_err());
        }
    }
}

#[test]
fn the_default_ring_holds_250_ms_of_60_and_of_128_ticks_a_second() {
    for tick_us in [16_667, 7_813] {
        let mut world = World::new();
        let id = world.add(desc(1), body(0, 0, 0));
        for _ in 0..100 {
            world.tick_after(tick_us);
        }
        let now_us = world.now_us;
        assert_eq!(world.x_at(id, now_us - 250_000), Ok(0));
    }
}

#[test]
fn a_slow_hitbox_outlives_a_ring_of_two_ticks() {
    let mut world = World::with(RewindConfig { max_hitboxes: 1, max_ticks: 2, ..RewindConfig::default() });
    let id = world.add(HitboxDesc { cadence: Cadence::FixedHz { hz: 20 }, ..desc(1) }, body(0, 0, 0));
    world.set(1, body(500, 0, 0));
    for tick in 1..=4 {
        world.tick();
        let now_us = world.now_us;
        // Its sample has left the rows at the second tick, and it is held all the same.
        assert_eq!(world.x_at(id, now_us).ok(), (tick <= 2).then_some(0));
    }
    world.tick();
    let now_us = world.now_us;
    assert_eq!([world.x_at(id, now_us - TICK_US), world.x_at(id, now_us - 5_000), world.x_at(id, now_us)], [Ok(400), Ok(450), Ok(500)]);
}

#[test]
fn without_tolerance_the_newest_tick_is_the_end() {
    let mut world = World::with(RewindConfig { max_hitboxes: 1, max_future_tolerance_us: 0, ..RewindConfig::default() });
    let id = world.add(desc(1), body(0, 0, 0));
    assert_eq!(world.x_at(id, START_US), Ok(0));
    assert_eq!(world.at(id, START_US + 1), Err(TimeError::NewerThanNewest.into()));
}

#[test]
fn without_rewind_and_gap_there_is_only_now() {
    let config = RewindConfig { max_hitboxes: 1, max_rewind_us: 1, max_interpolation_gap_us: 1, ..RewindConfig::default() };
    let mut world = World::with(config);
    let id = world.add(desc(1), body(0, 0, 0));
    world.tick();
    let now_us = world.now_us;
    assert_eq!(world.x_at(id, now_us), Ok(0));
    assert_eq!(world.at(id, now_us - 1), Err(TimeError::Gap.into()));
    assert_eq!(world.at(id, now_us - 2), Err(TimeError::OlderThanMaxRewind.into()));
}

#[test]
fn a_configuration_out_of_range_is_refused_by_its_name() {
    let refused = |change: fn(&mut RewindConfig)| {
        let mut config = RewindConfig::default();
        change(&mut config);
        RewindHistory::new(config, WorldKind::Game, NetRole::Authority).err().map(|error| error.field)
    };
    assert_eq!(refused(|_| {}), None);
    assert_eq!(refused(|config| config.max_hitboxes = 0), Some("max_hitboxes"));
    assert_eq!(refused(|config| config.max_hitboxes = usize::MAX), Some("max_hitboxes"));
    assert_eq!(refused(|config| config.max_ticks = 1), Some("max_ticks"));
    assert_eq!(refused(|config| config.max_ticks = 1_025), Some("max_ticks"));
    assert_eq!(refused(|config| config.max_rewind_us = 0), Some("max_rewind_us"));
    assert_eq!(refused(|config| config.max_future_tolerance_us = u64::MAX), Some("max_future_tolerance_us"));
    assert_eq!(refused(|config| config.max_interpolation_gap_us = 0), Some("max_interpolation_gap_us"));
    // Each is in range, and both together are 54 GB.
    let both = |config: &mut RewindConfig| (config.max_hitboxes, config.max_ticks) = (1 << 20, 1_024);
    assert_eq!(refused(both), Some("max_hitboxes * max_ticks"));
}

#[test]
fn ticks_go_forward_and_end_at_the_latest_time() {
    let mut world = World::new();
    let id = world.add(desc(1), body(0, 0, 0));
    let gone = &mut |_, _: &HitboxDesc| panic!("asked for a sample");
    for now_us in [0, START_US - 1, START_US] {
        let expected = RecordError::NotAfter { newest_us: START_US, now_us };
        assert_eq!(world.history.record_tick(now_us, gone), Err(expected));
    }
    for now_us in [history::MAX_TIME_US + 1, u64::MAX] {
        assert_eq!(world.history.record_tick(now_us, gone), Err(RecordError::TooLate { now_us }));
    }
    world.tick_after(history::MAX_TIME_US - START_US);
    let now_us = world.now_us;
    assert_eq!([world.x_at(id, now_us), world.x_at(id, now_us + 25_000)], [Ok(0), Ok(0)]);
    assert_eq!(world.at(id, now_us + 25_001), Err(TimeError::NewerThanNewest.into()));
    assert_eq!(world.at(id, u64::MAX), Err(TimeError::NewerThanNewest.into()));
    let hit = |time_us| world.history.sweep(&shot(0, 0, 0, time_us), &QueryFilter::default(), &mut RewindCounters::default());
    assert!(hit(now_us + 25_000).unwrap().is_some());
    assert_eq!(hit(u64::MAX), Err(TimeError::NewerThanNewest.into()));
}

#[test]
fn the_greatest_shapes_and_places_are_recorded_exactly() {
    let mut world = World::new();
    let edge = units::MAX_COORDINATE;
    let tall = HitboxSample { shape: capsule(65_535, 65_535 + 32_767), ..body(edge, -edge, edge) };
    let id = world.add(desc(1), tall);
    let frame = world.at(id, START_US).unwrap();
    assert_eq!((frame.centre.to_array(), frame.half_axis), ([edge, -edge, edge], [0, 32_767, 0]));
    assert_eq!((frame.radius, frame.half_height), (units::fx(65_535), units::fx(98_302)));
    world.set(1, HitboxSample { epoch: 1, ..body(-edge, edge, -edge) });
    world.tick();
    assert!(world.at(id, START_US + 5_000).is_ok());
    // A half turn of the greatest axis.
    let turned = HitboxSample { rotation: snapback_core::Quat::from_bits([1 << 30, 0, 0, 0]), ..tall };
    let turned = world.add(desc(2), turned);
    let now_us = world.now_us;
    assert_eq!(world.at(turned, now_us).unwrap().half_axis, [0, -32_767, 0]);
}
