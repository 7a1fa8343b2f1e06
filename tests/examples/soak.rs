//! `cargo run --release -p snapback-tests --example soak`: many matches under every fault that a network
//! and a machine have, each from a seed, on virtual time.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to people")]

use snapback_harness::soak::{self, Tally};
use std::io::{IsTerminal, Write};
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const HELP: &str = "\
Plays matches of at least 600 frames on virtual time, each under faults that its seed draws: loss up to
40 %, bursts, one way or both dead, reorder, doubles, clocks that run fast, slow or leap, programs that are
suspended or do not tick, input delays that change, games that break. Every confirmed frame of every peer is
compared with a straight replay of its inputs, and every match must end: by its last frame, or by a type.

usage: cargo run --release -p snapback-tests --example soak -- [OPTIONS]

  --matches N    how many, one from each seed [default: 100000]
  --first SEED   the first seed [default: 0]
  --threads N    how many at once [default: as many as there are cores]
  --json         the tally as one JSON line
  --help         this

It prints how often each transition of the session's state machine was taken, and fails (exit code 1) at the
first match that is not as it must be, or if a transition was never taken. One seed alone:
  SNAPBACK_SEED=17 cargo test -p snapback-tests --test soak one_seed
";

struct Options {
    matches: u64,
    first: u64,
    threads: usize,
    json: bool,
}

fn options() -> Result<Option<Options>, String> {
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let mut options = Options { matches: 100_000, first: 0, threads, json: false };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let mut number = || -> Result<u64, String> {
            let value = given.next().ok_or_else(|| format!("{name} wants a number: see --help"))?;
            value.parse().map_err(|_| format!("{name} wants a whole number and not {value}: see --help"))
        };
        match name.as_str() {
            "--matches" => options.matches = number()?,
            "--first" => options.first = number()?,
            "--threads" => options.threads = usize::try_from(number()?.clamp(1, 256)).unwrap_or(1),
            "--json" => options.json = true,
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("there is no option {name}: see --help")),
        }
    }
    Ok(Some(options))
}

fn main() -> ExitCode {
    match options() {
        Ok(Some(options)) => run(&options),
        Ok(None) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> ExitCode {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let (tally, failure) = (Mutex::new(Tally::default()), Mutex::new(None::<(u64, String)>));
    std::thread::scope(|scope| {
        for _ in 0..options.threads {
            scope.spawn(|| {
                let mut own = Tally::default();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= options.matches || failure.lock().is_ok_and(|failure| failure.is_some()) {
                        break;
                    }
                    let seed = options.first.saturating_add(number);
                    let played = std::panic::catch_unwind(AssertUnwindSafe(|| soak::play(seed, &mut own)));
                    let result = played.unwrap_or_else(|_| Err("it panicked".to_owned()));
                    if let (Err(error), Ok(mut failure)) = (result, failure.lock()) {
                        failure.get_or_insert((seed, error));
                    }
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1, options.matches);
                }
                if let Ok(mut tally) = tally.lock() {
                    tally.add(&own);
                }
            });
        }
    });
    let (tally, failure) = (tally.into_inner().unwrap_or_default(), failure.into_inner().unwrap_or_default());
    report(options, &tally, failure)
}

/// A line that is drawn anew on a terminal, and a few lines in a log.
fn progress(done: u64, all: u64) {
    let is_terminal = std::io::stderr().is_terminal();
    let every = if is_terminal { (all / 200).max(1) } else { (all / 10).max(1) };
    if done.is_multiple_of(every) {
        eprint!("{}{done} of {all} matches{}", if is_terminal { "\r" } else { "" }, if is_terminal { "" } else { "\n" });
        let _ = std::io::stderr().flush();
        if is_terminal && done == all {
            eprintln!();
        }
    }
}

fn report(options: &Options, tally: &Tally, failure: Option<(u64, String)>) -> ExitCode {
    if options.json {
        match serde_json::to_string(tally) {
            Ok(line) => println!("{line}"),
            Err(error) => eprintln!("{error}"),
        }
    } else {
        print!("{tally}");
    }
    if let Some((seed, error)) = failure {
        eprintln!("seed {seed}: {error}");
        eprintln!("replay with SNAPBACK_SEED={seed} cargo test -p snapback-tests --test soak one_seed");
        return ExitCode::FAILURE;
    }
    let untaken = tally.untaken();
    for row in &untaken {
        eprintln!("no match has taken {row}: the faults prove too little");
    }
    if untaken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
