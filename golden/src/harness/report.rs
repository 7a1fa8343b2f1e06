//! What a failing test says: what is wrong, how to see it again, what to do if it is meant.

use super::TestTarget;
use crate::{Change, ReplayDivergence};
use core::fmt::Write;
use snapback_core::{Frame, StateHash};
use std::path::Path;

/// What is said besides the finding.
pub(super) struct Advice<'a> {
    /// The replay, as a person calls it.
    pub(super) shown: &'a Path,
    /// The command that runs this test alone.
    pub(super) again: Option<&'a str>,
    /// Whether the match as it plays now was left beside the replay, if that was tried.
    pub(super) written: Option<Result<(), String>>,
}

impl Advice<'_> {
    pub(super) fn diverged(&self, changes: &[Change], divergence: &ReplayDivergence) -> String {
        let shown = self.shown.display();
        let mut text = format!("{shown} does not give the recorded states any more\n");
        for change in changes {
            let _ = writeln!(text, "since the recording: {change}");
        }
        let _ = write!(text, "{divergence}");
        self.say_again(&mut text);
        let _ = match &self.written {
            Some(Ok(())) => write!(
                text,
                "if the change is meant: {shown}.new is the same match as it plays now; snapback golden diff {shown} {shown}.new shows what became \
                 of it, and snapback golden accept {shown} --reason TEXT takes it"
            ),
            Some(Err(error)) => write!(text, "if the change is meant: record the match anew ({shown}.new could not be written: {error})"),
            None => write!(
                text,
                "if the change is meant: run this test outside of CI with SNAPBACK_GOLDEN=pending, which leaves {shown}.new, \
                 the same match as it plays now, to be looked at and accepted"
            ),
        };
        text
    }

    pub(super) fn unstable(&self, frame: Frame, first: StateHash, second: StateHash) -> String {
        let mut text = format!(
            "{}: frame {frame} gave the hash {first} and then, from the same inputs in the same process, {second}: the game is not \
             deterministic; look for clocks, random sources, uninitialised state and hash maps in its step and reset\n",
            self.shown.display()
        );
        self.say_again(&mut text);
        text
    }

    fn say_again(&self, text: &mut String) {
        if let Some(command) = self.again {
            let _ = writeln!(text, "to see it again: {command}");
        }
    }
}

pub(super) fn no_replays(directory: &Path, target: TestTarget, error: Option<std::io::Error>) -> String {
    let directory = directory.display();
    let why = error.map_or(String::new(), |error| format!(" ({error})"));
    format!(
        "there is no replay in {directory}{why}, so nothing was tested; record a match with snapback_golden::record or from a session, \
         save it as {directory}/NAME.snbk and commit it, or name another folder in the test {} of {}",
        target.test, target.package
    )
}
