//! Golden replays as a stranger makes them who knows the format: a case is one file, a step one block,
//! and every checksum is right.
//!
//! The low half of an action is the kind of the block, 15 stands for bytes that are no block. With the
//! highest bit set the first two bytes say from where on the rest is packed: there stand the bytes
//! before packing, so that a mutation does not end in the unpacker.

use crate::case::{Case, MAX_CASE_BYTES, Step};
use crate::game::{Abacus, Push};
use core::fmt::Display;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use snapback_core::Frame;
use snapback_golden::format::FORMAT_VERSION;
use snapback_golden::{GoldenReplay, RecordSettings, ReplayPlayer, record, verify};

const RAW: u8 = 15;
const PACKED: u8 = 0x80;

/// The most frames of a hostile replay that are stepped: it may hold millions.
const MAX_PLAYED_FRAMES: u64 = 20_000;

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let file = file(&Case::read(input));
    let recovered = GoldenReplay::recover(file.as_slice()).map(|replay| look_around(&replay));
    if let Ok(replay) = GoldenReplay::read(file).map_err(|error| line(&error)) {
        assert!(recovered.is_ok(), "what reads can be recovered");
        if replay.check().map_err(|error| line(&error)).is_ok() {
            let _ = snapback_golden::sign::verify_signature(&replay).map_err(|error| line(&error));
            look_around(&replay);
        }
    }
    1
}

fn file(case: &Case) -> Vec<u8> {
    let [low, high] = FORMAT_VERSION.to_le_bytes();
    let mut file = vec![b'S', b'N', b'B', b'K', low, high, 0, 0];
    let mut number = 0u32;
    for Step { action, bytes } in &case.steps {
        let payload = match bytes.split_first_chunk::<2>() {
            Some((at, rest)) if action & PACKED != 0 => {
                let at = usize::from(u16::from_le_bytes(*at)).min(rest.len());
                let mut payload = rest[..at].to_vec();
                payload.extend(((rest.len() - at) as u32).to_le_bytes());
                payload.extend(compress_to_vec(&rest[at..], 1));
                payload
            }
            _ => bytes.clone(),
        };
        if action & 0x0F == RAW {
            file.extend(payload);
            continue;
        }
        let (kind, len) = (action & 0x0F, (payload.len() as u32).to_le_bytes());
        file.extend([kind, 0, 0, 0]);
        file.extend(len);
        file.extend(crc32fast::hash(&[&number.to_le_bytes()[..], &[kind], &len, &payload].concat()).to_le_bytes());
        file.extend(payload);
        number += 1;
    }
    file
}

fn look_around(replay: &GoldenReplay) {
    let last = replay.last_frame().number();
    for frame in [i64::MIN, -1, 0, last / 2, last, i64::MAX].map(Frame::new) {
        if let Ok(Some(state)) = replay.state(frame) {
            let _ = replay.fields().state.values(&state);
        }
        if let Ok(Some(raw)) = replay.raw_frame(frame) {
            assert_eq!(raw.inputs.len(), usize::from(replay.meta().players));
        }
        let _ = replay.hash(frame);
    }
    if replay.frame_count() > MAX_PLAYED_FRAMES {
        return;
    }
    let _ = verify(replay, |_| Ok(Abacus::default())).map(|verified| drop(format!("{:?}", verified.verdict))).map_err(|e| line(&e));
    match ReplayPlayer::new(Abacus::default(), replay) {
        Err(error) => drop(line(&error)),
        Ok(mut player) => {
            for target in [last, replay.meta().first_frame, last / 2, i64::MAX] {
                let _ = player.seek(Frame::new(target)).map_err(|error| line(&error));
                player.play();
                let _ = player.tick(200_000, |_, _| {}).map_err(|error| line(&error));
            }
        }
    }
}

fn line(error: &impl Display) -> String {
    let text = error.to_string();
    assert!(!text.is_empty() && text.chars().all(|c| !c.is_control()), "{text:?}");
    assert!(text.len() < 4_096 + 300, "{text}");
    text
}

/// Matches of a second, with and without a trace, signed and not.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let frames =
        |count: u32| (0..count).map(|n| (0..2).map(|seat| Push { bead: (n / 7 + seat) as u8 % 16, distance: (n % 5) as i8 }).collect());
    let mut seeds = Vec::new();
    for (name, trace, count) in [("trace", true, 60), ("hashes", false, 130), ("short", true, 3)] {
        let settings = RecordSettings { trace, setup: "three rods".to_owned(), ..RecordSettings::generated(7, 2) };
        let mut replay = record(&mut Abacus::default(), settings, frames(count)).unwrap();
        if name == "short" {
            replay = snapback_golden::sign::sign(&replay, &[5; 32]).unwrap();
        }
        let case = taken_apart(&replay);
        assert_eq!(GoldenReplay::read(file(&case)).unwrap().frame_count(), GoldenReplay::read(replay).unwrap().frame_count());
        seeds.push((name.to_owned(), case));
    }
    seeds
}

fn taken_apart(file: &[u8]) -> Case {
    const FIELDS: u8 = 2;
    const FRAMES: u8 = 3;
    const SNAPSHOT: u8 = 4;
    let mut rest = &file[8..];
    let mut steps = Vec::new();
    while let Some((header, behind)) = rest.split_first_chunk::<12>() {
        let len = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        let (payload, behind) = behind.split_at(len);
        let packed_at = match header[0] {
            FIELDS => Some(0),
            SNAPSHOT => Some(8),
            FRAMES if payload[1] == 1 => {
                let inputs = u32::from_le_bytes([payload[2], payload[3], payload[4], payload[5]]) as usize;
                Some(6 + inputs + 4 * usize::from(payload[0]))
            }
            _ => None,
        };
        steps.push(match packed_at {
            None => Step::new(header[0], payload),
            Some(at) => {
                let mut bytes = (at as u16).to_le_bytes().to_vec();
                bytes.extend(&payload[..at]);
                bytes.extend(decompress_to_vec_with_limit(&payload[at + 4..], MAX_CASE_BYTES).unwrap());
                Step::new(header[0] | PACKED, bytes)
            }
        });
        rest = behind;
    }
    Case { steps }
}
