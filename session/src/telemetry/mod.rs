//! What a session and its connections did, for the eyes of people and for a post-mortem.
#![doc = include_str!("../../docs/telemetry.md")]

mod beat;
mod event;
mod log;
mod post_mortem;
#[cfg(any(feature = "metrics", feature = "tracing"))]
mod publish;
mod ring;
mod sample;
mod sampler;
mod settings;
mod stall;
mod stall_stats;
mod watch;

pub use beat::Beat;
pub use event::{ReplayedFrame, RollbackEvent};
pub(crate) use log::{RollbackLog, players};
pub use post_mortem::PostMortem;
#[cfg(any(feature = "metrics", feature = "tracing"))]
pub use publish::{Publisher, publish_rollback, publish_sample};
pub use sample::NetSample;
pub(crate) use sampler::Sampler;
pub use settings::TelemetrySettings;
pub use stall::{Silence, StallCause, StallFacts};
pub use stall_stats::StallStats;
pub(crate) use watch::SilenceWatch;
