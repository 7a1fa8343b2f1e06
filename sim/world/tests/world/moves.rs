//! Moves of the default characters: each mechanic as one worked example.

use crate::rig::{DEFAULT_DATA, PLAIN_DATA, Rig};
use snapback_core::{Fx, NameHash};
use snapback_sim::{Act, Phase, cues};

const DUELISTS: [&str; 2] = ["duelist", "duelist"];

fn duelists(distance: i32) -> Rig {
    Rig::pair(&DEFAULT_DATA, DUELISTS, distance)
}

fn plain(distance: i32) -> Rig {
    Rig::pair(&PLAIN_DATA, DUELISTS, distance)
}

/// Which move the fighter at `seat` began last.
fn is_last(rig: &Rig, seat: usize, name: &str) -> bool {
    rig.fighters()[seat].abilities.last == NameHash::of(name)
}

#[test]
fn motions_are_read_with_the_direction_that_the_fighter_looks_to() {
    for (text, name) in [
        ("2 3 6L", "fireball"),
        ("2 2 3 3 6 6L", "fireball"),
        ("2 1 4L", "wheel_kick"),
        ("6 2 3H", "uppercut"),
        ("6 5 2 3H", "uppercut"),
        ("2 3 6H", "great_fireball"),
        ("6L", "step_kick"),
        ("3 6L", "step_kick"),
        ("4*30 6H", "sonic_rush"),
        ("4*29 6H", "overhead"),
        ("2 5*14 3 6L", "step_kick"),
        ("LH", "launcher"),
        ("L H", "launcher"),
        ("L 5 H", "launcher"),
        ("L 5 5 H", "light"),
    ] {
        for seat in [0, 1] {
            let mut rig = duelists(400);
            rig.play(seat, text);
            rig.step(&[]);
            assert!(is_last(&rig, seat, name), "{text} of seat {seat}");
        }
    }
}

#[test]
fn a_dash_goes_forward_a_backdash_back_and_a_sidestep_into_the_depth() {
    let travelled = |text: &str| {
        let mut rig = duelists(400);
        let before = rig.fighters()[0].motion.position;
        rig.play(0, text);
        let act = rig.fighters()[0].act();
        rig.steps(30, &[]);
        let after = rig.fighters()[0].motion.position;
        (act, after[0] - before[0], after[2] - before[2])
    };
    let (act, along, _) = travelled("6 5 6");
    assert_eq!((act, along), (Act::Dash, Fx::ratio(7, 2) + Fx::from_int(7 * 14)));
    let (act, along, _) = travelled("4 5 4");
    assert_eq!((act, along), (Act::Backdash, -Fx::ratio(11, 4) - Fx::from_int(8 * 16)));
    for (text, deep) in [("8 5 8", 80), ("2 5 2", -80), ("G G8", 80), ("G GJ", -80)] {
        assert_eq!(travelled(text), (Act::Sidestep, Fx::ZERO, Fx::from_int(deep)), "{text}");
    }
    // A tap is no jump, and a late second tap is no dash.
    assert_eq!(travelled("8 5*4").0, Act::Stand);
    assert_eq!(travelled("6 5*12 6").0, Act::WalkForward);
}

#[test]
fn a_sidestep_evades_and_a_move_that_tracks_does_not_care() {
    let hit = |attack: &str| {
        let mut rig = duelists(90);
        rig.duel("5*9", "8 5 8 5*6");
        rig.duel(attack, "");
        rig.steps(20, &[]);
        rig.health()[1] < 1000
    };
    assert!(!hit("H"), "a straight heavy goes past");
    assert!(hit("2 1 4L"), "the wheel kick follows");
}

