//! Time sync by pace, for ten minutes each: two peers that did not start together, or whose clocks do not run
//! alike, rewind equally deep. And a peer that was suspended comes back without a burst.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback::state::pod;
use snapback::time_sync::MAX_STRETCH_PPM;
use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::*;
use snapback_harness::holds::Holds;
use snapback_harness::{Cluster, ClusterSettings};

/// Ten minutes at 60 frames a second.
const FRAMES: u32 = 36_000;

/// A head start of six frames.
const HEAD_START_US: u64 = 100_000;

/// Remembers every input of every frame in eight bytes.
#[derive(Clone)]
struct Tiny(u64);

impl Simulation for Tiny {
    type Input = u16;

    fn id(&self) -> SimulationId {
        SimulationId { name: "tiny", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<u64>()
    }

    fn reset(&mut self, seed: u64, _: usize) -> Result<(), ResetError> {
        self.0 = seed;
        Ok(())
    }

    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u16>, _: &mut Effects) {
        for seat in 0..inputs.player_count() {
            let pressed = inputs.input(PlayerHandle::new(seat as u8));
            self.0 = (self.0.rotate_left(9) ^ u64::from(pressed)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.0, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.0, snapshot)
    }
}

/// 80 ms there and back, up to 20 ms more each way, 2 % loss.
fn settings(player_count: usize, frame_count: u32) -> ClusterSettings {
    let link =
        LinkSettings { delay_us: 40_000, jitter_us: 20_000, loss: Loss::Independent { per_million: 20_000 }, ..LinkSettings::default() };
    let mut settings = ClusterSettings { link, ..ClusterSettings::new(5, player_count, frame_count) };
    for peer in &mut settings.peers {
        peer.is_synced = true;
    }
    settings
}

fn cluster(settings: &ClusterSettings) -> Cluster<Tiny> {
    let seed = settings.seed;
    Cluster::new(
        settings,
        || Tiny(0),
        move |player| {
            let mut holds = Holds::new(seed, player);
            Box::new(move |_: Frame, _: PlayerHandle, _: &Tiny| holds.next_any())
        },
    )
    .unwrap()
}

/// What became of a match that all agreed on.
#[derive(Debug)]
struct Played {
    /// The mean depth of each peer's rewinds, in thousandths of a frame.
    depths: Vec<u64>,
    /// Frozen ticks of each.
    stalls: Vec<u64>,
    /// The longest stretch of each, in millionths.
    stretches: Vec<u32>,
    /// How long it took.
    us: u64,
}

impl Played {
    fn apart(&self) -> u64 {
        self.depths.iter().max().unwrap() - self.depths.iter().min().unwrap()
    }
}

fn play(settings: &ClusterSettings) -> Played {
    let mut cluster = cluster(settings);
    let mut stretches = vec![0; settings.peers.len()];
    while !cluster.is_over() && cluster.now_us() < 1_000_000_000 {
        cluster.advance().unwrap();
        for (stretch, node) in stretches.iter_mut().zip(cluster.nodes()) {
            *stretch = node.peer.time_sync().stretch_ppm.max(*stretch);
        }
    }
    assert_eq!(cluster.judge().confirmed_by_all(), settings.last_frame);
    assert!(cluster.nodes().iter().all(|node| node.peer.outcome() == Some(&Outcome::Agreed)));
    let stats: Vec<SessionStats> = cluster.nodes().iter().map(|node| *node.peer.session().unwrap().stats()).collect();
    Played {
        depths: stats.iter().map(SessionStats::mean_depth_thousandths).collect(),
        stalls: stats.iter().map(|stats| stats.stalled_frames).collect(),
        stretches,
        us: cluster.now_us(),
    }
}

type Change = fn(&mut ClusterSettings);

const CASES: [(&str, Change); 6] = [
    ("the host has a head start of six frames", |settings| settings.peers[1].late_us = HEAD_START_US),
    ("the joiner has a head start of six frames", |settings| settings.peers[0].late_us = HEAD_START_US),
    ("the host's clock is at 59.94 Hz", |settings| settings.peers[0].rate_millihertz = Some(59_940)),
    ("the joiner's clock is at 59.94 Hz", |settings| settings.peers[1].rate_millihertz = Some(59_940)),
    ("the host plays at 57 frames a second", |settings| settings.peers[0].rate_millihertz = Some(57_000)),
    ("the joiner plays at 57 frames a second", |settings| settings.peers[1].rate_millihertz = Some(57_000)),
];

/// Every frame is agreed on (the judge), and the pace costs no more than a few frozen ticks at the start:
/// at most ten in ten minutes.
#[test]
fn for_ten_minutes_both_sides_rewind_equally_deep() {
    for (name, change) in CASES {
        let mut settings = settings(2, FRAMES);
        change(&mut settings);
        let played = play(&settings);
        println!("{name}: {played:?}");
        assert!(played.apart() < 600, "{name}: {played:?}");
        assert!(played.stalls.iter().sum::<u64>() <= 10, "{name}: {played:?}");
        let most_ppm = if name.ends_with("59.94 Hz") { 15_000 } else { MAX_STRETCH_PPM };
        assert!(played.stretches.iter().all(|stretch| *stretch <= most_ppm), "{name}: {played:?}");
    }
}

/// The same without it, so that the test above is known to be able to fail.
#[test]
fn without_it_one_side_predicts_for_both() {
    for (name, change) in CASES {
        let mut settings = settings(2, FRAMES);
        change(&mut settings);
        for peer in &mut settings.peers {
            peer.is_synced = false;
        }
        let played = play(&settings);
        println!("{name}: {played:?}");
        assert!(played.apart() > 4_000, "{name}: {played:?}");
    }
}

/// Alike from the start: nobody is slowed, and the time it takes is the time it should take.
#[test]
fn who_is_level_is_not_slowed() {
    let mut settings = settings(2, FRAMES);
    let synced = play(&settings);
    println!("{synced:?}");
    assert!(synced.apart() < 600 && synced.stalls == [0, 0], "{synced:?}");
    assert!(synced.stretches.iter().all(|stretch| *stretch <= 15_000), "{synced:?}");
    for peer in &mut settings.peers {
        peer.is_synced = false;
    }
    // In ten minutes less than a tenth of a second.
    let free = play(&settings);
    assert!(synced.us < free.us + 100_000, "{synced:?}, without {free:?}");
}

/// Of three the slowest counts: the two others wait for it, and are level with each other.
#[test]
fn of_three_peers_the_slowest_counts() {
    let mut settings = settings(3, FRAMES);
    settings.peers[1].rate_millihertz = Some(58_000);
    settings.peers[2].late_us = HEAD_START_US;
    let played = play(&settings);
    println!("{played:?}");
    assert!(played.apart() < 1_000, "{played:?}");
    assert!(played.stalls.iter().sum::<u64>() <= 20, "{played:?}");
    // The slowest says how long it takes, and nobody slows it down for more than the head start.
    assert!((620_000_000..624_000_000).contains(&played.us), "{played:?}");
}

/// A whole program is suspended for five seconds and comes back. It skips what it missed. No tick simulates
/// more than a rewind and a frame, on either side, however much has piled up.
#[test]
fn a_suspended_peer_comes_back_without_a_burst() {
    for asleep in [0, 1] {
        let mut cluster = cluster(&settings(2, 1_800));
        let most = u64::from(RollbackConfig::default().max_rollback_frames) + 1;
        let (mut before, mut seen) = (vec![(0, 0); 2], 0);
        let mut wakes = [(10_000_000, true), (15_000_000, false)].into_iter().peekable();
        let mut ticks = [0; 2];
        while !cluster.is_over() {
            let stats = cluster.nodes()[asleep].peer.session().map(|session| *session.stats()).unwrap_or_default();
            for (ticks, until_us) in ticks.iter_mut().zip([15_000_000, 16_000_000]) {
                if cluster.now_us() < until_us {
                    *ticks = stats.frames + stats.stalled_frames;
                }
            }
            if let Some((_, is_asleep)) = wakes.next_if(|(at_us, _)| cluster.now_us() >= *at_us) {
                cluster.set_asleep(asleep, is_asleep);
            }
            cluster.advance().unwrap();
            for (before, node) in before.iter_mut().zip(cluster.nodes()) {
                let Some(session) = node.peer.session() else { continue };
                let now = (session.stats().frames, session.stats().resimulated_frames);
                let simulated = now.0 - before.0 + now.1 - before.1;
                assert!(simulated <= most && now.0 - before.0 <= 1, "peer {asleep} slept, {simulated} frames in a tick");
                seen = seen.max(simulated);
                *before = now;
            }
        }
        // In the second after it woke it ticked no more often than in any other.
        let [woken, later] = ticks;
        assert!((55..=61).contains(&(later - woken)), "{ticks:?}");
        assert!(seen > 4, "there was something to correct");
        assert_eq!(cluster.judge().confirmed_by_all(), Frame::new(1_799));
        // Thirty seconds of match and five of sleep: nothing was played in fast motion.
        assert!((35_000_000..36_500_000).contains(&cluster.now_us()), "{}", cluster.now_us());
    }
}

/// Longer than the others wait: a typed end on both sides.
#[test]
fn a_peer_that_is_suspended_for_too_long_is_lost_by_a_type() {
    let mut cluster = cluster(&settings(2, 3_600));
    cluster.run_until(5_000_000).unwrap();
    cluster.set_asleep(1, true);
    cluster.run_until(17_000_000).unwrap();
    cluster.set_asleep(1, false);
    cluster.run_until(40_000_000).unwrap();
    let outcomes: Vec<&Outcome> = cluster.nodes().iter().map(|node| node.peer.outcome().unwrap()).collect();
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Outcome::Lost { .. } | Outcome::Abandoned { .. })), "{outcomes:?}");
}
