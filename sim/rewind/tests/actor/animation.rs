//! The optional second ring.

use snapback_core::Vec3;
use snapback_rewind::actor::{AnimationPose, AnimationRewind, MovementMode};

use crate::{STEP_US, body_at, recorded, rules};

fn pose_at(time_us: u64) -> AnimationPose {
    AnimationPose { velocity: body_at(time_us).linear_velocity, mode: body_at(time_us).mode }
}

/// Both rings after `ticks` ticks of 10 ms.
fn both<const N: usize>(ticks: u64) -> (snapback_rewind::ActorRewind<N>, AnimationRewind<N>) {
    let (mut rewind, mut animation) = (snapback_rewind::ActorRewind::new(), AnimationRewind::new());
    for tick in 1..=ticks {
        let time_us = tick * u64::from(STEP_US);
        if let Some(at) = rewind.record(&rules(), STEP_US, &body_at(time_us)) {
            animation.record(at, pose_at(time_us));
        }
    }
    (rewind, animation)
}

#[test]
fn each_sample_of_the_actor_has_one_of_its_animation_with_velocity_mode_and_times() {
    let (rewind, animation) = both::<8>(20);
    assert_eq!(rewind, recorded(20));
    let samples: Vec<_> = animation.samples().collect();
    assert_eq!(samples.iter().map(|it| it.time()).collect::<Vec<_>>(), rewind.samples().map(|it| it.time()).collect::<Vec<_>>());
    assert_eq!(samples.last().map(|it| it.pose()), Some(pose_at(170_000)));
}

#[test]
fn it_drives_the_animation_at_every_time_of_a_rewind() {
    let (mut rewind, mut animation) = both::<8>(20);
    let shown = rewind.begin(&body_at(200_000)).unwrap();
    animation.begin(shown.time_us, pose_at(200_000));
    assert_eq!(animation.at(shown.time_us), Some(pose_at(200_000)));
    loop {
        let shown = rewind.step_back(&rules(), 5_000).unwrap();
        let pose = animation.at(shown.time_us).unwrap();
        // The actor's body had the same velocity and mode.
        assert_eq!((pose.velocity, pose.mode), (shown.body.linear_velocity, shown.body.mode));
        if shown.is_oldest {
            break;
        }
    }
}

#[test]
fn the_oldest_is_dropped_when_it_is_full_and_before_it_there_is_it() {
    let (_, animation) = both::<3>(20);
    assert_eq!(animation.samples().map(|it| it.time().time_us).collect::<Vec<_>>(), [90_000, 130_000, 170_000]);
    assert_eq!(animation.at(0), Some(pose_at(90_000)));
    assert_eq!(animation.at(u64::MAX), Some(pose_at(170_000)));
    assert_eq!(AnimationRewind::<3>::default().at(5), None);
}

#[test]
fn resuming_drops_what_was_undone() {
    let (mut rewind, mut animation) = both::<8>(20);
    rewind.begin(&body_at(200_000)).unwrap();
    animation.begin(200_000, AnimationPose { velocity: Vec3::ZERO, mode: MovementMode(9) });
    rewind.step_back(&rules(), 110_000).unwrap();
    let resumed = rewind.resume().unwrap();
    assert_eq!(animation.resume(resumed.time_us), 2);
    assert_eq!(animation.at(u64::MAX), Some(pose_at(90_000)), "the present of the rewind is gone too");
    let (_, earlier) = both::<8>(9);
    assert_eq!(bytemuck::bytes_of(&animation), bytemuck::bytes_of(&earlier));
    animation.clear();
    assert!(animation.is_empty());
}
