//! A training session: time that is stopped and taken back, and a dummy that repeats itself.

use crate::game::*;
use snapback::training::*;
use snapback::*;

fn training() -> TrainingSession<Game> {
    TrainingSession::new(Game::new(), TrainingSettings::new(7)).unwrap()
}

fn pads(mine: u8, others: u8) -> [LocalInput<u8>; 2] {
    [LocalInput::new(ME, mine), LocalInput::new(OTHER, others)]
}

/// Plays frames with inputs that follow from their number; the hashes after them.
fn play(training: &mut TrainingSession<Game>, frames: std::ops::Range<i64>) -> Vec<StateHash> {
    frames
        .map(|frame| {
            let report = training.tick(&pads(frame as u8 ^ 0x15, (frame * 7) as u8)).unwrap().unwrap();
            assert_eq!((report.frame, report.simulation_frozen), (Frame::new(frame), false));
            training.state_hash(report.frame).unwrap()
        })
        .collect()
}

#[test]
fn a_loaded_state_replays_to_identical_hashes() {
    let mut training = training();
    play(&mut training, 0..100);
    training.save_slot(3).unwrap();
    let expected = play(&mut training, 100..400);
    for _ in 0..3 {
        training.load_slot(3).unwrap();
        assert_eq!(training.session().current_frame(), Frame::new(99));
        assert_eq!(play(&mut training, 100..400), expected);
    }
    // Not by accident: other inputs give other states.
    training.load_slot(3).unwrap();
    let report = training.tick(&pads(0xFF, 0)).unwrap().unwrap();
    assert_ne!(training.state_hash(report.frame).unwrap(), expected[0]);
}

/// What is confirmed, and the effects, are as in a match that began there.
#[test]
fn after_a_load_every_frame_is_confirmed_and_every_effect_is_told_once() {
    let mut training = training();
    play(&mut training, 0..50);
    training.save_slot(0).unwrap();
    play(&mut training, 50..300);
    training.load_slot(0).unwrap();
    for frame in 50..300 {
        play(&mut training, frame..frame + 1);
        assert_eq!(training.session().confirmed_frame(), Frame::new(frame));
        let told: Vec<_> = training.session().effect_events().iter().map(|event| event.effect().frame).collect();
        assert_eq!(told, [Frame::new(frame); 2], "raised and confirmed");
        assert_eq!(training.session().stats().rollbacks, 0);
    }
}

/// The same frames without training: it is the same core.
#[test]
fn training_gives_the_states_of_a_match() {
    let mut training = training();
    play(&mut training, 0..200);
    let inputs: Vec<_> = (0..200i64).map(|frame| [frame as u8 ^ 0x15, (frame * 7) as u8]).collect();
    assert_eq!(training.session().simulation().memory, *straight(7, &inputs).last().unwrap());
}

#[test]
fn a_paused_session_plays_the_frames_that_are_stepped_and_no_other() {
    let mut training = training();
    play(&mut training, 0..10);
    training.pause();
    for _ in 0..5 {
        assert_eq!(training.tick(&pads(1, 1)).unwrap(), None);
    }
    training.step_frame();
    training.step_frame();
    let frames: Vec<_> = (0..4).map(|_| training.tick(&pads(1, 1)).unwrap().map(|report| report.frame.number())).collect();
    assert_eq!(frames, [Some(10), Some(11), None, None]);
    assert!(training.is_paused());
    training.resume();
    assert_eq!(play(&mut training, 12..14).len(), 2);
    training.step_frame();
    assert!(training.is_paused());
}

/// What the dummy has done in the last frames.
fn done(training: &mut TrainingSession<Game>, ticks: usize) -> Vec<u8> {
    (0..ticks)
        .map(|_| {
            training.tick(&pads(1, 200)).unwrap();
            training.session().simulation().memory.last[1]
        })
        .collect()
}

fn record(training: &mut TrainingSession<Game>, inputs: &[u8]) {
    training.set_swapped(true);
    training.record();
    for input in inputs {
        training.tick(&[LocalInput::new(ME, *input)]).unwrap();
        // The trainee stands still while the pad is the dummy's.
        assert_eq!(training.session().simulation().memory.last[..2], [0, *input]);
    }
    training.stop();
    training.set_swapped(false);
}

#[test]
fn a_recording_is_played_once_again_and_again_or_on_load() {
    let mut training = training();
    training.save_slot(0).unwrap();
    training.play(Playback::Loop);
    assert_eq!(training.dummy_state(), DummyState::Idle, "nothing is recorded");
    record(&mut training, &[4, 5, 6]);
    assert_eq!(training.recorded_frames(), 3);

    assert_eq!(done(&mut training, 2), [200, 200]);
    training.play(Playback::Once);
    assert_eq!(done(&mut training, 5), [4, 5, 6, 200, 200]);
    assert_eq!(training.dummy_state(), DummyState::Idle);

    training.play(Playback::Loop);
    assert_eq!(done(&mut training, 7), [4, 5, 6, 4, 5, 6, 4]);
    // A pause is no frame.
    training.pause();
    training.tick(&pads(0, 0)).unwrap();
    training.resume();
    assert_eq!(done(&mut training, 1), [5]);

    training.play(Playback::OnLoad);
    assert_eq!(done(&mut training, 2), [200, 200]);
    for _ in 0..2 {
        training.load_slot(0).unwrap();
        assert_eq!(done(&mut training, 4), [4, 5, 6, 200]);
    }
    training.load_slot(0).unwrap();
    assert_eq!(done(&mut training, 1), [4]);
    training.stop();
    assert_eq!(done(&mut training, 1), [200]);
}

