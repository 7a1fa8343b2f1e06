//! The guide for CI is followed as it stands: a game of its own, the file of one line, and the shell
//! steps of the workflow.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "this test is about files and processes")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The fenced blocks of this language.
fn fenced(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// What the steps of a workflow run.
fn steps(workflow: &str) -> Vec<String> {
    let lines: Vec<&str> = workflow.lines().collect();
    let mut steps = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(command) = line.trim_start().strip_prefix("run: ") else { continue };
        assert_ne!(command, "|", "this test reads steps of one line; line {at}");
        steps.push(command.to_owned());
    }
    steps
}

/// A crate as the guide describes it, with the game and a replay of this crate's own tests.
fn game(guide: &str) -> PathBuf {
    // Kept between runs, so that only the first builds everything.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("user-game");
    let [manifest] = &fenced(guide, "toml")[..] else { panic!("the guide has one manifest") };
    let [test] = &fenced(guide, "rust")[..] else { panic!("the guide has one test") };
    for part in ["src", "tests", "golden"] {
        let _ = std::fs::remove_dir_all(folder.join(part));
        std::fs::create_dir_all(folder.join(part)).unwrap();
    }
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let core = here().parent().unwrap().join("core");
    let dependencies = format!("snapback-core = {{ path = {core:?} }}\nbytemuck = {{ version = \"1.25\", features = [\"derive\"] }}\n");
    let manifest = manifest.replace("\"../snapback/golden\"", &format!("{:?}", here()));
    assert!(manifest.contains(&format!("{:?}", here())), "{manifest}");
    let head = "[package]\nname = \"my-game\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n";
    write("Cargo.toml", &format!("{head}{dependencies}\n{manifest}"));
    // The same versions as here, and nothing to fetch.
    std::fs::copy(here().parent().unwrap().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let source = std::fs::read_to_string(here().join("tests/user_game/game.rs")).unwrap();
    let default = "impl Default for Game {\n    fn default() -> Self {\n        Self::new(Rules::default())\n    }\n}\n";
    write("src/lib.rs", &format!("{source}\n{default}"));
    write("tests/golden.rs", test);
    for replay in ["charge", "guarded"] {
        let name = format!("{replay}.snbk");
        std::fs::copy(here().join("tests/user_game").join(&name), folder.join("golden").join(&name)).unwrap();
    }
    folder
}

fn shell(folder: &Path, command: &str, ci: &str) -> Output {
    Command::new("bash")
        .args(["-ec", command])
        .current_dir(folder)
        .env("CI", ci)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env_remove("SNAPBACK_GOLDEN")
        .env_remove("RUST_TEST_NOCAPTURE")
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn the_guide_leads_from_nothing_to_green_to_red_to_the_cause() {
    let guide = std::fs::read_to_string(here().join("docs/ci.md")).unwrap();
    let folder = game(&guide);
    let [workflow] = &fenced(&guide, "yaml")[..] else { panic!("the guide has one workflow") };
    let steps = steps(workflow);
    let elsewhere = fenced(&guide, "bash").concat();
    assert!(!steps.is_empty() && !elsewhere.is_empty());

    for command in steps.iter().map(String::as_str).chain([elsewhere.as_str()]) {
        let output = shell(&folder, command, "true");
        assert!(output.status.success(), "{command}: {}", text(&output));
        assert!(text(&output).contains("2 passed"), "{}", text(&output));
    }

    // A bug of one line.
    let source = std::fs::read_to_string(folder.join("src/lib.rs")).unwrap();
    let broken = source.replacen("meter_for_braced_hit: 5", "meter_for_braced_hit: 6", 1);
    assert_ne!(source, broken, "the line that this test breaks is gone");
    std::fs::write(folder.join("src/lib.rs"), broken).unwrap();
    let output = shell(&folder, &steps[0], "true");
    let log = text(&output);
    assert!(!output.status.success(), "{log}");
    for part in [".meter: expected 5 (0x0005), got 6 (0x0006)", "is the first that differs", "to see it again: cargo test", "> "] {
        assert!(log.contains(part), "no {part:?} in {log}");
    }
    let written = || folder.join("golden").read_dir().unwrap().filter(|e| e.as_ref().unwrap().path().extension().unwrap() == "new").count();
    assert_eq!(written(), 0, "CI writes nothing");
    let again = log.lines().find_map(|line| line.trim().strip_prefix("to see it again: ")).unwrap();
    let output = shell(&folder, again, "");
    assert!(!output.status.success() && text(&output).contains(".snbk.new"), "{}", text(&output));
    assert_eq!(written(), 1, "the one that was run");
}
