//! `cargo run --release -p snapback-rewind-tests --example differential`: random scenes, each from a
//! seed, in which an engine must answer as the reference does.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to people")]

use snapback_rewind_tests::compare::{ReferenceEngine, Tally, compare};
use snapback_rewind_tests::scene::Load;
use std::process::ExitCode;

const HELP: &str = "\
Asks random questions about random pasts, and fires random shots into them. Stops (exit code 1) at the first
answer that is not the reference's, bit for bit.

usage: cargo run --release -p snapback-rewind-tests --example differential -- [OPTIONS]

  --queries N             at least so many questions [default: 1000000]
  --catchups N            at least so many shots [default: 100000]
  --seed SEED             the first seed [default: 0]
  --scenes N              so many scenes, whatever they hold
  --questions-per-tick N  after each tick of a scene [default: 20]
  --shots-per-tick N      after each tick of a scene [default: 2]
  --help                  this
";

struct Options {
    queries: u64,
    catchups: u64,
    seed: u64,
    scenes: Option<u64>,
    load: Load,
}

fn options() -> Result<Option<Options>, String> {
    let load = Load { questions_per_tick: 20, shots_per_tick: 2 };
    let mut options = Options { queries: 1_000_000, catchups: 100_000, seed: 0, scenes: None, load };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let mut number = || -> Result<u64, String> {
            let value = given.next().ok_or_else(|| format!("{name} wants a number: see --help"))?;
            value.parse().map_err(|_| format!("{name} wants a whole number and not {value}: see --help"))
        };
        let small = |number: u64| usize::try_from(number.min(1_000_000)).unwrap_or_default();
        match name.as_str() {
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
    let mut tally = Tally::default();
    let mut scenes = 0;
    let is_enough = |tally: &Tally, scenes: u64| match options.scenes {
        Some(wanted) => scenes >= wanted,
        None => tally.questions() >= options.queries && tally.shots() >= options.catchups,
    };
    while !is_enough(&tally, scenes) {
        match compare(options.seed + scenes, options.load, &mut ReferenceEngine::default()) {
            Ok(counted) => tally.add(&counted),
            Err(difference) => {
                eprintln!("{difference}");
                return ExitCode::FAILURE;
            }
        }
        scenes += 1;
        if scenes.is_multiple_of(20) {
            eprintln!("{scenes} scenes, {} questions, {} shots", tally.questions(), tally.shots());
        }
    }
    println!("{scenes} scenes, {} questions and {} shots, all alike", tally.questions(), tally.shots());
    println!("{tally:?}");
    ExitCode::SUCCESS
}