#[test]
fn a_recording_ends_when_it_is_full() {
    let mut training = training();
    training.record();
    for _ in 0..RECORDING_FRAMES + 10 {
        training.tick(&pads(0, 9)).unwrap();
    }
    assert_eq!((training.recorded_frames(), training.dummy_state()), (RECORDING_FRAMES, DummyState::Idle));
}

#[test]
fn a_state_goes_through_bytes_and_nothing_in_them_is_believed() {
    let mut first = training();
    play(&mut first, 0..60);
    first.save_slot(1).unwrap();
    let bytes = first.export_slot(1).unwrap();
    let expected = play(&mut first, 60..90);

    let mut other = training();
    other.import_slot(7, &bytes).unwrap();
    other.load_slot(7).unwrap();
    assert_eq!(play(&mut other, 60..90), expected);

    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert_eq!(other.import_slot(0, &damaged), Err(TrainingError::NotAState), "byte {at}");
        assert_eq!(other.import_slot(0, &bytes[..at]), Err(TrainingError::NotAState), "{at} bytes");
    }
    let forged = |at: usize, value: u8| {
        let mut forged = bytes[..bytes.len() - 4].to_vec();
        forged[at] = value;
        forged.extend(crc32(0, &forged).to_le_bytes());
        forged
    };
    for (at, what) in [
        (6, "number of players"),
        (8, "game"),
        (12, "version of the game"),
        (16, "layout of its state"),
        (20, "configuration"),
        (24, "seed"),
    ] {
        assert_eq!(other.import_slot(0, &forged(at, 0xEE)), Err(TrainingError::OtherMatch { what }));
    }
    // A frame before all frames, one after all frames, and a state that is too short.
    assert_eq!(other.import_slot(0, &forged(39, 0xFE)), Err(TrainingError::NotAState));
    assert_eq!(other.import_slot(0, &forged(38, 0x7F)), Err(TrainingError::NotAState));
    let mut short = bytes[..bytes.len() - 5].to_vec();
    short.extend(crc32(0, &short).to_le_bytes());
    assert!(matches!(other.import_slot(0, &short), Err(TrainingError::InvalidState(InvalidState::WrongLength { .. }))));
    assert_eq!(other.load_slot(0), Err(TrainingError::EmptySlot { slot: 0 }), "nothing of all that was kept");
}

/// A game that refuses a value, as one whose layout has ranges does.
struct Picky(Game);

impl Simulation for Picky {
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
    }
    fn capture(&self, out: &mut [u8]) {
        self.0.capture(out);
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.0.restore(snapshot)
    }
    fn validate(&self, snapshot: &[u8]) -> Result<(), InvalidState> {
        match snapshot.last() {
            Some(0) => Ok(()),
            _ => Err(InvalidState::Custom { reason: "seven players at most".to_owned() }),
        }
    }
}

#[test]
fn a_state_that_the_game_refuses_is_not_loaded() {
    let mut picky = TrainingSession::new(Picky(Game::new()), TrainingSettings::new(7)).unwrap();
    picky.save_slot(0).unwrap();
    let mut bytes = picky.export_slot(0).unwrap();
    assert_eq!(picky.import_slot(1, &bytes), Ok(()));
    bytes.truncate(bytes.len() - 5);
    bytes.push(1);
    bytes.extend(crc32(0, &bytes).to_le_bytes());
    let refused = picky.import_slot(2, &bytes).unwrap_err();
    assert_eq!(refused.to_string().split(':').next(), Some("the saved state is impossible"));
    assert_eq!(picky.load_slot(2), Err(TrainingError::EmptySlot { slot: 2 }));
}

#[test]
fn what_is_impossible_is_refused_and_changes_nothing() {
    let settings = TrainingSettings::new(7);
    for (trainee, dummy) in [(0, 0), (0, 2), (2, 1)] {
        let [trainee, dummy] = [trainee, dummy].map(PlayerHandle::new);
        assert!(TrainingSession::new(Game::new(), TrainingSettings { trainee, dummy, ..settings }).is_err());
    }
    let mut training = training();
    assert_eq!(training.save_slot(SAVE_SLOTS), Err(TrainingError::NoSuchSlot { slot: SAVE_SLOTS }));
    assert_eq!(training.load_slot(SAVE_SLOTS), Err(TrainingError::NoSuchSlot { slot: SAVE_SLOTS }));
    training.record();
    let stranger = PlayerHandle::new(2);
    assert!(training.tick(&[LocalInput::new(stranger, 1)]).is_err());
    assert!(training.tick(&[LocalInput::new(ME, 1), LocalInput::new(ME, 2)]).is_err());
    assert_eq!((training.session().current_frame(), training.recorded_frames()), (Frame::INITIAL, 0));
}
