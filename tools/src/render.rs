//! The report as text, for people and for programs.

use crate::cli::Format;
use crate::duel::HZ;
use crate::error::CliError;
use crate::out;
use crate::report::{PeerReport, Report};
use crate::results::CommandLine;
use crate::side_channels::report::ChannelsReport;
use crate::standing::{FighterLine, Standing};
use core::fmt::{Display, Write};
use snapback::StallCause;

/// The longest bar of a histogram.
const BAR_WIDTH: u64 = 40;

/// Width of the names on the left.
const NAME_WIDTH: usize = 22;

/// No line of the report is wider; the last one, the verdict, may be.
const WIDTH: usize = 80;

/// Writes the report to stdout.
pub(crate) fn print(report: &Report, format: Format) -> Result<(), CliError> {
    out::say(match format {
        Format::Human => human(report),
        Format::Json => json(report)?,
    })
}

/// What stands on stdout when there is no report.
pub(crate) fn json_error(error: &CliError) -> String {
    serde_json::json!({ "agree": false, "error": error.to_string() }).to_string()
}

/// The report alone, as one JSON object.
fn json(report: &Report) -> Result<String, CliError> {
    serde_json::to_string_pretty(report).map_err(|error| CliError::environment(format_args!("cannot write the report: {error}")))
}

/// The report for people.
fn human(report: &Report) -> String {
    let mut text = String::new();
    let wanted = report.frames_wanted.map_or_else(|| "an endless match".to_owned(), |frames| format!("{frames} frames"));
    line(&mut text, format_args!("snapback {}: {} players, {wanted}, seed {}", report.mode, report.players, report.seed));
    wrapped(&mut text, &format!("link: {}", report.link));
    line(
        &mut text,
        match (report.mode, report.encrypted) {
            (_, true) => "The link is encrypted.",
            ("duel --fast", false) => "On virtual time nothing is encrypted.",
            (_, false) => "The link is not encrypted: whoever is on the way can read and change it.",
        },
    );
    line(&mut text, "");
    row(&mut text, "frames confirmed", report.frames);
    row(&mut text, "frames a second", format_args!("{:.2} while not frozen", report.achieved_hz));
    line(&mut text, "");
    peers(&mut text, &report.peers);
    let channels: Vec<&ChannelsReport> = report.peers.iter().filter_map(|peer| peer.channels.as_ref()).collect();
    if !channels.is_empty() {
        line(&mut text, ChannelsReport::line(&channels));
    }
    for peer in &report.peers {
        histogram(&mut text, peer);
    }
    commands(&mut text, &report.commands);
    rounds(&mut text, report);
    if let Some(standing) = &report.standing {
        stands(&mut text, standing);
    }
    line(&mut text, "");
    let verdict = match report {
        Report { agree: true, .. } => "AGREED",
        Report { ended_early: true, .. } => "ENDED EARLY",
        _ => "NOT AGREED",
    };
    let _ = write!(text, "{verdict}: {}", report.outcome);
    text
}

/// Adds a line.
pub(crate) fn line(text: &mut String, line: impl Display) {
    // Writing to a text cannot fail.
    let _ = writeln!(text, "{line}");
}

/// A line that goes on in the next one where it must.
pub(crate) fn wrapped(text: &mut String, long: &str) {
    let mut row = String::new();
    for word in long.split(' ') {
        if !row.is_empty() && row.chars().count() + 1 + word.chars().count() > WIDTH {
            line(text, &row);
            row = "   ".to_owned();
        }
        let space = if row.is_empty() { "" } else { " " };
        let _ = write!(row, "{space}{word}");
    }
    line(text, row);
}

/// Adds a line with a name on the left.
pub(crate) fn row(text: &mut String, name: &str, value: impl Display) {
    line(text, format_args!("{name:NAME_WIDTH$}{value}"));
}

