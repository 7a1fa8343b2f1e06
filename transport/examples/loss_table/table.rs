//! The rows, as text.

use super::path::Path;
use super::run::{Outcome, run};
use super::scheme::Scheme;

/// Frames of each run. Both sides press an input in each.
const FRAMES: usize = 100_000;

const SEED: u64 = 21;

/// What a scheme comes to on a path.
pub(crate) fn outcome(path: &Path, scheme: Scheme) -> Outcome {
    run(path, scheme, FRAMES, SEED)
}

/// A row, without its end of line. `plain_bytes` is what is sent without repair.
pub(crate) fn row(name: &str, outcome: &Outcome, plain_bytes: u64) -> String {
    let per_100_000 = |count: u64| (count * 100_000 + outcome.inputs / 2) / outcome.inputs;
    format!(
        "| {name} | {} | {} | {} | {} | {} | {} % |",
        per_100_000(outcome.late),
        per_100_000(outcome.delayed),
        per_100_000(outcome.hitches),
        decimal(u64::from(outcome.p999_us), 1_000, 1),
        decimal(outcome.bytes, plain_bytes, 2),
        decimal(outcome.payloads * 100, outcome.inputs, 2),
    )
}

/// A quotient with so many places after the point, rounded.
fn decimal(dividend: u64, divisor: u64, places: u32) -> String {
    let scale = 10u64.pow(places);
    let rounded = (dividend * scale + divisor / 2) / divisor;
    format!("{}.{:0width$}", rounded / scale, rounded % scale, width = places as usize)
}
