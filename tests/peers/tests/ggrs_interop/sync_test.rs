//! ggrs's `SyncTestSession`.

use crate::ledger::{Ledger, SEED, said, straight};
use ggrs::{GgrsError, SessionBuilder, SyncTestSession};
use snapback::interop::{GgrsConfig, GgrsGame, GgrsGameError, InputBlock};
use snapback::state::pod;
use snapback::{Effects, Frame, FrameInputs, InvalidState, ResetError, Simulation, SimulationId, StateLayout};
use snapback_peers::pad::restless;

fn session<S: Simulation + 'static>() -> SyncTestSession<GgrsConfig<S>> {
    SessionBuilder::new().with_check_distance(7).start_synctest_session().unwrap()
}

/// Plays a frame of two players.
fn play<S: Simulation<Input = u16> + 'static>(
    session: &mut SyncTestSession<GgrsConfig<S>>,
    game: &mut GgrsGame<S>,
    frame: i64,
) -> Result<(), GgrsError> {
    for seat in 0..2 {
        let block = InputBlock { input: restless(seat, frame), command: said(seat, frame) };
        session.add_local_input(seat, block)?;
    }
    assert!(game.fulfil(session.advance_frame()?).unwrap().advanced);
    Ok(())
}

#[test]
fn a_game_that_keeps_the_rules_passes_and_has_the_straight_hashes() {
    let (mut session, mut game) = (session(), GgrsGame::new(Ledger::default(), SEED, 2).unwrap());
    for (frame, expected) in (0..500).zip(straight(restless, 500)) {
        play(&mut session, &mut game, frame).unwrap();
        assert_eq!((game.frame(), game.state_hash()), (Frame::new(frame), expected));
    }
}

/// Counts beside its state.
#[derive(Default)]
struct Forgetful {
    points: u64,
    left_out: u64,
}

impl Simulation for Forgetful {
    type Input = u16;

    fn id(&self) -> SimulationId {
        SimulationId { name: "forgetful", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<u64>()
    }

    fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> {
        Ok(())
    }

    fn step(&mut self, _: Frame, _: &FrameInputs<'_, u16>, _: &mut Effects) {
        self.left_out += 1;
        self.points += self.left_out;
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.points, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.points, snapshot)
    }
}

#[test]
fn a_state_that_is_left_out_is_found() {
    let (mut session, mut game) = (session(), GgrsGame::new(Forgetful::default(), SEED, 2).unwrap());
    let found = (0..20).find_map(|frame| play(&mut session, &mut game, frame).err());
    assert!(matches!(found, Some(GgrsError::MismatchedChecksum { .. })), "{found:?}");
}

#[test]
fn requests_that_were_left_out_are_named() {
    let (mut session, mut game) = (session(), GgrsGame::new(Ledger::default(), SEED, 2).unwrap());
    play(&mut session, &mut game, 0).unwrap();
    for seat in 0..2 {
        session.add_local_input(seat, InputBlock::new(0)).unwrap();
    }
    drop(session.advance_frame().unwrap());
    for seat in 0..2 {
        session.add_local_input(seat, InputBlock::new(0)).unwrap();
    }
    let fulfilled = game.fulfil(session.advance_frame().unwrap());
    assert_eq!(fulfilled, Err(GgrsGameError::OutOfOrder { asked: 2, at: 1 }));
}
