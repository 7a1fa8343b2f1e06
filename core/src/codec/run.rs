//! Encoding and decoding a run of one player's inputs.

use super::bits::{BitReader, BitSink, BitWriter};
use crate::command::Command;
use crate::limits::{MAX_COMMAND_BYTES, MAX_INPUT_BYTES, MAX_RUN_FRAMES};
use core::fmt;
use core::ops::Range;

const MAX_WORDS: usize = MAX_INPUT_BYTES / 8;

const RAW: u32 = 0;
const BYTES: u32 = 1;
const COMMAND: u32 = 2;

/// Why bytes are not a run of inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// The bytes end before the run does.
    Truncated,
    /// Bits that should be zero fill are not, or bytes follow the run.
    TrailingBits,
    /// A flipped bit or changed byte lies outside the input, or places do not ascend.
    BadPlace,
    /// A reserved form, a command inside a command's sample, or a command that is not one.
    BadForm,
    /// The input size or the number of frames is outside the limits.
    BadShape {
        /// The input size that was asked for.
        input_bytes: usize,
        /// The number of frames that was asked for.
        frame_count: usize,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("the inputs end too early"),
            Self::TrailingBits => f.write_str("something follows the inputs"),
            Self::BadPlace => f.write_str("a change lies outside the input"),
            Self::BadForm => f.write_str("an input has a form that does not exist"),
            Self::BadShape { input_bytes, frame_count } => {
                write!(f, "{frame_count} frames of {input_bytes} bytes are outside the limits of {MAX_RUN_FRAMES} and {MAX_INPUT_BYTES}")
            }
        }
    }
}

impl std::error::Error for DecodeError {}

/// The most bits that one sample of `input_bytes` bytes takes: a command and the whole input.
#[must_use]
pub const fn worst_sample_bits(input_bytes: usize) -> usize {
    (4 + 8 + 3 + 8 * MAX_COMMAND_BYTES) + (4 + 8 * input_bytes)
}

/// The most bytes that a run of `frame_count` inputs of `input_bytes` bytes takes.
#[must_use]
pub const fn worst_run_bytes(input_bytes: usize, frame_count: usize) -> usize {
    (worst_sample_bits(input_bytes) * frame_count).div_ceil(8)
}

/// Bits in a place among `count` places.
const fn place_bits(count: usize) -> u32 {
    count.next_power_of_two().trailing_zeros()
}

/// Writes `frame_count` inputs of `input_bytes` bytes each. `sample` fills in the canonical bytes
/// of the input with this index and returns its command.
///
/// Sizes over [`MAX_INPUT_BYTES`] or [`MAX_RUN_FRAMES`] write nothing: callers are bounded by
/// construction, and the decoder refuses such shapes.
#[inline]
pub fn encode_run(writer: &mut BitWriter<'_>, input_bytes: usize, frame_count: usize, sample: impl FnMut(usize, &mut [u8]) -> Command) {
    // Most inputs fit one word, for which the loops over words fall away.
    match input_bytes {
        _ if !valid_shape(input_bytes, frame_count) => {}
        1..=8 => encode_words::<1>(writer, input_bytes, frame_count, sample),
        _ => encode_words::<MAX_WORDS>(writer, input_bytes, frame_count, sample),
    }
}

#[inline]
fn encode_words<const WORDS: usize>(
    writer: &mut BitWriter<'_>,
    input_bytes: usize,
    frame_count: usize,
    mut sample: impl FnMut(usize, &mut [u8]) -> Command,
) {
    let mut before = [0; WORDS];
    let mut bytes = [0; MAX_INPUT_BYTES];
    for index in 0..frame_count {
        let command = sample(index, &mut bytes[..input_bytes]);
        let now = load::<WORDS>(&bytes, input_bytes);
        encode_sample(writer, input_bytes, &before, &now, &command);
        before = now;
    }
}

