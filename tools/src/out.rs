//! Printing that never panics: a reader that has gone away is no reason to.

use std::fmt::Display;
use std::io::{Write, stderr, stdout};

/// A line on stdout.
pub(crate) fn say(line: impl Display) {
    let mut out = stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// A line on stderr.
pub(crate) fn note(line: impl Display) {
    let _ = writeln!(stderr().lock(), "{line}");
}
