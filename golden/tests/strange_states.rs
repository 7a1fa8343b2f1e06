//! States that are larger than a table of fields, that are hashed in a way of their own, or whose
//! frames are at the end of all frames: what a report says of them must not mislead.

#![cfg(feature = "corpus")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback_core::limits::LAST_FRAME;
use snapback_core::*;
use snapback_golden::{Evidence, GoldenReplay, RecordError, RecordSettings, ReplayDivergence, Verdict, record, verify};

/// Bytes without names. From the frame `toggles_from` on one of them changes with every frame.
struct Heap {
    state: Vec<u8>,
    toggles_from: i64,
    starts_with: u8,
    hash_factor: u32,
}

fn heap(size_bytes: usize) -> Heap {
    Heap { state: vec![0; size_bytes], toggles_from: i64::MAX, starts_with: 7, hash_factor: 1 }
}

impl Simulation for Heap {
    type Input = u8;

    fn id(&self) -> SimulationId {
        SimulationId { name: "heap", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::opaque(self.state.len())
    }

    fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> {
        self.state.fill(self.starts_with);
        Ok(())
    }

    fn step(&mut self, frame: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
        self.state[0] ^= inputs.input(PlayerHandle::new(0));
        if frame.number() >= self.toggles_from {
            *self.state.last_mut().unwrap() ^= 1;
        }
    }

    fn capture(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.state);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        self.state.copy_from_slice(snapshot);
        Ok(())
    }

    fn hash(&self, seed: u64, frame: Frame, snapshot: &[u8]) -> StateHash {
        StateHash::from_bits(self.layout().hash(seed, frame, snapshot).bits().wrapping_mul(self.hash_factor))
    }
}

fn recorded(mut heap: Heap, first_frame: i64, frames: u8, trace: bool) -> Result<GoldenReplay, RecordError> {
    let settings = RecordSettings { trace, first_frame: Frame::new(first_frame), ..RecordSettings::generated(1, 1) };
    record(&mut heap, settings, (0..frames).map(|frame| vec![frame])).map(|file| GoldenReplay::read(file).unwrap())
}

fn divergence(replay: &GoldenReplay, heap: impl Fn() -> Heap) -> ReplayDivergence {
    match verify(replay, |_| Ok(heap())).unwrap().verdict {
        Verdict::Diverged(divergence) => *divergence,
        verdict => panic!("{verdict:?}"),
    }
}

#[test]
fn the_last_byte_of_a_large_state_is_named() {
    let size_bytes = (1 << 16) + 5;
    let replay = recorded(heap(size_bytes), 0, 20, true).unwrap();
    let found = divergence(&replay, || Heap { toggles_from: 12, ..heap(size_bytes) });
    assert_eq!(found.fields.iter().map(|change| change.path.as_str()).collect::<Vec<_>>(), ["byte[65540]"]);
}

#[test]
fn another_hash_of_the_same_state_is_called_that() {
    let replay = recorded(heap(8), 0, 20, true).unwrap();
    let found = divergence(&replay, || Heap { hash_factor: 3, ..heap(8) });
    assert_eq!((found.frame, found.fields.len(), &found.evidence), (Frame::ZERO, 0, &Evidence::State));
    assert!(found.to_string().contains("no field differs from the recorded state"), "{found}");
}

#[test]
fn the_hash_of_another_start_is_made_as_the_game_makes_it() {
    let own = || Heap { hash_factor: 3, ..heap(8) };
    let replay = recorded(own(), 0, 20, true).unwrap();
    let found = divergence(&replay, || Heap { starts_with: 8, ..own() });
    assert_eq!((found.frame, found.expected), (Frame::new(-1), own().hash(1, Frame::new(-1), &[7; 8])));
}

#[test]
fn a_later_state_in_which_nothing_differs_any_more_is_called_that() {
    // From frame 598 to the snapshot after 599 the byte changes twice.
    let frames = || (0..700).map(|_| vec![0]);
    let settings = RecordSettings { trace: false, ..RecordSettings::generated(1, 1) };
    let replay = GoldenReplay::read(record(&mut Heap { hash_factor: 3, ..heap(8) }, settings, frames()).unwrap()).unwrap();
    let found = divergence(&replay, || Heap { hash_factor: 3, toggles_from: 598, ..heap(8) });
    assert_eq!((&found.evidence, found.fields.len()), (&Evidence::LaterSnapshot(Frame::new(599)), 0));
    assert!(found.to_string().contains("no field differs in the next recorded state"), "{found}");
}

#[test]
fn nothing_is_recorded_after_the_last_frame_that_can_be_read() {
    assert_eq!(recorded(heap(8), LAST_FRAME - 1, 2, true).unwrap().last_frame().number(), LAST_FRAME);
    assert!(matches!(recorded(heap(8), LAST_FRAME - 1, 3, true), Err(RecordError::WrongShape { .. })));
}
