//! What the wire costs: bytes of inputs, processor time and allocations of a packet, a handshake, and
//! what parity brings. `cargo bench -p snapback-transport`, or with `-- --quick` fewer rounds, or with
//! `-- packet` only the parts that are named.
//!
//! The yardstick of time is the DTLS library by itself, doing the same with the same bytes: two bare
//! connections, with the settings and the certificates of ours. Each sample of ours is divided by
//! samples of the yardstick that were taken right before and after it, and the median of those counts:
//! what else the machine does slows both. Notes go to stderr; the lines that begin with `figure` are
//! for programs.

#![allow(clippy::unwrap_used, clippy::float_arithmetic, reason = "a benchmark measures, and fails by panicking")]
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "a benchmark owns the clock and reads its files")]

mod counting;
mod handshake;
mod inputs;
mod library;
mod packet;
#[path = "../../tests/support/params.rs"]
mod params;
mod parity;
mod playing;

use std::time::Instant;

fn main() {
    let asked = |option: &str| std::env::args().any(|argument| argument == option);
    // `cargo bench` passes --bench; `cargo test --all-targets` does not, and only wants to see it run.
    let rounds = if asked("--quick") || !asked("--bench") { 41 } else { 401 };
    let named: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |name: &str| named.is_empty() || named.iter().any(|one| one == name);
    if is_wanted("inputs") {
        inputs::measure();
    }
    if is_wanted("packet") {
        packet::measure(rounds);
    }
    if is_wanted("handshake") {
        handshake::measure(rounds);
    }
    if is_wanted("parity") {
        parity::measure();
    }
}

fn figure(name: &str, value: f64, unit: &str) {
    println!("figure {name} {value:.3} {unit}");
}

/// Nanoseconds that one call takes.
fn timed(call: impl FnOnce()) -> f64 {
    let start = Instant::now();
    call();
    start.elapsed().as_nanos() as f64
}

/// What is measured beside the yardstick, in nanoseconds.
struct Beside {
    ours: f64,
    yardstick: f64,
    ratio: f64,
}

/// Measures `ours` between two samples of the yardstick, round by round: the median of each, and of
/// their ratio.
fn beside(rounds: usize, mut yardstick: impl FnMut() -> f64, mut ours: impl FnMut() -> f64) -> Beside {
    let (mut times, mut yards, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (before, time, after) = (yardstick(), ours(), yardstick());
        times.push(time);
        yards.push((before + after) / 2.0);
        ratios.push(2.0 * time / (before + after));
    }
    Beside { ours: median(times), yardstick: median(yards), ratio: median(ratios) }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
