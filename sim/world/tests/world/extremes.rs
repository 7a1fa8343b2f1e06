//! Frame data at the ends of its ranges: whatever is accepted can be played.

use crate::cases::cases;
use crate::rig::{Mashers, Rig};
use snapback_core::{Rng, Simulation};
use snapback_sim::{DataFile, WorldData};
use std::sync::Arc;

const VALUES: [i32; 18] = [-10_000, -5_000, -1_000, -100, 0, 1, 2, 15, 31, 60, 100, 255, 300, 600, 1_000, 3_600, 5_000, 10_000];

/// Where whole numbers and decimals in quotes stand: the text after each ` = ` that is one.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let is_number = |value: &str| !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
    let fields = text.match_indices(" = ").map(|(at, _)| at + 3);
    let spans = fields.map(|at| {
        let at = at + usize::from(text[at..].starts_with('"'));
        let len = text[at..].find(['"', '\n', ' ', ',', '}']).unwrap_or(0);
        (at, at + len)
    });
    spans.filter(|(from, until)| is_number(&text[*from..*until])).collect()
}

/// The default data with many numbers changed, as far as they are accepted.
fn changed(rng: &mut Rng) -> WorldData {
    let mut files = WorldData::default_files();
    let mut data = WorldData::default();
    for _ in 0..150 {
        let mut tried: Vec<DataFile> = files.clone();
        let text = &mut tried[rng.below(3) as usize].text;
        let places = numbers(text);
        let (from, until) = places[rng.below(places.len() as u32) as usize];
        text.replace_range(from..until, &VALUES[rng.below(VALUES.len() as u32) as usize].to_string());
        if let Ok(loaded) = WorldData::load(&tried) {
            (files, data) = (tried, loaded);
        }
    }
    data
}

#[test]
fn extreme_data_can_be_played() {
    let mut rng = Rng::new(31, 8);
    for round in 0..u64::from(cases(20)) {
        let data = Arc::new(changed(&mut rng));
        let players = 2 + round as usize % 7;
        let seats: Vec<_> = (0..players).map(|at| (["duelist", "warden"][rng.below(2) as usize], (at % 2) as u8)).collect();
        let mut rig = Rig::with_roster(data, &seats, round, players);
        rig.edit(|header, _| header.clock.phase = 1);
        let mut mashers = Mashers::new(round);
        for _ in 0..1_000 {
            let pads = mashers.next(rig.fighters());
            rig.step(&pads);
            let valid = rig.world.layout().validate(&rig.snapshot());
            assert!(valid.is_ok(), "round {round}: {valid:?}");
        }
    }
}
