//! What a match leaves in files: whether that is possible, found out before it is played, and what is said
//! if it was not possible in the end.

use crate::cli::PlayOptions;
use crate::error::{CliError, Code};
use crate::out;
use crate::telemetry::kept;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Refuses what cannot be written, by the option that names it, and two options that name one file: the
/// second would destroy what the first wrote. Nothing that is there is touched.
pub(crate) fn check(play: &PlayOptions, desync_dir: Option<&Path>, post_mortems: &[PathBuf]) -> Result<(), CliError> {
    let one = |option, path: &Option<PathBuf>| path.clone().map(|path| (option, path));
    let files: Vec<(&str, PathBuf)> = one("--record", &play.live.record)
        .into_iter()
        .chain(one("--result", &play.live.result))
        .chain(post_mortems.iter().map(|path| ("--postmortem", path.clone())))
        .collect();
    for (option, path) in &files {
        probe_file(path).map_err(|error| failed(option, path, &error))?;
    }
    for (at, (option, path)) in files.iter().enumerate() {
        let same = files.iter().take(at).find(|(_, other)| place(other) == place(path) && !is_special(path));
        if let Some((other, _)) = same {
            return Err(CliError::usage(format_args!("{other} and {option} both name {}; give each a file of its own", path.display())));
        }
    }
    desync_dir.map_or(Ok(()), |folder| probe_folder(folder).map_err(|error| failed("--desync-dir", folder, &error)))
}

/// The post-mortems of a duel, one for each player.
pub(crate) fn post_mortems_of(play: &PlayOptions, players: usize) -> Vec<PathBuf> {
    let file = play.telemetry.postmortem.as_deref();
    file.map_or_else(Vec::new, |file| (0..players).map(|player| kept::of_player(file, player)).collect())
}

/// Says below the report what could not be written. That peers disagree is the worse news.
pub(crate) fn tell(code: Code, unwritten: &[CliError]) -> Code {
    unwritten.iter().for_each(|error| out::note(format_args!("error: {error}")));
    if code == Code::Agreed && !unwritten.is_empty() { Code::Environment } else { code }
}

fn failed(option: &str, path: &Path, error: &io::Error) -> CliError {
    CliError::environment(format_args!("{option}: {} cannot be written: {error}; check the path and its permissions", path.display()))
}

/// A pipe or a device: looking at it may block, and writing to it twice destroys nothing.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|is| !is.is_file() && !is.is_dir())
}

/// Where a file is or would be, however it is written.
pub(crate) fn place(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    std::fs::canonicalize(path)
        .or_else(|_| std::fs::canonicalize(folder_of(path)).map(|folder| folder.join(name)))
        .unwrap_or_else(|_| path.to_owned())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn probe_file(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(_) if is_special(path) => Ok(()),
        Ok(_) => OpenOptions::new().write(true).open(path).map(drop),
        Err(_) => make_and_remove(path),
    }
}

/// The folder need not be there yet: then it must be possible to make it.
fn probe_folder(folder: &Path) -> io::Result<()> {
    let mut at = folder;
    while std::fs::metadata(at).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        at = folder_of(at);
    }
    make_and_remove(&at.join(format!(".snapback-{}.probe", std::process::id())))
}

fn make_and_remove(path: &Path) -> io::Result<()> {
    match File::create_new(path) {
        Ok(_) => std::fs::remove_file(path),
        // A link that leads nowhere yet, or another process that tries the same.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}
