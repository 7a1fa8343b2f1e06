//! [`Line`]: what came of one replay.

use core::fmt;
use snapback_core::Frame;
use snapback_golden::world::world_of;
use snapback_golden::{GoldenReplay, PlayError, Verdict, verify};
use snapback_sim::WorldData;
use std::sync::Arc;

/// What came of one replay.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The name of the file.
    pub name: String,
    /// How many frames gave the recorded hash.
    pub frames: u64,
    /// CRC-32 over the hashes that this machine computed.
    pub digest: u32,
    /// Whether they are the recorded ones.
    pub outcome: Outcome,
}

/// Whether a replay gives the recorded bits.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Every hash is the recorded one.
    Same,
    /// The first frame that is another one.
    Diverged(Frame),
    /// It was played twice and did not come to the same state again.
    Unstable(Frame),
    /// The file is not what was written, or not for this build.
    Refused(PlayError),
}

impl Line {
    /// Plays the replay in `bytes`.
    #[must_use]
    pub fn of(name: &str, bytes: Vec<u8>, data: &Arc<WorldData>) -> Self {
        let played = GoldenReplay::read(bytes).map_err(PlayError::File);
        let verified = played.and_then(|replay| verify(&replay, |meta| world_of(data, meta)));
        let name = name.to_owned();
        match verified {
            Err(error) => Self { name, frames: 0, digest: 0, outcome: Outcome::Refused(error) },
            Ok(verified) => {
                let outcome = match verified.verdict {
                    Verdict::Same => Outcome::Same,
                    Verdict::Diverged(divergence) => Outcome::Diverged(divergence.frame),
                    Verdict::Unstable { frame, .. } => Outcome::Unstable(frame),
                };
                Self { name, frames: verified.frames, digest: verified.digest, outcome }
            }
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:08x} {}", self.name, self.frames, self.digest, self.outcome)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => f.write_str("same"),
            Self::Diverged(frame) => write!(f, "diverged at frame {frame}"),
            Self::Unstable(frame) => write!(f, "unstable at frame {frame}"),
            Self::Refused(error) => write!(f, "refused: {error}"),
        }
    }
}
