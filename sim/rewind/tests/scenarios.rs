//! Every scenario of `scenarios/` plays as it says, and gives the same bytes on every machine.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_rewind::scenario::{Played, Scenario};
use std::path::{Path, PathBuf};

/// Every file and the hash of what comes of it. It changes only with the motion model, the file or what an outcome has in it.
const HASHES: &[(&str, u32)] = &[];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")
}

fn files() -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    files.sort();
    files
}

fn play(name: &str, text: &str) -> (Scenario, Played) {
    let scenario = Scenario::read(&format!("{name}.toml"), text).unwrap_or_else(|error| panic!("{error}"));
    let played = scenario.play();
    (scenario, played)
}

#[test]
fn every_scenario_comes_out_as_it_says() {
    let mut surprises = Vec::new();
    for (name, text) in files() {
        let (scenario, played) = play(&name, &text);
        for outcome in &played.outcome.shots {
            let shot = &scenario.shots[outcome.shot];
            assert!(shot.expect.is_some(), "{name}: the shot \"{}\" expects nothing", shot.name);
            for surprise in scenario.surprises(outcome) {
                surprises.push(format!("{name}.toml: shot \"{}\": {surprise}\n    {}", shot.name, scenario.verdict(outcome)));
            }
        }
    }
    assert!(surprises.is_empty(), "\n{}", surprises.join("\n"));
}

#[test]
fn every_scenario_gives_its_stored_hash() {
    let hashes: Vec<(String, u32)> = files().iter().map(|(name, text)| (name.clone(), play(name, text).1.outcome.hash())).collect();
    let stored: Vec<(String, u32)> = HASHES.iter().map(|&(name, hash)| (name.to_owned(), hash)).collect();
    let now: String = hashes.iter().map(|(name, hash)| format!("    (\"{name}\", {hash:#010x}),\n")).collect();
    assert_eq!(hashes, stored, "now it is\n{now}");
}
