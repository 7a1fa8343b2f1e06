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
        Some("error: peer 1 ended before the match was over (signal: 9 (SIGKILL)); the duel is stopped"),
        "{err}"
    );
    for child in children {
        assert!(!std::path::Path::new(&format!("/proc/{child}")).exists(), "process {child} is still there");
    }
}
