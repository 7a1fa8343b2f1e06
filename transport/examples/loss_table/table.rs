//! The rows, as text.

use super::path::Path;
use super::run::{Outcome, run};
use super::scheme::SCHEMES;

/// Frames of each run. Both sides press an input in each.
pub const FRAMES: usize = 100_000;

const SEED: u64 = 21;

/// A table for one path: one row for each scheme.
pub fn table(path: &Path, frames: usize) -> String {
    let mut text =
        format!("### {}\n\n| scheme | late | delayed | p99.9 in ms | bytes | not repeated |\n|---|---|---|---|---|---|\n", path.name);
    let mut plain_bytes = 0;
    for scheme in SCHEMES {
        let outcome = run(path, *scheme, frames, SEED);
        if plain_bytes == 0 {
            plain_bytes = outcome.bytes;
        }
        text += &row(scheme.name, &outcome, plain_bytes);
    }
    text
}

fn row(name: &str, outcome: &Outcome, plain_bytes: u64) -> String {
    let per_100_000 = |count: u64| (count * 100_000 + outcome.inputs / 2) / outcome.inputs;
    format!(
        "| {name} | {} | {} | {} | {} | {} % |\n",
        per_100_000(outcome.late),
        per_100_000(outcome.delayed),
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
