//! The contract of the tick path: it allocates nothing. Counts the allocations of one thread, since the test runner
//! allocates beside it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

#[allow(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: every call is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, and `alloc` is the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often this thread has allocated.
pub(crate) fn so_far() -> u64 {
    COUNT.get()
}

/// How often `work` allocated.
#[allow(dead_code, reason = "not every test wants it as a closure")]
pub(crate) fn allocations(work: impl FnOnce()) -> u64 {
    let before = so_far();
    work();
    so_far() - before
}

#[test]
fn a_planted_allocation_is_seen() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
}
