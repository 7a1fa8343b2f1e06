//! `snapback golden diff` and `bisect`.

use super::files::{self, Worlds};
use super::options::{BisectOptions, CompareFormat, DiffOptions};
use crate::error::{CliError, Code};
use crate::out;
use core::fmt::{Display, Write};
use serde::Serialize;
use snapback::desync::{OURS, THEIRS};
use snapback_golden::check::{self, ChangeCase, CheckSettings, Diff, FoundReplay, InputChange, PartedBy, Parting, PendingPlace, Report};
use std::path::Path;

/// How many fields are shown.
const SHOWN_FIELDS: usize = 12;

pub(super) fn diff(options: &DiffOptions) -> Result<Code, CliError> {
    let (a, b) = (files::read(&options.a)?, files::read(&options.b)?);
    let diff = check::diff(&a, &b).map_err(|error| files::damaged(&options.b, &error))?;
    match options.format {
        CompareFormat::Human => out::say(format_args!("{} | {}\n{}", options.a.display(), options.b.display(), shown(&diff, false)))?,
        CompareFormat::Json => out::say(json(&diff))?,
    }
    Ok(if diff.same { Code::Agreed } else { Code::Disagreed })
}

pub(super) fn bisect(options: &BisectOptions) -> Result<Code, CliError> {
    let worlds = Worlds::load(&options.data)?;
    // The folder of a desync has both.
    let (a, b) = match &options.b {
        None if options.a.is_dir() && !options.a.join(THEIRS).exists() => return Err(one_sided(&options.a)),
        None if options.a.is_dir() => (options.a.join(OURS), Some(options.a.join(THEIRS))),
        b => (options.a.clone(), b.clone()),
    };
    let path = a;
    let a = files::read(&path)?;
    let Some(b) = &b else { return against_this_build(options, &worlds) };
    let heading = format!("{} | {}", path.display(), b.display());
    let b = files::read(b)?;
    let parting = check::bisect(&a, &b, |meta| worlds.world(meta)).map_err(|error| files::unplayable(&path, &error))?;
    match options.format {
        CompareFormat::Human => out::say(format_args!("{heading}\n{}", parted(&parting)))?,
        CompareFormat::Json => out::say(json(&parting))?,
    }
    Ok(if parting.first == PartedBy::Nothing { Code::Agreed } else { Code::Disagreed })
}

/// What else there is in the folder of a desync whose peers could not finish.
fn one_sided(folder: &Path) -> CliError {
    let (shown, report) = (folder.display(), folder.join("report.txt"));
    if !report.exists() {
        return CliError::usage(format_args!("{shown}: this is no folder of a desync: it has no report.txt and no {THEIRS}"));
    }
    let ours = folder.join(OURS);
    let rest = if ours.exists() {
        format!("; `snapback golden bisect {}` compares this side with this build", ours.display())
    } else {
        String::new()
    };
    CliError::usage(format_args!("{shown}: this desync has no recording of the other side; {} says why{rest}", report.display()))
}

/// The inputs are those of the recording, so only a state can part.
fn against_this_build(options: &BisectOptions, worlds: &Worlds) -> Result<Code, CliError> {
    let name = options.a.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let found = [FoundReplay { name, path: options.a.clone() }];
    let settings = CheckSettings { pending: PendingPlace::Nowhere, ..CheckSettings::default() };
    let checked = check::check(&found, &settings, |meta| worlds.world(meta), |_| {});
    let report = Report::of(&checked, "snapback golden bisect {file}");
    match options.format {
        CompareFormat::Human => out::say(report.human(false))?,
        CompareFormat::Json => out::say(report.json())?,
    }
    Ok(Code::from_number(report.exit_code()))
}

