//! The example `traces` runs, and finds no disagreement. How ours compares with ggrs it tells; nothing here depends
//! on it, for that is in real time.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use serde_json::Value;
use std::process::Command;

/// What the command prints as JSON with these arguments; `None` if there are no recordings.
fn traces(arguments: &[&str]) -> Option<Value> {
    std::env::var_os("SNAPBACK_DATA")?;
    // Beside the tests, where `cargo test` puts examples.
    let mut program = std::env::current_exe().unwrap();
    program.pop();
    program.pop();
    program.extend(["examples", "traces"]);
    program.set_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.exists(), "{} is not there: `cargo build -p snapback-peers --examples`", program.display());
    let output = Command::new(program).args(arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn check(report: &Value, sides: &[&str]) {
    let rows = report["rows"].as_array().unwrap();
    assert!(!rows.is_empty());
    for (row, side) in rows.iter().flat_map(|row| sides.iter().map(move |side| (row, *side))) {
        assert_eq!(row[side]["disagreements"], 0, "{side}: {row}");
        assert!(row[side]["confirmed_frames"].as_u64().unwrap() > 60, "{side}: {row}");
    }
}

#[test]
fn ours_alone_plays_every_recording() {
    match traces(&["--ours-only", "--seconds", "20"]) {
        Some(report) => {
            assert!(report["rows"].as_array().unwrap().len() >= 15);
            check(&report, &["ours"]);
        }
        None => println!("skipped: ours_alone_plays_every_recording"),
    }
}

#[test]
fn both_play_in_real_time() {
    match traces(&["--traces", "wired_noload", "--seconds", "2"]) {
        Some(report) => check(&report, &["ours", "theirs"]),
        None => println!("skipped: both_play_in_real_time"),
    }
}
