//! Hits, guards, whiffs, trades, knockdowns: each as one worked example.

use crate::rig::Rig;
use snapback_core::{EffectId, Fx, NameHash};
use snapback_sim::{Act, PadInput, cues};

const LIGHT: u16 = PadInput::LIGHT;
const HEAVY: u16 = PadInput::HEAVY;

/// Steps until frame `frame` of a script that begins with the press at frame 0.
fn script(rig: &mut Rig, frames: usize, pads: impl Fn(usize) -> [u16; 2]) {
    for frame in 0..frames {
        rig.step(&pads(frame));
    }
}

fn press_at(frame: usize, at: usize, button: u16) -> u16 {
    if frame == at { button } else { 0 }
}

#[test]
fn a_light_hits_on_its_first_active_frame() {
    let mut rig = Rig::apart(80);
    script(&mut rig, 5, |f| [press_at(f, 0, LIGHT), 0]);
    assert_eq!((rig.health(), rig.raised(cues::hit("light"))), (vec![1000, 1000], 0));
    rig.step(&[]);
    assert_eq!(rig.health(), [1000, 960]);
    assert_eq!(rig.fighters()[1].act(), Act::HitStun);
    assert_eq!((rig.fighters()[0].vitals.meter, rig.fighters()[1].vitals.meter), (30, 10));
    let hit = rig.effects().iter().find(|e| e.id.source == 0).unwrap();
    assert_eq!(hit.id, EffectId { source: 0, kind: cues::hit("light"), key: 1 | 1 << 4 });
    assert_eq!(hit.data[..3], [40, 0, 40]);
    // Two more active frames reach nobody again.
    rig.steps(5, &[]);
    assert_eq!(rig.health(), [1000, 960]);
}

#[test]
fn hitstun_and_recovery_last_as_long_as_the_data_says() {
    let mut rig = Rig::apart(80);
    script(&mut rig, 6, |f| [press_at(f, 0, LIGHT), 0]);
    let mut free_at = [None; 2];
    for frame in 6..40 {
        rig.step(&[]);
        for (free, fighter) in free_at.iter_mut().zip(rig.fighters()) {
            if fighter.act() == Act::Stand {
                free.get_or_insert(frame);
            }
        }
    }
    // Pressed at 0: 5 + 3 + 8. Hit at 5: 15 of hitstun.
    assert_eq!(free_at, [Some(16), Some(20)]);
    assert!(rig.fighters()[1].x() > Fx::from_int(60), "pushed back");
    assert_eq!(rig.fighters()[0].x(), Fx::from_int(-40));
}

#[test]
fn a_held_direction_away_or_the_guard_button_blocks() {
    for guard in [PadInput::RIGHT, PadInput::GUARD, PadInput::GUARD | PadInput::LEFT] {
        let mut rig = Rig::apart(70);
        script(&mut rig, 6, |f| [press_at(f, 0, LIGHT), guard]);
        assert_eq!(rig.health(), [1000, 1000]);
        assert_eq!((rig.fighters()[1].act(), rig.fighters()[1].action.left_frames), (Act::BlockStun, 10));
        assert_eq!(rig.raised(cues::block("light")), 1);
        assert_eq!(rig.fighters()[0].vitals.meter, 15);
        let free = (6..40).find(|_| {
            rig.step(&[]);
            rig.fighters()[1].act() == Act::Stand
        });
        assert_eq!(free, Some(15));
        assert!(rig.fighters()[1].x() > Fx::from_int(50), "pushed back");
    }
}

#[test]
fn towards_the_attacker_is_no_guard() {
    let mut rig = Rig::apart(70);
    script(&mut rig, 6, |f| [press_at(f, 0, LIGHT), PadInput::LEFT]);
    assert_eq!(rig.health(), [1000, 960]);
}

#[test]
fn a_low_must_be_guarded_low() {
    let low = PadInput::DOWN | LIGHT;
    for (guard, health) in [
        (PadInput::GUARD, 965),
        (PadInput::RIGHT, 965),
        (PadInput::DOWN, 965),
        (PadInput::GUARD | PadInput::DOWN, 1000),
        (PadInput::RIGHT | PadInput::DOWN, 1000),
    ] {
        let mut rig = Rig::apart(70);
        script(&mut rig, 7, |f| [press_at(f, 0, low), guard]);
        assert_eq!(rig.health(), [1000, health], "{guard:#b}");
    }
}

#[test]
fn a_guard_holds_and_changes_height_in_blockstun() {
    let mut rig = Rig::apart(60);
    let (high, low) = (PadInput::GUARD, PadInput::GUARD | PadInput::DOWN);
    script(&mut rig, 6, |f| [press_at(f, 0, LIGHT), high]);
    assert_eq!(rig.fighters()[1].act(), Act::BlockStun);
    rig.step(&[0, low]);
    assert_eq!((rig.fighters()[1].act(), rig.fighters()[1].action.crouching), (Act::BlockStun, 1));
    rig.step(&[0, high]);
    assert_eq!((rig.fighters()[1].act(), rig.fighters()[1].action.crouching), (Act::BlockStun, 0));
}

#[test]
fn a_guarded_heavy_still_costs_a_little() {
    let mut rig = Rig::apart(80);
    script(&mut rig, 14, |f| [press_at(f, 0, HEAVY), PadInput::GUARD]);
    assert_eq!(rig.health(), [1000, 988]);
    assert_eq!((rig.fighters()[0].vitals.meter, rig.fighters()[1].act()), (40, Act::BlockStun));
}

