//! For people: what failed, and from there the way to the cause.

use super::Report;
use crate::check::case::{Case, CaseOutcome, DivergenceCase, FieldCase};
use core::fmt::Write;

/// How many divergences are shown at length: one change of the game may let every replay diverge.
const SHOWN_CASES: usize = 3;

/// How many fields are shown.
const SHOWN_FIELDS: usize = 12;

impl Report {
    /// For people. With `whole_state` the state before a divergence is shown as a whole, and not only
    /// the sections of the fields that differ.
    #[must_use]
    pub fn human(&self, whole_state: bool) -> String {
        let mut out = String::new();
        let (mut left, mut brief) = (SHOWN_CASES, 0);
        for case in &self.cases {
            let case = &visible(case);
            if case.divergence.is_some() && left == 0 {
                // Writing to a text cannot fail.
                let _ = writeln!(out, "{} {}: {}", case.outcome.word().to_uppercase(), case.file, case.message);
                brief += 1;
                continue;
            }
            left -= usize::from(case.divergence.is_some());
            show(case, whole_state, &mut out);
        }
        if brief > 0 {
            out.push_str("(each of these last ones is shown at length if it is checked alone)\n\n");
        }
        out.push_str(&self.line());
        out
    }
}

/// The case with nothing in its texts that breaks a line or that a terminal obeys: a file may be called
/// anything, and a line that begins with `::` is a command in the log of GitHub.
fn visible(case: &Case) -> Case {
    let mut case = case.clone();
    let pending = case.pending.iter_mut().flat_map(|pending| [&mut pending.file, &mut pending.reason]);
    for text in [&mut case.name, &mut case.file, &mut case.message, &mut case.reproduce].into_iter().chain(pending) {
        if text.chars().any(char::is_control) {
            *text = text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect();
        }
    }
    case
}

// Writing to a text cannot fail.
fn show(case: &Case, whole_state: bool, out: &mut String) {
    if let Some(pending) = case.pending.as_ref().filter(|pending| pending.state == "stale") {
        let _ = writeln!(
            out,
            "note: {} is left over: {} is as it was recorded; remove it with `snapback golden reject`",
            pending.file, case.name
        );
    }
    if case.outcome == CaseOutcome::Same {
        return;
    }
    let _ = writeln!(out, "{} {}", case.outcome.word().to_uppercase(), case.file);
    match &case.divergence {
        None => {
            let _ = writeln!(out, "  {}", case.message);
        }
        Some(divergence) => show_divergence(divergence, whole_state, out),
    }
    if let Some(recorded_by) = &case.recorded_by {
        let _ = writeln!(out, "  recorded by {recorded_by}");
    }
    for change in &case.changes {
        let _ = writeln!(out, "  since the recording: {change}");
    }
    let _ = writeln!(out, "  to see this again:   {}", case.reproduce);
    if let Some(pending) = &case.pending {
        let _ = match pending.state.as_str() {
            "written" => writeln!(
                out,
                "  if it is meant:      {} has the same inputs as this build plays them; `snapback golden review` shows and accepts it",
                pending.file
            ),
            _ => writeln!(out, "  {} could not be written: {}", pending.file, pending.reason),
        };
    }
    out.push('\n');
}

/// What a divergence says, indented.
pub(in crate::check) fn show_divergence(divergence: &DivergenceCase, whole_state: bool, out: &mut String) {
    let DivergenceCase { frame, expected_hash, actual_hash, fields, .. } = divergence;
    let _ = writeln!(out, "  frame {frame} is the first whose state differs: expected hash {expected_hash}, got {actual_hash}");
    let _ = match (divergence.evidence.as_str(), divergence.evidence_frame) {
        ("hash", _) => writeln!(out, "  (no state was recorded; this is the one field that explains the hash)"),
        ("state", _) if fields.is_empty() => {
            writeln!(
                out,
                "  (no field differs from the recorded state: the game hashes it in another way now, or the recording contradicts itself)"
            )
        }
        ("later_snapshot", Some(later)) if fields.is_empty() => {
            writeln!(out, "  (no field differs in the next recorded state, that of frame {later}; a replay with a trace names the field)")
        }
        ("later_snapshot", Some(later)) => {
            writeln!(out, "  (the next recorded state is that of frame {later}; these fields differ there)")
        }
        ("nothing", _) => writeln!(out, "  (no state was recorded; a replay with a trace names the field)"),
        _ => Ok(()),
    };
    for field in fields.iter().take(SHOWN_FIELDS) {
        let _ = match &field.before {
            Some(before) => writeln!(out, "    {field}; before: {before}"),
            None => writeln!(out, "    {field}"),
        };
    }
    if fields.len() > SHOWN_FIELDS {
        let _ = writeln!(out, "    and {} more fields", fields.len() - SHOWN_FIELDS);
    }
    if !divergence.inputs.is_empty() {
        let _ = writeln!(out, "  inputs, by player, in hexadecimal:");
    }
    for line in &divergence.inputs {
        let mark = if line.frame == *frame { ">" } else { " " };
        let _ = writeln!(out, "  {mark} {:>8}  {}", line.frame, line.players.join("  "));
    }
    show_state(divergence, whole_state, out);
}

fn show_state(divergence: &DivergenceCase, whole_state: bool, out: &mut String) {
    let is_near = |field: &&FieldCase| {
        whole_state || divergence.fields.iter().any(|change| owner(&change.path) == owner(&field.path) && change.section == field.section)
    };
    let near: Vec<&FieldCase> = divergence.state_before.iter().filter(is_near).collect();
    if near.is_empty() {
        return;
    }
    let what = if whole_state { "the state before" } else { "the state before, around these fields (all of it: --state)" };
    let _ = writeln!(out, "  {what}:");
    for field in near {
        let _ = writeln!(out, "    {} = {}", field.path, field.value);
    }
}

/// The part of a path before the first dot: `fighter[1]`.
fn owner(path: &str) -> &str {
    path.split_once('.').map_or("", |(owner, _)| owner)
}
