//! [`rerecord`]: the same match, recorded anew with the game of today.

use crate::format::{Acceptance, Provenance, ReplayMeta};
use crate::verify::Run;
use crate::{FrameBlock, GoldenReplay, PlayError, RecordError, RecordSettings, Recorder, ReplayFileError};
use core::fmt;
use snapback_core::Simulation;

/// Why a match cannot be recorded anew.
#[derive(Debug)]
pub enum RerecordError {
    /// The old recording cannot be played.
    Play(PlayError),
    /// The new one cannot be made.
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

impl From<ReplayFileError> for RerecordError {
    fn from(error: ReplayFileError) -> Self {
        Self::Play(error.into())
    }
}

impl From<RecordError> for RerecordError {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

/// The file of the same match, played by the simulation that `make` makes now.
///
/// Inputs, commands, seed, setup, source, note, trace and rollbacks are those of `replay`; hashes,
/// states, names of fields, build and platform are new. `acceptances` are all that the new file
/// remembers: hand over the old ones too. A signature is not carried over.
///
/// # Errors
/// If the old recording cannot be played, or the new one not be made.
pub fn rerecord<S: Simulation>(
    replay: &GoldenReplay,
    mut make: impl FnMut(&ReplayMeta) -> Result<S, String>,
    acceptances: &[Acceptance],
) -> Result<Vec<u8>, RerecordError> {
    let meta = replay.meta();
    let mut run = Run::new(replay, &mut make)?;
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
    let mut number = 0;
    while replay.read_block(number, &mut block)? {
        number += 1;
        for (inputs, _) in block.frames() {
            let hash = run.step(inputs);
            recorder.record(run.frame, inputs, hash, &run.snapshot)?;
        }
    }
    let recorded = replay.summary().unwrap_or_default();
    recorder.note_rollbacks(recorded.rollbacks, recorded.max_rollback_frames);
    Ok(recorder.finish_accepted(acceptances)?)
}
