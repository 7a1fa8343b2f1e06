//! `snapback-golden-digest PATH...`: plays replay files, or all of a folder, one after another, and
//! prints `name frames digest verdict` for each, the controls, and one digest over all. The exit
//! code is that of [`List::code`].

use snapback_golden_digest::{Line, List, control};
use snapback_sim::WorldData;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(4)
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let mut files = Vec::new();
    for path in std::env::args_os().skip(1) {
        add(Path::new(&path), &mut files).map_err(|error| format!("{}: {error}", Path::new(&path).display()))?;
    }
    let mut out = std::io::stdout().lock();
    let written = |error| format!("the result cannot be written: {error}");
    let data: Arc<WorldData> = Arc::default();
    let mut list = List::default();
    for path in files {
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let line = Line::of(&name, bytes, &data);
        list.add(&line);
        writeln!(out, "{line}").map_err(written)?;
    }
    let memory = control::memory().ok_or("the world does not start")?;
    writeln!(out, "control-f32 {:08x}\ncontrol-memory {memory:08x}\n{list}", control::float()).map_err(written)?;
    Ok(ExitCode::from(list.code()))
}

/// A file, or the replays of a folder by name: the same order on every machine.
fn add(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut found = Vec::new();
    for entry in path.read_dir()? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "snbk") {
            found.push(path);
        }
    }
    found.sort();
    files.append(&mut found);
    Ok(())
}
