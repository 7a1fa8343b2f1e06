//! The report as text, for people and for programs.

use crate::error::CliError;
use crate::report::{PeerReport, Report};
use core::fmt::{Display, Write};

/// The longest bar of a histogram.
const BAR_WIDTH: u64 = 40;

/// Width of the names on the left.
const NAME_WIDTH: usize = 22;

/// The report alone, as one JSON object.
pub(crate) fn json(report: &Report) -> Result<String, CliError> {
    serde_json::to_string_pretty(report).map_err(|error| CliError::environment(format_args!("cannot write the report: {error}")))
}

/// The report for people.
pub(crate) fn human(report: &Report) -> String {
    let mut text = String::new();
    let wanted = report.frames_wanted.map_or_else(|| "an endless match".to_owned(), |frames| format!("{frames} frames"));
    line(&mut text, format_args!("snapback {}: {} players, {wanted}, seed {}", report.mode, report.players, report.seed));
    line(&mut text, format_args!("link: {}", report.link));
    line(&mut text, "The link is not encrypted yet: whoever is on the way can read and change it.");
    line(&mut text, "");
    row(&mut text, "frames confirmed", report.frames);
    row(&mut text, "frames a second", format_args!("{:.2} while not frozen", report.achieved_hz));
    line(&mut text, "");
    peers(&mut text, &report.peers);
    for peer in &report.peers {
        histogram(&mut text, peer);
    }
    rounds(&mut text, report);
    line(&mut text, "");
    let verdict = if report.agree { "AGREED" } else { "NOT AGREED" };
    let _ = write!(text, "{verdict}: {}", report.outcome);
    text
}

fn line(text: &mut String, line: impl Display) {
    // Writing to a text cannot fail.
    let _ = writeln!(text, "{line}");
}

fn row(text: &mut String, name: &str, value: impl Display) {
    line(text, format_args!("{name:NAME_WIDTH$}{value}"));
}

fn peers(text: &mut String, peers: &[PeerReport]) {
    let mut cells = |name: &str, cell: &dyn Fn(&PeerReport) -> String| {
        let cells: String = peers.iter().map(|peer| format!("{:>18}", cell(peer))).collect();
        row(text, name, cells);
    };
    cells("", &|peer| format!("player {}", peer.player));
    cells("confirmed frames", &|peer| peer.confirmed_frames.to_string());
    cells("confirmed state hash", &|peer| peer.confirmed_hash.clone());
    cells("frames a second", &|peer| format!("{:.2}", peer.achieved_hz));
    cells("rollbacks", &|peer| peer.rollbacks.to_string());
    cells("depth mean / max", &|peer| format!("{:.2} / {}", peer.mean_depth, peer.max_depth));
    cells("resimulated frames", &|peer| peer.resimulated_frames.to_string());
    cells("stalled frames", &|peer| peer.stalled_frames.to_string());
    cells("sent packets", &|peer| peer.packets_sent.to_string());
    cells("sent bytes", &|peer| peer.bytes_sent.to_string());
    cells("received packets", &|peer| peer.packets_received.to_string());
    cells("received bytes", &|peer| peer.bytes_received.to_string());
    cells("round trip, jitter", &|peer| format!("{:.1}, {:.1} ms", peer.rtt_ms, peer.jitter_ms));
}

fn histogram(text: &mut String, peer: &PeerReport) {
    let most = peer.depth_histogram.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return;
    }
    line(text, "");
    line(text, format_args!("rollbacks of player {} by depth in frames", peer.player));
    for (depth, count) in peer.depth_histogram.iter().enumerate().skip(1) {
        let width = count.saturating_mul(BAR_WIDTH).div_ceil(most) as usize;
        line(text, format_args!("  {depth:>2} {:<40} {count}", "#".repeat(width)));
    }
}

fn rounds(text: &mut String, report: &Report) {
    /// More would bury the verdict.
    const SHOWN: usize = 12;
    line(text, "");
    if report.results.is_empty() {
        line(text, "no round was decided");
        return;
    }
    line(text, format_args!("rounds decided: {}", report.results.len()));
    let hidden = report.results.len().saturating_sub(SHOWN);
    if hidden > 0 {
        line(text, format_args!("  the last {SHOWN} of them (--format json has all):"));
    }
    for round in report.results.iter().skip(hidden) {
        let decided = round.match_winner.as_ref().map_or_else(String::new, |winner| format!("; the match: {winner}"));
        line(text, format_args!("  match {} round {}: {} by {}{decided}", round.match_number, round.round_number, round.winner, round.end));
    }
}
