//! What takes three or more.

use crate::stage::{Stage, Take};
use snapback::sim::{Act, PadInput, WorldData};
use std::sync::Arc;

pub(super) fn takes(data: &Arc<WorldData>) -> Result<Vec<Take>, String> {
    let stage = |seats: &[(&str, u8)], seed, name, note| Stage::new(data, seats, seed, name, note);
    Ok(vec![
        out_in_one_blow(stage(
            &[("warden", 0), ("duelist", 1), ("duelist", 1)],
            36,
            "out-in-one-blow",
            "A Rage art takes more than a quarter of the health at once: one is out without having raged, and its team fights on.",
        )?),
        between_equals(stage(
            &[("duelist", 1), ("duelist", 0), ("duelist", 3), ("duelist", 0), ("duelist", 0)],
            37,
            "between-equals",
            "One in the very middle, with enemies of other teams as far away and as deep on both sides.",
        )?),
        before_equals(stage(
            &[("duelist", 2), ("duelist", 3), ("duelist", 1), ("duelist", 1)],
            39,
            "before-equals",
            "One sees two enemies of two teams as far away, as deep, and on one side.",
        )?),
        two_statuses(stage(
            &[("warden", 0), ("warden", 1), ("duelist", 1)],
            38,
            "two-statuses-in-one-frame",
            "Two hits of one frame, or nearly so, each with a status effect of its own.",
        )?),
        statuses(stage(
            &[("warden", 0), ("warden", 1), ("duelist", 1)],
            27,
            "statuses",
            "One burns, is chilled, exposed and focused at once, again and again, until all of it ends.",
        )?),
        heap(stage(
            &[("duelist", 0), ("duelist", 1), ("warden", 0), ("warden", 1)],
            28,
            "heap",
            "Four walk into one heap and hit each other there.",
        )?),
        corner_heap(stage(
            &[("duelist", 0), ("warden", 1), ("duelist", 0), ("warden", 1)],
            29,
            "corner-heap",
            "A heap at the wall, with everybody dashing into it.",
        )?),
        throws_in_a_crowd(stage(
            &[("duelist", 0), ("duelist", 1), ("warden", 0), ("warden", 1)],
            30,
            "throws-in-a-crowd",
            "Two grab the same one, some grab each other, and a strike frees nobody who is held.",
        )?),
        surrounded(stage(
            &[("duelist", 0), ("warden", 1), ("duelist", 2)],
            31,
            "surrounded",
            "One between two enemies that are equally near on both sides.",
        )?),
        between_two(stage(
            &[("duelist", 1), ("duelist", 0), ("duelist", 3)],
            33,
            "between-two",
            "One between two who hit it by turns: a combo that is scaled down to the least there is.",
        )?),
        throw_and_strike(stage(
            &[("duelist", 0), ("warden", 1), ("duelist", 0)],
            35,
            "throw-and-strike",
            "One is struck by the second enemy as the first one gets hold of it, or a frame earlier or later.",
        )?),
    ])
}

fn out_in_one_blow(mut stage: Stage) -> Take {
    stage.fight();
    while stage.fighter(0).rage.used == 0 && !stage.is_too_long() {
        stage.settle();
        stage.approach(70);
        stage.play(&["", "L 5*20"]);
    }
    // Not so far that the other one rages.
    while stage.fighter(1).vitals.health > 294 && !stage.is_too_long() {
        let hit = if stage.fighter(1).vitals.health > 310 { "L 5*20" } else { "S 5*20" };
        stage.try_at(80, hit, "");
    }
    stage.try_at(80, "ZS 5*90", "");
    stage.play(&["6*20 L 5*30", "", "6*30 L 5*30"]);
    stage.finish()
}

fn between_equals(mut stage: Stage) -> Take {
    stage.fight();
    // The others to the walls, two of them out of the way; then back to the very middle.
    stage.play(&["", "2 5 2 5*20 4*140", "4*140", "8 5 8 5*20 4*140", "4*140"]);
    for text in ["4*40 5*3", "LH 5*60", "6*20", "4*5 2 1 4L 5*60"] {
        stage.play(&[text]);
    }
    stage.play(&["5*40 L 5*60", "6*70 L 5*20", "6*70 L 5*20", "6*70 2L 5*20", "6*70 H 5*20"]);
    stage.finish()
}

fn before_equals(mut stage: Stage) -> Take {
    stage.fight();
    // By jumps: who walks towards an enemy comes to its depth.
    let (left, right) = (PadInput::JUMP | PadInput::LEFT, PadInput::JUMP | PadInput::RIGHT);
    for jump in 0..5 {
        let own = if jump > 2 { right } else { 0 };
        (0..3).for_each(|_| stage.step(&[own, right, left, right]));
        stage.wait(47);
    }
    stage.play(&["LH 5*60"]);
    // Both are in reach of a throw.
    stage.play(&["6*70 5*3 Z 5*120"]);
    stage.play(&["2 3 6H 5*80"]);
    stage.play(&["6*60 L 5*30", "5*40 2L"]);
    stage.finish()
}

fn two_statuses(mut stage: Stage) -> Take {
    stage.fight();
    for wait in 11..=16 {
        stage.settle();
        stage.approach(50);
        stage.play(&["", "", "6*30"]);
        let palm = format!("2S 5*{wait} S 5*60");
        stage.play(&["5*90", "2S 5*16 L 5*60", &palm]);
    }
    stage.finish()
}

