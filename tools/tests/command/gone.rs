//! Peers that disappear.

use crate::support::{Host, snapback};

#[test]
fn a_killed_host_is_noticed_by_the_joiner() {
    let mut host = Host::start(&["--seconds", "60"]);
    let ticket = host.ticket.clone();
    let joined = std::thread::scope(|scope| {
        let joined = scope.spawn(|| snapback(&["join", &ticket]));
        std::thread::sleep(std::time::Duration::from_millis(1_500));
        host.child.kill().unwrap();
        joined.join().unwrap()
    });
    host.child.wait().unwrap();
    assert_eq!(joined.code, Some(4));
    assert!(joined.err.contains("nothing is heard from player 0\n"), "{}", joined.err);
    assert_eq!(joined.error(), "error: player 0 is gone: nothing was heard for too long; start another match");
}

/// Kills one of the duel's processes from the outside.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_player_ends_the_duel_and_takes_the_others_along() {
    use std::process::{Command, Stdio};
    let mut duel = Command::new(env!("CARGO_BIN_EXE_snapback"));
    duel.args(["duel", "--seconds", "60"]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let duel = duel.spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1_000));
    let children = format!("/proc/{0}/task/{0}/children", duel.id());
    let children: Vec<String> = std::fs::read_to_string(children).unwrap().split_whitespace().map(str::to_owned).collect();
    assert_eq!(children.len(), 2);
    assert!(Command::new("kill").args(["-9", &children[1]]).status().unwrap().success());
    let output = duel.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        err.lines().last(),
        Some("error: player 1 ended before the match was over (signal: 9 (SIGKILL)); the duel is stopped"),
        "{err}"
    );
    for child in children {
        assert!(!std::path::Path::new(&format!("/proc/{child}")).exists(), "process {child} is still there");
    }
}

/// A duel, alone, that is ended after two seconds by a signal.
#[cfg(unix)]
fn ended_by(signal: &str, args: &[&str]) -> (Option<i32>, String) {
    use std::process::{Command, Stdio};
    let mut duel = Command::new(env!("CARGO_BIN_EXE_snapback"));
    duel.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let duel = duel.spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(2_000));
    assert!(Command::new("kill").args([signal, &duel.id().to_string()]).status().unwrap().success());
    let output = duel.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[cfg(unix)]
#[test]
fn a_duel_that_is_ended_still_reports() {
    let (code, out) = ended_by("-INT", &["duel", "--rtt", "20"]);
    assert_eq!(code, Some(130));
    let verdict = out.lines().last().unwrap_or_default();
    assert!(verdict.starts_with("ENDED EARLY: the duel was ended here; the "), "{out}");
    let (code, out) = ended_by("-TERM", &["duel", "--rtt", "20", "--format", "json"]);
    assert_eq!(code, Some(143));
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((report["agree"].as_bool(), report["ended_early"].as_bool()), (Some(false), Some(true)));
}

/// Whoever ends a match says so: the others need not wait for the silence to be too long.
#[cfg(unix)]
#[test]
fn a_host_that_is_ended_says_goodbye() {
    let host = Host::start(&["--seconds", "60"]);
    let ticket = host.ticket.clone();
    let joined = std::thread::spawn(move || snapback(&["join", &ticket]));
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    host.signal("-TERM");
    let (hosted, joined) = (host.finish(), joined.join().unwrap());
    assert_eq!((hosted.code, joined.code), (Some(143), Some(4)), "{}\n{}", hosted.err, joined.err);
    assert!(hosted.out.ends_with("ENDED EARLY: the match was ended here\n"), "{}", hosted.out);
    assert!(joined.out.ends_with("ENDED EARLY: player 0 left before the end; start another match\n"), "{}", joined.out);
    assert!(!joined.err.contains("nothing is heard"), "{}", joined.err);
}

#[test]
fn a_host_that_waits_no_longer_says_goodbye() {
    let host = Host::start(&["--players", "3", "--wait", "1.5", "--format", "json"]);
    let joined = snapback(&["join", &host.ticket, "--format", "json"]);
    let hosted = host.finish();
    assert_eq!((hosted.code, joined.code), (Some(4), Some(4)), "{}\n{}", hosted.err, joined.err);
    assert_eq!(hosted.json()["error"], "only 2 of 3 players are here after 1.5 s; start again, or wait longer with --wait");
    assert_eq!(joined.json()["error"], "player 0 left before the end; start another match");
}
