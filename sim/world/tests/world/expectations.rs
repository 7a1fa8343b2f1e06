//! What players of fighting games take for granted: each as one worked example.

use crate::rig::{DEFAULT_DATA, PLAIN_DATA, Rig};
use snapback_core::{Fx, NameHash};
use snapback_sim::{Act, DataFile, PadInput, Phase, WorldData, cues};
use std::sync::Arc;

const DUELISTS: [&str; 2] = ["duelist", "duelist"];

fn duelists(distance: i32) -> Rig {
    Rig::pair(&DEFAULT_DATA, DUELISTS, distance)
}

fn plain(distance: i32) -> Rig {
    Rig::pair(&PLAIN_DATA, DUELISTS, distance)
}

/// The default data with `from` replaced by `to` in the file of the duelist.
fn duelist_with(changes: &[(&str, &str)]) -> Arc<WorldData> {
    let mut files: Vec<DataFile> = WorldData::default_files();
    for (from, to) in changes {
        assert!(files[1].text.contains(from), "{from}");
        files[1].text = files[1].text.replacen(from, to, 1);
    }
    Arc::new(WorldData::load(&files).unwrap())
}

#[test]
fn an_attack_comes_from_where_the_attacker_is() {
    // The lariat goes all around: here it reaches one behind.
    let behind = |held: u16| {
        let mut rig = Rig::pair(&PLAIN_DATA, ["warden", "duelist"], 120);
        rig.play(0, "2 1 4L");
        rig.edit(|_, fighters| fighters[1].motion.position[0] = fighters[0].x() - Fx::from_int(55));
        rig.steps(12, &[]);
        rig.step(&[0, held]);
        assert_eq!(rig.fighters()[0].facing(), 1);
        rig.fighters()[1]
    };
    let hit = behind(0);
    assert!(hit.motion.pushback < Fx::ZERO, "away from the attacker");
    assert_eq!(behind(PadInput::LEFT).act(), Act::BlockStun);
    assert_eq!(behind(PadInput::RIGHT).act(), Act::HitStun);
}

#[test]
fn a_press_in_hitstop_waits_for_its_end() {
    let mut rig = duelists(80);
    rig.play(0, "H 5*13");
    assert_eq!(rig.world.view().header().clock.hitstop_frames, 9);
    rig.play(0, "2 3 6L 5*8");
    assert_eq!(rig.fighters()[0].abilities.last, NameHash::of("fireball"));
}

#[test]
fn a_press_in_hitstop_escapes_from_a_throw() {
    let mut rig = duelists(50);
    rig.play(0, "Z 5*8");
    rig.edit(|header, _| header.clock.hitstop_frames = 4);
    rig.play(1, "Z 5*20");
    assert_eq!((rig.fighters()[0].act(), rig.fighters()[1].act()), (Act::Stand, Act::Stand));
    assert_eq!(rig.health(), [1000, 1000]);
}

#[test]
fn a_press_before_the_throw_does_not_escape_from_it() {
    let mut rig = duelists(50);
    rig.edit(|_, fighters| {
        fighters[1].action.act = Act::Landing as u8;
        fighters[1].action.left_frames = 30;
    });
    rig.duel("Z 5*30", "5*3 Z");
    assert_eq!(rig.health(), [1000, 890]);
}

#[test]
fn one_who_is_hit_in_a_sidestep_stops_in_the_depth() {
    let mut rig = plain(70);
    rig.play(0, "L 5*4");
    rig.edit(|_, fighters| {
        fighters[1].action.act = Act::Sidestep as u8;
        fighters[1].action.left_frames = 10;
        fighters[1].motion.velocity[2] = Fx::from_int(5);
    });
    rig.step(&[]);
    assert_eq!(rig.fighters()[1].act(), Act::HitStun);
    let depth = rig.fighters()[1].z();
    rig.steps(10, &[]);
    assert_eq!(rig.fighters()[1].z(), depth);
}

#[test]
fn one_who_falls_in_armour_does_not_slide_on() {
    let mut rig = plain(80);
    rig.edit(|_, fighters| fighters[0].vitals.health = 1);
    rig.duel("HS 5*14", "5*9 L 5*5");
    assert_eq!(rig.fighters()[0].act(), Act::KnockedOut);
    let x = rig.fighters()[0].x();
    rig.steps(30, &[]);
    assert_eq!(rig.fighters()[0].x(), x);
}

#[test]
fn throws_that_meet_stop_both() {
    let data = duelist_with(&[("throw_frames = 22\n", "throw_frames = 22\nstep_frames = \"1-6\"\nstep_speed = \"1\"\n")]);
    let mut rig = Rig::pair(&data, DUELISTS, 50);
    rig.duel("Z 5*5", "Z 5*5");
    assert_eq!(rig.raised(cues::TECH), 2);
    assert!(rig.fighters().iter().all(|f| f.motion.velocity == [Fx::ZERO; 3]));
}

