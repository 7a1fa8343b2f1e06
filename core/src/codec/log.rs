//! [`RunLog`]: runs whose windows slide, without coding what has been coded before.
//!
//! Every packet repeats most of what the packets before it brought. The code of a sample depends on
//! nothing but the sample and the one before it: in every window it is the same bits, but for the first,
//! which is coded against neutral. So a log keeps the bits of each frame. A sender copies them; a receiver
//! compares them, and decodes only what follows. The bits on the wire are those of
//! [`encode_run`](super::encode_run).

use super::bits::{BitReader, BitSink, BitWriter};
use super::run::{DecodeError, decode_sample, encode_sample, load, store, valid_shape, worst_sample_bits};
use crate::command::Command;
use crate::frame::Frame;
use crate::limits::MAX_INPUT_BYTES;

const MAX_WORDS: usize = MAX_INPUT_BYTES / 8;

/// One player's inputs for the newest consecutive frames, each with its code. Memory is allocated once.
///
/// A sender calls [`encode`](Self::encode). A receiver calls [`decode`](Self::decode) and, once the whole
/// packet is known to be good, [`take`](Self::take). What was decoded and not taken is forgotten with the
/// next packet.
///
/// ```
/// use snapback_core::codec::{BitReader, BitWriter, RunLog};
/// use snapback_core::{Command, Frame};
/// let (mut sent, mut received) = (RunLog::new(1, 16), RunLog::new(1, 16));
/// let mut seen = Vec::new();
/// for newest in 0..20 {
///     // Six frames in each packet.
///     let first = Frame::new((newest - 5).max(0));
///     let count = (Frame::new(newest) - first + 1) as usize;
///     let mut packet = [0; 64];
///     let mut writer = BitWriter::new(&mut packet);
///     sent.encode(&mut writer, first, count, |frame, out| {
///         out[0] = frame.number() as u8;
///         Command::NONE
///     });
///     let len = writer.finish().unwrap();
///     let mut reader = BitReader::new(&packet[..len]);
///     received.decode(&mut reader, first, count)?;
///     received.take(|frame, input, _| seen.push((frame.number(), input[0])));
/// }
/// // Each frame was shown once.
/// assert_eq!(seen, (0..20).map(|n| (n, n as u8)).collect::<Vec<_>>());
/// # Ok::<(), snapback_core::codec::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RunLog {
    input_bytes: usize,
    /// The frames that are known, none if `last` is before `first`.
    first: Frame,
    last: Frame,
    /// Decoded and not taken: the frames after `last` up to this one.
    decoded: Frame,
    samples: Vec<Kept>,
    inputs: Vec<u8>,
    bits: BitRing,
}

/// What is kept of a frame, beside its input.
#[derive(Clone, Copy, Debug)]
struct Kept {
    /// Where its code ends. It begins where that of the frame before ends; the oldest has none.
    end: u64,
    command: Command,
}

impl RunLog {
    /// A log of the newest `frame_capacity` frames at least, of inputs of `input_bytes` bytes. Windows that
    /// are longer are coded anew each time; inputs of a size that no run can have are refused by
    /// [`decode`](Self::decode) and not written by [`encode`](Self::encode).
    #[must_use]
    pub fn new(input_bytes: usize, frame_capacity: usize) -> Self {
        let frames = frame_capacity.max(1).next_power_of_two();
        let stride = input_bytes.min(MAX_INPUT_BYTES);
        Self {
            input_bytes,
            first: Frame::ZERO,
            last: Frame::INITIAL,
            decoded: Frame::INITIAL,
            samples: vec![Kept { end: 0, command: Command::NONE }; frames],
            inputs: vec![0; frames * stride],
            bits: BitRing::new(frames * worst_sample_bits(stride)),
        }
    }

    /// Writes what [`encode_run`](super::encode_run) writes for these frames. `sample` fills in the
    /// canonical bytes of a frame's input and returns its command; it is asked once for each frame, as
    /// inputs that were sent never change.
    #[inline]
    pub fn encode(
        &mut self,
        writer: &mut BitWriter<'_>,
        first: Frame,
        frame_count: usize,
        sample: impl FnMut(Frame, &mut [u8]) -> Command,
    ) {
        match self.input_bytes {
            _ if frame_count == 0 || !valid_shape(self.input_bytes, frame_count) => {}
            1..=8 => self.encode_words::<1>(writer, first, frame_count, sample),
            _ => self.encode_words::<MAX_WORDS>(writer, first, frame_count, sample),
        }
    }

