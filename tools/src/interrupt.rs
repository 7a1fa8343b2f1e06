//! Ctrl-C: the first one asks the match to end, the second one ends the program.

use crate::error::{CliError, Code};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Starts listening for Ctrl-C.
pub(crate) fn listen() -> Result<(), CliError> {
    let handler = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(Code::Interrupted.number().into());
        }
    };
    ctrlc::set_handler(handler).map_err(|error| CliError::environment(format_args!("cannot listen for Ctrl-C: {error}")))
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
