//! The system's allocator, counting what each thread asks for.

#![allow(unsafe_code, reason = "an allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Of this thread only, so that tests that run side by side do not count each other. It needs no
    // destructor and no first-time initialisation: counting must not allocate.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Every program that links this crate uses it. It adds one to a thread-local number per
/// allocation, under a nanosecond.
#[global_allocator]
static COUNTING: CountingAllocator = CountingAllocator;

struct CountingAllocator;

fn count() {
    ALLOCATIONS.with(|count| count.set(count.get().wrapping_add(1)));
}

// SAFETY: every call is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `realloc`, and `memory` is the system's.
        unsafe { System.realloc(memory, layout, new_size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, and `memory` is the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// How many allocations `work` makes on this thread. Growing one counts as one.
pub fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get).wrapping_sub(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn every_way_to_ask_for_memory_counts() {
        assert_eq!(allocations(|| {}), 0);
        assert_eq!(allocations(|| drop(black_box(Box::new(7)))), 1);
        assert_eq!(allocations(|| drop(black_box(vec![0u8; 64]))), 1);
        let mut grown = black_box(vec![1u8; 8]);
        assert_eq!(allocations(|| grown.reserve_exact(1 << 16)), 1);
    }
}
