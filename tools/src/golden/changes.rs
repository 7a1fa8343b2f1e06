//! `snapback golden pending`, `review`, `accept` and `reject`.

use super::compare::shown;
use super::files;
use super::options::{AcceptOptions, NameOptions, PlaceOptions, RejectOptions};
use crate::error::{CliError, Code};
use crate::out;
use snapback_golden::check::{self, AcceptError, Diff, PendingChange, PendingPlace};
use std::io::{IsTerminal, stdin, stdout};
use std::path::Path;

pub(super) fn pending(options: &PlaceOptions) -> Result<Code, CliError> {
    let changes = waiting(options)?;
    for change in &changes {
        out::say(format_args!("{}  {}", change.name, change.pending.display()))?;
    }
    if changes.is_empty() {
        out::note("nothing is pending");
    } else {
        let pending = options.pending.shown();
        out::note(format_args!("`snapback golden review {}{pending}` shows what they change", options.path.display()));
    }
    Ok(Code::Agreed)
}

pub(super) fn review(options: &PlaceOptions) -> Result<Code, CliError> {
    let changes = waiting(options)?;
    if changes.is_empty() {
        out::note("nothing is pending");
    }
    let mut code = Code::Agreed;
    for change in &changes {
        let diff = match compared(change) {
            Ok(diff) => diff,
            // One that cannot be shown, such as that of a replay that is gone, must not hide the others.
            Err(error) => {
                out::note(format_args!("error: {error}"));
                code = error.code();
                continue;
            }
        };
        out::say(format_args!("{}: {} -> {}", change.name, change.original.display(), change.pending.display()))?;
        out::say(shown(&diff, true))?;
        if stdin().is_terminal() && stdout().is_terminal() {
            ask(change)?;
        }
    }
    Ok(code)
}

fn compared(change: &PendingChange) -> Result<Diff, CliError> {
    let (old, new) = (files::read(&change.original)?, files::read(&change.pending)?);
    check::diff(&old, &new).map_err(|error| files::damaged(&change.pending, &error))
}

fn ask(change: &PendingChange) -> Result<(), CliError> {
    loop {
        out::say(format_args!("accept {} (write why), reject (r) or skip (Enter)?", change.name))?;
        let mut line = String::new();
        let read = stdin().read_line(&mut line).map_err(|error| CliError::environment(format_args!("cannot read the answer: {error}")))?;
        match line.trim() {
            // The end of the input is no answer.
            "" if read == 0 => return Ok(()),
            "" | "s" | "skip" => return Ok(()),
            "r" | "reject" => return remove(change),
            reason if reason.len() < 8 => out::note("write the reason in a few words, r to reject, or nothing to skip"),
            reason => return take(change, reason),
        }
    }
}

pub(super) fn accept(options: &AcceptOptions) -> Result<Code, CliError> {
    if !options.all {
        return take(&choose(&options.name)?, &options.reason).map(|()| Code::Agreed);
    }
    let changes = options.name.pending.place().changes(Path::new(&options.name.name)).map_err(|error| files::not_found(&error))?;
    if changes.is_empty() {
        return Err(CliError::usage(format_args!("nothing is pending in {}: run `snapback golden verify` first", options.name.name)));
    }
    changes.iter().try_for_each(|change| take(change, &options.reason)).map(|()| Code::Agreed)
}

pub(super) fn reject(options: &RejectOptions) -> Result<Code, CliError> {
    remove(&choose(&options.name)?).map(|()| Code::Agreed)
}

fn take(change: &PendingChange, reason: &str) -> Result<(), CliError> {
    let accepted = check::accept(change, reason).map_err(|error| match error {
        AcceptError::OtherMatch { .. } | AcceptError::Outdated { .. } | AcceptError::NothingChanged { .. } | AcceptError::Record(_) => {
            CliError::usage(error)
        }
        AcceptError::File { path, error } => files::damaged(&path, &error),
        AcceptError::Io { path, error } => files::unreadable(&path, &error),
    })?;
    let frame = accepted.acceptance.first_frame;
    out::say(format_args!("accepted: {} is new from frame {frame} on", change.original.display()))?;
    if accepted.dropped_signature {
        out::note("the replay was signed and is not any more: sign it again");
    }
    Ok(())
}

fn remove(change: &PendingChange) -> Result<(), CliError> {
    check::reject(change).map_err(|error| files::unreadable(&change.pending, &error))?;
    out::say(format_args!("rejected: {} stays as it is", change.original.display()))
}

fn waiting(options: &PlaceOptions) -> Result<Vec<PendingChange>, CliError> {
    options.pending.place().changes(&options.path).map_err(|error| files::not_found(&error))
}

/// The change that a name means. A path needs no corpus around it.
fn choose(options: &NameOptions) -> Result<PendingChange, CliError> {
    let place = options.pending.place();
    let replay = options.name.strip_suffix(".new").unwrap_or(&options.name);
    if place == PendingPlace::Beside && Path::new(replay).is_file() {
        let change = PendingChange::of(Path::new(replay));
        return if change.pending.is_file() {
            Ok(change)
        } else {
            Err(CliError::usage(format_args!("nothing is pending for {replay}: run `snapback golden verify {replay}` first")))
        };
    }
    let changes = place.changes(&options.corpus).map_err(|error| files::not_found(&error))?;
    PendingChange::choose(changes, &options.name).map_err(CliError::usage)
}
