//! Faults of the network and of clocks, under encryption.

use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::{Frame, PeerEvent, RollbackConfig, StateHash};
use snapback_harness::ClusterSettings;
use snapback_harness::plan::world_cluster;
use std::cell::Cell;
use std::rc::Rc;

const MINUTE_US: u64 = 60_000_000;

fn settings(players: usize, frames: u32) -> ClusterSettings {
    let link = LinkSettings { delay_us: 30_000, jitter_us: 5_000, ..LinkSettings::default() };
    ClusterSettings { link, is_encrypted: true, ..ClusterSettings::new(21, players, frames) }
}

fn clean(settings: &ClusterSettings) -> Vec<StateHash> {
    let plain = ClusterSettings { link: LinkSettings::default(), first_sequence: None, is_encrypted: false, ..settings.clone() };
    let mut cluster = world_cluster(&plain).unwrap();
    cluster.run(10 * MINUTE_US).unwrap();
    cluster.judge().hashes().to_vec()
}

/// Sequence, ack, frame and input ack wrap within the first second, at 16 bits and at 32.
#[test]
fn every_counter_wraps_under_reorder_and_duplication() {
    for base in [1 << 16, 1 << 32] {
        for below in [1, 7, 33, 60] {
            let first_frame = Frame::new(base - below);
            let settings = ClusterSettings { first_frame, last_frame: first_frame + 399, ..settings(2, 400) };
            let mut rough = ClusterSettings { first_sequence: Some(65_535 - below as u16), ..settings.clone() };
            rough.link.loss = Loss::Independent { per_million: 100_000 };
            rough.link.reorder_per_million = 200_000;
            rough.link.duplicate_per_million = 200_000;
            let mut cluster = world_cluster(&rough).unwrap();
            cluster.run(2 * MINUTE_US).unwrap_or_else(|error| panic!("{below} below {base}: {error}"));
            assert_eq!(cluster.judge().confirmed_by_all(), settings.last_frame);
            assert_eq!(cluster.judge().hashes(), clean(&settings), "{below} below {base}");
        }
    }
}

/// One direction loses nine of ten, and with them nine of ten acknowledgements, for 10,000 frames.
#[test]
fn acknowledgements_are_rare_in_one_direction() {
    let settings = settings(2, 10_000);
    let mut cluster = world_cluster(&settings).unwrap();
    let count = Rc::new(Cell::new(0u64));
    cluster.set_filter(move |passing| {
        count.set(count.get() + u64::from(passing.from == 1));
        let is_playing = passing.now_us > 3_000_000;
        passing.from == 0 || !is_playing || count.get() % 10 == 0
    });
    cluster.run(20 * MINUTE_US).unwrap();
    assert_eq!(cluster.judge().confirmed_by_all(), settings.last_frame);
}

/// Whatever is larger than a path carries vanishes.
#[test]
fn large_datagrams_vanish() {
    for (most_bytes, handshake_too) in [(600, false), (1_200, true)] {
        let settings = settings(3, 400);
        let mut cluster = world_cluster(&settings).unwrap();
        let vanished = Rc::new(Cell::new(0));
        let count = Rc::clone(&vanished);
        cluster.set_filter(move |passing| {
            // Keys of the handshake have another epoch than those of the match.
            let is_handshake = !matches!(passing.bytes[0], 0x23 | 0x27 | 0x2B | 0x2F);
            let passes = passing.bytes.len() <= most_bytes || (is_handshake && !handshake_too);
            count.set(count.get() + u32::from(!passes));
            passes
        });
        cluster.run(2 * MINUTE_US).unwrap_or_else(|error| panic!("{most_bytes}, {} vanished: {error}", vanished.get()));
        assert!(vanished.get() < 5, "{} datagrams above {most_bytes}", vanished.get());
    }
}

/// A budget for narrow paths holds for the handshake too.
#[test]
fn a_small_budget_is_kept_by_every_datagram() {
    for datagram_budget_bytes in [600, 1_199] {
        let mut settings = settings(2, 400);
        settings.set_config(RollbackConfig { datagram_budget_bytes, ..RollbackConfig::default() });
        let mut cluster = world_cluster(&settings).unwrap();
        cluster.set_filter(move |passing| {
            assert!(passing.bytes.len() <= datagram_budget_bytes as usize, "{} bytes", passing.bytes.len());
            true
        });
        cluster.run(2 * MINUTE_US).unwrap();
    }
}

/// The clock of one peer or of all leaps by 5 seconds, which is more than the timeout.
#[test]
fn a_clock_that_leaps_loses_nobody() {
    for is_encrypted in [false, true] {
        for (players, leaping) in [(2, vec![0]), (2, vec![1]), (2, vec![0, 1]), (3, vec![2]), (3, vec![0, 1, 2])] {
            let mut settings = ClusterSettings { is_encrypted, ..settings(players, 900) };
            settings.set_config(RollbackConfig { disconnect_timeout_ms: 3_000, ..RollbackConfig::default() });
            for at_us in [70_000, 100_000, 130_000, 160_000, 190_000, 250_000, 1_000_000, 6_000_000] {
                let mut cluster = world_cluster(&settings).unwrap();
                let told = Rc::new(Cell::new(0));
                let count = Rc::clone(&told);
                cluster.set_on_event(move |_, event| {
                    count.set(count.get() + u32::from(matches!(event, PeerEvent::Interrupted { .. } | PeerEvent::Gone { .. })));
                });
                cluster.run_until(at_us).unwrap();
                for peer in &leaping {
                    cluster.leap(*peer, 5_000_000);
                }
                let what = format!("{leaping:?} of {players} at {at_us}, encrypted: {is_encrypted}");
                cluster.run(2 * MINUTE_US).unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_eq!(told.get(), 0, "{what}");
                assert_eq!(cluster.judge().hashes(), clean(&settings), "{what}");
            }
        }
    }
}

/// Time in which a peer does listen counts: whoever is silent is lost as before.
#[test]
fn silence_still_counts() {
    let mut cluster = world_cluster(&settings(2, 6_000)).unwrap();
    cluster.run_until(3_000_000).unwrap();
    cluster.set_asleep(1, true);
    cluster.leap(0, 5_000_000);
    cluster.run_until(12_500_000).unwrap();
    assert!(cluster.nodes()[0].peer.outcome().is_none());
    cluster.run_until(18_500_000).unwrap();
    assert!(matches!(cluster.nodes()[0].peer.outcome(), Some(snapback::Outcome::Lost { .. })));
}

/// Every answer to a greeting is lost for a while, so that the joiner dials anew: the connection that
/// takes the place of the first is in use as the first was.
#[test]
fn a_connection_that_was_dialled_anew_lasts() {
    for players in [2, 3] {
        let mut cluster = world_cluster(&settings(players, 1_500)).unwrap();
        let lost = Rc::new(Cell::new(0));
        let count = Rc::clone(&lost);
        cluster.set_filter(move |passing| {
            // A greeting, sealed with the keys of the match.
            let is_greeting = passing.bytes.len() == 92 + 22 && passing.bytes[0] & 0x23 == 0x23;
            let passes = passing.from != 0 || passing.now_us > 4_000_000 || !is_greeting;
            count.set(count.get() + u32::from(!passes));
            passes
        });
        cluster.run(2 * MINUTE_US).unwrap_or_else(|error| panic!("{players} players: {error}"));
        assert!(lost.get() > 20, "only {} answers were lost", lost.get());
    }
}
