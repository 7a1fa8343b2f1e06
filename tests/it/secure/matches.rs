//! Encrypted matches on bad links: the same frames as without encryption, and every peer agrees.

use snapback::Outcome;
use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback_harness::ClusterSettings;
use snapback_harness::plan::world_cluster;

const MINUTE_US: u64 = 60_000_000;

fn settings(seed: u64, players: usize, loss: Loss) -> ClusterSettings {
    let link = LinkSettings { delay_us: 30_000, jitter_us: 5_000, loss, reorder_per_million: 20_000, ..LinkSettings::default() };
    ClusterSettings { link, is_encrypted: true, ..ClusterSettings::new(seed, players, 600) }
}

#[test]
fn two_three_and_four_agree_on_every_frame() {
    for (seed, players) in [(1, 2), (2, 3), (3, 4)] {
        for loss in [Loss::None, Loss::Independent { per_million: 100_000 }, Loss::bursts(100_000, 4)] {
            let mut cluster = world_cluster(&settings(seed, players, loss)).unwrap();
            cluster.run(2 * MINUTE_US).unwrap_or_else(|error| panic!("{players} players, {loss:?}: {error}"));
            for node in cluster.nodes() {
                assert!(matches!(node.peer.outcome(), Some(Outcome::Agreed | Outcome::Unverified { .. })));
                assert_eq!(node.peer.identities().count(), players - 1);
            }
        }
    }
}

#[test]
fn nothing_but_the_door_is_in_the_clear() {
    let mut cluster = world_cluster(&settings(4, 3, Loss::None)).unwrap();
    cluster.set_filter(|passing| {
        let first = passing.bytes[0];
        let is_door = matches!(first, 7 | 9 | 10);
        let is_dtls = (20..=26).contains(&first) || first & 0xE0 == 0x20;
        assert!(is_door || is_dtls, "a datagram begins with {first}");
        assert!(passing.bytes.len() <= 1_200);
        true
    });
    cluster.run(MINUTE_US).unwrap();
}

#[test]
fn repair_is_sent_by_need_and_brings_packets_back() {
    for (per_million, needed) in [(0, false), (100_000, true)] {
        let mut settings = settings(6, 2, Loss::Independent { per_million });
        settings.last_frame = snapback::Frame::new(5_999);
        let mut cluster = world_cluster(&settings).unwrap();
        cluster.run(4 * MINUTE_US).unwrap();
        for node in cluster.nodes() {
            for (_, stats) in node.peer.connections() {
                assert_eq!(stats.parity_sent > 100, needed, "{stats:?}");
                assert_eq!(stats.copies_sent > 1_000, needed, "{stats:?}");
                assert_eq!(stats.packets_recovered > 100, needed, "{stats:?}");
                assert!(stats.packets_recovered <= stats.parity_received, "{stats:?}");
                let (lost, measured) = (u64::from(per_million), u64::from(stats.loss_sent_per_million));
                assert!((lost / 2..=lost * 2 + 1_000).contains(&measured), "{stats:?}");
            }
        }
    }
}
