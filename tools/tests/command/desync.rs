//! Two people play, one of them on a machine that computes a bit wrongly: both are told which.

use crate::support::{Host, snapback};
use std::path::PathBuf;

const FIELD: &str = "fighter[1].motion.position[0]";

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_desync_is_told_to_both_and_its_folder_names_frame_and_field() {
    let folders = ["desync_host", "desync_joiner"].map(folder);
    let [ours, theirs] = folders.each_ref().map(|folder| folder.display().to_string());
    let host = Host::start(&["--seconds", "20", "--seed", "7", "--rtt", "60", "--desync-dir", &ours, "--format", "json"]);
    let joined = snapback(&["join", &host.ticket, "--plant-desync", "77", "--desync-dir", &theirs, "--format", "json"]);
    let hosted = host.finish();
    assert_eq!((hosted.code, joined.code), (Some(1), Some(1)), "{}\n{}", hosted.err, joined.err);
    let mut values = Vec::new();
    for (run, folder) in [(&hosted, &ours), (&joined, &theirs)] {
        let report = run.json();
        assert_eq!((report["agree"].as_bool(), report["ended_early"].as_bool()), (Some(false), Some(false)));
        let desync = &report["desync"];
        assert_eq!((desync["frame"].as_i64(), desync["finding"].as_str()), (Some(77), Some("complete")), "{desync}");
        assert_eq!((desync["fields"][0]["path"].as_str(), desync["verified_frame"].as_i64()), (Some(FIELD), Some(60)), "{desync}");
        values.push([&desync["fields"][0]["ours"], &desync["fields"][0]["theirs"]].map(|value| value.as_str().unwrap().to_owned()));
        assert!(run.err.contains(&format!("  first field  {FIELD}: ")), "{}", run.err);
        assert!(run.error().starts_with("error: desync: after the same inputs the peer of player "), "{}", run.err);

        let bisected = snapback(&["golden", "bisect", folder]);
        assert_eq!(bisected.code, Some(1), "{}", bisected.err);
        assert!(bisected.out.contains("the states part first, at frame 77, after the same inputs"), "{}", bisected.out);
        assert!(
            bisected.out.contains(&format!("{FIELD}: {} | {}", values.last().unwrap()[0], values.last().unwrap()[1])),
            "{}",
            bisected.out
        );
    }
    values[1].reverse();
    assert_eq!(values[0], values[1], "both tell the same two values");
    assert_eq!(std::fs::read_to_string(folders[0].join("report.txt")).unwrap().lines().count(), 8 + 17 + 1);
}

/// Without channels nobody can be asked; the match ends all the same, and what is known is told.
#[test]
fn without_channels_a_desync_is_known_and_not_named() {
    let folder = folder("desync_alone");
    let path = folder.display().to_string();
    let host = Host::start(&["--seconds", "20", "--no-channels", "--desync-dir", &path]);
    let joined = snapback(&["join", &host.ticket, "--plant-desync", "40", "--desync-dir", &path]);
    let hosted = host.finish();
    assert_eq!((hosted.code, joined.code), (Some(1), Some(1)), "{}\n{}", hosted.err, joined.err);
    assert!(hosted.err.contains("the inquiry was not finished: waiting for the peer's hashes"), "{}", hosted.err);
    assert!(!folder.join("ours.snbk").exists() && folder.join("report.json").exists());
}
