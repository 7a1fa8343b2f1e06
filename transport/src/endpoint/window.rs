//! [`InputWindow`]: which frames of input ride in the next packet, and how many can be owed.

use crate::packet::PeerParams;
use snapback_core::Frame;
use snapback_core::limits::{MAX_RESEND_FLOOR_FRAMES, MAX_RUN_FRAMES};

/// The frames of one packet, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputWindow {
    /// The oldest.
    pub first: Frame,
    /// How many; 0 if there is nothing to send yet.
    pub frame_count: usize,
}

impl InputWindow {
    /// The window that ends at `newest`: everything after `acked`, at least `floor_frames` before
    /// the newest, nothing before `start`, and at most `cap_frames`. If more is owed than the cap,
    /// the oldest frames are in it: those the peer needs first.
    #[must_use]
    pub fn new(start: Frame, newest: Frame, acked: Frame, floor_frames: u32, cap_frames: usize) -> Self {
        let first = acked.next().min(newest - i64::from(floor_frames)).max(start);
        let frame_count = usize::try_from(newest - first + 1).unwrap_or(0).min(cap_frames);
        Self { first, frame_count }
    }

    /// The next smaller window, for a datagram that this one does not fit: first without the frames
    /// that the peer has, then without the newest. `None` if nothing is left to leave out.
    #[must_use]
    pub fn shrunk(&self, acked: Frame) -> Option<Self> {
        let known = (acked.next() - self.first).clamp(0, self.frame_count as i64);
        if known > 0 {
            let frame_count = self.frame_count - known as usize;
            return Some(Self { first: self.first + known, frame_count });
        }
        (self.frame_count > 1).then_some(Self { frame_count: self.frame_count / 2, ..*self })
    }

    /// The newest frame; the one before the oldest if there is none.
    #[must_use]
    pub fn last(&self) -> Frame {
        self.first + self.frame_count as i64 - 1
    }
}

/// The most frames of input that one of two peers can owe the other, whatever their current
/// prediction windows and input delays are: both windows and both delays at their maxima.
#[must_use]
pub fn most_owed_frames(a: &PeerParams, b: &PeerParams) -> usize {
    [a.window_max_frames, b.window_max_frames, a.delay_max_frames, b.delay_max_frames].into_iter().map(usize::from).sum()
}

/// The most frames in one packet: above everything that can be owed, and above every floor that a
/// peer may have.
#[must_use]
pub fn cap_frames(a: &PeerParams, b: &PeerParams) -> usize {
    (most_owed_frames(a, b).max(MAX_RESEND_FLOOR_FRAMES as usize) + 1).min(MAX_RUN_FRAMES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_the_floor_or_everything_owed() {
        let frame = Frame::new;
        let window = |newest, acked| InputWindow::new(frame(0), frame(newest), frame(acked), 8, 40);
        assert_eq!(window(100, 99), InputWindow { first: frame(92), frame_count: 9 });
        assert_eq!(window(100, 80), InputWindow { first: frame(81), frame_count: 20 });
        assert_eq!(window(100, 10), InputWindow { first: frame(11), frame_count: 40 });
        assert_eq!(window(3, -1), InputWindow { first: frame(0), frame_count: 4 });
        assert_eq!(window(-1, -1).frame_count, 0);
        assert_eq!(window(100, 99).last(), frame(100));
    }

    #[test]
    fn what_is_owed_is_left_out_last_and_the_oldest_of_it_never() {
        let frame = Frame::new;
        let window = InputWindow::new(frame(0), frame(100), frame(96), 8, 40);
        let owed = window.shrunk(frame(96)).unwrap();
        assert_eq!(owed, InputWindow { first: frame(97), frame_count: 4 });
        assert_eq!(owed.shrunk(frame(96)), Some(InputWindow { first: frame(97), frame_count: 2 }));
        let everything_known = window.shrunk(frame(100)).unwrap();
        assert_eq!((everything_known.frame_count, everything_known.last()), (0, frame(100)));
        assert_eq!(InputWindow { first: frame(97), frame_count: 1 }.shrunk(frame(96)), None);
    }
}
