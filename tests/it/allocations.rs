//! The world allocates nothing once it stands: step, capture, restore, hash.

#![allow(unsafe_code, reason = "an allocator is an unsafe trait")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use snapback::sim::{PadInput, World, WorldData};
use snapback::{Effects, Frame, FrameInputs, InputStatus, PlayerInput, SideEffectPolicy, Simulation};
use snapback_harness::holds::Holds;
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

#[test]
fn the_world_allocates_nothing() {
    for players in 2..=4 {
        let mut world = World::new(WorldData::default());
        world.reset(1, players).unwrap();
        let mut holds: Vec<Holds> = (0..players).map(|player| Holds::new(5, player)).collect();
        let mut pressed = vec![PlayerInput::<PadInput>::neutral(InputStatus::Confirmed); players];
        let mut effects = Effects::with_capacity(64);
        let mut snapshot = vec![0; world.layout().size_bytes()];
        let before = COUNT.with(Cell::get);
        for frame in 0..10_000 {
            for (player, holds) in pressed.iter_mut().zip(&mut holds) {
                player.input = PadInput::new(holds.next_any());
            }
            effects.clear();
            effects.begin(Frame::new(frame), SideEffectPolicy::Emit);
            world.step(Frame::new(frame), &FrameInputs::new(&pressed), &mut effects);
            world.capture(&mut snapshot);
            core::hint::black_box(world.hash(1, Frame::new(frame), &snapshot));
            world.restore(&snapshot).unwrap();
        }
        assert_eq!(COUNT.with(Cell::get), before, "{players} players");
    }
    let before = COUNT.with(Cell::get);
    drop(core::hint::black_box(Box::new(1)));
    assert!(COUNT.with(Cell::get) > before, "the counter counts");
}