#[test]
fn out_of_reach_and_over_a_crouching_head_a_light_whiffs() {
    for (distance, defender) in [(200, 0), (80, PadInput::DOWN)] {
        let mut rig = Rig::apart(distance);
        script(&mut rig, 30, |f| [press_at(f, 0, LIGHT), defender]);
        assert_eq!(rig.health(), [1000, 1000]);
        assert_eq!(rig.fighters()[0].vitals.meter, 0);
    }
    // The heavy reaches down to a crouching head.
    let mut rig = Rig::apart(80);
    script(&mut rig, 14, |f| [press_at(f, 0, HEAVY), PadInput::DOWN]);
    assert_eq!(rig.health(), [1000, 880]);
}

#[test]
fn attacks_that_meet_in_one_frame_trade() {
    for heavy_seat in [0, 1] {
        let mut rig = Rig::apart(80);
        script(&mut rig, 14, |f| {
            let (heavy, light) = (press_at(f, 0, HEAVY), press_at(f, 8, LIGHT));
            if heavy_seat == 0 { [heavy, light] } else { [light, heavy] }
        });
        let (heavy, light) = (rig.fighters()[heavy_seat], rig.fighters()[1 - heavy_seat]);
        assert_eq!((heavy.vitals.health, light.vitals.health), (960, 880));
        assert_eq!((heavy.act(), light.act()), (Act::HitStun, Act::Launched));
        assert_eq!((heavy.vitals.meter, light.vitals.meter), (80 + 10, 30 + 30));
        assert_eq!(rig.effects().len(), 2);
    }
}

#[test]
fn one_frame_earlier_the_faster_attack_wins() {
    let mut rig = Rig::apart(80);
    script(&mut rig, 20, |f| [press_at(f, 0, HEAVY), press_at(f, 7, LIGHT)]);
    assert_eq!(rig.health(), [960, 1000]);
}

#[test]
fn a_heavy_knocks_down_and_the_fallen_are_out_of_reach() {
    let mut rig = Rig::apart(80);
    script(&mut rig, 14, |f| [press_at(f, 0, HEAVY), 0]);
    assert_eq!((rig.health()[1], rig.fighters()[1].act()), (880, Act::Launched));
    let mut seen = Vec::new();
    for _ in 0..90 {
        rig.step(&[]);
        let act = rig.fighters()[1].act();
        if seen.last() != Some(&act) {
            seen.push(act);
        }
        if act == Act::Down {
            let x = rig.fighters()[1].x() - Fx::from_int(60);
            rig.edit(|_, fighters| fighters[0].motion.position[0] = x);
            rig.step(&[if rig.fighters()[0].act() == Act::Stand { PadInput::DOWN | LIGHT } else { 0 }]);
        }
    }
    assert_eq!(seen, [Act::Launched, Act::Down, Act::Stand]);
    assert_eq!(rig.health()[1], 880);
}

#[test]
fn a_press_waits_for_the_fighter_to_be_free() {
    for (pressed_at, comes) in [(16 - 4, true), (16 - 6, false)] {
        let mut rig = Rig::apart(300);
        script(&mut rig, 17, |f| [press_at(f, 0, LIGHT) | press_at(f, pressed_at, HEAVY), 0]);
        assert_eq!(rig.fighters()[0].act() == Act::Attack, comes, "{pressed_at}");
        assert_eq!(rig.fighters()[0].action.move_name, if comes { NameHash::of("heavy") } else { NameHash::NONE });
    }
}

#[test]
fn a_held_button_is_one_press() {
    let mut rig = Rig::apart(300);
    rig.steps(40, &[LIGHT]);
    assert_eq!(rig.fighters()[0].act(), Act::Stand);
}

#[test]
fn against_the_wall_the_attacker_gives_way() {
    let mut rig = Rig::fighting(2);
    rig.edit(|_, fighters| {
        fighters[0].motion.position[0] = Fx::from_int(350);
        fighters[1].motion.position[0] = Fx::from_int(420);
    });
    script(&mut rig, 40, |f| [press_at(f, 0, LIGHT), 0]);
    assert_eq!(rig.health(), [1000, 960]);
    assert_eq!(rig.fighters()[1].x(), Fx::from_int(420));
    assert!(rig.fighters()[0].x() < Fx::from_int(335), "{}", rig.fighters()[0].x());
}

#[test]
fn two_attackers_hit_one_defender_together_and_friends_not_at_all() {
    let mut rig = Rig::fighting(4);
    rig.edit(|_, fighters| {
        for (fighter, x) in fighters.iter_mut().zip([-60, 0, 60, 300]) {
            fighter.motion.position[0] = Fx::from_int(x);
        }
    });
    rig.step(&[LIGHT, 0, LIGHT, 0]);
    rig.steps(5, &[]);
    assert_eq!(rig.health(), [1000, 920, 1000, 1000]);
    assert_eq!(rig.raised(cues::hit("light")), 2);
    assert_eq!(rig.fighters()[1].motion.pushback, Fx::ZERO, "from both sides at once");
}

#[test]
fn a_limb_that_is_out_can_be_hit() {
    // Too far for the body, near enough for the arm of the light that is being taken back:
    // 108 + 24 < 140 < 108 + 60.
    let mut rig = Rig::apart(140);
    script(&mut rig, 15, |f| [press_at(f, 0, HEAVY), press_at(f, 4, LIGHT)]);
    assert_eq!(rig.health(), [1000, 880]);
}
