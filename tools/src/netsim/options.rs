//! The options of `snapback netsim`, and the [`Plan`] that comes of them.

use super::change::{Change, burst, described, list, queue};
use crate::cli::{Format, listened};
use crate::decimal::{megabits, milliseconds, outage, percent, whole};
use crate::error::CliError;
use crate::link_options::load_trace;
use clap::Args;
use snapback::transport::LinkSettings;
use snapback::transport::link::{LinkPreset, LinkTrace, Outage};
use std::net::SocketAddr;
use std::path::PathBuf;

/// `snapback netsim`.
#[derive(Args, Clone, Debug)]
pub(crate) struct NetsimOptions {
    /// Address and port that clients send to; port 0 is any free one, 0.0.0.0 every address of this machine
    #[arg(long, value_name = "ADDR:PORT", value_parser = listened)]
    listen: SocketAddr,

    /// Address and port of the program behind the link
    #[arg(long, value_name = "ADDR:PORT", value_parser = listened)]
    to: SocketAddr,

    /// How long to run, in seconds; 0 runs until Ctrl-C
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u32>(0..=86_400 * 7))]
    seconds: u32,

    /// Decides everything that is drawn, together with the number of the client
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,

    #[command(flatten)]
    link: LinkChoice,

    /// How the report on stdout looks
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = false)]
    pub(crate) format: Format,
}

/// An outage, or none: by another name, for clap takes an option in an option for a value that may be left out.
type MaybeOutage = Option<Outage>;

/// The link: a preset, changed for both directions, then for one.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Link (without any: nothing added)")]
struct LinkChoice {
    /// A link of everyday by its name; they are listed below
    #[arg(long, value_name = "NAME", value_parser = preset)]
    preset: Option<LinkPreset>,

    /// A recorded link to follow, with the others on top: lines `t_ms,rtt_ms` or `t_ms,LOST`; starts over at its end
    #[arg(long, value_name = "CSV", alias = "link-trace")]
    trace: Option<PathBuf>,

    /// Round trip, in ms; half of it each way
    #[arg(long, value_name = "MS", allow_negative_numbers = true, value_parser = milliseconds)]
    rtt: Option<u64>,

    /// How far a round trip strays to either side, in ms; half of it each way
    #[arg(long, value_name = "MS", allow_negative_numbers = true, value_parser = milliseconds)]
    jitter: Option<u64>,

    /// Datagrams that are lost, in percent, each way for itself
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = percent)]
    loss: Option<u32>,

    /// Mean number of datagrams that are lost in a run; 1 loses each for itself
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = burst)]
    burst: Option<u32>,

    /// Datagrams held back 20 to 60 ms so that later ones pass them, in percent, each way
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = percent)]
    reorder: Option<u32>,

    /// Datagrams that arrive twice, in percent, each way
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = percent)]
    duplicate: Option<u32>,

    /// What the slowest hop carries, in Mbit/s without headers, each way; 0 is no limit
    #[arg(long, value_name = "MBIT", allow_negative_numbers = true, value_parser = megabits)]
    rate: Option<u64>,

    /// What may wait at the slowest hop, in KiB, each way; the rest is dropped [default: 64, or the preset's]
    #[arg(long, value_name = "KIB", allow_negative_numbers = true, value_parser = queue)]
    queue: Option<u64>,

    /// How long the link is dead, and how often, in ms, such as 400/5000; or none
    #[arg(long, value_name = "MS/MS", value_parser = outage)]
    outage: Option<MaybeOutage>,

    /// The way from a client to the program, where it differs: such as delay=30,loss=2. Keys: delay and jitter (of this way
    /// alone, in ms), loss, burst, reorder, duplicate, rate, queue, outage
    #[arg(long, value_name = "LIST", value_parser = list)]
    up: Option<Change>,

    /// The way back, in the same form
    #[arg(long, value_name = "LIST", value_parser = list)]
    down: Option<Change>,
}

/// Everything that a proxy needs to know.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) listen: SocketAddr,
    pub(super) to: SocketAddr,
    pub(super) seconds: u32,
    pub(super) seed: u64,
    pub(super) up: LinkSettings,
    pub(super) down: LinkSettings,
    pub(super) trace: Option<LinkTrace>,
    /// What the two ways do, for people.
    pub(super) up_text: String,
    pub(super) down_text: String,
}

