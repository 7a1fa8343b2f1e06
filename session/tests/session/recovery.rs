//! Corrections deeper than one tick may resimulate, and histories that are broken.

use crate::game::*;
use snapback::present::RECOVERING_CONNECTION;
use snapback::*;

/// A window of 20 frames, of which a tick makes up for 4.
fn wide() -> SessionSettings {
    let config = RollbackConfig { prediction_window_frames: 20, max_rollback_frames: 4, ..RollbackConfig::default() };
    SessionSettings { config, ..two_players() }
}

fn tick(session: &mut RollbackSession<Game>, input: u8, known: &[InputSample<u8>]) -> TickReport {
    session.tick(&[LocalInput::new(ME, input)], known).unwrap()
}

fn steps(session: &RollbackSession<Game>) -> usize {
    session.simulation().log.iter().filter(|line| line.starts_with("step")).count()
}

#[test]
fn a_deep_correction_takes_several_ticks_and_shows_nothing_halfway() {
    let mut session = RollbackSession::new(Game::new(), wide()).unwrap();
    for _ in 0..14 {
        tick(&mut session, 1, &[]);
    }
    let (shown, hash) = (session.simulation().memory, session.state_hash(Frame::new(13)));
    let known: Vec<_> = (0..14).map(|frame| confirmed(frame, CROUCH)).collect();
    // 14 frames are wrong: 4 + 4 + 4 and, with the last 2, on.
    for (remaining_frames, confirmed_frame) in [(10, 3), (6, 7), (2, 11)] {
        let before = steps(&session);
        let report = tick(&mut session, 9, if remaining_frames == 10 { &known } else { &[] });
        assert_eq!(report.reason, Some(FreezeReason::CatchingUp { remaining_frames }));
        assert_eq!((report.state, report.frame), (SessionState::CatchingUp, Frame::new(13)));
        assert_eq!(steps(&session) - before, 4);
        assert_eq!(session.simulation().memory, shown, "what is drawn is what was drawn");
        assert_eq!(session.state_hash(Frame::new(13)), hash);
        assert_eq!(session.confirmed_frame(), Frame::new(confirmed_frame), "only what is done is confirmed");
        assert!(session.confirmed(Frame::new(confirmed_frame + 1)).is_none());
        assert_eq!(session.newest_local_frame(), Frame::new(13), "no local input is consumed");
    }
    let report = tick(&mut session, 9, &[]);
    assert_eq!((report.state, report.frame, report.reason), (SessionState::Running, Frame::new(14), None));
    let truth = straight(7, &[[1, CROUCH]; 14]);
    assert_eq!(session.snapshot(Frame::new(13)).unwrap(), bytemuck::bytes_of(&truth[13]));
    assert_eq!(session.stats().rollbacks, 1);
    assert_eq!(session.stats().resimulated_frames, 14);
}

#[test]
fn an_earlier_correction_starts_again_from_there() {
    let settings = SessionSettings { player_count: 3, ..wide() };
    let mut session = RollbackSession::new(Game::new(), settings).unwrap();
    let third = PlayerHandle::new(2);
    for _ in 0..14 {
        tick(&mut session, 1, &[]);
    }
    let late: Vec<_> = (0..14).map(|frame| confirmed(frame, if frame < 6 { 0 } else { CROUCH })).collect();
    assert_eq!(tick(&mut session, 1, &late).reason, Some(FreezeReason::CatchingUp { remaining_frames: 4 }));
    let earlier: Vec<_> = (0..14).map(|frame| InputSample { player: third, ..confirmed(frame, 5) }).collect();
    let report = tick(&mut session, 1, &earlier);
    assert_eq!((report.reason, report.rollback_frames), (Some(FreezeReason::CatchingUp { remaining_frames: 10 }), 14));
    for _ in 0..3 {
        tick(&mut session, 1, &[]);
    }
    assert_eq!(session.current_frame(), Frame::new(14));
    let inputs = session.inputs(Frame::new(13)).unwrap();
    assert_eq!([inputs[0].input, inputs[1].input, inputs[2].input], [1, CROUCH, 5]);
}

