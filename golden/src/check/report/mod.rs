//! [`Report`]: what came of a check, and the forms in which it is shown. None of them has a time in
//! it: the same files and the same build give the same report.

mod github;
mod human;
mod json;
mod junit;

use super::case::{Case, CaseOutcome};
use super::run::Checked;

/// What came of a check, by name.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The replays.
    pub cases: Vec<Case>,
}

impl Report {
    /// A report of these results. `reproduce` is the command that checks one of them again, with
    /// `{file}` in the place of the file.
    #[must_use]
    pub fn of(checked: &[Checked], reproduce: &str) -> Self {
        Self { cases: checked.iter().map(|checked| Case::of(checked, reproduce)).collect() }
    }

    /// The worst outcome: a divergence, then a file that is no replay, then one that cannot be read.
    #[must_use]
    pub fn worst(&self) -> CaseOutcome {
        self.cases.iter().map(|case| case.outcome).max().unwrap_or(CaseOutcome::Same)
    }

    /// How a command that made this check ends: 0 all are the same, 1 one diverged, 3 one is corrupt
    /// or unsupported, 4 one cannot be read; if there are several kinds, the first of these that is
    /// not 0.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        self.worst().exit_code()
    }

    /// How many replays had each outcome, the best first; outcomes that none had are left out.
    #[must_use]
    pub fn counts(&self) -> Vec<(CaseOutcome, usize)> {
        use CaseOutcome as O;
        let all = [O::Same, O::Diverged, O::Unstable, O::Panicked, O::Corrupt, O::Unsupported, O::Unreadable];
        let count = |outcome| self.cases.iter().filter(|case| case.outcome == outcome).count();
        all.into_iter().map(|outcome| (outcome, count(outcome))).filter(|(_, count)| *count > 0).collect()
    }

    /// How many frames gave the recorded hash. A part may have been edited: no number is too large.
    fn frames(&self) -> u64 {
        self.cases.iter().fold(0, |frames, case| frames.saturating_add(case.frames))
    }

    /// In one line, such as `3 replays, 5400 frames: 2 same, 1 diverged`.
    #[must_use]
    pub fn line(&self) -> String {
        let frames = self.frames();
        let counts: Vec<String> = self.counts().iter().map(|(outcome, count)| format!("{count} {}", outcome.word())).collect();
        let (replays, counts) = (self.cases.len(), counts.join(", "));
        format!(
            "{replays} replay{}, {frames} frames: {}",
            if replays == 1 { "" } else { "s" },
            if counts.is_empty() { "none" } else { &counts }
        )
    }
}
