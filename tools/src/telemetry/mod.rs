//! What a match says of its network while it is played, and what is left of it when it ends badly.

pub(crate) mod graph;
pub(crate) mod kept;

use crate::error::CliError;
use crate::match_loop::session_failed;
use crate::plant::PlantedWorld;
use clap::Args;
use serde::{Deserialize, Serialize};
use snapback::Peer;
use snapback::telemetry::TelemetrySettings;
use std::path::PathBuf;

/// Between two samples.
pub(crate) const SAMPLE_MS: u32 = 500;

/// Five minutes of them.
const SAMPLES: usize = 600;

/// Corrections that are kept for a post-mortem.
pub(crate) const ROLLBACK_EVENTS: usize = 1_024;

/// The options of every command that plays.
#[derive(Args, Clone, Default, Debug, Serialize, Deserialize)]
pub(crate) struct TelemetryOptions {
    /// Show a graph of the network on stderr instead of the progress; a line a second if stderr is no terminal, or if chat is
    /// typed on it (--no-channels or </dev/null shows the graph). With --format json the report has its samples
    #[arg(long, help_heading = "Telemetry")]
    pub(crate) net_graph: bool,

    /// If the match ends badly, write its last minutes to this file as lines of JSON: samples of the network and every rollback.
    /// A duel writes a file for each player, such as FILE.player0
    #[arg(long, value_name = "FILE", help_heading = "Telemetry")]
    pub(crate) postmortem: Option<PathBuf>,

    /// Write that file however the match ends
    #[arg(long, requires = "postmortem", help_heading = "Telemetry")]
    pub(crate) postmortem_always: bool,
}

impl TelemetryOptions {
    /// Has `peer` record what these options need.
    pub(crate) fn record(&self, peer: &mut Peer<PlantedWorld>) -> Result<(), CliError> {
        if !self.net_graph && self.postmortem.is_none() {
            return Ok(());
        }
        let rollback_events = if self.postmortem.is_some() { ROLLBACK_EVENTS } else { 0 };
        let settings = TelemetrySettings { rollback_events, samples: SAMPLES, sample_ms: SAMPLE_MS, ..TelemetrySettings::default() };
        peer.record(settings).map_err(|error| session_failed(&error))
    }

    /// Where the post-mortem goes, if there is to be one.
    pub(crate) fn post_mortem_file(&self, is_bad: bool) -> Option<&PathBuf> {
        self.postmortem.as_ref().filter(|_| is_bad || self.postmortem_always)
    }
}
