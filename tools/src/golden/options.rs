//! The options of `snapback golden`.

use super::help;
use crate::decimal::whole;
use crate::pilots::InputOptions;
use clap::{Args, Subcommand, ValueEnum};
use snapback_golden::check::{PendingPlace, Shard};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Where replays are if nothing else is said.
const CORPUS: &str = "golden/corpus";

#[derive(Subcommand, Debug)]
pub(crate) enum GoldenCommand {
    /// Play every replay again and compare the hash of every frame
    ///
    /// A replay that diverges is reported with the first frame, the fields and both values. Outside of CI (the environment variable
    /// CI is not set) the same inputs as this build plays them are left beside it as NAME.snbk.new, to be accepted or rejected. In
    /// CI nothing but --out is written.
    #[command(after_help = help::verify())]
    Verify(VerifyOptions),

    /// Record a replay: bots or recorded inputs, played straight
    #[command(after_help = help::record())]
    Record(RecordOptions),

    /// List the changed replays that wait to be accepted or rejected
    Pending(PlaceOptions),

    /// Show what each pending change changes, and ask what to do with it
    ///
    /// On a terminal each change is accepted, rejected or skipped; elsewhere they are only shown.
    Review(PlaceOptions),

    /// Let a pending change take the place of its replay, and note why
    ///
    /// The reason, the simulation's version and the first frame that changed are kept in the replay. A signature is dropped: sign
    /// the new file again.
    #[command(after_help = help::accept())]
    Accept(AcceptOptions),

    /// Remove a pending change: the replay stays as it is
    Reject(RejectOptions),

    /// Say what a corpus shows: moves, mechanics, edge cases, sections and fields; and which replays show nothing
    ///
    /// A mechanic counts as shown if a replay plays differently without it. A replay in which nobody acts, nobody is hit, nothing
    /// but counters changes, or which was live and never rolled back, proves nothing: the exit code is then 1.
    #[command(after_help = help::coverage())]
    Coverage(CoverageOptions),

    /// Show what a replay says of itself: match, recording, and every change that was accepted with its reason
    Show(ShowOptions),

    /// Show everything that differs between two replays
    #[command(after_help = help::compare())]
    Diff(DiffOptions),

    /// Find the first frame where two recordings part, or where this build parts from one
    #[command(after_help = help::bisect())]
    Bisect(BisectOptions),

    /// Put together what the shards of a `verify --out` found
    #[command(after_help = help::merge())]
    Merge(MergeOptions),

    /// Check a signed result by playing its match again
    ///
    /// Every signature, that the inputs are those that were signed, and that they give the state and the result that were signed. No
    /// hash or state in the recording is believed.
    #[command(after_help = help::attest())]
    Attest(AttestOptions),

    /// Give a recording that was cut off, as by a crash, its end: everything up to its last whole second
    Repair(RepairOptions),
}

/// How a report of replays looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people.
    Human,
    /// One document.
    Json,
    /// JUnit XML, a test case for every replay.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
}

/// How a comparison looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CompareFormat {
    /// For people.
    Human,
    /// One document.
    Json,
}

/// Where the world's frame data is.
#[derive(Args, Clone, Debug)]
pub(crate) struct DataOptions {
    /// Frame data (a folder of TOML files, like sim/world/data) instead of the one built in
    #[arg(long = "data", visible_alias = "frame-data", value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
}

/// Where pending files are.
#[derive(Args, Clone, Debug)]
pub(crate) struct PendingOptions {
    /// Folder of the pending files, which mirrors that of the replays [default: each beside its replay]
    #[arg(long = "pending", value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl PendingOptions {
    pub(crate) fn place(&self) -> PendingPlace {
        self.folder.clone().map_or(PendingPlace::Beside, PendingPlace::Folder)
    }

    /// The option as it was given, with a space before it.
    pub(crate) fn shown(&self) -> String {
        self.folder.as_ref().map_or_else(String::new, |folder| format!(" --pending {}", folder.display()))
    }
}

/// `snapback golden coverage`.
#[derive(Args, Clone, Debug)]
pub(crate) struct CoverageOptions {
    /// A replay, or a folder that is searched for them
    #[arg(default_value = CORPUS)]
    pub(crate) path: PathBuf,

    /// How the report looks
    #[arg(long, value_enum, default_value_t = CompareFormat::Human)]
    pub(crate) format: CompareFormat,

    /// Say for everything that is shown which replay shows it
    #[arg(long)]
    pub(crate) by_goal: bool,

    /// How many replays to look at at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) data: DataOptions,
}

/// `snapback golden verify`.
#[derive(Args, Clone, Debug)]
pub(crate) struct VerifyOptions {
    /// A replay, or a folder that is searched for them
    #[arg(default_value = CORPUS)]
    pub(crate) path: PathBuf,

    /// How the report on stdout looks
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    pub(crate) format: CheckFormat,

    /// Show the whole state before a divergence (--format json always has it)
    #[arg(long)]
    pub(crate) state: bool,

    /// How many replays to play at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) data: DataOptions,

    #[command(flatten)]
    pub(crate) pending: PendingOptions,

    /// Check only the part I of N of the replays, from 1/N to N/N [default: what JOB_COMPLETION_INDEX (Kubernetes) or
    /// AWS_BATCH_JOB_ARRAY_INDEX say, or all]
    #[arg(long, value_name = "I/N", conflicts_with = "shards", help_heading = "Many machines")]
    pub(crate) shard: Option<Shard>,

