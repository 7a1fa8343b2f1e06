//! [`SilenceWatch`]: the frozen ticks of a silence, until it is known what it was.

use super::stall::{Silence, StallCause, StallFacts};
use super::stall_stats::StallStats;
use snapback_core::Frame;
use snapback_transport::Endpoint;

/// What was seen of a connection last, and the frozen ticks whose cause the next packet decides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SilenceWatch {
    sequence: Option<u64>,
    heard_us: u64,
    frame: Frame,
    /// Whether any ticks are guessed.
    is_guessing: bool,
    guessed: StallStats,
}

impl Default for SilenceWatch {
    fn default() -> Self {
        Self { sequence: None, heard_us: 0, frame: Frame::INITIAL, is_guessing: false, guessed: StallStats::default() }
    }
}

impl SilenceWatch {
    /// Counts a frozen tick whose cause the next packet decides.
    pub(crate) fn guess(&mut self, cause: StallCause) {
        self.guessed.count(cause);
        self.is_guessing = true;
    }

    /// Looks whether a packet has come since the last look, and if so moves the ticks that waited for it.
    /// `facts` is asked only then. Returns the cause, if any ticks waited.
    pub(crate) fn look(&mut self, endpoint: &Endpoint, facts: impl FnOnce() -> StallFacts, stats: &mut StallStats) -> Option<StallCause> {
        let newest_sequence = endpoint.newest_sequence();
        if newest_sequence == self.sequence {
            return None;
        }
        if !self.is_guessing {
            // As good as every packet: nothing waited for it.
            (self.sequence, self.heard_us, self.frame) = (newest_sequence, endpoint.newest_received_at_us(), endpoint.received_frame());
            return None;
        }
        self.judge(endpoint, facts, stats)
    }

    /// A packet has come for which ticks waited.
    #[cold]
    fn judge(&mut self, endpoint: &Endpoint, facts: impl FnOnce() -> StallFacts, stats: &mut StallStats) -> Option<StallCause> {
        let heard = endpoint.heard();
        let before = core::mem::replace(
            self,
            Self { sequence: heard.newest_sequence, heard_us: heard.newest_at_us, frame: endpoint.received_frame(), ..Self::default() },
        );
        let jump = heard.newest_sequence.zip(before.sequence).map_or(1, |(newest, old)| newest.saturating_sub(old));
        let silence = Silence {
            us: heard.newest_at_us.saturating_sub(before.heard_us),
            missing_packets: endpoint.missing_of_last(jump.saturating_sub(1)),
            frames: endpoint.received_frame() - before.frame,
        };
        let cause = StallCause::after_silence(&facts(), &silence);
        for (guess, ticks) in before.guessed.iter() {
            stats.move_ticks(guess, cause, ticks);
        }
        Some(cause)
    }
}