#[test]
fn a_throw_takes_hold_and_a_press_of_grab_in_time_escapes() {
    let mut rig = duelists(50);
    rig.play(0, "Z 5*5");
    assert_eq!((rig.fighters()[0].act(), rig.fighters()[1].act()), (Act::Throwing, Act::Thrown));
    assert_eq!((rig.fighters()[0].hold.partner, rig.fighters()[1].hold.partner), (2, 1));
    rig.steps(22, &[]);
    assert_eq!((rig.health()[1], rig.fighters()[1].act()), (890, Act::Launched));

    for (pressed_after, escapes) in [(10, true), (11, false)] {
        let mut rig = duelists(50);
        rig.play(0, "Z 5*5");
        rig.steps(pressed_after - 1, &[]);
        rig.play(1, "Z");
        assert_eq!(rig.raised(cues::TECH), if escapes { 2 } else { 0 });
        rig.steps(30, &[]);
        assert_eq!(rig.health()[1], if escapes { 1000 } else { 890 });
    }
}

#[test]
fn a_throw_loses_to_a_strike_and_meets_a_throw() {
    let mut rig = duelists(50);
    rig.duel("Z 5*8", "L 5*8");
    assert_eq!(rig.health(), [1000 - 48, 1000], "the strike of the same frame wins, as a counter hit");
    let mut rig = duelists(50);
    rig.duel("Z 5*5", "Z 5*5");
    assert_eq!(rig.raised(cues::TECH), 2);
    rig.steps(40, &[]);
    assert_eq!(rig.health(), [1000, 1000]);
}

#[test]
fn a_throw_passes_over_one_who_crouches_and_takes_one_who_guards() {
    let health = |defence: &str| {
        let mut rig = duelists(50);
        rig.duel("Z 5*40", defence);
        rig.health()[1]
    };
    assert_eq!((health("2*41"), health("G*41"), health("4*41")), (1000, 890, 890));
}

#[test]
fn heights_and_guards() {
    let health = |attack: &str, defence: &str| {
        let mut rig = plain(76);
        rig.duel(attack, defence);
        rig.health()[1]
    };
    // Mid: both guards. High: both, and it misses a crouch. Low and overhead: one of them.
    assert_eq!((health("L 5*9", "G*10"), health("L 5*9", "G2*10")), (1000, 1000));
    assert_eq!((health("S 5*9", "G*10"), health("S 5*9", "2*10"), health("S 5*9", "5*10")), (1000, 1000, 970));
    assert_eq!((health("2L 2*9", "G*10"), health("2L 2*9", "2G*10")), (965, 1000));
    assert_eq!((health("6H 5*29", "G*30"), health("6H 5*29", "2G*30")), (1000, 920));
}

#[test]
fn a_counter_hit_does_a_fifth_more_and_stuns_longer() {
    let mut rig = duelists(80);
    rig.duel("5*2 L 5*5", "H 5*7");
    assert_eq!((rig.health()[1], rig.fighters()[1].action.left_frames), (952, 15 + 6));
    let mut rig = duelists(80);
    rig.duel("L 5*5", "");
    assert_eq!((rig.health()[1], rig.fighters()[1].action.left_frames), (960, 15));
}

#[test]
fn hitstop_stops_everything_but_the_reading_of_pads() {
    let mut rig = duelists(80);
    rig.play(0, "L 5*5");
    let stopped = (rig.fighters()[0].motion, rig.fighters()[1].action, rig.world.view().timer_frames());
    assert_eq!(rig.world.view().header().clock.hitstop_frames, 6);
    for _ in 0..6 {
        rig.step(&[0, snapback_sim::PadInput::LEFT]);
        assert_eq!((rig.fighters()[0].motion, rig.fighters()[1].action, rig.world.view().timer_frames()), stopped);
        assert_eq!(rig.fighters()[1].pad.held.buttons, snapback_sim::PadInput::LEFT);
    }
    rig.step(&[]);
    assert_eq!(rig.fighters()[1].action.left_frames, 14);
}

