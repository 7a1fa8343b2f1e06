//! Recorded human inputs, where they are at hand: the environment variable `SNAPBACK_DATA` names
//! their folder; without it the test prints `skipped: NAME` and passes.

use crate::rig::Rig;
use snapback_core::{Rng, Simulation};
use std::path::Path;

const FRAMES: usize = 3_000;

/// The pads of a `.fg` file, frame by frame: 8 bytes of magic, the length of a header of JSON, 4
/// zero bytes, the header, one little-endian `u16` for each player and frame.
fn pads(bytes: &[u8]) -> Option<Vec<Vec<u16>>> {
    let rest = bytes.strip_prefix(b"H6FG0001")?;
    let len = u32::from_le_bytes(*rest.first_chunk()?) as usize;
    let (header, inputs) = rest.get(8..)?.split_at_checked(len)?;
    let (_, players) = std::str::from_utf8(header).ok()?.split_once("\"players\":")?;
    let players = players.trim_start().split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok()?;
    Some(
        inputs
            .chunks_exact(2 * players)
            .map(|frame| frame.as_chunks::<2>().0.iter().map(|pad| u16::from_le_bytes(*pad)).collect())
            .collect(),
    )
}

#[test]
fn recorded_players_end_alike_after_rollbacks() {
    let Some(data) = std::env::var_os("SNAPBACK_DATA") else {
        println!("skipped: recorded_players_end_alike_after_rollbacks");
        return;
    };
    let mut files: Vec<_> = std::fs::read_dir(Path::new(&data).join("inputs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "fg"));
    files.sort();
    assert!(!files.is_empty());
    for (seed, path) in (0..).zip(&files) {
        let pads = pads(&std::fs::read(path).unwrap()).unwrap();
        let players = pads[0].len();
        let (mut straight, mut rig) = (Rig::mixed(seed, players), Rig::mixed(seed, players));
        let mut rng = Rng::new(seed, 4);
        let mut history = Vec::new();
        // The first frames of a recording are a menu.
        for pad in pads.iter().skip(300).cycle().take(FRAMES) {
            straight.step(pad);
            history.push((rig.frame, rig.snapshot(), pad));
            rig.step(pad);
            if rng.below(10) == 0 {
                let back = 1 + rng.below(12.min(history.len() as u32)) as usize;
                let from = history.len() - back;
                rig.world.restore(&history[from].1).unwrap();
                rig.frame = history[from].0;
                for (_, _, pad) in &history[from..] {
                    rig.step(pad);
                }
            }
        }
        assert_eq!(rig.hash(), straight.hash(), "{}", path.display());
        let moves: u32 = rig.fighters().iter().map(|f| f.abilities.activations).sum();
        println!("{}: {moves} moves in the last round", path.display());
    }
}
