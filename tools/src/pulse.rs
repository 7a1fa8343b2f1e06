//! [`Pulse`]: how often ticks really came.

use snapback::{FreezeReason, TickReport};

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
    use snapback::{Frame, PlayerHandle};

    fn report(reason: Option<FreezeReason>) -> TickReport {
        TickReport {
            frame: Frame::ZERO,
            rollback_frames: 0,
            recovered: false,
            simulation_frozen: reason.is_some(),
            reason,
            stall: None,
            state: snapback::SessionState::Running,
            overlay: None,
        }
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
