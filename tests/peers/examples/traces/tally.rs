//! [`Tally`]: what is counted of one peer while it is measured.

use snapback::{Frame, Simulation, StateHash};
use snapback_peers::tiny_game::TinyGame;

/// The seed of every match.
pub(crate) const SEED: u64 = 7;

/// From how many frames on a rollback is a jump that anybody sees.
pub(crate) const DEEP_FRAMES: u32 = 4;

/// What one peer did while it was measured.
#[derive(Clone, Copy, Default, Debug, serde::Serialize)]
pub(crate) struct Tally {
    /// Frames that were played for the first time.
    pub(crate) frames: u64,
    /// Ticks that played none.
    pub(crate) stalled_ticks: u64,
    /// How long those were: who slows down has fewer of them in the same time.
    pub(crate) frozen_us: u64,
    /// Times that frames were played again.
    pub(crate) rollbacks: u64,
    /// Frames that were played again.
    pub(crate) resimulated_frames: u64,
    /// Rollbacks of [`DEEP_FRAMES`] or more.
    pub(crate) deep_rollbacks: u64,
    /// The deepest rollback.
    pub(crate) deepest_frames: u32,
    /// Frames between the two peers, added up over `looks`.
    pub(crate) apart_frames: u64,
    /// How often it was looked.
    pub(crate) looks: u64,
    /// Confirmed frames that were compared, from the first frame of the match on.
    pub(crate) confirmed_frames: u64,
    /// Those whose hash was not the right one.
    pub(crate) disagreements: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Self) {
        self.frames += other.frames;
        self.stalled_ticks += other.stalled_ticks;
        self.frozen_us += other.frozen_us;
        self.rollbacks += other.rollbacks;
        self.deep_rollbacks += other.deep_rollbacks;
        self.resimulated_frames += other.resimulated_frames;
        self.deepest_frames = self.deepest_frames.max(other.deepest_frames);
        self.apart_frames += other.apart_frames;
        self.looks += other.looks;
        self.confirmed_frames += other.confirmed_frames;
        self.disagreements += other.disagreements;
    }

    /// How many frames were played again for each that was played, on average.
    pub(crate) fn mean_depth_of_frame(&self) -> f64 {
        if self.frames == 0 { 0.0 } else { self.resimulated_frames as f64 / self.frames as f64 }
    }

    /// Looks how far the two peers are apart.
    pub(crate) fn look(&mut self, frames: [i64; 2]) {
        self.apart_frames += frames[0].abs_diff(frames[1]);
        self.looks += 1;
    }

    /// How far they are apart, on average.
    pub(crate) fn mean_apart(&self) -> f64 {
        if self.looks == 0 { 0.0 } else { self.apart_frames as f64 / self.looks as f64 }
    }

    /// The mean depth of a rollback, in frames.
    pub(crate) fn mean_depth(&self) -> f64 {
        if self.rollbacks == 0 { 0.0 } else { self.resimulated_frames as f64 / self.rollbacks as f64 }
    }
}

/// The hashes that the inputs give without any netcode.
pub(crate) struct Truth {
    game: TinyGame,
    hashes: Vec<StateHash>,
}

impl Truth {
    pub(crate) fn new() -> Self {
        Self { game: TinyGame::default(), hashes: Vec::new() }
    }

    /// Whether `hash` is that of the state after `frame`, where `pressed` says what a seat's input for a frame is.
    pub(crate) fn agrees(&mut self, frame: Frame, hash: StateHash, pressed: impl Fn(usize, i64) -> u16) -> bool {
        while (self.hashes.len() as i64) <= frame.number() {
            let next = self.hashes.len() as i64;
            self.game.fold([pressed(0, next), pressed(1, next)]);
            let mut snapshot = [0; 8];
            self.game.capture(&mut snapshot);
            self.hashes.push(self.game.hash(SEED, Frame::new(next), &snapshot));
        }
        self.hashes.get(frame.number() as usize) == Some(&hash)
    }
}
