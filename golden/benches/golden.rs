//! What checking a replay costs beside the world that it plays. `cargo bench -p snapback-golden`.
//!
//! The match has 54,000 frames (15 minutes) of two fighters: recorded human inputs if
//! `SNAPBACK_DATA` is set, else buttons held as long as people hold them. The yardstick is one *cu*:
//! copying 16 KiB into a ring of 90 slots, and one CRC over them. A round measures everything once; the
//! median over rounds of their ratios counts, so that what else the machine does slows both sides.
//! `..._fastest_rounds` compares the fastest of each instead, which is the truer figure on a busy
//! machine. Notes go to stderr; the lines that begin with `figure` are for programs. `-- --quick` takes
//! few rounds.

#![allow(clippy::unwrap_used, clippy::float_arithmetic, reason = "a benchmark measures, and fails by panicking")]
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a benchmark owns the clock and reads its files")]

use snapback_core::{Effects, Frame, FrameInputs, InputStatus, PlayerInput, Rng, SideEffectPolicy, Simulation, SnapshotRing, StateHash};
use snapback_golden::world::{setup_text, world_of};
use snapback_golden::{FrameBlock, GoldenReplay, RecordSettings, check, record, verify};
use snapback_sim::{PadInput, World, WorldData};
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

const FRAMES: usize = 54_000;
const SEED: u64 = 7;
/// Yardsticks in one round.
const YARDS: usize = 2_000;