#[test]
fn a_cancel_needs_a_hit_and_the_rest_of_the_combo_does_less() {
    let mut rig = duelists(70);
    rig.play(0, "L 5*7 2L 5*16");
    // 40, then 90 % of 35.
    assert_eq!((rig.fighters()[1].juggle.combo_hits, rig.fighters()[1].juggle.combo_damage), (2, 40 + 32));
    let mut rig = duelists(300);
    rig.play(0, "L 5*7 2L 5*3");
    assert!(is_last(&rig, 0, "light"), "a whiff is not cancelled");
}

#[test]
fn armour_takes_one_hit_and_lets_part_of_it_through() {
    let mut rig = duelists(80);
    rig.duel("HS 5*40", "5*3 L 5*37");
    // 70 % of 48 (the armoured move is being carried out: a counter hit).
    assert_eq!(rig.health()[0], 1000 - 34);
    assert_eq!(rig.fighters()[0].power_crush.absorbed, 1);
    assert!(rig.health()[1] < 1000, "and the move came through");
    let mut rig = duelists(80);
    rig.duel("HS 5*40", "5*3 2L 2*37");
    assert_eq!(rig.health(), [1000 - 42, 1000], "a low breaks it");
}

#[test]
fn a_juggle_falls_faster_with_every_hit_and_ends_at_the_limit() {
    let mut rig = duelists(66);
    rig.play(0, "LH 5*26");
    assert_eq!(rig.fighters()[1].act(), Act::Launched);
    let first = rig.fighters()[1].juggle;
    assert_eq!((first.points, first.gravity_gained), (20, 150));
    let drop = |rig: &mut Rig| {
        let before = rig.fighters()[1].motion.velocity[1];
        rig.step(&[]);
        before - rig.fighters()[1].motion.velocity[1]
    };
    assert_eq!(drop(&mut rig), Fx::from_bits(Fx::ratio(85, 100).to_bits() * 1_150 / 1_000));
    rig.edit(|_, fighters| fighters[1].juggle.points = 91);
    rig.edit(|_, fighters| {
        fighters[0].action.act = Act::Stand as u8;
        fighters[1].motion.position = [fighters[0].x() + Fx::from_int(50), Fx::from_int(40), Fx::ZERO];
        fighters[1].motion.velocity = [Fx::ZERO, Fx::from_int(5), Fx::ZERO];
    });
    let before = rig.health();
    rig.play(0, "L 5*8");
    assert_eq!(rig.health(), before, "over the limit it misses");
}

#[test]
fn one_thrown_at_the_wall_sticks_to_it_once() {
    let mut rig = Rig::pair(&DEFAULT_DATA, ["warden", "duelist"], 60);
    rig.edit(|_, fighters| {
        fighters[0].motion.position[0] = Fx::from_int(320);
        fighters[1].motion.position[0] = Fx::from_int(380);
    });
    let mut seen = Vec::new();
    rig.play(0, "4L");
    for _ in 0..120 {
        rig.step(&[]);
        if seen.last() != Some(&rig.fighters()[1].act()) {
            seen.push(rig.fighters()[1].act());
        }
    }
    assert_eq!(seen, [Act::Stand, Act::HitStun, Act::WallSplat, Act::Down, Act::Stand]);
}

#[test]
fn projectiles_fly_hit_burn_and_meet() {
    let mut rig = duelists(300);
    rig.play(0, "2 3 6L 5*12");
    let shot = rig.fighters()[0].projectiles[0];
    assert!(shot.is_live());
    assert_eq!(shot.velocity[0], Fx::ratio(13, 2));
    rig.steps(60, &[]);
    assert!(!rig.fighters()[0].projectiles[0].is_live(), "it has spent its hit");
    assert_eq!(rig.fighters()[1].status.slots[0].effect, NameHash::of("burn"));
    let health = rig.health()[1];
    assert!(health <= 940);
    rig.steps(60, &[]);
    assert!(rig.health()[1] < health, "it burns");

    // One hit against three: the great one flies on with two.
    let mut rig = duelists(380);
    rig.duel("2 3 6H 5*50", "2 3 6L 5*50");
    assert!(!rig.fighters()[1].projectiles[0].is_live());
    assert_eq!(rig.fighters()[0].projectiles[0].hits_left, 2);
}

