//! The corpus: every replay still gives the same bits, and together they show everything.
//!
//! If the world changed on purpose, `cargo run -p snapback-tests --release --example make_corpus --
//! golden/corpus` makes the corpus anew and `cargo insta review` shows what became of each replay.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_golden::GoldenReplay;
use snapback_golden::check::{CheckSettings, FoundReplay, PendingPlace, Report, check, find, on_all_cores};
use snapback_golden::coverage::{Coverage, Survey, WorldSurveyor};
use snapback_golden::world::world_of;
use snapback_sim::WorldData;
use std::path::Path;
use std::sync::{Arc, LazyLock};

static DATA: LazyLock<Arc<WorldData>> = LazyLock::new(Arc::default);

static CORPUS: LazyLock<Vec<(String, GoldenReplay)>> = LazyLock::new(|| {
    let read = |path: &Path| GoldenReplay::read(std::fs::read(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    found().into_iter().map(|replay| (replay.name, read(&replay.path))).collect()
});

fn found() -> Vec<FoundReplay> {
    find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")).unwrap()
}

static SURVEYS: LazyLock<Vec<(&str, Survey)>> = LazyLock::new(|| {
    let surveyor = WorldSurveyor::new(&DATA);
    for_each(|name, replay| (name, surveyor.survey(replay).unwrap()))
});

/// What `job` makes of each replay.
fn for_each<T: Send>(job: impl Fn(&'static str, &'static GoldenReplay) -> T + Sync) -> Vec<T> {
    let replays: Vec<_> = CORPUS.iter().collect();
    on_all_cores(&replays, None, |(name, replay)| job(name, replay), |_| ())
}

/// The goals that nothing reaches, with the reason.
const UNREACHABLE: [&[&str]; 3] = [
    // Set once, before the first frame.
    &[
        "sections: identity",
        "fields: fighter[*].identity.character",
        "fields: fighter[*].identity.place",
        "fields: fighter[*].identity.team",
        "fields: fighter[*].rng.increment",
        "fields: match_seed",
        "fields: rng.increment",
    ],
    // No character has more than two moves with a limit.
    &[
        "fields: fighter[*].abilities.slots[2].ability",
        "fields: fighter[*].abilities.slots[2].activations",
        "fields: fighter[*].abilities.slots[2].cooldown_frames",
        "fields: fighter[*].abilities.slots[3].ability",
        "fields: fighter[*].abilities.slots[3].activations",
        "fields: fighter[*].abilities.slots[3].cooldown_frames",
        "fields: fighter[*].abilities.slots[4].ability",
        "fields: fighter[*].abilities.slots[4].activations",
        "fields: fighter[*].abilities.slots[4].cooldown_frames",
        "fields: fighter[*].abilities.slots[5].ability",
        "fields: fighter[*].abilities.slots[5].activations",
        "fields: fighter[*].abilities.slots[5].cooldown_frames",
    ],
    // No move changes the speed or the meter gained for the rest of a round.
    &["fields: fighter[*].attributes.gained[2]", "fields: fighter[*].attributes.gained[3]"],
];

#[test]
fn every_replay_gives_the_recorded_bits() {
    // Traces and snapshots too, which a replay that is the same does not need.
    for_each(|name, replay| replay.check().unwrap_or_else(|error| panic!("{name}: {error}")));
    let replays = found();
    let settings = CheckSettings { pending: PendingPlace::Nowhere, ..CheckSettings::default() };
    let checked = check(&replays, &settings, |meta| world_of(&DATA, meta), |_| {});
    let report = Report::of(&checked, "cargo run --release -- golden verify {file}");
    assert!(report.exit_code() == 0 && checked.len() == CORPUS.len(), "\n{}", report.human(false));
}

#[test]
fn it_is_large_and_takes_little_room() {
    let bytes: usize = CORPUS.iter().map(|(_, replay)| replay.bytes().len()).sum();
    assert!(CORPUS.len() >= 64, "{}", CORPUS.len());
    assert!(bytes < 8 << 20, "{bytes} bytes");
    assert!(CORPUS.iter().all(|(_, replay)| !replay.meta().provenance.note.is_empty()));
    let live = CORPUS.iter().filter(|(_, replay)| replay.summary().is_some_and(|summary| summary.rollbacks > 0));
    assert!(live.count() >= 8);
}

fn coverage(of: impl Fn(&str) -> bool) -> Coverage {
    let mut coverage = WorldSurveyor::new(&DATA).coverage();
    for (name, survey) in SURVEYS.iter().filter(|(name, _)| of(name)) {
        coverage.add(name, survey.clone());
    }
    coverage
}

#[test]
fn everything_is_shown_that_can_be() {
    let coverage = coverage(|_| true);
    assert_eq!(coverage.vacuous(), []);
    let missing: Vec<String> = coverage.missing().iter().map(|goal| format!("{}: {}", goal.group, goal.name)).collect();
    let surprising: Vec<&String> = missing.iter().filter(|name| !UNREACHABLE.concat().contains(&name.as_str())).collect();
    assert!(surprising.is_empty(), "{surprising:#?}\n{coverage}");
    let reached: Vec<&str> = UNREACHABLE.concat().into_iter().filter(|goal| !missing.iter().any(|name| name == goal)).collect();
    assert!(reached.is_empty(), "these are reached after all: {reached:#?}");
}

#[test]
fn without_its_throws_it_would_not_show_everything() {
    let throws: Vec<String> = coverage(|_| true).reached_by("edge cases", "throw holds").map(str::to_owned).collect();
    assert!(throws.len() > 3);
    let missing = coverage(|name| !throws.iter().any(|throw| throw == name));
    let missing: Vec<&str> = missing.missing().iter().map(|goal| goal.name.as_str()).collect();
    for goal in ["throw holds", "throw lands", "duelist throw", "warden giant_swing", "throw_tech", "Thrown", "hold"] {
        assert!(missing.contains(&goal), "{goal} is not in {missing:?}");
    }
}

/// What a reviewer reads when the corpus is made anew.
#[test]
fn summaries() {
    let surveyor = WorldSurveyor::new(&DATA);
    let summaries = for_each(|name, replay| (name, surveyor.summary(replay).unwrap().to_string()));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/corpus");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| summaries.iter().for_each(|(name, summary)| insta::assert_snapshot!(*name, summary)));
    // A summary of a replay that is gone would be read as one that is there.
    let stored = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/corpus")).unwrap();
    for path in stored.map(|entry| entry.unwrap().path()) {
        let is_there = summaries.iter().any(|(name, _)| path.file_name().unwrap().to_string_lossy() == format!("{name}.snap"));
        assert!(is_there, "{} is of no replay; delete it", path.display());
    }
}