#[test]
fn a_throw_ends_a_stance_and_ki_like_a_hit() {
    let mut rig = duelists(50);
    rig.edit(|_, fighters| {
        fighters[1].stance.name = NameHash::of("lotus");
        fighters[1].stance.left_frames = 600;
        fighters[1].ki.left_frames = 600;
    });
    rig.play(0, "6Z 5*8");
    let thrown = rig.fighters()[1];
    assert_eq!(thrown.act(), Act::Thrown);
    assert_eq!((thrown.stance.name, thrown.stance.left_frames, thrown.ki.left_frames), (NameHash::NONE, 0, 0));
}

#[test]
fn two_who_come_free_go_apart_also_from_behind() {
    let mut rig = duelists(50);
    rig.play(0, "Z 5*4");
    rig.edit(|_, fighters| {
        fighters[1].action.act = Act::Landing as u8;
        fighters[1].action.left_frames = 30;
        fighters[1].motion.facing = 1;
    });
    rig.step(&[]);
    assert_eq!(rig.fighters()[1].act(), Act::Thrown);
    let before = rig.fighters()[1].x();
    rig.play(1, "Z 5*4");
    assert!(rig.fighters()[1].x() > before);
}

#[test]
fn one_who_could_have_guarded_is_in_a_new_combo() {
    let mut rig = plain(70);
    rig.play(0, "L 5*4");
    rig.edit(|_, fighters| {
        fighters[1].action.act = Act::HitStun as u8;
        fighters[1].action.left_frames = 1;
        fighters[1].juggle.combo_hits = 3;
        fighters[1].juggle.scaling = 500;
    });
    rig.step(&[]);
    assert_eq!((rig.health()[1], rig.fighters()[1].juggle.combo_hits), (960, 1));
}

#[test]
fn the_juggle_limit_counts_hits_on_one_who_lies() {
    let stomped = |points: u16| {
        let mut rig = plain(60);
        rig.edit(|_, fighters| {
            fighters[1].action.act = Act::Down as u8;
            fighters[1].action.left_frames = 40;
            fighters[1].juggle.combo_hits = 5;
            fighters[1].juggle.scaling = 1_000;
            fighters[1].juggle.points = points;
        });
        rig.play(0, "4H 5*18");
        (rig.health()[1], rig.fighters()[1].juggle.points)
    };
    assert_eq!((stomped(0), stomped(95)), ((955, 10), (1000, 95)));
}

#[test]
fn one_with_the_back_to_the_wall_sticks_to_it() {
    let mut rig = Rig::pair(&DEFAULT_DATA, ["warden", "duelist"], 60);
    rig.edit(|_, fighters| {
        fighters[0].motion.position[0] = Fx::from_int(350);
        fighters[1].motion.position[0] = Fx::from_int(420);
    });
    rig.play(0, "4L 5*22");
    assert_eq!(rig.fighters()[1].act(), Act::WallSplat);
}

#[test]
fn one_who_is_thrown_gains_meter_like_one_who_is_hit() {
    let mut rig = duelists(50);
    rig.play(0, "Z 5*30");
    assert_eq!((rig.health()[1], rig.fighters()[1].vitals.meter), (890, 28));
    // What is gained for damage follows the meter share, too.
    let mut rig = Rig::pair(&PLAIN_DATA, ["duelist", "warden"], 80);
    rig.play(0, "L 5*5");
    assert_eq!((rig.health()[1], rig.fighters()[1].vitals.meter), (962, 11));
}

#[test]
fn a_projectile_does_not_open_the_cancels_of_a_limb() {
    let seats = [("duelist", 0), ("duelist", 1), ("duelist", 1)];
    let mut rig = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &seats, 7, 3);
    rig.skip_to(Phase::Fight);
    rig.edit(|_, fighters| {
        for (fighter, x) in fighters.iter_mut().zip([-40, 30, 300]) {
            fighter.motion.position = [Fx::from_int(x), Fx::ZERO, Fx::ZERO];
        }
        let shot = &mut fighters[0].projectiles[0];
        shot.move_name = NameHash::of("fireball");
        (shot.left_frames, shot.hits_left, shot.pause_frames, shot.facing) = (50, 1, 6, 1);
        shot.position = [Fx::from_int(300), Fx::from_int(105), Fx::ZERO];
    });
    for frame in 0..6 {
        rig.step(&[if frame == 0 { PadInput::LIGHT } else { 0 }, PadInput::GUARD, 0]);
    }
    assert_eq!([1, 2].map(|seat| rig.fighters()[seat].act()), [Act::BlockStun, Act::HitStun]);
    assert_eq!(rig.fighters()[0].action.contact, 1);
}

