//! What a frame costs in Snapback, in ggrs and in its fork fortress-rollback: time, allocations, bytes and
//! packets; and what a sync test costs beside the work that none can do without.
//!
//! `cargo bench -p snapback-peers` takes about half a minute, `-- --quick` a few seconds. Progress
//! goes to stderr; the lines that begin with `figure` are for programs. How the comparison is kept
//! fair stands in `src/lib.rs`.

#![allow(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "means and ratios are printed, nothing is simulated with them")]

use snapback_peers::counting_alloc::allocations;
use snapback_peers::fortress::FortressMatch;
use snapback_peers::ours::OurMatch;
use snapback_peers::over_sockets::SocketMatch;
use snapback_peers::pad::{holding, restless};
use snapback_peers::security::encrypted;
use snapback_peers::sync_tests::{Fortress, Ggrs, Ideal, Ours};
use snapback_peers::theirs::{Polling, TheirMatch};
use snapback_peers::tick_us;
use snapback_peers::wire::WireCount;
use std::hint::black_box;
use std::time::Duration;

/// Time and allocations are measured in plaintext, at this delay, with inputs that change at every frame: each
/// peer corrects five frames at every frame.
const CPU_DELAY_TICKS: u64 = 5;

/// The wire is measured at 60 ms of round trip.
const WIRE_ONE_WAY_US: u64 = 30_000;

/// Ticks before anything is measured: start, first allocations, first acknowledgements.
const WARM_UP_TICKS: u64 = 600;

/// Rounds are shorter than the slices in which a busy machine shares its processors, so that most of them
/// are not interrupted, and the median is one of those.
struct Effort {
    rounds: usize,
    sync_rounds: usize,
    sync_ticks_per_round: u64,
    ticks_per_round: u64,
    counted_ticks: u64,
    /// ggrs's quality reports are due by the wall clock, so its wire runs in real time.
    real_time_ticks: u64,
}

const FULL: Effort = Effort {
    rounds: 8_000,
    sync_rounds: 2_000,
    sync_ticks_per_round: 50,
    ticks_per_round: 100,
    counted_ticks: 20_000,
    real_time_ticks: 900,
};
const QUICK: Effort =
    Effort { rounds: 800, sync_rounds: 200, sync_ticks_per_round: 50, ticks_per_round: 100, counted_ticks: 2_000, real_time_ticks: 120 };

fn main() {
    let asked = |option: &str| std::env::args().any(|argument| argument == option);
    // `cargo bench` passes --bench; `cargo test --all-targets` does not, and only wants to see it run.
    let quick = asked("--quick") || !asked("--bench");
    let effort = if quick { QUICK } else { FULL };
    time(&effort);
    sync_test::<128>("1k", &effort);
    sync_test::<2048>("16k", &effort);
    count_allocations(&effort);
    wire(&effort);
}

fn figure(name: &str, value: f64, unit: &str) {
    println!("figure {name} {value:.3} {unit}");
}

