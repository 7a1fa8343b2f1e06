//! How rounds and matches end.

use crate::sparring::{Sparring, Style};
use crate::stage::{Stage, Take};
use snapback::sim::WorldData;
use std::sync::Arc;

const MIRROR: [(&str, u8); 2] = [("duelist", 0), ("duelist", 1)];

pub(super) fn takes(data: &Arc<WorldData>) -> Result<Vec<Take>, String> {
    let stage = |seats: &[(&str, u8)], seed, name, note| Stage::new(data, seats, seed, name, note);
    Ok(vec![
        knock_outs(stage(&MIRROR, 1, "match-won-by-knock-out", "One wins two rounds, and the next match begins.")?),
        double_knock_out(stage(&MIRROR, 2, "double-ko", "Both press the same all the time and fall in the same frame, twice.")?, 2),
        double_knock_out(
            stage(&MIRROR, 3, "match-drawn", "Five rounds with both out at once: the match is nobody's, and the next one begins.")?,
            5,
        ),
        chip(stage(&[("warden", 0), ("duelist", 1)], 4, "chip-ko", "One who guards everything is out by what gets through.")?),
        throw_out(stage(&[("warden", 1), ("warden", 0)], 5, "throw-ko", "Nothing but throws, down to a knock-out.")?),
        time_over(stage(&MIRROR, 6, "time-over", "One hit, and the time runs out: the other one loses.")?, "6*42 L", ""),
        time_over(
            stage(&MIRROR, 7, "time-over-draw", "A guarded hit, and the time runs out: nobody has lost anything.")?,
            "6*42 L",
            "5*8 G*60",
        ),
        time_over(
            stage(
                &[("warden", 0), ("duelist", 1), ("warden", 0)],
                8,
                "time-over-two-against-one",
                "Two who lost a little against one who lost less.",
            )?,
            "6*40 L 5*40 6*10 5*60 2 3 6S",
            "6*44 2L 5*30 L 5*30 L",
        ),
        time_over(
            stage(
                &[("duelist", 2), ("warden", 1), ("duelist", 0), ("warden", 3)],
                9,
                "time-over-four-teams",
                "Four teams, time over, the best is in the middle.",
            )?,
            "6*40 L 5*10 L 5*20 2 3 6L",
            "6*60 L 5*20 6H",
        ),
        time_over(
            stage(
                &[("duelist", 0), ("duelist", 1), ("duelist", 2)],
                10,
                "time-over-two-best",
                "Three teams: two have lost nothing, so it is a draw.",
            )?,
            "6*44 L 5*30 L",
            "5*9",
        ),
        won_by_the_fourth(stage(
            &[("warden", 0), ("duelist", 1), ("warden", 2), ("duelist", 3)],
            34,
            "won-by-the-fourth-team",
            "Four teams of one, of which the last one beats all others.",
        )?),
    ])
}

pub(super) fn beat(stage: &mut Stage) {
    let count = stage.result_count();
    while stage.result_count() == count && !stage.is_too_long() {
        stage.settle();
        stage.approach(80);
        stage.play(&["H 5*14 2 3 6L 5*40"]);
    }
}

fn knock_outs(mut stage: Stage) -> Take {
    for _ in 0..2 {
        stage.fight();
        beat(&mut stage);
    }
    stage.fight();
    stage.play(&["6*20 L", "6*10 L"]);
    stage.wait(30);
    stage.finish()
}

fn double_knock_out(mut stage: Stage, rounds: usize) -> Take {
    for _ in 0..rounds {
        stage.fight();
        let count = stage.result_count();
        while stage.result_count() == count && !stage.is_too_long() {
            stage.settle();
            stage.play(&["6*16 H", "6*16 H"]);
        }
    }
    stage.wait(100);
    stage.fight();
    stage.play(&["6*9 5*9", "2*9"]);
    stage.finish()
}

fn chip(mut stage: Stage) -> Take {
    stage.fight();
    while stage.fighter(1).vitals.health > 160 && !stage.is_too_long() {
        stage.settle();
        stage.approach(90);
        stage.play(&["H 5*30"]);
    }
    let count = stage.result_count();
    while stage.result_count() == count && !stage.is_too_long() {
        stage.settle();
        stage.approach(80);
        stage.play(&["H 5*40", "G*45"]);
    }
    stage.wait(100);
    stage.finish()
}

fn throw_out(mut stage: Stage) -> Take {
    stage.fight();
    let count = stage.result_count();
    while stage.result_count() == count && !stage.is_too_long() {
        stage.try_at(56, "Z 5*60", "");
    }
    stage.wait(30);
    stage.finish()
}

fn time_over(mut stage: Stage, one: &str, other: &str) -> Take {
    stage.fight();
    let third = "6*3 5*60 L 5*20 2 3 6L";
    stage.play(&[one, other, third, "5*30 6*10 L"]);
    stage.wait_for_result();
    stage.wait(20);
    stage.without_trace().finish()
}

fn won_by_the_fourth(mut stage: Stage) -> Take {
    stage.fight();
    let (_, style) = Style::ALL[0];
    let mut winner = Sparring::new(34, 3, style);
    while stage.result_count() == 0 && stage.frames() < 3_500 {
        let buttons = winner.next(3, stage.world());
        stage.step(&[0, 0, 0, buttons]);
    }
    stage.wait(100);
    stage.finish()
}
