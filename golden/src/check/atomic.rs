//! [`write_atomically`]: a file is there as a whole or not at all.

use core::sync::atomic::{AtomicU32, Ordering};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes a file beside the place and renames it, so that whoever looks, and whatever goes wrong,
/// finds the old file or the new one. The file that a link leads to is replaced, not the link; its
/// permissions stay. What is there and no file, such as `/dev/null` or a pipe, is written to as it is.
///
/// # Errors
/// If the file cannot be written; then nothing has changed.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let before = std::fs::metadata(path).ok();
    if before.as_ref().is_some_and(|before| !before.is_file() && !before.is_dir()) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (mut file, temporary) = create_beside(&path)?;
    let permitted = before.map_or(Ok(()), |before| file.set_permissions(before.permissions()));
    let written = permitted.and_then(|()| file.write_all(bytes)).and_then(|()| file.sync_all());
    drop(file);
    let renamed = written.and_then(|()| std::fs::rename(&temporary, &path));
    if renamed.is_err() {
        // The error at hand says more than one about the rest of it would.
        let _ = std::fs::remove_file(&temporary);
    }
    renamed
}

/// A new file in the same folder. Two checks at once must not write into one file, not even from two
/// containers that have the same process id; and the name is short, because that of the replay may
/// be as long as names can be.
fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let name = format!(".snapback-{}-{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let temporary = path.with_file_name(name);
        match File::create_new(&temporary) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            created => return created.map(|file| (file, temporary)),
        }
    }
}