#[test]
fn a_crowded_side_starts_on_the_stage() {
    let mut seats = vec![("duelist", 0); 8];
    seats[1].1 = 1;
    let rig = Rig::with_roster(Arc::clone(&DEFAULT_DATA), &seats, 7, 8);
    assert!(rig.fighters().iter().all(|f| f.x().abs() <= Fx::from_int(420)));

    let mut files = WorldData::default_files();
    files[0].text = files[0].text.replacen("half_depth = \"120\"", "half_depth = \"20\"", 1);
    let rig = Rig::with_roster(WorldData::load(&files).unwrap(), &seats, 7, 8);
    assert!(rig.fighters().iter().all(|f| f.z().abs() <= Fx::from_int(20)));
}

#[test]
fn a_projectile_that_comes_back_pushes_back() {
    let data = duelist_with(&[("forward = \"40\"\nup = \"105\"\nspeed = \"6.5\"", "forward = \"300\"\nup = \"105\"\nspeed = \"-6.5\"")]);
    let mut rig = Rig::pair(&data, DUELISTS, 200);
    rig.play(0, "2 3 6L 5*12");
    assert_eq!(rig.fighters()[0].projectiles[0].facing, -1);
    let mut pushed = Fx::ZERO;
    for _ in 0..40 {
        rig.step(&[]);
        pushed = pushed.min(rig.fighters()[1].motion.pushback);
    }
    assert!(pushed < Fx::ZERO);
}

#[test]
fn a_motion_is_read_for_the_side_on_which_the_enemy_is() {
    // It lies and looks right; meanwhile the enemy has come over to its left.
    let mut rig = duelists(300);
    rig.edit(|_, fighters| {
        fighters[0].action.act = Act::Down as u8;
        fighters[0].action.left_frames = 6;
        let x = fighters[0].x();
        fighters[1].motion.position[0] = x - Fx::from_int(250);
        fighters[0].motion.position[0] = x + Fx::from_int(50);
    });
    for pad in [PadInput::DOWN, PadInput::DOWN | PadInput::LEFT, PadInput::LEFT | PadInput::LIGHT, 0, 0, 0] {
        rig.step(&[pad]);
    }
    assert_eq!(rig.fighters()[0].abilities.last, NameHash::of("fireball"));
    assert_eq!(rig.fighters()[0].facing(), -1);
}

#[test]
fn a_motion_in_the_recovery_of_a_miss_is_read_for_the_side_of_the_enemy() {
    let mut rig = duelists(300);
    rig.play(0, "H 5*30");
    rig.edit(|_, fighters| {
        let x = fighters[0].x();
        fighters[1].motion.position[0] = x - Fx::from_int(200);
    });
    for pad in [PadInput::DOWN, PadInput::DOWN | PadInput::LEFT, PadInput::LEFT | PadInput::LIGHT, 0, 0, 0] {
        rig.step(&[pad]);
    }
    assert_eq!((rig.fighters()[0].abilities.last, rig.fighters()[0].facing()), (NameHash::of("fireball"), -1));
}

#[test]
fn an_attack_out_of_a_sidestep_goes_to_the_enemy() {
    let mut rig = duelists(300);
    rig.play(0, "8 5 8 5*8");
    assert_eq!(rig.fighters()[0].act(), Act::Sidestep);
    rig.edit(|_, fighters| fighters[1].motion.position[0] = fighters[0].x() - Fx::from_int(200));
    rig.play(0, "L 5");
    assert_eq!((rig.fighters()[0].act(), rig.fighters()[0].facing()), (Act::Attack, -1));
}

#[test]
fn a_second_button_does_not_waste_heat() {
    let mut rig = duelists(300);
    rig.play(0, "LS H 5*30");
    let fighter = rig.fighters()[0];
    assert_eq!((fighter.heat.used, fighter.heat.left_frames > 0), (1, true));
}

#[test]
fn a_rising_move_is_not_over_when_it_lands() {
    // 4 + 10 + 30 frames.
    let mut rig = duelists(400);
    rig.play(0, "6 2 3H 5*43");
    assert_eq!(rig.fighters()[0].act(), Act::Attack);
    assert_eq!(rig.fighters()[0].y(), Fx::ZERO);
    rig.step(&[]);
    assert_eq!(rig.fighters()[0].act(), Act::Stand);
}

/// The limits of the rules, which only a long combo comes to.
#[test]
fn a_long_combo_comes_to_its_limits() {
    let mut rig = plain(60);
    rig.edit(|_, fighters| {
        fighters[1].action.act = Act::Launched as u8;
        fighters[1].motion.position[1] = Fx::from_int(40);
        fighters[1].motion.velocity[1] = Fx::from_int(5);
        fighters[1].juggle.combo_hits = 8;
        fighters[1].juggle.points = 80;
        fighters[1].juggle.scaling = 210;
        fighters[1].juggle.gravity_gained = 750;
    });
    rig.play(0, "L 5*6");
    let juggle = rig.fighters()[1].juggle;
    assert_eq!((juggle.combo_hits, juggle.points, juggle.scaling, juggle.gravity_gained), (9, 90, 200, 800));
}
