//! [`check`]: all replays, on all cores.

use super::cores::on_all_cores;
use super::file::read_file;
use super::find::FoundReplay;
use super::pending::{PendingPlace, PendingState};
use crate::format::{Provenance, ReplayMeta};
use crate::verify::Change;
use crate::{GoldenReplay, PlayError, ReplayDivergence, ReplayFileError, Verdict, verify};
use core::num::NonZeroUsize;
use snapback_core::{Frame, Simulation, StateHash};
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct CheckSettings {
    /// How many replays are played at a time; all cores if not given.
    pub jobs: Option<NonZeroUsize>,
    /// Where the new recording of a replay that diverged is left.
    pub pending: PendingPlace,
}

/// What came of one replay.
#[derive(Debug)]
pub struct Checked {
    /// The file.
    pub replay: FoundReplay,
    /// How many frames gave the recorded hash.
    pub frames: u64,
    /// How many frames the file has; 0 if it could not be read.
    pub frame_count: u64,
    /// CRC-32 over the hashes that were computed, if it could be played.
    pub digest: Option<u32>,
    /// What is different about the game since the recording.
    pub changes: Vec<Change>,
    /// Who recorded, if the file could be read.
    pub provenance: Option<Provenance>,
    /// Whether it is still the same.
    pub outcome: Outcome,
    /// What is there to be accepted or rejected.
    pub pending: Option<PendingState>,
}

/// Whether a replay still gives the same bits.
#[derive(Debug)]
pub enum Outcome {
    /// Every hash is the recorded one.
    Same,
    /// A frame is not what was recorded.
    Diverged {
        /// Which one, and what about it.
        divergence: Box<ReplayDivergence>,
        /// The section of each field that the recording knows.
        sections: BTreeMap<String, String>,
    },
    /// The same inputs gave one state and then another one: the simulation is not deterministic.
    Unstable {
        /// The frame.
        frame: Frame,
        /// What it gave first.
        first: StateHash,
        /// What it gave then.
        second: StateHash,
    },
    /// The simulation panicked, with this message.
    Panicked(String),
    /// The file is not a whole replay.
    Corrupt(ReplayFileError),
    /// The simulation at hand cannot play it.
    Unsupported(PlayError),
    /// The file cannot be read at all.
    Unreadable(io::Error),
}

/// Verifies every replay on the simulation that `make` makes of its meta block, as many at a time as
/// there are cores. `progress` is told after each one how many are done. The results are in the
/// order of `replays`, whatever order they were done in.
pub fn check<S: Simulation>(
    replays: &[FoundReplay],
    settings: &CheckSettings,
    make: impl Fn(&ReplayMeta) -> Result<S, String> + Sync,
    progress: impl FnMut(usize),
) -> Vec<Checked> {
    on_all_cores(replays, settings.jobs, |replay| check_one(replay, &settings.pending, &make), progress)
}

/// Verifies one replay.
pub fn check_one<S: Simulation>(found: &FoundReplay, pending: &PendingPlace, make: impl Fn(&ReplayMeta) -> Result<S, String>) -> Checked {
    let mut checked = Checked {
        replay: found.clone(),
        frames: 0,
        frame_count: 0,
        digest: None,
        changes: Vec::new(),
        provenance: None,
        outcome: Outcome::Same,
        pending: None,
    };
    let replay = match read_file(&found.path).map(GoldenReplay::read) {
        Ok(Ok(replay)) => replay,
        Ok(Err(error)) => return Checked { outcome: Outcome::Corrupt(error), ..checked },
        Err(error) => return Checked { outcome: Outcome::Unreadable(error), ..checked },
    };
    checked.frame_count = replay.frame_count();
    if let Err(error) = replay.check_not_empty() {
        return Checked { outcome: Outcome::Corrupt(error), ..checked };
    }
    checked.provenance = Some(replay.meta().provenance.clone());
    // A panic of the game ends this replay and not the whole check. Nothing of it is used again.
    match catch_unwind(AssertUnwindSafe(|| verify(&replay, &make))) {
        Err(payload) => return Checked { outcome: Outcome::Panicked(message_of(&*payload)), ..checked },
        Ok(Err(PlayError::File(error))) => return Checked { outcome: Outcome::Corrupt(error), ..checked },
        Ok(Err(error)) => return Checked { outcome: Outcome::Unsupported(error), ..checked },
        Ok(Ok(verified)) => {
            (checked.frames, checked.digest, checked.changes) = (verified.frames, Some(verified.digest), verified.changes);
            checked.outcome = match verified.verdict {
                Verdict::Same => Outcome::Same,
                Verdict::Unstable { frame, first, second } => Outcome::Unstable { frame, first, second },
                Verdict::Diverged(divergence) => {
                    let entries = replay.fields().state.entries().iter();
                    let sections = entries.map(|entry| (entry.path.clone(), entry.section.clone())).collect();
                    Outcome::Diverged { divergence, sections }
                }
            };
        }
    }
    checked.pending = match &checked.outcome {
        Outcome::Diverged { .. } => leave(pending, found, &replay, &make),
        Outcome::Same => pending.stale(found),
        _ => None,
    };
    checked
}

/// The divergence may not be the end: what comes after it was not played yet, and may panic.
fn leave<S: Simulation>(
    place: &PendingPlace,
    found: &FoundReplay,
    replay: &GoldenReplay,
    make: impl Fn(&ReplayMeta) -> Result<S, String>,
) -> Option<PendingState> {
    catch_unwind(AssertUnwindSafe(|| place.leave(found, replay, make))).unwrap_or_else(|payload| {
        let reason = format!("after the divergence the simulation panicked: {}", message_of(&*payload));
        place.path_of(found).map(|path| PendingState::Failed { path, reason })
    })
}

fn message_of(payload: &(dyn core::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("it gave no message").to_owned()
}
