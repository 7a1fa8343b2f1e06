//! [`RollbackEvent`]: what one correction did.

use snapback_core::{Frame, PlayerHandle, PlayerSet, StateHash};

/// One correction: which frame was wrong and by whom, what was restored, and what became of every frame that was
/// played again.
///
/// A correction that takes several ticks has an event for each of them; all but the first say
/// [`goes_on`](Self::goes_on), and only the last has an [`after_hash`](Self::after_hash).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RollbackEvent {
    /// Counts from 0, without gaps.
    pub number: u64,
    /// Whose input was predicted wrongly in the corrected frame, the lowest seat if there are several; none
    /// if it goes on with the event before.
    pub cause: Option<PlayerHandle>,
    /// The first frame that was wrong.
    pub corrected_frame: Frame,
    /// The frame whose state was restored: the one before.
    pub restored_frame: Frame,
    /// The frame that the session had reached.
    pub present_frame: Frame,
    /// How far it went back: from the present to the restored frame.
    pub depth_frames: u32,
    /// The hash of the present before the correction: what was guessed.
    pub before_hash: StateHash,
    /// The hash of the present after it; none if the correction has not come to the present yet.
    pub after_hash: Option<StateHash>,
    /// Whether it goes on with the event before.
    pub goes_on: bool,
    pub(super) replayed: Vec<ReplayedFrame>,
}

/// A frame that a correction played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayedFrame {
    /// The frame.
    pub frame: Frame,
    /// The hash of the state after it, now.
    pub hash: StateHash,
    /// The players whose input is another than the one that was used before.
    pub changed: PlayerSet,
    /// The players whose input is confirmed now, and not guessed.
    pub confirmed: PlayerSet,
}

impl RollbackEvent {
    /// Every frame that was played again, in order.
    #[must_use]
    pub fn replayed(&self) -> &[ReplayedFrame] {
        &self.replayed
    }

    /// Whether the picture changed: what was guessed was not the same in the end.
    #[must_use]
    pub fn changed_the_present(&self) -> bool {
        self.after_hash.is_some_and(|after| after != self.before_hash)
    }

    pub(super) fn vacant(most_replayed: usize) -> Self {
        Self {
            number: 0,
            cause: None,
            corrected_frame: Frame::INITIAL,
            restored_frame: Frame::INITIAL,
            present_frame: Frame::INITIAL,
            depth_frames: 0,
            before_hash: StateHash::from_bits(0),
            after_hash: None,
            goes_on: false,
            replayed: Vec::with_capacity(most_replayed),
        }
    }
}
