//! The contract of the tick path: capturing, hashing, encoding, validating and restoring a state
//! allocate nothing. The counter sees one thread only: the test runner allocates beside us.

use bytemuck::{Pod, Zeroable};
use snapback_core::state::pod;
use snapback_core::{Frame, Fx, SimState, StateLayout};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

#[allow(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: every call is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, and `alloc` is the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[derive(Clone, Copy, Pod, Zeroable, SimState)]
#[repr(C)]
struct Fighter {
    #[sim(section = "movement")]
    position: [Fx; 64],
    #[sim(range = 0..=1000)]
    health: [i32; 64],
}

#[test]
fn a_tick_allocates_nothing() {
    const LAYOUT: StateLayout = StateLayout::of::<Fighter>();
    const SIZE: usize = size_of::<Fighter>();
    let mut state = Fighter::zeroed();
    let (mut snapshot, mut canonical) = ([0; SIZE], [0; SIZE]);
    let before = allocations();
    for number in 0..100 {
        pod::capture(&state, &mut snapshot);
        let whole = LAYOUT.hash(7, Frame::new(number), &snapshot);
        let part = LAYOUT.section_hash("movement", &snapshot);
        let encoded = LAYOUT.encode(&snapshot, &mut canonical);
        let decoded = LAYOUT.decode(&canonical, &mut snapshot);
        let difference = LAYOUT.first_difference(&snapshot, &canonical);
        let restored = pod::restore(&mut state, &snapshot);
        let seen = core::hint::black_box((whole, part, encoded, decoded, difference, restored));
        assert!(seen.2.is_ok() && seen.3.is_ok() && seen.5.is_ok());
    }
    assert_eq!(allocations(), before);
    // The counter counts: what is refused is named, and a name is an allocation.
    state.health[3] = -1;
    assert!(LAYOUT.validate(bytemuck::bytes_of(&state)).is_err());
    assert!(allocations() > before);
}
