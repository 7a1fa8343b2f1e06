//! `--rtt`, `--jitter`, `--loss` and the like: what a link does to datagrams.

use crate::decimal::{milliseconds, percent, shown};
use crate::error::CliError;
use crate::frame_data::read_text;
use clap::Args;
use core::fmt;
use serde::{Deserialize, Serialize};
use snapback::transport::LinkSettings;
use snapback::transport::link::{LinkTrace, Loss};
use std::path::{Path, PathBuf};

/// The emulated link.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Link")]
pub(crate) struct LinkOptions {
    /// Round trip to add, in ms; half of it each way
    #[arg(long, value_name = "MS", allow_negative_numbers = true, value_parser = milliseconds)]
    rtt: Option<u64>,

    /// How far a round trip strays to either side, in ms; half of it each way
    #[arg(long, value_name = "MS", allow_negative_numbers = true, value_parser = milliseconds)]
    jitter: Option<u64>,

    /// Datagrams that are lost, in percent, each way for itself
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = percent)]
    loss: Option<u32>,

    /// Datagrams held back 20 to 60 ms so that later ones pass them, in percent, each way
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = percent, default_value = "0", hide_default_value = false)]
    reorder: u32,

    /// Datagrams that arrive twice, in percent, each way
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = percent, default_value = "0", hide_default_value = false)]
    duplicate: u32,

    /// A recorded link to follow, on top of the options above: lines `t_ms,rtt_ms` or `t_ms,LOST`; starts over at its end
    #[arg(long, value_name = "CSV")]
    link_trace: Option<PathBuf>,
}

/// What a link does to datagrams, in whole numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LinkSpec {
    rtt_us: u64,
    jitter_us: u64,
    loss_per_million: u32,
    reorder_per_million: u32,
    duplicate_per_million: u32,
    trace: Option<PathBuf>,
}

impl LinkOptions {
    /// The link of a duel: a bad one unless told otherwise.
    pub(crate) fn of_duel(&self) -> LinkSpec {
        if self.link_trace.is_some() { self.spec(0, 0, 0) } else { self.spec(80_000, 10_000, 20_000) }
    }

    /// The link of a match between machines: what the network makes of it, unless told otherwise.
    pub(crate) fn of_remote(&self) -> LinkSpec {
        self.spec(0, 0, 0)
    }

    fn spec(&self, rtt_us: u64, jitter_us: u64, loss_per_million: u32) -> LinkSpec {
        LinkSpec {
            rtt_us: self.rtt.unwrap_or(rtt_us),
            jitter_us: self.jitter.unwrap_or(jitter_us),
            loss_per_million: self.loss.unwrap_or(loss_per_million),
            reorder_per_million: self.reorder,
            duplicate_per_million: self.duplicate,
            trace: self.link_trace.clone(),
        }
    }
}

impl LinkSpec {
    /// One direction of the link.
    pub(crate) fn settings(&self) -> LinkSettings {
        LinkSettings {
            delay_us: self.rtt_us / 2,
            jitter_us: self.jitter_us / 2,
            loss: if self.loss_per_million == 0 { Loss::None } else { Loss::Independent { per_million: self.loss_per_million } },
            reorder_per_million: self.reorder_per_million,
            duplicate_per_million: self.duplicate_per_million,
            ..LinkSettings::default()
        }
    }

    /// Whether there is nothing to emulate.
    pub(crate) fn is_clean(&self) -> bool {
        self.trace.is_none() && self.settings() == LinkSettings::default()
    }

    /// The recorded link, if one is to be followed.
    pub(crate) fn load_trace(&self) -> Result<Option<LinkTrace>, CliError> {
        self.trace.as_deref().map(load_trace).transpose()
    }
}

/// Reads a recorded link.
pub(crate) fn load_trace(path: &Path) -> Result<LinkTrace, CliError> {
    let text = read_text(path, "link trace", "CSV")?;
    LinkTrace::parse(&text).map_err(|error| CliError::usage(error).at(path.display()))
}

impl fmt::Display for LinkSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_clean() {
            return f.write_str("as the network is, nothing added");
        }
        let on_top = match &self.trace {
            Some(path) => {
                write!(f, "as recorded in {}", path.display())?;
                if self.settings() == LinkSettings::default() {
                    return Ok(());
                }
                ", and on top "
            }
            None => "",
        };
        write!(f, "{on_top}{} ms round trip, ±{} ms", shown(self.rtt_us, 3), shown(self.jitter_us, 3))?;
        let mut before = ", each way ";
        for (per_million, what) in
            [(self.loss_per_million, "lost"), (self.reorder_per_million, "reordered"), (self.duplicate_per_million, "duplicated")]
        {
            if per_million > 0 {
                write!(f, "{before}{} % {what}", shown(per_million.into(), 4))?;
                before = ", ";
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_shown_exactly() {
        let spec = LinkSpec {
            rtt_us: 80_500,
            jitter_us: 10_000,
            loss_per_million: 5_000,
            reorder_per_million: 0,
            duplicate_per_million: 10_000,
            trace: None,
        };
        assert_eq!(spec.to_string(), "80.5 ms round trip, ±10 ms, each way 0.5 % lost, 1 % duplicated");
        let recorded = LinkSpec { trace: Some("a.csv".into()), ..spec.clone() };
        assert!(recorded.to_string().starts_with("as recorded in a.csv, and on top 80.5 ms"), "{recorded}");
        assert_eq!((spec.settings().delay_us, spec.settings().jitter_us), (40_250, 5_000));
    }
}
