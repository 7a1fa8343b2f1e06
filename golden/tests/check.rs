//! The check of a folder: another game than ours, and faults planted in it.

#![cfg(feature = "corpus")]
#![allow(clippy::unwrap_used, clippy::panic, dead_code, reason = "a test fails by panicking; its modules are shared")]

mod brawl;
mod planted;

use brawl::{Brawl, brawl, contents, folder, recording};
use planted::{Fault, Planted};
use snapback_core::*;
use snapback_golden::check::{self, *};
use snapback_golden::format::ReplayMeta;
use snapback_golden::{GoldenReplay, RecordSettings, Recorder, rerecord};
use std::path::Path;

const COMMAND: &str = "brawl verify {file}";

fn right(_: &ReplayMeta) -> Result<Brawl, String> {
    Ok(brawl())
}

/// The fault of the specification: the meter is greater by 1, from one frame on.
fn wrong(_: &ReplayMeta) -> Result<Planted<Brawl>, String> {
    Ok(Planted { inner: brawl(), fault: Fault::Field(Frame::new(812), "fighter[1].meter") })
}

fn settings(pending: PendingPlace) -> CheckSettings {
    CheckSettings { pending, ..CheckSettings::default() }
}

fn report<S: Simulation>(path: &Path, pending: PendingPlace, make: impl Fn(&ReplayMeta) -> Result<S, String> + Sync) -> Report {
    let mut report = Report::of(&check(&find(path).unwrap(), &settings(pending), make, |_| {}), COMMAND);
    // The same on every machine.
    let shorter = |text: &mut String| *text = text.replace(&format!("{}/", path.display()), "").replace(&path.display().to_string(), "");
    for case in &mut report.cases {
        shorter(&mut case.file);
        shorter(&mut case.reproduce);
        case.pending.iter_mut().for_each(|pending| shorter(&mut pending.file));
    }
    report
}

/// Three replays of one game; the last one is too short for the fault to come.
fn corpus(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    std::fs::create_dir_all(folder.join("throws")).unwrap();
    std::fs::write(folder.join("walk.snbk"), recording(&mut brawl(), 5, 900, true)).unwrap();
    std::fs::write(folder.join("throws/long.snbk"), recording(&mut brawl(), 6, 1_000, true)).unwrap();
    std::fs::write(folder.join("throws/short.snbk"), recording(&mut brawl(), 7, 200, true)).unwrap();
    std::fs::write(folder.join("README.txt"), "no replay").unwrap();
    folder
}

#[test]
fn replays_are_found_by_name_and_none_is_an_error() {
    let folder = corpus("find");
    let names: Vec<String> = find(&folder).unwrap().into_iter().map(|found| found.name).collect();
    assert_eq!(names, ["throws/long", "throws/short", "walk"]);
    assert_eq!(find(&folder.join("walk.snbk")).unwrap()[0].name, "walk");
    let empty = brawl::folder("find_nothing");
    assert!(matches!(find(&empty), Err(FindError::Nothing { .. })));
    assert!(matches!(find(&empty.join("nowhere")), Err(FindError::Missing { .. })));
}

#[test]
fn the_right_game_gives_the_same_and_progress_counts_up() {
    let folder = corpus("same");
    let mut seen = Vec::new();
    let checked = check(&find(&folder).unwrap(), &settings(PendingPlace::Beside), right, |done| seen.push(done));
    assert_eq!(seen, [1, 2, 3]);
    assert!(checked.iter().all(|checked| matches!(checked.outcome, Outcome::Same)));
    let report = Report::of(&checked, COMMAND);
    insta::assert_snapshot!(report.human(false), @"3 replays, 2100 frames: 3 same");
    assert_eq!(report.exit_code(), 0);
    assert_eq!(contents(&folder).len(), 4);
}

#[test]
fn a_planted_fault_is_reported_with_frame_field_and_both_values() {
    let folder = corpus("fault");
    let report = report(&folder, PendingPlace::Nowhere, wrong);
    assert_eq!(report.exit_code(), 1);
    insta::assert_snapshot!("human", report.human(false));
    insta::assert_snapshot!("json", report.json());
    insta::assert_snapshot!("github", report.github());
    insta::assert_snapshot!("junit", report.junit());
    assert!(report.human(true).contains("    clock = 812 (0x0000032c)\n"));
    // Nobody asked for pending files.
    assert_eq!(contents(&folder).len(), 4);
}

