//! The prediction ceiling: the session freezes there, and thaws in the tick that brings news.

use crate::game::*;
use snapback::*;

fn tick(session: &mut RollbackSession<Game>, input: u8, known: &[InputSample<u8>]) -> TickReport {
    session.tick(&[LocalInput::new(ME, input)], known).unwrap()
}

#[test]
fn eight_frames_are_predicted_and_not_one_more() {
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    for frame in 0..8 {
        assert_eq!(tick(&mut session, 1, &[]).frame, Frame::new(frame));
    }
    for _ in 0..5 {
        let report = tick(&mut session, 1, &[]);
        assert!(report.simulation_frozen);
        assert_eq!(report.frame, Frame::new(7));
        assert_eq!(report.reason, Some(FreezeReason::PredictionCeiling { waiting_for: OTHER, confirmed_frame: Frame::INITIAL }));
    }
    assert_eq!(session.stats().stalled_frames, 5);
}

#[test]
fn a_frozen_tick_consumes_no_local_input() {
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    for frame in 0..8 {
        tick(&mut session, frame, &[]);
    }
    tick(&mut session, 99, &[]);
    assert_eq!(session.newest_local_frame(), Frame::new(7));
    tick(&mut session, 8, &[confirmed(0, 0)]);
    assert_eq!(session.inputs(Frame::new(8)).unwrap()[0].input, 8);
}

#[test]
fn the_tick_that_brings_the_news_corrects_and_goes_on_with_the_deepest_rewind() {
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    for _ in 0..9 {
        tick(&mut session, 1, &[]);
    }
    let report = tick(&mut session, 1, &[confirmed(0, CROUCH)]);
    assert_eq!((report.frame, report.rollback_frames, report.recovered, report.simulation_frozen), (Frame::new(8), 8, true, false));
    assert_eq!(session.stats().max_depth, 8);
}

#[test]
fn news_that_does_not_lift_the_ceiling_still_corrects() {
    let mut session = RollbackSession::new(Game::new(), SessionSettings::new(7, 3, PlayerSet::first(1))).unwrap();
    for _ in 0..9 {
        tick(&mut session, 1, &[]);
    }
    let report = tick(&mut session, 1, &[confirmed(0, CROUCH)]);
    assert!(report.simulation_frozen && report.recovered);
    assert_eq!(report.rollback_frames, 8);
    let silent = PlayerHandle::new(2);
    assert_eq!(report.reason, Some(FreezeReason::PredictionCeiling { waiting_for: silent, confirmed_frame: Frame::INITIAL }));
    assert_eq!(session.simulation().memory.last[1], CROUCH);
}

#[test]
fn a_session_without_remote_players_never_freezes_and_a_window_of_0_waits_for_every_frame() {
    let mut alone = RollbackSession::new(Game::new(), SessionSettings::new(7, 2, PlayerSet::first(2))).unwrap();
    for frame in 0..500 {
        let report = alone.tick(&[LocalInput::new(ME, 1), LocalInput::new(OTHER, 2)], &[]).unwrap();
        assert_eq!((report.frame, alone.confirmed_frame()), (Frame::new(frame), Frame::new(frame)));
    }
    let config = RollbackConfig { prediction_window_frames: 0, ..RollbackConfig::default() };
    let mut lockstep = RollbackSession::new(Game::new(), SessionSettings { config, ..two_players() }).unwrap();
    assert!(tick(&mut lockstep, 1, &[]).simulation_frozen);
    for frame in 0..20 {
        let report = tick(&mut lockstep, 1, &[confirmed(frame, 3)]);
        assert_eq!((report.frame, report.rollback_frames), (Frame::new(frame), 0));
    }
}

#[test]
fn an_input_delay_shifts_local_inputs_and_begins_neutral() {
    let mut session = RollbackSession::new(Game::new(), SessionSettings { input_delay_frames: 3, ..two_players() }).unwrap();
    assert_eq!(session.newest_local_frame(), Frame::new(2));
    for n in 1..=8 {
        tick(&mut session, n, &[]);
    }
    let used: Vec<u8> = (0..8).map(|frame| session.inputs(Frame::new(frame)).unwrap()[0].input).collect();
    assert_eq!(used, [0, 0, 0, 1, 2, 3, 4, 5]);
    assert_eq!(session.newest_local_frame(), Frame::new(10));
}