fn json(value: &impl Serialize) -> String {
    // Texts and numbers always can be written.
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// What differs; `briefly` leaves out who recorded, and shows fewer fields.
pub(super) fn shown(diff: &Diff, briefly: bool) -> String {
    let mut out = String::new();
    // Writing to a text cannot fail.
    let provenance = if briefly { &[][..] } else { &diff.provenance };
    for row in diff.meta.iter().chain(provenance) {
        let _ = writeln!(out, "  {}: {} | {}", row.what, quoted(&row.a), quoted(&row.b));
    }
    let common = diff.common_frames;
    match &diff.inputs.first {
        None => _ = writeln!(out, "  inputs: the same in all {common} frames that both have"),
        Some(first) => _ = writeln!(out, "  inputs: differ in {} of {common} frames, first at {}", diff.inputs.frames, pressed(first)),
    }
    match &diff.hashes.first {
        None => _ = writeln!(out, "  states: the same in all {common} frames that both have"),
        Some(first) => {
            let _ = writeln!(
                out,
                "  states: differ in {} of {common} frames, first at frame {}: hash {} | {}",
                diff.hashes.frames, first.frame, first.a, first.b
            );
            match &diff.hashes.last {
                Some(last) => _ = writeln!(out, "          and at the last one, frame {}: hash {} | {}", last.frame, last.a, last.b),
                None => out.push_str("          and are the same again at the last one\n"),
            }
        }
    }
    match &diff.fields {
        Some(fields) => list(fields, if briefly { SHOWN_FIELDS / 2 } else { usize::MAX }, &mut out),
        None if diff.hashes.first.is_some() => {
            out.push_str("          (one of them was recorded without a trace: `snapback golden bisect` finds the fields)\n")
        }
        None => {}
    }
    out.trim_end().to_owned()
}

fn parted(parting: &Parting) -> String {
    let mut out = String::new();
    let state = |out: &mut String| match parting.state_frame {
        Some(frame) => {
            let _ = writeln!(out, "  the first frame whose state differs is {frame} ({}):", parting.evidence);
            list(&parting.fields, SHOWN_FIELDS, out);
        }
        None => out.push_str("  the states are the same all the same\n"),
    };
    if !parting.other_match.is_empty() {
        out.push_str("these are two matches, not two recordings of one:\n");
    }
    for row in &parting.other_match {
        let _ = writeln!(out, "  {}: {} | {}", row.what, quoted(&row.a), quoted(&row.b));
    }
    match (parting.first, &parting.inputs) {
        (PartedBy::Inputs, Some(first)) => {
            let _ = writeln!(out, "the inputs part first, at {}", pressed(first));
            state(&mut out);
        }
        (PartedBy::State, inputs) => {
            let frame = parting.state_frame.unwrap_or_default();
            let why = if parting.other_match.is_empty() { ": the two builds do not compute the same" } else { "" };
            let _ = writeln!(out, "the states part first, at frame {frame}, after the same inputs{why}");
            state(&mut out);
            if let Some(first) = inputs {
                let _ = writeln!(out, "  the inputs part later, at {}", pressed(first));
            }
        }
        _ => _ = writeln!(out, "nothing parts in the {} frames that both have", parting.common_frames),
    }
    out.trim_end().to_owned()
}

fn pressed(change: &InputChange) -> String {
    format!("frame {}: player {} has {} | {}", change.frame, change.player, change.a, change.b)
}

fn list(fields: &[ChangeCase], most: usize, out: &mut String) {
    for ChangeCase { path, expected, actual, .. } in fields.iter().take(most) {
        let none = &"none" as &dyn Display;
        let side = |value: &Option<check::ValueCase>| value.as_ref().map_or_else(|| none.to_string(), ToString::to_string);
        let _ = writeln!(out, "    {path}: {} | {}", side(expected), side(actual));
    }
    if fields.len() > most {
        let _ = writeln!(out, "    and {} more fields", fields.len() - most);
    }
}

fn quoted(text: &str) -> String {
    if text.is_empty() { "nothing".to_owned() } else { text.to_owned() }
}
