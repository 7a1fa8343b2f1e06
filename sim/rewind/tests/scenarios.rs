//! Every scenario of `scenarios/` plays as it says, and gives the same bytes on every machine.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_core::{Fx, Rng};
use snapback_rewind::catchup::LaunchError;
use snapback_rewind::fire::{FireClamp, FireRefusal};
use snapback_rewind::scenario::{End, MAX_FILE_BYTES, Played, Refusal, Scenario, Why};
use std::path::{Path, PathBuf};

/// Every file and the hash of what comes of it. It changes only with the motion model, the file or what an outcome has in it.
const HASHES: &[(&str, u32)] = &[
    ("behind_cover", 0xbc303045),
    ("blast", 0x87fdba0b),
    ("crossing", 0x9d5b1215),
    ("crouch", 0x62eabbcb),
    ("death", 0x45204c7f),
    ("grazing", 0xf2c84ddc),
    ("grenade", 0xb12a7a0a),
    ("no_view_delay", 0xc94dbd5f),
    ("present_only", 0xd62bbbb9),
    ("projectile_duel", 0xeff73fb7),
    ("same_team", 0x310fa872),
    ("teleport", 0x191da9ac),
    ("too_old", 0x481000e4),
    ("view_delay", 0x35b057dc),
    ("wall", 0x32bed0bb),
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
    insta::assert_snapshot!(error("half_height_cm = 90", "half_hieght_cm = 90"), @r#"shot.toml:19: hitbox "body" of actor "Anna": half_hieght_cm is not known here; write half_height_cm: a decimal from "0.1" to "233""#);
    insta::assert_snapshot!(error("view_delay_ms = 100", "view_delay = 100"), @r#"shot.toml:59: shot "rifle": view_delay is not known here; write view_delay_ms"#);
    insta::assert_snapshot!(error("fire_ms = 300", "fire_ms = 3e2"), @r#"shot.toml:57: shot "rifle": fire_ms is 3e2; give milliseconds from 0 to 500, with at most three digits after the point"#);
    insta::assert_snapshot!(error("shooter = \"Anna\"", "shooter = \"Ann\""), @r#"shot.toml:55: shot "rifle": shooter is "Ann", and no actor is called so; give one of "Anna", "Bert""#);
    insta::assert_snapshot!(error("at_ms = 500", "at_ms = 0"), @r#"shot.toml:50: key 2 of actor "Bert": at_ms is not after the 0 us of the key before; put the keys in the order of their times"#);
    insta::assert_snapshot!(error("duration_ms = 500", "duration_ms = = 500"), @"shot.toml:7: the file: is not TOML here: extra `=`, expected nothing; mend the line");
    insta::assert_snapshot!(error("radius_cm = 14", "radius_cm = 1400"), @r#"shot.toml:42: hitbox "head" of actor "Bert": radius_cm is 1400; give a decimal from "0.1" to "399""#);
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

/// A grenade that bounces, from the file of the folder.
const GRENADE: &str = include_str!("../scenarios/grenade.toml");

fn error_in(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    Scenario::read("shot.toml", &text.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn what_bounces_needs_a_radius() {
    let radius = GRENADE.lines().rfind(|line| line.starts_with("radius_cm")).unwrap();
    for smaller in ["radius_cm = 0", "radius_cm = 0.09", "# radius_cm"] {
        let error = error_in(GRENADE, radius, smaller);
        assert!(error.contains("; a bouncing shot needs 0.1 or more"), "{error}");
    }
    let error = error_in(GRENADE, radius, "");
    assert!(error.contains(": shot \"grenade\": radius_cm is 0; a bouncing shot needs 0.1 or more"), "{error}");
    assert!(Scenario::read("shot.toml", &GRENADE.replacen(radius, "radius_cm = 0.1", 1)).is_ok());
}

/// Two shots of one shooter, of which the first comes long after the second: no time is left for it.
fn overtaken(expect: &str) -> String {
    let shot = PLAIN.split_once("[[shot]]").unwrap().1;
    let first = shot.split_once("[shot.expect]").unwrap().0;
    let second = first.replace("\"rifle\"", "\"second\"").replace("fire_ms = 300", "fire_ms = 310");
    let first = first.replace("arrives_ms = 340", "arrives_ms = 1400");
    assert!(first.contains("arrives_ms = 1400") && second.contains("310"));
    PLAIN.split_once("[[shot]]").unwrap().0.replace("duration_ms = 500", "duration_ms = 1500")
        + &format!("[[shot]]{first}\n[shot.expect]\n{expect}\n[[shot]]{second}")
}

#[test]
fn a_refused_shot_says_why_and_is_expected_only_where_a_refusal_is() {
    let played = |expect: &str| {
        let (scenario, played) = play("overtaken", &overtaken(expect));
        let outcome = &played.outcome.shots[0];
        assert_eq!(outcome.end, End::Refused(Refusal::Gate(FireRefusal::Claim(FireClamp::Overtaken))));
        (scenario.verdict(outcome), scenario.surprises(outcome))
    };
    let (verdict, surprises) = played("nobody = true");
    assert!(verdict.starts_with("NOT TAKEN. The server did not take Anna's shot: overtaken: it came so long after"), "{verdict}");
    assert_eq!(surprises.len(), 1);
    assert!(surprises[0].starts_with("the shot was refused (overtaken: "), "{surprises:?}");
    assert_eq!(played("miss = \"Bert\"").1.len(), 1);
    assert!(played("refused = true").1.is_empty());
    assert!(played("refused = true\nbecause = \"overtaken\"").1.is_empty());
    assert_eq!(
        played("refused = true\nbecause = \"duplicate\"").1,
        ["a refusal because of \"duplicate\" was expected, and it was refused because of \"overtaken\""]
    );
    // Nothing expected is not a refusal expected, and one that was taken was not refused.
    let (mut scenario, result) = play("overtaken", &overtaken("refused = true"));
    scenario.shots[0].expect = None;
    assert_eq!(scenario.surprises(&result.outcome.shots[0]).len(), 1);
    let (scenario, result) = play("taken", &PLAIN.replacen("hit = \"Bert\"\nregion = \"head\"", "refused = true", 1));
    assert_eq!(scenario.surprises(&result.outcome.shots[0])[0], "a refusal was expected, and the server took the shot");
    assert!(error("hit = \"Bert\"\nregion = \"head\"", "refused = false").contains("refused is false; give true"));
}

/// What the reader refuses the library refuses too, and its reason arrives.
#[test]
fn a_projectile_that_cannot_be_launched_says_why() {
    let (mut scenario, _) = play("grenade", GRENADE);
    let at = scenario.shots.iter().position(|shot| shot.name == "grenade").unwrap();
    scenario.shots[at].radius = Fx::ZERO;
    let outcome = &scenario.play().outcome.shots[at];
    let End::Refused(Refusal::Launch(LaunchError::BadFlight(_))) = outcome.end else { panic!("{:?}", outcome.end) };
    assert!(scenario.verdict(outcome).contains("no launch: a projectile's radius is 0 cm"), "{}", scenario.verdict(outcome));
    assert_eq!(scenario.surprises(outcome).len(), 1);
}

#[test]
fn a_shot_that_arrives_after_the_last_tick_is_not_taken() {
    let (scenario, played) = play("late", &PLAIN.replacen("arrives_ms = 340", "arrives_ms = 500", 1));
    let outcome = &played.outcome.shots[0];
    assert_eq!((outcome.end, outcome.accepted_us), (End::Refused(Refusal::Over), 499_980));
    assert!(!scenario.surprises(outcome).is_empty());
}

/// The claims that the server did not believe are named.
#[test]
fn a_claim_that_is_not_believed_is_named() {
    let (_, played) = play("clamped", &PLAIN.replacen("view_delay_ms = 100", "view_delay_ms = 240", 1));
    assert_eq!(played.outcome.shots[0].clamps, [FireClamp::LongViewDelay]);
    assert!(play("plain", PLAIN).1.outcome.shots[0].clamps.is_empty());
}

#[test]
fn a_name_that_cannot_be_aimed_at_or_seen_is_refused() {
    assert!(error("name = \"Bert\"", "name = \"Ber/t\"").contains("name has a / in it; leave it out"));
    for escape in ["u202e", "u2028", "u2029", "u2066", "u200f", "u200b", "ufeff", "u061c", "u00ad", "U000E0041", "u0007", "u001b"] {
        for from in ["name = \"Ber", "name = \"bod", "region = \"hea", "name = \"rifl", "name = \"Hi", "story = \"\"\""] {
            let error = error(from, &format!("{from}\\{escape}"));
            assert!(error.contains(" character in it, U+"), "{escape} {from}: {error}");
            assert!(!error.chars().any(|letter| letter.is_control() || letter == '\u{202e}'), "{error:?}");
        }
    }
    // A key is quoted in the error: without them too.
    let error = error("fire_ms = 300", "\"fire_ms\\u202e\" = 300");
    assert!(!error.contains('\u{202e}'), "{error:?}");
}

/// In the present a shot meets everybody where the tick puts them: the time of that is later than the shot's, and the words say so.
#[test]
fn the_time_of_a_target_is_never_later_than_the_shot_without_a_word() {
    let shot = PLAIN.split_once("[[shot]]").unwrap().1.split_once("[shot.expect]").unwrap().0;
    let slow = shot.replace("kind = \"hitscan\"", "kind = \"projectile\"\nspeed_cm_s = 3000").replace("range_cm", "# range_cm");
    let (before, _) = PLAIN.split_once("[[shot]]").unwrap();
    let text = format!("{before}[[shot]]{slow}").replace("duration_ms = 500", "duration_ms = 1500");
    for (after, words) in [("collapse", true), ("constant", false)] {
        let (scenario, played) = play("slow", &text.replace("speed_cm_s", &format!("after = \"{after}\"\nspeed_cm_s")));
        let near = played.outcome.shots[0].considered.iter().filter(|one| one.nearest.is_some_and(|near| near.time_us > 400_000));
        let near: Vec<String> = near.map(|one| scenario.why_sentence(one)).collect();
        assert!(!near.is_empty());
        for sentence in near {
            assert_eq!(sentence.contains("(in the present, where it stands"), words, "{after}: {sentence}");
        }
    }
}

const PAGE: &str = include_str!("../docs/scenarios.md");

/// The rows of the page's tables: section, key, limits without commas, what holds if it is left out.
fn rows() -> Vec<(&'static str, &'static str, String, &'static str)> {
    let mut rows = Vec::new();
    for section in PAGE.split("\n## ").skip(1) {
        let title = section.lines().next().unwrap();
        for line in section.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [key, _, limits, default] = cells[..] else { panic!("four cells: {line}") };
            rows.push((title, key.trim_matches('`'), limits.replace(',', ""), default.trim_matches('`')));
        }
    }
    rows
}

/// Every key that the reader asks for is in a table of the page, and every key there is one of the reader's.
#[test]
fn the_page_names_every_key_of_the_reader() {
    let sources = [
        include_str!("../src/scenario/actor.rs"),
        include_str!("../src/scenario/mod.rs"),
        include_str!("../src/scenario/shot.rs"),
        include_str!("../src/scenario/stage.rs"),
    ];
    let calls = [
        "text",
        "text_or",
        "maybe_text",
        "texts",
        "story",
        "whole",
        "decimal",
        "decimal_or",
        "vector",
        "vector_or",
        "choice",
        "choice_or",
        "truth_or",
        "must_be_true",
        "table",
        "tables",
        "has",
        "time",
        "must_time",
    ];
    let mut asked = vec!["name".to_owned()];
    for source in sources {
        for call in calls {
            for after in source.split(&format!(".{call}(\"")).skip(1) {
                let key = after.split('"').next().unwrap();
                asked.push(if call.ends_with("time") { format!("{key}_ms") } else { key.to_owned() });
            }
        }
        asked.extend(source.split("degrees(&mut node, \"").skip(1).map(|after| after.split('"').next().unwrap().to_owned()));
    }
    asked.sort();
    asked.dedup();
    asked.retain(|key| !["at_us", "expect"].contains(&key.as_str()));
    let rows = rows();
    let mut written: Vec<&str> = rows.iter().map(|row| row.1).collect();
    written.sort_unstable();
    written.dedup();
    assert_eq!(asked, written);
    assert!(asked.len() > 55, "{asked:?}");
}

/// Every key with a number in it, once.
const EVERY_NUMBER: &str = include_str!("every_number.toml");

fn section_of(header: &str) -> &'static str {
    match header {
        "" => "The scenario",
        "[[actor]]" => "`[[actor]]`",
        "[[actor.hitbox]]" => "`[[actor.hitbox]]`",
        "[[actor.key]]" => "`[[actor.key]]`",
        "[[obstacle]]" => "`[[obstacle]]`",
        "[[shot]]" => "`[[shot]]`",
        "[shot.expect]" => "`[shot.expect]`",
        _ => panic!("{header}"),
    }
}

/// The limits of the page are those that the reader's errors name.
#[test]
fn the_page_has_the_limits_of_the_reader() {
    Scenario::read("every_number.toml", EVERY_NUMBER).unwrap();
    let (rows, lines) = (rows(), EVERY_NUMBER.lines().collect::<Vec<_>>());
    let (mut header, mut checked) = ("", Vec::new());
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with('[') {
            header = line;
        }
        let Some((key, value)) = line
            .split_once(" = ")
            .filter(|(_, value)| value.starts_with(['[', '-']) && !value.starts_with("[\"") || value.as_bytes()[0].is_ascii_digit())
        else {
            continue;
        };
        let wrong = if value.starts_with('[') { "[99999999, 0, 0]" } else { "99999999" };
        let mut changed = lines.clone();
        let wrong = format!("{key} = {wrong}");
        changed[at] = &wrong;
        let error = Scenario::read("wrong.toml", &changed.join("\n")).unwrap_err().to_string().replace('"', "");
        let limits = error.rsplit_once(" from ").unwrap_or_else(|| panic!("{error}")).1.split(", with").next().unwrap().to_owned();
        let row = rows.iter().find(|row| (row.0, row.1) == (section_of(header), key)).unwrap_or_else(|| panic!("{header} {key}"));
        if !["at_ms", "fire_ms", "arrives_ms", "half_height_cm"].contains(&key) {
            assert_eq!(row.2, limits, "{header} {key}: {error}");
        }
        checked.push(key);
    }
    // All rows that have such limits are there.
    for row in rows.iter().filter(|row| row.2.contains(" to ") && !["actor", "obstacle", "shot", "hitbox", "key"].contains(&row.1)) {
        assert!(checked.contains(&row.1), "{row:?}");
    }
}

/// What the page says of a key that is left out is what the reader does.
#[test]
fn the_page_has_the_defaults_of_the_reader() {
    let (mut header, mut checked) = ("", 0);
    let (rows, lines) = (rows(), EVERY_NUMBER.lines().collect::<Vec<_>>());
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with('[') {
            header = line;
        }
        let Some((key, _)) = line.split_once(" = ") else { continue };
        let row = rows.iter().find(|row| (row.0, row.1) == (section_of(header), key)).unwrap_or_else(|| panic!("{header} {key}"));
        let is_value = row.3.starts_with(['[', '"']) || ["true", "false"].contains(&row.3) || row.3.as_bytes()[0].is_ascii_digit();
        let read = |line: &str| {
            let mut changed = lines.clone();
            changed[at] = line;
            // Known only beside what is changed.
            for needs in [("impact", "restitution"), ("after", "ramp_ms"), ("blast_radius_cm", "blast_policy")]
                .into_iter()
                .filter(|needs| needs.0 == key)
            {
                changed.iter_mut().filter(|line| line.starts_with(needs.1)).for_each(|line| *line = "");
            }
            Scenario::read("changed.toml", &changed.join("\n"))
        };
        match row.3 {
            // What bounces needs its radius.
            _ if *line == "radius_cm = 5" => {}
            must if must.ends_with("must be there") => assert!(read("").unwrap_err().to_string().contains(" is missing"), "{header} {key}"),
            one if one.starts_with("one of these") => assert!(read("").is_err(), "{header} {key}"),
            _ if is_value => {
                checked += 1;
                let given = read(&format!("{key} = {}", row.3.replace("0,", "0;").replace(',', "").replace(';', ",")));
                assert_eq!(read("").unwrap(), given.unwrap(), "{header} {key}");
            }
            _ => _ = read("").unwrap_or_else(|error| panic!("{key} may be left out: {error}")),
        }
    }
    assert!(checked >= 25, "{checked}");
}

#[test]
fn the_page_names_every_reason_of_a_refusal() {
    let reasons = PAGE.split("The reasons of `refused`").nth(1).unwrap();
    for name in Refusal::NAMES {
        assert!(reasons.contains(&format!("`{name}`")), "{name}");
    }
}

/// A hitbox that the server seldom records is interpolated: the answer says how far that is from the truth.
#[test]
fn a_stale_sample_is_named_as_a_reason() {
    // He turns round at 200 ms, between two samples; the shot is aimed at where he truly was.
    let turning = PLAIN
        .replace(
            "at_ms = 500\nposition_cm = [180, 0, 1500]",
            "at_ms = 200\nposition_cm = [180, 0, 1500]\n[[actor.key]]\nat_ms = 500\nposition_cm = [-120, 0, 1500]",
        )
        .replace("[shot.expect]\nhit = \"Bert\"\nregion = \"head\"\ntarget_ms = 200", "[shot.expect]\nnobody = true");
    let said = |text: &str| {
        let (scenario, played) = play("turning", text);
        let outcome = &played.outcome.shots[0];
        (outcome.strikes.is_empty(), scenario.verdict(outcome))
    };
    let (missed, verdict) = said(&turning);
    assert!(!missed && !verdict.contains("recorded"), "{verdict}");
    let (missed, verdict) = said(
        &turning
            .replace("name = \"head\"", "name = \"head\"\ncadence_hz = 4")
            .replace("name = \"body\"", "name = \"body\"\ncadence_hz = 4"),
    );
    assert!(missed && verdict.contains(" It is recorded 4 times a second: its sample was stale, and it truly was "), "{verdict}");
}