fn main() {
    let rounds = if std::env::args().any(|arg| arg == "--quick") { 10 } else { 60 };
    let data: Arc<WorldData> = Arc::default();
    let (pads, source) = recorded().unwrap_or_else(held);
    let (file, results) = recording(&data, &pads);
    eprintln!("{FRAMES} frames of {source}, {results} rounds played, {} bytes", file.len());

    let inputs: Vec<[PlayerInput<PadInput>; 2]> = pads
        .iter()
        .map(|pads| pads.map(|pad| PlayerInput { input: PadInput::new(pad), ..PlayerInput::neutral(InputStatus::Confirmed) }))
        .collect();
    let mut yardstick = Yardstick::new();
    let (mut cu, mut overhead, mut reading, mut frame_ns, mut own_ns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let per_frame = |ns: f64| ns / FRAMES as f64;
    for _ in 0..rounds {
        let yard_ns = timed(YARDS, || yardstick.once());
        let bare_ns = per_frame(timed(1, || bare(&data, &inputs)));
        // The bytes are at hand, as after reading a file.
        let mut bytes = [file.clone(), file.clone()];
        let [verified, again] = &mut bytes;
        let verify_ns = per_frame(timed(1, || checked(&data, std::mem::take(verified))));
        reading.push(per_frame(timed(1, || read(std::mem::take(again)))));
        cu.push(verify_ns / yard_ns);
        overhead.push(100.0 * (1.0 - bare_ns / verify_ns));
        frame_ns.push(verify_ns);
        own_ns.push(bare_ns);
    }
    let fastest = 100.0 * (1.0 - least(&own_ns) / least(&frame_ns));
    let frame_ns = median(frame_ns);
    figure("golden_frame_cu", median(cu), "cu");
    figure("golden_frame_ns", frame_ns, "ns");
    figure("golden_read_ns", median(reading), "ns");
    figure("golden_frames_per_second", 1e9 / frame_ns, "frames/s");
    figure("golden_overhead_percent", median(overhead), "%");
    figure("golden_overhead_percent_fastest_rounds", fastest, "%");
    figure("replay_bytes_54000_frames", file.len() as f64, "bytes");
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    figure("golden_cores", cores as f64, "cores");
    figure("golden_speedup_all_cores", speedup(&data, &file, rounds / 10 + 1), "x");
}

/// How much faster a folder is checked on all cores than on one.
fn speedup(data: &Arc<WorldData>, file: &[u8], rounds: usize) -> f64 {
    let folder = std::env::temp_dir().join(format!("snapback-golden-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    (0..16).for_each(|at| std::fs::write(folder.join(format!("{at:02}.snbk")), file).unwrap());
    let replays = check::find(&folder).unwrap();
    let once = |jobs| {
        let settings = check::CheckSettings { jobs, pending: check::PendingPlace::Nowhere };
        timed(1, || check::check(&replays, &settings, |meta| world_of(data, meta), |_| ()))
    };
    let ratios = (0..rounds).map(|_| once(NonZeroUsize::new(1)) / once(None)).collect();
    std::fs::remove_dir_all(&folder).unwrap();
    median(ratios)
}

fn recording(data: &Arc<WorldData>, pads: &[[u16; 2]]) -> (Vec<u8>, u32) {
    let mut world = World::new(Arc::clone(data));
    let settings = RecordSettings { setup: setup_text(&world), trace: false, ..RecordSettings::generated(SEED, 2) };
    let file = record(&mut world, settings, pads.iter().map(|pads| pads.map(PadInput::new).to_vec())).unwrap();
    (file, world.view().results().count)
}

fn figure(name: &str, value: f64, unit: &str) {
    println!("figure {name} {value:.3} {unit}");
}

/// The world's own work: a step, a capture and a hash for every frame.
fn bare(data: &Arc<WorldData>, inputs: &[[PlayerInput<PadInput>; 2]]) -> StateHash {
    let mut world = World::new(Arc::clone(data));
    world.reset(SEED, 2).unwrap();
    let mut snapshot = vec![0; world.layout().size_bytes()];
    let mut effects = Effects::with_capacity(0);
    let (mut frame, mut hash) = (Frame::ZERO, StateHash::from_bits(0));
    for inputs in inputs {
        effects.begin(frame, SideEffectPolicy::TelemetryOnly);
        world.step(frame, &FrameInputs::new(inputs), &mut effects);
        world.capture(&mut snapshot);
        hash = world.hash(SEED, frame, &snapshot);
        frame = frame.next();
    }
    hash
}

/// Everything from the bytes of the file to the verdict.
fn checked(data: &Arc<WorldData>, file: Vec<u8>) -> u32 {
    let replay = GoldenReplay::read(file).unwrap();
    let verified = verify(&replay, |meta| world_of(data, meta)).unwrap();
    assert!(verified.is_same());
    verified.digest
}

/// The file alone, without a world.
fn read(file: Vec<u8>) -> usize {
    let replay = GoldenReplay::read(file).unwrap();
    let mut block = FrameBlock::<PadInput>::new();
    (0..replay.block_count()).filter(|number| replay.read_block(*number, &mut block).unwrap()).count()
}

/// 54,000 frames of recorded human inputs, match after match.
fn recorded() -> Option<(Vec<[u16; 2]>, &'static str)> {
    let folder = std::path::PathBuf::from(std::env::var_os("SNAPBACK_DATA")?).join("inputs");
    let mut files: Vec<_> = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "fg"));
    files.sort();
    let mut pads = Vec::new();
    for file in files {
        let bytes = std::fs::read(file).ok()?;
        let header_bytes = u32::from_le_bytes(bytes.get(8..12)?.try_into().ok()?) as usize;
        let header = String::from_utf8_lossy(bytes.get(16..16 + header_bytes)?).into_owned();
        let players = header.split("\"ports\"").nth(1)?.split(']').next()?.matches(|c: char| c.is_ascii_digit()).count();
        if players == 2 {
            let words = bytes.get(16 + header_bytes..)?.as_chunks::<2>().0;
            pads.extend(words.chunks_exact(2).map(|pair| [pair[0], pair[1]].map(u16::from_le_bytes)));
        }
    }
    pads.truncate(FRAMES);
    (pads.len() == FRAMES).then_some((pads, "recorded human inputs"))
}

/// Buttons held for a while, then others: a median of 4 frames, one in six longer than 11.
fn held() -> (Vec<[u16; 2]>, &'static str) {
    let mut rng = Rng::new(SEED, 1);
    let (mut now, mut left) = ([0u16; 2], [0u32; 2]);
    let mut next = |seat: usize| {
        if left[seat] == 0 {
            left[seat] = 1 + rng.below(7) + if rng.below(6) == 0 { rng.below(24) } else { 0 };
            now[seat] ^= 1 << rng.below(10);
            if rng.below(4) == 0 {
                now[seat] = 0;
            }
        }
        left[seat] -= 1;
        now[seat]
    };
    ((0..FRAMES).map(|_| [next(0), next(1)]).collect(), "generated inputs")
}

/// The yardstick.
struct Yardstick {
    ring: SnapshotRing,
    block: Vec<u8>,
    frame: i64,
}

impl Yardstick {
    fn new() -> Self {
        let block = (0..16_384u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        Self { ring: SnapshotRing::new(90, 16_384), block, frame: 0 }
    }

    fn once(&mut self) -> u32 {
        self.frame += 1;
        let block = &self.block;
        self.ring.save(Frame::new(self.frame), |out| out.copy_from_slice(block));
        crc32fast::hash(self.ring.get(Frame::new(self.frame)).unwrap())
    }
}

/// Nanoseconds for one of `count` calls.
fn timed<T>(count: usize, mut call: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        black_box(call());
    }
    start.elapsed().as_nanos() as f64 / count as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::MAX, f64::min)
}
