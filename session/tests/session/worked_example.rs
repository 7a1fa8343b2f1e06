//! The worked example of the specification: at frame 100 a wrong guess for frame 97 comes to light.

use crate::game::*;
use snapback::*;

/// Plays to frame 100 with player 1 confirmed up to frame 95, holding forward.
fn at_frame_100() -> RollbackSession<Game> {
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    for frame in 0..=100 {
        let known: Vec<_> = (frame <= 95).then(|| confirmed(frame, FORWARD)).into_iter().collect();
        let report = session.tick(&[LocalInput::new(ME, frame as u8)], &known).unwrap();
        assert_eq!((report.frame.number(), report.rollback_frames, report.simulation_frozen), (frame, 0, false));
    }
    session
}

#[test]
fn a_wrong_guess_four_frames_ago_is_corrected_and_the_same_tick_goes_on() {
    let mut session = at_frame_100();
    let guessed = session.state_hash(Frame::new(100)).unwrap();
    let steps_before = session.simulation().log.len();

    let report = session.tick(&[LocalInput::new(ME, 101)], &[confirmed(96, FORWARD), confirmed(97, CROUCH)]).unwrap();

    assert_eq!(report.rollback_frames, 4);
    assert!(report.recovered && !report.simulation_frozen);
    assert_eq!((report.frame, report.reason), (Frame::new(101), None));
    assert_eq!(
        session.simulation().log[steps_before..],
        ["restore after 97 steps", "step 97", "step 98", "step 99", "step 100", "step 101"]
    );
    // Silent: the only effect is that of frame 101.
    assert_eq!(session.effects().iter().map(|effect| effect.frame.number()).collect::<Vec<_>>(), [101]);
    let corrected = session.state_hash(Frame::new(100)).unwrap();
    assert_ne!(corrected, guessed);

    let mut pressed: Vec<[u8; 2]> = (0..=101).map(|frame| [frame as u8, if frame < 97 { FORWARD } else { CROUCH }]).collect();
    pressed[101][0] = 101;
    let truth = straight(7, &pressed);
    assert_eq!(session.snapshot(Frame::new(100)), Some(bytemuck::bytes_of(&truth[100])));
    assert_eq!(session.snapshot(Frame::new(101)), Some(bytemuck::bytes_of(&truth[101])));
}

#[test]
fn a_right_guess_costs_nothing() {
    let mut session = at_frame_100();
    let known: Vec<_> = (96..=100).map(|frame| confirmed(frame, FORWARD)).collect();
    let report = session.tick(&[LocalInput::new(ME, 0)], &known).unwrap();
    assert_eq!((report.rollback_frames, report.recovered), (0, false));
    assert_eq!(session.stats().rollbacks, 0);
    assert_eq!(session.confirmed_frame(), Frame::new(100));
}

#[test]
fn the_earliest_of_several_wrong_guesses_wins() {
    let mut session = at_frame_100();
    let known = [confirmed(96, CROUCH), confirmed(97, FORWARD), confirmed(98, CROUCH)];
    let report = session.tick(&[LocalInput::new(ME, 0)], &known).unwrap();
    assert_eq!(report.rollback_frames, 5);
    assert_eq!(session.stats().rollbacks, 1);
}

#[test]
fn frame_0_has_a_state_before_it() {
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    session.tick(&[LocalInput::new(ME, 1)], &[]).unwrap();
    let report = session.tick(&[LocalInput::new(ME, 1)], &[confirmed(0, CROUCH)]).unwrap();
    assert_eq!((report.rollback_frames, report.frame), (1, Frame::new(1)));
    let truth = straight(7, &[[1, CROUCH], [1, CROUCH]]);
    assert_eq!(session.snapshot(Frame::ZERO), Some(bytemuck::bytes_of(&truth[0])));
    assert_eq!(session.snapshot(Frame::new(1)), Some(bytemuck::bytes_of(&truth[1])));
}

#[test]
fn effects_of_a_rewind_can_be_asked_for() {
    let config = RollbackConfig { suppress_cosmetics_during_resim: false, ..RollbackConfig::default() };
    let mut session = RollbackSession::new(Game::new(), SessionSettings { config, ..two_players() }).unwrap();
    for _ in 0..3 {
        session.tick(&[LocalInput::new(ME, 1)], &[]).unwrap();
    }
    session.tick(&[LocalInput::new(ME, 1)], &[confirmed(0, CROUCH)]).unwrap();
    assert_eq!(session.effects().iter().map(|effect| effect.frame.number()).collect::<Vec<_>>(), [0, 1, 2, 3]);
}
