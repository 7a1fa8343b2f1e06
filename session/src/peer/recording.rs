//! What a peer records of a match: [`Peer::record`].

use super::Peer;
use crate::rollback::{InputPredictor, RollbackSession, SessionError, TickReport};
use crate::telemetry::{NetSample, PostMortem, Sampler, TelemetrySettings};
use snapback_core::Simulation;

/// What is recorded, once somebody wants it.
pub(super) struct Recording {
    settings: TelemetrySettings,
    sampler: Sampler,
}

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// Records from now on what a net graph shows and a post-mortem needs. Without it nothing is recorded, and
    /// a tick pays for nothing but to see that.
    ///
    /// # Errors
    /// If the settings want effects left out and a frame has been played.
    pub fn record(&mut self, settings: TelemetrySettings) -> Result<(), SessionError> {
        if let Some(session) = &mut self.session {
            apply(session, &settings)?;
        }
        let interval_us = u64::from(settings.sample_ms) * 1_000;
        self.recording = Some(Box::new(Recording { settings, sampler: Sampler::new(settings.samples, interval_us) }));
        Ok(())
    }

    /// The session is there now.
    pub(super) fn record_session(&mut self) -> Result<(), SessionError> {
        match (&self.recording, &mut self.session) {
            (Some(recording), Some(session)) => apply(session, &recording.settings),
            _ => Ok(()),
        }
    }

    /// Takes a sample if one is due.
    pub(super) fn record_tick(&mut self, now_us: u64, report: &TickReport) {
        let Some(recording) = &mut self.recording else { return };
        if recording.sampler.tick(now_us, report.rollback_frames) {
            let sums = self.sums(now_us);
            if let Some(recording) = &mut self.recording {
                recording.sampler.take(sums);
            }
        }
    }

    /// Everything that is counted, since the start.
    fn sums(&self, now_us: u64) -> NetSample {
        let Some(session) = &self.session else { return NetSample::EMPTY };
        let stats = session.stats();
        let mut sums = NetSample {
            at_us: now_us,
            frame: session.current_frame(),
            frames: stats.frames,
            rollbacks: stats.rollbacks,
            resimulated_frames: stats.resimulated_frames,
            advantage_milliframes: self.time_sync.advantage_milliframes,
            stretch_ppm: self.time_sync.stretch_ppm,
            raw_advantage_frames: session.frame_advantage(),
            stalls: *self.stalls(),
            ..NetSample::EMPTY
        };
        for (_, stats) in self.connections() {
            sums.rtt_us = sums.rtt_us.max(stats.rtt_us);
            sums.jitter_us = sums.jitter_us.max(stats.jitter_us);
            sums.loss_sent_per_million = sums.loss_sent_per_million.max(stats.loss_sent_per_million);
            sums.loss_received_per_million = sums.loss_received_per_million.max(stats.loss_received_per_million);
            sums.sent_bytes += stats.bytes_sent;
            sums.received_bytes += stats.bytes_received;
        }
        sums
    }

    /// The samples from `number` on that are kept, the oldest first. The first of a match has the number 0.
    pub fn net_samples(&self, number: u64) -> impl DoubleEndedIterator<Item = &NetSample> + '_ {
        self.recording.iter().flat_map(move |recording| recording.sampler.since(number))
    }

    /// How many samples were taken, those that are not kept any more among them.
    #[must_use]
    pub fn net_sample_count(&self) -> u64 {
        self.recording.as_ref().map_or(0, |recording| recording.sampler.taken())
    }

    /// The last minutes, as far as they were recorded.
    ///
    /// ```no_run
    /// # use snapback::{Peer, Simulation};
    /// fn after_the_match<S: Simulation>(peer: &Peer<S>) -> std::io::Result<()> {
    ///     std::fs::write("post-mortem.jsonl", peer.post_mortem().to_string())
    /// }
    /// ```
    #[must_use]
    pub fn post_mortem(&self) -> PostMortem<'_> {
        PostMortem {
            outcome: self.outcome.as_ref().map(ToString::to_string),
            frame: self.session.as_ref().map_or(-1, |session| session.current_frame().number()),
            stalls: *self.stalls(),
            samples: self.net_samples(0).collect(),
            rollbacks: self.session.iter().flat_map(|session| session.rollback_events(0)).collect(),
        }
    }
}

fn apply<S: Simulation, P: InputPredictor<S::Input>>(
    session: &mut RollbackSession<S, P>,
    settings: &TelemetrySettings,
) -> Result<(), SessionError> {
    if settings.is_telemetry_only {
        session.set_telemetry_only()?;
    }
    session.record_rollbacks(settings.rollback_events);
    Ok(())
}
