//! [`write_atomically`]: a file is there as a whole or not at all.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file beside the place and renames it, so that whoever looks, and whatever goes wrong,
/// finds the old file or the new one.
///
/// # Errors
/// If the file cannot be written; then nothing has changed.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    // Two checks at once must not write into one file.
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = std::fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| std::fs::rename(&temporary, path));
    if renamed.is_err() {
        // The error at hand says more than one about the rest of it would.
        let _ = std::fs::remove_file(&temporary);
    }
    renamed
}
