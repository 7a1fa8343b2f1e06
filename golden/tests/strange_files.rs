//! The check of a folder whose files are not what a folder of replays should hold, and files that are
//! written where something strange already is.

#![cfg(all(unix, feature = "corpus"))]
#![allow(clippy::unwrap_used, clippy::panic, dead_code, reason = "a test fails by panicking; its modules are shared")]
#![allow(clippy::disallowed_methods, reason = "this test is about files and what hangs")]

mod brawl;
mod planted;

use brawl::{Brawl, brawl, folder, recording};
use planted::{Fault, Planted};
use snapback_core::*;
use snapback_golden::GoldenReplay;
use snapback_golden::check::{self, *};
use snapback_golden::format::{Acceptance, ReplayMeta};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

fn right(_: &ReplayMeta) -> Result<Brawl, String> {
    Ok(brawl())
}

fn wrong_game() -> Planted<Brawl> {
    Planted { inner: brawl(), fault: Fault::Field(Frame::new(12), "fighter[1].meter") }
}

fn report_of<S: Simulation>(path: &Path, pending: PendingPlace, make: impl Fn(&ReplayMeta) -> Result<S, String> + Sync) -> Report {
    let settings = CheckSettings { pending, ..CheckSettings::default() };
    Report::of(&check(&find(path).unwrap(), &settings, make, |_| {}), "brawl verify {file}")
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// What `work` gives, if it does not hang.
fn soon<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, done) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(work()));
    done.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("it hangs"))
}

#[test]
fn a_pipe_is_not_waited_for_and_a_device_is_not_read() {
    let folder = folder("strange_pipe");
    pipe(&folder.join("pipe.snbk"));
    symlink("/dev/null", folder.join("device.snbk")).unwrap();
    std::fs::write(folder.join("replay.snbk"), recording(&mut brawl(), 1, 60, true)).unwrap();
    let (report, part) = soon(move || {
        let report = report_of(&folder, PendingPlace::Nowhere, right);
        let part = Part::new(Shard::WHOLE, &find(&folder).unwrap(), report.cases.clone());
        assert!(accept(&PendingChange::of(&folder.join("pipe.snbk")), "why").is_err());
        (report, part)
    });
    assert_eq!(report.cases.iter().map(|case| case.outcome.word()).collect::<Vec<_>>(), ["unreadable", "unreadable", "same"]);
    assert!(report.cases[0].message.contains("not a regular file"), "{}", report.cases[0].message);
    assert!(!part.lines().is_empty());
}

#[test]
fn of_a_large_file_that_is_no_replay_only_the_beginning_is_read() {
    let folder = folder("strange_large");
    let path = folder.join("large.snbk");
    // It takes no room on the disk, but would in memory.
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let report = soon(move || report_of(&folder, PendingPlace::Nowhere, right));
    assert_eq!((report.cases[0].outcome.word(), report.exit_code()), ("corrupt", 3));
    assert!(report.cases[0].message.contains("does not begin with SNBK"));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_device_or_a_pipe_is_written_to_and_not_replaced() {
    let folder = folder("strange_write");
    let path = folder.join("pipe");
    pipe(&path);
    let reader = path.clone();
    let read = std::thread::spawn(move || std::fs::read(reader).unwrap());
    let writer = path.clone();
    soon(move || write_atomically(&writer, b"bytes")).unwrap();
    assert!(std::fs::metadata(&path).unwrap().file_type().is_fifo());
    assert_eq!(soon(move || read.join().unwrap()), b"bytes");
}

#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    let folder = folder("strange_link");
    let (file, link) = (folder.join("file"), folder.join("link"));
    std::fs::write(&file, "old").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    symlink("file", &link).unwrap();
    write_atomically(&link, b"new").unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read(&file).unwrap(), b"new");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn the_longest_name_can_be_written_and_nothing_is_left_beside_it() {
    let folder = folder("strange_long");
    let path = folder.join("x".repeat(255));
    write_atomically(&path, b"bytes").unwrap();
    write_atomically(&path, b"more").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"more");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn names_break_no_line_and_move_no_cursor() {
    let folder = folder("strange_names");
    std::fs::write(folder.join("a\n::error::forged\u{1b}[2J.snbk"), "no replay").unwrap();
    let text = report_of(&folder, PendingPlace::Nowhere, right).human(false);
    assert!(!text.contains("\n::error") && !text.contains('\u{1b}'), "{text}");
    assert!(text.contains("a\\n::error::forged\\u{1b}[2J.snbk"), "{text}");
}