#[test]
fn a_super_costs_meter_and_freezes_everything() {
    let mut rig = duelists(90);
    rig.play(0, "2 3 6LH 5");
    assert!(!is_last(&rig, 0, "super"), "without meter it is something else");
    let mut rig = duelists(90);
    rig.edit(|_, fighters| fighters[0].vitals.meter = 600);
    rig.play(0, "2 3 6LH");
    assert!(is_last(&rig, 0, "super"));
    assert_eq!((rig.fighters()[0].vitals.meter, rig.world.view().header().clock.hitstop_frames), (100, 24));
    rig.steps(130, &[]);
    assert_eq!(rig.fighters()[0].act(), Act::Stand);
    assert!(rig.health()[1] <= 1000 - 75 - 71, "at least two of its three hits");
}

#[test]
fn heat_comes_once_a_round_and_the_smash_ends_it() {
    let mut rig = duelists(300);
    rig.play(0, "LS 5*60");
    let heat = rig.fighters()[0].heat;
    assert!(heat.left_frames > 500 && heat.used == 1);
    assert_eq!(rig.fighters()[0].attributes.current[0], 1_080);
    rig.play(0, "6LS 5*60");
    assert!(is_last(&rig, 0, "heat_smash"));
    assert_eq!((rig.fighters()[0].heat.left_frames, rig.fighters()[0].heat.smashed), (0, 1));
    rig.play(0, "LS 5*20");
    assert!(!is_last(&rig, 0, "heat_burst"), "once a round");
}

#[test]
fn rage_comes_below_a_quarter_and_a_rage_art_spends_it() {
    let mut rig = duelists(80);
    rig.play(0, "ZS 5*2");
    assert!(!is_last(&rig, 0, "rage_art"));
    let mut rig = duelists(80);
    rig.edit(|_, fighters| fighters[0].vitals.health = 251);
    rig.steps(2, &[]);
    assert_eq!(rig.fighters()[0].rage.active, 0);
    rig.edit(|_, fighters| fighters[0].vitals.health = 250);
    rig.step(&[]);
    assert_eq!((rig.fighters()[0].rage.active, rig.fighters()[0].attributes.current[0], rig.raised(cues::RAGE)), (1, 1_100, 1));
    rig.play(0, "ZS");
    assert!(is_last(&rig, 0, "rage_art"));
    assert_eq!((rig.fighters()[0].rage.active, rig.fighters()[0].rage.used), (0, 1));
    rig.steps(70, &[]);
    assert_eq!((rig.health()[1], rig.fighters()[0].rage.active), (740, 0));
}

#[test]
fn ki_charge_makes_counter_hits_and_takes_the_guard_away() {
    let mut rig = duelists(80);
    rig.play(0, "LHS 5*42");
    assert!(rig.fighters()[0].ki.left_frames > 200);
    rig.duel("L 5*6", "");
    assert_eq!(rig.health()[1], 952);
    let mut rig = duelists(80);
    rig.play(0, "LHS 5*42");
    rig.duel("G*8", "L 5*7");
    assert_eq!(rig.health()[0], 960, "there is no guard");
    assert_eq!(rig.fighters()[0].ki.left_frames, 0, "and the hit ends it");
}

