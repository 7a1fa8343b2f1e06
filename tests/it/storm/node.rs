//! [`Node`]: one peer with the host program around it.

use crate::game::{Big, Game, INPUT_BYTES};
use snapback::{LocalInput, Peer, PeerPhase, Rng, RollbackConfig};
use std::net::SocketAddr;

/// What one peer brings to a match.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Shape {
    pub(crate) config: RollbackConfig,
    pub(crate) input_delay_frames: u8,
    pub(crate) local_player_count: u8,
}

impl Default for Shape {
    fn default() -> Self {
        Self { config: RollbackConfig::default(), input_delay_frames: 0, local_player_count: 1 }
    }
}

impl Shape {
    /// One player, with a configuration that is the default but for `change`.
    pub(crate) fn with(change: impl FnOnce(&mut RollbackConfig)) -> Self {
        let mut config = RollbackConfig::default();
        change(&mut config);
        config.is_valid().unwrap();
        Self { config, ..Self::default() }
    }

    /// One player who predicts `window_frames` frames and may rewind just as many.
    pub(crate) fn with_window(window_frames: u32) -> Self {
        Self::with(|config| {
            config.prediction_window_frames = window_frames;
            config.max_rollback_frames = window_frames.max(1);
            config.snapshot_history_frames = config.snapshot_history_frames.max(window_frames + 2);
        })
    }

    pub(crate) fn delayed(self, input_delay_frames: u8) -> Self {
        Self { input_delay_frames, ..self }
    }

    pub(crate) fn players(self, local_player_count: u8) -> Self {
        Self { local_player_count, ..self }
    }
}

/// Where the peer with this index is.
pub(crate) fn address(index: usize) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 1 + index as u8], 7))
}

/// One peer with the host program around it: when it ticks and what its players press.
pub(crate) struct Node {
    pub(crate) peer: Peer<Game>,
    /// When the program ticks next, once it has begun to.
    pub(crate) next_tick_us: Option<u64>,
    /// The inputs of a frozen tick, which were not consumed.
    pending: Option<Vec<LocalInput<Big>>>,
    /// Its program has gone, without a word: nothing reaches it and it sends nothing.
    pub(crate) is_dead: bool,
}

impl Node {
    pub(crate) fn new(peer: Peer<Game>) -> Self {
        Self { peer, next_tick_us: None, pending: None, is_dead: false }
    }

    /// Whether nothing more will come from this peer.
    pub(crate) fn is_over(&self) -> bool {
        self.is_dead || self.peer.phase() == PeerPhase::Over
    }

    /// When the program ticks; `None` before the start is fixed and after the match.
    pub(crate) fn tick_due_us(&self) -> Option<u64> {
        self.next_tick_us.or(self.peer.start_at_us()).filter(|_| !self.is_over())
    }

    /// One tick. `noisy_bytes` of each new input are drawn, the others are zero.
    pub(crate) fn tick(&mut self, now_us: u64, noise: &mut Rng, noisy_bytes: usize) {
        let interval_us = 1_000_000 / u64::from(self.peer.session().unwrap().settings().config.simulation_hz);
        self.next_tick_us = Some(now_us + interval_us);
        let players = self.peer.facts().unwrap().local_players;
        let pressed = self.pending.take().unwrap_or_else(|| {
            let mut draw = |player| {
                let mut bytes = [0; INPUT_BYTES];
                bytes[..noisy_bytes].fill_with(|| noise.next_u32() as u8);
                LocalInput::new(player, Big { bytes })
            };
            players.iter().map(&mut draw).collect()
        });
        let consumed = self.peer.tick(now_us, &pressed).is_ok_and(|report| !report.simulation_frozen);
        if !consumed {
            self.pending = Some(pressed);
        }
    }
}
