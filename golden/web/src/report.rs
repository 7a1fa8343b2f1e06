//! [`report`]: what came of a file, whatever it is.

use crate::{Meta, WhereItDiverged};
use serde::Serialize;
use snapback_golden::world::world_of;
use snapback_golden::{GoldenReplay, PlayError, ReplayFileError, Verdict, verify};
use snapback_sim::WorldData;
use std::sync::Arc;

/// What came of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Every frame gave the recorded hash.
    Ok,
    /// One frame did not.
    Diverged,
    /// The same inputs gave two different states: the game itself cannot be trusted.
    Unstable,
    /// The file is not what was written, or no replay at all.
    Corrupt,
    /// It is a replay, but not for this build.
    Unsupported,
}

/// What came of a file, and all that there is to say of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// In a word.
    pub status: Status,
    /// In a sentence.
    pub message: String,
    /// How many frames gave the recorded hash.
    pub frames: u64,
    /// The digest over the hashes that were computed.
    pub digest: String,
    /// Which match it is; `None` if the file is not readable.
    pub meta: Option<Meta>,
    /// What is different about the game since the recording.
    pub changes: Vec<String>,
    /// Where it diverged.
    pub divergence: Option<WhereItDiverged>,
}

impl Report {
    fn refused(error: &PlayError, meta: Option<Meta>) -> Self {
        let status = match error {
            PlayError::File(ReplayFileError::UnsupportedVersion { .. }) => Status::Unsupported,
            PlayError::File(_) => Status::Corrupt,
            _ => Status::Unsupported,
        };
        Self { status, message: error.to_string(), frames: 0, digest: String::new(), meta, changes: Vec::new(), divergence: None }
    }

    /// As JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // It holds texts and numbers only, so this cannot fail; and if it did, the page would say so.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Plays the replay in `bytes`, if it is one.
#[must_use]
pub fn report(bytes: Vec<u8>) -> Report {
    let replay = match GoldenReplay::read(bytes) {
        Ok(replay) => replay,
        Err(error) => return Report::refused(&PlayError::File(error), None),
    };
    let meta = Some(Meta::of(&replay));
    if let Err(error) = replay.check_not_empty() {
        return Report::refused(&PlayError::File(error), meta);
    }
    let data: Arc<WorldData> = Arc::default();
    let verified = match verify(&replay, |meta| world_of(&data, meta)) {
        Ok(verified) => verified,
        Err(error) => return Report::refused(&error, meta),
    };
    let mut divergence = None;
    let (status, message) = match verified.verdict {
        Verdict::Same => (Status::Ok, "every frame gave the recorded state".to_owned()),
        Verdict::Unstable { frame, first, second } => {
            (Status::Unstable, format!("frame {frame} gave the hash {first} and then {second}: the game is not deterministic"))
        }
        Verdict::Diverged(found) => {
            let message = format!("frame {} is the first that is not as recorded", found.frame);
            divergence = Some(WhereItDiverged::of(*found));
            (Status::Diverged, message)
        }
    };
    let changes = verified.changes.iter().map(ToString::to_string).collect();
    Report { status, message, frames: verified.frames, digest: format!("{:08x}", verified.digest), meta, changes, divergence }
}
