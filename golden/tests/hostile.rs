//! Files that somebody has cut, damaged or made up with right checksums: each is a typed error in
//! one line, or the same replay. `hostile_memory.rs` measures what they cost, `fuzz.rs` goes on by
//! chance.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use snapback_core::*;
use snapback_golden::format::{Acceptance, FieldEntry, FieldTables, Provenance, ReplayMeta, Source, Summary};
use snapback_golden::*;
use support::blocks::{BlockFile, kind, packed};
use support::exercise::{exercise, line};
use support::{Crossing, crossing, settings};

fn acceptance() -> Acceptance {
    Acceptance { reason: "calmer".into(), simulation_version: 1, config_hash: 2, first_frame: 3, replaced_digest: 4 }
}

/// Two snapshots, a whole and a started block of frames, an acceptance.
fn long() -> BlockFile {
    BlockFile::parse(&crossing(settings(false), 630, &[acceptance()]))
}

fn traced() -> BlockFile {
    BlockFile::parse(&crossing(settings(true), 70, &[acceptance()]))
}

/// The error that the file gives somewhere on the way.
fn refused(file: &[u8]) -> String {
    exercise(file, &mut Rng::new(1, 1)).unwrap_err()
}

#[track_caller]
fn assert_refused(file: &[u8], text: &str) {
    let error = refused(file);
    assert!(error.contains(text), "expected {text:?} in {error:?}");
}

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
fn lengths_that_are_too_large_or_too_small_are_refused() {
    for file in [long(), traced()] {
        let frames = file.find(kind::FRAMES);
        let payload = &file.blocks[frames].1;
        // Frames in a block, its flags, the length of its inputs.
        for count in [0, 61, 62, 128, 255] {
            let mut payload = payload.clone();
            payload[0] = count;
            assert_refused(&file.with(frames, payload), &format!("it has {count} frames; from 1 to 60 are possible"));
        }
        for count in [1, 59] {
            let mut payload = payload.clone();
            payload[0] = count;
            refused(&file.with(frames, payload));
        }
        for bit in 0..8 {
            let mut payload = payload.clone();
            payload[1] ^= 1 << bit;
            assert_refused(&file.with(frames, payload), "which the meta block does not announce");
        }
        let inputs = u32::from_le_bytes(payload[2..6].try_into().unwrap());
        for len in [0, 1, inputs - 1, inputs + 1, payload.len() as u32, 1 << 24, i32::MAX as u32, u32::MAX] {
            let mut payload = payload.clone();
            payload[2..6].copy_from_slice(&len.to_le_bytes());
            refused(&file.with(frames, payload));
        }
        for len in 0..payload.len() {
            refused(&file.with(frames, payload[..len].to_vec()));
        }
        let mut longer = payload.clone();
        longer.push(0);
        refused(&file.with(frames, longer));
        // What a packed part promises.
        for (block, skipped) in [(file.find(kind::FIELDS), 0), (file.find(kind::SNAPSHOT), 8)] {
            let payload = &file.blocks[block].1;
            for len in [0, 1, 47, 49, 1 << 20, (8 << 20) + 1, i32::MAX as u32, u32::MAX] {
                let mut payload = payload.clone();
                payload[skipped..skipped + 4].copy_from_slice(&len.to_le_bytes());
                refused(&file.with(block, payload));
            }
            for len in 0..payload.len() {
                refused(&file.with(block, payload[..len].to_vec()));
            }
            let mut longer = payload.clone();
            longer.push(0);
            assert_refused(&file.with(block, longer), "1 bytes follow the packed ones");
        }
    }
}

