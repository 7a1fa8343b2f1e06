//! Replays as files, and what is said if they are none.

use super::options::DataOptions;
use crate::error::{CliError, Code};
use crate::frame_data;
use snapback::sim::{World, WorldData};
use snapback_golden::check::{FindError, read_file_or_pipe, write_atomically};
use snapback_golden::format::ReplayMeta;
use snapback_golden::world::world_of;
use snapback_golden::{GoldenReplay, PlayError, ReplayFileError};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Makes worlds for replays.
pub(super) struct Worlds(Arc<WorldData>);

impl Worlds {
    pub(super) fn load(options: &DataOptions) -> Result<Self, CliError> {
        frame_data::load(options.data.as_deref()).map(Self)
    }

    pub(super) fn world(&self, meta: &ReplayMeta) -> Result<World, String> {
        world_of(&self.0, meta)
    }
}

/// Reads a whole replay.
pub(super) fn read(path: &Path) -> Result<GoldenReplay, CliError> {
    GoldenReplay::read(replay_bytes(path)?).map_err(|error| damaged(path, &error))
}

/// The bytes of what should be a replay.
pub(super) fn replay_bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    read_file_or_pipe(path).map_err(|error| unreadable(path, &error))
}

pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    std::fs::read(path).map_err(|error| unreadable(path, &error))
}

/// The same, of what is never large: a longer one is not read.
pub(super) fn few_bytes(path: &Path, most: u64, what: &str) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    std::fs::File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > most {
        let (path, most) = (path.display(), most >> 10);
        return Err(CliError::new(Code::Corrupt, format_args!("{path}: it is larger than {most} KiB, which no {what} is")));
    }
    Ok(bytes)
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> CliError {
    let message = format!("cannot read {}: {error}; check the path", path.display());
    if error.kind() == io::ErrorKind::NotFound { CliError::usage(message) } else { CliError::environment(message) }
}

pub(super) fn damaged(path: &Path, error: &ReplayFileError) -> CliError {
    let advice = match error {
        ReplayFileError::Truncated { frames: 1.., .. } => "; `snapback golden repair` keeps what is whole",
        _ => "",
    };
    CliError::new(Code::Corrupt, format_args!("{}: {error}{advice}", path.display()))
}

pub(super) fn unplayable(path: &Path, error: &PlayError) -> CliError {
    CliError::new(Code::Corrupt, format_args!("{}: {error}", path.display()))
}

pub(super) fn not_found(error: &FindError) -> CliError {
    match error {
        FindError::Nothing { .. } | FindError::Missing { .. } => CliError::usage(error),
        FindError::Io { .. } => CliError::environment(error),
    }
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    write_atomically(path, bytes).map_err(|error| {
        CliError::environment(format_args!("cannot write {}: {error}; check the path and its permissions", path.display()))
    })
}
