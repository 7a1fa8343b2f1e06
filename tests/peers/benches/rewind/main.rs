//! A query against the past beside parry3d with a BVH for each pair of ticks, and recording a tick beside building
//! such a BVH. `cargo bench -p snapback-peers --bench rewind`, or with `-- --quick` fewer rounds.
//!
//! The scene is that of `cargo bench -p snapback-rewind`: 64 ticks, one hitbox on 25 m², a ball of 10 cm that flies 2 m or
//! 100 m at a random time; *aimed*: at where somebody was; *bodies*: 16 hitboxes walk together. Ours is asked through
//! the public `Past::cast` (the default filter is asked, everything counted) and answers exactly, in integers; theirs
//! stands in `bvh.rs` and knows no filter. On both sides the times were found before. In each round both answer the same
//! questions; the median of the rounds' ratios counts. The lines that begin with `figure` are for programs.

#![allow(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a benchmark measures, and fails by panicking"
)]
#![allow(clippy::disallowed_types, reason = "a benchmark owns the clock")]
#![allow(missing_docs, unreachable_pub, dead_code, reason = "a benchmark is read as a whole, and shares its scene")]

mod bvh;
#[path = "../../../../sim/rewind/benches/rewind/measure.rs"]
mod measure;
#[path = "../../../../sim/rewind/benches/rewind/scene.rs"]
mod scene;

use bvh::BvhHistory;
use measure::{figure, median, timed};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use scene::{Crowd, START_US, TICK_US, TICKS};
use snapback_rewind::{Cadence, Cast, Past, QueryFilter, RewindCounters, RewindHistory, units};
use std::hint::black_box;

const RADIUS: f32 = (units::UNITS_PER_METRE / 10) as f32 / units::UNITS_PER_METRE as f32;
const QUERIES: usize = 1_024;

struct Scene {
    crowd: Crowd,
    history: RewindHistory,
    /// Binned, PLOC, and binned with boxes that are greater by the radius.
    trees: [BvhHistory; 3],
}

impl Scene {
    fn new(mut crowd: Crowd) -> Self {
        let mut frames = Vec::new();
        let history = scene::record(&mut crowd, |crowd, _| frames.push(bvh::frames(crowd)));
        let kinds = [(0.0, BvhBuildStrategy::Binned), (0.0, BvhBuildStrategy::Ploc), (RADIUS, BvhBuildStrategy::Binned)];
        let trees = kinds.map(|(radius, strategy)| BvhHistory::new(frames.clone(), radius, strategy));
        Self { crowd, history, trees }
    }

    /// Their time over ours.
    fn ratio(&mut self, rounds: usize, kind: &str, metres: i32, is_aimed: bool) -> f64 {
        let queries: Vec<(Cast, u64)> = (0..QUERIES).map(|_| self.crowd.query(metres, is_aimed)).collect();
        let (filter, mut counters) = (QueryFilter::default(), RewindCounters::default());
        let pasts: Vec<Past<'_>> = queries.iter().map(|(_, time_us)| self.history.at(*time_us, &mut counters).unwrap()).collect();
        let times: Vec<_> = queries.iter().map(|(_, time_us)| BvhHistory::time(*time_us)).collect();
        let mut ask = |at: usize| pasts[at].cast(&queries[at].0, &filter, &mut counters).unwrap();
        let ask_tree = |tree: usize, at: usize| {
            let cast = &queries[at].0;
            self.trees[tree].cast(cast.from, cast.to, cast.radius_units as f32 / units::UNITS_PER_METRE as f32, times[at])
        };
        let ask_one_radius = |at: usize| self.trees[2].cast_one_radius(queries[at].0.from, queries[at].0.to, times[at]);
        let mut hits = 0;
        let differ = (0..QUERIES)
            .filter(|&at| {
                let ours = ask(at).map(|hit| hit.hitbox.index());
                hits += usize::from(ours.is_some());
                ours != ask_tree(0, at).map(|(leaf, _)| leaf)
            })
            .count();
        assert!(differ * 25 <= QUERIES, "{differ} of {QUERIES} answers differ");
        let mut measured: [Vec<f64>; 4] = Default::default();
        let mut ratios: [Vec<f64>; 3] = Default::default();
        for _ in 0..rounds {
            // First once unmeasured, so that neither side pays for what the other one drove out of the caches.
            let ours = twice(|at| {
                black_box(ask(at));
            });
            let trees = [0, 1].map(|tree| {
                twice(|at| {
                    black_box(ask_tree(tree, at));
                })
            });
            let one_radius = twice(|at| {
                black_box(ask_one_radius(at));
            });
            for (measured, time) in measured.iter_mut().zip([ours, trees[0], trees[1], one_radius]) {
                measured.push(time);
            }
            for (ratios, time) in ratios.iter_mut().zip([trees[0], trees[1], one_radius]) {
                ratios.push(time / ours);
            }
        }
        let [ours, binned, ploc, one_radius] = measured.map(median);
        let [to_binned, to_ploc, to_one_radius] = ratios.map(median);
        let ratio = to_binned.min(to_ploc);
        eprintln!(
            "{kind}: {ours:.0} ns, BVH {binned:.0} ns binned, {ploc:.0} ns PLOC: {ratio:.2}; {hits} hit, {differ} differ of {QUERIES}"
        );
        eprintln!("    a BVH for this radius only: {one_radius:.0} ns, {to_one_radius:.2}");
        ratio
    }
}

