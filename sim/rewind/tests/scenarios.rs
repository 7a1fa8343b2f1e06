//! Every scenario of `scenarios/` plays as it says, and gives the same bytes on every machine.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_core::Rng;
use snapback_rewind::scenario::{MAX_FILE_BYTES, Played, Scenario, Why};
use std::path::{Path, PathBuf};

/// Every file and the hash of what comes of it. It changes only with the motion model, the file or what an outcome has in it.
const HASHES: &[(&str, u32)] = &[
    ("behind_cover", 0x364bf264),
    ("blast", 0xfae814ac),
    ("crossing", 0x78f15fab),
    ("crouch", 0x71c44d03),
    ("death", 0x8a8d380f),
    ("grazing", 0xd329737e),
    ("grenade", 0x244d7ca1),
    ("no_view_delay", 0x9d6fcd12),
    ("present_only", 0x9aeb4124),
    ("projectile_duel", 0xbe576cfe),
    ("same_team", 0x210062a7),
    ("teleport", 0x7f773238),
    ("too_old", 0x7c9f6960),
    ("view_delay", 0x682a98af),
    ("wall", 0x7df9469d),
];

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

/// A scenario that a test changes.
const PLAIN: &str = include_str!("../scenarios/view_delay.toml");

fn error(from: &str, to: &str) -> String {
    assert!(PLAIN.contains(from), "{from}");
    Scenario::read("shot.toml", &PLAIN.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn an_error_names_line_table_and_key_and_says_what_to_do() {
    insta::assert_snapshot!(error("tick_rate_hz = 60", "tick_rate_hz = 6000"), @"shot.toml:6: the scenario: tick_rate_hz is 6000; give a whole number from 10 to 240");
    insta::assert_snapshot!(error("half_height_cm = 90", "half_hieght_cm = 90"), @r#"shot.toml:19: hitbox "body" of actor "Anna": half_hieght_cm is not known here; write half_height_cm: a decimal from "0.1" to "50000""#);
    insta::assert_snapshot!(error("view_delay_ms = 100", "view_delay = 100"), @r#"shot.toml:59: shot "rifle": view_delay is not known here; write view_delay_ms"#);
    insta::assert_snapshot!(error("fire_ms = 300", "fire_ms = 3e2"), @r#"shot.toml:57: shot "rifle": fire_ms is 3e2; give milliseconds from 0 to 500, with at most three digits after the point"#);
    insta::assert_snapshot!(error("shooter = \"Anna\"", "shooter = \"Ann\""), @r#"shot.toml:55: shot "rifle": shooter is "Ann", and no actor is called so; give one of "Anna", "Bert""#);
    insta::assert_snapshot!(error("at_ms = 500", "at_ms = 0"), @r#"shot.toml:50: key 2 of actor "Bert": at_ms is not after the 0 us of the key before; put the keys in the order of their times"#);
    insta::assert_snapshot!(error("duration_ms = 500", "duration_ms = = 500"), @"shot.toml:7: the file: is not TOML here: extra `=`, expected nothing; mend the line");
    insta::assert_snapshot!(error("radius_cm = 14", "radius_cm = 1400"), @r#"shot.toml:42: hitbox "head" of actor "Bert": radius_cm is too great; a radius of 1400 cm is over the limit of 399 cm: use several hitboxes"#);
}

#[test]
fn a_decimal_means_its_digits_whether_it_is_quoted_or_not() {
    let play_with = |number: &str| {
        let text = PLAIN.replacen("position_cm = [-120, 0, 1500]", &format!("position_cm = [{number}, 0, 1500]"), 1);
        play("decimal", &text).1.outcome.hash()
    };
    assert_eq!(play_with("-120.1"), play_with("\"-120.1\""));
    assert_ne!(play_with("-120.1"), play_with("-120"));
}

/// Files of strangers: whatever stands in them, they are read or refused, and what is read is played to its end.
#[test]
fn mutated_files_are_read_or_refused_and_never_panic() {
    let files = files();
    let mut read = 0;
    for seed in 0..3_000u64 {
        let mut rng = Rng::new(seed, 0x5CE9);
        let mut pick = |bound: usize| (rng.next_u32() as usize).checked_rem(bound).unwrap_or(0);
        let mut lines: Vec<String> = files[pick(files.len())].1.lines().map(str::to_owned).collect();
        for _ in 0..=pick(3) {
            let at = pick(lines.len());
            match pick(6) {
                0 => drop(lines.remove(at)),
                1 => lines.insert(at, lines[pick(lines.len())].clone()),
                2 => {
                    let other = pick(lines.len());
                    lines.swap(at, other);
                }
                3 => {
                    let value =
                        ["0", "-1", "9223372036854775807", "\"\"", "[]", "1e300", "nan", "{}", "true", "\"\\u0000\"", "50000", "0.0001"];
                    if let Some((key, _)) = lines[at].clone().split_once('=') {
                        lines[at] = format!("{key}= {}", value[pick(value.len())]);
                    }
                }
                4 => {
                    let mut letters: Vec<char> = lines[at].chars().collect();
                    let place = pick(letters.len().max(1));
                    let letter = ['=', '[', ']', '"', '.', '\u{7}', 'é', '#', '9'][pick(9)];
                    if place < letters.len() {
                        letters[place] = letter;
                    }
                    lines[at] = letters.into_iter().collect();
                }
                _ => lines.truncate(at.max(1)),
            }
            if lines.is_empty() {
                break;
            }
        }
        // Reading is cheap; a few that can be read are played too.
        if let Ok(scenario) = Scenario::read("mutated.toml", &lines.join("\n")) {
            read += 1;
            if seed % 8 == 0 {
                let outcome = scenario.play().outcome;
                assert_eq!(outcome.shots.len(), scenario.shots.len(), "seed {seed}");
                outcome.shots.iter().for_each(|shot| assert!(scenario.verdict(shot).ends_with(['.', '!']), "seed {seed}"));
            }
        }
    }
    assert!((300..2_700).contains(&read), "{read} of 3,000 could be read: the mutations prove little");
}

#[test]
fn what_is_too_long_or_too_deep_is_refused() {
    let long = format!("{PLAIN}#{}", "x".repeat(MAX_FILE_BYTES));
    assert!(Scenario::read("long.toml", &long).unwrap_err().to_string().contains("shorter than 256 KiB"));
    let deep = format!("name = {}", "[".repeat(100_000));
    assert!(Scenario::read("deep.toml", &deep).is_err());
    let many = format!("{PLAIN}{}", "\n[[shot]]\nname = \"x\"".repeat(40));
    assert!(Scenario::read("many.toml", &many).unwrap_err().to_string().contains("has 41 entries"));
    let bodies: String = (0..16).map(|n| format!("\n[[actor.hitbox]]\nname = \"{n}\"\nshape = \"sphere\"\nradius_cm = 10")).collect();
    let actors: String =
        (0..30).map(|n| format!("\n[[actor]]\nname = \"{n}\"\n[[actor.key]]\nat_ms = 0\nposition_cm = [0, 0, {n}]{bodies}")).collect();
    let shots = PLAIN.split_once("[[shot]]").unwrap().1;
    let crowd = PLAIN.replace("[[shot]]", &format!("{actors}\n[[shot]]")).replace("duration_ms = 500", "duration_ms = 10000");
    assert!(crowd.ends_with(shots));
    let error = Scenario::read("crowd.toml", &crowd).unwrap_err().to_string();
    assert!(error.contains("duration_ms is 10000 ms, with 483 hitboxes"), "{error}");
}

/// The check of this page checks: a file that expects what does not come out is not taken.
#[test]
fn what_is_not_as_expected_is_said() {
    for (from, to, said) in [
        (
            "region = \"head\"\ntarget_ms",
            "region = \"torso\"\ntarget_ms",
            "a hit of \"Bert\" (torso) was expected, and \"Bert\" was hit (head)",
        ),
        ("target_ms = 200", "target_ms = 201", "the target was expected where it was at 201 ms"),
        ("clamped = false", "clamped = true", "clamped = true was expected"),
        ("hit = \"Bert\"\nregion = \"head\"", "nobody = true", "nobody was expected to be hit"),
        ("hit = \"Bert\"\nregion = \"head\"", "miss = \"Bert\"", "a miss of \"Bert\" was expected, and it was hit"),
        // The server looks a tick later: a planted fault of the view delay.
        ("view_delay_ms = 100", "view_delay_ms = 83", "the target was expected where it was at 200 ms"),
    ] {
        assert!(PLAIN.contains(from), "{from}");
        let (scenario, played) = play("changed", &PLAIN.replacen(from, to, 1));
        let surprises = scenario.surprises(&played.outcome.shots[0]);
        assert!(surprises.iter().any(|surprise| surprise.contains(said)), "{to}: {surprises:?}");
    }
}

#[test]
fn the_same_scenario_gives_the_same_bytes_again() {
    for (name, text) in files() {
        assert_eq!(play(&name, &text).1, play(&name, &text).1, "{name}");
    }
}

#[test]
fn the_smallest_scenario_of_the_page_is_hit() {
    let page = include_str!("../docs/scenarios.md");
    let text = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let (scenario, played) = play("smallest", text);
    assert!(scenario.surprises(&played.outcome.shots[0]).is_empty());
}

/// Every reason that the page names is one, and the other way round.
#[test]
fn the_page_names_every_reason() {
    let page = include_str!("../docs/scenarios.md");
    for name in Why::NAMES.iter().filter(|name| **name != "hit") {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}
