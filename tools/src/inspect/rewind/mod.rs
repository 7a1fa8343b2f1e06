//! `snapback inspect rewind`: plays a scenario of lag compensation and says why its shots hit or missed: as text, as JSON, or as
//! a page with a time scrubber.

mod data;
mod page;
mod text;

use super::options::RewindOptions;
use crate::cli::Format;
use crate::error::{CliError, Code};
use crate::{out, outputs};
use snapback_rewind::scenario::{MAX_FILE_BYTES, Scenario};
use std::fs::File;
use std::io::Read;
use std::path::Path;

pub(super) fn run(options: &RewindOptions) -> Result<Code, CliError> {
    if let Some(path) = &options.html {
        check_page(path, &options.scenario)?;
    }
    let text = read(&options.scenario)?;
    let name = options.scenario.display().to_string();
    let scenario = Scenario::read(&name, &text).map_err(CliError::usage)?;
    let chosen = chosen(&scenario, options.shot)?;
    let played = scenario.play();
    if let Some(path) = &options.html {
        let page = page::page(&name, &scenario, &played, &chosen);
        std::fs::write(path, page).map_err(|error| {
            CliError::environment(format_args!("--html: {} cannot be written: {error}; check the path and its permissions", path.display()))
        })?;
    }
    match options.format() {
        Format::Human => out::say(text::text(&scenario, &played, &chosen, options.html.as_deref()))?,
        Format::Json => out::say(data::report(&name, &scenario, &played, &chosen))?,
    }
    let outcomes = chosen.iter().filter_map(|&shot| played.outcome.shots.get(shot));
    let is_as_expected = outcomes.flat_map(|outcome| scenario.surprises(outcome)).next().is_none();
    Ok(if is_as_expected { Code::Agreed } else { Code::Disagreed })
}

/// Refuses a page that would destroy its scenario, however the two are written, and one that looks like stdout.
fn check_page(page: &Path, scenario: &Path) -> Result<(), CliError> {
    if page.as_os_str() == "-" {
        return Err(CliError::usage("--html: - is no file, and stdout has the answer; give a path such as shot.html"));
    }
    if outputs::place(page) == outputs::place(scenario) {
        return Err(CliError::usage(format_args!("--html: {} is the scenario itself; give the page a file of its own", page.display())));
    }
    Ok(())
}

/// Places of the shots to show.
fn chosen(scenario: &Scenario, shot: Option<usize>) -> Result<Vec<usize>, CliError> {
    let count = scenario.shots.len();
    match shot {
        None => Ok((0..count).collect()),
        Some(number) if number <= count => Ok(vec![number - 1]),
        Some(number) => {
            Err(CliError::usage(format_args!("--shot: there is no shot {number}: the scenario has {count}; give 1 to {count}")))
        }
    }
}

/// The text of a file, and no more of it than a scenario may have.
fn read(path: &Path) -> Result<String, CliError> {
    let shown = path.display();
    let cannot = |error| CliError::environment(format_args!("cannot read the scenario {shown}: {error}; check the path"));
    if path.is_dir() {
        return Err(CliError::usage(format_args!("{shown} is a folder: name a scenario in it, such as {shown}/view_delay.toml")));
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(cannot)?.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(cannot)?;
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes().iter().take(error.utf8_error().valid_up_to()).filter(|&&byte| byte == b'\n').count() + 1;
        CliError::usage(format_args!("{shown}:{line}: this is not UTF-8 text; give a scenario in TOML"))
    })
}
