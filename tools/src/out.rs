//! Printing that never panics.

use crate::error::{CliError, Code};
use crate::screen::{self, Part};
use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write, stderr, stdout};

/// A line on stdout. A reader that has gone away does not want to hear of it; anything else that is
/// in the way is an error. What was noted before stands before it.
pub(crate) fn say(line: impl Display) -> Result<(), CliError> {
    screen::settle();
    let mut out = stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => CliError::silent(Code::Environment),
        _ => CliError::environment(format_args!("cannot write to stdout: {error}; send the output somewhere else")),
    })
}

/// A line on stderr, below the progress.
pub(crate) fn note(line: impl Display) {
    screen::show(Part::Note(line.to_string()));
}

/// Whether a person sees both one below the other, so that nothing need be said twice.
pub(crate) fn is_one_screen() -> bool {
    stdout().is_terminal() && stderr().is_terminal()
}
