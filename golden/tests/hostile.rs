//! Files that were cut, damaged or put together in another order: each is a typed error in one line,
//! or the same replay. `hostile_values.rs` makes up what the blocks hold, `hostile_memory.rs` measures
//! what it costs, `fuzz.rs` goes on by chance.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use snapback_core::*;
use snapback_golden::*;
use support::blocks::{BlockFile, kind, packed};
use support::exercise::{exercise, line};
use support::hostile::{acceptance, assert_refused, long, refused, traced};
use support::{Crossing, crossing, settings};

#[test]
fn a_file_that_is_cut_anywhere_gives_its_whole_frames_back() {
    for file in [crossing(settings(true), 200, &[]), crossing(settings(false), 660, &[acceptance()])] {
        let whole = GoldenReplay::read(&*file).unwrap();
        // How many frames have been written when the file is this long.
        let mut written = vec![0; file.len() + 1];
        let mut at = 8;
        for (kind, payload) in BlockFile::parse(&file).blocks {
            at += 12 + payload.len();
            if kind == kind::FRAMES {
                written[at..].iter_mut().for_each(|frames| *frames += u64::from(payload[0]));
            }
        }
        let mut opened = 0;
        for len in 0..file.len() {
            let cut = &file[..len];
            let error = GoldenReplay::read(cut).unwrap_err();
            line(&error);
            let Ok(recovered) = GoldenReplay::recover(cut) else {
                assert!(matches!(error, ReplayFileError::NotAReplay | ReplayFileError::Truncated { frames: 0, .. }), "{len}: {error}");
                continue;
            };
            opened += 1;
            let frames = recovered.frame_count();
            assert_eq!(error, ReplayFileError::Truncated { offset_bytes: len, frames });
            assert_eq!(frames, written[len], "{len}");
            assert!(frames == 0 || recovered.hash(recovered.last_frame()) == whole.hash(recovered.last_frame()));
            // Playing is the same for every length between two blocks.
            if len == file.len() - 1 || written[len + 1] != frames {
                recovered.check().unwrap();
                let verified = verify(&recovered, |_| Ok(Crossing::new())).unwrap();
                assert!(verified.is_same() && verified.frames == frames, "{len}");
            }
        }
        assert!(opened > file.len() / 2);
    }
}

#[test]
fn a_flipped_bit_is_always_noticed() {
    for file in [crossing(settings(true), 8, &[acceptance()]), crossing(settings(false), 61, &[])] {
        let whole = GoldenReplay::read(&*file).unwrap();
        for bit in 0..8 * file.len() {
            let mut damaged = file.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            line(&GoldenReplay::read(&*damaged).unwrap_err());
            // What is recovered before the damage is part of the same replay.
            if let Ok(recovered) = GoldenReplay::recover(damaged) {
                assert_eq!((recovered.meta(), recovered.fields()), (whole.meta(), whole.fields()));
                assert!(recovered.hash(recovered.last_frame()) == whole.hash(recovered.last_frame()));
            }
        }
    }
}

#[test]
fn a_tail_that_was_never_written_loses_the_tail_alone() {
    let file = crossing(settings(true), 200, &[]);
    let cut = GoldenReplay::recover(&file[..file.len() / 2]).unwrap();
    assert_eq!(cut.frame_count(), 60);
    // After a loss of power a file may have its length and not its bytes.
    let mut zeros = file.clone();
    zeros[file.len() / 2..].fill(0);
    assert!(matches!(GoldenReplay::read(&*zeros), Err(ReplayFileError::Corrupt { .. })));
    assert_eq!(GoldenReplay::recover(zeros).unwrap(), cut);
    let mut longer = cut.bytes().to_vec();
    longer.resize(5_000, 0);
    assert_eq!(GoldenReplay::recover(longer).unwrap(), cut);
}

#[test]
fn a_file_that_was_taken_apart_and_put_together_is_the_same() {
    let file = crossing(settings(true), 70, &[acceptance()]);
    assert_eq!(BlockFile::parse(&file).sealed(), file);
    assert_eq!(exercise(&file, &mut Rng::new(1, 1)), Ok(()));
}

#[test]
fn what_is_no_replay_says_so() {
    assert_refused(b"", "this is no replay");
    assert_refused(b"SNBK\x01\0\0", "this is no replay");
    assert_refused(b"PK\x03\x04 a zip file", "this is no replay");
    let mut file = traced();
    file.preamble[4] = 2;
    assert_refused(&file.sealed(), "the replay has format version 2, and this build reads version 1; use a newer build");
    file.preamble[4] = 1;
    file.preamble[7] = 1;
    assert_refused(&file.sealed(), "the opening block at byte 0 is damaged");
    assert_refused(&file.preamble[..7], "this is no replay");
}