fn peers(text: &mut String, peers: &[PeerReport]) {
    let is_narrow = peers.len() > 2;
    let width = if is_narrow { 14 } else { 18 };
    let mut cells = |name: &str, cell: &dyn Fn(&PeerReport) -> String| {
        let cells: String = peers.iter().map(|peer| format!("{:>width$}", cell(peer))).collect();
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
    for cause in StallCause::ALL {
        let of = |peer: &PeerReport| peer.stalls.get(cause.name()).copied().unwrap_or(0);
        if peers.iter().any(|peer| of(peer) > 0) {
            cells(&format!("  {cause}"), &|peer| of(peer).to_string());
        }
    }
    cells("sent packets", &|peer| peer.packets_sent.to_string());
    cells("sent bytes", &|peer| peer.bytes_sent.to_string());
    cells("received packets", &|peer| peer.packets_received.to_string());
    cells("received bytes", &|peer| peer.bytes_received.to_string());
    if is_narrow {
        cells("round trip, jitter ms", &|peer| format!("{:.1}, {:.1}", peer.rtt_ms, peer.jitter_ms));
    } else {
        cells("round trip, jitter", &|peer| format!("{:.1}, {:.1} ms", peer.rtt_ms, peer.jitter_ms));
    }
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

fn commands(text: &mut String, commands: &[CommandLine]) {
    // More would bury the verdict; the first tell what happened.
    for (at, CommandLine { frame, player, what }) in commands.iter().take(12).enumerate() {
        if at == 0 {
            line(text, "");
        }
        line(text, format_args!("player {player} at frame {frame}: {what}"));
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

fn stands(text: &mut String, standing: &Standing) {
    let Standing { match_number, round_number, phase, timer_frames, fighters } = standing;
    let tenths = timer_frames * 10 / HZ;
    match *phase {
        "intro" => line(text, format_args!("match {match_number} round {round_number} was about to begin:")),
        "fight" => {
            line(text, format_args!("match {match_number} round {round_number} had {}.{} s to go:", tenths / 10, tenths % 10));
        }
        "round end" => line(text, format_args!("match {match_number} round {round_number} was just over:")),
        _ => line(text, format_args!("match {match_number} was just over:")),
    }
    for FighterLine { player, health, full_health, hits_landed } in fighters {
        line(text, format_args!("  player {player}: health {health} of {full_health}, hits landed so far: {hits_landed}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::DivergenceReport;
    use crate::results::RoundLine;

    fn peer(player: usize) -> PeerReport {
        PeerReport {
            player,
            confirmed_hash: "0badcafe".to_owned(),
            confirmed_frames: 600,
            digest: "12345678".to_owned(),
            achieved_hz: 60.0,
            rollbacks: 60,
            max_depth: 3,
            mean_depth: 2.5,
            depth_histogram: if player == 0 { vec![0, 10, 10, 40] } else { Vec::new() },
            resimulated_frames: 150,
            stalled_frames: 2,
            stalls: [("their_loss".to_owned(), 2)].into(),
            packets_sent: 640,
            bytes_sent: 14_000,
            packets_received: 630,
            bytes_received: 13_900,
            packets_lost: 10,
            rtt_ms: 81.25,
            jitter_ms: 3.0,
            rejected: 0,
            input_delay_frames: 0,
            net: Vec::new(),
            channels: Some(ChannelsReport::default()),
        }
    }

    #[test]
    fn the_report_for_people() {
        let round = |round_number, match_winner| RoundLine {
            match_number: 1,
            round_number,
            winner: "team 0".to_owned(),
            end: "knock-out",
            match_winner,
        };
        let divergence = DivergenceReport::of_input(1, 600, 0, "1".to_owned(), "2".to_owned());
        let report = Report {
            agree: false,
            ended_early: false,
            outcome: divergence.line(),
            mode: "duel",
            players: 2,
            seed: 1,
            link: "80 ms round trip, ±10 ms".to_owned(),
            encrypted: false,
            frames: 600,
            frames_wanted: Some(1_200),
            achieved_hz: 60.0,
            commands: Vec::new(),
            results: vec![round(1, None), round(2, Some("team 0".to_owned()))],
            standing: Some(Standing {
                match_number: 2,
                round_number: 1,
                phase: "fight",
                timer_frames: 2_405,
                fighters: vec![FighterLine { player: 0, health: 620, full_health: 1_000, hits_landed: 9 }],
            }),
            peers: vec![peer(0), peer(1)],
            chat: Vec::new(),
            chat_left_out: 0,
            divergence: Some(divergence),
            desync: None,
        };
        insta::assert_snapshot!(human(&report), @r#"
        snapback duel: 2 players, 1200 frames, seed 1
        link: 80 ms round trip, ±10 ms
        The link is not encrypted: whoever is on the way can read and change it.

        frames confirmed      600
        frames a second       60.00 while not frozen

                                        player 0          player 1
        confirmed frames                     600               600
        confirmed state hash            0badcafe          0badcafe
        frames a second                    60.00             60.00
        rollbacks                             60                60
        depth mean / max                2.50 / 3          2.50 / 3
        resimulated frames                   150               150
        stalled frames                         2                 2
          their loss                           2                 2
        sent packets                         640               640
        sent bytes                         14000             14000
        received packets                     630               630
        received bytes                     13900             13900
        round trip, jitter          81.2, 3.0 ms      81.2, 3.0 ms
        channels: sent 0, delivered 0, received 0, sent again 0; no results heard

        rollbacks of player 0 by depth in frames
           1 ##########                               10
           2 ##########                               10
           3 ######################################## 40

        rounds decided: 2
          match 1 round 1: team 0 by knock-out
          match 1 round 2: team 0 by knock-out; the match: team 0
        match 2 round 1 had 40.0 s to go:
          player 0: health 620 of 1000, hits landed so far: 9

        NOT AGREED: frame 600 is the first that differs: the input of player 0 should be 1 and is 2 at player 1
        "#);
    }
    #[test]
    fn a_long_line_goes_on_in_the_next_one() {
        let mut text = String::new();
        wrapped(&mut text, &["ab"; 40].join(" "));
        assert_eq!(text, format!("{}\n    {}\n", ["ab"; 27].join(" "), ["ab"; 13].join(" ")));
    }
}