#[test]
fn of_many_divergences_only_the_first_are_shown_at_length() {
    let folder = folder("many");
    for name in ["a", "b", "c", "d", "e"] {
        std::fs::write(folder.join(format!("{name}.snbk")), recording(&mut brawl(), 1, 900, true)).unwrap();
    }
    let text = report(&folder, PendingPlace::Nowhere, wrong).human(false);
    assert_eq!(text.matches("inputs, by player").count(), 3);
    assert!(text.contains("\nDIVERGED e.snbk: frame 812 is the first that differs: fighter[1].meter: expected "), "{text}");
}

#[test]
fn the_order_and_the_number_of_jobs_change_nothing() {
    let folder = corpus("jobs");
    let replays = find(&folder).unwrap();
    let of = |jobs| {
        let settings = CheckSettings { jobs: std::num::NonZeroUsize::new(jobs), ..CheckSettings::default() };
        Report::of(&check(&replays, &settings, wrong, |_| {}), COMMAND).json()
    };
    assert_eq!(of(1), of(7));
}

#[test]
fn junit_is_xml_whatever_a_file_is_called() {
    let folder = folder("junit");
    std::fs::write(folder.join("a<b>&\"c\" \u{1}.snbk"), "no replay").unwrap();
    std::fs::write(folder.join("same.snbk"), recording(&mut brawl(), 1, 60, true)).unwrap();
    std::fs::write(folder.join("wrong.snbk"), recording(&mut brawl(), 1, 900, true)).unwrap();
    let junit = report(&folder, PendingPlace::Nowhere, wrong).junit();
    let document = roxmltree::Document::parse(&junit).unwrap();
    let suites = document.root_element();
    assert_eq!(["tests", "failures", "errors"].map(|name| suites.attribute(name)), [Some("3"), Some("1"), Some("1")]);
    let cases: Vec<_> = document.descendants().filter(|node| node.has_tag_name("testcase")).collect();
    assert_eq!(cases.iter().map(|case| case.attribute("name").unwrap()).collect::<Vec<_>>(), ["a<b>&\"c\" \u{FFFD}", "same", "wrong"]);
    let failure = cases[2].children().find(|node| node.has_tag_name("failure")).unwrap();
    assert!(failure.attribute("message").unwrap().starts_with("frame 812 is the first that differs: fighter[1].meter: expected "));
}

#[test]
fn github_commands_are_escaped() {
    let folder = folder("github");
    std::fs::write(folder.join("a,b: 100%.snbk"), "no replay").unwrap();
    let text = report(&folder, PendingPlace::Nowhere, right).github();
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with("::error file=a%2Cb%3A 100%25.snbk,title=Golden replay a%2Cb%3A 100%25 corrupt::this is no replay"),
        "{first}"
    );
    assert_eq!(text.lines().count(), 2);
}

/// A game that counts how often it was made.
struct Moody(Brawl, bool);

impl Simulation for Moody {
    type Input = u8;
    fn id(&self) -> SimulationId {
        self.0.id()
    }
    fn layout(&self) -> StateLayout {
        self.0.layout()
    }
    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        self.0.reset(seed, players)
    }
    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, u8>, effects: &mut Effects) {
        self.0.step(frame, inputs, effects);
        if self.1 && frame == Frame::new(30) {
            self.0.0.fighter[0].guard += 1;
        }
        assert!(inputs.input(PlayerHandle::new(0)) < 200, "nobody presses that");
    }
    fn capture(&self, out: &mut [u8]) {
        self.0.capture(out);
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.0.restore(snapshot)
    }
}

