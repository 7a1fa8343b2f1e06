//! The runner: every target over its corpus and any number of seeded mutations.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a fuzzer that cannot run stops")]

use clap::{Parser, ValueEnum};
use serde::Serialize;
use snapback_fuzz::fuzz::{Failure, Fuzzer, Tally};
use snapback_fuzz::minimize::minimized;
use snapback_fuzz::run::try_run;
use snapback_fuzz::{Case, TARGETS, Target, corpus, targets};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[allow(clippy::disallowed_types, reason = "a program owns its clock")]
type Clock = std::time::Instant;

/// Feeds everything in Snapback that reads bytes of strangers with bytes that no honest peer sends.
///
/// Nothing may panic, hold more memory than its target allows, or run without end. Each target starts
/// from its stored inputs (tests/fuzz/corpus/TARGET) and mutates them by a seed: the same seed gives
/// the same inputs. An input that fails is written to a file, with the command that runs it again.
#[derive(Parser, Debug)]
#[command(name = "snapback-fuzz", max_term_width = 100, after_help = after_help())]
struct Options {
    /// Targets to run [default: all]
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,

    /// Inputs for each target; each holds up to 512 datagrams
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    inputs: u64,

    /// What decides every mutation
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Stop each target after so many seconds, however many inputs that were
    #[arg(long, value_name = "T")]
    seconds: Option<u64>,

    /// Take more inputs to start from out of this folder, such as those that libFuzzer found
    #[arg(long, value_name = "FOLDER")]
    also: Option<PathBuf>,

    /// Run the one input in this file and stop
    #[arg(long, value_name = "FILE", conflicts_with_all = ["minimize", "make_seeds", "inputs", "seconds"])]
    replay: Option<PathBuf>,

    /// Make the failing input in this file smaller, into FILE.min
    #[arg(long, value_name = "FILE", conflicts_with_all = ["make_seeds", "inputs", "seconds"])]
    minimize: Option<PathBuf>,

    /// Write the inputs of honest runs into the corpus and stop
    #[arg(long)]
    make_seeds: bool,

    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// A table
    Human,
    /// One JSON object
    Json,
}

fn after_help() -> String {
    let width = TARGETS.iter().map(|target| target.name.len()).max().unwrap_or(0);
    let list: Vec<String> = TARGETS.iter().map(|target| format!("  {:width$}  {}", target.name, target.about)).collect();
    format!(
        "Targets:\n{}\n\nExamples:\n  \
         cargo run --release -p snapback-fuzz                                  every target, a few seconds\n  \
         cargo run --release -p snapback-fuzz -- peer --inputs 1000000         one target for long\n  \
         cargo run --release -p snapback-fuzz -- peer --replay FILE            a failure once more\n  \
         cargo run --release -p snapback-fuzz -- peer --minimize FILE          and what of it matters\n\n\
         An input is a row of steps: an action (1 byte), a length (2), so many bytes. What the actions are\n\
         stands at the top of tests/fuzz/src/targets/TARGET.rs. Exit code: 0 if nothing failed, 1 if\n\
         something did, 2 if the options are wrong.",
        list.join("\n")
    )
}

/// No input takes as long as this, unless it has no end.
const STUCK_AFTER: Duration = Duration::from_secs(60);

/// What the watchdog knows of the input that runs.
#[derive(Default)]
struct Watched {
    running: Mutex<Option<(Clock, &'static str, Vec<u8>)>>,
}

#[derive(Serialize)]
struct Row {
    target: &'static str,
    #[serde(flatten)]
    tally: Tally,
    seconds: u64,
    failures: Vec<Failed>,
}

#[derive(Serialize)]
struct Failed {
    text: String,
    file: PathBuf,
    again: String,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let mut chosen = Vec::new();
    for name in &options.targets {
        match targets::find(name) {
            Some(target) => chosen.push(target),
            None => {
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                eprintln!("error: there is no target {name:?}; use one of {}", names.join(", "));
                return ExitCode::from(2);
            }
        }
    }
    if chosen.is_empty() {
        chosen = TARGETS.iter().collect();
    }
    if let Some(file) = options.replay.as_ref().or(options.minimize.as_ref()) {
        let [target] = chosen[..] else {
            eprintln!("error: name the one target that {} is for", file.display());
            return ExitCode::from(2);
        };
        let input = match std::fs::read(file) {
            Ok(input) => input,
            Err(error) => {
                eprintln!("error: {} cannot be read: {error}", file.display());
                return ExitCode::from(2);
            }
        };
        return if options.replay.is_some() { replay(target, &input) } else { minimize(target, file, &input) };
    }
    if options.make_seeds {
        for target in chosen {
            println!("{}: {} inputs", target.name, corpus::store_seeds(target).expect("the corpus can be written"));
        }
        return ExitCode::SUCCESS;
    }
    std::panic::set_hook(Box::new(|_| {}));
    let watched = Arc::new(Watched::default());
    watch(Arc::clone(&watched));
    let rows: Vec<Row> = chosen.into_iter().map(|target| fuzz(target, &options, &watched)).collect();
    show(&rows, &options);
    ExitCode::from(u8::from(rows.iter().any(|row| row.tally.panics > 0)))
}

fn replay(target: &Target, input: &[u8]) -> ExitCode {
    for (number, step) in Case::read(input).steps.iter().enumerate() {
        println!("step {number}: action {:#04x}, {} bytes", step.action, step.bytes.len());
    }
    match try_run(target, input) {
        Ok(ran) => {
            println!("nothing failed: {} datagrams, {} bytes held at most", ran.datagrams, ran.peak_bytes);
            ExitCode::SUCCESS
        }
        Err(text) => {
            println!("failed: {text}");
            ExitCode::from(1)
        }
    }
}

fn minimize(target: &Target, file: &Path, input: &[u8]) -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let Err(text) = try_run(target, input) else {
        println!("{} does not fail", file.display());
        return ExitCode::from(2);
    };
    // Numbers in it may change while it is the same failure.
    let kind = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).take(60).collect::<String>();
    let smaller = minimized(input, |input| try_run(target, input).is_err_and(|other| kind(&other) == kind(&text)));
    let to = file.with_extension("min");
    std::fs::write(&to, &smaller).expect("the folder of the input can be written");
    println!("{} bytes instead of {}: {}\nit fails with: {text}", smaller.len(), input.len(), to.display());
    ExitCode::SUCCESS
}

