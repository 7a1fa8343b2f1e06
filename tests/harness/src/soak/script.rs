//! [`Script`]: what happens in the match of a seed.

use crate::cluster::{ClusterSettings, PeerShape};
use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::{Frame, Rng, RollbackConfig};

/// What happens in the match of a seed.
#[derive(Clone, Debug)]
pub struct Script {
    /// Who plays and over which links.
    pub settings: ClusterSettings,
    /// What goes wrong, in order.
    pub deeds: Vec<Deed>,
    /// Whose game breaks, if one does.
    pub breaks: Option<Breaks>,
}

/// Something that happens so long after the first frame.
#[derive(Clone, Copy, Debug)]
pub struct Deed {
    /// When.
    pub at_us: u64,
    /// What.
    pub action: Action,
}

/// What can happen.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// One direction of a link becomes another.
    Link {
        /// The peer that sends.
        from: usize,
        /// The peer that receives.
        to: usize,
        /// What the link is from now on.
        settings: LinkSettings,
    },
    /// A peer's whole program stops, or goes on.
    Suspend {
        /// The peer.
        peer: usize,
        /// Whether it stops.
        is_suspended: bool,
    },
    /// A peer's program stops to play and goes on to answer, or plays again.
    Unfocus {
        /// The peer.
        peer: usize,
        /// Whether it stops.
        is_unfocused: bool,
    },
    /// A peer's clock leaps forward.
    Leap {
        /// The peer.
        peer: usize,
        /// By how much.
        us: u64,
    },
    /// A peer changes its input delay.
    Delay {
        /// The peer.
        peer: usize,
        /// To how many frames.
        frames: u8,
    },
}

/// A game that refuses a state that it wrote.
#[derive(Clone, Copy, Debug)]
pub struct Breaks {
    /// Whose.
    pub peer: usize,
    /// After so many states that it took back.
    pub restores: u32,
}

/// The shortest match.
const LEAST_FRAMES: u32 = 600;

/// How long nobody hears a peer at most without being allowed to give it up. Less than the timeout, by
/// what the worst link adds.
const BEARABLE_US: u64 = 6_000_000;

/// Long enough that the others may give it up.
const UNBEARABLE_US: u64 = 14_000_000;

impl Script {
    /// The script of `seed`.
    #[must_use]
    pub fn draw(seed: u64) -> Self {
        let mut rng = Rng::new(seed, 0x736F_616B);
        let peer_count = [2, 2, 2, 2, 2, 2, 3, 4][rng.below(8) as usize];
        let peers: Vec<PeerShape> = (0..peer_count).map(|_| shape(&mut rng)).collect();
        let first_frame = match rng.below(4) {
            0 => Frame::new(65_536 - i64::from(rng.below(600))),
            1 => Frame::new((1 << 32) - i64::from(rng.below(600))),
            _ => Frame::ZERO,
        };
        let settings = ClusterSettings {
            first_frame,
            last_frame: first_frame + i64::from(LEAST_FRAMES + rng.below(120)) - 1,
            peers,
            link: link(&mut rng),
            first_sequence: rng.chance(500_000).then(|| 65_535 - rng.below(600) as u16),
            ..ClusterSettings::new(seed, peer_count, LEAST_FRAMES)
        };
        let deeds = deeds(&mut rng, &settings);
        let breaks = rng.chance(120_000).then(|| Breaks { peer: rng.below(peer_count as u32) as usize, restores: rng.below(60) });
        Self { settings, deeds, breaks }
    }

    /// Whether the match may end with somebody given up: somebody is not heard for too long, or a game
    /// breaks.
    #[must_use]
    pub fn may_end_early(&self) -> bool {
        self.breaks.is_some() || self.longest_silence_us() > BEARABLE_US
    }

    /// For how long somebody is not heard at most, if all that is said to happen happens at once.
    fn longest_silence_us(&self) -> u64 {
        let mut since: Vec<(usize, usize, u64)> = Vec::new();
        let mut total_us = 0;
        for Deed { at_us, action } in &self.deeds {
            let (key, begins) = match action {
                Action::Link { from, to, settings } => ((*from, *to), settings.loss == DEAD),
                Action::Suspend { peer, is_suspended } => ((*peer, usize::MAX), *is_suspended),
                _ => continue,
            };
            let known = since.iter().position(|(from, to, _)| (*from, *to) == key);
            match (known, begins) {
                (None, true) => since.push((key.0, key.1, *at_us)),
                (Some(place), false) => total_us += at_us - since.remove(place).2,
                _ => {}
            }
        }
        total_us
    }
}

const DEAD: Loss = Loss::Independent { per_million: 1_000_000 };

