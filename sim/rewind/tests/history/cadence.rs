//! How often a hitbox is sampled.

use crate::world::*;
use snapback_rewind::*;

/// At which ticks, counted from 1, a hitbox of this cadence is sampled, if ticks come so.
fn sampled_at(cadence: Cadence, ticks_us: impl IntoIterator<Item = u64>) -> Vec<usize> {
    let mut world = World::new();
    world.add(HitboxDesc { cadence, ..desc(1) }, body(0, 0, 0));
    let due: Vec<bool> = ticks_us.into_iter().map(|passed_us| world.tick_after(passed_us).sampled == 1).collect();
    (1..=due.len()).filter(|tick| due[tick - 1]).collect()
}

fn every(passed_us: u64, count: usize) -> impl Iterator<Item = u64> {
    std::iter::repeat_n(passed_us, count)
}

#[test]
fn snapshots_are_recorded_at_the_cadence() {
    assert_eq!(sampled_at(Cadence::EveryServerTick, every(10_000, 5)), [1, 2, 3, 4, 5]);
    assert_eq!(sampled_at(Cadence::FixedHz { hz: 50 }, every(10_000, 8)), [2, 4, 6, 8]);
    assert_eq!(sampled_at(Cadence::OwnerNetUpdateRate { hz: 25 }, every(10_000, 12)), [4, 8, 12]);
}

#[test]
fn the_default_is_the_owners_net_update_rate_and_fixed_is_60() {
    assert_eq!(Cadence::default(), Cadence::OwnerNetUpdateRate { hz: 100 });
    assert_eq!(Cadence::FIXED_60.interval_us(), 16_666);
}

#[test]
fn the_remainder_counts_towards_the_next_sample() {
    // 30 a second on ticks of 12.5 ms: 33,333 us. 37,500 leaves 4,167; 41,667 - 33,333 leaves 8,334; then two and a half ticks.
    assert_eq!(sampled_at(Cadence::FixedHz { hz: 30 }, every(12_500, 16)), [3, 6, 8, 11, 14, 16]);
}

#[test]
fn a_rate_over_the_tick_rate_is_every_tick() {
    for hz in [100, 101, 240, 1_000, u16::MAX] {
        assert_eq!(sampled_at(Cadence::FixedHz { hz }, every(10_000, 4)), [1, 2, 3, 4], "{hz} Hz");
    }
}

#[test]
fn pathological_rates_are_clamped_at_both_ends() {
    // 1 kHz of ticks: no more than 240 samples a second.
    let dense = sampled_at(Cadence::FixedHz { hz: u16::MAX }, every(1_000, 1_000));
    assert_eq!(dense.len(), 240);
    // A rate of 0, 1 or 5: at least every 80 ms, so that there is always something to interpolate.
    for hz in [0, 1, 5] {
        assert_eq!(sampled_at(Cadence::OwnerNetUpdateRate { hz }, every(10_000, 24)), [8, 16, 24], "{hz} Hz");
    }
}

#[test]
fn a_hitch_gives_one_sample_and_no_burst_after_it() {
    let ticks = every(10_000, 3).chain([137_000]).chain(every(10_000, 6));
    // 30 + 137 ms are three intervals of 50 ms and 17 ms.
    assert_eq!(sampled_at(Cadence::FixedHz { hz: 20 }, ticks), [4, 8]);
}

#[test]
fn slow_ticks_leave_no_gap_that_one_more_sample_closes() {
    // 66.7 ms ticks and 80 ms: waiting for the second tick would make 133 ms, over the gap of 100 ms.
    assert_eq!(sampled_at(Cadence::FixedHz { hz: 1 }, every(66_700, 4)), [1, 2, 3, 4]);
    // 26 Hz: three ticks would be 115 ms.
    let at = sampled_at(Cadence::FixedHz { hz: 1 }, every(38_461, 20));
    assert!(std::iter::once(&0).chain(&at).zip(&at).all(|(before, after)| (after - before) * 38_461 <= 100_000), "{at:?}");
    let mut world = World::new();
    let id = world.add(HitboxDesc { cadence: Cadence::FixedHz { hz: 1 }, ..desc(1) }, body(0, 0, 0));
    for _ in 0..8 {
        world.tick_after(38_461);
    }
    let now_us = world.now_us;
    for back_us in (0..200_000).step_by(1_777) {
        if now_us - back_us <= world.history.span(id).unwrap().newest_us {
            assert_eq!(world.x_at(id, now_us - back_us), Ok(0), "{back_us} us ago");
        }
    }
}

#[test]
fn slow_hitboxes_are_interpolated_at_the_ticks_between_their_samples() {
    let mut world = World::new();
    let id = world.add(HitboxDesc { cadence: Cadence::FixedHz { hz: 20 }, ..desc(1) }, body(0, 0, 0));
    for tick in 1..=5 {
        world.set(1, body(tick * 70, 0, 0));
        world.tick();
        if tick < 5 {
            // Held where it was, for 25 ms.
            let now_us = world.now_us;
            let expected = if tick <= 2 { Ok(0) } else { Err(TimeError::NewerThanNewest.into()) };
            assert_eq!(world.x_at(id, now_us), expected);
        }
    }
    for tick in 0..=5 {
        assert_eq!(world.x_at(id, START_US + tick * TICK_US), Ok(tick as i32 * 70));
    }
    assert_eq!(world.x_at(id, START_US + 12_500), Ok(88));
    // 87.5, rounded once at the tick (70, 140) and once between: floor(x + 1/2).
}

#[test]
fn a_sample_that_cannot_be_is_as_if_there_were_none() {
    let mut world = World::new();
    let id = world.add(desc(1), body(0, 0, 0));
    world.set(1, HitboxSample { position: Point { x: units::MAX_COORDINATE + 1, y: 0, z: 0 }, ..body(0, 0, 0) });
    assert_eq!(world.tick(), RecordReport { refused: 1, ..RecordReport::default() });
    assert_eq!(world.notices, [Notice::Refused { hitbox: id, desc: desc(1), reason: SampleError::OutOfWorld }]);
    world.set(1, body(200, 0, 0));
    world.tick();
    assert_eq!(world.x_at(id, START_US + TICK_US), Ok(100));
}

#[test]
fn a_wait_of_just_the_gap_is_no_reason_to_sample_early() {
    // 80 ms on ticks of 50 ms: the second tick is exactly the gap of 100 ms away, and that is not too far.
    assert_eq!(sampled_at(Cadence::FixedHz { hz: 1 }, every(50_000, 4)), [2, 4]);
    assert_eq!(sampled_at(Cadence::FixedHz { hz: 1 }, every(50_001, 4)), [1, 2, 3, 4]);
}