/// Writes one sample: `now`, after `before`, with a command.
#[inline]
pub(super) fn encode_sample<const WORDS: usize>(
    writer: &mut impl BitSink,
    input_bytes: usize,
    before: &[u64; WORDS],
    now: &[u64; WORDS],
    command: &Command,
) {
    if !command.is_none() {
        encode_command(writer, command);
    }
    let flipped = core::array::from_fn(|word| now[word] ^ before[word]);
    if flipped == [0; WORDS] {
        writer.write(0, 1);
    } else {
        encode_change(writer, input_bytes, &flipped, now);
    }
}

/// The input as numbers. A load is as wide as the store before it: a wider one would wait until the
/// store has left the processor's buffer.
#[inline]
pub(super) fn load<const WORDS: usize>(bytes: &[u8], input_bytes: usize) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    match (&mut words[..], input_bytes, bytes) {
        ([word], 1, [a, ..]) => *word = (*a).into(),
        ([word], 2, [a, b, ..]) => *word = u16::from_le_bytes([*a, *b]).into(),
        ([word], 4, [a, b, c, d, ..]) => *word = u32::from_le_bytes([*a, *b, *c, *d]).into(),
        (words, ..) => {
            let (whole, rest) = bytes.get(..input_bytes).unwrap_or_default().as_chunks::<8>();
            let mut places = words.iter_mut();
            whole.iter().zip(&mut places).for_each(|(bytes, word)| *word = u64::from_le_bytes(*bytes));
            if let Some(word) = places.next() {
                *word = rest.iter().rfold(0, |word, byte| word << 8 | u64::from(*byte));
            }
        }
    }
    words
}

fn encode_command(writer: &mut impl BitSink, command: &Command) {
    let payload = command.payload();
    writer.write(0b11 | COMMAND << 2, 4);
    writer.write(command.kind().into(), 8);
    writer.write(payload.len() as u32, 3);
    for byte in payload {
        writer.write((*byte).into(), 8);
    }
}

#[inline]
fn encode_change<const WORDS: usize>(writer: &mut impl BitSink, input_bytes: usize, flipped: &[u64; WORDS], now: &[u64; WORDS]) {
    let (bit_place, byte_place) = (place_bits(8 * input_bytes), place_bits(input_bytes));
    let flips: u32 = flipped.iter().map(|word| word.count_ones()).sum();
    let changed: u32 = flipped.iter().map(|word| changed_bytes(*word).count_ones()).sum();
    let as_flips = 2 + flips * (bit_place + 1);
    let as_raw = 4 + 8 * input_bytes as u32;
    let as_bytes = 4 + changed * (byte_place + 9);
    if as_flips <= as_raw && as_flips <= as_bytes {
        writer.write(0b01, 2);
        let mut left = flips;
        for (at, word) in flipped.iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                left -= 1;
                let place = 64 * at as u32 + word.trailing_zeros();
                writer.write(place | u32::from(left > 0) << bit_place, bit_place + 1);
                word &= word - 1;
            }
        }
    } else if as_bytes < as_raw {
        writer.write(0b11 | BYTES << 2, 4);
        let mut left = changed;
        for (at, word) in flipped.iter().enumerate() {
            for (offset, change) in word.to_le_bytes().into_iter().enumerate().filter(|(_, change)| *change != 0) {
                left -= 1;
                writer.write((8 * at + offset) as u32, byte_place);
                writer.write(u32::from(change) | u32::from(left > 0) << 8, 9);
            }
        }
    } else {
        writer.write(0b11 | RAW << 2, 4);
        for (at, word) in now.iter().enumerate() {
            let bits = 8 * input_bytes.saturating_sub(8 * at) as u32;
            writer.write(*word as u32, bits.min(32));
            writer.write((*word >> 32) as u32, bits.saturating_sub(32).min(32));
        }
    }
}

