//! What the page is told of files of every kind.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use snapback_core::{Command, Effects, Frame, FrameInputs, InputStatus, PlayerInput, SideEffectPolicy, Simulation};
use snapback_golden::{RecordSettings, Recorder, record};
use snapback_golden_web::exports::{snbk_input, snbk_verify};
use snapback_golden_web::{Status, report};
use snapback_sim::{PadInput, World, WorldData};

const SEED: u64 = u64::MAX;

fn pad(frame: u16) -> PadInput {
    PadInput::new((frame / 5).wrapping_mul(77)).cleaned()
}

/// A match in which the file says of one frame that player 0 pressed something else.
fn recorded(flip: Option<u16>) -> Vec<u8> {
    let mut world = World::new(WorldData::default());
    world.reset(SEED, 2).unwrap();
    let mut recorder = Recorder::new(Vec::new(), &world, RecordSettings::generated(SEED, 2)).unwrap();
    let mut snapshot = vec![0; world.layout().size_bytes()];
    let mut effects = Effects::with_capacity(0);
    for number in 0..600 {
        let frame = Frame::new(number.into());
        let confirmed = |input| PlayerInput { input, command: Command::NONE, status: InputStatus::Confirmed };
        let mut inputs = [confirmed(pad(number)), confirmed(pad(number + 300))];
        effects.begin(frame, SideEffectPolicy::TelemetryOnly);
        world.step(frame, &FrameInputs::new(&inputs), &mut effects);
        world.capture(&mut snapshot);
        if flip == Some(number) {
            inputs[0].input.buttons ^= PadInput::GUARD;
        }
        recorder.record(frame, &inputs, world.hash(SEED, frame, &snapshot), &snapshot).unwrap();
    }
    recorder.finish().unwrap()
}

#[test]
fn a_good_file_is_ok_and_says_which_match_it_is() {
    let good = report(recorded(None));
    assert_eq!((good.status, good.frames, good.divergence.is_none()), (Status::Ok, 600, true));
    let meta = good.meta.unwrap();
    // A number of JavaScript would be another one.
    assert_eq!((meta.seed.as_str(), meta.players, meta.source), ("18446744073709551615", 2, "generated"));
}

#[test]
fn a_diverging_file_names_frame_fields_and_both_values() {
    let found = report(recorded(Some(200)));
    assert_eq!((found.status, found.frames), (Status::Diverged, 200));
    let divergence = found.divergence.unwrap();
    assert_eq!(divergence.frame, 200);
    assert!(divergence.inputs.iter().any(|line| line.frame == 200 && line.players.len() == 2));
    assert!(divergence.fields.iter().all(|field| field.path.starts_with("fighter[0]") && field.expected != field.actual));
    assert!(!divergence.fields.is_empty());
}

#[test]
fn what_is_no_replay_of_this_game_is_refused_by_kind() {
    let good = recorded(None);
    let mut newer = good.clone();
    newer[4] = 9;
    assert_eq!(report(newer).status, Status::Unsupported);
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 1;
    assert_eq!(report(damaged).status, Status::Corrupt);
    assert_eq!(report(good[..good.len() / 2].to_vec()).status, Status::Corrupt);
    assert_eq!(report(Vec::new()).status, Status::Corrupt);
    // Nothing was played, so nothing is good.
    let no_frames = record(&mut World::new(WorldData::default()), RecordSettings::generated(1, 2), []).unwrap();
    assert_eq!(report(no_frames).status, Status::Corrupt);
    // Another game: its file is sound, so the page can say which one it is.
    let mut world = World::new(WorldData::default());
    let settings = RecordSettings { setup: "nobody:0 nobody:1".to_owned(), ..RecordSettings::generated(1, 2) };
    let other = report(record(&mut world, settings, (0..60).map(|frame| vec![pad(frame); 2])).unwrap());
    assert_eq!((other.status, other.meta.unwrap().setup.as_str()), (Status::Unsupported, "nobody:0 nobody:1"));
}

#[test]
fn a_page_gets_a_message_and_the_next_file_starts_afresh() {
    assert!(!snbk_input(5).is_null());
    let refused = snbk_verify();
    // Nothing was written since, and nothing is left over.
    assert!(snbk_verify() >= refused - 10);
    assert!(snbk_input(usize::MAX).is_null());
    insta::assert_snapshot!(report(vec![0; 5]).to_json(), @r#"{"status":"corrupt","message":"this is no replay: it does not begin with SNBK","frames":0,"digest":"","meta":null,"changes":[],"divergence":null}"#);
}
