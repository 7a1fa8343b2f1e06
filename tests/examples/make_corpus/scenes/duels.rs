//! What two do with each other: meters, walls, projectiles, steps, presses.

use crate::stage::{Stage, Take};
use snapback::Fx;
use snapback::sim::WorldData;
use std::sync::Arc;

const MIRROR: [(&str, u8); 2] = [("duelist", 0), ("duelist", 1)];

pub(super) fn takes(data: &Arc<WorldData>) -> Result<Vec<Take>, String> {
    let stage = |seats: &[(&str, u8)], seed, name, note| Stage::new(data, seats, seed, name, note);
    Ok(vec![
        rage(stage(&MIRROR, 11, "duelist-rage", "The duelist is hit until it rages, and answers with its Rage art.")?, 0),
        rage(
            stage(&[("duelist", 0), ("warden", 1)], 12, "warden-rage", "The warden is hit until it rages, and answers with its Rage art.")?,
            1,
        ),
        supers(stage(&MIRROR, 13, "duelist-super", "The duelist fills its meter and spends it: hit, guarded, and without enough of it.")?),
        supers(stage(
            &[("warden", 1), ("duelist", 0)],
            14,
            "warden-super",
            "The warden fills its meter and spends it: hit, guarded, and without enough of it.",
        )?),
        walls(stage(
            &[("warden", 0), ("duelist", 1)],
            15,
            "wall-splat-right",
            "Thrown at the right wall, stuck to it, hit there, and guarding there.",
        )?),
        walls(stage(
            &[("warden", 1), ("duelist", 0)],
            16,
            "wall-splat-left",
            "Thrown at the left wall, stuck to it, hit there, and guarding there.",
        )?),
        walls(stage(&MIRROR, 17, "duelist-at-the-wall", "The duelist has the other one at the wall: it gives way itself.")?),
        clashes(stage(
            &MIRROR,
            18,
            "projectiles-clash",
            "Fireballs meet: one hit against one, three against one, three against three, and side by side.",
        )?),
        clashes(stage(&[("warden", 0), ("duelist", 1)], 19, "ice-meets-fire", "The warden's shards and the duelist's fireballs meet.")?),
        far_shots(stage(
            &MIRROR,
            20,
            "projectiles-leave",
            "Projectiles that hit nobody: out of the stage, out of time, and no third one.",
        )?),
        taps(stage(&MIRROR, 21, "double-taps", "Dashes and steps with every pause between the taps, and moves out of them.")?),
        presses(stage(
            &[("duelist", 0), ("warden", 1)],
            22,
            "buffers-and-plinks",
            "Presses that wait each number of frames, and buttons together, one and more frames apart.",
        )?),
        motions(stage(
            &[("duelist", 1), ("warden", 0)],
            23,
            "motions",
            "Motions fast and slow, up to a frame too slow, with other directions between.",
        )?),
        jumps(stage(
            &[("warden", 0), ("duelist", 1)],
            24,
            "jumps",
            "Jumps to all sides, called off, over the other one, onto it, and landing beside the wall.",
        )?),
        depth(stage(
            &[("duelist", 0), ("warden", 1)],
            25,
            "depth",
            "Steps to both edges of the stage, walks back to the other's depth, and attacks past each other.",
        )?),
        held(stage(&MIRROR, 26, "held-buttons", "Buttons held through the intro, the fight and the end of a round are no new presses.")?),
        scaling(stage(&MIRROR, 32, "long-combos", "Combos that are scaled down hit by hit.")?),
    ])
}

fn rage(mut stage: Stage, raging: usize) -> Take {
    stage.fight();
    for art in ["ZS 5*90", "5*3 ZS 5*90", "ZS 5*90"] {
        while stage.fighter(raging).rage.used == 0 && !stage.is_too_long() {
            stage.settle();
            stage.approach(76);
            if raging == 1 { stage.play(&["L 5*6 2L 5*20"]) } else { stage.play(&["", "L 5*6 2L 5*20"]) }
        }
        stage.settle();
        stage.approach(90);
        // Against nothing, against an attack, and a second time in vain.
        let other = "5*8 L 5*20 G*60";
        if raging == 1 { stage.play(&[other, art]) } else { stage.play(&[art, other]) }
    }
    stage.settle();
    stage.finish()
}

fn supers(mut stage: Stage) -> Take {
    stage.fight();
    stage.try_at(80, "2 3 6LH 5*40", "");
    for other in ["", "G*60", "5*4 L", "J"] {
        while stage.fighter(0).vitals.meter < 500 && !stage.is_too_long() {
            stage.try_at(76, "L 5*8 2L 5*10", "");
        }
        stage.try_at(90, "2 3 6LH 5*90", other);
    }
    stage.try_at(70, "L 5*5 2 3 6LH 5*90", "");
    stage.finish()
}

