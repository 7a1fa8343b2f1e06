//! The contract of hostile files: what reading and playing them costs is bounded by the size of the
//! file and two constants, however much they promise.
//!
//! | step | peak, beyond the game's own |
//! |---|---|
//! | `read`, `recover` | 5 bytes for each byte of the file (itself included) and 32 MiB |
//! | `check`, `verify`, seeks | 64 MiB more |
//!
//! Work is bounded likewise: deflate makes at most 1,032 bytes of one. The limit of time that is held
//! here is loose, and finds what grows with the square of the file.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use snapback_core::*;
use snapback_golden::format::{FieldEntry, ReplayMeta, Summary};
use snapback_golden::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use support::blocks::{BlockFile, kind, packed};
use support::exercise::exercise;
use support::{Crossing, crossing, settings};

const MIB: usize = 1 << 20;

/// Knows the most bytes that this thread ever held at once: other tests run beside it.
struct Peak;

thread_local! {
    // Signed: what another thread allocated may be freed here.
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

#[allow(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: every call is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Peak {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.with(|held| {
            held.set(held.get().wrapping_add_unsigned(layout.size()));
            held.get()
        });
        PEAK.with(|peak| peak.set(peak.get().max(held)));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.with(|held| held.set(held.get().wrapping_sub_unsigned(layout.size())));
        // SAFETY: the caller keeps the contract of `dealloc`, and `alloc` is the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static PEAK_ALLOCATOR: Peak = Peak;

/// How many bytes more than before `work` held at most.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = HELD.get();
    PEAK.set(before);
    let result = work();
    (usize::try_from(PEAK.get() - before).unwrap(), result)
}

#[track_caller]
fn assert_bounded(name: &str, file: &[u8]) {
    let (read, result) = peak(|| GoldenReplay::read(file).map(drop));
    assert!(read <= 5 * file.len() + 32 * MIB, "{name}: {read} bytes to read {}", file.len());
    #[allow(clippy::disallowed_types, reason = "a test that measures time owns a clock")]
    let start = std::time::Instant::now();
    let (all, outcome) = peak(|| exercise(file, &mut Rng::new(1, 1)));
    assert!(start.elapsed().as_secs() < 60, "{name}: {:?}", start.elapsed());
    // Twice: `exercise` recovers and reads.
    assert!(all <= 2 * 5 * file.len() + 96 * MIB, "{name}: {all} bytes for {}", file.len());
    let state = if result.is_ok() { "read" } else { "refused" };
    println!("{name}: {} bytes, {state}, peak {read} to read and {all} with everything, {outcome:.90?}", file.len());
}

fn traced() -> BlockFile {
    BlockFile::parse(&crossing(settings(true), 70, &[]))
}

fn with_meta(file: &BlockFile, change: impl FnOnce(&mut ReplayMeta)) -> BlockFile {
    let mut meta = GoldenReplay::read(file.sealed()).unwrap().meta().clone();
    change(&mut meta);
    BlockFile::parse(&file.with(0, postcard::to_allocvec(&meta).unwrap()))
}

/// A whole replay of a state of 1 MiB, four frames to a block, all of it zeros.
fn zeros() -> BlockFile {
    let mut file = with_meta(&traced(), |meta| meta.state_bytes = MIB as u32);
    file.blocks.truncate(2);
    file.blocks.push((kind::SNAPSHOT, [&(-1i64).to_le_bytes()[..], &packed(MIB, &vec![0; MIB])].concat()));
    let trace = packed(4 * MIB, &vec![0; 4 * MIB]);
    let chunk = [&[4, 1][..], &1u32.to_le_bytes(), &[0], &[0; 16], &trace].concat();
    file.blocks.extend(std::iter::repeat_n((kind::FRAMES, chunk), 25));
    let summary = Summary { frames: 100, digest: crc32fast::hash(&[0; 400]), ..Default::default() };
    file.blocks.push((kind::END, postcard::to_allocvec(&summary).unwrap()));
    file
}

#[test]
fn the_counter_counts() {
    let (held, ()) = peak(|| drop(core::hint::black_box(vec![1u8; 5 * MIB])));
    assert!((5 * MIB..6 * MIB).contains(&held), "{held}");
}

