//! A fault in one field of a user's own game: the golden test names frame, field and both values,
//! says how to see it again, and leaves the match as it plays now where that is allowed.
//!
//! This binary has its own `main`: run with a folder in `JOUST_REPLAYS` it is the golden test of the
//! game with the fault, otherwise it starts itself that way and reads what it says.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(unreachable_pub, reason = "a game is public where it is a crate of its own")]

#[path = "user_game/game.rs"]
#[allow(dead_code, reason = "who records presses the buttons")]
mod game;

use game::{Game, Rules};
use libtest_mimic::{Arguments, Failed, Trial};
use snapback_golden::harness::{self, TestTarget, check_replay};
use snapback_golden::{GoldenReplay, Verdict, verify};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const TARGET: TestTarget = TestTarget { package: "joust", test: "golden", root: env!("CARGO_MANIFEST_DIR") };

/// One meter too many for a hit on a braced rider.
fn faulty() -> Game {
    Game::new(Rules { meter_for_braced_hit: 6 })
}

fn right() -> Game {
    Game::new(Rules::default())
}

fn main() -> ExitCode {
    if let Some(directory) = std::env::var_os("JOUST_REPLAYS") {
        let has_fault = std::env::var_os("JOUST_FAULT").is_some();
        return harness::run(TARGET, directory, move |_| Ok(if has_fault { faulty() } else { right() }));
    }
    let tests: [(&str, fn()); 7] = [
        ("a_fault_is_named_by_frame_field_and_values", a_fault_is_named_by_frame_field_and_values),
        ("the_right_game_passes_one_test_a_replay", the_right_game_passes_one_test_a_replay),
        ("outside_of_ci_the_match_is_left_as_it_plays_now", outside_of_ci_the_match_is_left_as_it_plays_now),
        ("in_ci_nothing_is_written", in_ci_nothing_is_written),
        ("no_replays_fail", no_replays_fail),
        ("damaged_and_empty_replays_fail", damaged_and_empty_replays_fail),
        ("the_library_call_says_the_same", the_library_call_says_the_same),
    ];
    let trials = tests.into_iter().map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok::<(), Failed>(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn committed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/user_game").join(name)
}

/// A folder of its own with the three replays.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("user_fault").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("more")).unwrap();
    std::fs::copy(committed("charge.snbk"), folder.join("charge.snbk")).unwrap();
    std::fs::copy(committed("guarded.snbk"), folder.join("guarded.snbk")).unwrap();
    std::fs::copy(committed("standoff.snbk"), folder.join("more/standoff.snbk")).unwrap();
    folder
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Whether it passed, and what it said.
fn golden_test(folder: &Path, has_fault: bool, set: &[(&str, &str)], arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(arguments).env_remove("CI").env_remove("SNAPBACK_GOLDEN").env("JOUST_REPLAYS", folder);
    if has_fault {
        command.env("JOUST_FAULT", "1");
    }
    let output = command.envs(set.iter().copied()).output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.success(), text.replace(&folder.display().to_string(), "golden"))
}

/// Where the fault shows first, found without `verify`: by stepping both games side by side.
fn first_difference() -> (i64, usize, u16, u16) {
    use snapback_core::{Frame, FrameInputs, InputStatus, PlayerInput, SideEffectPolicy, Simulation};
    let replay = GoldenReplay::read(std::fs::read(committed("guarded.snbk")).unwrap()).unwrap();
    let (mut right, mut faulty) = (right(), faulty());
    right.reset(replay.meta().seed, 2).unwrap();
    faulty.reset(replay.meta().seed, 2).unwrap();
    let mut effects = snapback_core::Effects::with_capacity(0);
    for number in 0.. {
        let raw = replay.raw_frame(Frame::new(number)).unwrap().unwrap();
        let inputs: Vec<_> =
            raw.inputs.iter().map(|input| PlayerInput { input: input[0], ..PlayerInput::neutral(InputStatus::Confirmed) }).collect();
        let meters = [&mut right, &mut faulty].map(|game| {
            effects.begin(raw.frame, SideEffectPolicy::TelemetryOnly);
            game.step(raw.frame, &FrameInputs::new(&inputs), &mut effects);
            let mut state = vec![0; game.layout().size_bytes()];
            game.capture(&mut state);
            let joust: game::Joust = bytemuck::pod_read_unaligned(&state);
            joust.rider.map(|rider| rider.meter)
        });
        if meters[0] != meters[1] {
            let seat = usize::from(meters[0][0] == meters[1][0]);
            return (number, seat, meters[0][seat], meters[1][seat]);
        }
    }
    unreachable!()
}

fn a_fault_is_named_by_frame_field_and_values() {
    let folder = folder("named");
    let (passed, text) = golden_test(&folder, true, &[("CI", "true")], &[]);
    let (frame, rider, expected, actual) = first_difference();
    assert!(!passed);
    for part in [
        "test guarded       ... FAILED",
        "test charge        ... ok",
        "test more/standoff ... ok",
        "golden/guarded.snbk does not give the recorded states any more",
        &format!("frame {frame} is the first that differs: expected hash "),
        &format!("rider[{rider}].meter: expected {expected} (0x{expected:04x}), got {actual} (0x{actual:04x}) (before: "),
        &format!(">{frame:>9}  "),
        "to see it again: cargo test -p joust --test golden -- --exact guarded",
        "if the change is meant: run this test outside of CI with SNAPBACK_GOLDEN=pending, which leaves golden/guarded.snbk.new",
    ] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
    assert_eq!(text.matches("expected").count(), 2, "one hash and one field:\n{text}");
    assert_eq!(files(&folder), ["charge.snbk", "guarded.snbk", "more"]);
}

