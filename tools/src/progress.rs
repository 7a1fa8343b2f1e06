//! [`ProgressLine`]: what a person sees on stderr while a match is played.

use crate::clock::Clock;
use crate::plant::PlantedWorld;
use core::fmt;
use serde::{Deserialize, Serialize};
use snapback::{Peer, PlayerSet};
use std::io::{IsTerminal, Write, stderr};

/// Between two lines on a terminal, and elsewhere.
const TERMINAL_US: u64 = 250_000;
const PLAIN_US: u64 = 5_000_000;

/// How one peer is doing right now.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
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
    pub(crate) fn of(peer: &Peer<PlantedWorld>, depth: u32) -> Self {
        let Some(session) = peer.session() else { return Self::default() };
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

/// A line that is written over on a terminal, and written now and then elsewhere.
pub(crate) struct ProgressLine {
    clock: Clock,
    is_terminal: bool,
    shown_us: Option<u64>,
    width: usize,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        Self { clock: Clock::start(), is_terminal: stderr().is_terminal(), shown_us: None, width: 0 }
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

    /// Shows `text` if it is time for another line.
    pub(crate) fn show(&mut self, text: impl fmt::Display) {
        if !self.is_due() {
            return;
        }
        self.shown_us = Some(self.clock.now_us());
        let text = text.to_string();
        let mut out = stderr().lock();
        let _ = if self.is_terminal {
            let width = core::mem::replace(&mut self.width, text.chars().count());
            write!(out, "\r{text:width$}").and_then(|()| out.flush())
        } else {
            writeln!(out, "{text}")
        };
    }

    /// Leaves the line as it is; what follows starts on another one.
    pub(crate) fn leave(&mut self) {
        if self.is_terminal && self.width > 0 {
            self.width = 0;
            let _ = writeln!(stderr().lock());
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.leave();
    }
}
