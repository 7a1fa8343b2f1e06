//! [`run`]: one input on one target.

use crate::memory::peak_bytes;
use crate::targets::Target;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What came of an input that did no harm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ran {
    /// How many datagrams, texts or files it held.
    pub datagrams: u64,
    /// The most bytes that were held at once, beyond what was held before.
    pub peak_bytes: usize,
}

/// Gives one input to one target.
///
/// # Panics
/// If the target does, or if it held more memory than it may.
pub fn run(target: &Target, input: &[u8]) -> Ran {
    let (peak_bytes, datagrams) = peak_bytes(|| (target.entry)(input));
    let most = target.most_bytes;
    assert!(peak_bytes <= most, "{peak_bytes} bytes were held at once; {} may hold {most}", target.name);
    Ran { datagrams, peak_bytes }
}

/// The same, but a panic is an error with its text.
///
/// # Errors
/// What the target panicked with.
pub fn try_run(target: &Target, input: &[u8]) -> Result<Ran, String> {
    catch_unwind(AssertUnwindSafe(|| run(target, input))).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a text".to_owned())
    })
}
