//! Files to be damaged, and what is said of them.

use super::blocks::BlockFile;
use super::exercise::exercise;
use super::{crossing, settings};
use snapback_core::Rng;
use snapback_golden::format::Acceptance;

pub fn acceptance() -> Acceptance {
    Acceptance { reason: "calmer".into(), simulation_version: 1, config_hash: 2, first_frame: 3, replaced_digest: 4 }
}

/// Two snapshots, a whole and a started block of frames, an acceptance.
pub fn long() -> BlockFile {
    BlockFile::parse(&crossing(settings(false), 630, &[acceptance()]))
}

pub fn traced() -> BlockFile {
    BlockFile::parse(&crossing(settings(true), 70, &[acceptance()]))
}

/// The error that the file gives somewhere on the way.
pub fn refused(file: &[u8]) -> String {
    exercise(file, &mut Rng::new(1, 1)).unwrap_err()
}

#[track_caller]
pub fn assert_refused(file: &[u8], text: &str) {
    let error = refused(file);
    assert!(error.contains(text), "expected {text:?} in {error:?}");
}
