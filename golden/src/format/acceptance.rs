//! [`Acceptance`] and [`Summary`]: what is known about a replay once it is over.

use super::text;
use serde::{Deserialize, Serialize};
use snapback_core::StateHash;

/// Somebody has looked at what changed and wants it so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Acceptance {
    /// Why, in words.
    pub reason: String,
    /// The version of the simulation that gives the new states.
    pub simulation_version: u32,
    /// The config hash of that simulation.
    pub config_hash: u32,
    /// The first frame that the change changed.
    pub first_frame: i64,
    /// The digest of the replay that this one took the place of.
    pub replaced_digest: u32,
}

impl Acceptance {
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.reason.trim().is_empty() {
            return Err("the reason is empty".to_owned());
        }
        text::check("reason", &self.reason)
    }
}

/// How a recording ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// How many frames there are.
    pub frames: u64,
    /// CRC-32 over the state hashes of all frames, little-endian: one number for the whole replay.
    pub digest: u32,
    /// How many rollbacks the recording session went through.
    pub rollbacks: u64,
    /// The deepest of them, in frames.
    pub max_rollback_frames: u32,
}

/// Sums state hashes up to one number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Digest(crc32fast::Hasher);

impl Digest {
    pub(crate) fn add(&mut self, hash: StateHash) {
        self.add_all(&hash.bits().to_le_bytes());
    }

    /// Adds hashes that stand one after another, little-endian: much faster than one at a time.
    pub(crate) fn add_all(&mut self, hashes: &[u8]) {
        self.0.update(hashes);
    }

    pub(crate) fn value(&self) -> u32 {
        self.0.clone().finalize()
    }
}
