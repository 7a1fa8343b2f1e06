//! [`LinkChecks`]: what a peer has told of its frames, compared with ours.

use super::history::{CheckHistory, Record};
use snapback_core::{Frame, PlayerHandle};
use snapback_transport::endpoint::ReceivedCheck;

/// Checks of frames that are not confirmed here yet. More are not kept: the next one covers them.
const MAX_PENDING: usize = 32;

/// A check is sent again after so many packets of inputs without a new one, so that a link that loses most
/// packets brings one all the same.
pub(crate) const REPEAT_PACKETS: u32 = 30;

/// So many packets of inputs without a check of a later frame, while the peer demonstrably confirms frames,
/// are no accident: 25 checks or more were sent meanwhile, and none of them came.
const WITHHELD_PACKETS: u32 = 1_000;

/// For how long a peer must have played on, in seconds of the simulation.
const WITHHELD_SECONDS: i64 = 10;

/// The longest interval between two checks that a peer may have, in frames.
const MAX_INTERVAL_FRAMES: i64 = 240;

/// What a check says that ours does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Finding {
    /// After the same inputs, another state of that frame or of one before it.
    State { frame: Frame, ours: u32, theirs: u32 },
    /// Other inputs of a player, some time after the last frame that was verified.
    Inputs { player: PlayerHandle, after: Frame, until: Frame },
}

/// What a peer has told of its frames, and what is to be told to it.
pub(crate) struct LinkChecks {
    pending: Vec<ReceivedCheck>,
    verified: Frame,
    newest: Frame,
    packets_since: u32,
    /// A check is due on this link.
    pub(crate) is_due: bool,
    /// Packets of inputs since the last check went out.
    pub(crate) unchecked_packets: u32,
}

impl LinkChecks {
    /// Nothing told yet in a match that begins with `first`.
    pub(crate) fn new(first: Frame) -> Self {
        let before = first.previous();
        Self {
            pending: Vec::with_capacity(MAX_PENDING),
            verified: before,
            newest: before,
            packets_since: 0,
            is_due: false,
            unchecked_packets: 0,
        }
    }

    /// The last frame on which both are known to agree; the one before the first if there is none.
    pub(crate) fn verified(&self) -> Frame {
        self.verified
    }

    /// The newest frame that the peer has told of; the one before the first if there is none.
    pub(crate) fn newest(&self) -> Frame {
        self.newest
    }

    /// Takes a check that is newer than all before.
    pub(crate) fn take(&mut self, check: ReceivedCheck, history: &CheckHistory) -> Option<Finding> {
        self.newest = check.frame;
        self.packets_since = 0;
        match history.get(check.frame) {
            Some(record) => self.compare(&check, record),
            None => {
                if check.frame > history.newest() && self.pending.len() < MAX_PENDING {
                    self.pending.push(check);
                }
                None
            }
        }
    }

    /// Compares what was told too early, now that more is confirmed here.
    #[inline]
    pub(crate) fn settle(&mut self, history: &CheckHistory) -> Option<Finding> {
        if self.pending.is_empty() { None } else { self.settle_pending(history) }
    }

    fn settle_pending(&mut self, history: &CheckHistory) -> Option<Finding> {
        while let Some(check) = self.pending.first().copied().filter(|check| check.frame <= history.newest()) {
            self.pending.remove(0);
            let finding = history.get(check.frame).and_then(|record| self.compare(&check, record));
            if finding.is_some() {
                return finding;
            }
        }
        None
    }

    fn compare(&mut self, check: &ReceivedCheck, record: &Record) -> Option<Finding> {
        let ours = record.input_digests.as_slice().iter();
        let differs = ours.zip(check.input_digests.as_slice()).position(|(ours, theirs)| ours != theirs);
        if let Some(seat) = differs {
            let player = PlayerHandle::new(seat as u8);
            return Some(Finding::Inputs { player, after: self.verified, until: check.frame });
        }
        if record.states_digest != check.states_digest {
            return Some(Finding::State { frame: check.frame, ours: record.states_digest, theirs: check.states_digest });
        }
        self.verified = self.verified.max(check.frame);
        None
    }

