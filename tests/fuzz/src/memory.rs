//! The system's allocator, which knows the most bytes that this thread ever held at once. Every
//! program that links this crate uses it.

#![allow(unsafe_code, reason = "an allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Peak;

thread_local! {
    // Signed: what another thread allocated may be freed here.
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: every call is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Peak {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.with(|held| held.set(held.get().wrapping_sub_unsigned(layout.size())));
        // SAFETY: the caller keeps the contract of `dealloc`, and `alloc` is the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}

fn take(bytes: usize) {
    let held = HELD.with(|held| {
        held.set(held.get().wrapping_add_unsigned(bytes));
        held.get()
    });
    PEAK.with(|peak| peak.set(peak.get().max(held)));
}

#[global_allocator]
static PEAK_ALLOCATOR: Peak = Peak;

/// How many bytes more than before `work` held at most, on this thread.
pub fn peak_bytes<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = HELD.get();
    PEAK.set(before);
    let result = work();
    (usize::try_from(PEAK.get() - before).unwrap_or(0), result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn the_most_counts_and_not_the_sum() {
        assert_eq!(peak_bytes(|| ()).0, 0);
        let (peak, ()) = peak_bytes(|| (0..10).for_each(|_| drop(black_box(vec![0u8; 1_000]))));
        assert!((1_000..2_000).contains(&peak), "{peak}");
        let mut grown = black_box(vec![1u8; 8]);
        let (peak, ()) = peak_bytes(|| grown.reserve_exact(1 << 16));
        assert!(peak >= 1 << 16, "{peak}");
    }
}
