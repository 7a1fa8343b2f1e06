//! What a query against the past costs beside what one would write first, and what a tick costs to
//! record. `cargo bench -p snapback-rewind`, or with `-- --quick` fewer rounds.
//!
//! 64 ticks, one hitbox on 25 m², half of them capsules that turn; a ball of 10 cm flies 2 m or 100 m at a random
//! time. *Aimed*: at where somebody was. Both sides are measured in turn, round by round, and the median
//! of the rounds' ratios counts. Both are asked through their public calls: a query here finds its time,
//! asks the default filter and counts.
//!
//! What one would write first is `rings.rs`, which looks for the frames around a time in each ring; *found once*: in
//! one ring for all. Notes go to stderr; the lines that begin with `figure` are for programs.

#![allow(clippy::unwrap_used, clippy::float_arithmetic, reason = "a benchmark measures, and fails by panicking")]
#![allow(clippy::disallowed_types, reason = "a benchmark owns the clock")]
#![allow(clippy::cast_precision_loss, missing_docs, unreachable_pub, reason = "a benchmark is read as a whole")]

#[path = "../../tests/counting/mod.rs"]
mod counting;
mod measure;
mod rings;
mod scene;

use measure::{figure, median, timed};
use rings::Rings;
use scene::{Crowd, START_US, TICK_US, TICKS};
use snapback_rewind::{Cadence, Cast, Point, QueryFilter, RewindCounters, RewindHistory, Sweep, TooOld, units};
use std::hint::black_box;

/// How long a side is measured in a round.
struct Effort {
    rounds: usize,
    theirs_per_round: usize,
    ours_per_round: usize,
}

/// Median times of both, and of the ratio of rounds that lie side by side.
fn beside(effort: &Effort, theirs: &mut dyn FnMut(usize), ours: &mut dyn FnMut(usize)) -> (f64, f64, f64) {
    let mut rounds: [Vec<f64>; 3] = Default::default();
    for round in 0..effort.rounds {
        let their_time = timed(effort.theirs_per_round, |at| theirs(round * effort.theirs_per_round + at));
        // First once unmeasured: their megabytes drove ours out of the caches, and come without being asked twice.
        timed(effort.ours_per_round, &mut *ours);
        let our_time = timed(effort.ours_per_round, &mut *ours);
        rounds[0].push(their_time);
        rounds[1].push(our_time);
        rounds[2].push(their_time / our_time);
    }
    let [their_times, our_times, ratios] = rounds;
    (median(their_times), median(our_times), median(ratios))
}

fn main() {
    let asked = |option: &str| std::env::args().any(|argument| argument == option);
    // `cargo bench` passes --bench; `cargo test --all-targets` does not, and only wants to see it run.
    let (rounds, sizes): (usize, &[usize]) = if !asked("--bench") {
        (3, &[1_000])
    } else if asked("--quick") {
        (31, &[1_000, 10_000])
    } else {
        (151, &[1_000, 10_000])
    };
    for &hitboxes in sizes {
        let mut crowd = Crowd::new(hitboxes, Cadence::EveryServerTick);
        let mut rings = Rings::default();
        let history = scene::record(&mut crowd, |crowd, time_us| rings.record(crowd, time_us, TICKS as usize));
        let size = format!("{}k", hitboxes / 1_000);
        let effort = Effort { rounds, theirs_per_round: 16_000 / hitboxes, ours_per_round: 1_024 };
        for (metres, is_aimed) in [(2, false), (2, true), (100, false), (100, true)] {
            let kind = format!("{size}_{metres}m{}", if is_aimed { "_aimed" } else { "" });
            casts(&kind, &effort, &history, &rings, &mut crowd, metres, is_aimed);
        }
        if hitboxes == 1_000 {
            catch_ups(&effort, &history, &rings, &mut crowd);
        }
        records(&size, rounds, hitboxes);
    }
    allocations();
}

