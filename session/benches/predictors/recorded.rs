//! Recorded matches: what each player pressed, from the first frame on which they may act to their last input.

use crate::pads::Pad;
use serde_json::Value;
use snapback::{SimInput, StateLayout};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Who pressed less than this never played.
const SHORTEST_FRAMES: usize = 300;

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
    all.filter(|stream: &Vec<I>| stream.len() >= SHORTEST_FRAMES).collect()
}

/// Magic, the length of a header of JSON, 4 zero bytes, the header, then a record for each player of each
/// frame.
fn players<I: SimInput>(bytes: &[u8], magic: &[u8; 8]) -> Option<Vec<Vec<I>>> {
    let (header_bytes, rest) = bytes.strip_prefix(magic)?.split_first_chunk::<4>()?;
    let (header, records) = rest.get(4..)?.split_at_checked(u32::from_le_bytes(*header_bytes) as usize)?;
    let header: Value = serde_json::from_slice(header).ok()?;
    let player_count = header["players"].as_u64()? as usize;
    // Frames before the game's own frame 0 are a countdown.
    let countdown = header["first_frame"].as_i64().map_or(0, |first| first.min(0).unsigned_abs() as usize);
    let records: Vec<I> = records.chunks_exact(size_of::<I>()).map(decoded).collect::<Option<_>>()?;
    let stream = |player| {
        let mut stream: Vec<I> = records.iter().skip(player).step_by(player_count).skip(countdown).copied().collect();
        let last = stream.iter().rposition(|input| *input != I::zeroed());
        stream.truncate(last.map_or(0, |last| last + 1));
        stream
    };
    Some((0..player_count).map(stream).collect())
}

/// A record is the canonical encoding of its input.
fn decoded<I: SimInput>(record: &[u8]) -> Option<I> {
    let mut input = I::zeroed();
    StateLayout::of::<I>().decode(record, bytemuck::bytes_of_mut(&mut input)).ok()?;
    Some(input)
}