fn twice(mut call: impl FnMut(usize)) -> f64 {
    timed(QUERIES, &mut call);
    timed(QUERIES, &mut call)
}

fn main() {
    let asked = |option: &str| std::env::args().any(|argument| argument == option);
    // `cargo bench` passes --bench; `cargo test --all-targets` does not, and only wants to see it run.
    let (rounds, sizes): (usize, &[usize]) = if !asked("--bench") {
        (3, &[1_000])
    } else if asked("--quick") {
        (41, &[1_000, 10_000])
    } else {
        (301, &[1_000, 10_000])
    };
    let rows = [("2m", 2, false), ("100m", 100, false), ("2m_aimed", 2, true), ("100m_aimed", 100, true)];
    let mut least = [f64::MAX; 4];
    let mut least_bodies = f64::MAX;
    for &hitboxes in sizes {
        let mut scene = Scene::new(Crowd::new(hitboxes, Cadence::EveryServerTick));
        for (least, (row, metres, is_aimed)) in least.iter_mut().zip(rows) {
            *least = least.min(scene.ratio(rounds, &format!("{hitboxes} {row}"), metres, is_aimed));
        }
        let mut bodies = Scene::new(Crowd::of_bodies(hitboxes));
        for (row, metres, is_aimed) in rows {
            least_bodies = least_bodies.min(bodies.ratio(rounds, &format!("{hitboxes} in bodies, {row}"), metres, is_aimed));
        }
    }
    for (least, (row, ..)) in least.into_iter().zip(rows) {
        figure(&format!("rewind_ratio_parry_{row}"), least, "ratio");
    }
    figure("rewind_ratio_parry_bodies_min", least_bodies, "ratio");
    let mut least_records = [f64::MAX; 2];
    for &hitboxes in sizes {
        for (least, ratio) in least_records.iter_mut().zip(record(rounds, hitboxes)) {
            *least = least.min(ratio);
        }
    }
    figure("record_index_ratio_parry", least_records[0], "ratio");
    figure("record_index_ratio_parry_rebuild", least_records[1], "ratio");
}

/// A tick sampled, recorded and indexed beside building the tree of a tick, whose boxes were computed before, and without
/// what keeping the poses would take. By the faster of parry's strategies; and a tree built again in place, which first
/// takes each box over.
fn record(rounds: usize, hitboxes: usize) -> [f64; 2] {
    let mut crowd = Crowd::new(hitboxes, Cadence::EveryServerTick);
    let mut history = scene::record(&mut crowd, |_, _| {});
    let mut before = bvh::frames(&crowd);
    let (mut workspace, mut boxes) = (BvhWorkspace::default(), Vec::new());
    let mut tree = bvh::build(&before, &before, RADIUS, BvhBuildStrategy::Binned, &mut boxes);
    let mut times: [Vec<f64>; 4] = Default::default();
    let mut now_us = START_US + TICK_US * (TICKS - 1);
    for _ in 0..rounds {
        // First once unmeasured, so that neither side pays for what the other one drove out of the caches.
        let ours = (0..2).fold(0.0, |_, _| {
            before = bvh::frames(&crowd);
            crowd.walk();
            now_us += TICK_US;
            timed(1, |_| {
                black_box(history.record_tick(now_us, &mut crowd).unwrap());
            })
        });
        bvh::boxes(&before, &bvh::frames(&crowd), RADIUS, &mut boxes);
        let built = [BvhBuildStrategy::Binned, BvhBuildStrategy::Ploc].map(|strategy| {
            let build = || timed(1, |_| drop(black_box(Bvh::from_leaves(strategy, &boxes))));
            build();
            build()
        });
        let mut rebuild = || timed(1, |_| bvh::rebuild(&mut tree, &mut workspace, &boxes));
        rebuild();
        for (times, time) in times.iter_mut().zip([ours, built[0], built[1], rebuild()]) {
            times.push(time);
        }
    }
    let ratio = |theirs: &[f64]| median(theirs.iter().zip(&times[0]).map(|(theirs, ours)| theirs / ours).collect());
    let ratios = [ratio(&times[1]).min(ratio(&times[2])), ratio(&times[3])];
    let [ours, binned, ploc, again] = times.map(|times| median(times) / 1_000.0);
    eprintln!(
        "{hitboxes}: a tick in {ours:.1} us, BVH {binned:.1} us binned, {ploc:.1} us PLOC, {again:.1} us in place: {:.2} and {:.2}",
        ratios[0], ratios[1]
    );
    ratios
}