fn the_right_game_passes_one_test_a_replay() {
    let folder = folder("right");
    let (passed, text) = golden_test(&folder, false, &[], &[]);
    assert!(passed && text.contains("3 passed; 0 failed"), "{text}");
    let (passed, text) = golden_test(&folder, true, &[], &["--exact", "charge"]);
    assert!(passed && text.contains("1 passed; 0 failed"), "{text}");
    let (_, text) = golden_test(&folder, false, &[], &["--list"]);
    assert!(text.contains("charge: test\nguarded: test\nmore/standoff: test\n"), "{text}");
    assert_eq!(files(&folder), ["charge.snbk", "guarded.snbk", "more"]);
}

fn outside_of_ci_the_match_is_left_as_it_plays_now() {
    for (name, set) in [("default", &[][..]), ("pending", &[("SNAPBACK_GOLDEN", "pending")])] {
        let folder = folder(name);
        let (passed, text) = golden_test(&folder, true, set, &[]);
        assert!(!passed && text.contains("golden/guarded.snbk.new is the same match as it plays now"), "{text}");
        assert_eq!(files(&folder), ["charge.snbk", "guarded.snbk", "guarded.snbk.new", "more"]);
        let new = GoldenReplay::read(std::fs::read(folder.join("guarded.snbk.new")).unwrap()).unwrap();
        let old = GoldenReplay::read(std::fs::read(folder.join("guarded.snbk")).unwrap()).unwrap();
        assert!(old.bytes() == std::fs::read(committed("guarded.snbk")).unwrap(), "the replay itself is never touched");
        assert!(verify(&new, |_| Ok(faulty())).unwrap().is_same());
        assert!(matches!(verify(&new, |_| Ok(right())).unwrap().verdict, Verdict::Diverged(_)));
        assert_eq!(new.meta().provenance.note, old.meta().provenance.note);
        // Whoever wants the change moves it over.
        std::fs::rename(folder.join("guarded.snbk.new"), folder.join("guarded.snbk")).unwrap();
        assert!(golden_test(&folder, true, set, &[]).0);
    }
}

fn in_ci_nothing_is_written() {
    let folder = folder("ci");
    for set in [&[("CI", "true")][..], &[("CI", "1"), ("SNAPBACK_GOLDEN", "pending")], &[("SNAPBACK_GOLDEN", "check")]] {
        let (passed, text) = golden_test(&folder, true, set, &[]);
        assert!(!passed && text.contains("2 passed; 1 failed"), "{text}");
        assert_eq!(files(&folder), ["charge.snbk", "guarded.snbk", "more"]);
    }
    let (passed, text) = golden_test(&folder, false, &[("SNAPBACK_GOLDEN", "yes")], &[]);
    assert!(!passed && text.contains("SNAPBACK_GOLDEN is yes; set it to pending or to check"), "{text}");
}

fn no_replays_fail() {
    let folder = folder("none");
    std::fs::remove_dir_all(&folder).unwrap();
    let (passed, text) = golden_test(&folder, false, &[], &[]);
    assert!(!passed && text.contains("there is no replay in golden ("), "{text}");
    std::fs::create_dir_all(&folder).unwrap();
    let (passed, text) = golden_test(&folder, false, &[], &[]);
    assert!(!passed, "{text}");
    assert!(text.contains("there is no replay in golden, so nothing was tested; record a match with snapback_golden::record"), "{text}");
}

fn damaged_and_empty_replays_fail() {
    let folder = folder("damaged");
    let mut bytes = std::fs::read(folder.join("charge.snbk")).unwrap();
    std::fs::write(folder.join("cut.snbk"), &bytes[..bytes.len() / 2]).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(folder.join("flipped.snbk"), bytes).unwrap();
    let nothing = snapback_golden::record(&mut right(), snapback_golden::RecordSettings::generated(7, 2), []).unwrap();
    std::fs::write(folder.join("nothing.snbk"), nothing).unwrap();
    std::fs::write(folder.join("text.snbk"), "no replay").unwrap();
    let (passed, text) = golden_test(&folder, false, &[], &[]);
    assert!(!passed && text.contains("3 passed; 4 failed"), "{text}");
    for part in [
        "golden/cut.snbk: the replay ends at byte",
        "golden/flipped.snbk: the frames block at byte",
        "golden/nothing.snbk: it has no frames and so proves nothing",
        "golden/text.snbk: this is no replay",
    ] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

fn the_library_call_says_the_same() {
    let folder = folder("call");
    assert_eq!(check_replay(folder.join("guarded.snbk"), |_| Ok(right())), Ok(()));
    let text = check_replay(folder.join("guarded.snbk"), |_| Ok(faulty())).unwrap_err();
    let (frame, rider, expected, actual) = first_difference();
    assert!(text.contains(&format!("frame {frame} is the first that differs")), "{text}");
    assert!(
        text.contains(&format!("rider[{rider}].meter: expected {expected} (0x{expected:04x}), got {actual} (0x{actual:04x})")),
        "{text}"
    );
    assert!(!text.contains("to see it again"), "nobody knows the command:\n{text}");
    assert!(check_replay(folder.join("missing.snbk"), |_| Ok(right())).is_err());
    let text = check_replay(folder.join("charge.snbk"), |_| Err::<Game, _>("no data".into())).unwrap_err();
    assert!(text.ends_with("the match of the replay cannot be set up: no data"), "{text}");
}
