//! The options of every command.

use crate::decimal::{self, whole};
use crate::desync::DesyncOptions;
use crate::golden::options::{GoldenCommand, LiveOptions};
use crate::help;
use crate::inspect::InspectOptions;
use crate::keys::KeyOptions;
use crate::link_options::LinkOptions;
use crate::netsim::options::NetsimOptions;
use crate::pilots::InputOptions;
use crate::ping::PingOptions;
use crate::script::ScriptOptions;
use crate::side_channels::options::{ChannelOptions, HostChannelOptions, JoinChannelOptions};
use crate::telemetry::TelemetryOptions;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Rollback netcode, played: a fighting match between processes that compare every confirmed frame.
#[derive(Parser, Debug)]
#[command(name = "snapback", version, max_term_width = 100, after_help = help::top())]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Reads the command line; ends the program if there is nothing to run.
pub(crate) fn parse() -> Cli {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == "help") {
        // Who asks twice shall have it.
        words.retain(|word| word != "--help" && word != "-h");
    }
    Cli::from_arg_matches(&command().get_matches_from(words)).unwrap_or_else(|error| error.exit())
}

fn command() -> clap::Command {
    // What the link does unless told otherwise is not the same for every command.
    let defaults = |command: clap::Command, texts: [&'static str; 3]| {
        ["rtt", "jitter", "loss"].into_iter().zip(texts).fold(command, |command, (option, default)| {
            command.mut_arg(option, |arg| {
                let help = arg.get_help().cloned().unwrap_or_default();
                arg.help(format!("{help} {default}"))
            })
        })
    };
    let remote = |command| defaults(command, [help::REMOTE_RTT, "[default: 0]", "[default: 0]"]);
    Cli::command()
        .mut_subcommand("duel", |command| defaults(command, help::DUEL_LINK))
        .mut_subcommand("host", remote)
        .mut_subcommand("join", remote)
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Play a match against yourself: one process for each player, real UDP on this machine
    ///
    /// Every process predicts, rolls back and confirms for itself. This command compares every confirmed frame of each of them
    /// with the others and with a straight replay of the same inputs that never rolls back. Matches repeat until the time is
    /// over.
    #[command(after_help = help::duel())]
    Duel(DuelOptions),

    /// Set up a match for others to join, and print its ticket
    ///
    /// Waits until every seat is taken and everybody is ready, plays, and compares state hashes with the others all the while.
    #[command(after_help = help::host())]
    Host(HostOptions),

    /// Join the match of a ticket
    ///
    /// Takes a seat, waits until everybody is ready, plays, and compares state hashes with the others all the while.
    #[command(after_help = help::join())]
    Join(JoinOptions),

    /// Put a bad link between any two programs that speak UDP
    ///
    /// Listens where clients send to and hands every datagram on to one program, and the answers back, through an emulated link:
    /// delayed, lost, doubled and out of order as a seed decides. Nothing of a datagram is read or changed, so the programs may
    /// be anything.
    #[command(after_help = help::netsim())]
    Netsim(NetsimOptions),

    /// Ask a host how far away it is, before a match
    ///
    /// Knocks as a player would who wants in, and measures how long each answer takes. The host need not be asked for that, takes
    /// no seat away, and answers while it waits and while it plays.
    #[command(after_help = crate::ping::HELP)]
    Ping(PingOptions),

    /// Look at what a state consists of, or a packet says
    Inspect(InspectOptions),

    /// Replays: proof that the simulation still gives the same bits
    #[command(subcommand, after_help = crate::golden::help::top())]
    Golden(GoldenCommand),

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

/// What every command that plays has.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlayOptions {
    #[command(flatten)]
    pub(crate) inputs: InputOptions,

    #[command(flatten)]
    pub(crate) script: ScriptOptions,

    /// Frames by which inputs are delayed, 0 to 30: fewer and shorter rollbacks for a slower answer
    #[arg(long, value_name = "FRAMES", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u8>(0..=30), help_heading = "Players")]
    pub(crate) delay: u8,

    /// Frame data (a folder of TOML files, like sim/world/data) instead of the one built in; the same for everybody
    #[arg(long, value_name = "FOLDER", help_heading = "Players")]
    pub(crate) frame_data: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) link: LinkOptions,

    #[command(flatten)]
    pub(crate) keys: KeyOptions,

    #[command(flatten)]
    pub(crate) channels: ChannelOptions,

    #[command(flatten)]
    pub(crate) live: LiveOptions,

    #[command(flatten)]
    pub(crate) telemetry: TelemetryOptions,

    /// How the report on stdout looks
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = false)]
    pub(crate) format: Format,
}