    /// How many parts there are, where the environment says which one this is but not of how many
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000_000), help_heading = "Many machines")]
    pub(crate) shards: Option<u32>,

    /// Write what was found to this file, for `snapback golden merge`
    #[arg(long, value_name = "FILE", help_heading = "Many machines")]
    pub(crate) out: Option<PathBuf>,
}

/// `snapback golden merge`.
#[derive(Args, Clone, Debug)]
pub(crate) struct MergeOptions {
    /// What `verify --out` wrote, of all shards, in any order; the same shard may come twice
    #[arg(required = true)]
    pub(crate) parts: Vec<PathBuf>,

    /// How the report on stdout looks
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    pub(crate) format: CheckFormat,

    /// Show the whole state before a divergence (--format json always has it)
    #[arg(long)]
    pub(crate) state: bool,
}

/// Which replays.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlaceOptions {
    /// The replay or the folder of replays whose pending changes are meant
    #[arg(default_value = CORPUS)]
    pub(crate) path: PathBuf,

    #[command(flatten)]
    pub(crate) pending: PendingOptions,
}

/// Which pending change.
#[derive(Args, Clone, Debug)]
pub(crate) struct NameOptions {
    /// The name of a pending replay, the last part of its name, or its path
    pub(crate) name: String,

    /// The folder of replays that the name is looked for in
    #[arg(long, value_name = "FOLDER", default_value = CORPUS)]
    pub(crate) corpus: PathBuf,

    #[command(flatten)]
    pub(crate) pending: PendingOptions,
}

/// `snapback golden accept`.
#[derive(Args, Clone, Debug)]
pub(crate) struct AcceptOptions {
    #[command(flatten)]
    pub(crate) name: NameOptions,

    /// Accept every pending change of the corpus, for the same reason; NAME is then the corpus
    #[arg(long)]
    pub(crate) all: bool,

    /// Why the new states are right; it is kept in the replay
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
}

/// `snapback golden reject`.
#[derive(Args, Clone, Debug)]
pub(crate) struct RejectOptions {
    #[command(flatten)]
    pub(crate) name: NameOptions,
}

/// `snapback golden show`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ShowOptions {
    /// A replay, of any game
    pub(crate) file: PathBuf,
}

/// `snapback golden diff`.
#[derive(Args, Clone, Debug)]
pub(crate) struct DiffOptions {
    /// A replay
    pub(crate) a: PathBuf,
    /// Another one
    pub(crate) b: PathBuf,

    /// How the report on stdout looks
    #[arg(long, value_enum, default_value_t = CompareFormat::Human)]
    pub(crate) format: CompareFormat,
}

/// `snapback golden bisect`.
#[derive(Args, Clone, Debug)]
pub(crate) struct BisectOptions {
    /// A replay, or the folder of a desync
    pub(crate) a: PathBuf,
    /// Another one [default: this build plays A]
    pub(crate) b: Option<PathBuf>,

    /// How the report on stdout looks
    #[arg(long, value_enum, default_value_t = CompareFormat::Human)]
    pub(crate) format: CompareFormat,

    #[command(flatten)]
    pub(crate) data: DataOptions,
}

/// `snapback golden record`.
#[derive(Args, Clone, Debug)]
pub(crate) struct RecordOptions {
    /// The file to write
    pub(crate) out: PathBuf,

    /// Decides the match and the bots
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// How many play, 2 to 8 [default: 2, or as many as --roster names]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u8>(2..=8))]
    pub(crate) players: Option<u8>,

    /// How many frames, 60 to a second
    #[arg(long, value_name = "N", default_value_t = 3_600, allow_negative_numbers = true, value_parser = whole::<u32>(1..=5_184_000))]
    pub(crate) frames: u32,

    /// Who fights as whom and in which team: a word `character:team` for each seat, such as "duelist:0 warden:1"
    #[arg(long, value_name = "SEATS", default_value = "", hide_default_value = true)]
    pub(crate) roster: String,

    /// What the replay is there to show; it is kept in the file
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) note: String,

    /// Leave the states out and keep only their hashes: a third of the size, but a divergence may name only the frame
    #[arg(long)]
    pub(crate) no_trace: bool,

    /// Write over a file that is there, with all that was accepted in it
    #[arg(long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) data: DataOptions,

    #[command(flatten)]
    pub(crate) inputs: InputOptions,
}

/// `snapback golden attest`.
#[derive(Args, Clone, Debug)]
pub(crate) struct AttestOptions {
    /// The recording of the match: what `--record` wrote
    pub(crate) file: PathBuf,
    /// The signed result: what `--result` wrote
    pub(crate) result: PathBuf,

    /// How the report on stdout looks
    #[arg(long, value_enum, default_value_t = CompareFormat::Human)]
    pub(crate) format: CompareFormat,

    #[command(flatten)]
    pub(crate) data: DataOptions,
}

/// `snapback golden repair`.
#[derive(Args, Clone, Debug)]
pub(crate) struct RepairOptions {
    /// The recording
    pub(crate) file: PathBuf,

    /// Where the whole recording is written [default: in its place]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// `--record`, of the commands that play.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Recording")]
pub(crate) struct LiveOptions {
    /// Record the frames that everybody has confirmed as a replay; what is there is written over. A second is written at a time:
    /// after a crash `snapback golden repair` gives the file its end
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// Record the states too, so that a divergence names the field: three times the size
    #[arg(long, requires = "record")]
    pub(crate) record_trace: bool,

    /// Write the result, signed by every player, at the end; `snapback golden attest` checks it with a recording. It needs an
    /// encrypted match with channels that comes to its end
    #[arg(long, value_name = "FILE", conflicts_with_all = ["insecure_lan", "no_channels"])]
    pub(crate) result: Option<PathBuf>,
}
