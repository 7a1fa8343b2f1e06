//! `snapback host` and `snapback join`, as two people would use them.

use crate::support::{Host, frame_data, recording, snapback};

#[test]
fn host_and_joiner_play_and_agree() {
    let inputs = recording("host_and_joiner.fg");
    let link = ["--rtt", "60", "--jitter", "5", "--loss", "2", "--format", "json"];
    let host = Host::start(&[&["--seconds", "2", "--seed", "7", "--inputs", &inputs, "--port", "5"], &link[..]].concat());
    let joined = snapback(&[&["join", &host.ticket, "--seed", "9"][..], &link[..]].concat());
    let hosted = host.finish();
    assert_eq!((hosted.code, joined.code), (Some(0), Some(0)), "{}\n{}", hosted.err, joined.err);
    // The ticket has gone to stderr.
    let (hosted, joined) = (hosted.json(), joined.json());
    assert_eq!((hosted["agree"].as_bool(), joined["agree"].as_bool()), (Some(true), Some(true)));
    assert_eq!((hosted["seed"].as_u64(), joined["seed"].as_u64()), (Some(7), Some(7)));
    for field in ["player", "confirmed_hash", "digest"] {
        assert_eq!(hosted["peers"][0][field] == joined["peers"][0][field], field != "player", "{field}");
    }
    assert_eq!(hosted["peers"][0]["confirmed_frames"], 120);
}

#[test]
fn three_players_meet() {
    let host = Host::start(&["--seconds", "1", "--players", "3"]);
    let tickets = host.tickets.clone();
    let [one, other] = std::thread::scope(|scope| {
        [0, 1]
            .map(|n: usize| {
                scope.spawn({
                    let ticket = &tickets[n];
                    move || snapback(&["join", ticket])
                })
            })
            .map(|handle| handle.join().unwrap())
    });
    let host = host.finish();
    for run in [&host, &one, &other] {
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(run.out.ends_with("AGREED: every frame is confirmed and all peers agree\n"), "{}", run.out);
    }
}

#[test]
fn a_peer_with_other_frame_data_is_refused_and_the_host_waits_on() {
    let other = frame_data("other_frame_data", 1, |text| text.replacen("health = 1000", "health = 999", 1));
    let host = Host::start(&["--seconds", "1"]);
    let refused = snapback(&["join", &host.ticket, "--frame-data", &other]);
    assert_eq!(refused.code, Some(4));
    assert!(
        refused.error().starts_with("error: the host plays something else: the game's data (its hash) differs: the joining peer has "),
        "{}",
        refused.err
    );
    assert!(refused.error().ends_with("; use the same version and data on both sides"), "{}", refused.err);
    let joined = snapback(&["join", &host.ticket]);
    let host = host.finish();
    assert_eq!((joined.code, host.code), (Some(0), Some(0)), "{}\n{}", joined.err, host.err);
}

/// The opposite of encryption must be asked for on both sides.
#[test]
fn a_match_without_encryption_is_played_only_by_who_asks_for_it() {
    let host = Host::start(&["--seconds", "1", "--insecure-lan", "--format", "json"]);
    let refused = snapback(&["join", &host.ticket]);
    assert_eq!(
        (refused.code, refused.error()),
        (
            Some(2),
            "error: this ticket is for a match without encryption: add --insecure-lan if the network is your own, or ask for an encrypted match"
        )
    );
    let joined = snapback(&["join", &host.ticket, "--insecure-lan", "--format", "json"]);
    let hosted = host.finish();
    assert_eq!((hosted.code, joined.code), (Some(0), Some(0)), "{}\n{}", hosted.err, joined.err);
    assert_eq!((hosted.json()["encrypted"].as_bool(), joined.json()["encrypted"].as_bool()), (Some(false), Some(false)));
    assert!(joined.err.contains("The link is not encrypted"), "{}", joined.err);
}

/// The same file is the same player; a file that is none is not overwritten.
#[test]
fn an_identity_is_made_once_and_kept() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("identity");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("me.key").display().to_string();
    for _ in 0..2 {
        let host = Host::start(&["--seconds", "1", "--identity", &path]);
        let joined = snapback(&["join", &host.ticket]);
        assert_eq!((host.finish().code, joined.code), (Some(0), Some(0)), "{}", joined.err);
    }
    let key = std::fs::read_to_string(&path).unwrap();
    assert_eq!(key.trim().len(), 64);
    std::fs::write(&path, "not a key").unwrap();
    let run = snapback(&["host", "--identity", &path]);
    assert_eq!(run.code, Some(2));
    assert!(run.error().contains("is no identity: it should have 64 hexadecimal digits"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "not a key");
}

#[test]
fn who_comes_too_late_is_told_what_to_do() {
    let host = Host::start(&["--seconds", "4"]);
    let ticket = host.ticket.clone();
    let joined = std::thread::spawn(move || snapback(&["join", &ticket]));
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    let late = snapback(&["join", &host.ticket]);
    assert_eq!(late.code, Some(4));
    assert_eq!(late.error(), "error: the match has already started; ask the host for another match and join before it starts");
    assert_eq!((host.finish().code, joined.join().unwrap().code), (Some(0), Some(0)));
}
