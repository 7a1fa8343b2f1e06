//! [`read_file`]: the bytes of what should be a replay, and little of anything else.

use crate::format::MAGIC;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads a file that should be a replay. Of one that does not begin like a replay only the beginning
/// is read, whatever its size: enough for an error that says so.
///
/// # Errors
/// If it cannot be read, or is no file: a pipe would be waited for, and a device may never end.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_from(open(path)?)
}

/// The same for a path that somebody has written out, which may be a pipe: `<(git show HEAD~1:a.snbk)`.
///
/// # Errors
/// If it cannot be read.
pub fn read_file_or_pipe(path: &Path) -> io::Result<Vec<u8>> {
    read_from(File::open(path)?)
}

/// Opens a file, and nothing else.
pub(super) fn open(path: &Path) -> io::Result<File> {
    // Asked before, because opening a pipe waits for its other end.
    let metadata = std::fs::metadata(path)?;
    if metadata.is_file() { File::open(path) } else { Err(io::Error::other("it is not a regular file")) }
}

fn read_from(mut file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    (&mut file).take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes == MAGIC {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
