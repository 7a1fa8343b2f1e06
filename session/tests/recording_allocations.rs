//! A session that records its corrections allocates when recording begins and never again.

#![allow(unsafe_code, reason = "an allocator is an unsafe trait")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use snapback::state::pod;
use snapback::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    // A thread's own: the test runner allocates beside us.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Sum(u64);

impl Simulation for Sum {
    type Input = u8;

    fn id(&self) -> SimulationId {
        SimulationId { name: "sum", version: 1 }
    }

    fn layout(&self) -> StateLayout {
        StateLayout::of::<u64>()
    }

    fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> {
        self.0 = 0;
        Ok(())
    }

    fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
        self.0 = self.0.wrapping_mul(31).wrapping_add(inputs.input(PlayerHandle::new(1)).into());
    }

    fn capture(&self, out: &mut [u8]) {
        pod::capture(&self.0, out);
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> {
        pod::restore(&mut self.0, snapshot)
    }
}

#[test]
fn recording_allocates_nothing_once_it_runs() {
    let mut session = RollbackSession::new(Sum(0), SessionSettings::new(7, 2, PlayerSet::first(1))).unwrap();
    session.record_rollbacks(16);
    let before = COUNT.with(Cell::get);
    for frame in 0..1_000_i64 {
        // Each input is another one, and six frames late.
        let late = (frame >= 6).then(|| InputSample::new(Frame::new(frame - 6), PlayerHandle::new(1), frame as u8));
        session.tick(&[LocalInput::new(PlayerHandle::new(0), 0)], late.as_slice()).unwrap();
    }
    assert_eq!(COUNT.with(Cell::get), before);
    assert_eq!(session.rollback_events(0).map(|event| event.replayed().len()).sum::<usize>(), 16 * 6);
    session.record_rollbacks(16);
    assert!(COUNT.with(Cell::get) > before, "the counter counts");
}
