//! A second decoder, written from nothing but the table in the codec's documentation, beside the real
//! one: over random runs and over damaged ones both give the same samples or both give none.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../src/cases.rs"]
mod cases;

use cases::cases;
use snapback_core::codec::{BitReader, BitWriter, decode_run, encode_run, worst_run_bytes};
use snapback_core::limits::{MAX_COMMAND_BYTES, MAX_INPUT_BYTES, MAX_RUN_FRAMES};
use snapback_core::{Command, Rng};

/// One frame of a run.
#[derive(Clone, PartialEq, Debug)]
struct Sample {
    input: Vec<u8>,
    kind: u8,
    payload: Vec<u8>,
}

impl Sample {
    fn new(input: &[u8], command: Command) -> Self {
        Self { input: input.to_vec(), kind: command.kind(), payload: command.payload().to_vec() }
    }
}

/// Bits, from the low end of each byte.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: u32) -> Option<usize> {
        let mut value = 0;
        for place in 0..count {
            let bit = self.bytes.get(self.at / 8)? >> (self.at % 8) & 1;
            value |= usize::from(bit) << place;
            self.at += 1;
        }
        Some(value)
    }

    /// The rest of the last byte is zero, and there is no other byte.
    fn is_at_end(&mut self) -> bool {
        while !self.at.is_multiple_of(8) {
            if self.take(1) != Some(0) {
                return false;
            }
        }
        self.at == 8 * self.bytes.len()
    }
}

/// ceil(log2(count)).
fn ceil_log2(count: usize) -> u32 {
    (0..).find(|bits| 1usize << bits >= count).unwrap()
}

/// The samples of a run; `None` if the bytes are none.
fn reference(bytes: &[u8], input_bytes: usize, frame_count: usize) -> Option<Vec<Sample>> {
    let mut bits = Bits { bytes, at: 0 };
    let mut input = vec![0; input_bytes];
    let mut samples = Vec::new();
    for _ in 0..frame_count {
        let (kind, payload) = sample(&mut bits, &mut input)?;
        samples.push(Sample { input: input.clone(), kind, payload });
    }
    bits.is_at_end().then_some(samples)
}

/// Changes the input from the sample before, and gives the command.
fn sample(bits: &mut Bits<'_>, input: &mut [u8]) -> Option<(u8, Vec<u8>)> {
    let mut command = (0, Vec::new());
    loop {
        if bits.take(1)? == 0 {
            return Some(command);
        }
        if bits.take(1)? == 0 {
            flip_bits(bits, input)?;
            return Some(command);
        }
        match bits.take(2)? {
            0 => {
                for byte in input {
                    *byte = bits.take(8)? as u8;
                }
                return Some(command);
            }
            1 => {
                change_bytes(bits, input)?;
                return Some(command);
            }
            2 if command.0 == 0 => command = take_command(bits)?,
            _ => return None,
        }
    }
}

fn flip_bits(bits: &mut Bits<'_>, input: &mut [u8]) -> Option<()> {
    let mut least = 0;
    loop {
        let position = bits.take(ceil_log2(8 * input.len()))?;
        let more = bits.take(1)?;
        if position < least || position >= 8 * input.len() {
            return None;
        }
        input[position / 8] ^= 1 << (position % 8);
        least = position + 1;
        if more == 0 {
            return Some(());
        }
    }
}

fn change_bytes(bits: &mut Bits<'_>, input: &mut [u8]) -> Option<()> {
    let mut least = 0;
    loop {
        let place = bits.take(ceil_log2(input.len()))?;
        let change = bits.take(8)? as u8;
        let more = bits.take(1)?;
        if place < least || place >= input.len() {
            return None;
        }
        input[place] ^= change;
        least = place + 1;
        if more == 0 {
            return Some(());
        }
    }
}

/// There is one way to write each command: kind 0 is none, and a payload does not end with a zero.
fn take_command(bits: &mut Bits<'_>) -> Option<(u8, Vec<u8>)> {
    let kind = bits.take(8)? as u8;
    let len = bits.take(3)?;
    let payload: Vec<u8> = (0..len).map(|_| bits.take(8).map(|byte| byte as u8)).collect::<Option<_>>()?;
    (kind != 0 && payload.last() != Some(&0)).then_some((kind, payload))
}