fn statuses(mut stage: Stage) -> Take {
    stage.fight();
    for _ in 0..2 {
        stage.settle();
        stage.approach(60);
        // Focused, thrown and exposed, then into ice and fire.
        stage.play(&["4S*2 5*200", "5*45 2 1 4Z 5*75 2 3 6S 5*60", "5*115 2 3 6L 5*60"]);
    }
    for (target, warden, duelist) in [("5*99", "2 3 6S 5*90", "2 3 6L 5*90"), ("4S 5*60", "6*20 2S 5*13 L 5*50", "6*20 2S 5*12 S 5*60")] {
        stage.settle();
        stage.play(&[target, warden, duelist]);
    }
    stage.wait(250);
    stage.finish()
}

fn between_two(mut stage: Stage) -> Take {
    stage.fight();
    stage.play(&["", "6*44 5*20", "6*8 5*20"]);
    let (mut turn, mut pause) = (1, 0);
    for _ in 0..420 {
        let target = stage.fighter(0);
        let is_time = target.act() != Act::HitStun || target.action.left_frames <= 8;
        let mut buttons = [0; 3];
        if pause == 0 && is_time && stage.fighter(turn).act().is_free() {
            buttons[turn] = PadInput::LIGHT;
            (turn, pause) = (3 - turn, 8);
        } else {
            pause = pause.max(1) - 1;
        }
        stage.step(&buttons);
    }
    stage.finish()
}

fn throw_and_strike(mut stage: Stage) -> Take {
    stage.fight();
    stage.play(&["6*60", "", "6*70"]);
    for wait in 0..5 {
        for strike in ["L", "2L"] {
            stage.settle();
            stage.approach(50);
            let (throw, strike) = (format!("6*40 5*2 Z 5*{}", 60 + wait), format!("6*40 5*{wait} {strike} 5*60"));
            stage.play(&[&throw, "", &strike]);
        }
    }
    stage.finish()
}

fn heap(mut stage: Stage) -> Take {
    stage.fight();
    for texts in [
        ["6*60 L 5*20", "6*60 2L 5*20", "6*60 2 1 4L 5*50", "6*60 H 5*30"],
        ["6*20 H 5*40", "6*20 G*40", "6*20 2H 5*50", "6*20 L 5*30"],
        ["2 1 4L 5*60", "2 1 4L 5*60", "2 1 4L 5*60", "2 1 4L 5*60"],
        ["6 5 6 5*20 L", "6 5 6 5*20 L", "6 5 6 5*20 L", "6 5 6 5*20 L"],
        ["9*6 5*22 H 5*30", "2 1 4S 5*50", "9*6 5*14 H 5*30", "6H 5*50"],
        ["6*30 L 5*9", "6*30 L 5*9", "6*30 L 5*9", "6*30 L 5*9"],
    ] {
        stage.settle();
        stage.play(&texts);
    }
    stage.finish()
}

fn corner_heap(mut stage: Stage) -> Take {
    stage.fight();
    stage.play(&["4*99 4*80", "6*99 6*80", "4*99 4*80", "6*99 6*80"]);
    for texts in [
        ["G*50", "6 5 6 5*20 L 5*20", "6*20", "6 5 6 5*20 H 5*30"],
        ["L 5*30", "6*30", "H 5*30", "6*30 2L"],
        ["4 5 4 5*30", "2 3 6H 5*60", "J 5*40", "4L 5*40"],
        ["9*6 5*50", "9*6 5*50", "6*50", "6*50"],
        ["6 5 6 5*30", "4*30", "HS 5*50", "L 5*50"],
    ] {
        stage.settle();
        stage.play(&texts);
    }
    stage.finish()
}

fn throws_in_a_crowd(mut stage: Stage) -> Take {
    stage.fight();
    for texts in [
        ["6*60 Z 5*30", "6*60 5*40", "6*60 Z 5*30", "6*60 5*40"],
        ["6*10 Z 5*30", "6*10 Z 5*30", "6*10 5*2 Z 5*30", "6*10 L 5*30"],
        ["6*10 Z 5*50", "6*10 5*50", "6*10 5*8 L 5*30", "6*10 5*8 H 5*30"],
        ["6*10 5*40", "6*10 Z 5*30", "6*10 5*40", "6*10 Z 5*30"],
        ["6*10 Z 5*40", "6*10 5*30", "6*10 5*40", "6*10 5*3 Z 5*30"],
        ["6*10 Z 5*30", "6*10 Z 5*30", "6*10 Z 5*30", "6*10 Z 5*30"],
        ["6*10 Z 5*60", "6*10 5*14 Z 5*40", "6*10 5*40", "6*10 5*40"],
    ] {
        stage.settle();
        stage.play(&texts);
    }
    stage.finish()
}

fn surrounded(mut stage: Stage) -> Take {
    stage.fight();
    for texts in [
        ["6*10 L", "6*20 H 5*30", "6*20 H 5*30"],
        ["9*6 5*40", "6*30", "5*30"],
        ["6*30 2 1 4L 5*50", "6*30", "6*30"],
        ["6*20 Z 5*60", "2 3 6S 5*50", "2 3 6L 5*50"],
        ["4*30 L", "6*40 L", "6*40 L"],
        ["J 5*40", "6*30 G*20", "9*6 5*40"],
    ] {
        stage.settle();
        stage.play(&texts);
    }
    stage.finish()
}
