//! What prediction costs on human inputs, raw and canonical. `cargo bench -p snapback --bench predictors`.
//!
//! Recorded matches are played through a model of a session ([`model`]); the model is held against two real
//! sessions first ([`sessions`]). The tables say, for each way to prepare and predict inputs and for each
//! latency that the input delay leaves, how often a thousand frames roll back, how many are simulated
//! again, and how many were shown wrong. `session/docs/prediction.md` has them with what follows from
//! them. The lines that begin with `figure` are for programs. `-- --quick` takes every eighth match.
//!
//! The environment variable `SNAPBACK_DATA` names the folder of the recordings. Without it nothing is measured.

#![allow(clippy::unwrap_used, clippy::panic, clippy::float_arithmetic, reason = "a benchmark measures, and fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a benchmark reads its files")]
#![allow(clippy::cast_precision_loss, reason = "counts are printed as rates")]

mod model;
mod pads;
mod recorded;
mod sessions;

use model::Counts;
use pads::Pad;
use snapback::{InputPredictor, MovingStick, RepeatLast, SimInput};

/// One way, in frames, less the input delay.
const LATENCIES: [usize; 5] = [2, 3, 4, 6, 8];

/// The one that the figures are of. Rollbacks are almost the same at any.
const FIGURE_LATENCY: usize = 4;

const STICK: MovingStick = MovingStick { rim: pads::RANGE };

/// A row of the tables: at each latency, the sum over all players.
struct Row {
    name: &'static str,
    counts: [Counts; LATENCIES.len()],
}

fn main() {
    let Some(data) = std::env::var_os("SNAPBACK_DATA") else {
        println!("skipped: predictors");
        return;
    };
    let quick = std::env::args().any(|argument| argument == "--quick");
    let (raw, digital) = recorded::load(&data, if quick { 8 } else { 1 });
    let frames = |streams: usize, frames: usize| format!("{streams} players, {frames} frames ({:.1} h)", frames as f64 / 216_000.0);
    println!("analogue: {}", frames(raw.len(), raw.iter().map(Vec::len).sum()));
    println!("digital:  {}", frames(digital.len(), digital.iter().map(Vec::len).sum()));

    let triggers_as_buttons = pads::triggers_as_buttons(&raw);
    let canonical = pads::canonical(&raw, pads::HYSTERESIS);
    check_model(&raw, &canonical, &digital);

    let rows = [
        row("digital, repeat last", &digital, &RepeatLast),
        row("raw, repeat last", &raw, &RepeatLast),
        row("raw, moving stick", &raw, &STICK),
        row("sticks in steps, repeat last", &pads::sticks_in_steps(&raw), &RepeatLast),
        row("and triggers as buttons, repeat last", &triggers_as_buttons, &RepeatLast),
        row("the same, moving stick", &triggers_as_buttons, &STICK),
        row("and buttons merged (canonical), repeat last", &canonical, &RepeatLast),
        row("canonical, moving stick", &canonical, &STICK),
        row("canonical without hysteresis, moving stick", &pads::canonical(&raw, 0), &STICK),
    ];
    table("rollbacks", &rows, |counts| counts.rollbacks);
    table("resimulated frames", &rows, |counts| counts.resimulated_frames);
    table("frames shown wrong", &rows, |counts| counts.wrong_frames);
    figures(&rows);
}

fn row<I: SimInput, P: InputPredictor<I>>(name: &'static str, streams: &[Vec<I>], predictor: &P) -> Row {
    let at = |latency| streams.iter().map(|stream| model::play(stream, latency, predictor)).sum();
    Row { name, counts: LATENCIES.map(at) }
}

/// The first match of each kind in real sessions.
fn check_model(raw: &[Vec<Pad>], canonical: &[Vec<Pad>], digital: &[Vec<u16>]) {
    for latency in LATENCIES {
        sessions::check(&raw[0], &raw[1], latency, RepeatLast);
        sessions::check(&canonical[0], &canonical[1], latency, STICK);
        sessions::check(&digital[0], &digital[1], latency, RepeatLast);
    }
    println!("model:    of the first match it counts what two real sessions count, raw, canonical and digital, at each latency");
}

fn per_1000(count: u64, counts: &Counts) -> f64 {
    1000.0 * count as f64 / counts.frames as f64
}

fn table(what: &str, rows: &[Row], count: impl Fn(&Counts) -> u64) {
    println!("\n| {what} per 1,000 frames, at a latency of | {} |", LATENCIES.map(|latency| latency.to_string()).join(" | "));
    println!("|---|{}", "--:|".repeat(LATENCIES.len()));
    for row in rows {
        let cells = row.counts.each_ref().map(|counts| format!("{:.1}", per_1000(count(counts), counts)));
        println!("| {} | {} |", row.name, cells.join(" | "));
    }
}

fn figures(rows: &[Row]) {
    let at = LATENCIES.iter().position(|latency| *latency == FIGURE_LATENCY).unwrap();
    let rollbacks = |name: &str| {
        let counts = &rows.iter().find(|row| row.name == name).unwrap().counts[at];
        per_1000(counts.rollbacks, counts)
    };
    let (raw, canonical) = (rollbacks("raw, repeat last"), rollbacks("canonical, moving stick"));
    println!();
    println!("figure rollbacks_per_1000_digital {:.1} rollbacks", rollbacks("digital, repeat last"));
    println!("figure rollbacks_per_1000_raw {raw:.1} rollbacks");
    println!("figure rollbacks_per_1000_canonical {canonical:.1} rollbacks");
    println!("figure canonical_rollback_reduction_percent {:.1} %", 100.0 * (1.0 - canonical / raw));
}
