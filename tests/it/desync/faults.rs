//! One wrong bit in one peer is caught at the first frame that is compared, and told exactly.

use crate::game::{Fault, Game, State};
use crate::play::{BROKEN, cluster, inquire, play};
use snapback::desync::{DesyncReport, FieldReport};
use snapback::state::Value;
use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::transport::packet::PacketType;
use snapback::{Frame, Outcome, Rng, RollbackConfig, SimState, StateLayout};
use snapback_harness::cluster::{Cluster, ClusterSettings};

const LIMIT_US: u64 = 60_000_000;

/// A match of two with everything drawn, and where its fault is.
fn drawn(seed: u64) -> (ClusterSettings, Fault, u32) {
    let mut rng = Rng::new(seed, 77);
    let interval = [1, 7, 30, 60][rng.below(4) as usize];
    let mut settings = ClusterSettings::new(seed, 2, 600);
    settings.set_config(RollbackConfig { check_interval_frames: interval, ..RollbackConfig::default() });
    settings.first_frame = [Frame::ZERO, Frame::new(65_536 - i64::from(rng.below(200)))][rng.below(2) as usize];
    settings.last_frame = settings.first_frame + 599;
    let loss = if rng.chance(500_000) { Loss::Independent { per_million: rng.below(100_000) } } else { Loss::None };
    settings.link = LinkSettings { delay_us: u64::from(rng.below(60_000)), jitter_us: 5_000, loss, ..LinkSettings::default() };
    let fault = Fault {
        frame: settings.first_frame + i64::from(rng.below(450)),
        byte: rng.below(State::LAYOUT.size_bytes as u32) as usize,
        mask: 1 << rng.below(8),
    };
    (settings, fault, interval)
}

/// The field that a byte lies in, and its value in a state.
fn field_at(byte: usize, state: &[u8]) -> (String, String) {
    let fields = StateLayout::of::<State>().fields();
    let field = fields.iter().rfind(|field| field.offset_bytes <= byte).unwrap();
    let mut bits = [0; 8];
    let raw = &state[field.offset_bytes..][..field.scalar.size_bytes()];
    bits[..raw.len()].copy_from_slice(raw);
    (field.path.clone(), Value::from_bits(field.scalar, u64::from_le_bytes(bits)).to_string())
}

fn state_of(cluster: &Cluster<Game>, peer: usize, frame: Frame) -> Option<Vec<u8>> {
    cluster.nodes()[peer].peer.session().unwrap().snapshot(frame).map(<[u8]>::to_vec)
}

