//! The contract of versions: a file that was ever written can be read for ever, and today's encoder
//! still writes the newest version byte by byte as it did.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use snapback_core::Frame;
use snapback_golden::format::{Acceptance, FORMAT_VERSION, ReplayMeta};
use snapback_golden::*;
use support::blocks::BlockFile;
use support::{Crossing, crossing, settings};

const V1: &[u8] = include_bytes!("versions/v1.snbk");
const DESCRIPTION: &str = include_str!("../docs/format.md");

/// The match of `v1.snbk`: commands, two snapshots, a started block, an acceptance.
fn v1_match(settings: RecordSettings) -> Vec<u8> {
    let accepted = Acceptance {
        reason: "the wind turns less often".to_owned(),
        simulation_version: 1,
        config_hash: 0xC405_5126,
        first_frame: 30,
        replaced_digest: 0x1234_5678,
    };
    crossing(settings, 610, &[accepted])
}

#[test]
fn version_1_reads_and_verifies() {
    let replay = GoldenReplay::read(V1).unwrap();
    replay.check().unwrap();
    assert_eq!(replay.frame_count(), 610);
    assert_eq!(replay.snapshot_frames().collect::<Vec<_>>(), [Frame::INITIAL, Frame::new(599)]);
    let summary = replay.summary().unwrap();
    assert_eq!((summary.rollbacks, summary.max_rollback_frames), (12, 7));
    assert_eq!(replay.acceptances()[0].reason, "the wind turns less often");
    let ReplayMeta { simulation, setup, seed, players, frame_hz, .. } = replay.meta();
    assert_eq!((&**simulation, &**setup, *seed, *players, *frame_hz), ("crossing", "calm", 0x5EA, 2, 60));
    let commands = (0..610).filter(|frame| replay.raw_frame(Frame::new(*frame)).unwrap().unwrap().commands.iter().any(|c| !c.is_none()));
    assert_eq!(commands.count(), V1_COMMANDS);
    let verified = verify(&replay, |_| Ok(Crossing::new())).unwrap();
    assert!(verified.is_same() && verified.frames == 610, "{verified:?}");
    assert!(verified.changes.is_empty());
    assert_eq!(verified.digest, V1_DIGEST);
    let mut player = ReplayPlayer::new(Crossing::new(), &replay).unwrap();
    assert!(player.seek(Frame::new(605)).unwrap().is_same());
    // By name, since the file says what its bytes are called.
    let state = replay.state(Frame::new(609)).unwrap().unwrap();
    let values = replay.fields().state.values(&state);
    assert_eq!(values.iter().find(|(path, _)| path == "ferry[1].position").map(|(_, value)| value.number()), Some(V1_LAST_POSITION));
}

const V1_COMMANDS: usize = 15;
const V1_DIGEST: u32 = 877920728;
const V1_LAST_POSITION: i128 = -3944;

#[test]
fn the_encoder_is_stable() {
    assert_eq!(FORMAT_VERSION, 1, "a new version needs a file of its own beside v1.snbk");
    let provenance = GoldenReplay::read(V1).unwrap().meta().provenance.clone();
    let fresh = v1_match(RecordSettings { provenance, ..settings(true) });
    assert_eq!(BlockFile::parse(&fresh), BlockFile::parse(V1), "if it is deflate that packs otherwise, only this test has to change");
    assert_eq!(fresh, V1);
}

#[test]
fn recording_anew_gives_the_same_file_but_for_build_and_platform() {
    let replay = GoldenReplay::read(V1).unwrap();
    let anew = rerecord(&replay, |_| Ok(Crossing::new()), replay.acceptances()).unwrap();
    let (mut anew, mut old) = (BlockFile::parse(&anew), BlockFile::parse(V1));
    let here = GoldenReplay::read(anew.sealed()).unwrap().meta().provenance.clone();
    assert_eq!(here, format::Provenance::here(replay.meta().provenance.source, &replay.meta().provenance.note));
    assert_eq!(anew.blocks.remove(0).0, old.blocks.remove(0).0);
    assert_eq!(anew, old);
}

#[test]
fn the_description_shows_the_bytes_of_the_file() {
    let mut shown = 0;
    let lines = DESCRIPTION.lines().skip_while(|line| !line.starts_with("00000000"));
    for line in lines.take_while(|line| !line.starts_with("```")) {
        let (offset, rest) = line.split_at(8);
        let (offset, rest) = (usize::from_str_radix(offset, 16).unwrap(), rest.get(2..49).unwrap_or(&rest[2..]));
        let bytes: Vec<u8> = rest.split_ascii_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
        assert_eq!(&V1[offset..offset + bytes.len()], bytes, "{line}");
        shown += bytes.len();
    }
    assert!(shown > 100, "{shown}");
}

#[test]
fn the_description_and_the_code_tell_the_same() {
    let code = include_str!("../src/format/mod.rs");
    let plain = |text: &str| text.replace(['[', ']', '`'], "");
    let table = |text: &str| {
        text.lines().map(|line| plain(line.trim_start_matches("//! "))).filter(|line| line.starts_with('|')).collect::<Vec<_>>()
    };
    let (code, description) = (table(code), table(DESCRIPTION));
    assert!(code.len() == 9 && code.iter().all(|row| description.contains(row)), "{code:#?}\n{description:#?}");
}

#[test]
#[ignore = "writes a corpus file: only for a new version of the format"]
fn write_the_file_of_this_version() {
    let path = format!("{}/tests/versions/v{FORMAT_VERSION}.snbk", env!("CARGO_MANIFEST_DIR"));
    assert!(std::fs::metadata(&path).is_ok_and(|file| file.len() == 0), "{path} is not empty; old versions are never written again");
    std::fs::write(path, v1_match(settings(true))).unwrap();
}