/// Inputs that stay, change in a bit or in a few bytes or altogether, and now and then a command.
fn draw(rng: &mut Rng, input_bytes: usize, frame_count: usize) -> Vec<(Vec<u8>, Command)> {
    let mut input = vec![0u8; input_bytes];
    let mut next = |_| {
        match rng.below(5) {
            0 | 1 => {}
            2 => {
                let position = rng.below(8 * input_bytes as u32) as usize;
                input[position / 8] ^= 1 << (position % 8);
            }
            3 => {
                for _ in 0..rng.below(6) {
                    input[rng.below(input_bytes as u32) as usize] = rng.next_u32() as u8;
                }
            }
            _ => input.fill_with(|| rng.next_u32() as u8),
        }
        let mut command = Command::NONE;
        if rng.below(6) == 0 {
            let payload: Vec<u8> = (0..rng.below(MAX_COMMAND_BYTES as u32 + 1)).map(|_| rng.below(3) as u8).collect();
            command = Command::new(1 + rng.below(255) as u8, &payload).unwrap();
        }
        (input.clone(), command)
    };
    (0..frame_count).map(&mut next).collect()
}

fn encode(run: &[(Vec<u8>, Command)], input_bytes: usize) -> Vec<u8> {
    let worst = worst_run_bytes(input_bytes, run.len());
    let mut bytes = vec![0; worst];
    let mut writer = BitWriter::new(&mut bytes);
    encode_run(&mut writer, input_bytes, run.len(), |index, out| {
        out.copy_from_slice(&run[index].0);
        run[index].1
    });
    let len = writer.finish().unwrap_or_else(|error| panic!("{error:?}: a run takes {worst} bytes at most"));
    bytes.truncate(len);
    bytes
}

fn decode(bytes: &[u8], input_bytes: usize, frame_count: usize) -> Option<Vec<Sample>> {
    let mut reader = BitReader::new(bytes);
    let mut samples = Vec::new();
    decode_run(&mut reader, input_bytes, frame_count, |_, input, command| samples.push(Sample::new(input, command))).ok()?;
    reader.finish().ok()?;
    Some(samples)
}

fn damage(rng: &mut Rng, bytes: &mut Vec<u8>) {
    for _ in 0..1 + rng.below(3) {
        let position = rng.below(8 * bytes.len() as u32) as usize;
        bytes[position / 8] ^= 1 << (position % 8);
    }
    if rng.below(4) == 0 {
        bytes.truncate(rng.below(bytes.len() as u32 + 1) as usize);
    }
}

#[test]
fn the_table_is_what_the_codec_does() {
    let mut rng = Rng::new(9, 9);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..cases(20_000) as usize {
        let input_bytes = 1 + rng.below(MAX_INPUT_BYTES as u32) as usize;
        let frame_count = if round % 50 == 0 { MAX_RUN_FRAMES } else { rng.below(12) as usize };
        let run = draw(&mut rng, input_bytes, frame_count);
        let bytes = encode(&run, input_bytes);
        let expected: Vec<Sample> = run.iter().map(|(input, command)| Sample::new(input, *command)).collect();
        assert_eq!(reference(&bytes, input_bytes, frame_count).as_ref(), Some(&expected), "round {round}");
        assert_eq!(decode(&bytes, input_bytes, frame_count).as_ref(), Some(&expected), "round {round}");
        if bytes.is_empty() {
            continue;
        }
        for _ in 0..4 {
            let mut damaged = bytes.clone();
            damage(&mut rng, &mut damaged);
            let expected = reference(&damaged, input_bytes, frame_count);
            assert_eq!(decode(&damaged, input_bytes, frame_count), expected, "round {round}: {damaged:02x?}");
            if expected.is_some() { accepted += 1 } else { refused += 1 }
        }
    }
    assert!(
        accepted > cases(10_000) && refused > cases(10_000),
        "{accepted} damaged runs are runs, {refused} are not: too few of one kind"
    );
}

/// Noise in the place of a run, short enough that most of it means something.
#[test]
fn noise_means_the_same_to_both() {
    let mut rng = Rng::new(9, 10);
    let mut accepted = 0;
    for _ in 0..cases(100_000) {
        let (input_bytes, frame_count) = (1 + rng.below(9) as usize, rng.below(5) as usize);
        let bytes: Vec<u8> = (0..rng.below(12)).map(|_| rng.next_u32() as u8).collect();
        let expected = reference(&bytes, input_bytes, frame_count);
        assert_eq!(decode(&bytes, input_bytes, frame_count), expected, "{input_bytes} bytes, {frame_count} frames: {bytes:02x?}");
        accepted += u32::from(expected.is_some());
    }
    assert!(accepted > cases(1_000), "only {accepted} were runs");
}