/// `SNAPBACK_SEED=N` plays one of them alone.
#[test]
fn any_wrong_bit_is_caught_at_the_first_frame_compared_and_named_with_both_values() {
    let only = std::env::var("SNAPBACK_SEED").ok().map(|seed| seed.parse().unwrap());
    for seed in only.map_or(0..150, |seed: u64| seed..seed + 1) {
        let (settings, fault, interval) = drawn(seed);
        let mut cluster = cluster(&settings, Some(fault));
        let outcomes = play(&mut cluster, LIMIT_US);
        let replay = format!("SNAPBACK_SEED={seed} cargo test -p snapback-tests --test desync any_wrong_bit\n{fault:?} {outcomes:?}");
        let lossless = settings.link.loss == Loss::None;
        let first_compared = Frame::new((fault.frame.number() + i64::from(interval) - 1).div_euclid(interval.into()) * i64::from(interval));
        for (node, outcome) in cluster.nodes().iter().zip(&outcomes) {
            let Some(Outcome::Desynced { players, frame, ours: Some(ours), theirs: Some(theirs), .. }) = outcome else {
                panic!("{replay}")
            };
            assert!(players.minus(node.peer.facts().unwrap().local_players) == *players && ours != theirs, "{replay}");
            // Each peer's newest check covers what became confirmed in one tick.
            let late = *frame - first_compared;
            let most = if lossless { i64::from(interval.max(10)) } else { 4 * i64::from(interval.max(10)) };
            assert!((0..=most).contains(&late) && (late == 0 || interval < 30 || !lossless), "{late} late: {replay}");
        }
        let mut inquiries = cluster.nodes().iter().map(|node| node.peer.inquiry().unwrap());
        let (mut a, mut b) = (inquiries.next().unwrap(), inquiries.next().unwrap());
        let reports = inquire(&mut a, &mut b);
        for (report, peer) in reports.iter().zip([0, 1]) {
            assert_eq!(report.frame, Some(fault.frame.number()), "{replay}\n{report}");
            assert_eq!((report.finding.as_str(), report.inputs_frame), ("complete", None), "{replay}\n{report}");
            assert!(report.verified_frame < fault.frame.number(), "{replay}\n{report}");
            let (ours, theirs) = (state_of(&cluster, peer, fault.frame).unwrap(), state_of(&cluster, 1 - peer, fault.frame).unwrap());
            let (path, our_value) = field_at(fault.byte, &ours);
            let expected = FieldReport { path, ours: our_value, theirs: field_at(fault.byte, &theirs).1 };
            assert_eq!((report.fields.as_slice(), report.more_fields), (&[expected][..], 0), "{replay}\n{report}");
            assert_eq!(report.sections.len(), 1, "{replay}\n{report}");
            let wrong = report.inputs.iter().find(|inputs| inputs.frame == fault.frame.number()).unwrap();
            let pressed = cluster.nodes()[peer].peer.session().unwrap().inputs(fault.frame).unwrap();
            assert!(wrong.players[0].starts_with(&format!("{:04x}", pressed[0].input.swap_bytes())), "{replay}\n{report}");
        }
    }
}

