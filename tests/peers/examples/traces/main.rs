//! Snapback beside ggrs on recorded networks, with recorded human inputs, in real time:
//!
//!     SNAPBACK_DATA=... cargo run --release -p snapback-peers --example traces
//!
//! Two peers of each library play over the same recording at the same time. What becomes of a datagram follows
//! from its direction and the moment at which it is sent, and from nothing else: so both suffer the same, however
//! many they send. Alike are also the game, the inputs, the input delay (2), and how far beyond the last confirmed
//! frame a peer plays: eight frames, which is a window of 8 here and of 9 for ggrs (`--their-window`). Each is driven as its own documentation says: ours by a [`Pacer`](snapback::Pacer), ggrs by its accumulator, which
//! takes a tenth longer for a frame while `frames_ahead` is positive. ggrs reads the wall clock, so everything is
//! in real time; all recordings play at once, in one thread.
//!
//! What is compared:
//!
//! * *stalls*: ticks that played nothing, and how long they took. The second because ggrs's ticks are longer by a
//!   tenth while it waits.
//! * *depth of a frame*: frames played again for each that was played. Both see the same inputs, so this is how late
//!   an input is seen, on average: what a player feels.
//! * *depth of a rollback*: the same for each rollback. Who is spared the shallow ones has deeper ones on average, so
//!   this alone says little; rollbacks of four frames and more are counted beside it.
//!
//! | module | what it holds |
//! |---|---|
//! | `options` | the command line |
//! | `data` | recordings of networks and of people |
//! | `road` | both directions of a path that plays a recording |
//! | `ours`, `theirs` | a pair of peers, and one turn of their main loops |
//! | `tally` | what is counted for each |
//! | `section` | one stretch of one recording: both pairs on it |
//! | `report` | the table, the verdict and the JSON |

#![allow(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    clippy::expect_used,
    clippy::panic,
    reason = "a tool that measures: rates are printed and nothing is simulated with them, and a measurement that cannot go on stops"
)]

mod data;
mod options;
mod ours;
mod report;
mod road;
mod section;
mod tally;
mod theirs;

use clap::Parser;
use options::Options;
use section::Section;
use std::process::ExitCode;
use std::time::Duration;

/// One turn of every main loop. Real ones wait for a datagram or the next frame; a millisecond is as good.
const TURN_US: u64 = 1_000;

/// A turn that comes so late is counted: a machine that is busy measures itself.
const LATE_US: u64 = 8_000;

fn main() -> ExitCode {
    let options = Options::parse();
    let Some(folder) = options.data.clone() else {
        eprintln!("no recordings: set SNAPBACK_DATA or give --data FOLDER, which has net/*.csv and inputs/*.fg");
        return ExitCode::FAILURE;
    };
    let mut sections = match data::sections(&folder, &options) {
        Ok(sections) => sections,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let lateness = if options.ours_only { play_virtually(&mut sections, &options) } else { play(&mut sections, &options) };
    let rows: Vec<_> = sections.iter().map(Section::row).collect();
    if options.json {
        println!("{}", report::json(&rows, &options, &lateness));
    } else {
        report::print(&rows, &options, &lateness);
    }
    if rows.iter().any(report::Row::disagrees) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// How late the turns were.
#[derive(Clone, Copy, Default)]
pub(crate) struct Lateness {
    most_us: u64,
    late_turns: u64,
    turns: u64,
}

/// Plays all sections one after the other, on virtual time.
fn play_virtually(sections: &mut [Section], options: &Options) -> Lateness {
    for section in sections {
        let mut now_us = 0;
        while !section.is_done() {
            section.turn(now_us, options.seconds * 1_000_000);
            now_us += TURN_US;
        }
    }
    Lateness::default()
}

/// Plays all sections at once until each has been measured.
#[expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "ggrs reads the wall clock, so this is in real time")]
fn play(sections: &mut [Section], options: &Options) -> Lateness {
    let start = std::time::Instant::now();
    let now_us = || u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    let (mut lateness, mut due_us, mut told_s) = (Lateness::default(), 0, 0);
    while sections.iter().any(|section| !section.is_done()) {
        let now = now_us();
        if now < due_us {
            std::thread::sleep(Duration::from_micros(due_us - now));
        }
        let late_us = now_us().saturating_sub(due_us);
        lateness.turns += 1;
        lateness.late_turns += u64::from(late_us > LATE_US);
        lateness.most_us = lateness.most_us.max(late_us);
        for section in sections.iter_mut().filter(|section| !section.is_done()) {
            // Read anew for each, as each program would.
            section.turn(now_us(), options.seconds * 1_000_000);
        }
        due_us = (due_us + TURN_US).max(now_us().saturating_sub(TURN_US));
        if now / 5_000_000 > told_s {
            told_s = now / 5_000_000;
            let measuring = sections.iter().filter(|section| section.is_measuring()).count();
            let done = sections.iter().filter(|section| section.is_done()).count();
            eprintln!("{:4} s: {measuring} are measured, {done} of {} done", told_s * 5, sections.len());
        }
    }
    lateness
}
