//! [`SpreadCopy`]: the newest frame a second time, in the middle between two frames.

use super::need::NeedState;

/// Says when the newest frame goes out once more, while repair is needed.
///
/// The copy is a data packet like any other: it has a sequence of its own, the newest
/// acknowledgements, and the window of inputs anew. So it is no duplicate to the receiver, and what
/// becomes of it is measured with the rest. It waits half a frame so that it does not share the fate
/// of the first: after an outage the first packet that gets through comes half a frame sooner.
///
/// The host program has to call at [`due_us`](Self::due_us). One that only calls once a frame sends
/// no copies: by then the next frame is newer.
///
/// ```
/// use snapback_transport::fec::{NeedState, SpreadCopy};
/// let mut spread = SpreadCopy::new(60);
/// spread.frame_sent(100_000, NeedState::Off);
/// assert_eq!(spread.due_us(), None);
/// spread.frame_sent(116_667, NeedState::On);
/// assert_eq!(spread.due_us(), Some(125_000));
/// assert!(!spread.take_due(124_999));
/// assert!(spread.take_due(125_000));
/// assert_eq!(spread.due_us(), None, "one copy for each frame");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpreadCopy {
    after_us: u64,
    due_us: Option<u64>,
}

impl SpreadCopy {
    /// For a simulation with this many steps a second; 0 counts as 1.
    #[must_use]
    pub fn new(simulation_hz: u16) -> Self {
        Self { after_us: 500_000 / u64::from(simulation_hz.max(1)), due_us: None }
    }

    /// How long after a frame its copy goes out, in microseconds.
    #[must_use]
    pub const fn after_us(&self) -> u64 {
        self.after_us
    }

    /// Notes that the packet of a new frame went out. A copy that was still due is dropped: this
    /// packet has all that it would have had.
    pub fn frame_sent(&mut self, now_us: u64, need: NeedState) {
        self.due_us = match need {
            NeedState::On => now_us.checked_add(self.after_us),
            NeedState::Off => None,
        };
    }

    /// When the copy goes out, if one is due.
    #[must_use]
    pub const fn due_us(&self) -> Option<u64> {
        self.due_us
    }

    /// Whether the copy is to be sent now. It is due only once.
    pub fn take_due(&mut self, now_us: u64) -> bool {
        let is_due = self.due_us.is_some_and(|due| due <= now_us);
        if is_due {
            self.due_us = None;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_frame_takes_the_place_of_a_copy_that_was_not_sent() {
        let mut spread = SpreadCopy::new(0);
        assert_eq!(spread.after_us, 500_000);
        spread.frame_sent(1, NeedState::On);
        spread.frame_sent(2, NeedState::On);
        assert_eq!(spread.due_us(), Some(500_002));
        spread.frame_sent(3, NeedState::Off);
        assert!(!spread.take_due(u64::MAX));
        spread.frame_sent(u64::MAX, NeedState::On);
        assert_eq!(spread.due_us(), None);
    }
}
