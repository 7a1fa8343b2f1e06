//! How the replays of `user_game` were recorded, and that they still are what this records.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(unreachable_pub, reason = "a game is public where it is a crate of its own")]

#[path = "user_game/game.rs"]
mod game;

use game::{BRACE, Game, Rules, SPUR, STRIKE};
use snapback_core::Rng;
use snapback_golden::{GoldenReplay, RecordSettings, record};

/// Buttons that are held for a while.
fn held(seed: u64, buttons: &[u8], frames: usize) -> Vec<Vec<u8>> {
    let mut rng = Rng::new(seed, 2);
    let mut held = vec![0; 2];
    let mut pressed = |pad: &mut u8| {
        if rng.below(8) == 0 {
            *pad = buttons[rng.below(buttons.len() as u32) as usize];
        }
    };
    (0..frames)
        .map(|_| {
            held.iter_mut().for_each(&mut pressed);
            held.clone()
        })
        .collect()
}

/// Name, what it is there to show, and its inputs.
fn matches() -> [(&'static str, &'static str, Vec<Vec<u8>>); 3] {
    [
        ("charge", "spurs and strikes, nobody braces", held(1, &[SPUR, SPUR | STRIKE], 600)),
        ("guarded", "strikes that meet a braced rider", held(2, &[SPUR, SPUR | STRIKE, BRACE, BRACE | SPUR], 600)),
        ("standoff", "nobody strikes", held(3, &[SPUR, BRACE, 0], 300)),
    ]
}

fn path(name: &str) -> String {
    format!("{}/tests/user_game/{name}.snbk", env!("CARGO_MANIFEST_DIR"))
}

fn recorded(name: &str, note: &str, inputs: Vec<Vec<u8>>) -> Vec<u8> {
    let mut settings = RecordSettings::generated(7, 2);
    settings.provenance.note = note.to_owned();
    // A file that is there keeps its build and platform.
    if let Ok(old) = std::fs::read(path(name)) {
        settings.provenance = GoldenReplay::read(old).unwrap().meta().provenance.clone();
    }
    record(&mut Game::new(Rules::default()), settings, inputs).unwrap()
}

#[test]
fn the_replays_are_what_is_recorded_here() {
    for (name, note, inputs) in matches() {
        let file = std::fs::read(path(name)).unwrap();
        assert_eq!(GoldenReplay::read(&*file).unwrap().meta().provenance.note, note);
        assert!(file == recorded(name, note, inputs), "{name}");
    }
}

#[test]
#[ignore = "writes the replays: cargo test -p snapback-golden --test user_record -- --ignored"]
fn record_the_replays() {
    for (name, note, inputs) in matches() {
        std::fs::write(path(name), recorded(name, note, inputs)).unwrap();
    }
}
