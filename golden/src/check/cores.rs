//! [`on_all_cores`]: many independent jobs at a time, with results in order.

use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// What `work` makes of each item, in the order of the items: `jobs` at a time, or as many as there
/// are cores. `progress` is told after each one how many are done.
pub fn on_all_cores<T: Sync, R: Send>(
    items: &[T],
    jobs: Option<NonZeroUsize>,
    work: impl Fn(&T) -> R + Sync,
    mut progress: impl FnMut(usize),
) -> Vec<R> {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = jobs.unwrap_or_else(cores).get().min(items.len());
    let next = AtomicUsize::new(0);
    let (sender, done) = mpsc::channel();
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        for _ in 0..jobs {
            let sender = sender.clone();
            let (next, work) = (&next, &work);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    if sender.send((at, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        // The channel ends when the last worker does.
        drop(sender);
        let count = |(number, result)| {
            progress(number + 1);
            result
        };
        done.iter().enumerate().map(count).collect()
    });
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}
