//! Whose fault a frozen tick is, on links and with programs where that is known.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback::sim::{PadInput, World};
use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::*;
use snapback_harness::plan::world_cluster;
use snapback_harness::{Cluster, ClusterSettings};

/// Thirty seconds.
const FRAMES: u32 = 1_800;

/// The link is clean until then, so that everybody is there.
const TROUBLE_US: u64 = 3_000_000;

/// Half of every three seconds has trouble of the given length.
fn in_trouble(now_us: u64, trouble_us: u64) -> bool {
    now_us >= TROUBLE_US && now_us % 3_000_000 < trouble_us
}

/// What happens to the two peers. We are peer 0.
struct Scene {
    name: &'static str,
    cause: StallCause,
    way_us: u64,
    change: fn(&mut ClusterSettings),
    begin: fn(&mut Cluster<World>, LinkSettings),
    /// Called before anything happens, with a number of its own.
    step: fn(&mut Cluster<World>, &mut u64),
}

impl Scene {
    const fn new(name: &'static str, cause: StallCause) -> Self {
        Self { name, cause, way_us: 40_000, change: |_| {}, begin: |_, _| {}, step: |_, _| {} }
    }
}

fn dark(cluster: &mut Cluster<World>, us: u64, directions: [bool; 2]) {
    cluster.set_filter(move |passing| !(in_trouble(passing.now_us, us) && directions.get(passing.from) == Some(&true)));
}

fn scenes() -> Vec<Scene> {
    vec![
        Scene {
            begin: |cluster, link| cluster.set_link(1, 0, LinkSettings { loss: Loss::Independent { per_million: 800_000 }, ..link }),
            ..Scene::new("80 % of theirs are lost", StallCause::TheirLoss)
        },
        Scene {
            begin: |cluster, link| cluster.set_link(1, 0, LinkSettings { loss: Loss::bursts(200_000, 8), ..link }),
            ..Scene::new("theirs are lost in bursts", StallCause::TheirLoss)
        },
        Scene { begin: |cluster, _| dark(cluster, 500_000, [false, true]), ..Scene::new("one way is dark, theirs", StallCause::TheirLoss) },
        Scene { begin: |cluster, _| dark(cluster, 700_000, [true, false]), ..Scene::new("one way is dark, ours", StallCause::OurLoss) },
        Scene {
            change: |settings| settings.peers[1].rate_millihertz = Some(50_000),
            ..Scene::new("they play at 50 frames a second", StallCause::TheirSlowness)
        },
        Scene {
            change: |settings| settings.peers[1].rate_millihertz = Some(30_000),
            ..Scene::new("they play at 30 frames a second", StallCause::TheirSlowness)
        },
        Scene {
            step: |cluster, _| cluster.set_asleep(1, in_trouble(cluster.now_us(), 700_000)),
            ..Scene::new("they are suspended", StallCause::TheirSlowness)
        },
        Scene {
            step: |cluster, was_asleep| {
                let is_asleep = in_trouble(cluster.now_us(), 300_000);
                cluster.set_asleep(0, is_asleep);
                // It ticks before it looks at what has come.
                if core::mem::replace(was_asleep, is_asleep.into()) > u64::from(is_asleep) {
                    tick(cluster, 18);
                }
            },
            ..Scene::new("we are suspended and make up for it", StallCause::OurSlowness)
        },
        Scene {
            step: |cluster, burst| {
                let half_second = cluster.now_us() / 500_000;
                if half_second > core::mem::replace(burst, half_second) && cluster.now_us() > TROUBLE_US {
                    tick(cluster, 12);
                }
            },
            ..Scene::new("we tick in bursts", StallCause::OurSlowness)
        },
        Scene { way_us: 180_000, ..Scene::new("the way is longer than the window", StallCause::Link) },
        Scene {
            begin: |cluster, link| {
                for (from, to) in [(0, 1), (1, 0)] {
                    cluster.set_link(from, to, LinkSettings { delay_us: 110_000, jitter_us: 60_000, ..link });
                }
            },
            ..Scene::new("jitter of 60 ms on 110", StallCause::Link)
        },
        Scene { begin: |cluster, _| dark(cluster, 600_000, [true, true]), ..Scene::new("both ways are dark", StallCause::Link) },
        Scene {
            begin: |cluster, _| dark(cluster, 1_500_000, [true, true]),
            ..Scene::new("both ways are dark for longer", StallCause::Link)
        },
    ]
}

