//! Every command that the documents show is run, here or by `.ci/run`.

use super::support::{Host, snapback, snapback_in};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The lines inside the fenced blocks of this language.
fn fenced(text: &str, language: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(fence) = line.trim_start().strip_prefix("```") {
            inside = !inside && fence == language;
            if inside {
                blocks.push(String::new());
            }
        } else if inside && let Some(block) = blocks.last_mut() {
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks
}

pub(crate) fn commands() -> Vec<String> {
    let lines = ["README.md", "CONTRIBUTING.md"].map(|name| fenced(&read(name), "sh").concat()).concat();
    lines.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// A folder that looks like that of the repository, where a command may leave files.
fn workplace() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs");
    let _ = std::fs::remove_dir_all(&folder);
    copy(&root().join("golden/corpus"), &folder.join("golden/corpus"));
    copy(&root().join("sim/world/data"), &folder.join("sim/world/data"));
    copy(&root().join("sim/rewind/scenarios"), &folder.join("sim/rewind/scenarios"));
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    let Ok(entries) = std::fs::read_dir(from) else { return };
    for entry in entries {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            std::fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

#[test]
fn every_command_of_the_documents_works() {
    let workplace = workplace();
    let ci = read(".ci/run");
    let commands = commands();
    assert!(commands.len() >= 8, "{commands:?}");
    for command in &commands {
        if let Some((said, arguments)) = command.split_once(" | cargo run --release -- ") {
            let line = format!("{said} | '{}' {arguments}", env!("CARGO_BIN_EXE_snapback"));
            let output = Command::new("sh").args(["-c", &line]).current_dir(&workplace).output().unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{command}: {err}");
            for heard in ["player 0 to player 1: hello", "player 1 to player 0: hello yourself"] {
                assert!(err.contains(heard), "{command}: {err}");
            }
            continue;
        }
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.as_slice() {
            // A host that nobody joins waits, and a ticket is only good for one match: the next test plays both and pings, and
            // `netsim.rs` those two with the link between them.
            ["cargo", "run", "--release", "--", "host" | "join" | "ping" | "netsim", ..] => {}
            ["cargo", "run", "--release", "--", arguments @ ..] => {
                let expected = if arguments.contains(&"--plant-desync") { 1 } else { 0 };
                let run = snapback_in(&workplace, &[], arguments);
                assert_eq!(run.code, Some(expected), "{command}: {}", run.err);
            }
            ["cargo", "run", "--release", "-p", "snapback", "--example", example] => {
                // Built beside this test by the same `cargo test`, if that is of the whole workspace.
                let built = Path::new(env!("CARGO_BIN_EXE_snapback")).parent().unwrap().join("examples").join(example);
                if built.exists() {
                    let output = Command::new(built).output().unwrap();
                    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("all peers agree"), "{output:?}");
                } else {
                    println!("skipped: example_{example}");
                }
            }
            _ => {
                // In CI benchmarks only have to run, so they take what the tests have built.
                let there = command.replace("cargo bench ", "cargo bench --profile dev ");
                assert!(ci.lines().any(|line| line.ends_with(&format!(" {there}"))), "nothing runs `{command}`");
            }
        }
    }
}

/// `cargo run` in the folder of the repository, without `-p`, means the command.
#[test]
fn cargo_run_finds_the_command() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output =
        Command::new(cargo).args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let members = metadata["workspace_default_members"].as_array().unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter().filter(|package| members.contains(&package["id"]));
    let named: Vec<&str> = packages.filter_map(|package| package["default_run"].as_str()).collect();
    assert_eq!(named, ["snapback"]);
}

#[test]
fn the_documented_pair_of_host_and_join_plays() {
    let commands = commands();
    let of = |verb: &str| commands.iter().find(|command| command.contains(verb)).unwrap_or_else(|| panic!("no {verb}")).clone();
    let arguments = |command: &str| command.split(" -- ").nth(1).unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let [hosting, pinging, joining] = ["-- host", "-- ping", "-- join"].map(|verb| arguments(&of(verb)));
    let host = Host::start(&hosting.iter().skip(1).map(String::as_str).collect::<Vec<_>>());
    for words in [pinging, joining] {
        let words: Vec<&str> = words.iter().map(|word| if word == "TICKET" { host.ticket.as_str() } else { word }).collect();
        let run = snapback(&words);
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    let hosted = host.finish();
    assert_eq!(hosted.code, Some(0), "{}", hosted.err);
}

/// What the README shows of the example is what the example says.
#[test]
fn the_readme_shows_the_example_as_it_is() {
    let example: String = read("session/examples/own_game.rs").lines().map(|line| line.trim().to_owned() + "\n").collect();
    let blocks = fenced(&read("README.md"), "rust");
    assert!(blocks.len() >= 3);
    for block in blocks {
        let block: String = block.lines().map(|line| line.trim().to_owned() + "\n").collect();
        assert!(example.contains(&block), "not in the example:\n{block}");
    }
}

#[test]
fn the_readme_names_the_tests_and_ci_runs_exactly_that() {
    let readme = read("README.md");
    assert!(fenced(&readme, "sh").iter().any(|block| block.trim() == "cargo test"));
    assert!(read(".ci/run").lines().any(|line| line.trim() == "step test cargo test"));
}