    #[inline]
    fn encode_words<const WORDS: usize>(
        &mut self,
        writer: &mut BitWriter<'_>,
        first: Frame,
        frame_count: usize,
        mut sample: impl FnMut(Frame, &mut [u8]) -> Command,
    ) {
        let last = first + (frame_count as i64 - 1);
        if frame_count > self.samples.len() {
            return self.encode_anew::<WORDS>(writer, first, frame_count, sample);
        }
        if first < self.first || first > self.last.next() {
            self.forget(first);
        }
        if self.last < last {
            let mut before = self.input::<WORDS>(self.last);
            while self.last < last {
                let frame = self.last.next();
                let mut bytes = [0; MAX_INPUT_BYTES];
                let command = sample(frame, bytes.get_mut(..self.input_bytes).unwrap_or_default());
                let now = load::<WORDS>(&bytes, self.input_bytes);
                // The oldest frame has no code: no window has it but as its first.
                if frame > self.first {
                    encode_sample(&mut self.bits, self.input_bytes, &before, &now, &command);
                }
                self.keep(frame, &now, command);
                self.last = frame;
                before = now;
            }
        }
        let (now, command) = (self.input::<WORDS>(first), self.kept(first).command);
        encode_sample(writer, self.input_bytes, &[0; WORDS], &now, &command);
        self.bits.copy_to(writer, self.kept(first).end, self.kept(last).end);
    }

    /// For windows that do not fit.
    fn encode_anew<const WORDS: usize>(
        &self,
        writer: &mut BitWriter<'_>,
        first: Frame,
        frame_count: usize,
        mut sample: impl FnMut(Frame, &mut [u8]) -> Command,
    ) {
        super::encode_run(writer, self.input_bytes, frame_count, |index, bytes| sample(first + index as i64, bytes));
    }

    /// Reads a run as [`decode_run`](super::decode_run) does, and notes the frames that are not known yet;
    /// all of them if the run contradicts what is known, or says it in other bits. Nothing is trusted: work
    /// and memory are bounded by the two numbers.
    ///
    /// # Errors
    /// If the bytes are not such a run, or it is longer than the log.
    #[inline]
    pub fn decode(&mut self, reader: &mut BitReader<'_>, first: Frame, frame_count: usize) -> Result<(), DecodeError> {
        self.decoded = self.last;
        match self.input_bytes {
            input_bytes if !valid_shape(input_bytes, frame_count) || frame_count > self.samples.len() => {
                Err(DecodeError::BadShape { input_bytes, frame_count })
            }
            _ if frame_count == 0 => Ok(()),
            1..=8 => self.decode_words::<1>(reader, first, frame_count),
            _ => self.decode_words::<MAX_WORDS>(reader, first, frame_count),
        }
    }

    #[inline]
    fn decode_words<const WORDS: usize>(
        &mut self,
        reader: &mut BitReader<'_>,
        first: Frame,
        frame_count: usize,
    ) -> Result<(), DecodeError> {
        let last = first + (frame_count as i64 - 1);
        let mut words = [0; WORDS];
        let command = decode_sample(reader, self.input_bytes, &mut words)?;
        match self.skip_known(reader, first, last, &words, command) {
            Some(known) => words = self.input::<WORDS>(known),
            None => {
                self.forget(first);
                self.keep(first, &words, command);
                self.decoded = first;
            }
        }
        while self.decoded < last {
            let frame = self.decoded.next();
            let mut code = reader.clone();
            let command = decode_sample(reader, self.input_bytes, &mut words)?;
            for bits in in_parts(code.left_bits() - reader.left_bits()) {
                self.bits.write(code.read(bits)?, bits);
            }
            self.keep(frame, &words, command);
            self.decoded = frame;
        }
        Ok(())
    }

