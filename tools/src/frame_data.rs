//! `--frame-data`: what the fighters can do, from a file.

use crate::error::CliError;
use snapback::sim::WorldData;
use std::path::Path;
use std::sync::Arc;

/// The frame data of the file, or the ones that are compiled in.
pub(crate) fn load(path: Option<&Path>) -> Result<Arc<WorldData>, CliError> {
    let Some(path) = path else { return Ok(Arc::new(WorldData::default())) };
    let text = read_text(path, "frame data", "TOML")?;
    WorldData::parse(&path.display().to_string(), &text).map(Arc::new).map_err(CliError::usage)
}

/// Reads a file that should be text in this format.
pub(crate) fn read_text(path: &Path, what: &str, format: &str) -> Result<String, CliError> {
    let shown = path.display();
    let bytes =
        std::fs::read(path).map_err(|error| CliError::usage(format_args!("cannot read the {what} {shown}: {error}; check the path")))?;
    String::from_utf8(bytes).map_err(|_| CliError::usage(format_args!("{shown}: this is not text: give the {what} as {format} in UTF-8")))
}
