//! Drawing between frames.

use crate::rig::{Mashers, Rig};
use snapback_core::present::{Blend, Present};
use snapback_core::{Fx, PresentWorld};
use snapback_sim::{PadInput, Phase, Picture};

const HALF: Blend = Blend::from_bits(1 << 15);

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
    let (mut rig, mut drawn) = (Rig::new(3, 3), Rig::new(3, 3));
    let (mut mashers, mut shown) = (Mashers::new(3), PresentWorld::new(60));
    let mut between = 0;
    for _ in 0..2_000 {
        let pads = mashers.next(rig.fighters());
        rig.step(&pads);
        drawn.step(&pads);
        shown.submit(drawn.frame, drawn.world.picture());
        for _ in 0..3 {
            shown.tick(5_000);
            let picture = shown.picture().unwrap();
            between += usize::from(picture.fighters()[0].x != drawn.fighters()[0].x());
            assert_eq!(drawn.hash(), rig.hash());
        }
    }
    assert!(between > 500, "{between}");
}
