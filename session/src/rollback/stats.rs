//! [`SessionStats`]: what a session has done so far.

use super::state::SESSION_STATES;

/// Depths up to this are counted one by one.
const DEPTHS: usize = 32;

/// What a session has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionStats {
    /// Frames that were simulated for the first time.
    pub frames: u64,
    /// Ticks that rewound.
    pub rollbacks: u64,
    /// Frames that were simulated again.
    pub resimulated_frames: u64,
    /// Ticks that did not advance while the match was on.
    pub stalled_frames: u64,
    /// The deepest rewind, in frames.
    pub max_depth: u32,
    depth_counts: [u64; DEPTHS],
    transitions: [u64; SESSION_STATES.len()],
}

impl Default for SessionStats {
    fn default() -> Self {
        Self {
            frames: 0,
            rollbacks: 0,
            resimulated_frames: 0,
            stalled_frames: 0,
            max_depth: 0,
            depth_counts: [0; DEPTHS],
            transitions: [0; SESSION_STATES.len()],
        }
    }
}

impl SessionStats {
    pub(super) fn count_transition(&mut self, row: usize) {
        if let Some(count) = self.transitions.get_mut(row) {
            *count += 1;
        }
    }

    /// How often each row of [`SESSION_STATES`] was taken.
    #[must_use]
    pub fn transitions(&self) -> &[u64; SESSION_STATES.len()] {
        &self.transitions
    }

    /// Counts a rewind of this depth, of which so many frames were simulated again in this tick. What goes
    /// on with the rewind of the tick before counts as the same one.
    pub(super) fn count_rollback(&mut self, depth: u32, resimulated: u32, goes_on: bool) {
        self.resimulated_frames += u64::from(resimulated);
        if goes_on {
            return;
        }
        self.rollbacks += 1;
        self.max_depth = self.max_depth.max(depth);
        if let Some(count) = self.depth_counts.get_mut((depth as usize).min(DEPTHS - 1)) {
            *count += 1;
        }
    }

    /// How many rewinds were this deep, by depth from 0 to the deepest. Depths over 31 count as 31.
    #[must_use]
    pub fn depth_counts(&self) -> &[u64] {
        let len = self.depth_counts.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
        self.depth_counts.get(..len).unwrap_or(&[])
    }

    /// The mean number of frames that a rewind simulated again, in thousandths; 0 if there was none.
    #[must_use]
    pub fn mean_depth_thousandths(&self) -> u64 {
        (1000 * self.resimulated_frames).checked_div(self.rollbacks).unwrap_or(0)
    }
}
