//! [`PendingPlace`]: where the new recording of a replay that diverged waits for a person.

use super::atomic::write_atomically;
use super::find::{EXTENSION, FindError, FoundReplay, find_ending, name_of};

use crate::format::ReplayMeta;
use crate::{GoldenReplay, rerecord};
use core::fmt;
use snapback_core::Simulation;
use std::path::{Path, PathBuf};

/// What the name of a pending file ends in.
pub const PENDING_EXTENSION: &str = "snbk.new";

/// Where pending files are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum PendingPlace {
    /// None are written: CI.
    #[default]
    Nowhere,
    /// Each beside its replay: `NAME.snbk.new`.
    Beside,
    /// In a folder that mirrors the one of the replays.
    Folder(PathBuf),
}

/// What is there to be accepted or rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PendingState {
    /// The same inputs as this build plays them were recorded here.
    Written(PathBuf),
    /// They should have been.
    Failed {
        /// Where.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The replay is the same again, and this file still waits.
    Stale(PathBuf),
}

/// A change that waits to be accepted or rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingChange {
    /// The name of the replay.
    pub name: String,
    /// The replay.
    pub original: PathBuf,
    /// The recording that would take its place.
    pub pending: PathBuf,
}

impl PendingPlace {
    /// Where the pending file of a replay is; `None` if there is no place for it.
    #[must_use]
    pub fn path_of(&self, replay: &FoundReplay) -> Option<PathBuf> {
        match self {
            Self::Nowhere => None,
            Self::Beside => Some(beside(&replay.path)),
            Self::Folder(folder) => Some(folder.join(format!("{}.{PENDING_EXTENSION}", replay.name))),
        }
    }

    pub(super) fn leave<S: Simulation>(
        &self,
        found: &FoundReplay,
        replay: &GoldenReplay,
        make: impl Fn(&ReplayMeta) -> Result<S, String>,
    ) -> Option<PendingState> {
        let path = self.path_of(found)?;
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let recorded = rerecord(replay, make, replay.acceptances()).map_err(|error| error.to_string());
        let written = recorded.and_then(|bytes| folder.and_then(|()| write_atomically(&path, &bytes)).map_err(|error| error.to_string()));
        Some(match written {
            Ok(()) => PendingState::Written(path),
            Err(reason) => PendingState::Failed { path, reason },
        })
    }

    pub(super) fn stale(&self, found: &FoundReplay) -> Option<PendingState> {
        // In CI nothing is written, but what was committed by mistake is beside the replay.
        let path = self.path_of(found).unwrap_or_else(|| beside(&found.path));
        path.is_file().then_some(PendingState::Stale(path))
    }

    /// The changes that wait for the replays at `corpus`, by name.
    ///
    /// # Errors
    /// If the place cannot be searched.
    pub fn changes(&self, corpus: &Path) -> Result<Vec<PendingChange>, FindError> {
        let place = match self {
            Self::Folder(folder) if !folder.exists() => return Ok(Vec::new()),
            Self::Folder(folder) => folder.as_path(),
            Self::Nowhere | Self::Beside if corpus.is_file() => {
                let change = PendingChange::of(corpus);
                return Ok(change.pending.is_file().then_some(change).into_iter().collect());
            }
            Self::Nowhere | Self::Beside => corpus,
        };
        let mut found = find_ending(place, PENDING_EXTENSION)?;
        let is_one = corpus.is_file();
        if is_one {
            // A replay that was checked alone is called by its file.
            let name = name_of(corpus, EXTENSION);
            found.retain(|found| found.name == name);
        }
        let original = |name: &str| if is_one { corpus.to_owned() } else { corpus.join(format!("{name}.{EXTENSION}")) };
        Ok(found.into_iter().map(|FoundReplay { name, path }| PendingChange { original: original(&name), name, pending: path }).collect())
    }
}

impl PendingChange {
    /// The change that waits beside a replay.
    #[must_use]
    pub fn of(original: &Path) -> Self {
        let name = original.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self { name, original: original.to_owned(), pending: beside(original) }
    }

    /// The change that `wanted` means: the name of a replay, the last part of a name, or the path of a
    /// replay or of its pending file.
    ///
    /// # Errors
    /// If it means none of them, or several.
    pub fn choose(changes: Vec<Self>, wanted: &str) -> Result<Self, ChoiceError> {
        let is_path = |change: &Self| change.original == Path::new(wanted) || change.pending == Path::new(wanted);
        let stem = wanted.strip_suffix(".new").unwrap_or(wanted);
        let stem = stem.strip_suffix(".snbk").unwrap_or(stem);
        let is_last = |change: &Self| change.name.rsplit('/').next() == Some(stem);
        let names: Vec<String> = changes.iter().map(|change| change.name.clone()).collect();
        let exact = changes.iter().position(|change| is_path(change) || change.name == stem);
        let mut near = changes.iter().enumerate().filter(|(_, change)| is_last(change));
        let (first, second) = (near.next().map(|(at, _)| at), near.next());
        let at = match (exact, first, second) {
            (Some(at), ..) | (None, Some(at), None) => at,
            (None, None, _) => return Err(ChoiceError { wanted: wanted.to_owned(), is_ambiguous: false, names }),
            (None, Some(_), Some(_)) => {
                let names = changes.iter().filter(|change| is_last(change)).map(|change| change.name.clone()).collect();
                return Err(ChoiceError { wanted: wanted.to_owned(), is_ambiguous: true, names });
            }
        };
        changes.into_iter().nth(at).ok_or(ChoiceError { wanted: wanted.to_owned(), is_ambiguous: false, names })
    }
}

/// A name that does not say which change is meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoiceError {
    /// The name.
    pub wanted: String,
    /// Whether it means several, and not none.
    pub is_ambiguous: bool,
    /// What it could be.
    pub names: Vec<String>,
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wanted, names) = (&self.wanted, self.names.join(", "));
        match (self.is_ambiguous, self.names.is_empty()) {
            (true, _) => write!(f, "\"{wanted}\" means several pending replays: give one of {names}"),
            (false, false) => write!(f, "no pending replay is called \"{wanted}\": give one of {names}"),
            (false, true) => write!(f, "no pending replay is called \"{wanted}\": there is none; run `snapback golden verify` first"),
        }
    }
}

impl std::error::Error for ChoiceError {}

fn beside(replay: &Path) -> PathBuf {
    let mut name = replay.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}
