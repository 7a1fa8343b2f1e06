//! `snapback golden`, and the matches that record themselves.

use crate::planted::{Fault, Planted};
use crate::support::{Host, Run, recording, snapback_in};
use snapback::Frame;
use snapback::golden::format::Source;
use snapback::golden::{FrameBlock, GoldenReplay, RecordSettings, record, rerecord};
use snapback::sim::{PadInput, World, WorldData};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

const FAULT: &str = "fighter[1].vitals.meter";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("golden/corpus")).unwrap();
    folder
}

fn golden(folder: &Path, args: &[&str]) -> Run {
    let run = snapback_in(folder, &[], &[&["golden"], args].concat());
    assert!(!run.err.contains("panicked"), "{}", run.err);
    run
}

fn in_ci(folder: &Path, args: &[&str]) -> Run {
    snapback_in(folder, &[("CI", "true")], &[&["golden"], args].concat())
}

/// 1,800 frames by bots, recorded by the command itself.
fn good() -> &'static GoldenReplay {
    static GOOD: OnceLock<GoldenReplay> = OnceLock::new();
    GOOD.get_or_init(|| {
        let folder = folder("golden_good");
        let run = golden(&folder, &["record", "good.snbk", "--seed", "7", "--frames", "1800", "--note", "two bots"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        read(&folder.join("good.snbk"))
    })
}

fn read(path: &Path) -> GoldenReplay {
    GoldenReplay::read(std::fs::read(path).unwrap()).unwrap()
}

fn world() -> World {
    World::new(WorldData::default())
}

/// The same inputs, played by a world whose meter is greater by 1 from frame 812 on.
fn of_another_build() -> Vec<u8> {
    rerecord(good(), |_| Ok(Planted { inner: world(), fault: Fault::Field(Frame::new(812), FAULT) }), &[]).unwrap()
}

fn flip(input: PadInput) -> PadInput {
    PadInput::new(input.buttons ^ 1)
}

/// The states of the good replay, beside inputs of which one is flipped.
fn flipped(trace: bool) -> Vec<u8> {
    let mut inputs: Vec<Vec<PadInput>> = Vec::new();
    let mut block = FrameBlock::<PadInput>::new();
    let mut number = 0;
    while good().read_block(number, &mut block).unwrap() {
        inputs.extend(block.frames().map(|(frame, _)| frame.iter().map(|input| input.input).collect()));
        number += 1;
    }
    inputs[1_200][1] = flip(inputs[1_200][1]);
    let settings = RecordSettings { trace, ..RecordSettings::generated(7, 2) };
    record(&mut Planted { inner: world(), fault: Fault::Input(Frame::new(1_200), 1, flip) }, settings, inputs).unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_default_is_the_corpus_and_all_the_same_is_zero() {
    let folder = folder("golden_same");
    std::fs::write(folder.join("golden/corpus/bots.snbk"), good().bytes()).unwrap();
    let run = golden(&folder, &["verify"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "1 replay, 1800 frames: 1 same\n", ""));
}

#[test]
fn a_divergence_leads_from_the_report_to_the_cause() {
    let folder = folder("golden_diverged");
    std::fs::write(folder.join("golden/corpus/bots.snbk"), of_another_build()).unwrap();
    let run = in_ci(&folder, &["verify"]);
    assert_eq!(run.code, Some(1));
    insta::assert_snapshot!("golden_diverged", run.out);
    assert_eq!(run.error(), "error: 1 replay, 812 frames: 1 diverged");
    // The command of the report works.
    let command = run.out.lines().find_map(|line| line.split_once("see this again:")).unwrap().1.trim();
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let again = snapback_in(&folder, &[("CI", "1")], &words);
    assert_eq!((again.code, &again.out), (Some(1), &run.out));
    // So does the other way to look at it.
    let bisect = golden(&folder, &["bisect", "golden/corpus/bots.snbk"]);
    assert_eq!(bisect.code, Some(1));
    assert!(bisect.out.contains("frame 812 is the first whose state differs"), "{}", bisect.out);
    assert!(golden(&folder, &["verify", "--state", "--pending", "p"]).out.contains("    fighter[0].vitals.health = "));

    let document = in_ci(&folder, &["verify", "--format", "json"]).json();
    let divergence = &document["cases"][0]["divergence"];
    assert_eq!((divergence["frame"].as_i64(), divergence["fields"][0]["path"].as_str()), (Some(812), Some(FAULT)));
    assert!(divergence["state_before"].as_array().unwrap().len() > 100);
    assert!(in_ci(&folder, &["verify", "--format", "junit"]).out.starts_with("<?xml"));
    assert!(
        in_ci(&folder, &["verify", "--format", "github"]).out.starts_with("::error file=golden/corpus/bots.snbk,title=Golden replay bots")
    );
}

#[test]
fn a_flipped_input_is_reported_at_its_frame() {
    for trace in [true, false] {
        let folder = folder("golden_flipped");
        std::fs::write(folder.join("good.snbk"), good().bytes()).unwrap();
        std::fs::write(folder.join("flipped.snbk"), flipped(trace)).unwrap();
        let run = in_ci(&folder, &["verify", "flipped.snbk"]);
        assert_eq!(run.code, Some(1));
        // A pad is part of the world's state, so the state differs in the very frame.
        assert!(run.out.contains("frame 1200 is the first whose state differs"), "{}", run.out);
        assert!(run.out.contains("fighter[1].pad.held.buttons: expected ") || !trace, "{}", run.out);
        let bisect = golden(&folder, &["bisect", "good.snbk", "flipped.snbk"]);
        assert_eq!(bisect.code, Some(1));
        assert!(bisect.out.starts_with("good.snbk | flipped.snbk\nthe inputs part first, at frame 1200: player 1 has "), "{}", bisect.out);
    }
}

#[test]
fn two_recordings_are_compared_in_one_command() {
    let folder = folder("golden_compare");
    std::fs::write(folder.join("a.snbk"), good().bytes()).unwrap();
    std::fs::write(folder.join("b.snbk"), of_another_build()).unwrap();
    let (diff, bisect) = (golden(&folder, &["diff", "a.snbk", "b.snbk"]), golden(&folder, &["bisect", "a.snbk", "b.snbk"]));
    assert_eq!((diff.code, bisect.code), (Some(1), Some(1)));
    insta::assert_snapshot!("golden_compare", format!("{}\n{}", diff.out, bisect.out));
    let json = golden(&folder, &["diff", "a.snbk", "b.snbk", "--format", "json"]).json();
    assert_eq!((json["same"].as_bool(), json["hashes"]["first"]["frame"].as_i64()), (Some(false), Some(812)));
    let json = golden(&folder, &["bisect", "a.snbk", "b.snbk", "--format", "json"]).json();
    assert_eq!((json["first"].as_str(), json["state_frame"].as_i64()), (Some("state"), Some(812)));
    let same = golden(&folder, &["bisect", "a.snbk", "a.snbk"]);
    assert_eq!((same.code, same.out.as_str()), (Some(0), "a.snbk | a.snbk\nnothing parts in the 1800 frames that both have\n"));
}

#[test]
fn two_matches_are_not_taken_for_two_builds() {
    let folder = folder("golden_matches");
    std::fs::write(folder.join("a.snbk"), good().bytes()).unwrap();
    let recorded = golden(&folder, &["record", "b.snbk", "--seed", "8", "--frames", "600"]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    let bisect = golden(&folder, &["bisect", "a.snbk", "b.snbk"]);
    assert!(bisect.out.contains("two matches, not two recordings of one:\n  seed: 7 | 8\n"), "{}", bisect.out);
    assert!(!bisect.out.contains("builds do not compute the same"), "{}", bisect.out);
}

#[test]
fn every_other_exit_code_and_its_line() {
    let folder = folder("golden_codes");
    let fails = |args: &[&str]| {
        let run = golden(&folder, args);
        (run.code.unwrap(), run.error().to_owned())
    };
    assert_eq!(
        fails(&["verify"]),
        (2, "error: no file in golden/corpus ends in .snbk: nothing would be checked; give a replay or a folder of them".to_owned())
    );
    assert_eq!(fails(&["verify", "x.snbk"]), (2, "error: there is no x.snbk; give a replay (.snbk) or a folder of them".to_owned()));
    assert_eq!(fails(&["verify", "--shard", "5/4"]).0, 2);
    let whole = good().bytes();
    std::fs::write(folder.join("cut.snbk"), &whole[..whole.len() / 2]).unwrap();
    assert_eq!(fails(&["verify", "cut.snbk"]), (3, "error: 1 replay, 0 frames: 1 corrupt".to_owned()));
    let (code, error) = fails(&["diff", "cut.snbk", "cut.snbk"]);
    assert_eq!(code, 3);
    assert!(error.ends_with(" can be recovered; `snapback golden repair` keeps what is whole"), "{error}");
    std::fs::create_dir_all(folder.join("folder.snbk")).unwrap();
    assert_eq!(fails(&["diff", "folder.snbk", "cut.snbk"]).0, 4);
    // A divergence outweighs a damaged file.
    std::fs::write(folder.join("golden/corpus/cut.snbk"), &whole[..100]).unwrap();
    std::fs::write(folder.join("golden/corpus/wrong.snbk"), of_another_build()).unwrap();
    assert_eq!(fails(&["verify"]), (1, "error: 2 replays, 812 frames: 1 diverged, 1 corrupt".to_owned()));
    assert_eq!(
        fails(&["verify", "--out", "no/such/folder.jsonl"]),
        (
            4,
            "error: cannot write no/such/folder.jsonl: No such file or directory (os error 2); check the path and its permissions"
                .to_owned()
        )
    );
}

#[test]
fn in_ci_nothing_is_written() {
    let folder = folder("golden_ci");
    let corpus = folder.join("golden/corpus");
    std::fs::write(corpus.join("bots.snbk"), of_another_build()).unwrap();
    for args in [&["verify"][..], &["verify", "--pending", "waiting"]] {
        assert_eq!(in_ci(&folder, args).code, Some(1));
        assert_eq!((files(&corpus), files(&folder)), (vec!["bots.snbk".to_owned()], vec!["golden".to_owned()]));
    }
}

#[test]
fn a_change_is_reviewed_accepted_and_then_the_same() {
    for pending in [&[][..], &["--pending", "waiting"]] {
        let folder = folder("golden_accept");
        let corpus = folder.join("golden/corpus");
        std::fs::create_dir_all(corpus.join("moves")).unwrap();
        for name in ["a.snbk", "moves/b.snbk"] {
            std::fs::write(corpus.join(name), of_another_build()).unwrap();
        }
        let with = |args: &[&str]| golden(&folder, &[args, pending].concat());
        assert_eq!(with(&["pending"]).out, "");
        let run = with(&["verify"]);
        let place = if pending.is_empty() { "golden/corpus/a.snbk.new" } else { "waiting/a.snbk.new" };
        assert!(folder.join(place).is_file() && run.out.contains(&format!("if it is meant:      {place} has")), "{}", run.out);
        assert_eq!(with(&["pending"]).out.lines().count(), 2);
        let review = with(&["review"]);
        assert_eq!(review.code, Some(0));
        assert!(review.out.contains("  states: differ in 988 of 1800 frames, first at frame 812: hash "), "{}", review.out);
        let wrong = with(&["accept", "c", "--reason", "because"]);
        assert_eq!((wrong.code, wrong.error()), (Some(2), "error: no pending replay is called \"c\": give one of a, moves/b"));
        assert_eq!(with(&["accept", "a"]).code, Some(2));
        assert_eq!(
            with(&["accept", "a", "--reason", "the meter is right now"]).out,
            "accepted: golden/corpus/a.snbk is new from frame 812 on\n"
        );
        assert_eq!(with(&["reject", "b"]).out, "rejected: golden/corpus/moves/b.snbk stays as it is\n");
        assert_eq!(with(&["pending"]).out, "");
        let run = with(&["verify", "golden/corpus/a.snbk"]);
        assert_eq!((run.code, run.out.as_str()), (Some(0), "1 replay, 1800 frames: 1 same\n"));
        let accepted = read(&corpus.join("a.snbk"));
        assert_eq!(accepted.acceptances()[0].reason, "the meter is right now");
        assert_eq!((accepted.digest(), accepted.meta().provenance.note.as_str()), (good().digest(), "two bots"));
    }
}

#[test]
fn a_change_without_its_replay_hides_no_other_and_one_that_is_gone_is_called_that() {
    let folder = folder("golden_orphan");
    let corpus = folder.join("golden/corpus");
    std::fs::write(corpus.join("b.snbk"), of_another_build()).unwrap();
    golden(&folder, &["verify"]);
    std::fs::write(corpus.join("a.snbk.new"), good().bytes()).unwrap();
    let review = golden(&folder, &["review"]);
    assert_eq!((review.code, review.out.contains("b: golden/corpus/b.snbk -> ")), (Some(2), true), "{}", review.err);
    assert!(review.err.contains("cannot read golden/corpus/a.snbk: "), "{}", review.err);
    let accept = || golden(&folder, &["accept", "golden/corpus/b.snbk", "--reason", "because"]);
    assert_eq!(accept().code, Some(0));
    let twice = accept();
    let error = "error: nothing is pending for golden/corpus/b.snbk: run `snapback golden verify golden/corpus/b.snbk` first";
    assert_eq!((twice.code, twice.error()), (Some(2), error));
}

#[test]
fn a_part_is_written_though_nobody_reads_the_report() {
    let folder = folder("golden_unread");
    std::fs::write(folder.join("golden/corpus/a.snbk"), good().bytes()).unwrap();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut verify = std::process::Command::new(env!("CARGO_BIN_EXE_snapback"));
    verify.args(["golden", "verify", "--shard", "1/1", "--out", "part.jsonl"]).current_dir(&folder).stdout(full);
    assert_eq!(verify.status().unwrap().code(), Some(4));
    assert_eq!(golden(&folder, &["merge", "part.jsonl"]).code, Some(0));
    // And the other way around.
    let unwritten = in_ci(&folder, &["verify", "--out", "nowhere/part.jsonl"]);
    assert_eq!((unwritten.code, unwritten.out.as_str()), (Some(4), "1 replay, 1800 frames: 1 same\n"));
}

#[test]
fn shards_merge_to_what_one_check_finds() {
    let folder = folder("golden_shards");
    let corpus = folder.join("golden/corpus");
    std::fs::write(corpus.join("a.snbk"), of_another_build()).unwrap();
    std::fs::write(corpus.join("b.snbk"), good().bytes()).unwrap();
    std::fs::write(corpus.join("c.snbk"), &good().bytes()[..500]).unwrap();
    let whole = in_ci(&folder, &["verify", "--format", "json"]);
    for count in 1..=5 {
        let mut parts = Vec::new();
        for number in 1..=count {
            let (shard, out) = (format!("{number}/{count}"), format!("part{number}of{count}.jsonl"));
            in_ci(&folder, &["verify", "--shard", &shard, "--out", &out]);
            parts.push(out);
        }
        parts.push(parts[0].clone());
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let merged = in_ci(&folder, &[&["merge", "--format", "json"], &parts[..]].concat());
        assert_eq!((merged.code, &merged.out), (whole.code, &whole.out));
    }
    let missing = golden(&folder, &["merge", "part2of3.jsonl"]);
    assert_eq!((missing.code, missing.error()), (Some(2), "error: of 3 shards these are missing: 1, 3; run them and merge again"));
    let mixed = golden(&folder, &["merge", "part1of2.jsonl", "part2of3.jsonl"]);
    assert_eq!(mixed.code, Some(2));
    std::fs::write(folder.join("bad.jsonl"), "{").unwrap();
    assert_eq!(golden(&folder, &["merge", "bad.jsonl"]).code, Some(3));
    // Kubernetes says the index from 0, and not of how many.
    let index = |variables: &[(&str, &str)], args: &[&str]| snapback_in(&folder, variables, &[&["golden", "verify"], args].concat());
    let second = index(&[("CI", "1"), ("JOB_COMPLETION_INDEX", "1")], &["--shards", "3"]);
    assert_eq!((second.code, second.out.as_str()), (Some(0), "1 replay, 1800 frames: 1 same\n"));
    let batch = index(&[("CI", "1"), ("AWS_BATCH_JOB_ARRAY_INDEX", "1"), ("AWS_BATCH_JOB_ARRAY_SIZE", "3")], &[]);
    assert_eq!(batch.code, Some(0));
    let unknown = index(&[("JOB_COMPLETION_INDEX", "1")], &[]);
    assert_eq!(
        (unknown.code, unknown.error()),
        (Some(2), "error: JOB_COMPLETION_INDEX is 1, but not of how many: add --shards N, or set JOB_COMPLETIONS")
    );
}

#[test]
fn a_recording_is_what_was_asked_for_and_overwrites_nothing() {
    let folder = folder("golden_record");
    let fg = recording("golden_record.fg");
    let args = ["record", "trio.snbk", "--roster", "warden:0 duelist:1 warden:2", "--frames", "300", "--inputs", &fg];
    assert_eq!(golden(&folder, &args).code, Some(0));
    let replay = read(&folder.join("trio.snbk"));
    assert_eq!((replay.meta().players, replay.frame_count(), replay.meta().setup.as_str()), (3, 300, "warden:0 duelist:1 warden:2"));
    assert!(replay.meta().has_trace && replay.meta().provenance.source == Source::Generated);
    let again = golden(&folder, &args);
    assert_eq!(
        (again.code, again.error()),
        (Some(2), "error: trio.snbk is there already; choose another name, or write over it with --force")
    );
    assert_eq!(golden(&folder, &[&args[..], &["--force"]].concat()).code, Some(0));
    assert_eq!(read(&folder.join("trio.snbk")).bytes(), replay.bytes());
    let wrong = golden(&folder, &["record", "x.snbk", "--roster", "nobody:0 duelist:1"]);
    assert_eq!((wrong.code, wrong.error()), (Some(2), "error: --roster: no character is called \"nobody\"; give one of duelist, warden"));
    assert_eq!(golden(&folder, &["verify", "."]).code, Some(0));
}

#[test]
fn a_recording_that_was_cut_off_is_repaired() {
    let folder = folder("golden_repair");
    let whole = good().bytes();
    let cut = &whole[..whole.len() / 2];
    let lost = cut.len() - GoldenReplay::recover(cut).unwrap().whole_bytes();
    std::fs::write(folder.join("cut.snbk"), cut).unwrap();
    let run = golden(&folder, &["repair", "cut.snbk"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(lost > 0 && run.out.contains(&format!("; {lost} bytes at the end were not")), "{}", run.out);
    let repaired = read(&folder.join("cut.snbk"));
    assert!(repaired.frame_count() > 300 && repaired.frame_count().is_multiple_of(60));
    assert_eq!(golden(&folder, &["verify", "cut.snbk"]).code, Some(0));
    assert_eq!(golden(&folder, &["repair", "cut.snbk"]).out, "cut.snbk is whole: there is nothing to repair\n");
    std::fs::write(folder.join("good.snbk"), whole).unwrap();
    let diff = golden(&folder, &["diff", "good.snbk", "cut.snbk"]);
    assert_eq!(diff.code, Some(1));
    assert!(diff.out.contains("  frames: 1800 | ") && diff.out.contains("  states: the same in all "), "{}", diff.out);
    assert_eq!(golden(&folder, &["diff", "good.snbk", "good.snbk"]).code, Some(0));
}

#[test]
fn a_match_over_a_bad_network_is_recorded_as_it_was_confirmed() {
    let folder = folder("golden_live");
    let link = ["--loss", "20", "--rtt", "120", "--seconds", "20", "--fast", "--format", "json"];
    let live = snapback_in(&folder, &[], &[&["duel", "--record", "live.snbk"], &link[..]].concat());
    assert_eq!(live.code, Some(0), "{}", live.err);
    let (replay, report) = (read(&folder.join("live.snbk")), live.json());
    let peer = &report["peers"][0];
    assert_eq!(Some(replay.frame_count()), peer["confirmed_frames"].as_u64());
    // Both sums are over the hashes of all confirmed frames, and there were rollbacks.
    assert_eq!(Some(format!("{:08x}", replay.digest()).as_str()), peer["digest"].as_str());
    assert_eq!(replay.hash(replay.last_frame()).map(|hash| hash.to_string()).as_deref(), peer["confirmed_hash"].as_str());
    let summary = replay.summary().unwrap();
    assert!(summary.rollbacks > 50 && summary.max_rollback_frames >= 5, "{summary:?}");
    assert!(report["peers"].as_array().unwrap().iter().any(|peer| peer["rollbacks"].as_u64() == Some(summary.rollbacks)));
    assert_eq!((replay.meta().has_trace, replay.meta().provenance.source), (false, Source::Live));
    assert_eq!(golden(&folder, &["verify", "live.snbk"]).code, Some(0));
    // With a trace it is the same match.
    let traced = snapback_in(&folder, &[], &[&["duel", "--record", "traced.snbk", "--record-trace"], &link[..]].concat());
    assert_eq!(traced.out, live.out);
    let traced = read(&folder.join("traced.snbk"));
    assert!(traced.meta().has_trace && traced.digest() == replay.digest());
}

#[test]
fn a_match_in_real_time_is_recorded_by_its_first_player() {
    let folder = folder("golden_real");
    let run = snapback_in(&folder, &[], &["duel", "--seconds", "2", "--record", "real.snbk", "--format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let (replay, report) = (read(&folder.join("real.snbk")), run.json());
    assert_eq!(replay.frame_count(), 120);
    assert_eq!(Some(format!("{:08x}", replay.digest()).as_str()), report["peers"][0]["digest"].as_str());
    assert_eq!(replay.summary().map(|summary| summary.rollbacks), report["peers"][0]["rollbacks"].as_u64());
    assert_eq!(golden(&folder, &["verify", "real.snbk"]).code, Some(0));
    let unwritable = snapback_in(&folder, &[], &["duel", "--fast", "--seconds", "1", "--record", "no/such/folder.snbk"]);
    assert_eq!(unwritable.code, Some(4));
    assert!(unwritable.error().starts_with("error: --record: no/such/folder.snbk cannot be written: "), "{}", unwritable.err);
}

/// Both sides of a match between machines record the same.
#[test]
fn host_and_join_record_the_same_match() {
    let folder = folder("golden_remote");
    let paths = ["host.snbk", "join.snbk"].map(|name| folder.join(name).display().to_string());
    let host = Host::start(&["--seconds", "2", "--record", &paths[0]]);
    let joined = snapback_in(&folder, &[], &["join", &host.ticket, "--record", &paths[1], "--record-trace"]);
    let hosted = host.finish();
    assert_eq!((joined.code, hosted.code), (Some(0), Some(0)), "{}{}", joined.err, hosted.err);
    assert_eq!(golden(&folder, &["verify", "."]).out, "2 replays, 240 frames: 2 same\n");
    let [host, join] = [&paths[0], &paths[1]].map(|path| read(Path::new(path)));
    assert_eq!((host.digest(), host.frame_count()), (join.digest(), 120));
}

/// Whoever is killed leaves all but the last second.
#[cfg(unix)]
#[test]
fn a_match_that_is_killed_leaves_what_can_be_repaired() {
    let folder = folder("golden_killed");
    let path = folder.join("killed.snbk");
    let mut duel = std::process::Command::new(env!("CARGO_BIN_EXE_snapback"))
        .args(["duel", "--seconds", "60", "--record"])
        .arg(&path)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let frames = || std::fs::read(&path).ok().and_then(|bytes| GoldenReplay::recover(bytes).ok()).map_or(0, |replay| replay.frame_count());
    for _ in 0..600 {
        if frames() >= 120 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    duel.kill().unwrap();
    duel.wait().unwrap();
    assert_eq!(golden(&folder, &["verify", "killed.snbk"]).code, Some(3));
    assert_eq!(golden(&folder, &["repair", "killed.snbk"]).code, Some(0));
    let run = golden(&folder, &["verify", "killed.snbk"]);
    assert_eq!(run.code, Some(0), "{}", run.out);
    assert!(read(&path).frame_count() >= 120);
}

#[test]
fn coverage_says_what_is_shown_and_what_shows_nothing() {
    let folder = folder("golden_coverage");
    std::fs::write(folder.join("golden/corpus/bots.snbk"), good().bytes()).unwrap();
    let run = golden(&folder, &["coverage"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.starts_with("1 replay, 1800 frames\n") && run.out.contains("  missing: double knock-out\n"), "{}", run.out);
    let by_goal = golden(&folder, &["coverage", "--by-goal"]);
    assert!(by_goal.out.lines().any(|line| line.trim_start().starts_with("meter ") && line.ends_with("bots")), "{}", by_goal.out);
    let json: serde_json::Value = serde_json::from_str(&golden(&folder, &["coverage", "--format", "json"]).out).unwrap();
    assert_eq!((&json["replays"], &json["frames"], &json["vacuous"]), (&1.into(), &1_800.into(), &serde_json::json!([])));

    let idle = record(&mut world(), RecordSettings::generated(7, 2), vec![vec![PadInput::default(); 2]; 600]).unwrap();
    std::fs::write(folder.join("golden/corpus/idle.snbk"), idle).unwrap();
    let run = golden(&folder, &["coverage"]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.out.contains("vacuous: idle: nobody acts"), "{}", run.out);
}

#[test]
fn a_change_that_touches_many_is_accepted_at_once_and_every_reason_can_be_read() {
    let folder = folder("golden_accept_all");
    for name in ["a", "b"] {
        std::fs::write(folder.join(format!("golden/corpus/{name}.snbk")), of_another_build()).unwrap();
    }
    assert_eq!(golden(&folder, &["accept", "--all", "golden/corpus", "--reason", "too early"]).code, Some(2));
    assert_eq!(golden(&folder, &["verify"]).code, Some(1));
    let run = golden(&folder, &["accept", "--all", "golden/corpus", "--reason", "meter is right again"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(golden(&folder, &["verify"]).code, Some(0));
    let shown = golden(&folder, &["show", "golden/corpus/b.snbk"]);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    for part in
        ["note        two bots", "seed 7, 2 players, 1800 frames from 0", "accepted    meter is right again (version ", "from frame 812 on"]
    {
        assert!(shown.out.contains(part), "no {part:?} in {}", shown.out);
    }
    assert_eq!(golden(&folder, &["show", "golden/corpus/none.snbk"]).code, Some(2));
}

#[test]
fn a_recording_that_would_prove_nothing_is_refused() {
    let folder = folder("golden_vacuous");
    let run = golden(&folder, &["record", "short.snbk", "--frames", "30"]);
    assert_eq!(run.code, Some(2), "{}", run.out);
    assert!(run.err.contains("the replay would prove nothing: "), "{}", run.err);
    assert!(!folder.join("short.snbk").exists());
}

#[test]
fn the_help_teaches() {
    let folder = folder("golden_help");
    insta::assert_snapshot!("golden_help", golden(&folder, &["--help"]).out);
    insta::assert_snapshot!("golden_help_verify", golden(&folder, &["verify", "--help"]).out);
    for command in ["record", "accept", "bisect", "merge"] {
        let help = golden(&folder, &[command, "--help"]).out;
        assert!(help.contains("Example") && help.contains("Exit codes:"), "{help}");
    }
}
