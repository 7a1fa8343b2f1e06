//! [`ProgressLine`]: what a person sees on stderr while a match is played, and [`Live`]: one side of it.

use crate::clock::Clock;
use crate::plant::PlantedWorld;
use crate::screen::{self, Part};
use crate::telemetry::graph::{self, COLUMNS};
use core::fmt;
use serde::{Deserialize, Serialize};
use snapback::telemetry::NetSample;
use snapback::{Peer, PlayerSet};
use std::io::{IsTerminal, stdin};

/// Between two looks on a terminal, and elsewhere.
const TERMINAL_US: u64 = 250_000;
const PLAIN_US: u64 = 5_000_000;
const GRAPH_PLAIN_US: u64 = 1_000_000;

/// How one peer is doing right now.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Live {
    pub(crate) player: usize,
    pub(crate) frame: i64,
    pub(crate) rtt_us: u64,
    /// The deepest rollback since the last look.
    pub(crate) depth: u32,
    /// How many frames this peer is ahead of the slowest other one, by its own estimate.
    pub(crate) advantage: i64,
    pub(crate) stalled_frames: u64,
    /// The net graph, if it is wanted: for a terminal, and as one line.
    pub(crate) graph: Option<(Vec<String>, String)>,
}

impl Live {
    /// Nothing has been played yet.
    pub(crate) fn waiting() -> Self {
        Self { player: 0, frame: -1, rtt_us: 0, depth: 0, advantage: 0, stalled_frames: 0, graph: None }
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
            graph: None,
        }
    }
}

impl Live {
    /// With the net graph of what `peer` has recorded.
    pub(crate) fn with_graph(mut self, peer: &Peer<PlantedWorld>) -> Self {
        let mut samples: Vec<NetSample> = peer.net_samples(0).rev().take(COLUMNS).copied().collect();
        samples.reverse();
        self.graph = Some((graph::draw(self.player, &samples), graph::line(self.player, &samples)));
        self
    }

    /// What is shown of it, on a terminal or elsewhere.
    fn rows(&self, is_terminal: bool) -> Vec<String> {
        match &self.graph {
            Some((rows, _)) if is_terminal => rows.clone(),
            Some((_, line)) => vec![line.clone()],
            None => vec![self.to_string()],
        }
    }
}

impl fmt::Display for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { player, frame, rtt_us, depth, advantage, stalled_frames, .. } = self;
        write!(f, "P{player} frame {frame} rtt {} ms rollback {depth} advantage {advantage:+} stalls {stalled_frames}", rtt_us / 1_000)
    }
}

/// Lines that are written over on a terminal, and written now and then elsewhere, or if somebody types on
/// that terminal: nobody knows when a line is half typed, and what is written over would tear it.
pub(crate) struct ProgressLine {
    clock: Clock,
    is_terminal: bool,
    plain_us: u64,
    shown_us: Option<u64>,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        Self { clock: Clock::start(), is_terminal: screen::can_write_over(), plain_us: PLAIN_US, shown_us: None }
    }

    /// Shows nothing in the beginning, when there is nothing to see yet.
    pub(crate) fn delayed() -> Self {
        let mut line = Self::new();
        line.shown_us = Some(0);
        line
    }

    /// Lines of chat are read from stdin if `is_read`.
    pub(crate) fn beside_typing(mut self, is_read: bool) -> Self {
        self.is_terminal &= !(is_read && stdin().is_terminal());
        self
    }

    /// A line a second where nothing is written over, if a net graph is shown.
    pub(crate) fn with_graph(mut self, is_shown: bool) -> Self {
        if is_shown {
            self.plain_us = GRAPH_PLAIN_US;
        }
        self
    }

    /// Shows `head` and how the players are doing, if it is time for it.
    pub(crate) fn show_lives<'a>(&mut self, head: String, lives: impl Iterator<Item = &'a Live>) {
        let is_terminal = self.is_terminal;
        self.show(&core::iter::once(head).chain(lives.flat_map(|live| live.rows(is_terminal))).collect::<Vec<_>>());
    }

    /// Whether it is time for another line.
    pub(crate) fn is_due(&self) -> bool {
        let pause_us = if self.is_terminal { TERMINAL_US } else { self.plain_us };
        self.shown_us.is_none_or(|shown_us| self.clock.now_us() >= shown_us + pause_us)
    }

    /// Shows `lines` if it is time for it: one below the other on a terminal, in one line elsewhere.
    pub(crate) fn show(&mut self, lines: &[String]) {
        if !self.is_due() {
            return;
        }
        self.shown_us = Some(self.clock.now_us());
        screen::show(if self.is_terminal { Part::Over(lines.to_vec()) } else { Part::Plain(lines.join(" | ")) });
    }

    /// Leaves the lines as they are; what follows starts on another one.
    pub(crate) fn leave(&mut self) {
        screen::show(Part::Leave);
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_fits_any_terminal() {
        let live = Live { player: 3, frame: 1_234_567, rtt_us: 123_456, depth: 30, advantage: -12, stalled_frames: 12_345, graph: None };
        assert_eq!(live.to_string(), "P3 frame 1234567 rtt 123 ms rollback 30 advantage -12 stalls 12345");
        assert!(live.to_string().len() < 80);
    }
}