#[test]
fn block_lengths_that_lead_astray_are_refused() {
    let file = traced();
    let bytes = file.sealed();
    let mut at = 8;
    for (_, payload) in &file.blocks {
        for len in [0, 1, payload.len() as u32 - 1, payload.len() as u32 + 1, i32::MAX as u32, u32::MAX - 11, u32::MAX] {
            let mut bytes = bytes.clone();
            bytes[at + 4..at + 8].copy_from_slice(&len.to_le_bytes());
            refused(&bytes);
        }
        at += 12 + payload.len();
    }
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

fn with_meta(change: impl FnOnce(&mut ReplayMeta)) -> Vec<u8> {
    let file = traced();
    let mut meta = GoldenReplay::read(file.sealed()).unwrap().meta().clone();
    change(&mut meta);
    file.with(0, postcard::to_allocvec(&meta).unwrap())
}

#[test]
fn a_meta_block_beyond_all_limits_is_refused() {
    assert_refused(&with_meta(|meta| meta.players = 0), "0 players; from 1 to 8");
    assert_refused(&with_meta(|meta| meta.players = 255), "255 players; from 1 to 8");
    assert_refused(&with_meta(|meta| meta.input_bytes = 0), "inputs of 0 bytes");
    assert_refused(&with_meta(|meta| meta.input_bytes = 65), "inputs of 65 bytes");
    assert_refused(&with_meta(|meta| meta.state_bytes = u32::MAX), "states of 4294967295 bytes");
    assert_refused(&with_meta(|meta| meta.frame_hz = 0), "0 frames a second");
    for frame in [i64::MIN, -1, (1 << 40) + 1, i64::MAX] {
        assert_refused(&with_meta(|meta| meta.first_frame = frame), "the first frame is");
    }
    assert_refused(&with_meta(|meta| meta.first_frame = 7), "it is of frame -1 and stands after frame 6");
    // Numbers that contradict the blocks behind.
    for players in [1, 3, 8] {
        refused(&with_meta(|meta| meta.players = players));
    }
    for bytes in [1, 3, 64] {
        refused(&with_meta(|meta| meta.input_bytes = bytes));
    }
    for bytes in [0, 1, 47, 49, 1 << 20] {
        refused(&with_meta(|meta| meta.state_bytes = bytes));
    }
    refused(&with_meta(|meta| meta.has_trace = false));
}

#[test]
fn the_last_frame_is_within_the_limit() {
    let first = RecordSettings { first_frame: Frame::new((1 << 40) - 5), ..settings(true) };
    let file = crossing(first, 10, &[]);
    assert_refused(&file, "its last frame is 1099511627780; none is after 1099511627776");
}

#[test]
fn texts_are_short_and_do_not_command_a_terminal() {
    for (text, problem) in [
        ("\x1b[2J\x1b]0;owned\x07", "has the control character U+001B"),
        ("two\nlines", "has the control character U+000A"),
        ("nul\0", "has the control character U+0000"),
        ("\u{9b}31m", "has the control character U+009B"),
        ("abc\u{202e}fdp", "has the control character U+202E"),
        ("line\u{2028}break", "has the control character U+2028"),
        (&"a".repeat(4_097), "has 4097 bytes; at most 4096 are allowed"),
        (&"a".repeat(1 << 20), "has 1048576 bytes; at most 4096 are allowed"),
    ] {
        let text = || text.to_owned();
        let at = |what: &str| format!("the {what} {problem}");
        assert_refused(&with_meta(|meta| meta.simulation = text()), &at("simulation's name"));
        assert_refused(&with_meta(|meta| meta.setup = text()), &at("setup"));
        assert_refused(&with_meta(|meta| meta.provenance.build = text()), &at("build"));
        assert_refused(&with_meta(|meta| meta.provenance.platform = text()), &at("platform"));
        assert_refused(&with_meta(|meta| meta.provenance.note = text()), &at("note"));
        let reason = Acceptance { reason: text(), ..acceptance() };
        let file = traced();
        let place = file.find(kind::ACCEPTANCE);
        assert_refused(&file.with(place, postcard::to_allocvec(&reason).unwrap()), &at("reason"));
        assert_refused(&with_fields(|fields| fields[0].path = text()), &at("path of a field"));
        assert_refused(&with_fields(|fields| fields[0].section = text()), &at("section of a field"));
        // And nobody writes them.
        let mut settings = settings(true);
        settings.setup = text();
        assert!(record(&mut Crossing::new(), settings, []).is_err());
    }
    let file = traced();
    let blank = Acceptance { reason: " ".into(), ..acceptance() };
    assert_refused(&file.with(file.find(kind::ACCEPTANCE), postcard::to_allocvec(&blank).unwrap()), "the reason is empty");
}

#[test]
fn texts_that_are_no_text_are_refused() {
    let file = traced();
    let mut meta = file.blocks[0].1.clone();
    let at = meta.windows(8).position(|window| window == b"crossing").unwrap();
    meta[at] = 0xFF;
    assert_refused(&file.with(0, meta.clone()), "it does not decode");
    // A length that overflows every integer.
    meta[at - 1] = 0xFF;
    meta[at..at + 8].fill(0xFF);
    assert_refused(&file.with(0, meta), "it does not decode");
    let mut meta = file.blocks[0].1.clone();
    meta.push(0);
    assert_refused(&file.with(0, meta), "1 bytes are left over");
}

fn with_fields(change: impl FnOnce(&mut Vec<FieldEntry>)) -> Vec<u8> {
    let file = traced();
    let tables = GoldenReplay::read(file.sealed()).unwrap().fields().clone();
    let mut entries = tables.state.entries().to_vec();
    change(&mut entries);
    let bytes = [postcard::to_allocvec(&entries).unwrap(), postcard::to_allocvec(&tables.input).unwrap()].concat();
    file.with(file.find(kind::FIELDS), packed(bytes.len(), &bytes))
}

#[test]
fn fields_lie_side_by_side_within_the_state() {
    assert_eq!(exercise(&with_fields(|_| {}), &mut Rng::new(1, 1)), Ok(()));
    assert_refused(&with_fields(|fields| fields[1].offset_bytes -= 1), "overlaps the field before it");
    assert_refused(&with_fields(|fields| fields.swap(0, 1)), "overlaps the field before it");
    assert_refused(&with_fields(|fields| fields.last_mut().unwrap().offset_bytes += 1), "the fields end at byte 49 of 48");
    assert_refused(&with_fields(|fields| fields.last_mut().unwrap().offset_bytes = u32::MAX), "the fields end at byte 4294967299 of 48");
    assert_refused(&with_fields(|fields| fields[0].scalar = 10), "is of kind 10, which there is not");
    assert_refused(&with_fields(|fields| fields[0].scalar = 255), "is of kind 255, which there is not");
    let entry = |path: &str| FieldEntry { path: path.into(), offset_bytes: 0, scalar: 0, section: String::new() };
    assert_refused(&with_fields(|fields| *fields = vec![entry("many"); 70_000]), "it does not decode");
    // Other names, or none, are no reason to refuse the match.
    assert_eq!(exercise(&with_fields(Vec::clear), &mut Rng::new(1, 1)), Ok(()));
    assert_eq!(exercise(&with_fields(|fields| fields[0].path = "rng[7].other".into()), &mut Rng::new(1, 1)), Ok(()));
    let file = traced();
    let bytes = [postcard::to_allocvec(&FieldTables::default()).unwrap(), vec![9]].concat();
    assert_refused(&file.with(1, packed(bytes.len(), &bytes)), "1 bytes are left over");
}

#[test]
fn values_that_no_type_has_are_refused() {
    let file = traced();
    let meta = GoldenReplay::read(file.sealed()).unwrap().meta().clone();
    let bytes = postcard::to_allocvec(&meta).unwrap();
    let source_at = {
        let live = ReplayMeta { provenance: Provenance { source: Source::Live, ..meta.provenance.clone() }, ..meta.clone() };
        let live = postcard::to_allocvec(&live).unwrap();
        (0..bytes.len()).find(|at| live[*at] != bytes[*at]).unwrap()
    };
    let traced_at = {
        let without = postcard::to_allocvec(&ReplayMeta { has_trace: false, ..meta }).unwrap();
        (0..bytes.len()).find(|at| without[*at] != bytes[*at]).unwrap()
    };
    for (at, value) in [(source_at, 2), (source_at, 127), (traced_at, 2), (traced_at, 255)] {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        assert_refused(&file.with(0, bytes), "it does not decode");
    }
    // An input beyond its range, which the codec can carry and the game cannot take.
    let frames = file.find(kind::FRAMES);
    let mut payload = file.blocks[frames].1.clone();
    let inputs = u32::from_le_bytes(payload[2..6].try_into().unwrap()) as usize;
    payload[6..6 + inputs].fill(0xFF);
    refused(&file.with(frames, payload));
}

#[test]
fn the_end_says_what_there_is() {
    let file = traced();
    let end = file.find(kind::END);
    let right = GoldenReplay::read(file.sealed()).unwrap().summary().unwrap();
    for wrong in [
        Summary { frames: 71, ..right },
        Summary { frames: u64::MAX, ..right },
        Summary { frames: 0, ..right },
        Summary { digest: !right.digest, ..right },
    ] {
        assert_refused(&file.with(end, postcard::to_allocvec(&wrong).unwrap()), "it promises");
    }
    assert_refused(&file.with(end, vec![]), "it does not decode");
    let mut many = file.clone();
    let one = many.blocks[many.find(kind::ACCEPTANCE)].clone();
    many.blocks.splice(end..end, std::iter::repeat_n(one, 1_024));
    assert_refused(&many.sealed(), "there are more than 1024 acceptances");
}
