//! [`TelemetrySettings`]: what is recorded, and for how long it is kept.

/// What is recorded, and for how long it is kept: see [`Peer::record`](crate::Peer::record). All memory is
/// taken when recording begins; when a ring is full the oldest goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TelemetrySettings {
    /// How many corrections are kept, each with what it replayed: some 24 bytes for each frame of
    /// [`max_rollback_frames`](snapback_core::RollbackConfig::max_rollback_frames). 0 records none, and hashes
    /// nothing that is not hashed anyway.
    pub rollback_events: usize,
    /// How many samples of the connections are kept. 0 takes none.
    pub samples: usize,
    /// Between two samples, in milliseconds; at least a tick.
    pub sample_ms: u32,
    /// Nobody watches: effects are counted, and none is told. Everything else is the same.
    pub is_telemetry_only: bool,
}

impl Default for TelemetrySettings {
    /// Five minutes of samples, one a second, and the last 512 corrections.
    fn default() -> Self {
        Self { rollback_events: 512, samples: 300, sample_ms: 1_000, is_telemetry_only: false }
    }
}