#[test]
fn everything_else_that_can_go_wrong_has_its_own_outcome_and_code() {
    let of = |bytes: &[u8], make: &(dyn Fn(&ReplayMeta) -> Result<Moody, String> + Sync)| {
        let folder = folder("outcomes");
        std::fs::write(folder.join("a.snbk"), bytes).unwrap();
        let report = report(&folder, PendingPlace::Beside, make);
        assert_eq!(contents(&folder).len(), 1);
        (report.worst().word(), report.exit_code(), report.cases[0].message.clone())
    };
    let whole = recording(&mut brawl(), 1, 300, true);
    let made = std::sync::atomic::AtomicUsize::new(0);
    let moody = |_: &ReplayMeta| Ok(Moody(brawl(), made.fetch_add(1, std::sync::atomic::Ordering::Relaxed).is_multiple_of(2)));
    let calm = |_: &ReplayMeta| Ok(Moody(brawl(), false));
    let (word, code, message) = of(&whole, &moody);
    assert_eq!((word, code), ("unstable", 1));
    assert!(message.starts_with("frame 30 gave hash ") && !message.contains("flaky"), "{message}");
    let long = recording(&mut brawl(), 1, 1_500, true);
    assert_eq!(of(&long, &calm), ("panicked", 1, "the simulation panicked: nobody presses that".to_owned()));
    let (word, code, message) = of(&whole[..whole.len() - 1], &calm);
    assert_eq!((word, code), ("corrupt", 3));
    assert!(message.contains("300 frames are whole"), "{message}");
    let mut damaged = whole.clone();
    damaged[100] ^= 1;
    assert_eq!(of(&damaged, &calm).1, 3);
    let refuse = |_: &ReplayMeta| Err("the level is gone".to_owned());
    assert_eq!(of(&whole, &refuse), ("unsupported", 3, "the match of the replay cannot be set up: the level is gone".to_owned()));
    // A folder that is called like a replay is no file.
    let found = FoundReplay { name: "a".to_owned(), path: folder("unreadable") };
    let report = Report::of(&check(&[found], &CheckSettings::default(), right, |_| {}), COMMAND);
    assert_eq!((report.worst().word(), report.exit_code()), ("unreadable", 4));
}

#[test]
fn of_several_kinds_a_divergence_decides_then_a_file_that_is_none() {
    use CaseOutcome as O;
    let order = [O::Same, O::Unreadable, O::Unsupported, O::Corrupt, O::Panicked, O::Unstable, O::Diverged];
    assert!(order.is_sorted());
    assert_eq!(order.map(CaseOutcome::exit_code), [0, 4, 3, 3, 1, 1, 1]);
}

#[test]
fn a_change_is_left_accepted_and_then_the_same() {
    for (name, is_beside) in [("accept_beside", true), ("accept_folder", false)] {
        let folder = corpus(name);
        let mirror = brawl::folder(&format!("{name}_pending"));
        let place = if is_beside { PendingPlace::Beside } else { PendingPlace::Folder(mirror.clone()) };
        let before = contents(&folder);
        let first = report(&folder, place.clone(), wrong);
        assert_eq!(first.cases[0].pending.as_ref().unwrap().state, "written");
        let alone = place.changes(&folder.join("walk.snbk")).unwrap();
        assert_eq!(alone.iter().map(|change| change.name.as_str()).collect::<Vec<_>>(), ["walk"]);
        let changes = place.changes(&folder).unwrap();
        assert_eq!(changes.iter().map(|change| change.name.as_str()).collect::<Vec<_>>(), ["throws/long", "walk"]);
        let path = if is_beside { folder.join("throws/long.snbk.new") } else { mirror.join("throws/long.snbk.new") };
        assert_eq!(changes[0].pending, path);

        // A person looks at it and rejects one, accepts the other.
        check::reject(&changes[1]).unwrap();
        let accepted = check::accept(&changes[0], "the meter is greater").unwrap();
        assert!(!accepted.dropped_signature);
        let new = GoldenReplay::read(std::fs::read(folder.join("throws/long.snbk")).unwrap()).unwrap();
        let old = GoldenReplay::read(before.iter().find(|(path, _)| path.ends_with("throws/long.snbk")).unwrap().1.clone()).unwrap();
        let [acceptance] = new.acceptances() else { panic!("{:?}", new.acceptances()) };
        assert_eq!((acceptance.reason.as_str(), acceptance.first_frame), ("the meter is greater", 812));
        assert_eq!((acceptance.simulation_version, acceptance.replaced_digest), (3, old.digest()));
        assert!(new.meta().has_trace && place.changes(&folder).unwrap().is_empty());

        // From now on the other build is the right one. Of two acceptances both are kept.
        assert_eq!(report(&folder, PendingPlace::Nowhere, wrong).cases[0].outcome, CaseOutcome::Same);
        report(&folder, place.clone(), right);
        check::accept(&place.changes(&folder).unwrap()[0], "and back").unwrap();
        let back = GoldenReplay::read(std::fs::read(folder.join("throws/long.snbk")).unwrap()).unwrap();
        assert_eq!((back.acceptances().len(), back.digest()), (2, old.digest()));
        assert_eq!(report(&folder, PendingPlace::Nowhere, right).exit_code(), 0);
    }
}

