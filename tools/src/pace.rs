//! [`Pace`]: when each tick is due, and [`Pulse`]: how often they really came.

use snapback::{FreezeReason, TickReport};

/// Ticks that may follow each other without a pause, to catch up.
const MAX_BURST_TICKS: u64 = 4;

/// Absolute deadlines: tick n is due n periods after the start, so that nothing drifts. A program
/// that was suspended does not play the lost time in fast motion: it skips it.
pub(crate) struct Pace {
    origin_us: u64,
    ticks: u64,
    hz: u64,
}

impl Pace {
    pub(crate) fn new(start_us: u64, hz: u32) -> Self {
        Self { origin_us: start_us, ticks: 0, hz: u64::from(hz.max(1)) }
    }

    /// When the next tick is due.
    pub(crate) fn next_us(&self) -> u64 {
        self.origin_us.saturating_add(self.ticks.saturating_mul(1_000_000) / self.hz)
    }

    /// Whether a tick is due; it then counts as done.
    pub(crate) fn take(&mut self, now_us: u64) -> bool {
        let late_us = match now_us.checked_sub(self.next_us()) {
            Some(late_us) => late_us,
            None => return false,
        };
        if late_us > MAX_BURST_TICKS * 1_000_000 / self.hz {
            self.origin_us = self.origin_us.saturating_add(late_us);
        }
        self.ticks += 1;
        true
    }
}

/// Measures the rate of frames, without the time that the session was frozen.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Pulse {
    first_us: u64,
    last_us: u64,
    frames: u64,
    frozen_us: u64,
    /// Frozen since the last frame; counts once another frame comes.
    pending_us: u64,
    frozen_since_us: Option<u64>,
}

impl Pulse {
    /// Takes what a tick did.
    pub(crate) fn tick(&mut self, now_us: u64, report: &TickReport) {
        if let Some(since) = self.frozen_since_us.take() {
            self.pending_us += now_us.saturating_sub(since);
        }
        match report.reason {
            None => {
                if self.frames == 0 {
                    self.first_us = now_us;
                }
                self.frames += 1;
                self.last_us = now_us;
                self.frozen_us += core::mem::take(&mut self.pending_us);
            }
            Some(FreezeReason::NotStarted | FreezeReason::MatchOver) => {}
            Some(_) => self.frozen_since_us = Some(now_us),
        }
    }

    /// Frames a second while not frozen, in thousandths; 0 before the second frame.
    pub(crate) fn millihertz(&self) -> u64 {
        let us = (self.last_us - self.first_us).saturating_sub(self.frozen_us);
        (self.frames.saturating_sub(1).saturating_mul(1_000_000_000) + us / 2).checked_div(us).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback::{Frame, PlayerHandle, StateHash};

    fn report(reason: Option<FreezeReason>) -> TickReport {
        TickReport {
            frame: Frame::ZERO,
            state_hash: StateHash::from_bits(0),
            rollback_frames: 0,
            recovered: false,
            simulation_frozen: reason.is_some(),
            reason,
            state: snapback::SessionState::Running,
            overlay: None,
        }
    }

    #[test]
    fn sixty_ticks_take_a_second_to_the_microsecond() {
        let mut pace = Pace::new(500, 60);
        let mut due = Vec::new();
        for now_us in 0..2_000_500 {
            if pace.take(now_us) {
                due.push(now_us);
            }
        }
        assert_eq!(due.len(), 120);
        assert_eq!((due[0], due[1], due[60]), (500, 17_166, 1_000_500));
    }

    #[test]
    fn a_suspended_program_skips_the_lost_time() {
        let mut pace = Pace::new(0, 60);
        assert!(pace.take(0));
        let ticks = (5_000_000..5_100_000).filter(|now_us| pace.take(*now_us)).count();
        assert_eq!(ticks, 6);
        // A little late is made up for.
        let mut pace = Pace::new(0, 60);
        let ticks = (50_000..100_001).filter(|now_us| pace.take(*now_us)).count();
        assert_eq!(ticks, 7);
    }

    #[test]
    fn frozen_time_does_not_count() {
        let waiting = FreezeReason::PredictionCeiling { waiting_for: PlayerHandle::new(1), confirmed_frame: Frame::ZERO };
        let mut pulse = Pulse::default();
        assert_eq!(pulse.millihertz(), 0);
        for tick in 0..61 {
            pulse.tick(1_000 + tick * 10_000, &report((20..30).contains(&tick).then_some(waiting)));
        }
        assert_eq!(pulse.millihertz(), 100_000);
        pulse.tick(9_000_000, &report(Some(FreezeReason::MatchOver)));
        assert_eq!(pulse.millihertz(), 100_000);
    }
}
