//! Whose fault a frozen tick is.

use super::Peer;
use super::link::Link;
use super::time_sync::fresh;
use crate::rollback::{FreezeReason, InputPredictor, TickReport};
use crate::telemetry::{Beat, StallCause, StallFacts, StallStats};
use snapback_core::{PlayerHandle, Simulation};
use snapback_transport::Endpoint;

/// Ticks after a stall in which one that catches up belongs to it.
const AFTERMATH_TICKS: u32 = 8;

/// What is known of frozen ticks on all connections.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stalls {
    tick_us: u64,
    beat: Beat,
    pub(super) stats: StallStats,
    /// The cause of the last stall, and how many ticks ago that was.
    last: Option<(StallCause, u32)>,
}

impl Stalls {
    pub(super) fn new(simulation_hz: u32) -> Self {
        let tick_us = 1_000_000 / u64::from(simulation_hz.max(1));
        Self { tick_us, beat: Beat::default(), stats: StallStats::default(), last: None }
    }
}

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// How many ticks were frozen by what. A silence is judged anew when it ends, so that ticks may move from
    /// one cause to another; the sum is the [`stalled_frames`](crate::SessionStats::stalled_frames) of the
    /// session.
    #[must_use]
    pub fn stalls(&self) -> &StallStats {
        &self.stalls.stats
    }

    /// Whose fault this tick is, if it is frozen; notes what is known of every connection.
    pub(super) fn attribute(&mut self, now_us: u64, report: &TickReport) -> Option<StallCause> {
        let Some(session) = &self.session else { return None };
        let window_frames = i64::from(session.settings().config.prediction_window_frames);
        let current = session.current_frame();
        let stalls = &mut self.stalls;
        let tick_us = stalls.tick_us;
        stalls.beat.tick(now_us, tick_us);
        let beat = stalls.beat;
        let facts = |endpoint: &Endpoint| {
            let (heard, stats) = (endpoint.heard(), endpoint.stats());
            let rtt_us = stats.rtt_us.unwrap_or(0);
            // What they send once they hear us again takes a round trip.
            let aftermath_us = rtt_us + 4 * stats.jitter_us + 2 * tick_us;
            StallFacts {
                tick_us,
                are_we_late: beat.was_late(now_us, aftermath_us) || beat.hurries(tick_us),
                silent_us: now_us.saturating_sub(heard.newest_at_us),
                missing_packets: heard.missing_packets,
                unheard_us: heard.acked_sent_us.map_or(0, |sent_us| now_us.saturating_sub(sent_us)),
                rtt_us,
                jitter_us: stats.jitter_us,
                window_frames,
                lag_frames: current - endpoint.received_frame(),
                their_lag_frames: fresh(endpoint.peer_lag(), now_us).map(|lag| lag.frames.into()),
                their_window_frames: endpoint.remote_params().window_max_frames.into(),
            }
        };
        stalls.last = stalls.last.and_then(|(cause, ago)| (ago < AFTERMATH_TICKS).then_some((cause, ago + 1)));
        for link in &mut self.links {
            let Link { endpoint, silence, .. } = link;
            if let Some(cause) = silence.look(endpoint, || facts(endpoint), &mut stalls.stats) {
                stalls.last = Some((cause, 0));
            }
        }
        let blamed = match report.reason? {
            FreezeReason::NotStarted | FreezeReason::MatchOver => return None,
            FreezeReason::PredictionCeiling { waiting_for, .. } | FreezeReason::ResendWindowFull { waiting_for, .. } => Some(waiting_for),
            FreezeReason::CatchingUp { .. } | FreezeReason::Disconnected { .. } => None,
        };
        let is_of = |link: &&mut Link, player: PlayerHandle| link.endpoint.remote_players().contains(player);
        let cause = match blamed.and_then(|player| self.links.iter_mut().find(|link| is_of(link, player))) {
            Some(link) => {
                let facts = facts(&link.endpoint);
                let cause = StallCause::of(&facts);
                if facts.is_silent() && cause != StallCause::OurSlowness {
                    link.silence.guess(cause);
                }
                cause
            }
            // It catches up with what a stall left behind; or what came at once was late for another reason.
            None => stalls.last.map_or(StallCause::Link, |(cause, _)| cause),
        };
        stalls.last = Some((cause, 0));
        stalls.stats.count(cause);
        Some(cause)
    }
}