#[test]
fn a_pending_file_of_a_replay_that_is_the_same_again_is_reported() {
    let folder = corpus("stale");
    report(&folder, PendingPlace::Beside, wrong);
    let again = report(&folder, PendingPlace::Beside, right);
    assert_eq!(again.exit_code(), 0);
    assert_eq!(again.cases.iter().filter(|case| case.pending.as_ref().is_some_and(|pending| pending.state == "stale")).count(), 2);
    assert!(again.human(false).contains("note: walk.snbk.new is left over"));
}

#[test]
fn only_a_whole_recording_of_the_same_inputs_is_accepted() {
    let folder = corpus("refused");
    let change = PendingChange::of(&folder.join("walk.snbk"));
    let refused = |bytes: &[u8], says: &str| {
        std::fs::write(&change.pending, bytes).unwrap();
        let before = contents(&folder);
        let error = check::accept(&change, "because").unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
        assert_eq!(contents(&folder), before);
    };
    let whole = recording(&mut brawl(), 5, 900, true);
    refused(&whole, "there is nothing to accept");
    refused(&whole[..whole.len() - 5], "without its end");
    refused(&recording(&mut brawl(), 6, 900, true), "the seed was 5 and is 6");
    refused(&recording(&mut brawl(), 5, 899, true), "it has 899 frames and the replay 900");
    let settings = RecordSettings::generated(5, 2);
    let others = (0..900).map(|frame| brawl::pressed(frame + u32::from(frame > 700)));
    refused(&snapback_golden::record(&mut brawl(), settings, others).unwrap(), "the inputs of player 1 at frame 704 are not the same");
    std::fs::write(&change.pending, recording(&mut wrong_game(), 5, 900, true)).unwrap();
    assert!(check::accept(&change, "  ").unwrap_err().to_string().contains("the reason is empty"));
}

fn wrong_game() -> Planted<Brawl> {
    Planted { inner: brawl(), fault: Fault::Field(Frame::new(812), "fighter[1].meter") }
}

#[test]
fn a_name_must_mean_one_change() {
    let change = |name: &str| PendingChange { name: name.to_owned(), ..PendingChange::of(Path::new(&format!("c/{name}.snbk"))) };
    let all = || ["a/jab", "b/jab", "b/kick", "kick"].map(change).to_vec();
    let chosen = |name: &str| PendingChange::choose(all(), name).map(|change| change.name).map_err(|error| error.to_string());
    assert_eq!(chosen("a/jab"), Ok("a/jab".to_owned()));
    assert_eq!(chosen("kick"), Ok("kick".to_owned()));
    assert_eq!(chosen("b/kick.snbk"), Ok("b/kick".to_owned()));
    assert_eq!(chosen("c/b/jab.snbk.new"), Ok("b/jab".to_owned()));
    assert_eq!(chosen("jab"), Err("\"jab\" means several pending replays: give one of a/jab, b/jab".to_owned()));
    assert_eq!(chosen("x"), Err("no pending replay is called \"x\": give one of a/jab, b/jab, b/kick, kick".to_owned()));
}

