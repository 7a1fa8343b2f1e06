//! `--frame-data`: what the fighters can do, from a folder of files.

use crate::error::CliError;
use core::fmt::Display;
use snapback::sim::{DataFile, WorldData};
use std::path::Path;
use std::sync::Arc;

/// The frame data of the folder, or the ones that are compiled in.
///
/// Every file of the folder whose name ends in `.toml` counts: one has the rules, each other one is
/// a character. Their order is that of their names, so it is the same everywhere.
pub(crate) fn load(path: Option<&Path>) -> Result<Arc<WorldData>, CliError> {
    let Some(folder) = path else { return Ok(Arc::new(WorldData::default())) };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| unreadable(folder, &error))? {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() {
        let reason = "no file in it ends in .toml; give a folder like sim/world/data";
        return Err(CliError::usage(format_args!("cannot read the frame data {}: {reason}", folder.display())));
    }
    let mut files = Vec::new();
    for path in paths {
        let text = read_text(&path, "frame data", "TOML")?;
        files.push(DataFile { name: path.display().to_string(), text });
    }
    WorldData::load(&files).map(Arc::new).map_err(CliError::usage)
}

fn unreadable(path: &Path, error: &dyn Display) -> CliError {
    CliError::usage(format_args!("cannot read the frame data {}: {error}; check the path", path.display()))
}

/// Reads a file that should be text in this format.
pub(crate) fn read_text(path: &Path, what: &str, format: &str) -> Result<String, CliError> {
    let shown = path.display();
    let bytes =
        std::fs::read(path).map_err(|error| CliError::usage(format_args!("cannot read the {what} {shown}: {error}; check the path")))?;
    String::from_utf8(bytes).map_err(|_| CliError::usage(format_args!("{shown}: this is not text: give the {what} as {format} in UTF-8")))
}