/// So many ticks of ours at once.
fn tick(cluster: &mut Cluster<World>, ticks: u32) {
    let now_us = cluster.now_us();
    let node = &mut cluster.nodes_mut()[0];
    let local_us = now_us + node.clock_offset_us();
    let player = node.peer.session().unwrap().settings().local_players.iter().next().unwrap();
    for _ in 0..ticks {
        let report = node.peer.tick(local_us, &[LocalInput::new(player, PadInput::new(0))]).unwrap();
        if report.simulation_frozen {
            node.last_report = Some(report);
        }
    }
}

/// What we blame, at once and in the end.
struct Blamed {
    at_once: Vec<(StallCause, u64)>,
    settled: StallStats,
    stalled: u64,
}

fn play(scene: &Scene, seed: u64) -> Blamed {
    let link = LinkSettings { delay_us: scene.way_us, ..LinkSettings::default() };
    let mut settings = ClusterSettings { link, ..ClusterSettings::new(seed, 2, FRAMES) };
    (scene.change)(&mut settings);
    let mut cluster = world_cluster(&settings).unwrap();
    let mut at_once: Vec<(StallCause, u64)> = StallCause::ALL.iter().map(|cause| (*cause, 0)).collect();
    let (mut has_begun, mut before, mut own) = (false, 0, 0);
    while !cluster.is_over() && cluster.now_us() < 200_000_000 {
        if !has_begun && cluster.now_us() >= TROUBLE_US {
            has_begun = true;
            (scene.begin)(&mut cluster, link);
        }
        (scene.step)(&mut cluster, &mut own);
        cluster.advance().unwrap();
        let node = &cluster.nodes()[0];
        let stalled = node.peer.session().map_or(0, |session| session.stats().stalled_frames);
        if stalled > before {
            // Of a burst only the last tick is seen, and a tick that plays may have followed.
            let cause = node.last_report.unwrap().stall;
            assert!(cause.is_some() || scene.cause == StallCause::OurSlowness, "{}: a frozen tick without a cause", scene.name);
            at_once.iter_mut().filter(|(other, _)| Some(*other) == cause).for_each(|(_, count)| *count += stalled - before);
            before = stalled;
        }
    }
    assert_eq!(cluster.judge().confirmed_by_all(), settings.last_frame, "{}", scene.name);
    let peer = &cluster.nodes()[0].peer;
    Blamed { at_once, settled: *peer.stalls(), stalled: peer.session().unwrap().stats().stalled_frames }
}

fn shares(counts: impl Iterator<Item = (StallCause, u64)>) -> String {
    counts.filter(|(_, count)| *count > 0).map(|(cause, count)| format!("{cause} {count}")).collect::<Vec<_>>().join(", ")
}

/// `cargo test -p snapback-tests --test stalls -- --nocapture` prints the shares. Whatever nobody can know
/// while nothing comes is known once something has.
#[test]
fn most_frozen_ticks_are_blamed_on_who_is_to_blame() {
    let mut wrong = Vec::new();
    for scene in scenes() {
        let (mut right, mut all) = (0, 0);
        let mut told = StallStats::default();
        let mut at_once = vec![0; StallCause::ALL.len()];
        for seed in 0..3 {
            let blamed = play(&scene, seed);
            assert_eq!(blamed.settled.total(), blamed.stalled, "{}, seed {seed}: every frozen tick has one cause", scene.name);
            right += blamed.settled.of(scene.cause);
            all += blamed.stalled;
            told = blamed.settled;
            at_once.iter_mut().zip(&blamed.at_once).for_each(|(sum, (_, count))| *sum += count);
        }
        let at_once = shares(StallCause::ALL.into_iter().zip(at_once));
        let percent = 100 * right / all.max(1);
        println!(
            "{}: {percent} % of {all} on {} in the end; the last match: {}; at once: {at_once}",
            scene.name,
            scene.cause,
            shares(told.iter())
        );
        if percent < 80 || all < 30 {
            wrong.push(scene.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
