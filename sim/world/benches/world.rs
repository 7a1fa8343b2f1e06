//! What a frame of the world costs, on busy states: fighters in combos and juggles, throws,
//! projectiles on their way. `cargo bench -p snapback-sim`, or with `-- --quick` fewer rounds.
//!
//! The yardstick is one *cu*: copying 16 KiB into a ring of 90 slots, and one CRC over them. Each
//! sample of a figure is divided by a sample of the yardstick that was taken right beside it, and the
//! median of those counts: what else the machine does slows both. Notes go to stderr; the lines that
//! begin with `figure` are for programs.

#![allow(clippy::unwrap_used, clippy::float_arithmetic, reason = "a benchmark measures, and fails by panicking")]
#![allow(clippy::disallowed_types, reason = "a benchmark owns the clock")]

use snapback_core::{Effects, Frame, FrameInputs, InputStatus, PlayerInput, Rng, SideEffectPolicy, Simulation, SnapshotRing};
use snapback_sim::{Act, Fighter, PadInput, Phase, World, WorldData};
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

#[allow(unsafe_code, reason = "an allocator that counts is unsafe to write and only forwards")]
// SAFETY: every call is forwarded to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many frames follow a busy state in one sample.
const RUN: usize = 8;
const SEED: u64 = 7;

type Pads = [PlayerInput<PadInput>; 2];

/// A state in the middle of something, and the pads of the frames after it.
struct Busy {
    state: Vec<u8>,
    pads: [Pads; RUN],
}

/// One frame of the recording.
struct Moment {
    state: Vec<u8>,
    pads: Pads,
    is_going: bool,
    is_busy: bool,
}

fn figure(name: &str, value: f64, unit: &str) {
    println!("figure {name} {value:.3} {unit}");
}

fn step(world: &mut World, frame: i64, pads: &Pads, effects: &mut Effects) {
    effects.clear();
    let frame = Frame::new(frame);
    effects.begin(frame, SideEffectPolicy::Emit);
    world.step(frame, &FrameInputs::new(pads), effects);
}

/// Which parts of a fight a fighter shows.
fn is_busy(fighters: &[Fighter]) -> bool {
    let juggled = fighters.iter().any(|f| f.act() == Act::Launched && f.juggle.combo_hits > 0);
    let combo = fighters.iter().any(|f| f.juggle.combo_hits > 1);
    let attack = fighters.iter().filter(|f| f.hitboxes.active_hit > 0).count();
    let shots = fighters.iter().flat_map(|f| &f.projectiles).filter(|p| p.is_live()).count();
    u8::from(juggled) + u8::from(combo) + u8::from(attack > 0) + u8::from(shots > 0) >= 2 || shots > 1 || attack > 1
}

/// Plays with everything that there is to press, and keeps the busy moments.
fn record(data: &Arc<WorldData>) -> Vec<Busy> {
    let mut world = World::new(Arc::clone(data));
    world.reset(SEED, 2).unwrap();
    let mut effects = Effects::with_capacity(64);
    let mut rng = Rng::new(SEED, 1);
    let motions: [&[u16]; 8] = {
        use PadInput as P;
        [
            &[P::DOWN, P::DOWN | P::RIGHT, P::RIGHT | P::LIGHT],
            &[P::DOWN, P::DOWN | P::RIGHT, P::RIGHT | P::HEAVY],
            &[P::LIGHT | P::HEAVY],
            &[P::RIGHT],
            &[P::LIGHT, 0, 0, P::DOWN | P::LIGHT, 0, 0],
            &[P::HEAVY],
            &[P::RIGHT, P::DOWN, P::DOWN | P::RIGHT | P::HEAVY],
            &[P::RIGHT | P::HEAVY],
        ]
    };
    let (mut queue, mut states): ([Vec<u16>; 2], Vec<Moment>) = Default::default();
    for frame in 0..60_000 {
        let mut pads: Pads = [PlayerInput::neutral(InputStatus::Confirmed); 2];
        for (seat, queue) in queue.iter_mut().enumerate() {
            if queue.is_empty() {
                let motion = motions[rng.below(8) as usize];
                queue.extend(motion.iter().rev().flat_map(|pad| [*pad; 3]));
            }
            let pad = PadInput::new(queue.pop().unwrap());
            pads[seat].input = if world.view().fighters()[seat].facing() > 0 { pad } else { pad.mirrored() };
        }
        let mut state = vec![0; world.layout().size_bytes()];
        world.capture(&mut state);
        let view = world.view();
        // Nothing moves in hitstop: that would be an idle frame.
        let is_going = view.phase() == Phase::Fight && view.header().clock.hitstop_frames == 0;
        states.push(Moment { state, pads, is_going, is_busy: is_busy(view.fighters()) });
        step(&mut world, frame, &pads, &mut effects);
    }
    let is_kept = |run: &&[Moment]| run[0].is_busy && run[RUN / 2].is_busy && run.iter().all(|moment| moment.is_going);
    let runs = states.windows(RUN).filter(is_kept);
    runs.map(|run| Busy { state: run[0].state.clone(), pads: core::array::from_fn(|at| run[at].pads) }).step_by(5).take(256).collect()
}

/// The yardstick.
struct Yardstick {
    ring: SnapshotRing,
    block: Vec<u8>,
    frame: i64,
}

impl Yardstick {
    fn once(&mut self) -> u32 {
        self.frame += 1;
        let block = &self.block;
        self.ring.save(Frame::new(self.frame), |out| out.copy_from_slice(block));
        crc32fast::hash(self.ring.get(Frame::new(self.frame)).unwrap())
    }
}

