//! [`Meta`]: which match a replay is, for people.

use serde::Serialize;
use snapback_golden::GoldenReplay;
use snapback_golden::format::Source;

/// Which match a replay is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Meta {
    /// The game.
    pub simulation: String,
    /// Its version when it was recorded.
    pub version: u32,
    /// What decides everything that varies. A text, because a number of JavaScript is too small.
    pub seed: String,
    /// How many players there are.
    pub players: u8,
    /// The first frame.
    pub first_frame: i64,
    /// Frames a second.
    pub frame_hz: u16,
    /// How many frames the file holds.
    pub frames: u64,
    /// Whether it holds the state after every frame too.
    pub has_trace: bool,
    /// Who fights as whom.
    pub setup: String,
    /// `live` or `generated`.
    pub source: &'static str,
    /// The build that recorded.
    pub build: String,
    /// The machine that recorded.
    pub platform: String,
    /// What else the recorder had to say.
    pub note: String,
    /// How many rollbacks the recording session went through.
    pub rollbacks: u64,
}

impl Meta {
    pub(crate) fn of(replay: &GoldenReplay) -> Self {
        let meta = replay.meta().clone();
        let source = match meta.provenance.source {
            Source::Live => "live",
            Source::Generated => "generated",
        };
        Self {
            simulation: meta.simulation,
            version: meta.simulation_version,
            seed: meta.seed.to_string(),
            players: meta.players,
            first_frame: meta.first_frame,
            frame_hz: meta.frame_hz,
            frames: replay.frame_count(),
            has_trace: meta.has_trace,
            setup: meta.setup,
            source,
            build: meta.provenance.build,
            platform: meta.provenance.platform,
            note: meta.provenance.note,
            rollbacks: replay.summary().map_or(0, |summary| summary.rollbacks),
        }
    }
}
