//! Who plays on and does not say what it computed is not waited for; who is slow, silent or paused is.

use crate::play::{cluster, play};
use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::transport::packet::{LeaveReason, PacketType};
use snapback::{Frame, Outcome, PlayerSet, RollbackConfig};
use snapback_harness::cluster::ClusterSettings;
use std::cell::Cell;
use std::rc::Rc;

const MINUTES_US: u64 = 600_000_000;

fn is_check(bytes: &[u8]) -> bool {
    PacketType::of(bytes) == Ok(PacketType::Check)
}

#[test]
fn a_peer_that_sends_no_checks_is_left_after_seconds_and_not_before() {
    for silent_from in [0, 300] {
        let mut cluster = cluster(&ClusterSettings::new(3, 2, 6_000), None);
        let checks = Rc::new(Cell::new(0));
        let sent = Rc::clone(&checks);
        cluster.set_filter(move |passing| {
            let is_withheld = passing.from == 1 && is_check(passing.bytes) && sent.get() * 30 >= silent_from;
            sent.set(sent.get() + i64::from(passing.from == 1 && is_check(passing.bytes)));
            !is_withheld
        });
        let outcomes = play(&mut cluster, MINUTES_US);
        let [host, joiner] = [0, 1].map(|peer| cluster.nodes()[peer].peer.facts().unwrap().local_players);
        let Some(Outcome::ChecksWithheld { players, after, until }) = outcomes[0] else { panic!("{outcomes:?}") };
        let told = Frame::new(silent_from - 30).max(Frame::INITIAL);
        assert_eq!((players, after), (joiner, told), "{outcomes:?}");
        assert!((1_000..1_100).contains(&(until - after)), "{outcomes:?}");
        assert_eq!(outcomes[1], Some(Outcome::Abandoned { players: host, reason: LeaveReason::ChecksWithheld }));
        assert!(!outcomes[0].as_ref().unwrap().to_string().is_empty() && host == PlayerSet::first(1));
    }
}

/// Nineteen of twenty packets from one side are lost, and it has the longest interval.
#[test]
fn a_link_that_loses_nearly_everything_is_no_withholding() {
    for seed in 0..6 {
        let mut settings = ClusterSettings::new(seed, 2, 1_500);
        settings.set_config(RollbackConfig { check_interval_frames: 240, disconnect_timeout_ms: 60_000, ..RollbackConfig::default() });
        let mut cluster = cluster(&settings, None);
        cluster.run_until(2_000_000).unwrap();
        let lossy = LinkSettings { loss: Loss::Independent { per_million: 950_000 }, ..LinkSettings::default() };
        cluster.set_link(1, 0, lossy);
        let outcomes = play(&mut cluster, MINUTES_US);
        let is_good = |outcome: &Option<Outcome>| matches!(outcome, Some(Outcome::Agreed | Outcome::Unverified { .. }));
        assert!(outcomes.iter().all(is_good), "seed {seed}: {outcomes:?}");
    }
}

/// A program that stands still for half a minute, again and again, keeps its match.
#[test]
fn a_peer_that_stands_still_is_waited_for() {
    let mut settings = ClusterSettings::new(4, 3, 1_200);
    settings.set_config(RollbackConfig { disconnect_timeout_ms: 120_000, ..RollbackConfig::default() });
    let mut cluster = cluster(&settings, None);
    for n in 1..=3u64 {
        cluster.run_until(n * 40_000_000 - 37_000_000).unwrap();
        cluster.set_asleep(1, true);
        cluster.run_until(n * 40_000_000).unwrap();
        cluster.set_asleep(1, false);
    }
    let outcomes = play(&mut cluster, MINUTES_US);
    assert_eq!(outcomes, vec![Some(Outcome::Agreed); 3]);
}
