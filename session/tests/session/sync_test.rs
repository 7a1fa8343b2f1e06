//! The sync test finds what a snapshot leaves out, and names it.

use crate::game::*;
use snapback::state::pod;
use snapback::*;

#[test]
fn a_good_game_passes_at_every_distance() {
    for distance in [1, 2, 7, 60] {
        let mut test = SyncTestSession::new(Game::new(), 3, 2, distance, RollbackConfig::default()).unwrap();
        let mut rng = Rng::new(1, 0);
        for _ in 0..300 {
            let inputs = [LocalInput::new(ME, rng.next_u32() as u8), LocalInput::new(OTHER, rng.next_u32() as u8)];
            test.tick(&inputs).unwrap();
        }
        assert_eq!(test.current_frame(), Frame::new(299));
    }
}

/// From frame 50 on it counts in a field that the snapshot leaves out.
struct Forgetful {
    game: Game,
    hidden: u64,
}

impl Simulation for Forgetful {
    type Input = u8;
    fn id(&self) -> SimulationId {
        self.game.id()
    }
    fn layout(&self) -> StateLayout {
        self.game.layout()
    }
    fn reset(&mut self, seed: u64, players: usize) -> Result<(), ResetError> {
        self.game.reset(seed, players)
    }
    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, u8>, effects: &mut Effects) {
        self.game.step(frame, inputs, effects);
        if frame >= Frame::new(50) {
            self.hidden += 1;
            self.game.memory.last[7] = self.hidden as u8;
        }
    }
    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.game.memory, out);
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.game.memory, snapshot)
    }
}

#[test]
fn state_outside_the_snapshot_is_found_at_its_frame_and_field() {
    let mut test = SyncTestSession::new(Forgetful { game: Game::new(), hidden: 0 }, 3, 1, 4, RollbackConfig::default()).unwrap();
    let error = (0..100).find_map(|_| test.tick(&[LocalInput::new(ME, 0)]).err()).unwrap();
    let SyncTestError::Diverged(divergence) = &error else { panic!("{error}") };
    assert_eq!(divergence.frame, Frame::new(50));
    assert_eq!(divergence.field.as_ref().map(|field| field.path.as_str()), Some("last[7]"));
    assert!(error.to_string().contains("last[7]: 1 (0x01) against 2 (0x02)"), "{error}");
}

#[test]
fn impossible_distances_and_players_are_refused() {
    for distance in [0, 89] {
        assert!(SyncTestSession::new(Game::new(), 3, 1, distance, RollbackConfig::default()).is_err());
    }
    let mut test = SyncTestSession::new(Game::new(), 3, 1, 4, RollbackConfig::default()).unwrap();
    assert!(test.tick(&[LocalInput::new(OTHER, 1)]).is_err());
}
