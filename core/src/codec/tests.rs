use super::*;
use crate::cases::cases;
use crate::command::Command;
use crate::limits::MAX_RUN_FRAMES;
use crate::rng::Rng;

type Sample = (Vec<u8>, Command);

fn encode(samples: &[Sample], input_bytes: usize) -> Vec<u8> {
    let mut bytes = vec![0; worst_run_bytes(input_bytes, samples.len())];
    let mut writer = BitWriter::new(&mut bytes);
    encode_run(&mut writer, input_bytes, samples.len(), |n, out| {
        out.copy_from_slice(&samples[n].0);
        samples[n].1
    });
    let len = writer.finish().expect("the worst case is a bound");
    bytes.truncate(len);
    bytes
}

fn decode(bytes: &[u8], input_bytes: usize, frame_count: usize) -> Result<Vec<Sample>, DecodeError> {
    let mut reader = BitReader::new(bytes);
    let mut samples = Vec::new();
    decode_run(&mut reader, input_bytes, frame_count, |_, input, command| samples.push((input.to_vec(), command)))?;
    reader.finish()?;
    Ok(samples)
}

/// Histories of every texture: held, one bit at a time, whole bytes, all at once, commands.
fn history(rng: &mut Rng, input_bytes: usize, frame_count: usize) -> Vec<Sample> {
    let mut input = vec![0u8; input_bytes];
    let texture = rng.below(5);
    (0..frame_count)
        .map(|_| {
            if rng.chance(if texture == 0 { 160_000 } else { 700_000 }) {
                match texture {
                    0 | 1 => input[rng.below(input_bytes as u32) as usize] ^= 1 << rng.below(8),
                    2 => input[rng.below(input_bytes as u32) as usize] = rng.next_u32() as u8,
                    3 => input.iter_mut().for_each(|byte| *byte = rng.next_u32() as u8),
                    _ => input.fill(0),
                }
            }
            let payload: Vec<u8> = (0..rng.below(8)).map(|_| rng.below(3) as u8).collect();
            let kind = if rng.chance(50_000) { 1 + rng.below(255) as u8 } else { 0 };
            (input.clone(), if kind == 0 { Command::NONE } else { Command::new(kind, &payload).unwrap() })
        })
        .collect()
}

#[test]
fn every_size_and_history_round_trips_within_the_worst_case() {
    let mut rng = Rng::new(1, 0);
    for input_bytes in 1..=64 {
        for frame_count in [0, 1, 2, 9, 36, MAX_RUN_FRAMES] {
            for _ in 0..8 {
                let samples = history(&mut rng, input_bytes, frame_count);
                let bytes = encode(&samples, input_bytes);
                assert_eq!(decode(&bytes, input_bytes, frame_count), Ok(samples), "{input_bytes} bytes, {frame_count} frames");
            }
        }
    }
}

/// Frozen: a change here breaks every replay file and every peer. Worked out by hand from the
/// table in the module's documentation.
#[test]
fn the_format_is_frozen() {
    let hex = |samples: &[Sample], size| encode(samples, size).iter().map(|b| format!("{b:02x}")).collect::<String>();
    let plain = |inputs: &[&[u8]]| inputs.iter().map(|i| (i.to_vec(), Command::NONE)).collect::<Vec<_>>();
    // 0, 0.
    assert_eq!(hex(&plain(&[&[0, 0], &[0, 0]]), 2), "00");
    // 1 0 1100 0 (bit 3), 0, 1 0 0010 0 (bit 4): 1011 0000 | 1000 1000 from the low end.
    assert_eq!(hex(&plain(&[&[8, 0], &[8, 0], &[24, 0]]), 2), "0d11");
    // 1 1 00 and sixteen ones, then 1 1 10, byte 1, change ff, no more.
    assert_eq!(hex(&plain(&[&[0xff, 0xff], &[0xff, 0]]), 2), "f3ff7fff01");
    // 1 1 01, kind 1, length 2, 5, 6; then 1 0 000 0 (bit 0); then 0.
    assert_eq!(hex(&[(vec![1], Command::new(1, &[5, 6]).unwrap()), (vec![1], Command::NONE)], 1), "1ba0028300");
}

