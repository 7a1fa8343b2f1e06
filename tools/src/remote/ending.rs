//! How a match between machines ended, for people.

use super::Mode;
use crate::decimal::shown;
use crate::error::{CliError, Code};
use crate::interrupt;
use crate::report::named;
use crate::wires::Wires;
use snapback::Outcome;
use snapback::transport::credentials::SecureFailure;
use snapback::transport::packet::{LeaveReason, RefusalReason};

/// The host did not answer in time, or nobody came.
pub(super) fn no_answer(mode: &Mode<'_>, wires: &Wires, failure: Option<SecureFailure>) -> CliError {
    if let Some(failure) = failure {
        return CliError::environment(failure);
    }
    let Mode { host, wait_us, .. } = mode;
    let seconds = shown(*wait_us, 6);
    match wires.send_error() {
        Some(error) => CliError::environment(format_args!("nothing can be sent to {host}: {error}")),
        None => CliError::environment(format_args!(
            "no answer from {host} within {seconds} s: check that the host is still running and that UDP gets through; --wait S waits longer"
        )),
    }
}

/// How it ended, and what to do now.
pub(super) fn explained(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Lost { told_by, .. } if !told_by.is_empty() => format!("{outcome}; start another match"),
        Outcome::Lost { players, .. } => format!("{} is gone: nothing was heard for too long; start another match", named(*players)),
        Outcome::Abandoned { players, reason: LeaveReason::Quit } => {
            format!("{} left before the end; start another match", named(*players))
        }
        Outcome::Refused(RefusalReason::Full) => format!("{outcome}; ask the host for a match with more players (--players)"),
        Outcome::Refused(RefusalReason::Started) => format!("{outcome}; ask the host for another match and join before it starts"),
        outcome => outcome.to_string(),
    }
}

/// Whether it ended before everything was played and confirmed, with nobody to disagree.
pub(super) fn is_early(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Quit | Outcome::Lost { .. } => true,
        Outcome::Abandoned { reason, .. } => *reason != LeaveReason::Violation,
        _ => false,
    }
}

pub(super) fn code_of(outcome: &Outcome) -> Code {
    match outcome {
        Outcome::Agreed => Code::Agreed,
        Outcome::Disagreed { .. } | Outcome::Desynced { .. } | Outcome::InputsDiffer { .. } => Code::Disagreed,
        Outcome::Quit => interrupt::asked().unwrap_or(Code::Environment),
        _ => Code::Environment,
    }
}
