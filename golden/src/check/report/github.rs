//! Workflow commands of GitHub Actions: each failure is an annotation at its file.

use super::Report;
use super::junit::details;
use crate::check::case::CaseOutcome;
use core::fmt::Write;

impl Report {
    /// An `::error` for every replay that is not the same, and a last line for the log.
    #[must_use]
    pub fn github(&self) -> String {
        let mut out = String::new();
        for case in self.cases.iter().filter(|case| case.outcome != CaseOutcome::Same) {
            let title = format!("Golden replay {} {}", case.name, case.outcome.word());
            // Writing to a text cannot fail.
            let _ = writeln!(
                out,
                "::error file={},title={}::{}",
                property(&case.file),
                property(&title),
                data(&format!("{}\n{}", case.message, details(case)))
            );
        }
        out.push_str(&self.line());
        out
    }
}

/// The text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, where two signs more have a meaning.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