#[test]
fn two_million_fields_in_eight_kilobytes() {
    let file = traced();
    let fields = file.find(kind::FIELDS);
    let entry = |offset_bytes: u32| FieldEntry { path: String::new(), offset_bytes, scalar: 0, section: String::new() };
    let same = postcard::to_allocvec(&vec![entry(0); 2_000_000]).unwrap();
    assert_bounded("fields that overlap", &file.with(fields, packed(same.len(), &same)));
    let long: Vec<FieldEntry> = (0..65_536).map(|at| FieldEntry { path: "x".repeat(100), ..entry(at) }).collect();
    let long = postcard::to_allocvec(&(&long, Vec::<FieldEntry>::new())).unwrap();
    let large = with_meta(&file, |meta| meta.state_bytes = MIB as u32);
    assert_bounded("as many long names as there may be", &large.with(fields, packed(long.len(), &long)));
    let short: Vec<FieldEntry> = (0..65_536).map(|at| FieldEntry { path: "x".repeat(50), ..entry(at) }).collect();
    let both = postcard::to_allocvec(&(&short, &short)).unwrap();
    assert_bounded("both tables as full as they may be", &large.with(fields, packed(both.len(), &both)));
    let mut named = zeros();
    named.blocks[1].1 = packed(long.len(), &long);
    assert_bounded("long names and other ones now", &named.sealed());
    let twice = [&long[..long.len() - 1], &long].concat();
    assert_bounded("both tables full", &large.with(fields, packed(twice.len(), &twice)));
    let lies = [&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F][..], &[0; 100]].concat();
    assert_bounded("four billion fields promised", &file.with(fields, packed(lies.len(), &lies)));
    assert_bounded("eight megabytes of zeros", &file.with(fields, packed(8 * MIB, &vec![0; 8 * MIB])));
}

#[test]
fn snapshots_and_traces_that_are_bombs() {
    let file = traced();
    assert_bounded("100 MiB of trace", &zeros().sealed());
    let frames = file.find(kind::FRAMES);
    let payload = &file.blocks[frames].1;
    let inputs = u32::from_le_bytes(payload[2..6].try_into().unwrap()) as usize;
    let head = &payload[..6 + inputs + 4 * 60];
    assert_bounded("a trace too long", &file.with(frames, [head, &packed(60 * 48, &vec![0; 16 * MIB])].concat()));
    assert_bounded("a trace too long that says so", &file.with(frames, [head, &packed(128 * MIB, &vec![0; 128 * MIB])].concat()));
    let bomb = [&(-1i64).to_le_bytes()[..], &packed(48, &vec![0; 16 * MIB])].concat();
    assert_bounded("a snapshot too long", &file.with(2, bomb));
}

#[test]
fn a_file_of_nothing_but_small_blocks() {
    let mut file = BlockFile::parse(&crossing(settings(false), 1, &[]));
    let frames = file.find(kind::FRAMES);
    let one = (kind::FRAMES, [&[1, 0][..], &1u32.to_le_bytes(), &[0], &[0; 4]].concat());
    file.blocks.truncate(frames);
    let mut with_snapshots = file.clone();
    let snapshot = packed(48, &[0; 48]);
    for frame in 0..60_000i64 {
        if frame < 600 {
            file.blocks.push(one.clone());
        }
        with_snapshots.blocks.push(one.clone());
        with_snapshots.blocks.push((kind::SNAPSHOT, [&frame.to_le_bytes()[..], &snapshot].concat()));
    }
    for mut file in [file, with_snapshots] {
        let frames = file.blocks.iter().filter(|(kind, _)| *kind == kind::FRAMES).count();
        let digest = crc32fast::hash(&vec![0; 4 * frames]);
        let summary = Summary { frames: frames as u64, digest, ..Default::default() };
        file.blocks.push((kind::END, postcard::to_allocvec(&summary).unwrap()));
        let bytes = file.sealed();
        let (held, replay) = peak(|| GoldenReplay::read(&*bytes).unwrap());
        assert!(held <= 5 * bytes.len() + MIB / 16, "{held} for {}", bytes.len());
        assert_eq!((replay.frame_count(), replay.block_count()), (frames as u64, frames));
        assert_bounded("one frame a block", &bytes);
    }
}

#[test]
fn texts_and_acceptances_by_the_megabyte() {
    let file = traced();
    let with_text = |text: String| with_text(&file, text);
    assert_bounded("a note of 1 MiB", &with_text("n".repeat(MIB)));
    let end = file.find(kind::END);
    let acceptance = snapback_golden::format::Acceptance {
        reason: "r".repeat(4_096),
        simulation_version: 1,
        config_hash: 1,
        first_frame: 1,
        replaced_digest: 1,
    };
    let one = (kind::ACCEPTANCE, postcard::to_allocvec(&acceptance).unwrap());
    let mut many = file;
    many.blocks.splice(end..end, std::iter::repeat_n(one, 1_100));
    assert_bounded("1,100 acceptances of 4 KiB", &many.sealed());
}

fn with_text(file: &BlockFile, text: String) -> Vec<u8> {
    let mut meta = GoldenReplay::read(file.sealed()).unwrap().meta().clone();
    meta.provenance.note = text;
    file.with(0, postcard::to_allocvec(&meta).unwrap())
}

#[test]
fn a_player_holds_one_block_and_one_state() {
    let replay = GoldenReplay::read(crossing(settings(true), 20_000, &[])).unwrap();
    let (held, ()) = peak(|| {
        let mut player = ReplayPlayer::new(Crossing::new(), &replay).unwrap();
        for frame in [19_999, 0, 12_345, 7, 19_998] {
            player.seek(Frame::new(frame)).unwrap();
        }
    });
    assert!(held < 200_000, "{held}");
}
