//! Faults of the network, each against the clean run of the same match: same confirmed hashes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../../golden/tests/planted/mod.rs"]
#[allow(dead_code, reason = "one kind of fault is enough here")]
mod planted;

use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::transport::packet::PacketType;
use snapback::{Frame, PeerEvent, StateHash};
use snapback_harness::ClusterSettings;
use snapback_harness::plan::world_cluster;
use std::cell::Cell;
use std::rc::Rc;

const LIMIT_US: u64 = 300_000_000;
const SEED: u64 = 11;

fn settings(player_count: usize, frame_count: u32) -> ClusterSettings {
    let link = LinkSettings { delay_us: 40_000, jitter_us: 5_000, ..LinkSettings::default() };
    ClusterSettings { link, ..ClusterSettings::new(SEED, player_count, frame_count) }
}

/// The hashes of the match without any fault: the pilots press by frame alone.
fn clean(settings: &ClusterSettings) -> Vec<StateHash> {
    let mut cluster = world_cluster(&ClusterSettings { link: LinkSettings::default(), first_sequence: None, ..settings.clone() }).unwrap();
    cluster.run(LIMIT_US).unwrap();
    cluster.judge().hashes().to_vec()
}

#[test]
fn reordered_and_duplicated_packets() {
    let settings = settings(2, 1_200);
    let mut rough = settings.clone();
    rough.link.reorder_per_million = 300_000;
    rough.link.duplicate_per_million = 300_000;
    let mut cluster = world_cluster(&rough).unwrap();
    cluster.run(LIMIT_US).unwrap();
    let stats = cluster.link_stats(0, 1);
    assert!(stats.reordered > 200 && stats.duplicated > 200, "{stats:?}");
    assert_eq!(cluster.judge().hashes(), clean(&settings));
}

#[test]
fn heavy_loss_in_bursts() {
    let settings = settings(3, 900);
    let mut lossy = settings.clone();
    lossy.link.loss = Loss::bursts(300_000, 6);
    let mut cluster = world_cluster(&lossy).unwrap();
    cluster.run(LIMIT_US).unwrap();
    assert_eq!(cluster.judge().hashes(), clean(&settings));
}

/// Every counter on the wire is 16 bits wide: sequence, ack, frame and input ack all wrap here,
/// within the first second, while packets are lost, reordered and duplicated.
#[test]
fn every_wire_counter_starts_just_below_its_wrap() {
    for below in [1, 2, 7, 33, 60] {
        let first_frame = Frame::new(65_536 - below);
        let mut settings = settings(3, 600);
        settings.first_frame = first_frame;
        settings.last_frame = first_frame + 599;
        let mut rough = settings.clone();
        rough.first_sequence = Some(65_535 - below as u16);
        rough.link.loss = Loss::Independent { per_million: 100_000 };
        rough.link.reorder_per_million = 100_000;
        rough.link.duplicate_per_million = 100_000;
        let mut cluster = world_cluster(&rough).unwrap();
        cluster.run(LIMIT_US).unwrap();
        assert_eq!(cluster.judge().confirmed_by_all(), settings.last_frame);
        assert_eq!(cluster.judge().hashes(), clean(&settings), "{below} below");
    }
}

/// Long enough that frames and sequences wrap on their own.
#[test]
fn a_match_of_twenty_minutes_wraps_by_itself() {
    let mut settings = settings(2, 70_000);
    settings.link = LinkSettings { delay_us: 30_000, loss: Loss::Independent { per_million: 20_000 }, ..LinkSettings::default() };
    let mut cluster = world_cluster(&settings).unwrap();
    cluster.run(2_000_000_000).unwrap();
    assert_eq!(cluster.judge().confirmed_by_all(), Frame::new(69_999));
}

/// The third player is silent for four seconds: the others are told, wait at the ceiling, and go on.
#[test]
fn a_third_player_is_silent_and_comes_back() {
    let settings = settings(3, 600);
    let mut cluster = world_cluster(&settings).unwrap();
    let (told, resumed) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let (told_in, resumed_in) = (Rc::clone(&told), Rc::clone(&resumed));
    cluster.set_on_event(move |_, event| match event {
        PeerEvent::Interrupted { .. } => told_in.set(told_in.get() + 1),
        PeerEvent::Resumed { .. } => resumed_in.set(resumed_in.get() + 1),
        _ => {}
    });
    cluster.run_until(3_000_000).unwrap();
    cluster.set_asleep(2, true);
    cluster.run_until(7_000_000).unwrap();
    let stalled = |peer: usize, cluster: &snapback_harness::Cluster<snapback::sim::World>| {
        cluster.nodes()[peer].peer.session().unwrap().stats().stalled_frames
    };
    assert!(stalled(0, &cluster) > 180 && stalled(1, &cluster) > 180);
    cluster.set_asleep(2, false);
    cluster.run(LIMIT_US).unwrap();
    assert!(told.get() >= 2 && resumed.get() >= 2, "told {} times, resumed {} times", told.get(), resumed.get());
    assert_eq!(cluster.judge().hashes(), clean(&settings));
}

