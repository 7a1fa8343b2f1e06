//! [`ReplayFileError`]: why bytes are not a replay.

use core::fmt;

/// Why bytes are not a replay that can be trusted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayFileError {
    /// They do not begin like one.
    NotAReplay,
    /// They are of a version that this build does not know.
    UnsupportedVersion {
        /// The version of the file.
        version: u16,
    },
    /// They end before the end block. What is whole can be [recovered](crate::GoldenReplay::recover).
    Truncated {
        /// Where the bytes end.
        offset_bytes: usize,
        /// How many frames are whole.
        frames: u64,
    },
    /// A block is not what was written.
    Corrupt {
        /// Where the block begins.
        offset_bytes: usize,
        /// The name of the block.
        block: &'static str,
    },
    /// A block holds what no replay holds.
    Invalid {
        /// Where the block begins.
        offset_bytes: usize,
        /// The name of the block.
        block: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

impl fmt::Display for ReplayFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAReplay => f.write_str("this is no replay: it does not begin with SNBK"),
            Self::UnsupportedVersion { version } => {
                write!(
                    f,
                    "the replay has format version {version}, and this build reads version {}; use a newer build",
                    super::FORMAT_VERSION
                )
            }
            Self::Truncated { offset_bytes, frames: 0 } => {
                write!(f, "the replay ends at byte {offset_bytes} without its end, and no frame of it is whole")
            }
            Self::Truncated { offset_bytes, frames } => {
                write!(f, "the replay ends at byte {offset_bytes} without its end; {frames} frames are whole and can be recovered")
            }
            Self::Corrupt { offset_bytes, block } => {
                write!(f, "the {block} block at byte {offset_bytes} is damaged: its checksum is wrong; take another copy of the file")
            }
            Self::Invalid { offset_bytes, block, reason } => write!(f, "the {block} block at byte {offset_bytes} is invalid: {reason}"),
        }
    }
}

impl std::error::Error for ReplayFileError {}