fn casts(kind: &str, effort: &Effort, history: &RewindHistory, rings: &Rings, crowd: &mut Crowd, metres: i32, is_aimed: bool) {
    let queries: Vec<(Cast, u64)> = (0..1_024).map(|_| crowd.query(metres, is_aimed)).collect();
    let filter = QueryFilter::default();
    let mut counters = RewindCounters::default();
    let mut ask = |at: usize| {
        let (cast, time_us) = &queries[at % queries.len()];
        history.at(*time_us, &mut counters).unwrap().cast(cast, &filter, &mut counters).unwrap()
    };
    let ask_rings = |at: usize| {
        let (cast, time_us) = &queries[at % queries.len()];
        rings.cast(cast.from, cast.to, metres_of(cast.radius_units), *time_us)
    };
    // The same answers, but for what floats see otherwise and the fastest turns.
    let (checked, mut hits, mut differ) = (256, 0, 0);
    for at in 0..checked {
        let (ours, theirs) = (ask(at).map(|hit| hit.hitbox.index() as usize), ask_rings(at).map(|(_, number)| number));
        hits += usize::from(ours.is_some());
        differ += usize::from(ours != theirs);
    }
    assert!(differ * 50 <= checked, "{differ} of {checked} answers differ");
    let mut theirs = |at: usize| {
        black_box(ask_rings(at));
    };
    let mut ours = |at: usize| {
        black_box(ask(at));
    };
    let (their_ns, our_ns, ratio) = beside(effort, &mut theirs, &mut ours);
    eprintln!("{kind}: {hits} of {checked} hit, {differ} differ");
    figure(&format!("rewind_ns_{kind}"), our_ns, "ns");
    figure(&format!("rings_ns_{kind}"), their_ns, "ns");
    figure(&format!("rewind_ratio_rings_{kind}"), ratio, "ratio");
    let mut found_once = |at: usize| {
        let (cast, time_us) = &queries[at % queries.len()];
        black_box(rings.cast_found_once(cast.from, cast.to, metres_of(cast.radius_units), *time_us));
    };
    let (their_ns, _, ratio) = beside(effort, &mut found_once, &mut ours);
    figure(&format!("rings_found_once_ns_{kind}"), their_ns, "ns");
    figure(&format!("rewind_ratio_rings_found_once_{kind}"), ratio, "ratio");
}

fn metres_of(units: i32) -> f32 {
    units as f32 / units::UNITS_PER_METRE as f32
}

