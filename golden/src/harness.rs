//! One test per replay under `cargo test` (feature `harness`), for any [`Simulation`].
//!
//! `Cargo.toml` of the game:
//! ```toml
//! [dev-dependencies]
//! snapback-golden = { version = "0.1", features = ["harness"] }
//!
//! [[test]]
//! name = "golden"
//! harness = false
//! ```
//! `tests/golden.rs`, with replays in the folder `golden` beside `Cargo.toml`:
//! ```ignore
//! snapback_golden::replay_tests!("golden", |_| Ok(my_game::Game::new()));
//! ```
//! A replay that plays differently fails with the frame, the fields and both values. Outside of CI
//! it also leaves the match as it plays now beside the replay, as `NAME.snbk.new`: whoever wants the
//! change accepts it with `snapback golden accept NAME --reason TEXT`, which knows every game's files. In CI (the variable `CI` is set), or with
//! `SNAPBACK_GOLDEN=check`, nothing is ever written.

mod report;

use crate::check::{EXTENSION, PENDING_EXTENSION, is_ci, quoted, read_file, write_atomically};
use crate::format::ReplayMeta;
use crate::{GoldenReplay, Verdict, rerecord, verify};
use core::fmt::Display;
use libtest_mimic::{Arguments, Failed, Trial};
use report::{Advice, no_replays};
use snapback_core::Simulation;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Which test of which package runs, for the command that runs it again. [`replay_tests!`] fills it in.
///
/// [`replay_tests!`]: crate::replay_tests
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TestTarget {
    /// The name of the package.
    pub package: &'static str,
    /// The name of the test.
    pub test: &'static str,
    /// The folder of `Cargo.toml`, which the folder of the replays is in.
    pub root: &'static str,
}

/// The `main` of a test that plays every replay in a folder, and in the folders inside it: one test
/// for each, named like the file without `.snbk`.
///
/// The folder is relative to `Cargo.toml`. The closure makes the game for a replay's
/// [`ReplayMeta`], or says why it cannot, as text. No replay at all fails, and a damaged one too.
///
/// ```no_run
/// # use snapback_core::*;
/// # use snapback_core::state::pod;
/// # struct Race(u64);
/// # impl Simulation for Race {
/// #     type Input = u8;
/// #     fn id(&self) -> SimulationId { SimulationId { name: "race", version: 1 } }
/// #     fn layout(&self) -> StateLayout { StateLayout::of::<u64>() }
/// #     fn reset(&mut self, _: u64, _: usize) -> Result<(), ResetError> { self.0 = 0; Ok(()) }
/// #     fn step(&mut self, _: Frame, inputs: &FrameInputs<'_, u8>, _: &mut Effects) {
/// #         self.0 = self.0.wrapping_add(inputs.input(PlayerHandle::new(0)).into());
/// #     }
/// #     fn capture(&self, out: &mut [u8]) { pod::capture(&self.0, out) }
/// #     fn restore(&mut self, snapshot: &[u8]) -> Result<(), InvalidState> { pod::restore(&mut self.0, snapshot) }
/// # }
/// snapback_golden::replay_tests!("golden", |_| Ok(Race(0)));
/// ```
#[macro_export]
macro_rules! replay_tests {
    ($directory:expr, $make:expr $(,)?) => {
        fn main() -> ::std::process::ExitCode {
            let target = $crate::harness::TestTarget {
                package: env!("CARGO_PKG_NAME"),
                test: env!("CARGO_CRATE_NAME"),
                root: env!("CARGO_MANIFEST_DIR"),
            };
            $crate::harness::run(target, $directory, $make)
        }
    };
}

/// What [`replay_tests!`](crate::replay_tests) does.
pub fn run<S: Simulation + 'static>(
    target: TestTarget,
    directory: impl AsRef<Path>,
    make: impl Fn(&ReplayMeta) -> Result<S, String> + Send + Sync + 'static,
) -> ExitCode {
    libtest_mimic::run(&Arguments::from_args(), trials(target, directory, make)).exit_code()
}

/// The tests of [`run`], to run together with others.
pub fn trials<S: Simulation + 'static>(
    target: TestTarget,
    directory: impl AsRef<Path>,
    make: impl Fn(&ReplayMeta) -> Result<S, String> + Send + Sync + 'static,
) -> Vec<Trial> {
    let directory = directory.as_ref();
    // Cargo says where the package is now; the binary may have been built elsewhere.
    let root = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(target.root), PathBuf::from);
    let mut names = Vec::new();
    let found = find(&root.join(directory), "", &mut names);
    if names.is_empty() || found.is_err() {
        let text = no_replays(directory, target, found.err());
        return vec![Trial::test("replays", move || Err(Failed::from(text)))];
    }
    names.sort();
    let make = Arc::new(make);
    let trial = |name: String| {
        let (make, shown) = (Arc::clone(&make), directory.join(format!("{name}.{EXTENSION}")));
        let (path, again) = (root.join(&shown), target.command(&name));
        Trial::test(name, move || check(&path, &shown, Some(again), &*make).map_err(Failed::from))
    };
    names.into_iter().map(trial).collect()
}