impl NetsimOptions {
    pub(super) fn plan(&self) -> Result<Plan, CliError> {
        let Self { listen, to, seconds, seed, link, .. } = self;
        let [up, down] = link.ways()?;
        let trace = link.trace.as_deref().map(load_trace).transpose()?;
        let text = |settings| match &link.trace {
            Some(path) => format!("as recorded in {}, and on top: {}", path.display(), described(settings)),
            None => described(settings),
        };
        let (up_text, down_text) = (text(&up), text(&down));
        Ok(Plan { listen: *listen, to: *to, seconds: *seconds, seed: *seed, up, down, trace, up_text, down_text })
    }
}

impl LinkChoice {
    fn both(&self) -> Change {
        Change {
            delay_us: self.rtt.map(|rtt_us| rtt_us / 2),
            jitter_us: self.jitter.map(|jitter_us| jitter_us / 2),
            loss_per_million: self.loss,
            burst_packets: self.burst,
            reorder_per_million: self.reorder,
            duplicate_per_million: self.duplicate,
            rate_bits_per_second: self.rate,
            queue_kib: self.queue,
            outage: self.outage,
        }
    }

    /// What the two directions do: up, then down.
    fn ways(&self) -> Result<[LinkSettings; 2], CliError> {
        let [up, down] = self.preset.map_or_else(Default::default, |preset| [preset.forward(), preset.reverse()]);
        let (both, one) = (self.both(), [self.up.unwrap_or_default(), self.down.unwrap_or_default()]);
        let ways = [one[0].or(both).of(up), one[1].or(both).of(down)];
        let idle = ways.each_ref().map(|way| both.idle(way));
        if let [Some((option, needs)), Some(_)] = idle {
            let message = format!("--{option} does nothing where there is no {needs}: add --{needs}, or a preset that has it");
            return Err(CliError::usage(message));
        }
        for (option, (change, way)) in ["--up", "--down"].into_iter().zip(one.iter().zip(&ways)) {
            if let Some((key, needs)) = change.idle(way) {
                return Err(CliError::usage(format_args!("{option}: {key} does nothing where there is no {needs}: add {needs}=...")));
            }
            way.is_valid().map_err(CliError::usage)?;
        }
        Ok(ways)
    }
}

fn preset(text: &str) -> Result<LinkPreset, String> {
    text.parse().map_err(|error: snapback::transport::link::UnknownPreset| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use snapback::transport::link::Loss;

    #[derive(Parser)]
    struct Alone {
        #[command(flatten)]
        netsim: NetsimOptions,
    }

    fn plan(args: &str) -> Result<Plan, CliError> {
        let words = ["netsim", "--listen", "127.0.0.1:1", "--to", "127.0.0.1:2"].into_iter().chain(args.split_whitespace());
        Alone::try_parse_from(words).unwrap_or_else(|error| panic!("{error}")).netsim.plan()
    }

    #[test]
    fn one_way_wins_over_both_and_both_over_the_preset() {
        let plan = plan("--preset lte --rtt 100 --loss 3 --up loss=0,delay=9 --down jitter=1").unwrap();
        let [up, down] = [LinkPreset::Lte.forward(), LinkPreset::Lte.reverse()];
        assert_eq!(plan.up, LinkSettings { delay_us: 9_000, loss: Loss::None, ..up });
        assert_eq!(plan.down, LinkSettings { delay_us: 50_000, jitter_us: 1_000, loss: Loss::bursts(30_000, 3), ..down });
        // What both are told does not reach through to what one is told.
        assert_eq!(super::tests::plan("--preset wifi-bad --loss 100 --up loss=2").unwrap().up.loss, Loss::bursts(20_000, 4));
        assert_eq!(plan.up_text, "9 ms ±10 ms, 10 Mbit/s with a queue of 256 KiB");
    }

    #[test]
    fn without_any_nothing_is_added() {
        let plan = plan("").unwrap();
        assert_eq!((plan.up, plan.down), (LinkSettings::default(), LinkSettings::default()));
        assert_eq!((plan.up_text.as_str(), plan.seed, plan.seconds), ("nothing added", 1, 0));
    }

    #[test]
    fn an_option_that_does_nothing_is_an_error_unless_it_does_something_one_way() {
        assert!(plan("--burst 3 --up loss=2").is_ok());
        let message = |args| plan(args).unwrap_err().to_string();
        assert_eq!(message("--burst 3"), "--burst does nothing where there is no loss: add --loss, or a preset that has it");
        assert_eq!(message("--queue 3"), "--queue does nothing where there is no rate: add --rate, or a preset that has it");
        assert_eq!(message("--down queue=3"), "--down: queue does nothing where there is no rate: add rate=...");
    }
}