/// The low bit of every byte that is not zero.
const fn changed_bytes(word: u64) -> u64 {
    let any = word | word >> 4;
    let any = any & 0x0F0F_0F0F_0F0F_0F0F;
    let any = any | any >> 2;
    let any = any & 0x0303_0303_0303_0303;
    (any | any >> 1) & 0x0101_0101_0101_0101
}

/// Reads `frame_count` inputs of `input_bytes` bytes each, and shows each to `visit`: its index,
/// its canonical bytes, its command.
///
/// Nothing here is trusted: work and memory are bounded by the two numbers. `visit` sees samples
/// before the rest of the run is known to be good, so it must not act on them yet.
///
/// # Errors
/// If the bytes are not such a run.
#[inline]
pub fn decode_run(
    reader: &mut BitReader<'_>,
    input_bytes: usize,
    frame_count: usize,
    mut visit: impl FnMut(usize, &[u8], Command),
) -> Result<(), DecodeError> {
    decode_spans(reader, input_bytes, frame_count, |span, bytes, command| {
        visit(span.start, bytes, command);
        for index in span.skip(1) {
            visit(index, bytes, Command::NONE);
        }
    })
}

/// The same, but shows an input that is held for several frames once: the indices for which it is,
/// its canonical bytes, and the command of the first of them. The others have none.
///
/// # Errors
/// If the bytes are not such a run.
#[inline]
pub fn decode_spans(
    reader: &mut BitReader<'_>,
    input_bytes: usize,
    frame_count: usize,
    visit: impl FnMut(Range<usize>, &[u8], Command),
) -> Result<(), DecodeError> {
    // Most inputs fit one word, for which the loops over words fall away.
    match input_bytes {
        _ if !valid_shape(input_bytes, frame_count) => Err(DecodeError::BadShape { input_bytes, frame_count }),
        1..=8 => decode_words::<1>(reader, input_bytes, frame_count, visit),
        _ => decode_words::<MAX_WORDS>(reader, input_bytes, frame_count, visit),
    }
}

#[inline]
fn decode_words<const WORDS: usize>(
    reader: &mut BitReader<'_>,
    input_bytes: usize,
    frame_count: usize,
    mut visit: impl FnMut(Range<usize>, &[u8], Command),
) -> Result<(), DecodeError> {
    let (mut words, mut bytes) = ([0; WORDS], [0; MAX_INPUT_BYTES]);
    let (mut start, mut index, mut command) = (0, 0, Command::NONE);
    while index < frame_count {
        // Most samples repeat the one before: as many as the reader has at hand in one go.
        index += reader.take_zeros(frame_count - index);
        if index == frame_count {
            break;
        }
        if reader.read(1)? == 1 {
            if start < index {
                visit(start..index, &bytes[..input_bytes], command);
            }
            start = index;
            command = decode_change(reader, input_bytes, &mut words)?;
            store(&words, &mut bytes[..input_bytes]);
        }
        index += 1;
    }
    if start < index {
        visit(start..index, &bytes[..input_bytes], command);
    }
    Ok(())
}

/// Reads one sample: changes `words` from the input before to this one, and returns its command.
#[inline]
pub(super) fn decode_sample<const WORDS: usize>(
    reader: &mut BitReader<'_>,
    input_bytes: usize,
    words: &mut [u64; WORDS],
) -> Result<Command, DecodeError> {
    if reader.read(1)? == 0 { Ok(Command::NONE) } else { decode_change(reader, input_bytes, words) }
}

/// The numbers as an input. Stores are as wide as the load after it: a load that is wider than the store
/// before it would wait until the store has left the processor's buffer.
#[inline]
pub(super) fn store<const WORDS: usize>(words: &[u64; WORDS], bytes: &mut [u8]) {
    match (&words[..], bytes.len()) {
        ([word], 1) => bytes.copy_from_slice(&(*word as u8).to_le_bytes()),
        ([word], 2) => bytes.copy_from_slice(&(*word as u16).to_le_bytes()),
        ([word], 4) => bytes.copy_from_slice(&(*word as u32).to_le_bytes()),
        (words, _) => {
            for (bytes, word) in bytes.chunks_mut(8).zip(words) {
                let len = bytes.len();
                bytes.copy_from_slice(word.to_le_bytes().get(..len).unwrap_or_default());
            }
        }
    }
}