#[test]
fn a_report_is_a_page() {
    let mut settings = ClusterSettings::new(5, 2, 600);
    settings.link.delay_us = 20_000;
    let fault = Fault { frame: Frame::new(100), byte: 8 + 24 + 16, mask: 4 };
    let mut cluster = cluster(&settings, Some(fault));
    let outcomes = play(&mut cluster, LIMIT_US);
    insta::assert_snapshot!(outcomes[0].as_ref().unwrap(), @"desync: after the same inputs the peer of player 1 has another state by frame 120: digest d79e4a06, ours 006b47c1");
    let [mut a, mut b] = [0, BROKEN].map(|peer| cluster.nodes()[peer].peer.inquiry().unwrap());
    let [report, _] = inquire(&mut a, &mut b);
    insta::assert_snapshot!(report, @r"
    desync: the same inputs gave two states
      peers        player 0 here, player 1 there
      match        faulty version 3, layout 7bc1f4cf, seed 5
      verified     up to frame 90; found by comparing frame 120
      first frame  100: hash 3dcb22ab here, ed4a6174 there
      first field  fighters[1].health: -169 (0xffffff57) here, -173 (0xffffff53) there
      sections     combat
      finding      complete
      inputs by player, as they are in packets:
        frame 92: 040c | e700
        frame 93: 0f03 | f90b
        frame 94: d30a | 9308
        frame 95: 2d09 | a20a
        frame 96: 8305 | 9205
        frame 97: 2a03 | 4f0d
        frame 98: e50b | 6600
        frame 99: 420b | 7a08
        frame 100: 7807 | b90a <
        frame 101: f50f | c801 (command 64 [65])
        frame 102: f503 | 360d (command 64 [66])
        frame 103: 8106 | b70a
        frame 104: bf0a | bc0d
        frame 105: 850d | 8f05
        frame 106: df08 | 1800
        frame 107: e401 | 830c
        frame 108: 2804 | 3003
    ");
}

/// A match with a fault right after a check that is verified, whose next checks are lost up to that of a frame.
fn found_late(seed: u64, config: RollbackConfig, fault: i64, found: i64) -> [DesyncReport; 2] {
    let mut settings = ClusterSettings::new(seed, 2, 1_500);
    settings.set_config(config);
    settings.link.delay_us = 60_000;
    let mut cluster = cluster(&settings, Some(Fault { frame: Frame::new(fault), byte: 50, mask: 1 }));
    cluster.set_filter(move |passing| {
        if PacketType::of(passing.bytes) != Ok(PacketType::Check) {
            return true;
        }
        // Type and wire frame are what a check begins with.
        let frame = i64::from(u16::from_le_bytes([passing.bytes[1], passing.bytes[2]]));
        frame < fault || frame >= found
    });
    play(&mut cluster, LIMIT_US);
    let [mut a, mut b] = [0, BROKEN].map(|peer| cluster.nodes()[peer].peer.inquiry().unwrap());
    inquire(&mut a, &mut b)
}

/// Three checks are lost in a row: the first frame that differs is still named, with its field.
#[test]
fn three_lost_checks_in_a_row_lose_no_state() {
    for interval in [1, 30, 60, 120, 200] {
        let config = RollbackConfig { check_interval_frames: interval, snapshot_history_frames: 30, ..RollbackConfig::default() };
        for config in [config, RollbackConfig { snapshot_history_frames: 90, ..config }] {
            let interval = i64::from(interval);
            let fault = (200 / interval + 1) * interval + 1;
            let found = fault - 1 + 4 * interval;
            for report in found_late(6, config, fault, found) {
                assert_eq!((report.frame, report.state_frame, report.finding.as_str()), (Some(fault), Some(fault), "complete"), "{report}");
                assert!(report.found_at_frame >= found, "{report}");
                assert_eq!(report.first_field().map(|field| field.path.as_str()), Some("fighters[1].health"), "{report}");
            }
        }
    }
}

/// When more frames went by than are kept, what is still known is told.
#[test]
fn a_state_that_is_forgotten_is_said_to_be() {
    let config = RollbackConfig { snapshot_history_frames: 30, ..RollbackConfig::default() };
    for report in found_late(6, config, 130, 480) {
        assert_eq!((report.frame, report.found_at_frame), (Some(130), 480), "{report}");
        let shown = report.state_frame.unwrap();
        assert!((480 - 188..=480).contains(&shown), "{report}");
        assert!(report.finding.starts_with("the state of frame 130 is forgotten"), "{report}");
        assert!(report.fields.iter().any(|field| field.path == "fighters[1].health"), "{report}");
    }
}

/// What the last checks do not reach the goodbyes do, and the inquiry goes on from there.
#[test]
fn a_fault_in_the_last_frames_is_named_too() {
    let settings = ClusterSettings::new(7, 2, 600);
    let fault = Fault { frame: Frame::new(595), byte: 3, mask: 1 };
    let mut cluster = cluster(&settings, Some(fault));
    let outcomes = play(&mut cluster, LIMIT_US);
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Some(Outcome::Disagreed { .. }))), "{outcomes:?}");
    let [mut a, mut b] = [0, BROKEN].map(|peer| cluster.nodes()[peer].peer.inquiry().unwrap());
    for report in inquire(&mut a, &mut b) {
        assert_eq!((report.frame, report.first_field().map(|field| field.path.as_str())), (Some(595), Some("mixed")), "{report}");
    }
}

/// Of three, the two that agree name the third, and the third one of them.
#[test]
fn of_three_peers_the_broken_one_is_named() {
    for seed in 0..10 {
        let mut settings = ClusterSettings::new(seed, 3, 600);
        settings.link = LinkSettings { delay_us: 30_000, jitter_us: 10_000, ..LinkSettings::default() };
        let fault = Fault { frame: Frame::new(200), byte: 20, mask: 1 };
        let mut cluster = cluster(&settings, Some(fault));
        let outcomes = play(&mut cluster, LIMIT_US);
        let broken = cluster.nodes()[BROKEN].peer.facts().unwrap().local_players;
        for (peer, outcome) in outcomes.iter().enumerate() {
            let Some(Outcome::Desynced { players, frame, .. }) = outcome else { panic!("seed {seed}: {outcomes:?}") };
            assert_eq!((*players == broken, *frame), (peer != BROKEN, Frame::new(210)), "seed {seed}: {outcomes:?}");
        }
    }
}