    /// Goes over the frames that are known, if the run says of them what is known, in the same bits.
    /// Returns the last of them.
    #[inline]
    fn skip_known<const WORDS: usize>(
        &mut self,
        reader: &mut BitReader<'_>,
        first: Frame,
        last: Frame,
        words: &[u64; WORDS],
        command: Command,
    ) -> Option<Frame> {
        if first < self.first || first > self.last || *words != self.input::<WORDS>(first) || command != self.kept(first).command {
            return None;
        }
        let known = last.min(self.last);
        let mut ahead = reader.clone();
        if !self.bits.is_next_in(&mut ahead, self.kept(first).end, self.kept(known).end) {
            return None;
        }
        *reader = ahead;
        // What was decoded after it and not taken is written over.
        self.bits.end = self.kept(self.last).end;
        Some(known)
    }

    /// Shows the frames that were decoded last and are new, in order: frame, canonical bytes, command. From
    /// now on they are known.
    #[inline]
    pub fn take(&mut self, mut visit: impl FnMut(Frame, &[u8], Command)) {
        while self.last < self.decoded {
            self.last = self.last.next();
            let bytes = self.inputs.get(self.place(self.last)).unwrap_or_default();
            visit(self.last, bytes, self.kept(self.last).command);
        }
    }

    /// Begins anew: the next frame is `first`.
    fn forget(&mut self, first: Frame) {
        self.first = first;
        self.last = first.previous();
        self.decoded = self.last;
    }

    /// Notes a frame whose code, if it has one, was written last.
    #[inline]
    fn keep<const WORDS: usize>(&mut self, frame: Frame, words: &[u64; WORDS], command: Command) {
        let end = self.bits.end;
        let slot = self.slot(frame);
        if let Some(kept) = self.samples.get_mut(slot) {
            *kept = Kept { end, command };
        }
        let place = self.place(frame);
        if let Some(bytes) = self.inputs.get_mut(place) {
            store(words, bytes);
        }
        // It stands where the one before all others stood.
        self.first = self.first.max(frame - (self.samples.len() as i64 - 1));
    }

    #[inline]
    fn input<const WORDS: usize>(&self, frame: Frame) -> [u64; WORDS] {
        load(self.inputs.get(self.place(frame)).unwrap_or_default(), self.input_bytes)
    }

    #[inline]
    fn kept(&self, frame: Frame) -> Kept {
        self.samples.get(self.slot(frame)).copied().unwrap_or(Kept { end: 0, command: Command::NONE })
    }

    #[inline]
    fn place(&self, frame: Frame) -> core::ops::Range<usize> {
        let start = self.slot(frame) * self.input_bytes;
        start..start + self.input_bytes
    }

    /// A mask, because the number of frames is a power of two.
    #[inline]
    fn slot(&self, frame: Frame) -> usize {
        frame.number() as usize & (self.samples.len() - 1)
    }
}

/// The newest bits that were written, in memory of a fixed size.
#[derive(Clone, Debug)]
struct BitRing {
    words: Vec<u64>,
    /// How many bits were ever written.
    end: u64,
}

impl BitRing {
    fn new(bits: usize) -> Self {
        // One more word than the bits need: the oldest of them share theirs with the newest.
        Self { words: vec![0; (bits.div_ceil(64) + 1).next_power_of_two()], end: 0 }
    }

    #[inline]
    fn word(&self, at: u64) -> u64 {
        self.words.get(at as usize & (self.words.len() - 1)).copied().unwrap_or(0)
    }

    #[inline]
    fn word_mut(&mut self, at: u64) -> Option<&mut u64> {
        let mask = self.words.len() - 1;
        self.words.get_mut(at as usize & mask)
    }

    #[inline]
    fn copy_to(&self, writer: &mut BitWriter<'_>, start: u64, end: u64) {
        let (mut at, mut left, mut row) = (start / 64, end.saturating_sub(start), Row::new(self, start));
        while left >= 64 {
            at += 1;
            writer.write_64(row.next(self.word(at)));
            left -= 64;
        }
        let rest = row.next(self.word(at + 1));
        writer.write(rest as u32, left.min(32) as u32);
        writer.write((rest >> 32) as u32, left.saturating_sub(32) as u32);
    }

