//! Both directions go dark until both peers stand at the ceiling, and then the link is clean: they go on.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback::transport::LinkSettings;
use snapback::{FreezeReason, RollbackConfig};
use snapback_harness::ClusterSettings;
use snapback_harness::plan::world_cluster;
use std::cell::Cell;
use std::rc::Rc;

const TICK_US: u64 = 16_667;

/// How long after the light came back each peer played its next frame, with the darkness lifted `stay_us`
/// after both had reached the ceiling.
fn resumed_us(rtt_us: u64, stay_us: u64, seed: u64) -> Vec<u64> {
    let link = LinkSettings { delay_us: rtt_us / 2, ..LinkSettings::default() };
    let mut settings = ClusterSettings { link, ..ClusterSettings::new(seed, 2, 1_200) };
    // The window holds the way there and back, so that the darkness alone stops anybody.
    settings.set_config(RollbackConfig { prediction_window_frames: 15, max_rollback_frames: 15, ..RollbackConfig::default() });
    let mut cluster = world_cluster(&settings).unwrap();
    let dark = Rc::new(Cell::new(false));
    let dark_in = Rc::clone(&dark);
    cluster.set_filter(move |_| !dark_in.get());
    cluster.run_until(4_000_000 + 1_000 * seed).unwrap();
    dark.set(true);
    let is_at_ceiling = |cluster: &snapback_harness::Cluster<snapback::sim::World>| {
        let reason = |peer: usize| cluster.nodes()[peer].last_report.unwrap().reason;
        [0, 1].into_iter().all(|peer| matches!(reason(peer), Some(FreezeReason::PredictionCeiling { .. })))
    };
    while !is_at_ceiling(&cluster) {
        cluster.advance().unwrap();
        assert!(cluster.now_us() < 8_000_000, "the ceiling is never reached");
    }
    let lifted_us = cluster.now_us() + stay_us;
    cluster.run_until(lifted_us).unwrap();
    assert!(is_at_ceiling(&cluster));
    dark.set(false);
    let frame = |cluster: &snapback_harness::Cluster<snapback::sim::World>, peer: usize| {
        cluster.nodes()[peer].peer.session().unwrap().current_frame()
    };
    let stood = [frame(&cluster, 0), frame(&cluster, 1)];
    let mut resumed = vec![None; 2];
    while resumed.iter().any(Option::is_none) {
        cluster.advance().unwrap();
        for (peer, resumed) in resumed.iter_mut().enumerate() {
            if resumed.is_none() && frame(&cluster, peer) > stood[peer] {
                *resumed = Some(cluster.now_us() - lifted_us);
            }
        }
        assert!(cluster.now_us() < lifted_us + 5_000_000, "nobody goes on");
    }
    cluster.run(120_000_000).unwrap();
    resumed.into_iter().flatten().collect()
}

/// Within two round trips; on a path that is shorter than that, within the ticks that the answer waits for:
/// one until it is sent, one until it is used.
#[test]
fn after_a_blackout_at_the_ceiling_play_resumes_within_two_round_trips() {
    for rtt_us in [10_000, 30_000, 50_000, 100_000, 150_000, 200_000] {
        for stay_us in [0, 1, 8_000, 250_000, 1_000_000, 3_000_000, 6_000_000] {
            let worst = (0..5).flat_map(|seed| resumed_us(rtt_us, stay_us, seed)).max().unwrap();
            println!(
                "round trip {} ms, dark for {} ms at the ceiling: resumed after {} ms",
                rtt_us / 1_000,
                stay_us / 1_000,
                worst / 1_000
            );
            let most_us = (2 * rtt_us).max(rtt_us / 2 + 2 * TICK_US);
            assert!(worst <= most_us, "round trip {rtt_us} us, {stay_us} us at the ceiling: {worst} us");
        }
    }
}
