//! Scenes that are tables: a fighter tries one move after another on one who answers in a set way.

use crate::stage::{Seats, Stage, Take};
use snapback::sim::WorldData;
use std::sync::Arc;

/// Moves that are tried, from how far, against what.
struct Table {
    name: &'static str,
    note: &'static str,
    /// From how far, what is pressed, what the other one does.
    tries: &'static [(i32, &'static str, &'static str)],
}

const DUELIST: &[Table] = &[
    Table {
        name: "duelist-normals-open",
        note: "Each normal of the duelist on one who stands there, near and just in reach.",
        tries: &[
            (70, "L", ""),
            (96, "L", ""),
            (100, "L", ""),
            (70, "2L", ""),
            (104, "2L", ""),
            (70, "H", ""),
            (125, "H", ""),
            (80, "2H", ""),
            (122, "2H", ""),
            (70, "S", ""),
            (92, "S", ""),
            (130, "6H 5*40", ""),
            (70, "6H", ""),
            (110, "6L", ""),
            (70, "4L", ""),
            (80, "4H", ""),
            (70, "LH", ""),
        ],
    },
    Table {
        name: "duelist-normals-guarded",
        note: "Each normal of the duelist on one who guards, standing, crouching, by button and by holding away.",
        tries: &[
            (70, "L", "G*20"),
            (70, "2L", "1*20"),
            (70, "2L", "G*20"),
            (80, "H", "4*30"),
            (80, "2H", "G2*30"),
            (70, "S", "G*20"),
            (70, "S", "2*20"),
            (80, "6H", "4*40"),
            (80, "6H", "1*40"),
            (80, "6L", "G*30"),
            (70, "4L", "4*40"),
            (80, "4H", "G*40"),
            (70, "LH", "1*40"),
        ],
    },
    Table {
        name: "duelist-236-light",
        note: "The duelist's fireball: hit, guarded, ducked out of reach, burning, and two on their way.",
        tries: &[
            (200, "2 3 6L 5*60", ""),
            (200, "2 3 6L 5*60", "5*20 G*60"),
            (200, "2 3 6L 5*60", "5*20 1*60"),
            (260, "2 3 6L 5*42 2 3 6L 5*60", "5*8 7*90"),
            (300, "2 3 6L 5*90", "5*35 J 5*60"),
            (160, "2 3 6L 5*60", "5*22 8 5 8 5*20"),
        ],
    },
    Table {
        name: "duelist-236-heavy",
        note: "The duelist's slow fireball with three hits: hit, guarded, stepped aside from, and its cooldown.",
        tries: &[
            (200, "2 3 6H 5*80 2 3 6H 5*20", ""),
            (220, "2 3 6H 5*99", "5*20 G*90"),
            (260, "2 3 6H 5*120", "5*50 8 5 8 5*60"),
            (120, "2 3 6H 5*60", "5*40 2 5 2 5*60"),
        ],
    },
    Table {
        name: "duelist-623-heavy",
        note: "The duelist's uppercut: hit, guarded, in the air, against an attack, and missed.",
        tries: &[
            (70, "6 2 3H 5*60", ""),
            (70, "6 2 3H 5*60", "G*30"),
            (90, "5*6 6 2 3H 5*50", "5*4 L"),
            (110, "5*24 6 2 3H 5*50", "9*6 5*3 L"),
            (200, "6 2 3H 5*60", ""),
            (80, "6 2 3H 5*60", "1*40"),
        ],
    },
    Table {
        name: "duelist-214",
        note: "The duelist's wheel kick and shift: both hits, guarded, followed into the depth, behind the other one, cooldown.",
        tries: &[
            (110, "2 1 4L 5*50", ""),
            (110, "2 1 4L 5*50", "G*50"),
            (90, "2 1 4L 5*50", "8 5 8 5*40"),
            (120, "2 1 4S 5*30 L 5*20", ""),
            (300, "2 1 4S 5*30 2 1 4S 5*30", ""),
            (100, "2 1 4L 5*50", "2*40"),
            (90, "2 1 4S 5*30", "5*10 H"),
        ],
    },
    Table {
        name: "duelist-charge",
        note: "The duelist's rush: charged just long enough and a frame too short, let go for a while, to the wall.",
        tries: &[
            (90, "4*30 6H 5*50", ""),
            (90, "4*29 6H 5*50", ""),
            (80, "4*32 5*9 6H 5*50", ""),
            (80, "4*32 5*10 6H 5*50", ""),
            (80, "1*34 3H 5*50", "G*80"),
            (80, "7*40 9H 5*50", ""),
        ],
    },
    Table {
        name: "duelist-launcher-juggle",
        note: "The duelist launches and goes on hitting until the juggle is over.",
        tries: &[
            (66, "LH 5*34 L 5*20 L 5*20", ""),
            (66, "LH 5*30 2 3 6L 5*40", ""),
            (66, "LH 5*32 6 2 3H 5*50", ""),
            (66, "LH 5*26 H 5*18 2 3 6L 5*60", ""),
            (66, "LH 5*34 L 5*8 H 5*20", ""),
            (66, "LH 5*28 4*2 5 4L 5*60", ""),
        ],
    },
    Table {
        name: "duelist-cancels",
        note: "The duelist's normals into normals and specials, after a hit, a guard and nothing.",
        tries: &[
            (70, "L 5*6 2L 5*8 2H 5*50", ""),
            (70, "L 5*6 H 5*14 2 3 6L 5*60", ""),
            (70, "L 5*3 2 3 6L 5*60", "G*60"),
            (70, "L 5*6 H 5*40", "G*50"),
            (150, "L 5*7 2L 5*30", ""),
            (70, "S 5*5 L 5*6 2L 5*40", ""),
            (70, "2L 5*7 2L 5*7 2L 5*7 2 1 4L 5*60", ""),
            (80, "H 5*22 2 3 6L 5*30", ""),
            (80, "L 5*5 L 5*5 L 5*5 L 5*5 L 5*30", ""),
        ],
    },
    Table {
        name: "duelist-throws",
        note: "The duelist's throws: of one who stands, guards, crouches, jumps, attacks; escaped from in time and too late.",
        tries: &[
            (50, "Z 5*60", ""),
            (50, "Z 5*60", "G*40"),
            (50, "Z 5*60", "2*40"),
            (50, "Z 5*60", "5*14 Z"),
            (50, "Z 5*60", "5*15 Z"),
            (50, "Z 5*60", "5*16 Z"),
            (50, "6Z 5*70", "G2*40"),
            (50, "6Z 5*70", "5*18 H"),
            (50, "6Z 5*70", "5*14 Z"),
            (50, "Z 5*30", "Z"),
            (50, "Z 5*30", "L"),
            (50, "Z 5*30", "J"),
            (50, "Z 5*60", "5*2 H"),
            (74, "Z 5*30", ""),
            (72, "Z 5*30", ""),
            (50, "Z 5*60", "4 5 4"),
            (50, "6Z 5*30", "5*3 Z"),
            (50, "5*2 Z 5*30", "5 2L 2*20"),
        ],
    },
    Table {
        name: "duelist-air",
        note: "The duelist jumps at one who stands, guards high and low, and lies there; up, forward and back.",
        tries: &[
            (80, "9*6 5*16 L 5*30", ""),
            (80, "9*6 5*16 H 5*30", ""),
            (80, "9*6 5*18 L 5*30", "5*12 G*40"),
            (80, "9*6 5*18 H 5*30", "5*12 1*40"),
            (70, "J 5*24 L 5*20", ""),
            (90, "7*6 5*20 H 5*30", ""),
            (60, "9*6 5*40", ""),
            (80, "9*6 5*14 L 5*4 H 5*30", ""),
            (80, "8*3 5*20", ""),
            (60, "9*6 5*30 L 5*30", "9*6 5*26 L"),
            (90, "9*6 5*12 H 5*30", "5*14 6 2 3H"),
            (80, "9*6 5*8 H 5*30", ""),
        ],
    },
    Table {
        name: "duelist-power-crush",
        note: "The duelist's armour: one hit is taken, a low breaks it, a second one is too much, a throw takes it.",
        tries: &[
            (80, "HS 5*50", ""),
            (80, "HS 5*50", "5*3 L 5*20"),
            (80, "HS 5*50", "5*3 2L 2*20"),
            (70, "HS 5*50", "L 5*6 L 5*30"),
            (80, "HS 5*50", "5*2 4L 5*30"),
            (60, "HS 5*50", "5*8 Z"),
            (90, "HS 5*50", "G*50"),
            (80, "HS 5*50", "L 5*30"),
            (80, "HS 5*50", "5*12 L"),
            (80, "HS 5*50", "5*13 L"),
            (80, "HS 5*50", "5*15 L"),
            (80, "HS 5*50", "5*16 L"),
        ],
    },
    Table {
        name: "duelist-lotus",
        note: "The duelist's stance: its moves, left by guard, by a jump, by time, and broken by a hit.",
        tries: &[
            (70, "2S 5*11 L 5*50", ""),
            (70, "2S 5*11 S 5*50", ""),
            (66, "2S 5*11 H 5*60", ""),
            (80, "2S 5*12 G 5*10", ""),
            (80, "2S 5*75", ""),
            (80, "2S 5*12 J 5*50", ""),
            (70, "2S 5*11 L 5*50", "G2*60"),
            (70, "2S 5*11 S 5*50", "G*60"),
            (70, "2S 5*30", "5*8 2L"),
            (70, "2S 5*11 G*20", "5*10 L"),
            (70, "2S 4*30", "5*12 H"),
            (70, "2S 5*30", "5*14 S"),
            (70, "2S 5*9 S 5*30", "G*60"),
            (70, "2S 5*69 L 5*30", ""),
            (70, "2S 5*70 L 5*30", ""),
            (66, "2S 5*11 H 5*60", "G*60"),
        ],
    },
    Table {
        name: "duelist-heat",
        note: "The duelist's Heat: the burst, more chip through a guard, the smash that ends it, and once a round only.",
        tries: &[(80, "LS 5*50", "G*50"), (80, "2 3 6L 5*60", "G*60"), (80, "6LS 5*60", ""), (80, "LS 5*30", ""), (80, "6LS 5*30", "")],
    },
    Table {
        name: "duelist-ki-charge",
        note: "The duelist's Ki Charge: every hit is a counter hit, there is no guard, a hit ends it, and time does.",
        tries: &[
            (90, "LHS 5*50", ""),
            (70, "L 5*20", ""),
            (70, "G*30", "5*3 L"),
            (200, "LHS 5*50", ""),
            (200, "5*250", ""),
            (100, "LHS 5*60", ""),
            (74, "H 5*40", ""),
        ],
    },
];