fn walls(mut stage: Stage) -> Take {
    stage.fight();
    let tries = [
        ("4L 5*60", ""),
        ("L 5*20", ""),
        ("L 5*20", "G*20"),
        ("H 5*40", ""),
        ("2 3 6H 5*80", ""),
        ("4L 5*30 L 5*20 L 5*20", ""),
        ("2 3 6L 5*40", "G*60"),
        ("2S 5*13 H 5*60", ""),
        ("Z 5*60", ""),
        ("6Z 5*80", ""),
        ("2 1 4Z 5*99", ""),
        ("4*31 6H 5*60", ""),
        ("L 5*30", "L 5*30"),
        ("H 5*60", "5*20 4*30"),
        ("6*20", "4*20"),
        ("2S 5*11 S 5*60", ""),
        ("6LS 5*50", ""),
        ("9*6 5*40 6*10 L", ""),
    ];
    for (one, other) in tries {
        for _ in 0..400 {
            stage.settle();
            if stage.fighter(1).x().abs() >= Fx::from_int(415) || stage.is_too_long() {
                break;
            }
            stage.play(&["6*12", "4*12"]);
        }
        stage.try_at(66, one, other);
    }
    stage.finish()
}

fn clashes(mut stage: Stage) -> Take {
    stage.fight();
    for (one, other) in [
        ("2 3 6L 5*60", "2 3 6L 5*60"),
        ("2 3 6H 5*99", "2 3 6L 5*50 2 3 6L 5*60"),
        ("2 3 6H 5*99 5*60", "2 3 6H 5*99 5*60"),
        ("2 3 6L 5*70", "8 5 8 5*12 2 3 6L 5*70"),
        ("2 3 6S 5*99", "2 3 6L 5*50 2 3 6L 5*60"),
        ("2 3 6S 5*99", "2 3 6H 5*99"),
        ("2 3 6S 5*42 2 3 6S 5*99", "2 3 6L 5*99"),
    ] {
        stage.try_at(330, one, other);
    }
    stage.finish()
}

fn far_shots(mut stage: Stage) -> Take {
    stage.fight();
    // The other one goes past: the shots fly on to the wall behind it.
    stage.try_at(200, "2 3 6L 5*99", "5*10 8 5 8 5*20 8 5 8 5*40");
    stage.try_at(300, "2 3 6L 5*38 2 3 6L 5*38 2 3 6L 5*80", "8 5 8 5*20 8 5 8 5*99");
    stage.try_at(400, "2 3 6H 5*170", "2 5 2 5*20 J 5*40 J 5*40 J 5*40");
    stage.try_at(120, "2 3 6L 5*99", "2 5 2 5*20 2 5 2 5*60");
    stage.finish()
}

fn taps(mut stage: Stage) -> Take {
    stage.fight();
    for pause in 1..=12 {
        stage.settle();
        stage.play(&[&format!("6 5*{pause} 6 5*20"), &format!("4 5*{pause} 4 5*20")]);
        stage.settle();
        stage.play(&[&format!("4 5*{pause} 4 5*20"), &format!("6 5*{pause} 6 5*20")]);
        stage.settle();
        stage.play(&[&format!("8 5*{pause} 8 5*20"), &format!("2 5*{pause} 2 5*20")]);
    }
    for wait in 3..=7 {
        stage.settle();
        stage.play(&[&format!("6 5 6 5*{wait} L 5*20"), &format!("8 5 8 5*{wait} 2L 5*20")]);
    }
    stage.settle();
    stage.play(&["6 4 6 5*20", "8 2 8 5*20"]);
    stage.play(&["G G8 5*20", "G GJ 5*20"]);
    stage.play(&["8G 5*20", "JG 5*20"]);
    stage.play(&["6 9 6 5*20", "6*3 5 6*3 5*20"]);
    // Back to one depth.
    stage.settle();
    stage.play(&["6*140", "5*140"]);
    stage.try_at(130, "6 5 6 5*6 L 5*20", "");
    stage.try_at(80, "L 5*20", "8 5 8 5*20");
    stage.try_at(130, "4 5 4 5*20", "6 5 6 5*8 H 5*40");
    stage.finish()
}

fn presses(mut stage: Stage) -> Take {
    stage.fight();
    for wait in 6..=20 {
        stage.settle();
        stage.play(&[&format!("L 5*{wait} H 5*50"), &format!("L 5*{wait} 2L 5*50")]);
    }
    for (one, other) in [
        ("L H 5*50", "H L 5*60"),
        ("L 5 H 5*50", "L S 5*50"),
        ("L 5 5 H 5*50", "S L 5*50"),
        ("L LH 5*50", "LHS 5*50"),
        ("H S 5*60", "L H S 5*60"),
        ("2L 2H 5*50", "6L 6H 5*50"),
        ("L 5 S 5*50", "Z S 5*50"),
        ("2 3 6L H 5*60", "2 3 6H L 5*60"),
        ("LHSZ 5*50", "LHSZG 5*50"),
    ] {
        stage.settle();
        stage.approach(220);
        stage.play(&[one, other]);
    }
    stage.finish()
}

