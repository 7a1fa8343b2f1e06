//! What a session does about one remote player whose inputs come with a fixed latency: which frames it rolls
//! back, and which it has shown wrong. No game is needed for that, so a model is enough.
//!
//! At tick n the session plays frame n, and knows the player's inputs up to frame n - latency: that is the
//! one-way latency in ticks less the input delay. If the input that has just come is not what its frame was
//! played with, that is a rollback, and all `latency` frames since are simulated again, those after the first
//! on new guesses. The frame that is shown is wrong if any guess that is in it will turn out to be.

use snapback::{Frame, InputPast, InputPredictor, PlayerHandle, SimInput};

/// What was counted.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Counts {
    /// Frames that were played and shown.
    pub(crate) frames: u64,
    pub(crate) rollbacks: u64,
    pub(crate) resimulated_frames: u64,
    /// Frames that were shown and that a correction later proved wrong.
    pub(crate) wrong_frames: u64,
}

impl core::iter::Sum for Counts {
    fn sum<T: Iterator<Item = Self>>(all: T) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            frames: sum.frames + one.frames,
            rollbacks: sum.rollbacks + one.rollbacks,
            resimulated_frames: sum.resimulated_frames + one.resimulated_frames,
            wrong_frames: sum.wrong_frames + one.wrong_frames,
        })
    }
}

/// One tick for every input that the player pressed.
pub(crate) fn play<I: SimInput, P: InputPredictor<I>>(pressed: &[I], latency: usize, predictor: &P) -> Counts {
    let player = PlayerHandle::new(1);
    let mut used = vec![I::zeroed(); pressed.len()];
    let mut counts = Counts::default();
    for tick in 0..pressed.len() {
        let newest = tick.checked_sub(latency);
        let mut from = tick;
        if let Some(newest) = newest
            && used[newest] != pressed[newest]
        {
            used[newest] = pressed[newest];
            from = newest + 1;
            counts.rollbacks += 1;
            counts.resimulated_frames += (tick - newest) as u64;
        }
        for frame in from..=tick {
            let before = |back| frame.checked_sub(back).map_or_else(I::zeroed, |at| used[at]);
            let past = InputPast { newest: newest.map(|at| (Frame::new(at as i64), &pressed[at])), used: [&before(1), &before(2)] };
            used[frame] = predictor.predict(player, Frame::new(frame as i64), &past);
        }
        let guessed = newest.map_or(0, |newest| newest + 1)..=tick;
        counts.wrong_frames += u64::from(used[guessed.clone()] != pressed[guessed]);
        counts.frames += 1;
    }
    counts
}