#[test]
fn a_name_like_an_option_is_shown_as_a_path() {
    let found = FoundReplay { name: "-x".to_owned(), path: "./-x.snbk".into() };
    let report = Report::of(&check(&[found], &CheckSettings::default(), right, |_| {}), "brawl verify {file}");
    assert_eq!(report.cases[0].reproduce, "brawl verify ./-x.snbk");
}

#[test]
fn names_that_are_no_text_stay_apart() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder("strange_bytes");
    for name in [&b"\xff.snbk"[..], b"\xfe.snbk"] {
        std::fs::write(folder.join(std::ffi::OsStr::from_bytes(name)), "no replay").unwrap();
    }
    let names: Vec<String> = find(&folder).unwrap().into_iter().map(|found| found.name).collect();
    assert_eq!(names, ["\\xFE", "\\xFF"]);
}

#[test]
fn a_replay_without_frames_proves_nothing() {
    let folder = folder("strange_empty");
    std::fs::write(folder.join("a.snbk"), recording(&mut brawl(), 1, 0, true)).unwrap();
    let report = report_of(&folder, PendingPlace::Nowhere, right);
    assert_eq!((report.cases[0].outcome.word(), report.exit_code()), ("corrupt", 3));
    assert!(report.cases[0].message.contains("no frames"), "{}", report.cases[0].message);
}

#[test]
fn the_pending_file_of_a_replay_with_another_ending_is_found() {
    let folder = folder("strange_ending");
    let place = PendingPlace::Folder(brawl::folder("strange_ending_pending"));
    let path = folder.join("match.dat");
    std::fs::write(&path, recording(&mut brawl(), 5, 60, true)).unwrap();
    report_of(&path, place.clone(), |_| Ok(wrong_game()));
    let changes = place.changes(&path).unwrap();
    assert_eq!(changes.iter().map(|change| change.name.as_str()).collect::<Vec<_>>(), ["match.dat"]);
}

#[test]
fn a_change_from_before_the_last_acceptance_is_refused() {
    let folder = folder("strange_outdated");
    let path = folder.join("a.snbk");
    let change = PendingChange::of(&path);
    std::fs::write(&path, recording(&mut brawl(), 5, 60, true)).unwrap();
    std::fs::write(&change.pending, recording(&mut wrong_game(), 5, 60, true)).unwrap();
    // Meanwhile somebody else's acceptance came with a pull.
    let acceptance = Acceptance { reason: "theirs".to_owned(), simulation_version: 3, config_hash: 0, first_frame: 3, replaced_digest: 1 };
    let theirs = GoldenReplay::read(std::fs::read(&path).unwrap()).unwrap().accepted(&acceptance).unwrap();
    std::fs::write(&path, &theirs).unwrap();
    let error = check::accept(&change, "mine").unwrap_err().to_string();
    assert!(error.contains("reject it and verify again"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), theirs);
}

#[test]
fn one_acceptance_too_many_is_refused_and_not_written() {
    let acceptance = Acceptance { reason: "r".to_owned(), simulation_version: 3, config_hash: 0, first_frame: 3, replaced_digest: 1 };
    let mut replay = GoldenReplay::read(recording(&mut brawl(), 5, 60, true)).unwrap();
    for _ in 0..1_024 {
        replay = GoldenReplay::read(replay.accepted(&acceptance).unwrap()).unwrap();
    }
    assert!(replay.accepted(&acceptance).is_err());
}

#[test]
fn numbers_in_a_part_do_not_overflow() {
    let folder = folder("strange_part");
    std::fs::write(folder.join("a.snbk"), recording(&mut brawl(), 1, 60, true)).unwrap();
    std::fs::write(folder.join("b.snbk"), recording(&mut brawl(), 1, 60, true)).unwrap();
    let part = Part::new(Shard::WHOLE, &find(&folder).unwrap(), report_of(&folder, PendingPlace::Nowhere, right).cases);
    let edited = part.lines().replace("\"frames\":60", "\"frames\":18446744073709551615");
    let report = merge(&[("part".to_owned(), Part::read("part", &edited).unwrap())]).unwrap();
    assert!(report.line().contains("18446744073709551615 frames") && report.json().contains("18446744073709551615"));
}
