//! Commands that ride in the inputs, and the result that everybody signs.

use crate::support::{Host, file, snapback};
use std::path::Path;

fn place(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path.display().to_string()
}

#[test]
fn a_duel_shows_a_pause_and_a_surrender() {
    let args = ["duel", "--fast", "--seconds", "20", "--pause", "300:120", "--surrender", "600", "--format", "json"];
    let run = snapback(&args);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let report = run.json();
    let commands: Vec<String> = report["commands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|command| format!("{} {} {}", command["player"], command["what"].as_str().unwrap(), command["frame"]))
        .collect();
    assert_eq!(commands, ["0 pause 308", "0 resume 428", "0 surrender 608"]);
    let results = report["results"].as_array().unwrap();
    assert!(results.iter().any(|round| round["end"] == "surrender" && round["match_winner"] == "team 1"), "{results:?}");
    let human = snapback(&args[..args.len() - 2]);
    assert!(
        human.out.contains("player 0 at frame 308: pause\n") && human.out.contains(" by surrender; the match: team 1\n"),
        "{}",
        human.out
    );
}

#[test]
fn what_everybody_signed_is_attested_and_nothing_else() {
    let (replay, result) = (place("signed.snbk"), place("signed.snbr"));
    let run = snapback(&["duel", "--seconds", "4", "--surrender", "100", "--record", &replay, "--result", &result]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = snapback(&["golden", "attest", &replay, &result]);
    assert_eq!(run.code, Some(0), "{} {}", run.out, run.err);
    assert!(run.out.contains("match 1 round 1: team 1 by surrender, at frame 108"), "{}", run.out);
    assert!(
        run.out.ends_with("ATTESTED: every player has signed this result, and the inputs give it: 240 frames were played again\n"),
        "{}",
        run.out
    );
    let json = snapback(&["golden", "attest", &replay, &result, "--format", "json"]).json();
    assert_eq!((json["attested"].as_bool(), json["statement"]["last frame"].as_str()), (Some(true), Some("239")));

    let bytes = std::fs::read(&result).unwrap();
    let mut forged = bytes.clone();
    // The last byte of the result: who won the match.
    let at = forged.len() - 2 * 64 - 1;
    forged[at] ^= 1;
    let forged = snapback(&["golden", "attest", &replay, &file("forged.snbr", &forged)]);
    assert_eq!(forged.code, Some(1), "{}", forged.out);
    assert!(forged.out.contains("NOT ATTESTED: player 0 has not signed this statement"), "{}", forged.out);
    let cut = snapback(&["golden", "attest", &replay, &file("cut.snbr", &bytes[..bytes.len() - 1])]);
    assert_eq!((cut.code, cut.error().contains("cut off")), (Some(3), true), "{}", cut.err);
    let other = place("other.snbk");
    assert_eq!(snapback(&["duel", "--fast", "--seconds", "4", "--record", &other]).code, Some(0));
    let other = snapback(&["golden", "attest", &other, &result]);
    assert_eq!(
        (other.code, other.out.contains("NOT ATTESTED: the inputs are not those that were signed")),
        (Some(1), true),
        "{}",
        other.out
    );
    assert_eq!(snapback(&["golden", "attest", &replay, &place("nowhere.snbr")]).code, Some(2));
    #[cfg(unix)]
    {
        let endless = snapback(&["golden", "attest", &replay, "/dev/zero"]);
        assert_eq!((endless.code, endless.error().contains("it is larger than 64 KiB")), (Some(3), true), "{}", endless.err);
    }
}

#[test]
fn host_and_join_write_the_same_result() {
    let (hosted, joined) = (place("hosted.snbr"), place("joined.snbr"));
    let host = Host::start(&["--seconds", "3", "--result", &hosted, "--pause", "60:30"]);
    let join = snapback(&["join", &host.ticket, "--result", &joined]);
    let host = host.finish();
    assert_eq!((host.code, join.code), (Some(0), Some(0)), "{}\n{}", host.err, join.err);
    assert_eq!(std::fs::read(hosted).unwrap(), std::fs::read(joined).unwrap());
    assert!(join.out.contains("player 0 at frame 98: resume\n"), "{}", join.out);
}

#[test]
fn a_result_that_is_not_signed_is_not_written_and_it_is_said_why() {
    let (older, match_file) = (file("older.snbr", b"older"), place("unsigned.snbk"));
    let host = Host::start(&["--seconds", "2", "--result", &older, "--record", &match_file]);
    let join = snapback(&["join", &host.ticket, "--no-channels"]);
    let host = host.finish();
    assert_eq!((host.code, join.code), (Some(0), Some(0)), "{}\n{}", host.err, join.err);
    let line = format!(
        "{older}: no signed result is written, because player 1 has not signed it (there were no channels to it); the file that is \
         there is an older one"
    );
    assert!(host.err.lines().any(|said| said == line), "{}", host.err);
    assert_eq!(std::fs::read(&older).unwrap(), b"older");
    let duel = snapback(&["duel", "--seconds", "2", "--plant-desync", "40", "--result", &older]);
    assert_eq!(duel.code, Some(1), "{}", duel.err);
    assert!(duel.err.contains(&format!("{older}: no signed result is written, because ")), "{}", duel.err);
}

#[test]
fn what_cannot_be_is_refused_before_anything_starts() {
    for args in [
        &["duel", "--fast", "--result", "x"][..],
        &["duel", "--insecure-lan", "--result", "x"],
        &["duel", "--no-channels", "--result", "x"],
        &["duel", "--pause", "5"],
        &["duel", "--pause", "5:0"],
        &["duel", "--pause", "100:5", "--pause", "100:7"],
        &["duel", "--seconds", "1", "--surrender", "60"],
        &["host", "--seconds", "1", "--surrender", "60"],
        &["host", "--seconds", "1", "--plant-desync", "60"],
        &["duel", "--record", "x", "--result", "./x"],
        &["host", "--postmortem", "x", "--result", "x"],
        &["duel", "--postmortem", "x", "--record", "x.player1"],
    ] {
        let run = snapback(args);
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.err);
    }
}
