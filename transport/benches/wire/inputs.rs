//! How many bytes the inputs of a window take.

use super::figure;
use snapback_core::codec::{BitWriter, encode_run};
use snapback_core::{Command, Rng};
use std::path::PathBuf;

/// Frames in a window, and bytes of an input.
const WINDOW: usize = 8;
const INPUT_BYTES: usize = 2;

const SEED: u64 = 7;
const FRAMES: usize = 200_000;

/// Hold lengths with the shape of recorded ones: median 4 frames, mean 6.1, nine in ten at most 13 or
/// so; 16 % of frames change. The same as those of the tests' bots.
const HOLD_FRAMES: [u32; 20] = [1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 7, 8, 10, 12, 14, 24];

/// Buttons held for as long as people hold them: a direction and a button at most.
pub(crate) fn held(seed: u64, player: u64, frames: usize) -> Vec<u16> {
    let mut rng = Rng::new(seed, player);
    let mut buttons = Vec::new();
    while buttons.len() < frames {
        let hold = HOLD_FRAMES[rng.below(HOLD_FRAMES.len() as u32) as usize] as usize;
        let direction = [0, 0, 1, 2, 4, 4, 8, 8, 6, 10][rng.below(10) as usize];
        let button = if rng.chance(450_000) { 1 << (4 + rng.below(6)) } else { 0 };
        buttons.extend(std::iter::repeat_n(direction | button, hold));
    }
    buttons.truncate(frames);
    buttons
}

/// Bytes of every window of one player's inputs, all together, and how many windows there are.
fn windows(inputs: &[u16]) -> (usize, usize) {
    let (mut bytes, mut windows) = (0, 0);
    let mut out = [0; 256];
    for window in inputs.windows(WINDOW) {
        let mut writer = BitWriter::new(&mut out);
        encode_run(&mut writer, INPUT_BYTES, WINDOW, |index, place| {
            place.copy_from_slice(&window[index].to_le_bytes());
            Command::NONE
        });
        bytes += writer.finish().unwrap();
        windows += 1;
    }
    (bytes, windows)
}

fn mean<'a>(players: impl IntoIterator<Item = &'a Vec<u16>>) -> f64 {
    let all = players.into_iter().map(|inputs| windows(inputs)).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    all.0 as f64 / all.1 as f64
}

pub(crate) fn measure() {
    figure("wire_input_bytes_mean", mean([&held(SEED, 0, FRAMES)]), "bytes");
    match recorded() {
        Some(players) => figure("wire_input_bytes_mean_human", mean(&players), "bytes"),
        None => eprintln!("skipped: wire_input_bytes_mean_human (no SNAPBACK_DATA)"),
    }
}

/// The inputs of every recorded person.
fn recorded() -> Option<Vec<Vec<u16>>> {
    let folder = PathBuf::from(std::env::var_os("SNAPBACK_DATA")?).join("inputs");
    let mut files: Vec<_> = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "fg"));
    files.sort();
    let mut all = Vec::new();
    for file in &files {
        let bytes = std::fs::read(file).ok()?;
        let header_bytes = u32::from_le_bytes(bytes.get(8..12)?.try_into().ok()?) as usize;
        let header = String::from_utf8_lossy(bytes.get(16..16 + header_bytes)?).into_owned();
        let players = header.split("\"ports\"").nth(1)?.split(']').next()?.matches(|c: char| c.is_ascii_digit()).count();
        let words = bytes.get(16 + header_bytes..)?.as_chunks::<2>().0;
        all.extend((0..players).map(|player| words.iter().skip(player).step_by(players).map(|word| u16::from_le_bytes(*word)).collect()));
    }
    eprintln!("{} recorded people in {} files", all.len(), files.len());
    (!all.is_empty()).then_some(all)
}