#[test]
fn a_stance_has_moves_of_its_own_and_a_guard_leaves_it() {
    let mut rig = duelists(80);
    rig.play(0, "2S 5*11");
    assert_eq!(rig.fighters()[0].stance.name, NameHash::of("lotus"));
    assert_eq!(rig.fighters()[0].action.crouching, 1);
    rig.play(0, "S 5*14");
    assert!(is_last(&rig, 0, "lotus_palm"));
    assert_eq!(rig.fighters()[0].stance.name, NameHash::NONE);
    assert_eq!(rig.fighters()[1].status.slots[0].effect, NameHash::of("exposed"));

    for (leave, left) in [("G", true), ("5", false)] {
        let mut rig = duelists(80);
        rig.play(0, "2S 5*11");
        rig.play(0, leave);
        assert_eq!(rig.fighters()[0].stance.name == NameHash::NONE, left);
    }
    let mut rig = duelists(80);
    rig.play(0, "2S 5*75");
    assert_eq!(rig.fighters()[0].stance.name, NameHash::NONE, "it ends by itself");
}

#[test]
fn air_attacks_are_overheads_and_their_landing_takes_a_moment() {
    let mut rig = duelists(60);
    rig.duel("J 5*28 H 5*20", "2G*50");
    assert!(rig.health()[1] < 1000);
    let mut rig = duelists(300);
    rig.play(0, "J 5*34 L 5*6");
    assert_eq!(rig.fighters()[0].act(), Act::Landing);
}

#[test]
fn a_status_and_an_attribute_last_as_long_as_the_data_says() {
    let mut rig = Rig::pair(&DEFAULT_DATA, ["warden", "duelist"], 300);
    let health = rig.fighters()[0].attributes.current;
    assert_eq!(health, [1_050, 950, 950, 1_100]);
    rig.play(0, "4S 5*45");
    assert_eq!(rig.fighters()[0].attributes.current, [1_150, 920, 950, 1_600]);
    rig.steps(300, &[]);
    assert_eq!(rig.fighters()[0].attributes.current, [1_050, 920, 950, 1_100]);
    // Twice a round.
    rig.play(0, "4S 5*45");
    rig.steps(300, &[]);
    rig.play(0, "4S 5*5");
    assert_eq!(rig.fighters()[0].abilities.slots[0].activations, 2);
}

#[test]
fn a_press_too_many_does_not_outlast_the_round() {
    let mut rig = duelists(300);
    rig.edit(|header, fighters| {
        header.clock.timer_frames = 1;
        fighters[0].heat.used = 1;
        fighters[0].rage.used = 1;
        fighters[0].attributes.gained = [100; 4];
    });
    rig.skip_to(Phase::RoundEnd);
    rig.skip_to(Phase::Fight);
    let fighter = rig.fighters()[0];
    assert_eq!((fighter.heat.used, fighter.rage.used, fighter.attributes.gained), (0, 0, [0; 4]));
}

#[test]
fn a_teleport_is_not_glided_over() {
    use snapback_core::present::{Blend, Present};
    let mut rig = duelists(400);
    rig.play(0, "2 1 4S 5*13");
    let before = rig.world.picture();
    rig.step(&[]);
    let after = rig.world.picture();
    assert_eq!(after.fighters()[0].x - before.fighters()[0].x, Fx::from_int(150));
    let shown = snapback_sim::Picture::blend(&before, &after, Blend::from_bits(1 << 15));
    assert_eq!(shown.fighters()[0].x, after.fighters()[0].x);
    // Nor is the way of a projectile that has just appeared.
    let mut rig = duelists(400);
    rig.play(0, "2 3 6L 5*11");
    let before = rig.world.picture();
    rig.step(&[]);
    let (after, half) = (rig.world.picture(), Blend::from_bits(1 << 15));
    assert_eq!((before.fighters()[0].projectiles().count(), after.fighters()[0].projectiles().count()), (0, 1));
    assert_eq!(snapback_sim::Picture::blend(&before, &after, half).fighters()[0].projectiles, after.fighters()[0].projectiles);
    rig.step(&[]);
    let moved = rig.world.picture();
    let shown = snapback_sim::Picture::blend(&after, &moved, half).fighters()[0].projectiles[0].x;
    assert_eq!(shown - after.fighters()[0].projectiles[0].x, Fx::ratio(13, 4));
}