#[test]
fn shards_together_are_the_whole_and_a_part_may_come_twice() {
    let folder = corpus("shards");
    std::fs::write(folder.join("broken.snbk"), "no replay").unwrap();
    let all = find(&folder).unwrap();
    let whole = Report::of(&check(&all, &CheckSettings::default(), wrong, |_| {}), COMMAND);
    let part = |number, count| {
        let shard = Shard::new(number, count).unwrap();
        let cases = Report::of(&check(&shard.of(&all), &CheckSettings::default(), wrong, |_| {}), COMMAND).cases;
        let name = format!("{number}.jsonl");
        (name.clone(), Part::read(&name, &Part::new(shard, &all, cases).lines()).unwrap())
    };
    for count in [1, 2, 3, 4, 7] {
        let mut parts: Vec<_> = (1..=count).rev().map(|number| part(number, count)).collect();
        parts.push(part(1, count));
        let merged = merge(&parts).unwrap();
        assert_eq!(merged, whole);
        assert_eq!((merged.exit_code(), merged.json()), (1, whole.json()));
    }
    assert_eq!(merge(&[]), Err(MergeError::Nothing));
    assert_eq!(merge(&[part(2, 4), part(4, 4)]), Err(MergeError::Missing { shards: vec![1, 3], count: 4 }));
    assert!(merge(&[part(1, 2), part(2, 3)]).unwrap_err().to_string().contains("it is one of 3 shards, not of 2"));
    // The same shard, of another build.
    let of_right = Report::of(&check(&Shard::new(2, 2).unwrap().of(&all), &CheckSettings::default(), right, |_| {}), COMMAND).cases;
    let other = ("other".to_owned(), Part::new(Shard::new(2, 2).unwrap(), &all, of_right));
    assert!(merge(&[part(1, 2), part(2, 2), other]).unwrap_err().to_string().contains("shard 2 is there with another result"));
    // A corpus that has changed in between.
    let before = part(1, 2);
    std::fs::write(folder.join("walk.snbk"), recording(&mut brawl(), 9, 900, true)).unwrap();
    assert!(merge(&[before, part(2, 2)]).unwrap_err().to_string().contains("its corpus has 4 replays with the digest "));
}

#[test]
fn a_part_that_is_cut_off_is_noticed() {
    let folder = corpus("cut_part");
    let all = find(&folder).unwrap();
    let cases = Report::of(&check(&all, &CheckSettings::default(), right, |_| {}), COMMAND).cases;
    let text = Part::new(Shard::WHOLE, &all, cases).lines();
    for len in 0..text.len() - 1 {
        assert!(Part::read("p", &text[..len]).is_err(), "{len}");
    }
}