/// Plays the replay at `path` on the simulation that `make` makes of its meta block: what every test
/// of [`replay_tests!`](crate::replay_tests) does, and as it does leaves a `.snbk.new` behind.
///
/// # Errors
/// If the file is damaged, or the game gives another state: all that is known about it, as text of
/// several lines.
pub fn check_replay<S: Simulation>(path: impl AsRef<Path>, make: impl Fn(&ReplayMeta) -> Result<S, String>) -> Result<(), String> {
    let path = path.as_ref();
    check(path, path, None, &make)
}

fn check<S: Simulation>(
    path: &Path,
    shown: &Path,
    again: Option<String>,
    make: &impl Fn(&ReplayMeta) -> Result<S, String>,
) -> Result<(), String> {
    let problem = |error: &dyn Display| format!("{}: {error}", shown.display());
    let writes = writes(std::env::var_os("SNAPBACK_GOLDEN"), std::env::var_os("CI"))?;
    let bytes = read_file(path).map_err(|error| problem(&error))?;
    let replay = GoldenReplay::read(bytes).map_err(|error| problem(&error))?;
    replay.check().map_err(|error| problem(&error))?;
    if replay.frame_count() == 0 {
        return Err(problem(&"it has no frames and so proves nothing; record it anew or delete it"));
    }
    let verified = verify(&replay, make).map_err(|error| problem(&error))?;
    let advice = |written| Advice { shown, again: again.as_deref(), written };
    match verified.verdict {
        Verdict::Same => Ok(()),
        Verdict::Unstable { frame, first, second } => Err(advice(None).unstable(frame, first, second)),
        Verdict::Diverged(divergence) => {
            let written = writes.then(|| leave_pending(path, &replay, make));
            Err(advice(written).diverged(&verified.changes, &divergence))
        }
    }
}

/// Whether a match that plays differently may be left beside its replay.
fn writes(setting: Option<OsString>, ci: Option<OsString>) -> Result<bool, String> {
    let is_ci = is_ci(ci.map(|value| value.to_string_lossy().into_owned()).as_deref());
    match setting.as_ref().map(|setting| setting.to_str()) {
        None | Some(Some("" | "pending")) => Ok(!is_ci),
        Some(Some("check")) => Ok(false),
        Some(_) => Err(format!("SNAPBACK_GOLDEN is {}; set it to pending or to check", setting.unwrap_or_default().display())),
    }
}

fn leave_pending<S: Simulation>(path: &Path, replay: &GoldenReplay, make: impl Fn(&ReplayMeta) -> Result<S, String>) -> Result<(), String> {
    let bytes = rerecord(replay, make, replay.acceptances()).map_err(|error| error.to_string())?;
    write_atomically(&path.with_extension(PENDING_EXTENSION), &bytes).map_err(|error| error.to_string())
}

/// Links are not followed: they may lead around in circles.
fn find(directory: &Path, prefix: &str, names: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let Some(stem) = Path::new(&name).file_stem() else { continue };
        if entry.file_type()?.is_dir() {
            find(&path, &format!("{prefix}{}/", name.to_string_lossy()), names)?;
        } else if path.extension().is_some_and(|extension| extension == EXTENSION) {
            names.push(format!("{prefix}{}", stem.to_string_lossy()));
        }
    }
    Ok(())
}

impl TestTarget {
    /// The command that runs the test of one replay.
    fn command(self, name: &str) -> String {
        format!("cargo test -p {} --test {} -- --exact {}", self.package, self.test, quoted(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_in_ci_whatever_is_asked_for() {
        let writes = |setting: Option<&str>, ci: Option<&str>| writes(setting.map(Into::into), ci.map(Into::into));
        assert_eq!(writes(None, None), Ok(true));
        assert_eq!(writes(Some("pending"), Some("")), Ok(true));
        assert_eq!(writes(Some("check"), None), Ok(false));
        for ci in ["true", "1", "yes"] {
            assert_eq!((writes(None, Some(ci)), writes(Some("pending"), Some(ci))), (Ok(false), Ok(false)));
        }
        assert_eq!(writes(Some("always"), None), Err("SNAPBACK_GOLDEN is always; set it to pending or to check".to_owned()));
    }
}
