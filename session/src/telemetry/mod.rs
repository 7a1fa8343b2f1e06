//! What a session and its connections did, for the eyes of people and for a post-mortem.
#![doc = include_str!("../../docs/telemetry.md")]

mod beat;
mod stall;
mod stall_stats;
mod watch;

pub use beat::Beat;
pub use stall::{Silence, StallCause, StallFacts};
pub use stall_stats::StallStats;
pub(crate) use watch::SilenceWatch;
