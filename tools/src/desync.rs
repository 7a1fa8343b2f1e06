//! What a person gets when two peers have fallen out: a page, and a folder for whoever mends it.

use crate::error::CliError;
use crate::out;
use crate::plant::PlantedWorld;
use crate::side_channels::SideChannels;
use clap::Args;
use snapback::desync::{BundleFile, DesyncInquiry, DesyncReport, OURS, THEIRS, bundle};
use snapback::sim::{PadInput, World, WorldData};
use snapback::{ConfirmedFrame, Simulation};
use snapback_golden::check::write_atomically;
use snapback_golden::world::setup_text;
use snapback_golden::{GoldenReplay, RecordError, RecordSettings, Recorder};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// `--desync-dir` and `--plant-desync`, of every command that plays with another machine.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Desync")]
pub(crate) struct DesyncOptions {
    /// Folder for the report and both recordings if the peers' states differ [default: snapback-desync-MATCH-PLAYER]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) desync_dir: Option<PathBuf>,

    /// Make this peer compute one bit of this frame wrongly, to see what a desync looks like
    #[arg(id = "planted_frame", long = "plant-desync", value_name = "FRAME", allow_negative_numbers = true, value_parser = crate::decimal::whole::<i64>(0..=crate::cli::MAX_FRAME))]
    pub(crate) plant: Option<i64>,
}

impl DesyncOptions {
    /// Where the files go.
    pub(crate) fn folder(&self, match_id: u64, player: usize) -> PathBuf {
        self.desync_dir.clone().unwrap_or_else(|| PathBuf::from(format!("snapback-desync-{match_id:016x}-{player}")))
    }
}

/// All inputs and hashes of a match in memory, a few bytes a frame, in case they are asked for.
pub(crate) struct MatchLog(Recorder<PadInput, Vec<u8>>);

impl MatchLog {
    pub(crate) fn start(data: &Arc<WorldData>, seed: u64, players: usize) -> Result<Self, CliError> {
        let mut world = World::new(Arc::clone(data));
        world.reset(seed, players).map_err(CliError::usage)?;
        let settings = RecordSettings { setup: setup_text(&world), ..RecordSettings::live(seed, players) };
        Recorder::new(Vec::new(), &world, settings).map(Self).map_err(CliError::environment)
    }

    pub(crate) fn take(&mut self, frame: &ConfirmedFrame<'_, PadInput>) -> Result<(), RecordError> {
        self.0.record(frame.frame, frame.inputs, frame.state_hash, frame.snapshot)
    }

    fn replay(self) -> Option<GoldenReplay> {
        GoldenReplay::recover(self.0.finish().ok()?).ok()
    }
}

/// What is known, and if the inquiry is not over, what stood in its way.
pub(crate) fn report(inquiry: &DesyncInquiry, channels: Option<&SideChannels>) -> DesyncReport {
    let mut report = inquiry.report();
    if !inquiry.state().is_over() {
        let why = match (channels, inquiry.players().iter().next()) {
            (None, _) => "this match has no channels".to_owned(),
            (Some(_), None) => "nobody was there to be asked".to_owned(),
            (Some(channels), Some(player)) => {
                format!("player {player}: {}", channels.why_silent(player).unwrap_or("it did not answer in time"))
            }
        };
        report.finding.push_str(&format!(" ({why})"));
    }
    report
}

/// Shows the page and writes the folder.
pub(crate) fn tell(inquiry: &DesyncInquiry, report: &DesyncReport, log: Option<MatchLog>, data: &Arc<WorldData>, folder: &Path) {
    let page = report.to_string();
    out::note(page.trim_end());
    let recording = log.and_then(MatchLog::replay);
    let (mut files, problem) = bundle(inquiry, recording.as_ref(), &mut PlantedWorld::new(data, None));
    let has_both = files.iter().any(|file| file.name == THEIRS);
    for file in &mut files {
        match file.name {
            "report.txt" => file.bytes = page.clone().into_bytes(),
            // Texts and numbers always can be written.
            "report.json" => file.bytes = serde_json::to_vec_pretty(report).unwrap_or_default(),
            _ => {}
        }
    }
    // One side of the match is better than none.
    if let Some(recording) = recording.as_ref().filter(|_| !has_both) {
        files.push(BundleFile { name: OURS, bytes: recording.bytes().to_vec() });
    }
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| files.iter().try_for_each(|file| write_atomically(&folder.join(file.name), &file.bytes)));
    let has_one = !has_both && recording.is_some();
    let folder = folder.display();
    match written {
        // What the match came to is known all the same.
        Err(error) => out::note(format_args!("the report cannot be written to {folder}: {error}")),
        Ok(()) if has_both => out::note(format_args!("report and recordings are in {folder}: `snapback golden bisect {folder}`")),
        Ok(()) if has_one => out::note(format_args!("the report, and the match as this peer has it, are in {folder}")),
        Ok(()) => out::note(format_args!("the report is in {folder}")),
    }
    if let Some(problem) = problem {
        out::note(format_args!("there is no recording of the other side beside it: {problem}"));
    }
}
