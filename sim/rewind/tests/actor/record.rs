//! Recording: when a sample is taken, what is in it, and what is dropped.

use snapback_rewind::actor::{ActorRewind, InvalidRules, Physics, RewindRules, RewindSpeed, RewindState};

use crate::{STEP_US, body_at, recorded, rules, times_us};

#[test]
fn the_first_sample_is_taken_at_once() {
    let mut rewind = ActorRewind::<4>::new();
    assert!(rewind.is_empty() && rewind.newest().is_none() && rewind.latest_index().is_none());
    let taken = rewind.record(&rules(), STEP_US, &body_at(10_000)).unwrap();
    assert_eq!((taken.time_us, taken.since_last_us), (10_000, 10_000));
    assert_eq!((rewind.len(), rewind.latest_index()), (1, Some(0)));
}

#[test]
fn further_samples_come_at_a_fixed_interval() {
    assert_eq!(times_us(&recorded::<8>(20)), [10_000, 50_000, 90_000, 130_000, 170_000]);
}

#[test]
fn ticks_that_do_not_divide_the_interval_sample_at_the_first_tick_after_it() {
    let mut rewind = ActorRewind::<8>::new();
    for _ in 0..10 {
        rewind.record(&rules(), 16_667, &body_at(0));
    }
    assert_eq!(times_us(&rewind), [16_667, 66_668, 116_669, 166_670]);
}

#[test]
fn a_long_tick_takes_one_sample_and_the_next_is_an_interval_later() {
    let mut rewind = recorded::<8>(1);
    assert_eq!(rewind.record(&rules(), 500_000, &body_at(0)).unwrap().since_last_us, 500_000);
    assert_eq!(rewind.record(&rules(), 39_999, &body_at(0)), None);
    assert!(rewind.record(&rules(), 1, &body_at(0)).is_some());
    assert_eq!(times_us(&rewind), [10_000, 510_000, 550_000]);
}

#[test]
fn a_sample_holds_transform_velocities_mode_input_and_both_times() {
    let rewind = recorded::<8>(9);
    let newest = rewind.newest().unwrap();
    assert_eq!(newest.body(), body_at(90_000));
    assert_eq!((newest.time().time_us, newest.time().since_last_us), (90_000, 40_000));
    assert_eq!((rewind.time_us(), rewind.since_last_us()), (90_000, 0));
}

#[test]
fn the_oldest_is_dropped_when_the_ring_is_full_and_its_size_stays() {
    let mut rewind = recorded::<3>(9);
    assert_eq!((times_us(&rewind), rewind.latest_index()), (vec![10_000, 50_000, 90_000], Some(2)));
    for tick in 10..=13 {
        rewind.record(&rules(), STEP_US, &body_at(tick * 10_000));
    }
    assert_eq!((times_us(&rewind), rewind.latest_index()), (vec![50_000, 90_000, 130_000], Some(0)));
    assert_eq!(rewind.oldest().unwrap().body(), body_at(50_000));
    for tick in 14..=100_000 {
        rewind.record(&rules(), STEP_US, &body_at(tick));
    }
    assert_eq!(rewind.len(), ActorRewind::<3>::capacity());
}

#[test]
fn recording_is_the_first_state_and_leaves_physics_on() {
    let rewind = ActorRewind::<3>::default();
    assert_eq!((rewind.state(), rewind.physics()), (RewindState::Recording, Physics::On));
}

#[test]
fn a_new_life_starts_with_nothing() {
    let mut rewind = recorded::<3>(50);
    rewind.clear();
    assert_eq!(rewind, ActorRewind::new());
    rewind = recorded(50);
    rewind.begin(&body_at(0)).unwrap();
    rewind.clear();
    assert_eq!(rewind, ActorRewind::new());
}

#[test]
fn time_ends_where_its_number_does() {
    let mut rewind = ActorRewind::<2>::new();
    for _ in 0..3 {
        rewind.record(&rules(), u32::MAX, &body_at(0));
    }
    assert_eq!(rewind.newest().unwrap().time().since_last_us, u32::MAX);
    let bytes = bytemuck::bytes_of_mut(&mut rewind);
    bytes[..8].copy_from_slice(&[0xff; 8]);
    assert_eq!(rewind.time_us(), u64::MAX);
    rewind.record(&rules(), u32::MAX, &body_at(0));
    assert_eq!(rewind.newest().unwrap().time().time_us, u64::MAX);
    assert_eq!(rewind.record(&rules(), u32::MAX, &body_at(0)), None, "time stands still");
}

#[test]
fn rules_that_never_sample_or_never_rewind_are_refused() {
    assert_eq!(RewindRules::new(0, RewindSpeed::SAME), Err(InvalidRules::NoInterval));
    assert_eq!(RewindSpeed::new(0, 1), Err(InvalidRules::NoSpeed { numerator: 0, denominator: 1 }));
    insta::assert_snapshot!(
        [RewindRules::new(0, RewindSpeed::SAME).unwrap_err(), RewindSpeed::new(1, 0).unwrap_err()].map(|it| it.to_string()).join("\n"),
        @"
    an interval between samples of 0 us: give 1 or more, such as 100,000
    a rewind at a speed of 1/0 never ends: give numbers over zero, such as 2/1
    "
    );
    let (one, other) = (RewindRules::default(), rules());
    assert_ne!(one.config_hash(), other.config_hash());
    assert_ne!(one.config_hash(), RewindRules::new(100_000, RewindSpeed::new(1, 2).unwrap()).unwrap().config_hash());
    assert_eq!((one.interval_us(), one.speed()), (100_000, RewindSpeed::SAME));
}