/// Peers need not agree on any of this.
fn shape(rng: &mut Rng) -> PeerShape {
    let max_rollback_frames = 2 + rng.below(10);
    // Often wider than what one tick may play again.
    let widest_frames = if rng.chance(500_000) { 20 } else { max_rollback_frames };
    let config = RollbackConfig {
        max_rollback_frames,
        prediction_window_frames: 1 + rng.below(widest_frames),
        resend_input_frames: rng.below(12),
        check_interval_frames: [30, 30, 1, 7][rng.below(4) as usize],
        ..RollbackConfig::default()
    };
    PeerShape {
        config,
        input_delay_frames: rng.below(5) as u8,
        // Up to 1.7 % too fast or too slow; and some machines cannot keep up.
        rate_millihertz: match rng.below(8) {
            0 => Some(50_000 + rng.below(8_000)),
            1..=4 => Some(59_000 + rng.below(2_000)),
            _ => None,
        },
        late_us: u64::from(rng.below(4)) * u64::from(rng.below(60_000)),
        is_synced: rng.chance(700_000),
        ..PeerShape::default()
    }
}

fn link(rng: &mut Rng) -> LinkSettings {
    let loss = match rng.below(5) {
        0 => Loss::None,
        1 => Loss::Independent { per_million: rng.below(400_000) },
        2 => Loss::bursts(20_000 + rng.below(300_000), 2 + rng.below(8)),
        _ => Loss::Independent { per_million: rng.below(30_000) },
    };
    let longest_us = if rng.chance(300_000) { 120_000 } else { 50_000 };
    LinkSettings {
        delay_us: u64::from(rng.below(longest_us)),
        jitter_us: u64::from(rng.below(30_000)),
        loss,
        reorder_per_million: if rng.chance(500_000) { rng.below(100_000) } else { 0 },
        duplicate_per_million: if rng.chance(500_000) { rng.below(100_000) } else { 0 },
        ..LinkSettings::default()
    }
}

/// What goes wrong, in order of time.
fn deeds(rng: &mut Rng, settings: &ClusterSettings) -> Vec<Deed> {
    let peer_count = settings.peers.len();
    let mut deeds = Vec::new();
    for _ in 0..rng.below(5) {
        let at_us = u64::from(rng.below(10_000_000));
        let peer = rng.below(peer_count as u32) as usize;
        let mut add = |at_us, action| deeds.push(Deed { at_us, action });
        match rng.below(8) {
            0 | 1 => blackout(rng, settings, at_us, peer, &mut add),
            2 => {
                let until_us = at_us + for_us(rng);
                add(at_us, Action::Suspend { peer, is_suspended: true });
                add(until_us, Action::Suspend { peer, is_suspended: false });
            }
            3 => {
                let until_us = at_us + u64::from(rng.below(20_000_000));
                add(at_us, Action::Unfocus { peer, is_unfocused: true });
                add(until_us, Action::Unfocus { peer, is_unfocused: false });
            }
            4 => add(at_us, Action::Leap { peer, us: u64::from(rng.below(30_000_000)) }),
            5 => {
                let changed = link(rng);
                for other in (0..peer_count).filter(|other| *other != peer) {
                    add(at_us, Action::Link { from: peer, to: other, settings: changed });
                }
            }
            _ => {
                for n in 0..3 {
                    add(at_us + n * u64::from(rng.below(1_000_000)), Action::Delay { peer, frames: rng.below(11) as u8 });
                }
            }
        }
    }
    deeds.sort_by_key(|deed| deed.at_us);
    deeds
}

/// All that a peer sends, all that it is sent, or both, is lost for a while.
fn blackout(rng: &mut Rng, settings: &ClusterSettings, at_us: u64, peer: usize, add: &mut impl FnMut(u64, Action)) {
    let until_us = at_us + for_us(rng);
    let ways = rng.below(3);
    for other in (0..settings.peers.len()).filter(|other| *other != peer) {
        for (from, to, is_dead) in [(peer, other, ways != 0), (other, peer, ways != 1)] {
            if is_dead {
                add(at_us, Action::Link { from, to, settings: LinkSettings { loss: DEAD, ..settings.link } });
                add(until_us, Action::Link { from, to, settings: settings.link });
            }
        }
    }
}

/// Mostly moments, sometimes seconds, rarely longer than anybody waits.
fn for_us(rng: &mut Rng) -> u64 {
    match rng.below(20) {
        0 => UNBEARABLE_US,
        1..=5 => u64::from(rng.below(5_000_000)),
        _ => u64::from(rng.below(600_000)),
    }
}