#[test]
fn the_environment_says_which_shard_it_is() {
    let of = |set: &[(&str, &str)], count| {
        let variable = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Shard::from_environment(variable, count).map(|shard| shard.map(|shard| shard.to_string()))
    };
    assert_eq!(of(&[], None), Ok(None));
    assert_eq!(of(&[("JOB_COMPLETION_INDEX", "0")], Some(4)), Ok(Some("1/4".to_owned())));
    assert_eq!(of(&[("JOB_COMPLETION_INDEX", "3"), ("JOB_COMPLETIONS", "4")], None), Ok(Some("4/4".to_owned())));
    assert_eq!(of(&[("AWS_BATCH_JOB_ARRAY_INDEX", "1"), ("AWS_BATCH_JOB_ARRAY_SIZE", "9")], None), Ok(Some("2/9".to_owned())));
    assert!(of(&[("JOB_COMPLETION_INDEX", "2")], None).unwrap_err().contains("add --shards N"));
    assert!(of(&[("JOB_COMPLETION_INDEX", "4")], Some(4)).is_err());
    assert!(of(&[("JOB_COMPLETION_INDEX", "4294967295")], Some(4)).is_err());
    assert!(of(&[("AWS_BATCH_JOB_ARRAY_INDEX", "x")], Some(4)).is_err());
    for text in ["", "1", "0/4", "5/4", "1/0", "a/b", "1/2/3", "-1/2"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
}

#[test]
fn an_environment_without_the_word_is_no_ci() {
    assert_eq!([None, Some(""), Some("0"), Some("false"), Some(" ")].map(is_ci), [false; 5]);
    assert_eq!([Some("true"), Some("1"), Some("yes")].map(is_ci), [true; 3]);
}

/// A file whose recorded input of frame 1,200 is another one than was played.
fn flipped(trace: bool) -> GoldenReplay {
    // The game unflips it, so the states are those of the input before the flip.
    let mut game = Planted { inner: brawl(), fault: Fault::Input(Frame::new(1_200), 1, |input| input ^ 1) };
    let settings = RecordSettings { trace, ..RecordSettings::generated(5, 2) };
    let inputs = (0..2_000).map(|frame| {
        let mut pressed = brawl::pressed(frame);
        pressed[1] ^= u8::from(frame == 1_200);
        pressed
    });
    GoldenReplay::read(snapback_golden::record(&mut game, settings, inputs).unwrap()).unwrap()
}

#[test]
fn a_flipped_input_is_found_at_its_frame() {
    for trace in [true, false] {
        let folder = folder("flipped");
        let (good, bad) = (GoldenReplay::read(recording(&mut brawl(), 5, 2_000, trace)).unwrap(), flipped(trace));
        std::fs::write(folder.join("flipped.snbk"), bad.bytes()).unwrap();
        let case = &report(&folder, PendingPlace::Nowhere, right).cases[0];
        let divergence = case.divergence.as_ref().unwrap();
        assert_eq!((case.outcome, divergence.frame), (CaseOutcome::Diverged, 1_200));
        assert_eq!(divergence.fields[0].path, "fighter[1].meter");
        // Beside the file that it was, the inputs part and the states do not.
        let parting = bisect(&good, &bad, right).unwrap();
        assert_eq!((parting.first, parting.inputs.unwrap().frame, parting.state_frame), (PartedBy::Inputs, 1_200, None));
        let diff = diff(&good, &bad).unwrap();
        assert_eq!((diff.inputs.frames, diff.hashes.frames, diff.same), (1, 0, false));
    }
}

#[test]
fn a_fault_between_two_recordings_is_the_state_and_not_the_inputs() {
    for trace in [true, false] {
        let replay = |bytes| GoldenReplay::read(bytes).unwrap();
        let (a, b) = (replay(recording(&mut brawl(), 5, 900, trace)), replay(recording(&mut wrong_game(), 5, 900, trace)));
        let diff = diff(&a, &b).unwrap();
        assert_eq!((diff.inputs.frames, diff.hashes.first.unwrap().frame, diff.hashes.frames), (0, 812, 88));
        let parting = bisect(&a, &b, right).unwrap();
        assert_eq!((parting.first, parting.state_frame), (PartedBy::State, Some(812)));
        if trace {
            assert_eq!(parting.fields[0].path, "fighter[1].meter");
            assert_eq!(parting.evidence, "from the recorded states");
        } else {
            // This build plays only one of the two, so one state is missing.
            assert!(parting.fields.is_empty() && parting.evidence.contains("comes to another state at frame 812"), "{}", parting.evidence);
        }
        assert_eq!(bisect(&a, &a, right).unwrap().first, PartedBy::Nothing);
    }
}

#[test]
fn fields_without_a_trace_are_named_by_playing_both_again() {
    let other = |frame| brawl::pressed(frame + u32::from(frame > 700));
    let settings = || RecordSettings { trace: false, ..RecordSettings::generated(5, 2) };
    let b = GoldenReplay::read(snapback_golden::record(&mut brawl(), settings(), (0..900).map(other)).unwrap()).unwrap();
    let a = GoldenReplay::read(recording(&mut brawl(), 5, 900, false)).unwrap();
    let parting = bisect(&a, &b, right).unwrap();
    assert_eq!((parting.first, parting.inputs.unwrap().frame, parting.state_frame), (PartedBy::Inputs, 704, Some(704)));
    assert_eq!(parting.evidence, "from playing the inputs again with this build");
    assert_eq!(parting.fields[0].path, "fighter[1].meter");
    // And if that cannot be done, what is missing is said.
    let missing = bisect(&a, &b, |_| Err::<Brawl, _>("there is no level".to_owned())).unwrap();
    assert!(missing.fields.is_empty() && missing.evidence.contains("this build cannot play it"), "{}", missing.evidence);
}

#[test]
fn a_start_that_differs_is_the_frame_before_the_first() {
    let of = |seed| GoldenReplay::read(recording(&mut brawl(), seed, 60, true)).unwrap();
    let parting = bisect(&of(1), &of(2), right).unwrap();
    assert_eq!((parting.first, parting.state_frame), (PartedBy::State, Some(-1)));
    assert_eq!(parting.fields[0].path, "fighter[0].meter");
    let diff = diff(&of(1), &of(2)).unwrap();
    assert_eq!((diff.meta[0].what, diff.meta[0].a.as_str(), diff.meta[0].b.as_str()), ("seed", "1", "2"));
}

#[test]
fn a_pending_file_that_cannot_be_written_is_said_and_the_divergence_stays() {
    let folder = corpus("pending_failed");
    let report = report(&folder, PendingPlace::Folder(folder.join("README.txt/below")), wrong);
    let pending = report.cases[0].pending.as_ref().unwrap();
    assert_eq!((pending.state.as_str(), report.exit_code()), ("failed", 1));
    assert!(report.human(false).contains("README.txt/below/throws/long.snbk.new could not be written: "));
}

#[test]
fn a_recording_of_another_machine_is_called_that() {
    let folder = folder("elsewhere");
    let mut settings = RecordSettings::generated(5, 2);
    settings.provenance.platform = "s390x linux".to_owned();
    let file = snapback_golden::record(&mut brawl(), settings, (0..900).map(brawl::pressed)).unwrap();
    std::fs::write(folder.join("a.snbk"), file).unwrap();
    let report = report(&folder, PendingPlace::Nowhere, wrong);
    assert!(report.cases[0].recorded_by.as_ref().unwrap().ends_with(" on s390x linux"));
    assert!(report.human(false).contains("\n  recorded by snapback ") && report.junit().contains("\n  recorded by snapback "));
}

#[test]
fn a_panic_after_the_divergence_hides_nothing() {
    let folder = folder("panic_later");
    std::fs::write(folder.join("a.snbk"), recording(&mut brawl(), 1, 1_500, true)).unwrap();
    let report = report(&folder, PendingPlace::Beside, |_| Ok(Moody(brawl(), true)));
    let case = &report.cases[0];
    assert_eq!((case.outcome, case.divergence.as_ref().unwrap().frame), (CaseOutcome::Diverged, 30));
    assert_eq!(case.pending.as_ref().unwrap().reason, "after the divergence the simulation panicked: nobody presses that");
    assert_eq!(contents(&folder).len(), 1);
}

#[test]
fn a_recording_that_was_cut_off_gets_its_end() {
    let whole = recording(&mut brawl(), 1, 300, true);
    let mut cut = 0;
    for len in 0..whole.len() {
        let Ok(replay) = GoldenReplay::recover(&whole[..len]) else { continue };
        let completed = GoldenReplay::read(replay.completed().unwrap()).unwrap();
        assert_eq!(completed.frame_count(), replay.frame_count());
        assert!(snapback_golden::verify(&completed, right).unwrap().is_same());
        cut += 1;
    }
    assert!(cut > 100);
    let replay = GoldenReplay::read(whole.clone()).unwrap();
    assert_eq!(replay.completed().unwrap(), whole);
}

#[test]
fn a_new_recording_keeps_what_is_not_of_the_build() {
    let mut settings = RecordSettings::live(5, 2);
    (settings.setup, settings.provenance.note) = ("level 3".to_owned(), "from the finals".to_owned());
    settings.provenance.build = "another build".to_owned();
    let mut game = brawl();
    game.reset(5, 2).unwrap();
    let mut recorder = Recorder::new(Vec::new(), &game, settings).unwrap();
    recorder.note_rollbacks(17, 6);
    let old = GoldenReplay::read(recorder.finish().unwrap()).unwrap();
    let new = GoldenReplay::read(rerecord(&old, right, old.acceptances()).unwrap()).unwrap();
    assert_eq!((new.summary(), &new.meta().setup, new.meta().has_trace), (old.summary(), &old.meta().setup, false));
    assert_eq!(new.meta().provenance.note, "from the finals");
    assert_ne!(new.meta().provenance.build, "another build");
    assert_eq!(new.meta().provenance.source, old.meta().provenance.source);
}
