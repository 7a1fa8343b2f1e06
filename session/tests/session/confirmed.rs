//! Confirmed frames: each once, never before it was simulated with what is confirmed.

use crate::game::*;
use snapback::*;

/// Random latencies and inputs; whatever the session calls confirmed is what a straight run gives.
#[test]
fn every_confirmed_frame_is_what_a_straight_run_gives() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed, 0);
        let theirs: Vec<u8> = (0..400)
            .scan(0, |held, _| {
                if rng.chance(200_000) {
                    *held = rng.below(4) as u8;
                }
                Some(*held)
            })
            .collect();
        let mine: Vec<u8> = (0..400).map(|_| rng.below(4) as u8).collect();
        let both: Vec<[u8; 2]> = mine.iter().zip(&theirs).map(|(a, b)| [*a, *b]).collect();
        let truth = straight(seed, &both);
        let settings = SessionSettings { seed, ..two_players() };
        let mut session = RollbackSession::new(Game::new(), settings).unwrap();
        let (mut arrived, mut checked) = (0usize, Frame::ZERO);
        while checked < Frame::new(380) {
            let next = (session.current_frame().number() + 1) as usize;
            let burst = if rng.chance(300_000) { rng.below(7) as usize } else { 1 };
            let until = (arrived + burst).min((next + 2).saturating_sub(rng.below(9) as usize)).min(theirs.len());
            let known: Vec<_> = (arrived..until).map(|frame| confirmed(frame as i64, theirs[frame])).collect();
            arrived = arrived.max(until);
            tick(&mut session, mine[next], &known);
            while let Some(frame) = session.confirmed(checked) {
                let at = checked.number() as usize;
                assert_eq!(frame.snapshot, bytemuck::bytes_of(&truth[at]), "seed {seed}, frame {checked}");
                assert_eq!([frame.inputs[0].input, frame.inputs[1].input], both[at]);
                assert!(frame.inputs.iter().all(|input| input.status == InputStatus::Confirmed));
                checked = checked.next();
            }
        }
        assert!(session.stats().rollbacks > 5, "seed {seed}");
    }
}

fn tick(session: &mut RollbackSession<Game>, input: u8, known: &[InputSample<u8>]) {
    session.tick(&[LocalInput::new(ME, input)], known).unwrap();
}

#[test]
fn a_frame_that_is_known_to_be_wrong_is_not_confirmed_until_it_is_simulated_again() {
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    tick(&mut session, 1, &[]);
    tick(&mut session, 1, &[]);
    session.confirm(&confirmed(0, 0)).unwrap();
    session.confirm(&confirmed(1, CROUCH)).unwrap();
    assert_eq!(session.confirmed_frame(), Frame::ZERO);
    assert!(session.confirmed(Frame::new(1)).is_none());
    tick(&mut session, 1, &[]);
    assert_eq!(session.confirmed_frame(), Frame::new(1));
}

#[test]
fn inputs_that_come_before_their_frame_are_used_when_it_comes() {
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    let ahead: Vec<_> = (0..10).map(|frame| confirmed(frame, frame as u8)).collect();
    tick(&mut session, 1, &ahead);
    assert_eq!(session.confirmed_frame(), Frame::ZERO);
    for frame in 1..10 {
        tick(&mut session, 1, &[]);
        assert_eq!(session.simulation().memory.last[1], frame);
    }
    assert_eq!(session.stats().rollbacks, 0);
}

#[test]
fn a_command_reaches_the_step_of_its_frame_and_is_never_predicted() {
    let pause = Command::new(64, &[1]).unwrap();
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    for _ in 0..4 {
        tick(&mut session, 0, &[]);
    }
    let guessed = session.state_hash(Frame::new(1));
    session.confirm(&InputSample { command: pause, ..confirmed(0, 0) }).unwrap();
    session.confirm(&confirmed(1, 0)).unwrap();
    tick(&mut session, 0, &[]);
    let used: Vec<_> = (0..5).map(|frame| session.inputs(Frame::new(frame)).unwrap()[1].command).collect();
    assert_eq!(used, [pause, Command::NONE, Command::NONE, Command::NONE, Command::NONE]);
    assert_ne!(session.state_hash(Frame::new(1)), guessed);
}

#[test]
fn predicted_inputs_repeat_the_last_confirmed_one_and_begin_neutral() {
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    tick(&mut session, 0, &[]);
    tick(&mut session, 0, &[confirmed(0, 5)]);
    let status = |session: &RollbackSession<Game>, frame| {
        let input = session.inputs(Frame::new(frame)).unwrap()[1];
        (input.input, input.status)
    };
    assert_eq!(status(&session, 0), (5, InputStatus::Confirmed));
    assert_eq!(status(&session, 1), (5, InputStatus::Predicted));
}

/// A predictor of the host's own: it may differ from the other peers'.
struct AlwaysThree;

impl InputPredictor<u8> for AlwaysThree {
    fn predict(&self, _: PlayerHandle, _: Frame, _: &InputPast<'_, u8>) -> u8 {
        3
    }
}

#[test]
fn the_predictor_can_be_replaced() {
    let mut session = RollbackSession::with_predictor(Game::new(), two_players(), AlwaysThree).unwrap();
    session.tick(&[LocalInput::new(ME, 0)], &[]).unwrap();
    assert_eq!(session.inputs(Frame::ZERO).unwrap()[1].input, 3);
}

#[test]
fn what_is_still_to_be_compared_is_kept_beyond_the_ninety_frames_of_history() {
    for (check_interval_frames, kept_back) in [(1, 90), (30, 187), (240, 1_023)] {
        let config = RollbackConfig { check_interval_frames, ..RollbackConfig::default() };
        let mut session = RollbackSession::new(Game::new(), SessionSettings { config, ..two_players() }).unwrap();
        for frame in 0..1_100 {
            tick(&mut session, 1, &[confirmed(frame, 2)]);
        }
        let at = |back| session.current_frame() - back;
        assert!((0..=kept_back).all(|back| session.snapshot(at(back)).is_some() && session.inputs(at(back)).is_some()));
        assert!(session.snapshot(at(kept_back + 1)).is_none() && session.inputs(at(kept_back + 1)).is_none());
    }
}