/// A peer that never comes back is lost by a type, after the timeout and not before.
#[test]
fn a_peer_that_never_comes_back_is_lost_after_the_timeout() {
    let mut cluster = world_cluster(&settings(2, 6_000)).unwrap();
    cluster.run_until(3_000_000).unwrap();
    cluster.set_asleep(1, true);
    cluster.run_until(12_500_000).unwrap();
    assert!(cluster.nodes()[0].peer.outcome().is_none());
    cluster.run_until(14_000_000).unwrap();
    let outcome = cluster.nodes()[0].peer.outcome().unwrap();
    assert!(matches!(outcome, snapback::Outcome::Lost { players, .. } if players.len() == 1), "{outcome}");
}

/// For half a second everything that one peer sends is lost, acknowledgements and all: those acks
/// never arrive, only later ones do.
#[test]
fn acknowledgements_that_are_lost_for_ever() {
    let settings = settings(2, 900);
    let mut cluster = world_cluster(&settings).unwrap();
    let dropped = Rc::new(Cell::new(0));
    let dropped_in = Rc::clone(&dropped);
    cluster.set_filter(move |passing| {
        let is_input = PacketType::of(passing.bytes) == Ok(PacketType::Input);
        // 500 ms out of every two seconds, and every third packet besides.
        let lost = is_input && passing.from == 1 && (passing.now_us % 2_000_000 < 500_000 || passing.now_us / 1_000 % 3 == 0);
        dropped_in.set(dropped_in.get() + u32::from(lost));
        !lost
    });
    cluster.run(LIMIT_US).unwrap();
    assert!(dropped.get() > 300);
    assert_eq!(cluster.judge().hashes(), clean(&settings));
}

/// One direction lost for good: the other side is told and the match ends by a type on both.
#[test]
fn one_direction_lost_for_good_ends_by_a_type() {
    let mut cluster = world_cluster(&settings(2, 6_000)).unwrap();
    cluster.run_until(3_000_000).unwrap();
    let dead = LinkSettings { loss: Loss::Independent { per_million: 1_000_000 }, ..LinkSettings::default() };
    cluster.set_link(0, 1, dead);
    cluster.run_until(40_000_000).unwrap();
    assert!(cluster.is_over());
    for node in cluster.nodes() {
        let outcome = node.peer.outcome().unwrap();
        assert!(matches!(outcome, snapback::Outcome::Lost { .. }), "{outcome}");
    }
}

/// Input delays differ from peer to peer, and one peer's window is narrower than the other's.
#[test]
fn delays_and_windows_need_not_agree() {
    let mut settings = settings(4, 900);
    settings.set_delays(&[0, 3, 10, 1]);
    settings.peers[2].config.prediction_window_frames = 3;
    settings.peers[3].config.resend_input_frames = 60;
    settings.link.loss = Loss::Independent { per_million: 50_000 };
    let mut cluster = world_cluster(&settings).unwrap();
    cluster.run(LIMIT_US).unwrap();
    assert_eq!(cluster.judge().confirmed_by_all(), settings.last_frame);
}

/// The judge itself can fail: a peer whose state is changed in one bit is found at that frame.
#[test]
fn the_judge_finds_a_changed_bit() {
    use snapback::sim::{PadInput, World, WorldData};
    use snapback_harness::holds::Holds;
    use snapback_harness::{Cluster, Fault, cluster::ClusterError};

    const FIELD: &str = "fighter[0].vitals.health";
    type Faulty = planted::Planted<World>;

    let made = Cell::new(0);
    let mut cluster = Cluster::new(
        &settings(2, 600),
        || {
            made.set(made.get() + 1);
            let at = if made.get() == 2 { Frame::new(300) } else { Frame::INITIAL };
            Faulty { inner: World::new(WorldData::default()), fault: planted::Fault::Field(at, FIELD) }
        },
        |player| {
            let mut holds = Holds::new(SEED, player);
            Box::new(move |_: Frame, _: snapback::PlayerHandle, _: &Faulty| PadInput::new(holds.next_any()))
        },
    )
    .unwrap();
    let error = cluster.run(LIMIT_US).unwrap_err();
    let ClusterError::Fault(Fault::State { peer: 1, divergence }) = &error else { panic!("{error}") };
    assert_eq!(divergence.frame, Frame::new(300));
    let field = divergence.field.as_ref().unwrap();
    assert!(field.path.starts_with("fighter[0].vitals."), "{field}");
}
