//! The `snapback` command: a match between processes, over real UDP or on virtual time.
//!
//! | module | what it holds |
//! |---|---|
//! | `cli` | the options of every command |
//! | `duel` | `snapback duel`: real, or `fast` |
//! | `real` | a duel of one process for each player |
//! | `fast` | a duel on virtual time |
//! | `remote` | `snapback host` and `snapback join` |
//! | `inspect` | `snapback inspect` |
//! | `match_loop` | a peer, a socket and a clock |
//! | `report`, `render` | what comes out at the end |

mod cli;
mod clock;
mod decimal;
mod duel;
mod entropy;
mod error;
mod fast;
mod frame_data;
mod inspect;
mod interrupt;
mod link_options;
mod match_loop;
mod out;
mod pace;
mod pilots;
mod plant;
mod progress;
mod real;
mod remote;
mod render;
mod report;
mod results;
mod wires;

use clap::Parser;
use cli::{Cli, Command};
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Duel(options) => duel::run(&options),
        Command::Host(options) => remote::host(&options),
        Command::Join(options) => remote::join(&options),
        Command::Inspect(options) => inspect::run(&options),
        Command::DuelPeer => real::child::run(),
    };
    match done {
        Ok(code) => ExitCode::from(code.number()),
        Err(error) => {
            out::note(format_args!("error: {error}"));
            ExitCode::from(error.code().number())
        }
    }
}
