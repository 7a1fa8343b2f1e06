//! What a session refuses, with the line that it says.

use crate::game::*;
use snapback::*;

fn session() -> RollbackSession<Game> {
    RollbackSession::new(Game::new(), two_players()).unwrap()
}

fn line(result: Result<RollbackSession<Game>, SessionError>) -> String {
    result.err().unwrap().to_string()
}

#[test]
fn a_confirmed_input_never_changes() {
    let mut session = session();
    session.confirm(&confirmed(0, 1)).unwrap();
    session.confirm(&confirmed(0, 1)).unwrap();
    let before = session.confirmed_frame_of(OTHER);
    let error = session.confirm(&confirmed(0, 2)).unwrap_err();
    assert_eq!(error, SessionError::ConfirmedInputChanged { player: OTHER, frame: Frame::ZERO });
    let command = Command::new(9, &[]).unwrap();
    assert!(session.confirm(&InputSample { command, ..confirmed(0, 1) }).is_err());
    assert_eq!(session.confirmed_frame_of(OTHER), before);
}

#[test]
fn gaps_strangers_and_the_far_future_are_refused() {
    let mut session = session();
    let error = session.confirm(&confirmed(3, 1)).unwrap_err();
    insta::assert_snapshot!(error, @"an input of player 1 for frame 3 came while frame 0 was expected; give inputs in order");
    for player in [ME, PlayerHandle::new(2), PlayerHandle::new(255)] {
        let sample = InputSample { player, ..confirmed(0, 1) };
        assert_eq!(session.confirm(&sample), Err(SessionError::NotRemote { player }));
    }
    let refused = (0..1_000).find_map(|frame| session.confirm(&confirmed(frame, 1)).err()).unwrap();
    assert!(matches!(refused, SessionError::TooFarAhead { .. }), "{refused}");
    assert_eq!(session.tick(&[LocalInput::new(ME, 1)], &[]).unwrap().frame, Frame::ZERO);
}

#[test]
fn local_inputs_are_one_for_each_local_player() {
    let mut session = session();
    for wrong in [&[][..], &[LocalInput::new(OTHER, 1)], &[LocalInput::new(ME, 1), LocalInput::new(ME, 1)]] {
        assert!(matches!(session.tick(wrong, &[]), Err(SessionError::LocalInputs { .. })));
        assert_eq!(session.current_frame(), Frame::INITIAL);
    }
}

#[test]
fn impossible_settings_have_a_line() {
    let with = |settings| line(RollbackSession::new(Game::new(), settings));
    insta::assert_snapshot!(with(SessionSettings { player_count: 0, ..two_players() }), @"a session of 0 players is impossible; use 1 to 8");
    insta::assert_snapshot!(with(SessionSettings { player_count: 5, ..two_players() }), @"the simulation cannot start: at most 4 players, not 5");
    insta::assert_snapshot!(with(SessionSettings { local_players: PlayerSet::first(3), ..two_players() }), @"the local players {P0, P1, P2} are not all among the 2 players");
    insta::assert_snapshot!(with(SessionSettings { input_delay_frames: 31, ..two_players() }), @"an input delay of 31 frames is too long; use 0 to 30");
    insta::assert_snapshot!(with(SessionSettings { first_frame: Frame::INITIAL, ..two_players() }), @"the first frame cannot be -1; use 0 to 1099511627776");
    let config = RollbackConfig { snapshot_history_frames: 5, ..RollbackConfig::default() };
    insta::assert_snapshot!(with(SessionSettings { config, ..two_players() }), @"the configuration is not valid: snapshot_history_frames is 5; give a value from 10 to 600");
}

/// A state of 600 bytes for one fighter.
struct Heavy;

impl Simulation for Heavy {
    type Input = u8;
    fn id(&self) -> SimulationId {
        SimulationId { name: "heavy", version: 1 }
    }
    fn layout(&self) -> StateLayout {
        StateLayout::opaque(600)
    }
    fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> {
        Ok(())
    }
    fn step(&mut self, _: Frame, _: &FrameInputs<'_, u8>, _: &mut Effects) {}
    fn capture(&self, _: &mut [u8]) {}
    fn restore(&mut self, _: &[u8]) -> Result<(), InvalidState> {
        Err(InvalidState::Custom { reason: "it never restores".into() })
    }
}

#[test]
fn a_state_over_its_budget_is_refused_with_both_numbers() {
    let config = RollbackConfig { snapshot_budget_bytes_per_fighter: 512, ..RollbackConfig::default() };
    let error = RollbackSession::new(Heavy, SessionSettings { config, ..two_players() }).err().unwrap();
    insta::assert_snapshot!(error, @"a snapshot of 600 bytes for 1 fighters is 600 bytes per fighter, over the budget of 512; make the state smaller, or say how many fighters it holds in Simulation::fighter_count");
}

#[test]
fn a_state_that_is_not_taken_back_is_said_loudly_and_never_guessed() {
    let mut session = RollbackSession::new(Heavy, two_players()).unwrap();
    session.tick(&[LocalInput::new(ME, 1)], &[]).unwrap();
    let error = session.tick(&[LocalInput::new(ME, 1)], &[confirmed(0, 9)]).unwrap_err();
    insta::assert_snapshot!(error, @"the state after frame -1 could not be restored: the state is not valid: it never restores");
}