    #[inline]
    fn is_next_in(&self, reader: &mut BitReader<'_>, start: u64, end: u64) -> bool {
        let (mut at, mut left, mut row) = (start / 64, end.saturating_sub(start), Row::new(self, start));
        while left >= 64 {
            let Some(bits) = reader.read_64() else { break };
            at += 1;
            if bits != row.next(self.word(at)) {
                return false;
            }
            left -= 64;
        }
        // At the end of a packet these can be more than 64.
        while left > 0 {
            at += 1;
            let word = row.next(self.word(at));
            for half in [word as u32, (word >> 32) as u32] {
                let bits = left.min(32) as u32;
                let expected = u64::from(half) & ((1 << bits) - 1);
                if !reader.read(bits).is_ok_and(|read| u64::from(read) == expected) {
                    return false;
                }
                left -= u64::from(bits);
            }
        }
        true
    }
}

/// Bits in a row, 64 at a time, from words of which each is read once.
struct Row {
    word: u64,
    shift: u64,
}

impl Row {
    #[inline]
    fn new(ring: &BitRing, start: u64) -> Self {
        Self { word: ring.word(start / 64), shift: start % 64 }
    }

    /// The next 64 bits, once the next word is known; those that were not written yet are anything.
    #[inline]
    fn next(&mut self, word: u64) -> u64 {
        let before = core::mem::replace(&mut self.word, word);
        // A shift by 64 would be none.
        before >> self.shift | word << 1 << (63 - self.shift)
    }
}

impl BitSink for BitRing {
    #[inline]
    fn write(&mut self, value: u32, bits: u32) {
        let value = u64::from(value) & ((1 << bits.min(32)) - 1);
        let (at, shift) = (self.end / 64, self.end % 64);
        if let Some(word) = self.word_mut(at) {
            *word = *word & ((1 << shift) - 1) | value << shift;
        }
        if shift > 32
            && let Some(word) = self.word_mut(at + 1)
        {
            *word = value >> (64 - shift);
        }
        self.end += u64::from(bits.min(32));
    }
}

/// So many bits as numbers of bits that are at most 32.
#[inline]
fn in_parts(bits: u64) -> impl Iterator<Item = u32> {
    let whole = core::iter::repeat_n(32, (bits / 32) as usize);
    let rest = (bits % 32) as u32;
    whole.chain((rest > 0).then_some(rest))
}

#[cfg(test)]
mod tests {
    use super::super::{decode_run, encode_run, worst_run_bytes};
    use super::*;
    use crate::rng::Rng;

    /// An input of any size that is held, changed a little or changed altogether, with a rare command.
    fn pressed(rng: &mut Rng, before: &[u8]) -> (Vec<u8>, Command) {
        let mut input = before.to_vec();
        match rng.below(4) {
            0 => {}
            1 | 2 => {
                let at = rng.below(input.len() as u32) as usize;
                input[at] ^= 1 << rng.below(8);
            }
            _ => input.iter_mut().for_each(|byte| *byte = rng.next_u32() as u8),
        }
        let command = if rng.chance(50_000) { Command::new(64, &rng.next_u32().to_le_bytes()) } else { None };
        (input, command.unwrap_or(Command::NONE))
    }

    fn plain(input_bytes: usize, samples: &[(Vec<u8>, Command)]) -> Vec<u8> {
        let mut out = vec![0; worst_run_bytes(input_bytes, samples.len()) + 8];
        let mut writer = BitWriter::new(&mut out);
        encode_run(&mut writer, input_bytes, samples.len(), |index, bytes| {
            bytes.copy_from_slice(&samples[index].0);
            samples[index].1
        });
        let len = writer.finish().unwrap();
        out.truncate(len);
        out
    }

