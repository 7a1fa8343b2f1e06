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
    let finding = "the inquiry was not finished: waiting for the peer's hashes (this match has no channels)";
    assert!(hosted.err.contains(finding), "{}", hosted.err);
    assert!(std::fs::read_to_string(folder.join("report.txt")).unwrap().contains(finding));
    assert!(std::fs::read_to_string(folder.join("report.json")).unwrap().contains(finding));
    assert!(folder.join("ours.snbk").exists() && !folder.join("theirs.snbk").exists());
    let bisected = snapback(&["golden", "bisect", &path]);
    let error = format!(
        "error: {path}: this desync has no recording of the other side; {path}/report.txt says why; `snapback golden bisect \
         {path}/ours.snbk` compares this side with this build"
    );
    assert_eq!((bisected.code, bisected.error()), (Some(2), error.as_str()));
    let ours = snapback(&["golden", "bisect", &format!("{path}/ours.snbk")]);
    assert!(matches!(ours.code, Some(0 | 1)), "{}", ours.err);
}

/// The files beside the match are looked at before it, and what goes wrong with them later costs no report.
#[test]
fn a_file_that_cannot_be_written_costs_no_match() {
    for option in ["--record", "--result", "--postmortem", "--desync-dir"] {
        let run = snapback(&["host", option, "/proc/no/such"]);
        assert_eq!((run.code, run.out.as_str()), (Some(4), ""), "{option}");
        assert!(run.error().starts_with(&format!("error: {option}: /proc/no/such cannot be written: ")), "{}", run.err);
    }
    let folder = folder("vanishing");
    std::fs::create_dir_all(&folder).unwrap();
    let inside = |name: &str| folder.join(name).display().to_string();
    let (result, dead) = (inside("a.snbr"), inside("dead.jsonl"));
    for (plant, code) in [(&[][..], 4), (&["--plant-desync", "77"], 1)] {
        std::fs::create_dir_all(&folder).unwrap();
        let elsewhere = std::env::temp_dir().join(format!("snapback-vanishing-{}", std::process::id())).display().to_string();
        let files = ["--result", &result, "--postmortem", &dead, "--postmortem-always", "--desync-dir", &elsewhere];
        let host = Host::start(&[&["--seconds", "3", "--seed", "7", "--format", "json"], &files[..]].concat());
        std::fs::remove_dir_all(&folder).unwrap();
        snapback(&[&["join", &host.ticket, "--desync-dir", &elsewhere], plant].concat());
        let hosted = host.finish();
        assert_eq!(hosted.code, Some(code), "{}", hosted.err);
        assert_eq!((hosted.json()["agree"].as_bool(), hosted.json()["peers"].as_array().unwrap().len()), (Some(plant.is_empty()), 1));
        assert!(hosted.error().starts_with(&format!("error: cannot write the post-mortem {dead}: ")), "{}", hosted.err);
        let wrote = if plant.is_empty() { "error: cannot write the result " } else { "no signed result is written, because " };
        assert!(hosted.err.contains(wrote), "{}", hosted.err);
        let _ = std::fs::remove_dir_all(elsewhere);
    }
}
