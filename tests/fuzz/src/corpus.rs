//! The stored inputs: `corpus/TARGET/NAME.bin`.

use crate::targets::Target;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of a target.
#[must_use]
pub fn folder(target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name)
}

/// Every stored input of a target, by name.
///
/// # Errors
/// If the folder cannot be read.
pub fn load(target: &Target) -> io::Result<Vec<(String, Vec<u8>)>> {
    load_from(&folder(target))
}

/// Every input in a folder, by name; none if there is no such folder.
///
/// # Errors
/// If the folder cannot be read.
pub fn load_from(folder: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut inputs = Vec::new();
    if folder.is_dir() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            inputs.push((name, std::fs::read(&path)?));
        }
    }
    inputs.sort();
    Ok(inputs)
}

/// Writes the inputs that honest runs give, beside those that are stored already.
///
/// # Errors
/// If they cannot be written.
pub fn store_seeds(target: &Target) -> io::Result<usize> {
    let folder = folder(target);
    std::fs::create_dir_all(&folder)?;
    let seeds = (target.seeds)();
    for (name, case) in &seeds {
        std::fs::write(folder.join(format!("seed-{name}.bin")), case.to_bytes())?;
    }
    Ok(seeds.len())
}