/// The last frame of the longest match.
pub(crate) const MAX_FRAME: u64 = 86_400 * 60 - 1;

/// `snapback duel`.
#[derive(Args, Clone, Debug)]
pub(crate) struct DuelOptions {
    /// How long to play, in seconds of 60 frames
    #[arg(long, value_name = "S", default_value_t = 20, allow_negative_numbers = true, value_parser = whole::<u32>(1..=86_400))]
    pub(crate) seconds: u32,

    /// How many play, 2 to 8, each in a process of its own
    #[arg(long, value_name = "N", default_value_t = 2, allow_negative_numbers = true, value_parser = whole::<u8>(2..=8))]
    pub(crate) players: u8,

    /// Decides everything that is drawn: the match, the bots, the link
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Play in one process on virtual time, without waiting: the same result on every run
    #[arg(long)]
    pub(crate) fast: bool,

    /// Make one player's peer compute one bit of this frame wrongly, to see what a disagreement looks like
    #[arg(long, value_name = "FRAME", allow_negative_numbers = true, value_parser = whole::<i64>(0..=MAX_FRAME))]
    pub(crate) plant_desync: Option<i64>,

    #[command(flatten)]
    pub(crate) play: PlayOptions,
}

/// `snapback host`.
#[derive(Args, Clone, Debug)]
pub(crate) struct HostOptions {
    /// Address and port to listen on; port 0 is any free one, 0.0.0.0 every address of this machine
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0", value_parser = listened)]
    pub(crate) listen: SocketAddr,

    /// Address that the others reach this machine at, if it is another one, with or without a port
    #[arg(long, value_name = "ADDR[:PORT]", value_parser = advertised)]
    pub(crate) advertise: Option<SocketAddr>,

    /// How many play, 2 to 8, you among them
    #[arg(long, value_name = "N", default_value_t = 2, allow_negative_numbers = true, value_parser = whole::<u8>(2..=8))]
    pub(crate) players: u8,

    /// How long to play, in seconds of 60 frames; 0 plays until Ctrl-C
    #[arg(long, value_name = "S", default_value_t = 20, allow_negative_numbers = true, value_parser = whole::<u32>(0..=86_400))]
    pub(crate) seconds: u32,

    /// Decides your bot, your side of an emulated link and, if the others give one too, the match [default: drawn]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: Option<u64>,

    /// How long to wait for the others, in seconds; 0 waits until Ctrl-C
    #[arg(long, value_name = "S", default_value = "0", allow_negative_numbers = true, value_parser = decimal::seconds)]
    pub(crate) wait: u64,

    #[command(flatten)]
    pub(crate) channels: HostChannelOptions,

    #[command(flatten)]
    pub(crate) desync: DesyncOptions,

    #[command(flatten)]
    pub(crate) play: PlayOptions,
}

/// `snapback join`.
#[derive(Args, Clone, Debug)]
pub(crate) struct JoinOptions {
    /// The line that the host printed; - reads it from stdin, so that it stands in no list of processes
    pub(crate) ticket: String,

    /// Address and port to send from [default: any free port, on this machine only if the host is]
    #[arg(long, value_name = "ADDR:PORT", value_parser = listened)]
    pub(crate) listen: Option<SocketAddr>,

    /// Decides your bot and your side of an emulated link; the match has the host's seed then [default: drawn]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: Option<u64>,

    /// How long to wait for the host's answer, in seconds; 0 waits until Ctrl-C
    #[arg(long, value_name = "S", default_value = "10", allow_negative_numbers = true, value_parser = decimal::seconds)]
    pub(crate) wait: u64,

    #[command(flatten)]
    pub(crate) channels: JoinChannelOptions,

    #[command(flatten)]
    pub(crate) desync: DesyncOptions,

    #[command(flatten)]
    pub(crate) play: PlayOptions,
}

pub(crate) fn listened(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write a numeric address and a port such as 127.0.0.1:7000, 0.0.0.0:0 or [::1]:7000".to_owned())
}

pub(crate) fn advertised(text: &str) -> Result<SocketAddr, String> {
    let with_port = text.parse::<SocketAddr>();
    let alone = text.parse().map(|address| SocketAddr::new(address, 0));
    with_port.or(alone).map_err(|_| "write a numeric address such as 192.168.1.20, 192.168.1.20:7000 or [2001:db8::20]:7000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_well_formed() {
        command().debug_assert();
    }
}
