//! `--frame-data`: what the fighters can do, from a file.

use crate::error::CliError;
use snapback::sim::WorldData;
use std::path::Path;
use std::sync::Arc;

/// The frame data of the file, or the ones that are compiled in.
pub(crate) fn load(path: Option<&Path>) -> Result<Arc<WorldData>, CliError> {
    let Some(path) = path else { return Ok(Arc::new(WorldData::default())) };
    let text = std::fs::read_to_string(path)
        .map_err(|error| CliError::usage(format_args!("cannot read the frame data {}: {error}; check the path", path.display())))?;
    WorldData::parse(&path.display().to_string(), &text).map(Arc::new).map_err(CliError::usage)
}