/// Xors `change` into the byte at `place`.
#[inline]
fn change_byte(words: &mut [u64], place: usize, change: u8) {
    if let Some(word) = words.get_mut(place / 8) {
        *word ^= u64::from(change) << (8 * (place % 8));
    }
}

#[inline]
fn decode_change<const WORDS: usize>(
    reader: &mut BitReader<'_>,
    input_bytes: usize,
    words: &mut [u64; WORDS],
) -> Result<Command, DecodeError> {
    let mut command = Command::NONE;
    loop {
        if reader.read(1)? == 0 {
            decode_flips(reader, input_bytes, words)?;
            return Ok(command);
        }
        match reader.read(2)? {
            RAW => {
                for (at, word) in words.iter_mut().enumerate() {
                    let bits = 8 * input_bytes.saturating_sub(8 * at).min(8) as u32;
                    *word = reader.read(bits.min(32))?.into();
                    if bits > 32 {
                        *word |= u64::from(reader.read(bits - 32)?) << 32;
                    }
                }
                return Ok(command);
            }
            BYTES => {
                decode_bytes(reader, input_bytes, words)?;
                return Ok(command);
            }
            COMMAND if command.is_none() => {
                command = decode_command(reader)?;
                if reader.read(1)? == 0 {
                    return Ok(command);
                }
            }
            _ => return Err(DecodeError::BadForm),
        }
    }
}

#[inline]
fn decode_flips(reader: &mut BitReader<'_>, input_bytes: usize, words: &mut [u64]) -> Result<(), DecodeError> {
    let place_bits = place_bits(8 * input_bytes);
    let mut least = 0;
    loop {
        let read = reader.read(place_bits + 1)?;
        let place = (read & ((1 << place_bits) - 1)) as usize;
        if place < least || place >= 8 * input_bytes {
            return Err(DecodeError::BadPlace);
        }
        if let Some(word) = words.get_mut(place / 64) {
            *word ^= 1 << (place % 64);
        }
        if read >> place_bits == 0 {
            return Ok(());
        }
        least = place + 1;
    }
}

fn decode_bytes(reader: &mut BitReader<'_>, input_bytes: usize, words: &mut [u64]) -> Result<(), DecodeError> {
    let place_bits = place_bits(input_bytes);
    let mut least = 0;
    loop {
        let place = reader.read(place_bits)? as usize;
        let change = reader.read(9)?;
        if place < least || place >= input_bytes {
            return Err(DecodeError::BadPlace);
        }
        change_byte(words, place, change as u8);
        if change >> 8 == 0 {
            return Ok(());
        }
        least = place + 1;
    }
}

fn decode_command(reader: &mut BitReader<'_>) -> Result<Command, DecodeError> {
    let kind = reader.read(8)? as u8;
    let mut payload = [0u8; MAX_COMMAND_BYTES];
    let len = reader.read(3)? as usize;
    for byte in payload.iter_mut().take(len) {
        *byte = reader.read(8)? as u8;
    }
    let command = Command::new(kind, &payload).filter(|command| !command.is_none()).ok_or(DecodeError::BadForm)?;
    // One way to write each command: a shorter payload stands for its trailing zeros.
    if command.payload().len() == len { Ok(command) } else { Err(DecodeError::BadForm) }
}

pub(super) fn valid_shape(input_bytes: usize, frame_count: usize) -> bool {
    (1..=MAX_INPUT_BYTES).contains(&input_bytes) && frame_count <= MAX_RUN_FRAMES
}
