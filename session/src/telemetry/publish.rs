//! [`Publisher`]: the telemetry through the `tracing` and `metrics` facades.

use super::event::RollbackEvent;
use super::sample::NetSample;
use crate::peer::Peer;
use crate::rollback::InputPredictor;
use snapback_core::Simulation;

/// Tells the `tracing` subscriber and the `metrics` recorder of the host program what is new. It has none
/// itself: without one nothing happens.
///
/// Call [`publish`](Self::publish) now and then, once a tick or once a second, on whatever thread has the
/// peer; the rings must hold what comes in between.
///
/// ```no_run
/// # use snapback::telemetry::{Publisher, TelemetrySettings};
/// # use snapback::{Peer, SessionError, Simulation};
/// # fn play<S: Simulation>(peer: &mut Peer<S>) -> Result<(), SessionError> {
/// peer.record(TelemetrySettings::default())?;
/// let mut publisher = Publisher::default();
/// // In the loop of the match, after the tick:
/// publisher.publish(peer);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Publisher {
    next_rollback: u64,
    next_sample: u64,
}

impl Publisher {
    /// Publishes every correction and every sample since the last call.
    pub fn publish<S: Simulation, P: InputPredictor<S::Input>>(&mut self, peer: &Peer<S, P>) {
        let first = self.next_rollback;
        for event in peer.session().into_iter().flat_map(|session| session.rollback_events(first)) {
            self.next_rollback = event.number + 1;
            publish_rollback(event);
        }
        for sample in peer.net_samples(self.next_sample) {
            publish_sample(sample);
        }
        self.next_sample = peer.net_sample_count();
    }
}

/// Publishes one correction: an event of `tracing` at the level DEBUG, and the histogram of depths.
pub fn publish_rollback(event: &RollbackEvent) {
    #[cfg(feature = "tracing")]
    tracing::debug!(
        target: "snapback::rollback",
        number = event.number,
        player = event.cause.map(|player| player.index()),
        corrected_frame = event.corrected_frame.number(),
        restored_frame = event.restored_frame.number(),
        present_frame = event.present_frame.number(),
        depth_frames = event.depth_frames,
        goes_on = event.goes_on,
        before_hash = %event.before_hash,
        after_hash = event.after_hash.map(tracing::field::display),
        replayed = ?event.replayed(),
        "rollback"
    );
    #[cfg(feature = "metrics")]
    if !event.goes_on {
        metrics::histogram!("snapback_rollback_depth_frames").record(f64::from(event.depth_frames));
    }
}

/// Publishes one sample: an event of `tracing` at the level TRACE, and all counters and gauges.
pub fn publish_sample(sample: &NetSample) {
    #[cfg(feature = "tracing")]
    tracing::trace!(
        target: "snapback::sample",
        frame = sample.frame.number(),
        frames = sample.frames,
        rtt_us = sample.rtt_us,
        jitter_us = sample.jitter_us,
        loss_sent_per_million = sample.loss_sent_per_million,
        loss_received_per_million = sample.loss_received_per_million,
        rollbacks = sample.rollbacks,
        depth_frames = sample.depth_frames,
        advantage_milliframes = sample.advantage_milliframes,
        raw_advantage_frames = sample.raw_advantage_frames,
        stalled_frames = sample.stalls.total(),
        stall_cause = sample.stalls.worst().map(tracing::field::display),
        sent_bytes = sample.sent_bytes,
        received_bytes = sample.received_bytes,
        "sample"
    );
    #[cfg(feature = "metrics")]
    {
        metrics::counter!("snapback_frames").increment(sample.frames);
        metrics::counter!("snapback_rollbacks").increment(sample.rollbacks);
        metrics::counter!("snapback_resimulated_frames").increment(sample.resimulated_frames);
        for (cause, ticks) in sample.stalls.iter() {
            metrics::counter!("snapback_stalled_frames", "cause" => cause.name()).increment(ticks);
        }
        metrics::counter!("snapback_sent_bytes").increment(sample.sent_bytes);
        metrics::counter!("snapback_received_bytes").increment(sample.received_bytes);
        if let Some(rtt_us) = sample.rtt_us {
            metrics::gauge!("snapback_rtt_us").set(rtt_us as f64);
        }
        metrics::gauge!("snapback_jitter_us").set(sample.jitter_us as f64);
        metrics::gauge!("snapback_loss_sent_per_million").set(f64::from(sample.loss_sent_per_million));
        metrics::gauge!("snapback_loss_received_per_million").set(f64::from(sample.loss_received_per_million));
        metrics::gauge!("snapback_advantage_milliframes").set(sample.advantage_milliframes as f64);
        metrics::gauge!("snapback_raw_advantage_frames").set(sample.raw_advantage_frames as f64);
        metrics::gauge!("snapback_stretch_ppm").set(f64::from(sample.stretch_ppm));
    }
}
