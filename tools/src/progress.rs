//! [`ProgressLine`]: what a person sees on stderr while a match is played, and [`Live`]: one side of it.

use crate::clock::Clock;
use crate::plant::PlantedWorld;
use core::fmt;
use serde::{Deserialize, Serialize};
use snapback::{Peer, PlayerSet};
use std::io::{IsTerminal, Write, stderr};
use terminal_size::{Width, terminal_size_of};

/// Between two looks on a terminal, and elsewhere.
const TERMINAL_US: u64 = 250_000;
const PLAIN_US: u64 = 5_000_000;

/// How one peer is doing right now.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Live {
    pub(crate) player: usize,
    pub(crate) frame: i64,
    pub(crate) rtt_us: u64,
    /// The deepest rollback since the last look.
    pub(crate) depth: u32,
    /// How many frames this peer is ahead of the slowest other one, by its own estimate.
    pub(crate) advantage: i64,
    pub(crate) stalled_frames: u64,
}

impl Live {
    /// Nothing has been played yet.
    pub(crate) fn waiting() -> Self {
        Self { player: 0, frame: -1, rtt_us: 0, depth: 0, advantage: 0, stalled_frames: 0 }
    }

    pub(crate) fn of(peer: &Peer<PlantedWorld>, depth: u32) -> Self {
        let Some(session) = peer.session() else { return Self::waiting() };
        let settings = session.settings();
        let rtt_us = peer.connections().filter_map(|(_, stats)| stats.rtt_us).max().unwrap_or(0);
        // What is confirmed of another player is as old as the way here is long.
        let way_frames = (rtt_us / 2).saturating_mul(settings.config.simulation_hz.into()).saturating_add(500_000) / 1_000_000;
        let remote = PlayerSet::first(settings.player_count).minus(settings.local_players);
        let slowest = remote.iter().filter_map(|player| session.confirmed_frame_of(player)).min();
        let advantage = slowest.map_or(0, |slowest| session.newest_local_frame() - slowest - i64::try_from(way_frames).unwrap_or(0));
        Self {
            player: settings.local_players.iter().next().map_or(0, |player| player.index()),
            frame: session.current_frame().number(),
            rtt_us,
            depth,
            advantage,
            stalled_frames: session.stats().stalled_frames,
        }
    }
}

impl fmt::Display for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { player, frame, rtt_us, depth, advantage, stalled_frames } = self;
        write!(f, "P{player} frame {frame} rtt {} ms rollback {depth} advantage {advantage:+} stalls {stalled_frames}", rtt_us / 1_000)
    }
}

/// Lines that are written over on a terminal, and written now and then elsewhere.
pub(crate) struct ProgressLine {
    clock: Clock,
    is_terminal: bool,
    shown_us: Option<u64>,
    /// Lines of a terminal that are to be written over.
    line_count: usize,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        Self { clock: Clock::start(), is_terminal: can_write_over(), shown_us: None, line_count: 0 }
    }

    /// Shows nothing in the beginning, when there is nothing to see yet.
    pub(crate) fn delayed() -> Self {
        let mut line = Self::new();
        line.shown_us = Some(0);
        line
    }

    /// Whether it is time for another line.
    pub(crate) fn is_due(&self) -> bool {
        let pause_us = if self.is_terminal { TERMINAL_US } else { PLAIN_US };
        self.shown_us.is_none_or(|shown_us| self.clock.now_us() >= shown_us + pause_us)
    }

    /// Shows `lines` if it is time for it: one below the other on a terminal, in one line elsewhere.
    pub(crate) fn show(&mut self, lines: &[String]) {
        if !self.is_due() {
            return;
        }
        self.shown_us = Some(self.clock.now_us());
        let mut out = stderr().lock();
        let _ = if self.is_terminal {
            let width = terminal_size_of(&out).map_or(usize::MAX, |(Width(width), _)| width.into());
            let text = written_over(self.line_count, lines, width);
            self.line_count = lines.len();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        } else {
            writeln!(out, "{}", lines.join(" | "))
        };
    }

    /// Somebody has typed a line on the terminal: the cursor is below the lines, not in the last of them.
    pub(crate) fn interrupted(&mut self) {
        self.line_count = 0;
    }

    /// Leaves the lines as they are; what follows starts on another one.
    pub(crate) fn leave(&mut self) {
        if core::mem::take(&mut self.line_count) > 0 {
            let _ = writeln!(stderr().lock());
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Whether stderr is a terminal that understands how to move the cursor.
fn can_write_over() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let is_old_console = cfg!(windows) && std::env::var_os("WT_SESSION").is_none();
    stderr().is_terminal() && !is_dumb && !is_old_console
}

/// Goes back to the first of `line_count` lines and writes `lines` there, each to the end of its row.
/// A line that does not fit is cut: if it took two rows, the way back would be longer.
fn written_over(line_count: usize, lines: &[String], width: usize) -> String {
    let up = line_count.saturating_sub(1);
    let back = if up > 0 { format!("\r\x1b[{up}A") } else { "\r".to_owned() };
    let rows: Vec<String> = lines.iter().map(|line| format!("{}\x1b[K", cut(line, width))).collect();
    format!("{back}{}", rows.join("\n"))
}

/// The beginning of `line` that leaves the last column free, where some terminals already wrap.
fn cut(line: &str, width: usize) -> &str {
    let end = line.char_indices().nth(width.saturating_sub(1)).map_or(line.len(), |(end, _)| end);
    line.get(..end).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_fits_any_terminal_and_replaces_the_one_before() {
        let live = Live { player: 3, frame: 1_234_567, rtt_us: 123_456, depth: 30, advantage: -12, stalled_frames: 12_345 };
        assert_eq!(live.to_string(), "P3 frame 1234567 rtt 123 ms rollback 30 advantage -12 stalls 12345");
        assert!(live.to_string().len() < 80);
        let rows = ["a".to_owned(), "b".to_owned()];
        assert_eq!(written_over(0, &rows, 80), "\ra\x1b[K\nb\x1b[K");
        assert_eq!(written_over(2, &rows, 80), "\r\x1b[1Aa\x1b[K\nb\x1b[K");
        assert_eq!(written_over(0, &[live.to_string()], 20), "\rP3 frame 1234567 rt\x1b[K");
        assert_eq!(written_over(0, &["±±±".to_owned()], 3), "\r±±\x1b[K");
    }
}