#[test]
fn human_like_inputs_take_few_bytes() {
    // Hold lengths with a mean of 6 frames; mostly one button at a time, sometimes two.
    let mut rng = Rng::new(2, 0);
    let mut input = 0u16;
    let stream: Vec<u16> = (0..60_000)
        .map(|_| {
            if rng.chance(160_000) {
                for _ in 0..1 + rng.below(4) / 3 {
                    let bit = 1 << rng.below(10);
                    input = if input.count_ones() > 2 { input & (input - 1) } else { input ^ bit };
                }
            }
            input
        })
        .collect();
    let total: usize = stream
        .windows(8)
        .map(|run| encode(&run.iter().map(|i| (i.to_le_bytes().to_vec(), Command::NONE)).collect::<Vec<_>>(), 2).len())
        .sum();
    let mean_hundredths = total * 100 / (stream.len() - 7);
    assert!(mean_hundredths <= 600, "mean {mean_hundredths} hundredths of a byte");
}

#[test]
fn arbitrary_bytes_decode_or_fail_but_never_panic_or_run_on() {
    let mut rng = Rng::new(3, 0);
    let mut accepted = 0;
    for _ in 0..cases(200_000) {
        let input_bytes = 1 + rng.below(64) as usize;
        let frame_count = rng.below(40) as usize;
        let bytes: Vec<u8> = (0..rng.below(48)).map(|_| rng.next_u32() as u8 & rng.next_u32() as u8).collect();
        if let Ok(samples) = decode(&bytes, input_bytes, frame_count) {
            accepted += 1;
            assert_eq!(decode(&encode(&samples, input_bytes), input_bytes, frame_count), Ok(samples));
        }
    }
    assert!(accepted > cases(100), "only {accepted} were accepted: the test has no reach");
}

#[test]
fn truncation_and_trailing_bytes_are_refused() {
    let mut rng = Rng::new(4, 0);
    for _ in 0..500 {
        let input_bytes = 1 + rng.below(16) as usize;
        let mut samples = history(&mut rng, input_bytes, 20);
        samples.push((vec![0xA5; input_bytes], Command::NONE));
        samples.push((vec![0x5A; input_bytes], Command::NONE));
        let bytes = encode(&samples, input_bytes);
        for len in 0..bytes.len() {
            assert_eq!(decode(&bytes[..len], input_bytes, samples.len()), Err(DecodeError::Truncated));
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(decode(&longer, input_bytes, samples.len()), Err(DecodeError::TrailingBits));
    }
}

#[test]
fn shapes_outside_the_limits_are_refused() {
    for (input_bytes, frame_count) in [(0, 1), (65, 1), (1, MAX_RUN_FRAMES + 1), (usize::MAX, usize::MAX)] {
        assert_eq!(decode(&[], input_bytes, frame_count), Err(DecodeError::BadShape { input_bytes, frame_count }));
    }
}

#[test]
fn malformed_forms_have_a_reason() {
    let with = |fields: &[(u32, u32)]| {
        let mut bytes = [0; 32];
        let mut writer = BitWriter::new(&mut bytes);
        fields.iter().for_each(|(value, bits)| writer.write(*value, *bits));
        let len = writer.finish().unwrap();
        decode(&bytes[..len], 3, 1).map(|_| ())
    };
    // Three bytes have 24 bits but five bits of place.
    assert_eq!(with(&[(0b01, 2), (24, 5), (0, 1)]), Err(DecodeError::BadPlace));
    assert_eq!(with(&[(0b01, 2), (5, 5), (1, 1), (5, 5), (0, 1)]), Err(DecodeError::BadPlace));
    assert_eq!(with(&[(0b0111, 4), (3, 2), (1, 9)]), Err(DecodeError::BadPlace));
    assert_eq!(with(&[(0b1111, 4)]), Err(DecodeError::BadForm));
    assert_eq!(with(&[(0b1011, 4), (0, 8), (0, 3), (0, 1)]), Err(DecodeError::BadForm));
    assert_eq!(with(&[(0b1011, 4), (7, 8), (1, 3), (0, 8), (0, 1)]), Err(DecodeError::BadForm));
    assert_eq!(with(&[(0b1011, 4), (7, 8), (0, 3), (0b1011, 4), (7, 8), (0, 3), (0, 1)]), Err(DecodeError::BadForm));
    assert_eq!(with(&[(0b1011, 4), (7, 8), (1, 3), (9, 8), (0, 1)]), Ok(()));
}

#[test]
fn a_full_buffer_is_an_error_with_its_size() {
    let mut bytes = [0; 3];
    let mut writer = BitWriter::new(&mut bytes);
    for _ in 0..8 {
        writer.write(u32::MAX, 32);
    }
    assert_eq!(writer.finish(), Err(BufferFull { capacity_bytes: 3 }));
}
