//! Sync tests of three libraries, and the work that none of them can do without.
//!
//! All play [`BlockGame`] and go back [`DISTANCE_FRAMES`] at every frame. [`Ideal`] is what is left if a
//! library costs nothing: the frame and its snapshot; a restore; seven frames again, each with its
//! snapshot. Eight steps, eight copies out and one in, straight between two places in memory. It compares
//! nothing, so whoever compares must be cheaper elsewhere to reach it.
//!
//! Ours compares every byte of every state. ggrs and fortress-rollback compare checksums that the game
//! must compute; without them they find nothing, so both are measured with and without. They do not
//! save the state that they have just loaded, nor the newest one before the next frame: seven copies out.

use crate::block_game::BlockGame;
use crate::pad::{Pad, restless};
use fortress_rollback::FortressRequest;
use ggrs::GgrsRequest;
use snapback::{Frame, LocalInput, PlayerHandle, RollbackConfig, Simulation, SyncTestSession};
use std::net::SocketAddr;

/// How far every frame goes back.
pub const DISTANCE_FRAMES: usize = 7;

/// Both players, as any of the libraries wants it.
const PAD: Pad = restless;

/// The steps and copies, and nothing else.
pub struct Ideal<const WORDS: usize> {
    game: BlockGame<WORDS>,
    ring: Vec<u8>,
    frame: usize,
}

/// Slots of the ring: the frames that are played again, and the one before them.
const SLOTS: usize = DISTANCE_FRAMES + 1;

impl<const WORDS: usize> Default for Ideal<WORDS> {
    fn default() -> Self {
        Self { game: BlockGame::default(), ring: vec![0; SLOTS * size_of::<[u64; WORDS]>()], frame: 0 }
    }
}

impl<const WORDS: usize> Ideal<WORDS> {
    /// One frame.
    ///
    /// # Panics
    /// Never: the sizes fit.
    pub fn tick(&mut self) {
        self.play(self.frame);
        let first = self.frame.saturating_sub(DISTANCE_FRAMES);
        let slot = slot::<WORDS>(first);
        self.game.restore(&self.ring[slot]).expect("the sizes fit");
        for frame in first..self.frame {
            self.play(frame + 1);
        }
        self.frame += 1;
    }

    fn play(&mut self, frame: usize) {
        self.game.fold(pressed(frame as i64));
        self.game.capture(&mut self.ring[slot::<WORDS>(frame)]);
    }
}

fn slot<const WORDS: usize>(frame: usize) -> std::ops::Range<usize> {
    let bytes = size_of::<[u64; WORDS]>();
    let start = frame % SLOTS * bytes;
    start..start + bytes
}

fn pressed(frame: i64) -> [u16; 2] {
    [PAD(0, frame), PAD(1, frame)]
}

/// Our sync test as it comes.
pub struct Ours<const WORDS: usize>(SyncTestSession<BlockGame<WORDS>>);

impl<const WORDS: usize> Default for Ours<WORDS> {
    fn default() -> Self {
        let config = RollbackConfig::default();
        Self(SyncTestSession::new(BlockGame::default(), 0, 2, DISTANCE_FRAMES as u32, config).expect("these settings are possible"))
    }
}

impl<const WORDS: usize> Ours<WORDS> {
    /// One frame.
    ///
    /// # Panics
    /// If the game were not deterministic.
    pub fn tick(&mut self) {
        let frame = self.0.current_frame().next();
        let inputs = [0, 1].map(|seat| LocalInput::new(PlayerHandle::new(seat), PAD(seat.into(), frame.number())));
        self.0.tick(&inputs).expect("the game is deterministic");
    }

    /// The last frame that was played.
    #[must_use]
    pub fn current_frame(&self) -> Frame {
        self.0.current_frame()
    }
}

/// The types of the game, for both of the others.
pub struct BlockConfig<const WORDS: usize>;

impl<const WORDS: usize> ggrs::Config for BlockConfig<WORDS> {
    type Input = u16;
    type InputPredictor = ggrs::PredictRepeatLast;
    type State = BlockGame<WORDS>;
    type Address = SocketAddr;
}

impl<const WORDS: usize> fortress_rollback::Config for BlockConfig<WORDS> {
    type Input = u16;
    type State = BlockGame<WORDS>;
    type Address = SocketAddr;
}

/// ggrs's sync test.
pub struct Ggrs<const WORDS: usize> {
    session: ggrs::SyncTestSession<BlockConfig<WORDS>>,
    game: BlockGame<WORDS>,
    has_checksums: bool,
}

impl<const WORDS: usize> Ggrs<WORDS> {
    /// With the checksums that it needs to find anything, or without.
    ///
    /// # Panics
    /// Never: its settings are possible.
    #[must_use]
    pub fn new(has_checksums: bool) -> Self {
        let session = ggrs::SessionBuilder::new().with_num_players(2).expect("two players are possible");
        let session = session.with_max_prediction_window(DISTANCE_FRAMES + 1).with_check_distance(DISTANCE_FRAMES);
        let session = session.start_synctest_session().expect("these settings are possible");
        Self { session, game: BlockGame::default(), has_checksums }
    }

    /// One frame.
    ///
    /// # Panics
    /// If the game were not deterministic.
    pub fn tick(&mut self) {
        for (seat, input) in pressed(self.session.current_frame().into()).into_iter().enumerate() {
            self.session.add_local_input(seat, input).expect("the seat exists");
        }
        for request in self.session.advance_frame().expect("the game is deterministic") {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    cell.save(frame, Some(self.game.clone()), self.has_checksums.then(|| self.game.checksum()));
                }
                GgrsRequest::LoadGameState { cell, .. } => self.game = cell.load().expect("a saved state loads"),
                GgrsRequest::AdvanceFrame { inputs } => self.game.fold([inputs[0].0, inputs[1].0]),
            }
        }
    }
}

/// The sync test of fortress-rollback.
pub struct Fortress<const WORDS: usize> {
    session: fortress_rollback::SyncTestSession<BlockConfig<WORDS>>,
    game: BlockGame<WORDS>,
    has_checksums: bool,
}

impl<const WORDS: usize> Fortress<WORDS> {
    /// With the checksums that it needs to find anything, or without.
    ///
    /// # Panics
    /// Never: its settings are possible.
    #[must_use]
    pub fn new(has_checksums: bool) -> Self {
        let session = fortress_rollback::SessionBuilder::new().with_num_players(2).expect("two players are possible");
        let session = session.with_max_prediction_window(DISTANCE_FRAMES + 1).with_check_distance(DISTANCE_FRAMES);
        let session = session.start_synctest_session().expect("these settings are possible");
        Self { session, game: BlockGame::default(), has_checksums }
    }

    /// One frame.
    ///
    /// # Panics
    /// If the game were not deterministic.
    pub fn tick(&mut self) {
        for (seat, input) in pressed(self.session.current_frame().as_i32().into()).into_iter().enumerate() {
            self.session.add_local_input(fortress_rollback::PlayerHandle::new(seat), input).expect("the seat exists");
        }
        for request in self.session.advance_frame().expect("the game is deterministic") {
            match request {
                FortressRequest::SaveGameState { cell, frame } => {
                    cell.save(frame, Some(self.game.clone()), self.has_checksums.then(|| self.game.checksum()));
                }
                FortressRequest::LoadGameState { cell, .. } => self.game = cell.load().expect("a saved state loads"),
                FortressRequest::AdvanceFrame { inputs } => self.game.fold([inputs[0].0, inputs[1].0]),
            }
        }
    }
}
