//! [`Options`]: the command line.

use clap::Parser;
use std::path::PathBuf;

/// Plays Snapback and ggrs over recorded networks with recorded human inputs, in real time, and prints stalls
/// and rollbacks of both.
#[derive(Parser, Clone, Debug)]
#[command(name = "traces")]
pub(crate) struct Options {
    /// The folder of the recordings: net/*.csv and inputs/*.fg.
    #[arg(long, env = "SNAPBACK_DATA", value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,

    /// For how many seconds each recording is measured.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) seconds: u64,

    /// Only the recordings whose name contains this. May be given several times.
    #[arg(long = "traces", value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// How many stretches of each recording are played, evenly apart, all at once.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=20))]
    pub(crate) windows: u64,

    /// Milliseconds that are added to every round trip. The wired recordings know only the last hop.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=1000))]
    pub(crate) base_ms: u64,

    /// The prediction window that ggrs is given.
    ///
    /// Both count from the last confirmed frame c. With a window of 8 Snapback plays frames up to c + 8; ggrs counts
    /// otherwise and plays up to c + 8 with 9. With 8 here it plays one frame less: less to play again, and more
    /// stalls.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u64).range(1..=30))]
    pub(crate) their_window: u64,

    /// Plays Snapback alone, on virtual time: as fast as it goes, and undisturbed by what else the machine does.
    #[arg(long)]
    pub(crate) ours_only: bool,

    /// Prints one JSON object instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}
