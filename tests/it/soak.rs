//! Matches under every fault that a network and a machine have, each from a seed. The long run is
//! `cargo run --release -p snapback-tests --example soak`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_harness::soak::{self, Script, Tally};

fn replay(seed: u64) -> String {
    format!("replay with SNAPBACK_SEED={seed} cargo test -p snapback-tests --test soak one_seed")
}

#[test]
fn five_hundred_matches_under_every_fault() {
    let mut tally = Tally::default();
    for seed in 0..500 {
        soak::play(seed, &mut tally).unwrap_or_else(|error| panic!("seed {seed}: {error}; {}", replay(seed)));
    }
    assert_eq!(tally.untaken(), Vec::<String>::new(), "{tally}");
    assert!(tally.whole > 400 && tally.broken > 10 && tally.deeds > 1_000, "the faults were too few or too many:\n{tally}");
}

/// A match is a function of its seed.
#[test]
fn a_seed_plays_the_same_match_again() {
    let play = |seed| {
        let mut tally = Tally::default();
        soak::play(seed, &mut tally).unwrap();
        tally
    };
    assert_eq!(play(7), play(7));
    assert_ne!(play(7), play(8));
}

/// Replays one seed: the command that a failing seed prints.
#[test]
fn one_seed() {
    let seed = std::env::var("SNAPBACK_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000);
    soak::play(seed, &mut Tally::default()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{:#?}", Script::draw(seed)));
}
