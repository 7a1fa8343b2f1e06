//! The `snapback` command: a match between processes, over real UDP or on virtual time.
//!
//! | module | what it holds |
//! |---|---|
//! | `cli`, `help` | the options of every command, and what is said of them |
//! | `duel` | `snapback duel`: real, or `fast` |
//! | `real` | a duel of one process for each player |
//! | `fast` | a duel on virtual time |
//! | `remote` | `snapback host` and `snapback join` |
//! | `netsim` | `snapback netsim`: a bad link between any two programs |
//! | `ping` | `snapback ping` |
//! | `side_channels` | chat and results, over a socket of their own |
//! | `inspect` | `snapback inspect` |
//! | `golden` | `snapback golden`: replays that prove the bits are the same |
//! | `match_loop` | a peer, a socket and a clock |
//! | `report`, `render` | what comes out at the end |
//! | `outputs` | files that a match leaves |
//! | `out`, `screen` | lines on stdout and stderr |

mod cli;
mod clock;
mod decimal;
mod desync;
mod duel;
mod entropy;
mod error;
mod fast;
mod frame_data;
mod golden;
mod help;
mod inspect;
mod interrupt;
mod keys;
mod link_options;
mod match_loop;
mod netsim;
mod out;
mod outputs;
mod pilots;
mod ping;
mod plant;
mod progress;
mod pulse;
mod real;
mod remote;
mod render;
mod report;
mod results;
mod screen;
mod script;
mod side_channels;
mod standing;
mod telemetry;
mod wires;

use cli::{Command, Format};
use error::{CliError, Code};
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = cli::parse().command;
    let (format, done) = match &command {
        Command::Duel(options) => (options.play.format, duel::run(options)),
        Command::Host(options) => (options.play.format, remote::host(options)),
        Command::Join(options) => (options.play.format, remote::join(options)),
        Command::Netsim(options) => (options.format, netsim::run(options)),
        Command::Ping(options) => (options.format, ping::run(options)),
        Command::Inspect(options) => (inspect::format(options), inspect::run(options)),
        Command::Golden(command) => (Format::Human, golden::run(command)),
        Command::DuelPeer => (Format::Human, real::child::run()),
    };
    let code = done.unwrap_or_else(|error| tell(format, &error));
    screen::settle();
    ExitCode::from(code.number())
}

/// Says what was wrong, when there is no report that does.
fn tell(format: Format, error: &CliError) -> Code {
    // The options themselves may be wrong: what they say of the format counts for nothing.
    if format == Format::Json && error.code() != Code::Usage && !error.is_silent() {
        // If that does not work, the line on stderr is all that can be done.
        let _ = out::say(render::json_error(error));
    }
    if !error.is_silent() {
        // So that there is room for it.
        screen::settle();
        out::note(format_args!("error: {error}"));
    }
    error.code()
}
