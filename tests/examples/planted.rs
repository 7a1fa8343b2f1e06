//! `cargo run --release -p snapback-tests --example planted`: plants each fault in a copy of the workspace
//! and lets the soak find it.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to people")]

use snapback_harness::soak::planted::{FAULTS, Planted};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

const HELP: &str = "\
Plants faults in a copy of the workspace (in the folder planted of the target folder), one by one, and lets
the soak find each: it must fail. Without a fault it must pass. Takes a build for each.

usage: cargo run --release -p snapback-tests --example planted -- [OPTIONS]

  --matches N    how many matches the soak has to find a fault [default: 500]
  --only N       plants only this fault, counted from 1
  --list         only says which faults there are
  --help         this
";

struct Options {
    matches: u64,
    only: Option<usize>,
    list: bool,
}

fn options() -> Result<Option<Options>, String> {
    let mut options = Options { matches: 500, only: None, list: false };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let mut number = || -> Result<u64, String> {
            let value = given.next().ok_or_else(|| format!("{name} wants a number: see --help"))?;
            value.parse().map_err(|_| format!("{name} wants a whole number and not {value}: see --help"))
        };
        match name.as_str() {
            "--matches" => options.matches = number()?,
            "--only" => {
                let only = usize::try_from(number()?).ok().filter(|only| (1..=FAULTS.len()).contains(only));
                options.only = Some(only.ok_or_else(|| format!("there are {} faults, counted from 1", FAULTS.len()))?);
            }
            "--list" => options.list = true,
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("there is no option {name}: see --help")),
        }
    }
    Ok(Some(options))
}

fn main() -> ExitCode {
    match options() {
        Ok(None) => print!("{HELP}"),
        Ok(Some(options)) if options.list => {
            for (number, fault) in (1..).zip(FAULTS) {
                println!("{number:>2}  {} ({})", fault.name, fault.file);
            }
        }
        Ok(Some(options)) => match run(&options) {
            Ok(0) => {}
            Ok(missed) => {
                eprintln!("{missed} of the runs are not as they must be");
                return ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        },
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// How many runs are not as they must be.
fn run(options: &Options) -> Result<usize, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().map_err(|error| error.to_string())?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let copy = target.join("planted");
    copy_sources(&root, &copy)?;
    let soak = |copy: &Path| soak(copy, &target.join("planted-target"), options.matches);
    let mut missed = 0;
    if options.only.is_none() {
        let clean = soak(&copy)?;
        if !clean.status.success() {
            return Err(format!("the soak fails without any fault:\n{}", String::from_utf8_lossy(&clean.stderr)));
        }
        println!(" 0  passes: nothing planted");
    }
    for (number, fault) in (1..).zip(FAULTS) {
        if options.only.is_some_and(|only| only != number) {
            continue;
        }
        let source = plant(&copy, fault)?;
        let found = soak(&copy);
        std::fs::write(copy.join(fault.file), source).map_err(|error| format!("{}: {error}", fault.file))?;
        let (is_found, how) = how_found(&found?);
        println!("{number:>2}  {}: {}{how}", if is_found { "found" } else { "MISSED" }, fault.name);
        missed += usize::from(!is_found);
    }
    Ok(missed)
}

/// Whether the soak itself found it; a copy that does not compile proves nothing.
fn how_found(output: &Output) -> (bool, String) {
    let told = String::from_utf8_lossy(&output.stderr);
    let found = told.lines().find(|line| line.starts_with("seed "));
    match found {
        Some(line) if !output.status.success() => (true, format!("\n    {line}")),
        _ => (false, if output.status.success() { String::new() } else { format!("\n{told}") }),
    }
}

/// Makes the change; returns what stood in the file before.
fn plant(copy: &Path, fault: &Planted) -> Result<String, String> {
    let path = copy.join(fault.file);
    let source = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", fault.file))?;
    if source.matches(fault.from).count() != 1 {
        return Err(format!("{}: there is not exactly one place for \"{}\"", fault.file, fault.name));
    }
    std::fs::write(&path, source.replace(fault.from, fault.to)).map_err(|error| format!("{}: {error}", fault.file))?;
    Ok(source)
}

fn soak(copy: &Path, target: &Path, matches: u64) -> Result<Output, String> {
    let matches = matches.to_string();
    let run = ["run", "--release", "--quiet", "-p", "snapback-tests", "--example", "soak", "--", "--matches", &matches];
    // The one that runs this, if one does: it knows the toolchain.
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(run)
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", target)
        .env("RUSTFLAGS", "-Awarnings")
        .output()
        .map_err(|error| format!("cargo does not run: {error}"))
}

/// Copies every file that is under version control or would be: all but target folders and hidden ones.
fn copy_sources(from: &Path, to: &Path) -> Result<(), String> {
    let told = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(to).map_err(|error| told(to, error))?;
    for entry in std::fs::read_dir(from).map_err(|error| told(from, error))? {
        let entry = entry.map_err(|error| told(from, error))?;
        let (path, name) = (entry.path(), entry.file_name());
        if name == "target" || name.to_string_lossy().starts_with('.') {
            continue;
        }
        let kind = entry.file_type().map_err(|error| told(&path, error))?;
        if kind.is_dir() {
            copy_sources(&path, &to.join(&name))?;
        } else if kind.is_file() {
            let bytes = std::fs::read(&path).map_err(|error| told(&path, error))?;
            // What has not changed is not compiled anew.
            let place = to.join(&name);
            if std::fs::read(&place).ok().as_ref() != Some(&bytes) {
                std::fs::write(&place, bytes).map_err(|error| told(&place, error))?;
            }
        }
    }
    Ok(())
}
