//! Ctrl-C and SIGTERM: the first one asks the match to end, the second one ends the program.

use crate::error::{CliError, Code};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The exit code of the signal that came; 0 before.
static ASKED: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// Starts listening.
pub(crate) fn listen() -> Result<(), CliError> {
    let code = ASKED.get_or_init(Arc::default);
    let again = Arc::new(AtomicBool::new(false));
    [(SIGINT, Code::Interrupted), (SIGTERM, Code::Terminated)].into_iter().try_for_each(|(signal, ends)| {
        // In this order: only what comes after the first one ends the program.
        flag::register_conditional_shutdown(signal, ends.number().into(), Arc::clone(&again))
            .and_then(|_| flag::register(signal, Arc::clone(&again)))
            .and_then(|_| flag::register_usize(signal, Arc::clone(code), ends.number().into()))
            .map(drop)
            .map_err(cannot_listen)
    })
}

/// For a player's process of a duel: Ctrl-C is meant for the duel, which ends its players itself.
pub(crate) fn ignore_ctrl_c() -> Result<(), CliError> {
    flag::register(SIGINT, Arc::default()).map(drop).map_err(cannot_listen)
}

/// The exit code to end with, if the user has asked for the end.
pub(crate) fn asked() -> Option<Code> {
    let code = ASKED.get().map_or(0, |code| code.load(Ordering::Relaxed));
    u8::try_from(code).ok().filter(|code| *code > 0).map(Code::from_number)
}

fn cannot_listen(error: io::Error) -> CliError {
    CliError::environment(format_args!("cannot listen for Ctrl-C: {error}"))
}
