//! [`Plan`]: a match with every condition drawn from one seed.

use crate::cluster::{Cluster, ClusterError, ClusterSettings, PeerShape};
use crate::holds::Holds;
use crate::pilot::Pilot;
use snapback::limits::MAX_COMMAND_BYTES;
use snapback::sim::{PadInput, World, WorldData};
use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::{Command, Frame, PlayerHandle, Rng, RollbackConfig};
use std::sync::Arc;

/// A match with every condition drawn from one seed: players, link, input delays, windows, where
/// the counters begin.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cluster's settings.
    pub settings: ClusterSettings,
}

impl Plan {
    /// The match of `seed`, of at least `frame_count` frames.
    #[must_use]
    pub fn draw(seed: u64, frame_count: u32) -> Self {
        let mut rng = Rng::new(seed, 0x706C_616E);
        let player_count = 2 + rng.below(3) as usize;
        let loss = match rng.below(4) {
            0 => Loss::None,
            1 => Loss::Independent { per_million: rng.below(300_000) },
            2 => Loss::bursts(20_000 + rng.below(180_000), 2 + rng.below(6)),
            _ => Loss::Independent { per_million: rng.below(30_000) },
        };
        let link = LinkSettings {
            delay_us: u64::from(rng.below(120_000)),
            jitter_us: u64::from(rng.below(30_000)),
            loss,
            reorder_per_million: if rng.chance(500_000) { rng.below(100_000) } else { 0 },
            duplicate_per_million: if rng.chance(500_000) { rng.below(100_000) } else { 0 },
            ..LinkSettings::default()
        };
        let first_frame = match rng.below(4) {
            0 => Frame::new(65_536 - i64::from(rng.below(300))),
            1 => Frame::new((1 << 32) - i64::from(rng.below(300))),
            _ => Frame::ZERO,
        };
        // Peers need not agree on any of this.
        let shape = |rng: &mut Rng| {
            let max_rollback_frames = 4 + rng.below(9);
            let config = RollbackConfig {
                max_rollback_frames,
                prediction_window_frames: 1 + rng.below(max_rollback_frames),
                resend_input_frames: rng.below(12),
                ..RollbackConfig::default()
            };
            PeerShape { config, input_delay_frames: rng.below(5) as u8, ..PeerShape::default() }
        };
        let mut peers: Vec<PeerShape> = (0..player_count).map(|_| shape(&mut rng)).collect();
        if player_count > 2 && rng.chance(200_000) {
            // Two of them share a machine.
            peers.pop();
            let place = rng.below(peers.len() as u32) as usize;
            if let Some(peer) = peers.get_mut(place) {
                peer.local_player_count = 2;
            }
        }
        let settings = ClusterSettings {
            first_frame,
            last_frame: first_frame + i64::from(frame_count.max(1)) - 1,
            peers,
            link,
            first_sequence: rng.chance(500_000).then(|| 65_535 - rng.below(200) as u16),
            ..ClusterSettings::new(seed, player_count, frame_count)
        };
        Self { settings }
    }

    /// Sets the match up in the fighting world, with inputs that depend on nothing but the seed.
    ///
    /// # Errors
    /// If the settings are impossible.
    pub fn cluster(&self) -> Result<Cluster<World>, ClusterError> {
        world_cluster(&self.settings)
    }
}

/// A cluster in the fighting world whose inputs and commands depend on nothing but the seed.
///
/// # Errors
/// If the settings are impossible.
pub fn world_cluster(settings: &ClusterSettings) -> Result<Cluster<World>, ClusterError> {
    let data = Arc::new(WorldData::default());
    let seed = settings.seed;
    Cluster::new(
        settings,
        || World::new(Arc::clone(&data)),
        move |player| Box::new(Script { holds: Holds::new(seed, player), dice: Rng::new(seed, 0x636F_6D6D + player as u64) }),
    )
}

/// Presses by the frame alone, and gives a command now and then.
struct Script {
    holds: Holds,
    dice: Rng,
}

impl Pilot<World> for Script {
    fn press(&mut self, _frame: Frame, _player: PlayerHandle, _world: &World) -> PadInput {
        PadInput::new(self.holds.next_any())
    }

    fn command(&mut self, frame: Frame, _player: PlayerHandle) -> Command {
        if !self.dice.chance(10_000) {
            return Command::NONE;
        }
        let payload = frame.number().to_le_bytes();
        let len = self.dice.below(MAX_COMMAND_BYTES as u32 + 1) as usize;
        Command::new(Command::FIRST_GAME_KIND, payload.get(..len).unwrap_or(&[])).unwrap_or(Command::NONE)
    }
}