    /// A packet of inputs came, of a peer whose inputs are here up to `received`. It has confirmed at least
    /// the frame `reach_frames` before that, or it could not have pressed them. Whether it withholds its
    /// checks: never of one that is paused, frozen or not heard, because then `received` stands still.
    pub(crate) fn is_withheld(&mut self, received: Frame, reach_frames: i64, simulation_hz: u32) -> bool {
        self.packets_since = self.packets_since.saturating_add(1);
        let patience_frames = WITHHELD_SECONDS * i64::from(simulation_hz) + MAX_INTERVAL_FRAMES + reach_frames;
        self.packets_since >= WITHHELD_PACKETS && received - self.newest >= patience_frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::{Command, InputStatus, PlayerInput, StateHash};

    fn history(frames: u32) -> CheckHistory {
        let mut history = CheckHistory::new(2, Frame::ZERO);
        for n in 0..frames {
            let pressed = |input: u16| PlayerInput { input, command: Command::NONE, status: InputStatus::Confirmed };
            history.push(StateHash::from_bits(0), n, &[pressed(n as u16), pressed(0)]);
        }
        history
    }

    fn check_of(frame: i64) -> ReceivedCheck {
        let history = history(frame as u32 + 1);
        let record = history.get(Frame::new(frame)).unwrap();
        ReceivedCheck { frame: Frame::new(frame), states_digest: record.states_digest, input_digests: record.input_digests }
    }

    #[test]
    fn the_same_is_verified_and_each_difference_is_named() {
        let mut checks = LinkChecks::new(Frame::ZERO);
        assert_eq!(checks.take(check_of(30), &history(40)), None);
        assert_eq!(checks.verified(), Frame::new(30));
        let lie = ReceivedCheck { states_digest: 7, ..check_of(35) };
        let (frame, ours, theirs) = (Frame::new(35), 35, 7);
        assert_eq!(checks.take(lie, &history(40)), Some(Finding::State { frame, ours, theirs }));
        for seat in [0, 1] {
            // Another state is what other inputs make.
            let mut lie = ReceivedCheck { states_digest: 7, ..check_of(38) };
            lie.input_digests.as_mut_slice()[seat] ^= 1;
            let finding = Finding::Inputs { player: PlayerHandle::new(seat as u8), after: Frame::new(30), until: Frame::new(38) };
            assert_eq!(checks.take(lie, &history(40)), Some(finding));
        }
        assert_eq!(checks.verified(), Frame::new(30));
    }

    #[test]
    fn what_comes_too_early_waits_and_is_bounded() {
        let mut checks = LinkChecks::new(Frame::ZERO);
        let room = checks.pending.capacity();
        for frame in 10..1_000 {
            let mut check = check_of(frame);
            check.states_digest = if frame == 20 { 7 } else { frame as u32 };
            assert_eq!(checks.take(check, &history(10)), None);
        }
        assert_eq!((checks.pending.len(), checks.pending.capacity()), (MAX_PENDING, room));
        assert_eq!(checks.settle(&history(10)), None);
        assert_eq!(checks.settle(&history(20)), None);
        assert_eq!(checks.verified(), Frame::new(19));
        assert!(matches!(checks.settle(&history(30)), Some(Finding::State { frame, .. }) if frame == Frame::new(20)));
    }

    #[test]
    fn who_plays_on_without_a_check_withholds_it_and_who_stands_still_does_not() {
        let mut checks = LinkChecks::new(Frame::ZERO);
        let reach = 18;
        // As many packets as you like, while no frames come.
        assert!((0..100_000).all(|_| !checks.is_withheld(Frame::new(600 + 240 + 18 - 2), reach, 60)));
        assert!(checks.is_withheld(Frame::new(600 + 240 + 18 - 1), reach, 60));
        // As many frames as you like, in few packets.
        let mut checks = LinkChecks::new(Frame::ZERO);
        assert!((1..1_000).all(|n| !checks.is_withheld(Frame::new(40 * n), reach, 60)));
        assert!(checks.is_withheld(Frame::new(40_000), reach, 60));
        // A check of a later frame starts both anew.
        checks.take(check_of(900), &history(10));
        assert!((0..999).all(|_| !checks.is_withheld(Frame::new(40_000), reach, 60)));
    }
}