fn fuzz(target: &'static Target, options: &Options, watched: &Watched) -> Row {
    #[allow(clippy::disallowed_methods, reason = "a program owns its clock")]
    let start = Clock::now();
    let mut stored = corpus::load(target).expect("the corpus can be read");
    if let Some(also) = &options.also {
        stored.extend(corpus::load_from(&also.join(target.name)).expect("the other corpus can be read"));
    }
    let mut fuzzer = Fuzzer::new(target, stored.into_iter().map(|(_, input)| input).collect(), options.seed);
    let mut failures = Vec::new();
    while fuzzer.tally().inputs < options.inputs && options.seconds.is_none_or(|most| start.elapsed().as_secs() < most) {
        let input = fuzzer.next_input();
        #[allow(clippy::disallowed_methods, reason = "a program owns its clock")]
        watched.running.lock().unwrap().replace((Clock::now(), target.name, input.clone()));
        if let Err(failure) = fuzzer.run(&input)
            && failures.len() < 10
        {
            failures.push(failed(target, failure));
        }
    }
    watched.running.lock().unwrap().take();
    Row { target: target.name, tally: fuzzer.tally().clone(), seconds: start.elapsed().as_secs(), failures }
}

fn failed(target: &Target, Failure { text, input }: Failure) -> Failed {
    let file = keep(target.name, &input);
    let again = format!("cargo run --release -p snapback-fuzz -- {} --replay {}", target.name, file.display());
    eprintln!("{}: {text}\n  replay it: {again}", target.name);
    Failed { text, file, again }
}

/// Writes an input that fails.
fn keep(target: &str, input: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join("snapback-fuzz");
    std::fs::create_dir_all(&folder).expect("there is room for failing inputs");
    let file = folder.join(format!("{target}-{:08x}.bin", crc32fast::hash(input)));
    std::fs::write(&file, input).expect("there is room for failing inputs");
    file
}

/// Ends the program if an input does not come to an end.
fn watch(watched: Arc<Watched>) {
    #[allow(clippy::disallowed_methods, reason = "nothing else can notice a loop without end")]
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let running = watched.running.lock().unwrap();
            if let Some((since, target, input)) = running.as_ref()
                && since.elapsed() > STUCK_AFTER
            {
                let file = keep(target, input);
                eprintln!("{target}: no end after {} s\n  the input: {}", STUCK_AFTER.as_secs(), file.display());
                std::process::exit(1);
            }
        }
    });
}

fn show(rows: &[Row], options: &Options) {
    if options.format == Format::Json {
        let all = serde_json::json!({ "seed": options.seed, "targets": rows });
        println!("{}", serde_json::to_string_pretty(&all).unwrap());
        return;
    }
    println!("{:<10} {:>10} {:>12} {:>14} {:>8} {:>8}", "target", "inputs", "datagrams", "peak bytes", "panics", "seconds");
    for Row { target, tally, seconds, .. } in rows {
        let Tally { inputs, datagrams, peak_bytes, panics } = tally;
        println!("{target:<10} {inputs:>10} {datagrams:>12} {peak_bytes:>14} {panics:>8} {seconds:>8}");
    }
    let sum = |of: fn(&Tally) -> u64| rows.iter().map(|row| of(&row.tally)).sum::<u64>();
    let peak = rows.iter().map(|row| row.tally.peak_bytes).max().unwrap_or(0);
    println!("{:<10} {:>10} {:>12} {peak:>14} {:>8}", "all", sum(|t| t.inputs), sum(|t| t.datagrams), sum(|t| t.panics));
}
