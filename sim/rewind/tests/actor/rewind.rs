//! Rewinding: what is shown, where it ends, and how the actor goes on.

use snapback_core::Vec3;
use snapback_rewind::actor::{ActorRewind, Body, MovementMode, Physics, RewindRefused, RewindState};

use crate::{STEP_US, body_at, faster, recorded, rules, times_us};

#[test]
fn physics_is_off_while_rewinding_and_on_again_afterwards() {
    let mut rewind = recorded::<8>(20);
    rewind.begin(&body_at(200_000)).unwrap();
    assert_eq!((rewind.state(), rewind.physics()), (RewindState::Rewinding, Physics::Off));
    rewind.step_back(&rules(), STEP_US).unwrap();
    assert_eq!(rewind.physics(), Physics::Off);
    rewind.resume().unwrap();
    assert_eq!((rewind.state(), rewind.physics()), (RewindState::Recording, Physics::On));
}

#[test]
fn samples_are_read_backwards_and_each_is_exact() {
    let mut rewind = recorded::<8>(20);
    rewind.begin(&body_at(200_000)).unwrap();
    let mut back = Vec::new();
    for time_us in (0..20).rev().map(|tick| tick * 10_000) {
        let shown = rewind.step_back(&rules(), STEP_US).unwrap();
        if [10_000, 50_000, 90_000, 130_000, 170_000].contains(&time_us) {
            assert_eq!(shown.body, body_at(time_us), "{time_us}");
            back.push(shown.time_us);
        }
    }
    assert_eq!(back, [170_000, 130_000, 90_000, 50_000, 10_000]);
}

#[test]
fn the_rewind_starts_from_the_present_without_a_jump() {
    let mut rewind = recorded::<8>(20);
    let present = Body { mode: MovementMode(77), ..body_at(200_000) };
    let shown = rewind.begin(&present).unwrap();
    assert_eq!((shown.body, shown.time_us, shown.back_us), (present, 200_000, 0));
    // Two thirds of the way from the sample of 170 ms.
    let shown = rewind.step_back(&rules(), STEP_US).unwrap();
    assert!((shown.body.position.x - body_at(190_000).position.x).abs() < snapback_core::Fx::ratio(1, 100), "{shown:?}");
    assert_eq!(shown.back_us, 10_000);
}

#[test]
fn between_samples_position_velocities_and_input_are_interpolated_and_rotation_goes_along_its_arc() {
    let mut rewind = recorded::<8>(20);
    rewind.begin(&body_at(200_000)).unwrap();
    let shown = rewind.step_back(&rules(), 50_000).unwrap();
    // Half-way from 130 to 170 ms.
    let expected = body_at(150_000);
    assert_eq!(shown.time_us, 150_000);
    assert_eq!(shown.body.position, expected.position);
    assert_eq!(shown.body.linear_velocity, expected.linear_velocity);
    assert_eq!(shown.body.angular_velocity, expected.angular_velocity);
    assert_eq!(shown.body.input_velocity, expected.input_velocity);
    for (found, expected) in shown.body.rotation.to_bits().into_iter().zip(expected.rotation.to_bits()) {
        assert!(found.abs_diff(expected) <= 8, "{found} {expected}");
    }
    assert_eq!(shown.body.mode, MovementMode(1));
}

#[test]
fn a_mode_holds_until_the_next_sample() {
    // 90 ms has mode 0, 130 ms has 1.
    let mut rewind = recorded::<8>(20);
    rewind.begin(&body_at(200_000)).unwrap();
    let mode_after = |rewind: &mut ActorRewind<8>, step_us| rewind.step_back(&rules(), step_us).unwrap().body.mode;
    assert_eq!(mode_after(&mut rewind, 70_000), MovementMode(1));
    assert_eq!(mode_after(&mut rewind, 1), MovementMode(0));
}

#[test]
fn no_step_jumps() {
    let mut rewind = recorded::<64>(200);
    let mut last = rewind.begin(&body_at(2_000_000)).unwrap();
    let mut steps = 0;
    while !last.is_oldest {
        let shown = rewind.step_back(&rules(), 3_000).unwrap();
        let way = last.body.position.x - shown.body.position.x;
        assert!(Vec3::new(way, way, way).x <= snapback_core::Fx::ratio(301, 100), "{way}");
        last = shown;
        steps += 1;
    }
    assert!(steps > 500);
}

#[test]
fn the_speed_is_a_ratio_and_nothing_of_it_is_lost() {
    for (numerator, denominator) in [(1, 1), (2, 1), (1, 3), (7, 5), (u16::MAX, u16::MAX), (1, 1_000)] {
        let mut rewind = recorded::<64>(200);
        rewind.begin(&body_at(2_000_000)).unwrap();
        let rules = faster(numerator, denominator);
        let mut back_us = 0;
        for _ in 0..100 {
            back_us = rewind.step_back(&rules, 1_001).unwrap().back_us;
        }
        assert_eq!(back_us, 100_100 * u64::from(numerator) / u64::from(denominator));
    }
}

#[test]
fn the_oldest_sample_stops_it_there() {
    let mut rewind = recorded::<3>(20);
    rewind.begin(&body_at(200_000)).unwrap();
    let shown = rewind.step_back(&rules(), 109_999).unwrap();
    assert!(!shown.is_oldest);
    for _ in 0..3 {
        let shown = rewind.step_back(&faster(7, 3), 110_000).unwrap();
        assert_eq!((shown.time_us, shown.is_oldest, shown.body), (90_000, true, body_at(90_000)));
        assert_eq!(rewind.physics(), Physics::Off, "it stands, and still rewinds");
    }
    let resumed = rewind.resume().unwrap();
    assert_eq!((resumed.body, resumed.time_us, resumed.dropped), (body_at(90_000), 90_000, 2));
    assert_eq!(times_us(&rewind), [90_000]);
}