const WARDEN: &[Table] = &[
    Table {
        name: "warden-normals-open",
        note: "Each normal of the warden on one who stands there, near and just in reach.",
        tries: &[
            (70, "L", ""),
            (106, "L", ""),
            (112, "L", ""),
            (70, "2L", ""),
            (112, "2L", ""),
            (70, "H", ""),
            (138, "H", ""),
            (70, "2H", ""),
            (94, "2H", ""),
            (70, "S", ""),
            (98, "S", ""),
            (120, "6H", ""),
            (120, "4H", ""),
            (100, "6L", ""),
            (80, "4L", ""),
        ],
    },
    Table {
        name: "warden-normals-guarded",
        note: "Each normal of the warden on one who guards, standing, crouching, by button and by holding away.",
        tries: &[
            (70, "L", "G*20"),
            (70, "2L", "1*20"),
            (70, "2L", "G*20"),
            (80, "H", "4*40"),
            (70, "2H", "G2*40"),
            (70, "S", "G*20"),
            (70, "S", "2*20"),
            (80, "6H", "4*50"),
            (80, "6H", "1*50"),
            (80, "4H", "G2*40"),
            (80, "4H", "G*40"),
            (80, "6L", "G*30"),
            (80, "4L", "4*40"),
        ],
    },
    Table {
        name: "warden-236-special",
        note: "The warden's ice shard: both hits, guarded, jumped over; one who is chilled is slow.",
        tries: &[
            (200, "2 3 6S 5*70", ""),
            (200, "2 3 6S 5*90", "5*20 G*60"),
            (240, "2 3 6S 5*90", "5*40 J 5*50"),
            (200, "2 3 6S 5*60", "5*60 6*30 6 5 6 5*20"),
            (250, "2 3 6S 5*99", "5*10 1*90"),
        ],
    },
    Table {
        name: "warden-623-light",
        note: "The warden's blow straight up: hit, guarded, against a jump, against an attack, and missed.",
        tries: &[
            (70, "6 2 3L 5*60", ""),
            (70, "6 2 3L 5*60", "G*30"),
            (100, "5*24 6 2 3L 5*50", "9*6 5*3 H"),
            (90, "5*4 6 2 3L 5*50", "5*2 H"),
            (200, "6 2 3L 5*60", ""),
            (70, "6 2 3L 5*50", "2L 2*20"),
        ],
    },
    Table {
        name: "warden-236-heavy",
        note: "The warden's shoulder: through two hits, broken by a third and by a low, guarded, to the wall.",
        tries: &[
            (130, "2 3 6H 5*60", ""),
            (100, "2 3 6H 5*60", "5*8 L"),
            (100, "2 3 6H 5*60", "5*6 2L"),
            (130, "2 3 6H 5*60", "G*60"),
            (80, "2 3 6H 5*60", "5*2 4L 5*30"),
            (80, "2 3 6H 5*60", "L 5*5 L 5*5 L"),
        ],
    },
    Table {
        name: "warden-214-light",
        note: "The warden's lariat: both hits, guarded, over one who crouches, behind its back, into the depth.",
        tries: &[
            (80, "2 1 4L 5*60", ""),
            (80, "2 1 4L 5*60", "G*60"),
            (80, "2 1 4L 5*60", "2*60"),
            (80, "2 1 4L 5*60", "8 5 8 5*40"),
            (60, "2 1 4L 5*60", "9*6 5*40"),
        ],
    },
    Table {
        name: "warden-charge",
        note: "The warden's ram: charged just long enough and a frame too short, let go for a while, guarded.",
        tries: &[
            (100, "4*30 6S 5*50", ""),
            (100, "4*29 6S 5*50", ""),
            (90, "4*32 5*9 6S 5*50", ""),
            (100, "1*34 3S 5*50", "G*80"),
            (100, "4*32 5*10 6S 5*50", ""),
        ],
    },
    Table {
        name: "warden-throws",
        note: "The warden's throws and its giant swing: of one who guards, crouches, attacks; escaped from and too late.",
        tries: &[
            (56, "Z 5*60", ""),
            (56, "Z 5*60", "G*40"),
            (56, "Z 5*60", "2*40"),
            (56, "Z 5*60", "5*14 Z"),
            (56, "Z 5*60", "5*17 Z"),
            (60, "2 1 4Z 5*80", ""),
            (60, "2 1 4Z 5*80", "2*50"),
            (60, "2 1 4Z 5*80", "5*19 H"),
            (60, "2 1 4Z 5*80", "5*22 Z"),
            (50, "Z 5*30", "Z"),
            (50, "Z 5*30", "L"),
            (56, "Z 5*60", "5*2 H"),
            (80, "Z 5*30", ""),
        ],
    },
    Table {
        name: "warden-air",
        note: "The warden jumps at one who stands, guards high and low, and lies there.",
        tries: &[
            (80, "9*6 5*16 L 5*30", ""),
            (80, "9*6 5*14 H 5*30", ""),
            (80, "9*6 5*18 L 5*30", "5*12 G*40"),
            (80, "9*6 5*14 H 5*30", "5*12 1*40"),
            (70, "6H 5*30 9*6 5*12 H 5*30", ""),
            (60, "9*6 5*40", ""),
            (80, "9*6 5*14 H 5*30", "5*12 G*40"),
        ],
    },
    Table {
        name: "warden-launcher-juggle",
        note: "The warden launches and goes on hitting until the juggle is over.",
        tries: &[
            (66, "2H 5*40 L 5*30", ""),
            (66, "2H 5*36 H 5*30", ""),
            (66, "2H 5*24 6 2 3L 5*50", ""),
            (66, "2H 5*8 6 2 3L 5*50", ""),
            (66, "2H 5*34 6L 5*4 2 3 6H 5*60", ""),
        ],
    },
    Table {
        name: "warden-power-crush",
        note: "The warden's armour: two hits are taken, a third is too much, a low breaks it.",
        tries: &[
            (80, "HS 5*60", ""),
            (80, "HS 5*60", "5*3 L 5*20"),
            (80, "HS 5*60", "L 5*6 L 5*20"),
            (80, "HS 5*60", "5*3 2L 2*20"),
            (80, "HS 5*60", "G*60"),
            (80, "HS 5*60", "5*18 L"),
            (80, "HS 5*60", "5*2 4L 5*30"),
            (80, "HS 5*60", "5*1 L"),
            (80, "HS 5*60", "L"),
        ],
    },
    Table {
        name: "warden-bulwark",
        note: "The warden's stance: it walks on and guards, its moves, back into it after the bash, left by guard and time.",
        tries: &[
            (90, "2S 5*13 H 5*60 H 5*40", ""),
            (80, "2S 5*13 L 5*50", ""),
            (80, "2S 5*13 H 5*60", "G*60"),
            (80, "2S 5*13 L 5*50", "G2*60"),
            (80, "2S 5*14 4*20", "5*12 L"),
            (80, "2S 5*30", "5*12 L"),
            (200, "2S 5*99", ""),
            (100, "2S 5*15 G 5*20", ""),
            (90, "2S 5*13 L 5*8 2 3 6H 5*60", ""),
        ],
    },
    Table {
        name: "warden-war-cry",
        note: "The warden's war cry: stronger for a while, twice a round and not within its cooldown.",
        tries: &[
            (300, "4S 5*60", ""),
            (300, "4S 5*200", ""),
            (300, "4S 5*60", ""),
            (300, "4S 5*250", ""),
            (300, "4S 5*60", ""),
            (80, "L", ""),
        ],
    },
    Table {
        name: "warden-heat",
        note: "The warden's Heat: the burst, more chip through a guard, the smash that ends it, and once a round only.",
        tries: &[
            (80, "LS 5*50", ""),
            (100, "2 3 6S 5*90", "G*90"),
            (80, "6LS 5*60", "G*60"),
            (80, "LS 5*30", ""),
            (80, "LS 5*50", "5*5 L"),
        ],
    },
    Table {
        name: "warden-ki-charge",
        note: "The warden's Ki Charge: every hit is a counter hit, there is no guard, a hit ends it, and time does.",
        tries: &[
            (90, "LHS 5*50", ""),
            (70, "6L 5*30", ""),
            (90, "LHS 5*50", ""),
            (70, "4*30", "5*3 L"),
            (200, "LHS 5*50", ""),
            (200, "5*250", ""),
        ],
    },
    Table {
        name: "warden-counter-hits",
        note: "The warden hits one who attacks, before, while and after the attack can hit.",
        tries: &[
            (90, "5*2 6L", "H"),
            (90, "L", "5*4 H"),
            (100, "5*3 H", "4L"),
            (90, "5*18 L", "2H"),
            (90, "5*24 L", "H"),
            (100, "5*6 4L", "6H"),
            (90, "2L", "6H"),
            (80, "5*2 S", "LH"),
            (90, "5*10 L", "2 3 6L"),
            (90, "5*26 L", "2H"),
        ],
    },
];

pub(crate) fn takes(data: &Arc<WorldData>) -> Result<Vec<Take>, String> {
    let mut takes = Vec::new();
    for (number, table) in DUELIST.iter().enumerate() {
        // On both sides of the stage, against both.
        let seats: Seats<'_> = match number % 3 {
            0 => &[("duelist", 0), ("duelist", 1)],
            1 => &[("duelist", 0), ("warden", 1)],
            _ => &[("duelist", 1), ("duelist", 0)],
        };
        takes.push(take(data, table, seats, 100 + number as u64)?);
    }
    for (number, table) in WARDEN.iter().enumerate() {
        let seats: Seats<'_> = if number % 2 == 0 { &[("warden", 0), ("duelist", 1)] } else { &[("warden", 1), ("duelist", 0)] };
        takes.push(take(data, table, seats, 200 + number as u64)?);
    }
    Ok(takes)
}

fn take(data: &Arc<WorldData>, table: &Table, seats: Seats<'_>, seed: u64) -> Result<Take, String> {
    let mut stage = Stage::new(data, seats, seed, table.name, table.note)?;
    stage.fight();
    for (distance, left, right) in table.tries {
        stage.try_at(*distance, left, right);
    }
    Ok(stage.finish())
}
