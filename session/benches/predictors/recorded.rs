//! Recorded matches: what each player pressed at every frame, as a session would have played it, the
//! countdown and the wait for the end included.

use crate::pads::Pad;
use serde_json::Value;
use snapback::{SimInput, StateLayout};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Analogue and digital inputs of every `stride`th match, a stream for each player.
pub(crate) fn load(data: &OsStr, stride: usize) -> (Vec<Vec<Pad>>, Vec<Vec<u16>>) {
    let folder = Path::new(data).join("inputs");
    (streams(&folder, "bin", b"H6IN0001", stride), streams(&folder, "fg", b"H6FG0001", stride))
}

fn streams<I: SimInput>(folder: &Path, extension: &str, magic: &[u8; 8], stride: usize) -> Vec<Vec<I>> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    let all = paths.iter().step_by(stride).flat_map(|path| {
        let bytes = std::fs::read(path).unwrap();
        players(&bytes, magic).unwrap_or_else(|| panic!("{} is not what its format says", path.display()))
    });
    // Who never pressed anything did not play.
    all.filter(|stream: &Vec<I>| stream.iter().any(|input| *input != I::zeroed())).collect()
}

/// Magic, the length of a header of JSON, 4 zero bytes, the header, then a record for each player of each
/// frame.
fn players<I: SimInput>(bytes: &[u8], magic: &[u8; 8]) -> Option<Vec<Vec<I>>> {
    let (header_bytes, rest) = bytes.strip_prefix(magic)?.split_first_chunk::<4>()?;
    let (header, records) = rest.get(4..)?.split_at_checked(u32::from_le_bytes(*header_bytes) as usize)?;
    let header: Value = serde_json::from_slice(header).ok()?;
    let player_count = header["players"].as_u64()? as usize;
    let records: Vec<I> = records.chunks_exact(size_of::<I>()).map(decoded).collect::<Option<_>>()?;
    let stream = |player| records.iter().skip(player).step_by(player_count).copied().collect();
    Some((0..player_count).map(stream).collect())
}

/// A record is the canonical encoding of its input.
fn decoded<I: SimInput>(record: &[u8]) -> Option<I> {
    let mut input = I::zeroed();
    StateLayout::of::<I>().decode(record, bytemuck::bytes_of_mut(&mut input)).ok()?;
    Some(input)
}
