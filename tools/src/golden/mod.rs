//! `snapback golden`: replays that prove the bits are the same.
//!
//! | module | what it holds |
//! |---|---|
//! | `options` | the options of every command, `help` what is said of them |
//! | `verify` | `verify`, and `merge` of what several machines verified |
//! | `changes` | `pending`, `review`, `accept`, `reject` |
//! | `compare` | `diff` and `bisect` |
//! | `coverage` | what a corpus shows |
//! | `show` | what one replay says of itself |
//! | `record` | `record` and `repair` |
//! | `attest` | whether a signed result is so |
//! | `live` | the recording of a match while it is played |

mod attest;
mod changes;
mod compare;
mod coverage;
mod files;
pub(crate) mod help;
pub(crate) mod live;
pub(crate) mod options;
mod record;
mod show;
mod verify;

use crate::error::{CliError, Code};
use options::GoldenCommand;

pub(crate) fn run(command: &GoldenCommand) -> Result<Code, CliError> {
    match command {
        GoldenCommand::Verify(options) => verify::run(options),
        GoldenCommand::Merge(options) => verify::merge(options),
        GoldenCommand::Pending(options) => changes::pending(options),
        GoldenCommand::Review(options) => changes::review(options),
        GoldenCommand::Accept(options) => changes::accept(options),
        GoldenCommand::Reject(options) => changes::reject(options),
        GoldenCommand::Coverage(options) => coverage::run(options),
        GoldenCommand::Show(options) => show::run(options),
        GoldenCommand::Diff(options) => compare::diff(options),
        GoldenCommand::Bisect(options) => compare::bisect(options),
        GoldenCommand::Record(options) => record::run(options),
        GoldenCommand::Attest(options) => attest::run(options),
        GoldenCommand::Repair(options) => record::repair(options),
    }
}
