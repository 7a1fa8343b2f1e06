//! `cargo run --release -p snapback-rewind-tests --example differential`: random scenes, each from a
//! seed, in which an engine must answer as the reference does.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to people")]

use snapback_rewind_tests::compare::{Difference, Digesting, Engine, ReferenceEngine, Tally, compare};
use snapback_rewind_tests::engine::RewindEngine;
use snapback_rewind_tests::scene::Load;
use std::process::ExitCode;

const HELP: &str = "\
Asks random questions about random pasts, and fires random shots into them. Stops (exit code 1) at the first
answer that is not the reference's, bit for bit.

usage: cargo run --release -p snapback-rewind-tests --example differential -- [OPTIONS]

  --engine ENGINE         rewind or reference (against itself, to measure it) [default: rewind]
  --late-us N             every shot's view delay is off by this: a planted fault [default: 0]
  --digest                also prints the CRC-32 of all answers
  --queries N             at least so many questions [default: 1000000]
  --catchups N            at least so many shots [default: 100000]
  --seed SEED             the first seed [default: 0]
  --scenes N              so many scenes, whatever they hold
  --questions-per-tick N  after each tick of a scene [default: 20]
  --shots-per-tick N      after each tick of a scene [default: 2]
  --help                  this
";

struct Options {
    is_real: bool,
    late_us: u64,
    digest: bool,
    queries: u64,
    catchups: u64,
    seed: u64,
    scenes: Option<u64>,
    load: Load,
}

fn options() -> Result<Option<Options>, String> {
    let load = Load { questions_per_tick: 20, shots_per_tick: 2 };
    let mut options =
        Options { is_real: true, late_us: 0, digest: false, queries: 1_000_000, catchups: 100_000, seed: 0, scenes: None, load };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        match name.as_str() {
            "--digest" => {
                options.digest = true;
                continue;
            }
            "--engine" => {
                options.is_real = match given.next().as_deref() {
                    Some("rewind") => true,
                    Some("reference") => false,
                    _ => return Err("--engine is rewind or reference: see --help".to_owned()),
                };
                continue;
            }
            _ => {}
        }
        let mut number = || -> Result<u64, String> {
            let value = given.next().ok_or_else(|| format!("{name} wants a number: see --help"))?;
            value.parse().map_err(|_| format!("{name} wants a whole number and not {value}: see --help"))
        };
        let small = |number: u64| usize::try_from(number.min(1_000_000)).unwrap_or_default();
        match name.as_str() {
            "--late-us" => options.late_us = number()?,
            "--queries" => options.queries = number()?,
            "--catchups" => options.catchups = number()?,
            "--seed" => options.seed = number()?,
            "--scenes" => options.scenes = Some(number()?),
            "--questions-per-tick" => options.load.questions_per_tick = small(number()?),
            "--shots-per-tick" => options.load.shots_per_tick = small(number()?),
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("there is no option {name}: see --help")),
        }
    }
    Ok(Some(options))
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    let done = if options.is_real {
        let late_us = i32::try_from(options.late_us).unwrap_or(i32::MAX);
        run(&options, RewindEngine::with_late_shots(late_us))
    } else {
        run(&options, ReferenceEngine::default())
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(difference) => {
            eprintln!("{difference}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options, engine: impl Engine) -> Result<(), Box<Difference>> {
    let mut engine = Digesting { engine, crc: 0 };
    let mut tally = Tally::default();
    let mut scenes = 0;
    let is_enough = |tally: &Tally, scenes: u64| match options.scenes {
        Some(wanted) => scenes >= wanted,
        None => tally.questions() >= options.queries && tally.shots() >= options.catchups,
    };
    while !is_enough(&tally, scenes) {
        tally.add(&compare(options.seed + scenes, options.load, &mut engine)?);
        scenes += 1;
        if scenes.is_multiple_of(50) {
            eprintln!("{scenes} scenes, {} questions, {} shots", tally.questions(), tally.shots());
        }
    }
    println!("{scenes} scenes, {} questions and {} shots, all alike", tally.questions(), tally.shots());
    println!("{tally:?}");
    if options.digest {
        println!("digest {:08x}", engine.crc);
    }
    Ok(())
}
