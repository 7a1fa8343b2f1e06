//! `snapback golden coverage`: what a corpus shows, and which replays show nothing.

use super::files;
use super::options::{CompareFormat, CoverageOptions};
use crate::error::{CliError, Code};
use crate::progress::ProgressLine;
use crate::{frame_data, out};
use snapback_golden::check::{FoundReplay, find, on_all_cores};
use snapback_golden::coverage::{Coverage, Survey, WorldSurveyor};
use std::io::{IsTerminal, stderr};
use std::num::NonZeroUsize;

pub(super) fn run(options: &CoverageOptions) -> Result<Code, CliError> {
    let surveyor = WorldSurveyor::new(&frame_data::load(options.data.data.as_deref())?);
    let found = find(&options.path).map_err(|error| files::not_found(&error))?;
    let mut coverage = surveyor.coverage();
    for (replay, survey) in found.iter().zip(surveys(&surveyor, &found, options.jobs)) {
        coverage.add(&replay.name, survey?);
    }
    out::say(match options.format {
        CompareFormat::Human => human(&coverage, options.by_goal),
        CompareFormat::Json => serde_json::to_string_pretty(&coverage).map_err(CliError::environment)?,
    })?;
    Ok(if coverage.vacuous().is_empty() { Code::Agreed } else { Code::Disagreed })
}

/// On all cores: a replay is played once for every mechanic of the world.
fn surveys(surveyor: &WorldSurveyor, found: &[FoundReplay], jobs: Option<NonZeroUsize>) -> Vec<Result<Survey, CliError>> {
    let mut progress = stderr().is_terminal().then(ProgressLine::delayed);
    on_all_cores(
        found,
        jobs,
        |replay| survey(surveyor, replay),
        |done| {
            if let Some(progress) = &mut progress {
                progress.show(&[format!("{done}/{} replays", found.len())]);
            }
        },
    )
}

fn survey(surveyor: &WorldSurveyor, found: &FoundReplay) -> Result<Survey, CliError> {
    surveyor.survey(&files::read(&found.path)?).map_err(|error| files::unplayable(&found.path, &error))
}

fn human(coverage: &Coverage, by_goal: bool) -> String {
    let mut text = coverage.to_string();
    if by_goal {
        for group in coverage.groups() {
            text.push_str(&format!("\n{}:\n", group.group));
            for reached in group.reached {
                let (first, more) = (reached.replays.first().copied().unwrap_or_default(), reached.replays.len().saturating_sub(1));
                let more = if more == 0 { String::new() } else { format!(" and {more} more") };
                text.push_str(&format!("  {:<44} {first}{more}\n", reached.goal));
            }
        }
    }
    text.trim_end().to_owned()
}