fn time(effort: &Effort) {
    let delay_us = tick_us(CPU_DELAY_TICKS);
    let mut ours = OurMatch::start(delay_us, restless);
    let mut documented = TheirMatch::start(delay_us, restless, Polling::Documented);
    let mut once = TheirMatch::start(delay_us, restless, Polling::Once);
    let mut fortress = FortressMatch::start(delay_us, restless);
    for _ in 0..WARM_UP_TICKS {
        ours.tick();
        documented.tick();
        once.tick();
        fortress.tick();
    }
    eprintln!("time: {} rounds of {} frames each", effort.rounds, effort.ticks_per_round);
    let before = [ours.steps(), documented.steps(), fortress.steps()].map(sum);
    let mut ns: [Vec<f64>; 4] = Default::default();
    for _ in 0..effort.rounds {
        // Side by side, so that a busy moment of the machine falls on all of them.
        let round = [
            ns_per_frame(effort.ticks_per_round, || ours.tick()),
            ns_per_frame(effort.ticks_per_round, || documented.tick()),
            ns_per_frame(effort.ticks_per_round, || once.tick()),
            ns_per_frame(effort.ticks_per_round, || fortress.tick()),
        ];
        for (all, one) in ns.iter_mut().zip(round) {
            all.push(one);
        }
    }
    let frames = (effort.rounds as u64 * effort.ticks_per_round * 2) as f64;
    let after = [ours.steps(), documented.steps(), fortress.steps()].map(sum);
    let steps: [f64; 3] = core::array::from_fn(|at| (after[at] - before[at]) as f64 / frames);
    eprintln!("steps of the game per frame: {:.2} ours, {:.2} ggrs, {:.2} fortress-rollback", steps[0], steps[1], steps[2]);
    assert!(steps.iter().all(|theirs| (steps[0] - theirs).abs() < 0.1), "the three did not do the same work");
    // On a busy machine the medians favour whoever allocates less; the fastest rounds are the quiet ones.
    let [our_fastest, their_fastest, _, fortress_fastest] = ns.each_ref().map(|all| fastest(all));
    let [ours, documented, once, fortress] = ns.map(median);
    figure("session_ns", ours, "ns");
    figure("ggrs_session_ns", documented, "ns");
    figure("ggrs_session_ns_polled_once", once, "ns");
    figure("fortress_session_ns", fortress, "ns");
    figure("session_ns_ratio_vs_ggrs", ours / documented, "ratio");
    figure("session_ns_ratio_vs_fortress", ours / fortress, "ratio");
    figure("session_ns_fastest_rounds", our_fastest, "ns");
    figure("session_ns_ratio_vs_ggrs_fastest_rounds", our_fastest / their_fastest, "ratio");
    figure("session_ns_ratio_vs_fortress_fastest_rounds", our_fastest / fortress_fastest, "ratio");
}

/// A sync test with a state of eight times `WORDS` bytes. What is ideal stands in `src/sync_tests.rs`.
fn sync_test<const WORDS: usize>(size: &str, effort: &Effort) {
    let (mut ideal, mut ours) = (Ideal::<WORDS>::default(), Ours::<WORDS>::default());
    let (mut ggrs, mut bare_ggrs) = (Ggrs::<WORDS>::new(true), Ggrs::<WORDS>::new(false));
    let (mut fortress, mut bare_fortress) = (Fortress::<WORDS>::new(true), Fortress::<WORDS>::new(false));
    eprintln!("sync test: {} rounds of {} frames each, {size}", effort.sync_rounds, effort.sync_ticks_per_round);
    let mut ns: [Vec<f64>; 6] = Default::default();
    let ticks = effort.sync_ticks_per_round;
    for _ in 0..effort.sync_rounds {
        // There is one peer in a sync test.
        let round = [
            2.0 * ns_per_frame(ticks, || ideal.tick()),
            2.0 * ns_per_frame(ticks, || ours.tick()),
            2.0 * ns_per_frame(ticks, || ggrs.tick()),
            2.0 * ns_per_frame(ticks, || bare_ggrs.tick()),
            2.0 * ns_per_frame(ticks, || fortress.tick()),
            2.0 * ns_per_frame(ticks, || bare_fortress.tick()),
        ];
        for (all, one) in ns.iter_mut().zip(round) {
            all.push(one);
        }
    }
    let [ideal, ours, ggrs, bare_ggrs, fortress, bare_fortress] = ns.map(median);
    figure(&format!("synctest_{size}_ideal_ns"), ideal, "ns");
    figure(&format!("synctest_{size}_ratio_vs_ideal"), ours / ideal, "ratio");
    figure(&format!("ggrs_synctest_{size}_ratio_vs_ideal"), ggrs / ideal, "ratio");
    figure(&format!("ggrs_synctest_{size}_ratio_vs_ideal_without_checksums"), bare_ggrs / ideal, "ratio");
    figure(&format!("fortress_synctest_{size}_ratio_vs_ideal"), fortress / ideal, "ratio");
    figure(&format!("fortress_synctest_{size}_ratio_vs_ideal_without_checksums"), bare_fortress / ideal, "ratio");
}

/// Nanoseconds per frame and peer of a tick that both peers make.
#[expect(clippy::disallowed_types, reason = "a benchmark reads the clock")]
fn ns_per_frame<T>(ticks: u64, mut tick: impl FnMut() -> T) -> f64 {
    let start = std::time::Instant::now();
    for _ in 0..ticks {
        black_box(tick());
    }
    start.elapsed().as_nanos() as f64 / (2 * ticks) as f64
}