/// Corrections that never stop: at the ceiling, in the tick that reaches it, and while it catches up. Every
/// confirmed frame is what a straight run gives.
#[test]
fn random_windows_budgets_and_delays_give_what_a_straight_run_gives() {
    let mut seen = [0; SESSION_STATES.len()];
    for seed in 0..300 {
        let mut rng = Rng::new(seed, 0);
        let config = RollbackConfig {
            max_rollback_frames: 1 + rng.below(6),
            prediction_window_frames: 1 + rng.below(30),
            ..RollbackConfig::default()
        };
        let players = 2 + (seed % 2) as usize;
        let settings = SessionSettings { config, seed, player_count: players, ..two_players() };
        let mut session = RollbackSession::new(Game::new(), settings).unwrap();
        // What every player presses: held for a while, then another.
        let inputs: Vec<Vec<u8>> = (0..players)
            .map(|_| {
                let mut held = 0;
                let press = |_| {
                    held = if rng.chance(300_000) { rng.below(3) as u8 } else { held };
                    held
                };
                (0..400).map(press).collect()
            })
            .collect();
        let mut arrived = vec![0; players];
        while session.confirmed_frame() < Frame::new(200) {
            let mine = inputs[0][(session.newest_local_frame().number() + 1) as usize];
            let mut known = Vec::new();
            for player in 1..players {
                let most = (session.current_frame().number() + 2 - arrived[player]).max(0);
                for _ in 0..if rng.chance(200_000) { rng.below(most as u32 + 1) } else { 0 } {
                    let frame: i64 = arrived[player];
                    let input = inputs[player][frame as usize];
                    known.push(InputSample { player: PlayerHandle::new(player as u8), ..confirmed(frame, input) });
                    arrived[player] += 1;
                }
            }
            let report = tick(&mut session, mine, &known);
            assert_eq!(report.state == SessionState::Running, !report.simulation_frozen, "seed {seed}");
        }
        let mut truth = Game::new();
        truth.reset(seed, players).unwrap();
        for frame in (0..=200).map(Frame::new) {
            let at = frame.number() as usize;
            let pressed: Vec<_> = (0..players)
                .map(|player| PlayerInput { input: inputs[player][at], command: Command::NONE, status: InputStatus::Confirmed })
                .collect();
            truth.step(frame, &FrameInputs::new(&pressed), &mut Effects::with_capacity(0));
            if let Some(snapshot) = session.snapshot(frame) {
                assert_eq!(snapshot, bytemuck::bytes_of(&truth.memory), "seed {seed}, frame {frame}");
            }
        }
        for (seen, count) in seen.iter_mut().zip(session.stats().transitions()) {
            *seen += count;
        }
    }
    for (row, count) in SESSION_STATES.iter().zip(seen) {
        assert_eq!(count > 0, row.1 != SessionEvent::RestoreFailed, "{row:?} was taken {count} times");
    }
}

#[test]
fn the_overlay_comes_with_a_stand_still_that_lasts() {
    let mut session = RollbackSession::new(Game::new(), two_players()).unwrap();
    let mut shown = Vec::new();
    let mut run = |session: &mut RollbackSession<Game>, ticks: usize, known: &[InputSample<u8>]| {
        for _ in 0..ticks {
            shown.push(if tick(session, 1, known).overlay == Some(RECOVERING_CONNECTION) { '#' } else { '.' });
        }
    };
    run(&mut session, 8, &[]);
    run(&mut session, 5, &[]);
    let known: Vec<_> = (0..8).map(|frame| confirmed(frame, 0)).collect();
    run(&mut session, 1, &known);
    run(&mut session, 7, &[]);
    run(&mut session, 8, &[]);
    let known: Vec<_> = (8..30).map(|frame| confirmed(frame, 0)).collect();
    run(&mut session, 10, &known);
    assert_eq!(shown.iter().collect::<String>(), format!("{}{}{}", ".".repeat(26), "###", "#####....."));
}

/// Restores nothing.
struct Broken(Game);

impl Simulation for Broken {
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

    fn restore(&mut self, _: &[u8]) -> Result<(), InvalidState> {
        Err(InvalidState::WrongLength { expected: 1, found: 2 })
    }
}

#[test]
fn a_state_that_is_not_taken_back_ends_the_session_loudly_and_for_good() {
    let mut session = RollbackSession::new(Broken(Game::new()), two_players()).unwrap();
    let local = [LocalInput::new(ME, 1)];
    for _ in 0..3 {
        session.tick(&local, &[]).unwrap();
    }
    let error = session.tick(&local, &[confirmed(0, CROUCH)]).unwrap_err();
    assert!(matches!(error, SessionError::RestoreFailed { frame: Frame::INITIAL, .. }), "{error}");
    assert_eq!(session.state(), SessionState::FallbackOffered);
    for _ in 0..3 {
        assert_eq!(session.tick(&local, &[confirmed(1, 0)]), Err(error.clone()));
        assert_eq!(session.tick_frozen(FreezeReason::MatchOver), Err(error.clone()));
    }
    assert_eq!((session.current_frame(), session.newest_local_frame()), (Frame::new(2), Frame::new(2)));
    assert_eq!(session.confirmed_frame(), Frame::INITIAL);
}