#[test]
fn blocks_stand_in_one_order_only() {
    let file = long();
    for removed in 0..file.blocks.len() {
        // An acceptance may be missing: it is a memory, and no part of the match.
        if file.blocks[removed].0 != kind::ACCEPTANCE {
            let mut file = file.clone();
            file.blocks.remove(removed);
            refused(&file.sealed());
        }
    }
    for repeated in 0..file.blocks.len() {
        if file.blocks[repeated].0 != kind::ACCEPTANCE {
            let mut file = file.clone();
            file.blocks.insert(repeated, file.blocks[repeated].clone());
            refused(&file.sealed());
        }
    }
    for (one, other) in (0..file.blocks.len()).flat_map(|one| (0..one).map(move |other| (one, other))) {
        let mut file = file.clone();
        file.blocks.swap(one, other);
        refused(&file.sealed());
    }
    for kind in (0..=u8::MAX).filter(|kind| !(1..=7).contains(kind)) {
        let mut file = file.clone();
        file.blocks[3].0 = kind;
        assert_refused(&file.sealed(), "the unknown block at byte");
    }
}

#[test]
fn bits_that_mean_nothing_are_zero() {
    let file = traced().sealed();
    for at in [9, 10, 11] {
        let mut file = file.clone();
        file[at] = 1;
        assert_refused(&file, "the unknown block at byte 8 is damaged");
    }
}

#[test]
fn snapshots_belong_to_the_frame_that_they_stand_behind() {
    let file = long();
    let second = file.blocks.iter().rposition(|(kind, _)| *kind == kind::SNAPSHOT).unwrap();
    let of_frame = |frame: i64| [&frame.to_le_bytes(), &file.blocks[second].1[8..]].concat();
    assert_refused(&file.with(second, of_frame(540)), "it is of frame 540 and stands after frame 599");
    for frame in [-1, 0, 598, 600, i64::MIN, i64::MAX] {
        assert_refused(&file.with(second, of_frame(frame)), "stands after frame 599");
    }
    let mut twice = file.clone();
    twice.blocks.insert(second, twice.blocks[second].clone());
    assert_refused(&twice.sealed(), "there are two snapshots of frame 599");
    let mut without = file.clone();
    without.blocks.remove(second);
    assert_refused(&without.sealed(), "600 frames come before it without a snapshot");
    assert_refused(&file.with(second, vec![0; 7]), "it is too short");
}

#[test]
fn a_player_believes_no_snapshot() {
    let file = long();
    let second = file.blocks.iter().rposition(|(kind, _)| *kind == kind::SNAPSHOT).unwrap();
    let replay = GoldenReplay::read(file.sealed()).unwrap();
    let right = replay.state(Frame::new(599)).unwrap().unwrap();
    let seek_with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut state = right.clone();
        change(&mut state);
        let payload = [&599i64.to_le_bytes()[..], &packed(state.len(), &state)].concat();
        let replay = GoldenReplay::read(file.with(second, payload)).unwrap();
        let mut player = ReplayPlayer::new(Crossing::new(), &replay).unwrap();
        player.seek(Frame::new(30)).unwrap();
        let sought = player.seek(Frame::new(620));
        if let Err(error) = &sought {
            line(error);
            assert_eq!(player.frame(), Frame::new(30));
            assert!(player.step().unwrap().unwrap().is_same());
            while let Some(played) = player.step().unwrap() {
                assert!(played.is_same());
            }
        }
        sought
    };
    assert!(seek_with(&|_| {}).unwrap().is_same());
    // Out of its range; in its range and yet another state; of another size.
    let text = |sought: Result<PlayedFrame, SeekError>| sought.unwrap_err().to_string();
    let cargo = replay.fields().state.entries().iter().find(|entry| entry.path == "ferry[1].cargo").unwrap().offset_bytes as usize;
    let error = text(seek_with(&|state| state[cargo] = 201));
    assert_eq!(error, "the snapshot of frame 599 cannot be restored: ferry[1].cargo is 201 (0xc9), and must be from 0 to 200");
    assert!(matches!(seek_with(&|state| state[cargo] ^= 1), Err(SeekError::WrongSnapshot { frame, .. }) if frame == Frame::new(599)));
    assert!(matches!(seek_with(&|state| state.truncate(9)), Err(SeekError::Play(PlayError::File(ReplayFileError::Invalid { .. })))));
}

#[test]
fn bytes_behind_the_end_are_refused() {
    let file = traced().sealed();
    for behind in [&[0][..], &[7; 11], &[0; 5_000], &file] {
        refused(&[&file, behind].concat());
    }
    assert_refused(&[&file[..], &[7; 11]].concat(), "11 bytes follow the end of the replay");
    let mut after = traced();
    after.blocks.push((kind::FRAMES, after.blocks[3].1.clone()));
    assert_refused(&after.sealed(), "it stands after the end block");
}
