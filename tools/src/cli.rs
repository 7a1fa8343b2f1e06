//! The options of every command.

use crate::decimal;
use crate::inspect::InspectOptions;
use crate::link_options::LinkOptions;
use crate::pilots::InputOptions;
use clap::builder::RangedI64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0    every frame is confirmed everywhere and all state hashes agree
  1    the peers disagree; a duel names the first frame and field that differ
  2    the options, a file or the ticket are wrong
  4    the network or a peer: port in use, nobody answers, a peer with another version
       or other frame data, a peer that is gone
  130  ended with Ctrl-C";

const TOP_EXAMPLES: &str = "\
Examples:
  snapback duel                       two processes play 20 s over a bad link
  snapback duel --fast --seconds 600  ten minutes in a moment, on virtual time
  snapback host --seconds 60          prints a ticket; then, on the other side:
  snapback join TICKET

The link is not encrypted yet: play only where you would show your inputs to everybody.";

const DUEL_EXAMPLES: &str = "\
Examples:
  snapback duel
  snapback duel --rtt 150 --jitter 20 --loss 5 --reorder 1 --duplicate 1
  snapback duel --inputs match.fg --seconds 60
  snapback duel --players 4 --fast --seconds 600 --format json
  snapback duel --fast --plant-desync 300   see what a disagreement looks like";

const HOST_EXAMPLES: &str = "\
Examples:
  snapback host                       a match on this machine
  snapback host --listen 0.0.0.0:7000 --advertise 192.168.1.20 --players 3

The first line on stdout is the ticket; everything else until the report goes to stderr.";

const JOIN_EXAMPLES: &str = "\
Example:
  snapback join snapback1,addr=192.168.1.20:7000,match=…,check=…";

/// Rollback netcode, played: a fighting match between processes that compare every confirmed frame.
#[derive(Parser, Debug)]
#[command(name = "snapback", version, max_term_width = 100, after_help = format!("{TOP_EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Play a match against yourself: one process for each player, real UDP on this machine
    ///
    /// Every process predicts, rolls back and confirms for itself. This command compares every confirmed frame of each of them
    /// with the others and with a straight replay of the same inputs that never rolls back. Matches repeat until the time is
    /// over.
    #[command(after_help = format!("{DUEL_EXAMPLES}\n\n{EXIT_CODES}"))]
    Duel(DuelOptions),

    /// Set up a match for others to join, and print its ticket
    ///
    /// Waits until every seat is taken and everybody is ready, plays, and at the end compares state hashes with the others.
    #[command(after_help = format!("{HOST_EXAMPLES}\n\n{EXIT_CODES}"))]
    Host(HostOptions),

    /// Join the match of a ticket
    ///
    /// Takes a seat, waits until everybody is ready, plays, and at the end compares state hashes with the others.
    #[command(after_help = format!("{JOIN_EXAMPLES}\n\n{EXIT_CODES}"))]
    Join(JoinOptions),

    /// Look at what a state consists of
    Inspect(InspectOptions),

    /// One player of a duel, told what to do on stdin
    #[command(hide = true)]
    DuelPeer,
}

/// How the report looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// One object, alone on stdout.
    Json,
}

fn players() -> RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(2..=8)
}

fn delay() -> RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(0..=30)
}

/// What every command that plays has.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlayOptions {
    #[command(flatten)]
    pub(crate) inputs: InputOptions,

    /// Frames by which inputs are delayed, 0 to 30: fewer and shorter rollbacks for a slower answer
    #[arg(long, value_name = "FRAMES", default_value_t = 0, value_parser = delay(), help_heading = "Players")]
    pub(crate) delay: u8,

    /// Frame data (a folder of TOML files, like sim/world/data) instead of the one built in; the same for everybody
    #[arg(long, value_name = "FOLDER", help_heading = "Players")]
    pub(crate) frame_data: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) link: LinkOptions,

    /// How the report on stdout looks
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = false)]
    pub(crate) format: Format,
}

/// `snapback duel`.
#[derive(Args, Clone, Debug)]
pub(crate) struct DuelOptions {
    /// How long to play, in seconds of 60 frames
    #[arg(long, value_name = "S", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) seconds: u32,

    /// How many play, 2 to 8, each in a process of its own
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = players())]
    pub(crate) players: u8,

    /// Decides everything that is drawn: the match, the bots, the link
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Play in one process on virtual time, without waiting: the same result on every run
    #[arg(long)]
    pub(crate) fast: bool,

    /// Make one peer compute one bit of this frame wrongly, to see what a disagreement looks like
    #[arg(long, value_name = "FRAME", value_parser = clap::value_parser!(i64).range(0..))]
    pub(crate) plant_desync: Option<i64>,

    #[command(flatten)]
    pub(crate) play: PlayOptions,
}

/// `snapback host`.
#[derive(Args, Clone, Debug)]
pub(crate) struct HostOptions {
    /// Address and port to listen on; port 0 is any free one, 0.0.0.0 every address of this machine
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,

    /// Address that the others reach this machine at, if it is another one, with or without a port
    #[arg(long, value_name = "ADDR[:PORT]", value_parser = advertised)]
    pub(crate) advertise: Option<SocketAddr>,

    /// How many play, 2 to 8, you among them
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = players())]
    pub(crate) players: u8,

    /// How long to play, in seconds of 60 frames; 0 plays until Ctrl-C
    #[arg(long, value_name = "S", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=86_400))]
    pub(crate) seconds: u32,

    /// Decides the match, your bot and your side of an emulated link [default: drawn]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// How long to wait for the others, in seconds; 0 waits until Ctrl-C
    #[arg(long, value_name = "S", default_value = "0", value_parser = decimal::seconds)]
    pub(crate) wait: u64,

    #[command(flatten)]
    pub(crate) play: PlayOptions,
}

/// `snapback join`.
#[derive(Args, Clone, Debug)]
pub(crate) struct JoinOptions {
    /// The line that the host printed
    pub(crate) ticket: String,

    /// Address and port to send from [default: any free port, on this machine only if the host is]
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) listen: Option<SocketAddr>,

    /// Decides your bot and your side of an emulated link [default: drawn]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// How long to wait for the host's answer, in seconds; 0 waits until Ctrl-C
    #[arg(long, value_name = "S", default_value = "10", value_parser = decimal::seconds)]
    pub(crate) wait: u64,

    #[command(flatten)]
    pub(crate) play: PlayOptions,
}

fn advertised(text: &str) -> Result<SocketAddr, String> {
    let with_port = text.parse::<SocketAddr>();
    let alone = text.parse().map(|address| SocketAddr::new(address, 0));
    with_port.or(alone).map_err(|_| "write an address such as 192.168.1.20 or 192.168.1.20:7000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_options_are_well_formed() {
        Cli::command().debug_assert();
    }
}
