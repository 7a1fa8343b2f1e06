//! [`LiveRecording`]: a match, recorded while it is played.

use super::options::LiveOptions;
use crate::error::CliError;
use snapback::sim::{PadInput, World, WorldData};
use snapback::{Frame, PlayerInput, Simulation, StateHash};
use snapback_golden::world::setup_text;
use snapback_golden::{RecordError, RecordSettings, Recorder};
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

/// Takes confirmed frames of one peer, one after another.
pub(crate) struct LiveRecording {
    path: PathBuf,
    // The recorder writes a second at a time: a buffer around the file would only keep it from there.
    recorder: Recorder<PadInput, File>,
}

impl LiveRecording {
    /// Begins a recording, if one was asked for.
    pub(crate) fn start(options: &LiveOptions, data: &Arc<WorldData>, seed: u64, players: usize) -> Result<Option<Self>, CliError> {
        let Some(path) = options.record.clone() else { return Ok(None) };
        let mut world = World::new(Arc::clone(data));
        world.reset(seed, players).map_err(CliError::usage)?;
        let settings = RecordSettings { trace: options.record_trace, setup: setup_text(&world), ..RecordSettings::live(seed, players) };
        let begin = || Recorder::new(File::create(&path)?, &world, settings);
        match begin() {
            Ok(recorder) => Ok(Some(Self { recorder, path })),
            Err(error) => Err(failed(&path.display().to_string(), &error)),
        }
    }

    pub(crate) fn take(
        &mut self,
        frame: Frame,
        inputs: &[PlayerInput<PadInput>],
        hash: StateHash,
        snapshot: &[u8],
    ) -> Result<(), CliError> {
        self.recorder.record(frame, inputs, hash, snapshot).map_err(|error| failed(&self.path.display().to_string(), &error))
    }

    /// Ends the recording of a session that went through so many rollbacks.
    pub(crate) fn finish(mut self, rollbacks: u64, deepest: u32) -> Result<(), CliError> {
        self.recorder.note_rollbacks(rollbacks, deepest);
        self.recorder.finish().map(drop).map_err(|error| failed(&self.path.display().to_string(), &error))
    }
}

fn failed(path: &str, error: &RecordError) -> CliError {
    CliError::environment(format_args!("{path}: {error}; check the path and its permissions"))
}