    /// Windows that grow, slide, jump back and repeat: the same bytes as without a log, and every frame is
    /// shown once or, after a jump, again.
    #[test]
    fn a_log_writes_and_reads_what_the_codec_does() {
        for input_bytes in [1, 2, 3, 4, 7, 8, 9, 16, 33, 64] {
            for capacity in [8, 16, 40] {
                let mut rng = Rng::new(input_bytes as u64, capacity);
                let (mut sent, mut received) = (RunLog::new(input_bytes, capacity as usize), RunLog::new(input_bytes, capacity as usize));
                let mut all = vec![(vec![0; input_bytes], Command::NONE)];
                let mut next_to_see = 0;
                for _ in 0..1_500 {
                    for _ in 0..rng.below(3) {
                        let next = pressed(&mut rng, &all[all.len() - 1].0);
                        all.push(next);
                    }
                    let last = if rng.chance(100_000) { rng.below(all.len() as u32) as usize } else { all.len() - 1 };
                    // Behind a gap nothing is sent, and what was sent is not forgotten.
                    let longest = (capacity as usize).min(last + 1);
                    let count = (last + 1 - last.min(next_to_see)).max(rng.below(longest as u32) as usize + 1).min(longest);
                    let first = last + 1 - count;
                    if first > next_to_see {
                        next_to_see = first;
                    }
                    let mut out = vec![0; worst_run_bytes(input_bytes, count) + 8];
                    let mut writer = BitWriter::new(&mut out);
                    sent.encode(&mut writer, Frame::new(first as i64), count, |frame, bytes| {
                        let (input, command) = &all[frame.number() as usize];
                        bytes.copy_from_slice(input);
                        *command
                    });
                    let len = writer.finish().unwrap();
                    assert_eq!(out[..len], plain(input_bytes, &all[first..=last]), "{input_bytes} bytes, frames {first} to {last}");

                    let mut reader = BitReader::new(&out[..len]);
                    received.decode(&mut reader, Frame::new(first as i64), count).unwrap();
                    reader.finish().unwrap();
                    // A packet that turns out to be bad after it was decoded.
                    if rng.chance(200_000) {
                        continue;
                    }
                    received.take(|frame, bytes, command| {
                        let n = frame.number() as usize;
                        assert_eq!((bytes, command), (&all[n].0[..], all[n].1), "frame {n}");
                        assert!(n <= next_to_see, "frame {n} came before {next_to_see}");
                        next_to_see = next_to_see.max(n + 1);
                    });
                    assert!(next_to_see > last, "frame {last} was not shown");
                }
            }
        }
    }

    /// A peer that changes what it has said is shown in full, so that the change is seen.
    #[test]
    fn a_run_that_contradicts_is_shown_whole() {
        let mut rng = Rng::new(4, 4);
        for at in 0..8 {
            for change_command in [false, true] {
                let mut log = RunLog::new(2, 16);
                let mut samples = vec![(vec![1, 2], Command::NONE)];
                (0..8).for_each(|_| samples.push(pressed(&mut rng, &samples[samples.len() - 1].0)));
                let mut show = |samples: &[(Vec<u8>, Command)]| {
                    let bytes = plain(2, samples);
                    let mut reader = BitReader::new(&bytes);
                    log.decode(&mut reader, Frame::ZERO, samples.len()).unwrap();
                    reader.finish().unwrap();
                    let mut shown = Vec::new();
                    log.take(|_, input, command| shown.push((input.to_vec(), command)));
                    shown
                };
                assert_eq!(show(&samples), samples);
                assert_eq!(show(&samples), []);
                if change_command {
                    samples[at].1 = Command::new(70, &[9]).unwrap();
                } else {
                    samples[at].0[1] ^= 0x40;
                }
                assert_eq!(show(&samples), samples, "changed at {at}");
                assert_eq!(show(&samples), []);
            }
        }
    }

    /// Any bytes: the same verdict as without a log, and the same inputs for frames that are shown.
    #[test]
    fn hostile_bytes_get_the_verdict_of_the_codec() {
        let mut rng = Rng::new(11, 0);
        for _ in 0..30_000 {
            let input_bytes = [1, 2, 5, 8, 20][rng.below(5) as usize];
            let mut log = RunLog::new(input_bytes, 16);
            for _ in 0..4 {
                let bytes: Vec<u8> = (0..rng.below(24)).map(|_| (rng.next_u32() & rng.next_u32()) as u8).collect();
                let (first, count) = (Frame::new(i64::from(rng.below(4))), rng.below(12) as usize);
                let mut expected = Vec::new();
                let (mut plain, mut reader) = (BitReader::new(&bytes), BitReader::new(&bytes));
                let verdict = decode_run(&mut plain, input_bytes, count, |_, input, command| expected.push((input.to_vec(), command)));
                assert_eq!(log.decode(&mut reader, first, count), verdict);
                if verdict.is_ok() {
                    assert_eq!(reader.finish(), plain.finish());
                    log.take(|frame, input, command| assert_eq!((input.to_vec(), command), expected[(frame - first) as usize]));
                }
            }
        }
    }
}
