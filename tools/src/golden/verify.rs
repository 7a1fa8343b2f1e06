//! `snapback golden verify` and `merge`.

use super::files::{self, Worlds};
use super::options::{CheckFormat, MergeOptions, VerifyOptions};
use crate::error::{CliError, Code};
use crate::out;
use crate::progress::ProgressLine;
use snapback_golden::check::{Case, CaseOutcome, CheckSettings, MergeError, Part, PendingPlace, Report, Shard, check, find, in_ci};
use std::io::{IsTerminal, stderr};

pub(super) fn run(options: &VerifyOptions) -> Result<Code, CliError> {
    let worlds = Worlds::load(&options.data)?;
    let all = find(&options.path).map_err(|error| files::not_found(&error))?;
    let shard = shard(options)?;
    let replays = shard.of(&all);
    let pending = if in_ci() { PendingPlace::Nowhere } else { options.pending.place() };
    let settings = CheckSettings { jobs: options.jobs, pending };
    let mut progress = stderr().is_terminal().then(ProgressLine::delayed);
    let checked = check(
        &replays,
        &settings,
        |meta| worlds.world(meta),
        |done| {
            if let Some(progress) = &mut progress {
                progress.show(&[format!("{done}/{} replays", replays.len())]);
            }
        },
    );
    drop(progress);
    let report = Report::of(&checked, &reproduce(options));
    // Before it is shown: who reads stdout may be gone, and `merge` needs this part. If it cannot be
    // written, the report is shown all the same.
    let written = match &options.out {
        Some(path) => files::write(path, Part::new(shard, &all, report.cases.clone()).lines().as_bytes()),
        None => Ok(()),
    };
    let code = print(&report, options.format, options.state)?;
    written.map(|()| code)
}

pub(super) fn merge(options: &MergeOptions) -> Result<Code, CliError> {
    let mut parts = Vec::new();
    for path in &options.parts {
        let file = path.display().to_string();
        let text = String::from_utf8(files::bytes(path)?);
        let text = text.map_err(|_| CliError::new(Code::Corrupt, format_args!("{file} is no text: give what `verify --out` wrote")))?;
        let part = Part::read(&file, &text).map_err(|error| unmerged(&error))?;
        parts.push((file, part));
    }
    let report = snapback_golden::check::merge(&parts).map_err(|error| unmerged(&error))?;
    print(&report, options.format, options.state)
}

fn unmerged(error: &MergeError) -> CliError {
    match error {
        MergeError::Damaged { .. } => CliError::new(Code::Corrupt, error),
        MergeError::Nothing | MergeError::Contradiction { .. } | MergeError::Missing { .. } => CliError::usage(error),
    }
}

fn shard(options: &VerifyOptions) -> Result<Shard, CliError> {
    if let Some(shard) = options.shard {
        return Ok(shard);
    }
    let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    match Shard::from_environment(variable, options.shards).map_err(CliError::usage)? {
        Some(shard) => Ok(shard),
        None if options.shards.is_none_or(|count| count == 1) => Ok(Shard::WHOLE),
        None => Err(CliError::usage("--shards was given and nothing says which one this is: give --shard I/N instead")),
    }
}

/// The command that shows one case again: with the options that decide what is played.
fn reproduce(options: &VerifyOptions) -> String {
    let data = options.data.data.as_ref().map_or_else(String::new, |folder| format!(" --data {}", folder.display()));
    format!("snapback golden verify {{file}}{data}")
}

fn print(report: &Report, format: CheckFormat, whole_state: bool) -> Result<Code, CliError> {
    out::say(match format {
        CheckFormat::Human => human(report, whole_state),
        CheckFormat::Json => report.json(),
        CheckFormat::Junit => report.junit(),
        CheckFormat::Github => report.github(),
    })?;
    let code = Code::from_number(report.exit_code());
    // Who only reads stderr shall know as well.
    if code != Code::Agreed && !(format == CheckFormat::Human && out::is_one_screen()) {
        out::note(format_args!("error: {}", report.line()));
    }
    Ok(code)
}

fn human(report: &Report, whole_state: bool) -> String {
    let mut text = report.human(whole_state);
    let is_left_alone = |case: &Case| case.outcome == CaseOutcome::Diverged && case.pending.is_none();
    if report.cases.iter().any(is_left_alone) {
        text.push_str("\nif a change is meant: outside of CI `snapback golden verify` leaves new recordings, and `snapback golden review` accepts them");
    }
    text
}