fn motions(mut stage: Stage) -> Take {
    stage.fight();
    for pause in [1, 2, 3, 4, 5, 6, 7] {
        stage.settle();
        stage.play(&[&format!("2*{pause} 3*{pause} 6L 5*60"), &format!("2*{pause} 3*{pause} 6H 5*60")]);
        stage.settle();
        stage.play(&[&format!("6*{pause} 2*{pause} 3H 5*60"), &format!("6*{pause} 2*{pause} 3L 5*60")]);
        stage.settle();
        stage.play(&[&format!("2*{pause} 1*{pause} 4L 5*60"), &format!("2*{pause} 1*{pause} 4L 5*60")]);
    }
    for (one, other) in [
        ("2 5*11 3 6L 5*40", "2 5*12 3 6H 5*40"),
        ("2 5*10 3 6L 5*40", "2 5*11 3 6H 5*40"),
        ("2 5 3 5 6 5*3 6L 5*40", "6 3 2 6S 5*40"),
        ("2 6L 5*40", "3 2 6H 5*40"),
        ("2 3 6 5*8 L 5*40", "2 3 6 5*12 H 5*40"),
        ("6 5 2 5 3H 5*60", "6 9 6 3 2 3L 5*60"),
        ("4*20 5*5 4*20 6H 5*60", "1*15 4*15 3S 5*60"),
        ("4*30 5 6H 5*40", "4*30 9S 5*40"),
    ] {
        stage.settle();
        stage.play(&[one, other]);
    }
    stage.finish()
}

fn jumps(mut stage: Stage) -> Take {
    stage.fight();
    for (distance, one, other) in [
        (200, "8*5 5*50", "J 5*50"),
        (200, "9*5 5*50", "7*5 5*50"),
        (200, "7*5 5*50", "9*5 5*50"),
        (200, "8*3 5*20", "8*4 5*50"),
        (200, "9 6 5*20", "8 5 5 5*20"),
        (60, "9*5 5*50", ""),
        (30, "9*5 5*50", "9*5 5*50"),
        (90, "9*5 5*20 4 5*40", "6*30"),
        (60, "9*5 5*50 L", "5*20 G*30"),
        (60, "6J 5*50", "4J 5*50"),
        (100, "9*5 5*10 L 5*40", "9*5 5*12 H 5*40"),
        (100, "J*30 5*30", "8*60 5*30"),
        (120, "GJ 5*20", "G8 5*20"),
        (80, "9*5 5*60", "6*60"),
        (100, "8J 5*50", "2J 5*20"),
    ] {
        stage.try_at(distance, one, other);
    }
    // Beside the walls.
    stage.play(&["4*99 4*60 7*6 5*50", "4*99 4*60 7*6 5*50"]);
    stage.finish()
}

fn depth(mut stage: Stage) -> Take {
    stage.fight();
    for (one, other) in [
        ("8 5 8 5*20", ""),
        ("8 5 8 5*20", ""),
        ("6*10 L 5*20", ""),
        ("H 5*40", ""),
        ("2 1 4L 5*60", ""),
        ("", "2 5 2 5*24 2 5 2 5*24"),
        ("", "6*30"),
        ("", "2 1 4L 5*60"),
        ("6 5 6 5*20", "4H 5*50"),
        ("8 5 8 5*20", "8 5 8 5*20"),
        ("2 5 2 5*20 2 5 2 5*20 2 5 2 5*20", "S 5*30"),
        ("LH 5*60", "4H 5*60"),
        ("6*20", "6*20"),
        ("Z 5*40", "8 5 8 5*4"),
        ("L 5*30", "8 5 8 5*20"),
        ("5*4 H 5*40", "2 5 2 5*20"),
    ] {
        stage.try_at(80, one, other);
    }
    stage.finish()
}

fn held(mut stage: Stage) -> Take {
    stage.play(&["L*40 6L*40 5*30", "2S*70 5 2S*9 5*30"]);
    stage.fight();
    stage.play(&["6*99 5 6H*30 6L*9", "G*99 G2*30"]);
    super::results::beat(&mut stage);
    stage.play(&["LH*260 6", "J*99 4*99 S*60 5"]);
    stage.fight();
    stage.play(&["H*9 5 L*9 5*30", "2*9 1*9 4*20 5*9"]);
    stage.finish()
}

fn scaling(mut stage: Stage) -> Take {
    stage.fight();
    for combo in [
        "L 5*5 L 5*5 L 5*5 2L 5*6 2H 5*50",
        "2L 5*6 2L 5*6 2L 5*6 2L 5*6 2L 5*40",
        "S 5*4 S 5*4 L 5*5 H 5*13 2 3 6L 5*60",
        "LH 5*30 L 5*4 H 5*14 2 3 6L 5*60",
        "H 5*13 6 2 3H 5*60",
    ] {
        for _ in 0..2 {
            stage.try_at(64, combo, "");
        }
    }
    if stage.is_down(1) {
        stage.wait(50);
    }
    stage.finish()
}
