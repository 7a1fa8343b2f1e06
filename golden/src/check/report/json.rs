//! One document for programs. Its keys are an interface: keys are added, not changed.

use super::Report;
use crate::check::case::{Case, CaseOutcome};
use serde::Serialize;

/// The version of the document.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    snapback_golden: u32,
    outcome: CaseOutcome,
    exit_code: u8,
    replays: usize,
    frames: u64,
    counts: serde_json::Map<String, serde_json::Value>,
    cases: &'a [Case],
}

impl Report {
    /// One object:
    ///
    /// | key | value |
    /// |---|---|
    /// | `snapback_golden` | the version of this document, 1 |
    /// | `outcome`, `exit_code` | the worst outcome of all |
    /// | `replays`, `frames` | how many there were, and how many frames gave the recorded hash |
    /// | `counts` | how many replays had which outcome |
    /// | `cases` | a [`Case`] for every replay, by name |
    #[must_use]
    pub fn json(&self) -> String {
        let document = Document {
            snapback_golden: VERSION,
            outcome: self.worst(),
            exit_code: self.exit_code(),
            replays: self.cases.len(),
            frames: self.frames(),
            counts: self.counts().into_iter().map(|(outcome, count)| (outcome.word().to_owned(), count.into())).collect(),
            cases: &self.cases,
        };
        // Texts and numbers always can be written.
        serde_json::to_string_pretty(&document).unwrap_or_default()
    }
}
