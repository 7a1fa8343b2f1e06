//! Files with right checksums and made-up lengths, numbers, texts and names: each is a typed error in
//! one line.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use snapback_core::*;
use snapback_golden::format::{Acceptance, FieldEntry, FieldTables, Provenance, ReplayMeta, Source, Summary};
use snapback_golden::*;
use support::blocks::{BlockFile, kind, packed};
use support::exercise::exercise;
use support::hostile::{acceptance, assert_refused, long, refused, traced};
use support::{Crossing, settings};

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
    // The recorder does not go there, so the beginning is moved afterwards.
    let first = (1i64 << 40) - 5;
    let mut file = BlockFile::parse(&with_meta(|meta| meta.first_frame = first));
    let start = file.find(kind::SNAPSHOT);
    file.blocks[start].1[..8].copy_from_slice(&(first - 1).to_le_bytes());
    assert_refused(&file.sealed(), "its last frame is 1099511627830; none is after 1099511627776");
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
