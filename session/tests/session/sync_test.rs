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

/// A game whose capture can be spoiled, in a way that the test chooses.
struct Spoiled {
    game: Game,
    how: Spoil,
    captures: std::cell::Cell<u8>,
}

#[derive(Clone, Copy, PartialEq)]
enum Spoil {
    /// From frame 40 on the last byte is left as it is in the buffer.
    NotWritten,
    /// A counter of captures stands where state should.
    Counter,
    /// Restore forgets a field.
    NotRestored,
    /// One frame, one time, one of many times that it is played.
    Once,
}

impl Spoiled {
    fn test(how: Spoil) -> SyncTestSession<Self> {
        let spoiled = Self { game: Game::new(), how, captures: 0.into() };
        SyncTestSession::new(spoiled, 3, 2, 7, RollbackConfig::default()).unwrap()
    }

    fn steps_of(&self, frame: i64) -> usize {
        self.game.log.iter().filter(|line| **line == format!("step {frame}")).count()
    }
}

impl Simulation for Spoiled {
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
        self.game.memory.last[6] = 0;
        if self.how == Spoil::Once && frame == Frame::new(60) && self.steps_of(60) == 4 {
            self.game.memory.last[6] = 9;
        }
    }
    fn capture(&self, out: &mut [u8]) {
        self.captures.set(self.captures.get().wrapping_add(1));
        let kept = out[23];
        pod::capture(&self.game.memory, out);
        match self.how {
            Spoil::NotWritten if self.game.memory.steps > 40 => out[23] = kept,
            Spoil::Counter => out[22] = self.captures.get(),
            _ => {}
        }
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        let kept = self.game.memory.digest;
        pod::restore(&mut self.game.memory, snapshot)?;
        if self.how == Spoil::NotRestored {
            self.game.memory.digest = kept;
        }
        Ok(())
    }
}

/// What a test finds in 200 frames, with inputs that change.
fn found<S: Simulation<Input = u8>>(test: &mut SyncTestSession<S>) -> Option<SyncTestError> {
    let mut rng = Rng::new(2, 0);
    (0..200).find_map(|_| test.tick(&[0, 1].map(|seat| LocalInput::new(PlayerHandle::new(seat), rng.next_u32() as u8))).err())
}

#[test]
fn captures_that_cannot_be_trusted_are_told_apart_and_named() {
    let error = found(&mut Spoiled::test(Spoil::NotWritten)).unwrap();
    let SyncTestError::NotWritten { frame, field, offset_bytes } = &error else { panic!("{error}") };
    // Found at the next look at the captures, which comes every 32 frames.
    assert_eq!((*frame, field.as_str(), *offset_bytes), (Frame::new(64), "last[7]", 23));
    insta::assert_snapshot!(error, @"capture after frame 64 does not write last[7] at byte 23: it keeps what was in the buffer; have capture write every byte, unused ones as zeros");

    let error = found(&mut Spoiled::test(Spoil::Counter)).unwrap();
    let SyncTestError::Unstable { frame: Frame::ZERO, field: Some(field) } = &error else { panic!("{error}") };
    assert_eq!(field.path, "last[6]");
    assert!(error.to_string().contains("two captures in a row after frame 0 differ; first field last[6]"), "{error}");

    let error = found(&mut Spoiled::test(Spoil::NotRestored)).unwrap();
    let SyncTestError::NotRestored { field: Some(field), .. } = &error else { panic!("{error}") };
    assert_eq!(field.path, "digest");
}

#[test]
fn without_looks_at_the_captures_a_difference_is_still_explained() {
    let error = found(&mut Spoiled::test(Spoil::Counter).check_captures_every(0)).unwrap();
    assert!(matches!(error, SyncTestError::Unstable { .. }), "{error}");
    let error = found(&mut Spoiled::test(Spoil::NotRestored).check_captures_every(0)).unwrap();
    assert!(matches!(error, SyncTestError::NotRestored { .. }), "{error}");
}

/// Of seven distances a frame is compared at the first, the last and at most one of the others: what happens
/// once, at one of the others, and leaves no trace is found for certain only if every frame is compared.
#[test]
fn a_fault_that_happens_once_is_found_if_every_frame_is_compared() {
    let error = found(&mut Spoiled::test(Spoil::Once).compare_every_frame(true)).unwrap();
    let SyncTestError::Diverged(divergence) = &error else { panic!("{error}") };
    assert_eq!(divergence.frame, Frame::new(60));
    assert_eq!(divergence.field.as_ref().map(|field| field.path.as_str()), Some("last[6]"));
}

/// A state beside the snapshot that shows only at one distance, and heals.
struct OneDistance {
    game: Game,
    since_restore: i64,
    at: i64,
}

impl Simulation for OneDistance {
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
        self.since_restore += 1;
        self.game.memory.last[6] = u8::from(self.since_restore == self.at);
    }
    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.game.memory, out);
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.since_restore = 0;
        pod::restore(&mut self.game.memory, snapshot)
    }
}

#[test]
fn a_fault_at_any_one_distance_is_found_within_seven_ticks() {
    for at in 1..=7 {
        let game = OneDistance { game: Game::new(), since_restore: 100, at };
        let mut test = SyncTestSession::new(game, 3, 2, 7, RollbackConfig::default()).unwrap();
        let error = found(&mut test).unwrap();
        let SyncTestError::Diverged(divergence) = &error else { panic!("{error}") };
        assert_eq!(divergence.field.as_ref().map(|field| field.path.as_str()), Some("last[6]"), "distance {at}");
        // All distances are there from frame 6 on.
        assert!(test.current_frame() <= Frame::new(13), "distance {at} at {}", test.current_frame());
    }
}

/// The first frame that differs is named even if only a later one was compared.
#[test]
fn the_first_frame_is_named_and_not_the_first_that_was_compared() {
    let mut test = SyncTestSession::new(Forgetful { game: Game::new(), hidden: 0 }, 3, 1, 7, RollbackConfig::default()).unwrap();
    let error = (0..100).find_map(|_| test.tick(&[LocalInput::new(ME, 0)]).err()).unwrap();
    assert!(matches!(&error, SyncTestError::Diverged(divergence) if divergence.frame == Frame::new(50)), "{error}");
}