fn count_allocations(effort: &Effort) {
    let delay_us = tick_us(CPU_DELAY_TICKS);
    let mut ours = OurMatch::start(delay_us, restless);
    let mut theirs = TheirMatch::start(delay_us, restless, Polling::Documented);
    let mut fortress = FortressMatch::start(delay_us, restless);
    for _ in 0..WARM_UP_TICKS {
        ours.tick();
        theirs.tick();
        fortress.tick();
    }
    eprintln!("allocations: {} frames each", effort.counted_ticks);
    let frames = (2 * effort.counted_ticks) as f64;
    let ours = allocations(|| {
        for _ in 0..effort.counted_ticks {
            ours.tick();
        }
    });
    let theirs = allocations(|| {
        for _ in 0..effort.counted_ticks {
            theirs.tick();
        }
    });
    figure("session_allocs_per_frame", ours as f64 / frames, "allocations");
    let fortress = allocations(|| {
        for _ in 0..effort.counted_ticks {
            fortress.tick();
        }
    });
    figure("ggrs_allocs_per_frame", theirs as f64 / frames, "allocations");
    figure("fortress_allocs_per_frame", fortress as f64 / frames, "allocations");
}

/// Ours is the encrypted match over real sockets, counted by a proxy between them; beside it what the
/// same match is in plaintext. ggrs's is plaintext, counted where its socket would be.
fn wire(effort: &Effort) {
    let mut ours = SocketMatch::start(encrypted(), WIRE_ONE_WAY_US, holding);
    let mut plain = OurMatch::start(WIRE_ONE_WAY_US, holding);
    let mut theirs = TheirMatch::start(WIRE_ONE_WAY_US, holding, Polling::Documented);
    for _ in 0..WARM_UP_TICKS {
        ours.tick();
        plain.tick();
    }
    ours.proxy_mut().reset_counts();
    plain.link().reset_counts();
    for _ in 0..effort.counted_ticks {
        ours.tick();
        plain.tick();
    }
    eprintln!("wire: {} frames of ggrs in real time", effort.real_time_ticks);
    // A second, so that its quality reports have found their rhythm.
    in_real_time(60, &mut theirs);
    theirs.link().reset_counts();
    in_real_time(effort.real_time_ticks, &mut theirs);

    let ours = PerFrame::of(WireCount::sum(ours.proxy_mut().sent()), effort.counted_ticks);
    let plain = PerFrame::of(WireCount::sum(plain.link().sent()), effort.counted_ticks);
    let theirs = PerFrame::of(WireCount::sum(theirs.link().sent()), effort.real_time_ticks);
    figure("wire_bytes_per_frame", ours.bytes, "bytes");
    figure("wire_packets_per_frame", ours.packets, "packets");
    figure("wire_bytes_per_frame_plaintext", plain.bytes, "bytes");
    figure("ggrs_wire_bytes_per_frame", theirs.bytes, "bytes");
    figure("ggrs_wire_packets_per_frame", theirs.packets, "packets");
    figure("wire_bytes_ratio_vs_ggrs", ours.bytes / theirs.bytes, "ratio");
}

/// Ticks 60 times a second, without drifting.
#[expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "ggrs reads the wall clock, so its wire is measured in real time")]
fn in_real_time(ticks: u64, theirs: &mut TheirMatch) {
    let start = std::time::Instant::now();
    for n in 0..ticks {
        let due = start + Duration::from_micros(tick_us(n));
        std::thread::sleep(due.saturating_duration_since(std::time::Instant::now()));
        theirs.tick();
    }
}

struct PerFrame {
    packets: f64,
    bytes: f64,
}

impl PerFrame {
    /// Per peer and frame, of what both peers sent in `ticks` frames.
    fn of(sent: WireCount, ticks: u64) -> Self {
        let frames = (2 * ticks) as f64;
        Self { packets: sent.packets as f64 / frames, bytes: sent.bytes as f64 / frames }
    }
}

fn sum(both: [u64; 2]) -> u64 {
    both[0] + both[1]
}

fn fastest(all: &[f64]) -> f64 {
    all.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
