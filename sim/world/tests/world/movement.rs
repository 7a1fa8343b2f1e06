//! Walking, jumping, crouching, facing, and standing apart.

use crate::rig::Rig;
use snapback_core::Fx;
use snapback_sim::{Act, PadInput, cues};

#[test]
fn walks_at_its_own_speed_forward_and_back() {
    let mut rig = Rig::apart(300);
    rig.steps(10, &[PadInput::RIGHT, PadInput::RIGHT]);
    let [left, right] = rig.fighters() else { unreachable!() };
    assert_eq!(left.x(), Fx::from_int(-150 + 35));
    assert_eq!(right.x(), Fx::ratio(300 + 55, 2));
    assert_eq!((left.act(), right.act()), (Act::WalkForward, Act::WalkBack));
}

#[test]
fn opposite_directions_are_neither() {
    let mut rig = Rig::apart(300);
    rig.step(&[PadInput::LEFT | PadInput::RIGHT, PadInput::UP | PadInput::DOWN]);
    assert!(rig.fighters().iter().all(|f| f.act() == Act::Stand));
}

#[test]
fn unknown_bits_change_nothing() {
    let mut rig = Rig::apart(300);
    let before = rig.fighters()[0];
    rig.step(&[0xFC00]);
    let after = rig.fighters()[0];
    assert_eq!((after.motion, after.act(), after.pad.held.buttons), (before.motion, before.act(), 0));
}

#[test]
fn jumps_in_an_arc_in_the_direction_it_started_with() {
    for (held, direction) in [(0, 0), (PadInput::RIGHT, 1), (PadInput::LEFT, -1)] {
        for button in [PadInput::UP, PadInput::JUMP] {
            let mut rig = Rig::apart(300);
            let start = rig.fighters()[0].x();
            rig.steps(5, &[button | held]);
            let (mut heights, mut cued) = (Vec::new(), (rig.raised(cues::JUMP), 0));
            for _ in 0..80 {
                // Held the other way: a jump is not steered.
                rig.step(&[PadInput::LEFT | PadInput::DOWN]);
                cued.0 += rig.raised(cues::JUMP);
                cued.1 += rig.raised(cues::LAND);
                heights.push(rig.fighters()[0].y());
                if rig.fighters()[0].act() == Act::Landing {
                    break;
                }
            }
            let top = heights.iter().max().unwrap();
            assert!(*top > Fx::from_int(120) && *top < Fx::from_int(180), "{top}");
            assert_eq!(heights.last(), Some(&Fx::ZERO));
            assert_eq!(cued, (1, 1));
            let travelled = rig.fighters()[0].x() - start;
            assert_eq!(travelled.signum(), direction, "{travelled}");
        }
    }
}

#[test]
fn a_jump_lasts_as_many_frames_as_the_arithmetic_says() {
    let mut rig = Rig::apart(300);
    rig.step(&[PadInput::JUMP]);
    let mut act_frames = std::collections::BTreeMap::new();
    while rig.fighters()[0].act() != Act::Stand {
        *act_frames.entry(rig.fighters()[0].act() as u8).or_insert(0) += 1;
        rig.step(&[]);
    }
    // Rising by 15.5 and 0.85 less each frame, the 38th sum is the first that is not above 0; the
    // frame that lands counts as landing.
    let sum = |n: i32| 15.5 * f64::from(n) - 0.85 * f64::from(n * (n - 1)) / 2.0;
    assert!(sum(37) > 0.0 && sum(38) <= 0.0);
    let expected = [(Act::JumpStart as u8, 4), (Act::Air as u8, 37), (Act::Landing as u8, 3)];
    assert_eq!(act_frames.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn crouches_while_down_is_held() {
    let mut rig = Rig::apart(300);
    rig.steps(3, &[PadInput::DOWN | PadInput::RIGHT]);
    assert_eq!((rig.fighters()[0].act(), rig.fighters()[0].action.crouching), (Act::Crouch, 1));
    assert_eq!(rig.fighters()[0].action.elapsed_frames, 2);
    rig.step(&[]);
    assert_eq!((rig.fighters()[0].act(), rig.fighters()[0].action.crouching), (Act::Stand, 0));
}

#[test]
fn turns_to_the_nearest_enemy_that_still_fights() {
    let mut rig = Rig::fighting(4);
    let place = |rig: &mut Rig, xs: [i32; 4]| {
        rig.edit(|_, fighters| {
            for (fighter, x) in fighters.iter_mut().zip(xs) {
                fighter.motion.position[0] = Fx::from_int(x);
            }
        });
        rig.step(&[]);
    };
    place(&mut rig, [0, 100, -300, -200]);
    assert_eq!(rig.fighters()[0].facing(), 1);
    place(&mut rig, [0, 210, -300, -200]);
    assert_eq!(rig.fighters()[0].facing(), -1);
    // Equally near on both sides: it goes on looking where it looked.
    place(&mut rig, [0, 200, -300, -200]);
    assert_eq!(rig.fighters()[0].facing(), -1);
    rig.edit(|_, fighters| fighters[3].action.act = Act::KnockedOut as u8);
    rig.step(&[]);
    assert_eq!(rig.fighters()[0].facing(), 1);
}

#[test]
fn fighters_who_walk_into_each_other_stop_each_other() {
    let mut rig = Rig::apart(60);
    rig.steps(30, &[PadInput::RIGHT, PadInput::LEFT]);
    let [left, right] = rig.fighters() else { unreachable!() };
    assert_eq!((left.x(), right.x()), (Fx::from_int(-22), Fx::from_int(22)));
    // One who walks alone pushes the other along, half as fast.
    rig.steps(10, &[PadInput::RIGHT]);
    assert!(rig.fighters()[0].x() > Fx::from_int(-10));
    assert!(rig.fighters()[1].x() - rig.fighters()[0].x() >= Fx::from_int(44));
}

#[test]
fn the_stage_ends_and_nobody_is_pushed_out_of_it() {
    let mut rig = Rig::apart(100);
    rig.steps(400, &[PadInput::RIGHT, PadInput::RIGHT]);
    let [left, right] = rig.fighters() else { unreachable!() };
    assert_eq!((left.x(), right.x()), (Fx::from_int(420 - 44), Fx::from_int(420)));
}

#[test]
fn fighters_in_the_very_same_place_come_apart_to_their_own_sides() {
    let mut rig = Rig::apart(0);
    rig.step(&[]);
    assert_eq!([0, 1].map(|s| rig.fighters()[s].x()), [-22, 22].map(Fx::from_int));

    let mut rig = Rig::fighting(4);
    rig.edit(|_, fighters| fighters.iter_mut().for_each(|f| f.motion.position[0] = Fx::ZERO));
    rig.steps(60, &[]);
    let xs = [2, 0, 1, 3].map(|s| rig.fighters()[s].x());
    assert!(xs.windows(2).all(|pair| pair[1] - pair[0] >= Fx::from_int(43)), "{xs:?}");
}

#[test]
fn a_heap_in_the_corner_comes_apart() {
    let mut rig = Rig::fighting(3);
    rig.edit(|_, fighters| fighters.iter_mut().for_each(|f| f.motion.position[0] = Fx::from_int(420)));
    rig.steps(60, &[]);
    let mut xs: Vec<Fx> = rig.fighters().iter().map(|f| f.x()).collect();
    xs.sort();
    assert!(xs.windows(2).all(|pair| pair[1] - pair[0] >= Fx::from_int(43)), "{xs:?}");
}
