//! Running the command and looking at what comes out.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

/// How a run ended.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// The report, which is alone on stdout.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }

    /// The last line of stderr, which says what went wrong.
    pub(crate) fn error(&self) -> &str {
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self.err.lines().last().unwrap_or_default()
    }
}

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_snapback"));
    command.args(args).stdin(Stdio::null());
    command
}

/// Runs the command to its end.
pub(crate) fn snapback(args: &[&str]) -> Run {
    let output = command(args).output().expect("the command starts");
    Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

/// Runs the command to its end, with `lines` on its stdin.
pub(crate) fn snapback_saying(args: &[&str], lines: &str) -> Run {
    let mut command = command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // One that ends with an error may not have read it.
    let _ = child.stdin.take().expect("a pipe").write_all(lines.as_bytes());
    let output = child.wait_with_output().expect("an end");
    Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

/// Runs the command in a folder, with these variables in the environment and none that says it is CI
/// or which shard it is.
pub(crate) fn snapback_in(folder: &Path, variables: &[(&str, &str)], args: &[&str]) -> Run {
    let mut command = command(args);
    for variable in ["CI", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", "AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE"] {
        command.env_remove(variable);
    }
    let output = command.envs(variables.iter().copied()).current_dir(folder).output().expect("the command starts");
    Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

/// A host that has printed its ticket.
pub(crate) struct Host {
    pub(crate) child: Child,
    stdout: BufReader<ChildStdout>,
    stderr: BufReader<ChildStderr>,
    /// That of player 1.
    pub(crate) ticket: String,
    /// All of them, by player.
    pub(crate) tickets: Vec<String>,
}

impl Host {
    pub(crate) fn start(args: &[&str]) -> Self {
        Self::start_saying(args, "")
    }

    /// One that is told `lines` on its stdin.
    pub(crate) fn start_saying(args: &[&str], lines: &str) -> Self {
        let mut all = vec!["host"];
        all.extend(args);
        let mut command = command(&all);
        if !lines.is_empty() {
            command.stdin(Stdio::piped());
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(lines.as_bytes()).expect("a pipe");
        }
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let players = args.iter().position(|arg| *arg == "--players").map_or(2, |at| args[at + 1].parse().expect("a number"));
        let count = if args.contains(&"--insecure-lan") { 1 } else { players - 1 };
        let mut tickets = Vec::new();
        while tickets.len() < count {
            let mut line = String::new();
            if args.contains(&"json") {
                stderr.read_line(&mut line).expect("a line");
            } else {
                stdout.read_line(&mut line).expect("a line");
            }
            let ticket = line.split_whitespace().find(|word| word.starts_with("snapback2,"));
            tickets.push(ticket.unwrap_or_else(|| panic!("no ticket but {line:?}")).to_owned());
        }
        Self { child, stdout, stderr, ticket: tickets[0].clone(), tickets }
    }

    /// Sends it a signal, such as `-TERM`.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: &str) {
        assert!(Command::new("kill").args([signal, &self.child.id().to_string()]).status().expect("kill").success());
    }

    /// Waits for its end. `out` is without the ticket.
    pub(crate) fn finish(mut self) -> Run {
        let (mut out, mut err) = (String::new(), String::new());
        self.stdout.read_to_string(&mut out).expect("text");
        self.stderr.read_to_string(&mut err).expect("text");
        Run { code: self.child.wait().expect("an end").code(), out, err }
    }
}

/// Writes a file for the test `name`.
pub(crate) fn file(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("a file");
    path.display().to_string()
}

/// A file of recorded inputs for two players at ports 2 and 5 who hold buttons for a while.
pub(crate) fn recording(name: &str) -> String {
    const FRAMES: usize = 137;
    let header = format!(r#"{{"frames":{FRAMES},"players":2,"ports":[2,5]}}"#);
    let mut bytes = b"H6FG0001".to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(header.as_bytes());
    for frame in 0..FRAMES {
        let held = [8, 8, 8 | 16, 16, 0, 4, 32, 8, 256, 8 | 1, 8 | 16];
        for (port, speed) in [(0, 5), (1, 7)] {
            let buttons: u16 = held[(frame / speed + 3 * port) % held.len()];
            // The second player walks the other way.
            let mirrored = buttons & !12 | (buttons & 4) << 1 | (buttons & 8) >> 1;
            bytes.extend(if port == 0 { buttons } else { mirrored }.to_le_bytes());
        }
    }
    file(name, &bytes)
}

/// A folder for the test `name` with the default frame data, one file of it changed.
pub(crate) fn frame_data(name: &str, number: usize, change: impl FnOnce(&str) -> String) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut files = snapback::sim::WorldData::default_files();
    let changed = change(&files[number].text);
    assert_ne!(changed, files[number].text);
    files[number].text = changed;
    for file in files {
        std::fs::write(folder.join(file.name), file.text).expect("a file");
    }
    folder.display().to_string()
}
