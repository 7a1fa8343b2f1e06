//! No honest match ends by a check.

use crate::play::{cluster, play};
use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::{Frame, Outcome, Rng, RollbackConfig};
use snapback_harness::cluster::{ClusterSettings, PeerShape};

const LIMIT_US: u64 = 600_000_000;

fn agrees(settings: &ClusterSettings, what: &str) {
    let mut cluster = cluster(settings, None);
    let outcomes = play(&mut cluster, LIMIT_US);
    let is_good = |outcome: &Option<Outcome>| matches!(outcome, Some(Outcome::Agreed | Outcome::Unverified { .. }));
    assert!(outcomes.iter().all(is_good), "{what}: {outcomes:?}");
}

/// The worst case of the design: 150 ms each way, the very first input is mispredicted, every frame is
/// compared.
#[test]
fn a_slow_link_and_a_check_every_frame() {
    for window in [1, 8, 30] {
        let mut settings = ClusterSettings::new(window.into(), 2, 900);
        let config = RollbackConfig {
            check_interval_frames: 1,
            prediction_window_frames: window,
            max_rollback_frames: window.min(8),
            ..RollbackConfig::default()
        };
        settings.set_config(config);
        settings.link = LinkSettings { delay_us: 150_000, ..LinkSettings::default() };
        let mut cluster = cluster(&settings, None);
        let outcomes = play(&mut cluster, LIMIT_US);
        assert_eq!(outcomes, [Some(Outcome::Agreed), Some(Outcome::Agreed)], "window {window}");
        assert!(cluster.nodes().iter().all(|node| node.peer.session().unwrap().stats().rollbacks > 0));
    }
}

/// Loss, bursts, duplicates, reordering, wraps, corrections over several ticks, two to four peers with
/// intervals of their own. `SNAPBACK_SEED=N` plays one of them alone.
#[test]
fn random_matches() {
    let only = std::env::var("SNAPBACK_SEED").ok().map(|seed| seed.parse().unwrap());
    for seed in only.map_or(0..120, |seed: u64| seed..seed + 1) {
        let mut rng = Rng::new(seed, 31);
        let mut settings = ClusterSettings::new(seed, 2 + rng.below(2) as usize, 500);
        for peer in &mut settings.peers {
            let max_rollback_frames = 1 + rng.below(8);
            let config = RollbackConfig {
                check_interval_frames: [1, 2, 30, 240][rng.below(4) as usize],
                max_rollback_frames,
                prediction_window_frames: 1 + rng.below(20),
                ..RollbackConfig::default()
            };
            *peer = PeerShape { config, input_delay_frames: rng.below(4) as u8, ..PeerShape::default() };
        }
        settings.first_frame = [Frame::ZERO, Frame::new(65_536 - i64::from(rng.below(300)))][rng.below(2) as usize];
        settings.last_frame = settings.first_frame + 499;
        settings.link = LinkSettings {
            delay_us: u64::from(rng.below(150_000)),
            jitter_us: u64::from(rng.below(40_000)),
            loss: match rng.below(3) {
                0 => Loss::None,
                1 => Loss::Independent { per_million: rng.below(400_000) },
                _ => Loss::bursts(20_000 + rng.below(200_000), 2 + rng.below(8)),
            },
            reorder_per_million: rng.below(200_000),
            duplicate_per_million: rng.below(200_000),
            ..LinkSettings::default()
        };
        agrees(&settings, &format!("SNAPBACK_SEED={seed} cargo test -p snapback-tests --test desync random_matches"));
    }
}
