//! [`accept`]: a changed recording takes the place of the old one, and says why.

use super::atomic::write_atomically;
use super::diff::first_hash_difference;
use super::file::read_file;
use super::pending::PendingChange;
use crate::format::{Acceptance, ReplayFileError, ReplayMeta};
use crate::{GoldenReplay, RecordError};
use core::fmt;
use snapback_core::Frame;
use std::io;
use std::path::{Path, PathBuf};

/// What was accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// What the replay says of it from now on.
    pub acceptance: Acceptance,
    /// Whether the old file was signed: the new one is not.
    pub dropped_signature: bool,
}

/// Why a change was not accepted. Nothing has changed then.
#[derive(Debug)]
pub enum AcceptError {
    /// A file cannot be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is not a whole replay.
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: ReplayFileError,
    },
    /// The pending file is of another match.
    OtherMatch {
        /// The pending file.
        path: PathBuf,
        /// What is different.
        reason: String,
    },
    /// The pending file is older than the last acceptance of the replay.
    Outdated {
        /// The pending file.
        path: PathBuf,
    },
    /// Both files give the same states.
    NothingChanged {
        /// The pending file.
        path: PathBuf,
    },
    /// It cannot be noted.
    Record(RecordError),
}

impl fmt::Display for AcceptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::OtherMatch { path, reason } => {
                write!(f, "{} is not of the same match: {reason}; reject it and verify again", path.display())
            }
            Self::Outdated { path } => {
                write!(
                    f,
                    "{} does not remember what was accepted for the replay: it is older, or of another copy; reject it and verify again",
                    path.display()
                )
            }
            Self::NothingChanged { path } => {
                write!(f, "{} gives the same states as the replay: there is nothing to accept; reject it", path.display())
            }
            Self::Record(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AcceptError {}

/// Lets the pending recording take the place of the replay, with one acceptance more, and removes
/// the pending file.
///
/// # Errors
/// If one of the two is not a whole replay, if they are not of the same inputs or do not remember the
/// same acceptances, or if nothing changed.
pub fn accept(change: &PendingChange, reason: &str) -> Result<Accepted, AcceptError> {
    let (old, new) = (read(&change.original)?, read(&change.pending)?);
    let other = |reason| AcceptError::OtherMatch { path: change.pending.clone(), reason };
    same_match(old.meta(), new.meta()).map_err(other)?;
    same_inputs(&old, &new).map_err(other)?;
    if old.acceptances() != new.acceptances() {
        // The new file takes the place of the old one, and the reasons in it would be lost.
        return Err(AcceptError::Outdated { path: change.pending.clone() });
    }
    let nothing = || AcceptError::NothingChanged { path: change.pending.clone() };
    let first_frame = first_change(&old, &new).ok_or_else(nothing)?.number();
    let acceptance = Acceptance {
        reason: reason.to_owned(),
        simulation_version: new.meta().simulation_version,
        config_hash: new.meta().config_hash,
        first_frame,
        replaced_digest: old.digest(),
    };
    let bytes = new.accepted(&acceptance).map_err(AcceptError::Record)?;
    let io = |path: &Path| {
        let path = path.to_owned();
        |error| AcceptError::Io { path, error }
    };
    write_atomically(&change.original, &bytes).map_err(io(&change.original))?;
    std::fs::remove_file(&change.pending).map_err(io(&change.pending))?;
    Ok(Accepted { acceptance, dropped_signature: old.is_signed() })
}

/// Removes the pending recording.
///
/// # Errors
/// If it cannot be removed.
pub fn reject(change: &PendingChange) -> io::Result<()> {
    std::fs::remove_file(&change.pending)
}

/// Reads a whole replay.
fn read(path: &Path) -> Result<GoldenReplay, AcceptError> {
    let bytes = read_file(path).map_err(|error| AcceptError::Io { path: path.to_owned(), error })?;
    let replay = GoldenReplay::read(bytes).and_then(|replay| replay.check().map(|()| replay));
    replay.map_err(|error| AcceptError::File { path: path.to_owned(), error })
}

fn same_match(old: &ReplayMeta, new: &ReplayMeta) -> Result<(), String> {
    let differs = |what: &str, old: &dyn fmt::Display, new: &dyn fmt::Display| Err(format!("the {what} was {old} and is {new}"));
    if old.simulation != new.simulation {
        return differs("simulation", &old.simulation, &new.simulation);
    }
    if old.seed != new.seed {
        return differs("seed", &old.seed, &new.seed);
    }
    if old.players != new.players {
        return differs("number of players", &old.players, &new.players);
    }
    if old.first_frame != new.first_frame {
        return differs("first frame", &old.first_frame, &new.first_frame);
    }
    if old.setup != new.setup {
        return differs("setup", &old.setup, &new.setup);
    }
    Ok(())
}

fn same_inputs(old: &GoldenReplay, new: &GoldenReplay) -> Result<(), String> {
    if old.frame_count() != new.frame_count() {
        return Err(format!("it has {} frames and the replay {}", new.frame_count(), old.frame_count()));
    }
    let difference = super::diff::input_changes(old, new).map_err(|error| error.to_string())?;
    difference.first.map_or(Ok(()), |first| Err(format!("the inputs of player {} at frame {} are not the same", first.player, first.frame)))
}

/// The first frame that a change changed; the one before the first frame if already the start did.
fn first_change(old: &GoldenReplay, new: &GoldenReplay) -> Option<Frame> {
    let before = old.meta().first_frame().previous();
    let starts = [old, new].map(|replay| replay.snapshot_before(before).ok());
    let [old_start, new_start] = &starts;
    if old_start != new_start { Some(before) } else { first_hash_difference(old, new) }
}