/// Eight steps of 2 m over 250 ms, targets moving: some 22 pieces between ticks.
fn catch_ups(effort: &Effort, history: &RewindHistory, rings: &Rings, crowd: &mut Crowd) {
    const STEPS: u64 = 8;
    let end_us = START_US + TICK_US * (TICKS - 1);
    let shots: Vec<Vec<Sweep>> = (0..1_024)
        .map(|_| {
            let (cast, _) = crowd.query(16, false);
            let begin_us = end_us - 250_000 - u64::from(crowd.within(0, 500_000) as u32);
            let (from, to) = (cast.from.to_array(), cast.to.to_array());
            let at = |step: u64| {
                let part = |axis: usize| from[axis] + ((i64::from(to[axis] - from[axis]) * step as i64) / STEPS as i64) as i32;
                Point::from_array([part(0), part(1), part(2)])
            };
            let time_us = |step: u64| begin_us + 250_000 * step / STEPS;
            (0..STEPS)
                .map(|step| Sweep {
                    from: at(step),
                    to: at(step + 1),
                    radius_units: cast.radius_units,
                    from_us: time_us(step),
                    to_us: time_us(step + 1),
                    too_old: TooOld::Fail,
                })
                .collect()
        })
        .collect();
    let filter = QueryFilter::default();
    let mut counters = RewindCounters::default();
    let mut ask = |at: usize| shots[at % shots.len()].iter().find_map(|sweep| history.sweep(sweep, &filter, &mut counters).unwrap());
    let ask_rings = |at: usize| {
        shots[at % shots.len()].iter().find_map(|sweep| {
            let (mut from, mut from_us) = (sweep.from, sweep.from_us);
            while from_us < sweep.to_us {
                let next_us = START_US + ((from_us - START_US) / TICK_US + 1) * TICK_US;
                let to_us = next_us.min(sweep.to_us);
                let part =
                    |a: i32, b: i32| a + (i64::from(b - a) * (to_us - sweep.from_us) as i64 / (sweep.to_us - sweep.from_us) as i64) as i32;
                let to = Point { x: part(sweep.from.x, sweep.to.x), y: part(sweep.from.y, sweep.to.y), z: part(sweep.from.z, sweep.to.z) };
                let hit = rings.sweep(from, to, metres_of(sweep.radius_units), from_us, to_us);
                if hit.is_some() {
                    return hit;
                }
                (from, from_us) = (to, to_us);
            }
            None
        })
    };
    let (checked, mut differ) = (100, 0);
    for at in 0..checked {
        let (ours, theirs) = (ask(at).map(|hit| hit.hitbox.index() as usize), ask_rings(at).map(|(_, number)| number));
        differ += usize::from(ours != theirs);
    }
    assert!(differ * 50 <= checked, "{differ} of {checked} answers differ");
    let effort = Effort { rounds: effort.rounds, theirs_per_round: 2, ours_per_round: 128 };
    let mut theirs = |at: usize| {
        black_box(ask_rings(at));
    };
    let mut ours = |at: usize| {
        black_box(ask(at));
    };
    let (their_ns, our_ns, ratio) = beside(&effort, &mut theirs, &mut ours);
    figure("catchup_ns", our_ns, "ns");
    figure("catchup_ns_rings", their_ns, "ns");
    figure("catchup_ratio_rings", ratio, "ratio");
    let pieces = counters.pieces as f64 / (counters.queries as f64 / STEPS as f64);
    eprintln!("catch-up: {pieces:.1} pieces for each {STEPS} queries, {differ} of {checked} differ");
}

/// A tick of everyone: sampled each time; at 20 samples a second, where the poses between two samples change when the
/// later one is known; and in bodies of 16.
fn records(size: &str, rounds: usize, hitboxes: usize) {
    let crowds = [
        ("", Crowd::new(hitboxes, Cadence::EveryServerTick)),
        ("_slow", Crowd::new(hitboxes, Cadence::FixedHz { hz: 20 })),
        ("_bodies", Crowd::of_bodies(hitboxes)),
    ];
    for (kind, mut crowd) in crowds {
        let mut history = scene::record(&mut crowd, |_, _| {});
        let mut now_us = START_US + TICK_US * TICKS;
        let times = (0..rounds * 3).map(|_| {
            crowd.walk();
            now_us += TICK_US;
            timed(1, |_| {
                black_box(history.record_tick(now_us, &mut crowd).unwrap());
            })
        });
        figure(&format!("record_us_{size}{kind}"), median(times.collect()) / 1_000.0, "us");
    }
}

/// Everything that a running server does: registering, recording, asking, unregistering.
fn allocations() {
    let mut crowd = Crowd::new(1_000, Cadence::EveryServerTick);
    let mut history = scene::record(&mut crowd, |_, _| {});
    let queries: Vec<(Cast, u64)> = (0..1_000).map(|at| crowd.query(if at % 2 == 0 { 2 } else { 100 }, at % 3 == 0)).collect();
    let (filter, mut counters) = (QueryFilter::default(), RewindCounters::default());
    let before = counting::so_far();
    for (cast, time_us) in &queries {
        black_box(history.at(*time_us, &mut counters).unwrap().cast(cast, &filter, &mut counters).unwrap());
    }
    for tick in 0..100 {
        let leaver = history.find(crowd.walkers[tick].desc.actor, crowd.walkers[tick].desc.component, crowd.walkers[tick].desc.name);
        history.unregister(leaver.unwrap());
        history.record_tick(START_US + TICK_US * (TICKS + tick as u64), &mut crowd).unwrap();
        history.register(crowd.walkers[tick].desc, crowd.walkers[tick].sample).unwrap();
    }
    let allocated = counting::so_far() - before;
    figure("rewind_allocs_per_query", allocated as f64 / queries.len() as f64, "allocs");
}
