//! [`find`]: the replays of a path, in the order of their names.

use core::fmt;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// What the name of a replay's file ends in.
pub const EXTENSION: &str = "snbk";

/// A file that should be a replay.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FoundReplay {
    /// Its path below the folder that was searched, with `/` and without the ending: the same on
    /// every machine.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

/// Why there is nothing to check.
#[derive(Debug)]
pub enum FindError {
    /// The folder has no replay in it.
    Nothing {
        /// The folder.
        path: PathBuf,
    },
    /// The path is not there.
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// The path cannot be read.
    Io {
        /// What exactly cannot be read.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl fmt::Display for FindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing { path } => {
                write!(f, "no file in {} ends in .{EXTENSION}: nothing would be checked; give a replay or a folder of them", path.display())
            }
            Self::Missing { path } => write!(f, "there is no {}; give a replay (.{EXTENSION}) or a folder of them", path.display()),
            Self::Io { path, error } => write!(f, "cannot read {}: {error}; check its permissions", path.display()),
        }
    }
}

impl std::error::Error for FindError {}

/// The replay at `path`, or all in the folder there and the folders in it, by name.
///
/// Folders that are links are not followed, so the search always ends.
///
/// # Errors
/// If there is none: a check of nothing would be no proof.
pub fn find(path: &Path) -> Result<Vec<FoundReplay>, FindError> {
    let found = find_ending(path, EXTENSION)?;
    if found.is_empty() { Err(FindError::Nothing { path: path.to_owned() }) } else { Ok(found) }
}

/// The file at `path`, or all below it whose name ends in a dot and `ending`.
pub(super) fn find_ending(path: &Path, ending: &str) -> Result<Vec<FoundReplay>, FindError> {
    let unreadable = |path: &Path, error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => FindError::Missing { path: path.to_owned() },
        _ => FindError::Io { path: path.to_owned(), error },
    };
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(path, error))?;
    if !metadata.is_dir() {
        return Ok(vec![FoundReplay { name: name_of(path, ending), path: path.to_owned() }]);
    }
    let (mut found, mut folders) = (Vec::new(), vec![(String::new(), path.to_owned())]);
    while let Some((prefix, folder)) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|error| unreadable(&folder, error))? {
            let entry = entry.map_err(|error| unreadable(&folder, error))?;
            let file = text(&entry.file_name());
            let is_folder = entry.file_type().map_err(|error| unreadable(&entry.path(), error))?.is_dir();
            if is_folder {
                folders.push((format!("{prefix}{file}/"), entry.path()));
            } else if let Some(stem) = without_ending(&file, ending) {
                found.push(FoundReplay { name: format!("{prefix}{stem}"), path: entry.path() });
            }
        }
    }
    found.sort();
    Ok(found)
}

/// What a file that is given alone is called.
pub(super) fn name_of(path: &Path, ending: &str) -> String {
    let file = text(path.file_name().unwrap_or_default());
    without_ending(&file, ending).unwrap_or(&file).to_owned()
}

/// A name that is no text has its bytes written out: two such names must not become one.
fn text(name: &OsStr) -> String {
    name.to_str().map_or_else(|| format!("{name:?}").trim_matches('"').to_owned(), ToOwned::to_owned)
}

fn without_ending<'a>(file: &'a str, ending: &str) -> Option<&'a str> {
    file.strip_suffix(ending)?.strip_suffix('.').filter(|stem| !stem.is_empty())
}