/// Nanoseconds for one of `count` calls.
fn timed(count: usize, mut call: impl FnMut(usize)) -> f64 {
    let start = Instant::now();
    (0..count).for_each(&mut call);
    start.elapsed().as_nanos() as f64 / count as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

const FULL_ROUNDS: usize = 301;
const QUICK_ROUNDS: usize = 31;

/// Measures `call` beside `other`, round by round: the median of both and of their ratio.
fn beside(rounds: usize, other: &mut dyn FnMut() -> f64, call: &mut dyn FnMut() -> f64) -> (f64, f64) {
    let (mut times, mut ratios) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (before, time, after) = (other(), call(), other());
        times.push(time);
        ratios.push(2.0 * time / (before + after));
    }
    (median(times), median(ratios))
}

fn main() {
    let asked = |option: &str| std::env::args().any(|argument| argument == option);
    // `cargo bench` passes --bench; `cargo test --all-targets` does not, and only wants to see it run.
    let rounds = if asked("--quick") || !asked("--bench") { QUICK_ROUNDS } else { FULL_ROUNDS };
    let data = Arc::new(WorldData::default());
    let busy = record(&data);
    eprintln!("{} busy states of 2 fighters, {} bytes each", busy.len(), busy[0].state.len());
    let mut world = World::new(Arc::clone(&data));
    world.reset(SEED, 2).unwrap();
    let layout = world.layout();
    let bytes = layout.size_bytes();
    let mut effects = Effects::with_capacity(64);
    let mut ring = SnapshotRing::new(90, bytes);

    let mut yardstick = Yardstick { ring: SnapshotRing::new(90, 16 * 1_024), block: vec![3; 16 * 1_024], frame: 0 };
    let mut cu = || {
        timed(64, |_| {
            black_box(yardstick.once());
        })
    };
    eprintln!("one cu is {:.0} ns here", median((0..rounds).map(|_| cu()).collect()));

    // A restore leads to each run of steps, and is taken off again.
    let mut restores = World::new(Arc::clone(&data));
    restores.reset(SEED, 2).unwrap();
    let restore = median((0..rounds).map(|_| timed(busy.len(), |at| restores.restore(black_box(&busy[at].state)).unwrap())).collect());
    let mut runs = |with_hash: bool| {
        let per_run = timed(busy.len(), |at| {
            let run = &busy[at];
            world.restore(&run.state).unwrap();
            for (frame, pads) in run.pads.iter().enumerate() {
                step(&mut world, frame as i64, pads, &mut effects);
                if with_hash {
                    let frame = Frame::new(frame as i64);
                    ring.save(frame, |out| world.capture(out));
                    black_box(ring.hash(frame, |snapshot| layout.hash(SEED, frame, snapshot)));
                }
            }
        });
        (per_run - restore) / RUN as f64
    };
    let (ns, ratio) = beside(rounds, &mut cu, &mut || runs(false));
    figure("world_step_ns", ns, "ns");
    figure("world_step_cu", ratio, "cu");
    let (ns, ratio) = beside(rounds, &mut cu, &mut || runs(true));
    figure("world_step_hash_ns", ns, "ns");
    figure("world_step_hash_cu", ratio, "cu");

    let mut correction = || {
        timed(busy.len(), |at| {
            let run = &busy[at];
            world.restore(&run.state).unwrap();
            for (frame, pads) in run.pads.iter().enumerate() {
                effects.clear();
                effects.begin(Frame::new(frame as i64), SideEffectPolicy::SuppressCosmetics);
                world.step(Frame::new(frame as i64), &FrameInputs::new(pads), &mut effects);
                ring.save(Frame::new(frame as i64), |out| world.capture(out));
            }
            // The last frame of a correction is the one that is confirmed.
            black_box(ring.hash(Frame::new(RUN as i64 - 1), |snapshot| layout.hash(SEED, Frame::new(RUN as i64 - 1), snapshot)));
        })
    };
    let (ns, ratio) = beside(rounds, &mut cu, &mut correction);
    figure("world_correction_8_ns", ns, "ns");
    figure("world_correction_8_cu", ratio, "cu");

    let state = busy[0].state.clone();
    let (mut plain_ring, mut plain_frame) = (SnapshotRing::new(90, bytes), 0);
    let mut plain = || {
        timed(256, |_| {
            plain_frame += 1;
            let frame = Frame::new(plain_frame);
            plain_ring.save(frame, |out| out.copy_from_slice(black_box(&state)));
            black_box(crc32fast::hash(plain_ring.get(frame).unwrap()));
        })
    };
    world.restore(&state).unwrap();
    let mut frame_number = 0;
    let mut capture = || {
        timed(256, |_| {
            frame_number += 1;
            let frame = Frame::new(frame_number);
            ring.save(frame, |out| black_box(&world).capture(out));
            black_box(ring.hash(frame, |snapshot| layout.hash(SEED, frame, snapshot)));
        })
    };
    let (ns, ratio) = beside(rounds, &mut plain, &mut capture);
    figure("world_capture_hash_ns", ns, "ns");
    figure("world_capture_hash_ratio_vs_copy_crc", ratio, "ratio");

    let before = ALLOCATIONS.load(Ordering::Relaxed);
    for run in &busy {
        world.restore(&run.state).unwrap();
        for (frame, pads) in run.pads.iter().enumerate() {
            step(&mut world, frame as i64, pads, &mut effects);
            let frame = Frame::new(frame as i64);
            ring.save(frame, |out| world.capture(out));
            black_box(ring.hash(frame, |snapshot| layout.hash(SEED, frame, snapshot)));
        }
    }
    let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
    figure("world_allocs_per_frame", allocations as f64 / (busy.len() * RUN) as f64, "allocations");
    figure("world_bytes_2_fighters", bytes as f64, "bytes");
}
