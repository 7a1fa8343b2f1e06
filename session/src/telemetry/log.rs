//! [`RollbackLog`]: the last corrections of a session.

use super::event::{ReplayedFrame, RollbackEvent};
use super::ring::Ring;
use snapback_core::{Frame, PlayerHandle, StateHash};

/// The last corrections. Allocates when it is made and never again.
#[derive(Clone, Debug)]
pub(crate) struct RollbackLog {
    ring: Ring<RollbackEvent>,
}

impl RollbackLog {
    /// Room for so many corrections, each of which replays at most `most_replayed` frames.
    pub(crate) fn new(capacity: usize, most_replayed: usize) -> Self {
        Self { ring: Ring::new(capacity, || RollbackEvent::vacant(most_replayed)) }
    }

    /// A correction begins.
    pub(crate) fn begin(&mut self, corrected_frame: Frame, present_frame: Frame, before_hash: StateHash, goes_on: bool) {
        let number = self.ring.pushed();
        let Some(event) = self.ring.push() else { return };
        let mut replayed = core::mem::take(&mut event.replayed);
        replayed.clear();
        let restored_frame = corrected_frame.previous();
        *event = RollbackEvent {
            number,
            cause: None,
            corrected_frame,
            restored_frame,
            present_frame,
            depth_frames: u32::try_from(present_frame - restored_frame).unwrap_or(u32::MAX),
            before_hash,
            after_hash: None,
            goes_on,
            replayed,
        };
    }

    /// It has played a frame again.
    pub(crate) fn replay(&mut self, frame: ReplayedFrame) {
        let Some(event) = self.ring.newest_mut() else { return };
        if event.replayed.is_empty() && !event.goes_on {
            event.cause = frame.changed.iter().next();
        }
        if event.replayed.len() < event.replayed.capacity() {
            event.replayed.push(frame);
        }
    }

    /// It has come to the present.
    pub(crate) fn end(&mut self, after_hash: StateHash) {
        if let Some(event) = self.ring.newest_mut() {
            event.after_hash = Some(after_hash);
        }
    }

    /// Those from `number` on that are still here, the oldest first.
    pub(crate) fn since(&self, number: u64) -> impl Iterator<Item = &RollbackEvent> + '_ {
        self.ring.since(number)
    }
}

/// The seats of players for whom `is_one` is true.
pub(crate) fn players(count: usize, is_one: impl Fn(usize) -> bool) -> snapback_core::PlayerSet {
    let one = |set: snapback_core::PlayerSet, seat: usize| if is_one(seat) { set.with(PlayerHandle::new(seat as u8)) } else { set };
    (0..count).fold(snapback_core::PlayerSet::EMPTY, one)
}
