//! Encoded inputs. A step is one run: its first two bytes are how many frames, its action how large an
//! input. What decodes is encoded again, and must decode as the same.

use crate::case::{Case, Step};
use snapback_core::Command;
use snapback_core::codec::{BitReader, BitWriter, DecodeError, decode_run, decode_spans, encode_run, worst_run_bytes};
use snapback_core::limits::{MAX_INPUT_BYTES, MAX_RUN_FRAMES};

type Samples = Vec<(Vec<u8>, Command)>;

/// See the module.
#[must_use]
pub fn fuzz(input: &[u8]) -> u64 {
    let steps = Case::read(input).steps;
    for step in &steps {
        let Some((count, bytes)) = step.bytes.split_first_chunk::<2>() else { continue };
        // Most counts are possible ones.
        let count = usize::from(u16::from_le_bytes(*count));
        let frame_count = if count < 0x8000 { count % (MAX_RUN_FRAMES + 1) } else { count };
        let input_bytes = usize::from(step.action);
        let Ok(samples) = decode(bytes, input_bytes, frame_count) else { continue };
        assert_eq!(samples.len(), frame_count);
        let mut out = vec![0; worst_run_bytes(input_bytes, frame_count)];
        let mut writer = BitWriter::new(&mut out);
        encode_run(&mut writer, input_bytes, frame_count, |index, place| {
            place.copy_from_slice(&samples[index].0);
            samples[index].1
        });
        let len = writer.finish().expect("the worst case holds every run");
        assert_eq!(decode(&out[..len], input_bytes, frame_count).as_ref(), Ok(&samples));
    }
    steps.len() as u64
}

fn decode(bytes: &[u8], input_bytes: usize, frame_count: usize) -> Result<Samples, DecodeError> {
    let mut samples = Samples::new();
    let mut reader = BitReader::new(bytes);
    let decoded = decode_run(&mut reader, input_bytes, frame_count, |index, input, command| {
        assert_eq!((index, input.len()), (samples.len(), input_bytes));
        samples.push((input.to_vec(), command));
    });
    let mut next = 0;
    let spans = decode_spans(&mut BitReader::new(bytes), input_bytes, frame_count, |span, _, _| {
        assert!(span.start == next && span.end <= frame_count, "{span:?} follows {next} of {frame_count}");
        next = span.end;
    });
    assert_eq!(spans, decoded);
    decoded?;
    reader.finish()?;
    Ok(samples)
}

/// Runs of several sizes, with commands.
#[must_use]
pub fn seeds() -> Vec<(String, Case)> {
    let mut rng = snapback_core::Rng::new(1, 1);
    let mut steps = Vec::new();
    for input_bytes in [1, 2, 3, 8, 9, 16, MAX_INPUT_BYTES] {
        for frame_count in [1, 8, 40] {
            let mut out = vec![0; worst_run_bytes(input_bytes, frame_count)];
            let mut writer = BitWriter::new(&mut out);
            let mut held = vec![0; input_bytes];
            encode_run(&mut writer, input_bytes, frame_count, |_, place| {
                if rng.below(4) == 0 {
                    held[rng.below(input_bytes as u32) as usize] ^= 1 << rng.below(8);
                }
                place.copy_from_slice(&held);
                if rng.below(10) == 0 { Command::new(3, &[1, 2]).unwrap_or(Command::NONE) } else { Command::NONE }
            });
            let len = writer.finish().unwrap();
            let mut bytes = (frame_count as u16).to_le_bytes().to_vec();
            bytes.extend(&out[..len]);
            steps.push(Step::new(input_bytes as u8, bytes));
        }
    }
    vec![("runs".to_owned(), Case { steps })]
}
