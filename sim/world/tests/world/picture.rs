//! Drawing between frames.

use crate::cases::cases;
use crate::rig::{Mashers, Rig};
use snapback_core::present::{Blend, Present};
use snapback_core::{Fx, NameHash, PresentWorld};
use snapback_sim::{PadInput, Phase, Picture};

const HALF: Blend = Blend::from_bits(1 << 15);

/// No one moves as far in one frame, in cm: those who overlap are pushed apart by 44.
const LEAP: i32 = 60;

#[test]
fn positions_glide_and_nothing_else_does() {
    let mut rig = Rig::apart(300);
    let before = rig.world.picture();
    rig.step(&[PadInput::RIGHT]);
    let after = rig.world.picture();
    let shown = Picture::blend(&before, &after, HALF);
    assert_eq!(shown.fighters()[0].x, Fx::from_int(-150) + Fx::ratio(7, 4));
    assert_eq!((shown.timer_frames, shown.fighters()[0].act), (after.timer_frames, after.fighters()[0].act));
    assert_eq!(Picture::blend(&before, &after, Blend::NEWEST), after);
    assert_eq!(Picture::blend(&before, &after, Blend::PREVIOUS).fighters()[0].x, before.fighters()[0].x);
}

#[test]
fn nobody_glides_back_to_the_start_of_a_round() {
    let mut rig = Rig::apart(300);
    rig.edit(|header, _| header.clock.timer_frames = 1);
    rig.skip_to(Phase::RoundEnd);
    let mut before = rig.world.picture();
    while rig.world.view().phase() == Phase::RoundEnd {
        before = rig.world.picture();
        rig.step(&[]);
    }
    let after = rig.world.picture();
    assert_ne!(before.fighters()[0].x, after.fighters()[0].x);
    assert_eq!(Picture::blend(&before, &after, HALF), after);
}

#[test]
fn presenting_leaves_the_hash_alone() {
    for display_hz in [60, 120, 144, 165] {
        let (mut rig, mut drawn) = (Rig::mixed(3, 3), Rig::mixed(3, 3));
        let (mut mashers, mut shown) = (Mashers::new(3), PresentWorld::new(60));
        let (mut between, mut ticks) = (0, 0);
        let mut hash = rig.hash();
        let displays = u64::from(cases(20)) * display_hz;
        for display in 0..displays {
            let now_us = display * 1_000_000 / display_hz;
            while ticks * 1_000_000 / 60 <= now_us {
                let pads = mashers.next(rig.fighters());
                let before = drawn.world.picture();
                rig.step(&pads);
                drawn.step(&pads);
                shown.submit(drawn.frame, ticks * 1_000_000 / 60, Some(before), drawn.world.picture());
                ticks += 1;
                hash = rig.hash();
            }
            let picture = shown.picture(now_us).unwrap();
            between += u64::from(picture.fighters()[0].x != drawn.fighters()[0].x());
            assert_eq!(drawn.hash(), hash);
        }
        assert!(between > displays / 5, "{between} of {displays}");
    }
}

/// Whoever goes further than anybody can move in a frame was put there: it is there at once.
#[test]
fn nothing_glides_over_a_teleport_a_new_round_or_a_new_projectile() {
    let (mut cuts, mut spawns) = (0, 0);
    for seed in 0..u64::from(cases(14)) {
        let players = 2 + seed as usize % 7;
        let (mut rig, mut mashers) = (Rig::mixed(seed, players), Mashers::new(seed));
        for _ in 0..6_000 {
            let before = (rig.world.picture(), rig.fighters().to_vec());
            let pads = mashers.next(rig.fighters());
            rig.step(&pads);
            let after = rig.world.picture();
            assert_eq!(Picture::read(&rig.snapshot()).as_ref(), Some(&after));
            let shown = Picture::blend(&before.0, &after, HALF);
            for (seat, (now, then)) in rig.fighters().iter().zip(&before.1).enumerate() {
                let (drawn, from) = (&shown.fighters()[seat], &before.0.fighters()[seat]);
                if now.motion.cuts == then.motion.cuts {
                    let leap = (now.x() - then.x()).abs().max((now.y() - then.y()).abs()).max((now.z() - then.z()).abs());
                    assert!(leap < Fx::from_int(LEAP), "{leap} in one frame without a cut");
                } else {
                    cuts += 1;
                    assert_eq!((drawn.x, drawn.y, drawn.z), (now.x(), now.y(), now.z()));
                }
                for ((drawn, now), then) in drawn.projectiles.iter().zip(&after.fighters()[seat].projectiles).zip(&from.projectiles) {
                    let is_new = now.move_name != NameHash::NONE && (now.serial, now.move_name) != (then.serial, then.move_name);
                    if is_new {
                        spawns += 1;
                        assert_eq!((drawn.x, drawn.y, drawn.z), (now.x, now.y, now.z));
                    }
                }
            }
        }
    }
    assert!(cuts > cases(20) && spawns > cases(40), "{cuts} cuts, {spawns} spawns");
}