#[test]
fn resuming_restores_velocities_mode_and_movement_input() {
    let mut rewind = recorded::<8>(20);
    rewind.begin(&Body::default()).unwrap();
    rewind.step_back(&rules(), 70_000).unwrap();
    let resumed = rewind.resume().unwrap();
    let then = body_at(130_000);
    assert_eq!(resumed.body.linear_velocity, then.linear_velocity);
    assert_eq!(resumed.body.angular_velocity, then.angular_velocity);
    assert_eq!(resumed.body.input_velocity, then.input_velocity);
    assert_eq!(resumed.body.mode, then.mode);
    assert_eq!((resumed.body.position, resumed.body.rotation), (then.position, then.rotation));
}

#[test]
fn resuming_drops_what_was_undone_and_history_goes_on_from_there() {
    let mut rewind = recorded::<8>(20);
    rewind.begin(&body_at(200_000)).unwrap();
    // To 110 ms, 20 ms after a sample.
    rewind.step_back(&rules(), 90_000).unwrap();
    let resumed = rewind.resume().unwrap();
    assert_eq!((resumed.time_us, resumed.dropped), (110_000, 2));
    assert_eq!((rewind.time_us(), rewind.since_last_us(), rewind.latest_index()), (110_000, 20_000, Some(2)));
    // Had it never been at 200 ms, the next sample would be at 130 ms as well.
    assert_eq!(rewind.record(&rules(), STEP_US, &body_at(1)), None);
    let taken = rewind.record(&rules(), STEP_US, &body_at(2)).unwrap();
    assert_eq!((taken.time_us, taken.since_last_us), (130_000, 40_000));
    assert_eq!(times_us(&rewind), [10_000, 50_000, 90_000, 130_000]);
    assert_eq!(rewind.newest().unwrap().body(), body_at(2));
}

#[test]
fn resuming_at_a_sample_keeps_it_and_leaves_what_was_then() {
    let mut rewind = recorded::<8>(20);
    rewind.begin(&body_at(200_000)).unwrap();
    rewind.step_back(&rules(), 110_000).unwrap();
    rewind.resume().unwrap();
    // To the bit what it was when 90 ms had been recorded, in the unused places of the ring too.
    assert_eq!(rewind, recorded::<8>(9));
}

#[test]
fn resuming_at_once_changes_nothing() {
    let mut rewind = recorded::<8>(20);
    rewind.begin(&body_at(200_000)).unwrap();
    assert_eq!(rewind.resume().unwrap().body, body_at(200_000));
    assert_eq!(rewind, recorded::<8>(20));
}

#[test]
fn a_second_rewind_reads_what_came_after_the_first() {
    let mut rewind = recorded::<8>(20);
    rewind.begin(&body_at(200_000)).unwrap();
    rewind.step_back(&rules(), 110_000).unwrap();
    rewind.resume().unwrap();
    let elsewhere = |tick: u64| Body { position: Vec3::from_ints(0, 0, tick as i32), ..Body::default() };
    for tick in 10..=17 {
        rewind.record(&rules(), STEP_US, &elsewhere(tick));
    }
    rewind.begin(&elsewhere(17)).unwrap();
    assert_eq!(rewind.step_back(&rules(), 40_000).unwrap().body, elsewhere(13));
    assert_eq!(rewind.step_back(&rules(), 40_000).unwrap().body, body_at(90_000));
}

#[test]
fn nothing_is_recorded_while_rewinding() {
    let mut rewind = recorded::<8>(20);
    rewind.begin(&body_at(200_000)).unwrap();
    let before = rewind;
    assert_eq!(rewind.record(&rules(), 500_000, &body_at(0)), None);
    assert_eq!(rewind, before);
}

#[test]
fn what_means_nothing_in_a_state_is_refused_and_changes_nothing() {
    let mut empty = ActorRewind::<8>::new();
    assert_eq!(empty.begin(&body_at(0)), Err(RewindRefused::Empty));
    assert_eq!(empty, ActorRewind::new());
    let mut rewind = recorded::<8>(20);
    assert_eq!(rewind.step_back(&rules(), 1), Err(RewindRefused::NotRewinding));
    assert_eq!(rewind.resume(), Err(RewindRefused::NotRewinding));
    assert_eq!(rewind.shown(), Err(RewindRefused::NotRewinding));
    assert_eq!(rewind, recorded::<8>(20));
    rewind.begin(&body_at(200_000)).unwrap();
    let before = rewind;
    assert_eq!(rewind.begin(&body_at(0)), Err(RewindRefused::AlreadyRewinding));
    assert_eq!(rewind, before);
    let errors = [RewindRefused::Empty, RewindRefused::AlreadyRewinding, RewindRefused::NotRewinding];
    insta::assert_snapshot!(errors.map(|it| it.to_string()).join("\n"), @"
    there is nothing to go back to: record the actor first
    the actor is rewinding: resume first
    the actor is not rewinding: begin first
    ");
}

#[test]
fn a_ring_of_one_sample_rewinds_to_it() {
    let mut rewind = recorded::<1>(12);
    assert_eq!(times_us(&rewind), [90_000]);
    rewind.begin(&body_at(120_000)).unwrap();
    assert_eq!(rewind.step_back(&rules(), 15_000).unwrap().body.position, body_at(105_000).position);
    assert_eq!(rewind.step_back(&rules(), 20_000).unwrap().body, body_at(90_000));
}
