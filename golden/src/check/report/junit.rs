//! JUnit XML: a test case for every replay, for the many tools that read it.

use super::Report;
use super::human::show_divergence;
use crate::check::case::{Case, CaseOutcome};
use core::fmt::Write;

impl Report {
    /// A JUnit document. A file that cannot be played is an error, a divergence a failure.
    #[must_use]
    pub fn junit(&self) -> String {
        let count =
            |is_error: bool| self.cases.iter().filter(|case| case.outcome != CaseOutcome::Same && is_error == self::is_error(case)).count();
        let totals = format!("tests=\"{}\" failures=\"{}\" errors=\"{}\"", self.cases.len(), count(false), count(true));
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        // Writing to a text cannot fail.
        let _ = writeln!(out, "<testsuites name=\"snapback golden\" {totals}>\n  <testsuite name=\"golden replays\" {totals}>");
        for case in &self.cases {
            let _ = write!(out, "    <testcase classname=\"golden\" name=\"{}\" file=\"{}\"", escaped(&case.name), escaped(&case.file));
            if case.outcome == CaseOutcome::Same {
                let _ = writeln!(out, "/>");
                continue;
            }
            let kind = if is_error(case) { "error" } else { "failure" };
            let _ = writeln!(
                out,
                ">\n      <{kind} type=\"{}\" message=\"{}\">{}</{kind}>\n    </testcase>",
                case.outcome.word(),
                escaped(&case.message),
                escaped(&details(case))
            );
        }
        out.push_str("  </testsuite>\n</testsuites>");
        out
    }
}

fn is_error(case: &Case) -> bool {
    case.outcome.exit_code() > 1
}

/// What the case says below its first line.
pub(super) fn details(case: &Case) -> String {
    let mut text = String::new();
    match &case.divergence {
        Some(divergence) => show_divergence(divergence, false, &mut text),
        None => text = format!("  {}\n", case.message),
    }
    if let Some(recorded_by) = &case.recorded_by {
        let _ = writeln!(text, "  recorded by {recorded_by}");
    }
    for change in &case.changes {
        let _ = writeln!(text, "  since the recording: {change}");
    }
    let _ = write!(text, "  to see this again: {}", case.reproduce);
    text
}

/// Text as it may stand in XML, between tags and in quotes. What XML cannot hold at all is replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{FFFE}' | '\u{FFFF}' => out.push('\u{FFFD}'),
            c if c < ' ' => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}
