//! [`rerecord`]: the same inputs, as this build plays them.

use crate::format::Provenance;
use crate::format::ReplayMeta;
use crate::verify::Run;
use crate::{FrameBlock, GoldenReplay, PlayError, RecordError, RecordSettings, Recorder};
use core::fmt;
use snapback_core::Simulation;

/// Why a replay was not recorded anew.
#[derive(Debug)]
pub enum RerecordError {
    /// It cannot be played.
    Play(PlayError),
    /// What it gives cannot be recorded.
    Record(RecordError),
}

impl fmt::Display for RerecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(error) => error.fmt(f),
            Self::Record(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RerecordError {}

impl From<PlayError> for RerecordError {
    fn from(error: PlayError) -> Self {
        Self::Play(error)
    }
}

impl From<RecordError> for RerecordError {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

/// Plays the inputs of `replay` and records what comes of them: with the setup, source, note,
/// rollback counts and acceptances that it had, and with a trace if it had one. Build and platform
/// are this one's. A signature is gone: nobody has signed the new states.
///
/// # Errors
/// If the replay cannot be played, or the result not be recorded.
pub fn rerecord<S: Simulation>(
    replay: &GoldenReplay,
    mut make: impl FnMut(&ReplayMeta) -> Result<S, String>,
) -> Result<Vec<u8>, RerecordError> {
    let mut run = Run::new(replay, &mut make)?;
    let meta = replay.meta();
    let settings = RecordSettings {
        seed: meta.seed,
        players: meta.players.into(),
        first_frame: meta.first_frame(),
        frame_hz: meta.frame_hz,
        trace: meta.has_trace,
        setup: meta.setup.clone(),
        provenance: Provenance::here(meta.provenance.source, &meta.provenance.note),
    };
    let mut recorder = Recorder::new(Vec::new(), &run.simulation, settings)?;
    let mut block = FrameBlock::new();
    for number in 0..replay.block_count() {
        replay.read_block(number, &mut block).map_err(PlayError::File)?;
        for (inputs, _) in block.frames() {
            let hash = run.step(inputs);
            recorder.record(run.frame, inputs, hash, &run.snapshot)?;
        }
    }
    if let Some(summary) = replay.summary() {
        recorder.note_rollbacks(summary.rollbacks, summary.max_rollback_frames);
    }
    Ok(recorder.finish_accepted(replay.acceptances())?)
}
