//! What is on the wire between two [`ChannelConnection`](super::ChannelConnection)s.
//!
//! A packet is a header and frames until its end. It lies inside laminar's unreliable packet, which lies
//! inside an encrypted record (or, in the plaintext profile, before a CRC), so it has no checksum of its
//! own; each message has one. Every number is little-endian.
//!
//! | field | bytes | |
//! |---|---|---|
//! | format | 1 | 1, and 0x80 if the echo follows |
//! | sequence | 4 | of this packet |
//! | echo, delay | 4 + 2 | the newest sequence received, and how long ago, in units of 64 µs |
//!
//! | frame | first byte | then |
//! |---|---|---|
//! | chunk | stream, 0x08 if it begins a message, 0x10 if it ends one | number 2, of a beginning message the size 4 and CRC 4; length 2, bytes |
//! | ack | stream + 0x40 | next expected number 2, how many from there on are welcome 2, length 1, one bit for each number after the next that has arrived |
//! | part | stream + 0x80 | message 4, part 1, last part 1, size 4, CRC 4, length 2, bytes: of an unreliable message |
//! | ask | stream + 0xC0 | nothing: asks for an ack |

use crate::packet::Reject;

const FORMAT: u8 = 1;
const HAS_ECHO: u8 = 0x80;
const BEGINS: u8 = 0x08;
const ENDS: u8 = 0x10;

/// Bytes of a header with an echo.
pub(super) const HEADER_BYTES: usize = 11;

/// The most bytes of a chunk that are not the message's.
pub(super) const CHUNK_HEADER_BYTES: usize = 1 + 2 + 8 + 2;

/// Bytes of a part that are not the message's.
pub(super) const PART_HEADER_BYTES: usize = 1 + 4 + 1 + 1 + 4 + 4 + 2;

/// Chunks beyond the next expected that an ack tells of.
pub(super) const ACK_BITS: u64 = 256;

/// The largest ack.
pub(super) const ACK_BYTES: usize = 1 + 2 + 2 + 1 + ACK_BITS as usize / 8;

const DELAY_UNIT_US: u64 = 64;

/// What begins every packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) sequence: u32,
    pub(super) echo: Option<Echo>,
}

/// By which the other end measures the round trip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Echo {
    pub(super) sequence: u32,
    /// In units of 64 µs; the largest value says no more than that it was long ago.
    pub(super) delay: u16,
}

impl Echo {
    pub(super) fn new(sequence: u32, delay_us: u64) -> Self {
        Self { sequence, delay: u16::try_from(delay_us / DELAY_UNIT_US).unwrap_or(u16::MAX) }
    }

    /// None if it was too long ago to measure anything by.
    pub(super) fn delay_us(self) -> Option<u64> {
        (self.delay < u16::MAX).then_some(u64::from(self.delay) * DELAY_UNIT_US)
    }
}

/// What announces a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Announcement {
    pub(super) bytes: u32,
    pub(super) crc: u32,
}

/// One frame, as it stands there: nothing of it has been believed yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Frame<'a> {
    Chunk { stream: usize, number: u16, begins: Option<Announcement>, ends: bool, bytes: &'a [u8] },
    Ack { stream: usize, next: u16, welcome: u16, bits: &'a [u8] },
    Part { stream: usize, message: u32, part: u8, last: u8, of: Announcement, bytes: &'a [u8] },
    Ask { stream: usize },
}

impl Header {
    pub(super) fn write(&self, out: &mut Out<'_>) {
        let Self { sequence, echo } = *self;
        out.put(&[FORMAT | if echo.is_some() { HAS_ECHO } else { 0 }]);
        out.put(&sequence.to_le_bytes());
        if let Some(Echo { sequence, delay }) = echo {
            out.put(&sequence.to_le_bytes());
            out.put(&delay.to_le_bytes());
        }
    }

    /// The header, and the frames behind it.
    pub(super) fn read(packet: &[u8]) -> Result<(Self, Frames<'_>), Reject> {
        let mut input = In(packet);
        let format = input.u8()?;
        if format & !HAS_ECHO != FORMAT {
            return Err(Reject::UnknownType);
        }
        let sequence = input.u32()?;
        let echo = if format & HAS_ECHO == 0 { None } else { Some(Echo { sequence: input.u32()?, delay: input.u16()? }) };
        Ok((Self { sequence, echo }, Frames(input)))
    }
}

impl Frame<'_> {
    /// Which stream it is of: below [`STREAMS`](super::connection::STREAMS).
    pub(super) fn stream(&self) -> usize {
        match self {
            Self::Chunk { stream, .. } | Self::Ack { stream, .. } | Self::Part { stream, .. } | Self::Ask { stream } => *stream,
        }
    }

    pub(super) fn write(&self, out: &mut Out<'_>) {
        match *self {
            Self::Chunk { stream, number, begins, ends, bytes } => {
                out.put(&[stream as u8 | if begins.is_some() { BEGINS } else { 0 } | if ends { ENDS } else { 0 }]);
                out.put(&number.to_le_bytes());
                if let Some(of) = begins {
                    of.write(out);
                }
                out.put_counted(bytes);
            }
            Self::Ack { stream, next, welcome, bits } => {
                out.put(&[stream as u8 | 0x40]);
                out.put(&next.to_le_bytes());
                out.put(&welcome.to_le_bytes());
                out.put(&[bits.len() as u8]);
                out.put(bits);
            }
            Self::Part { stream, message, part, last, of, bytes } => {
                out.put(&[stream as u8 | 0x80]);
                out.put(&message.to_le_bytes());
                out.put(&[part, last]);
                of.write(out);
                out.put_counted(bytes);
            }
            Self::Ask { stream } => out.put(&[stream as u8 | 0xC0]),
        }
    }
}

impl Announcement {
    pub(super) fn of(message: &[u8]) -> Self {
        Self { bytes: message.len() as u32, crc: crc32fast::hash(message) }
    }

    fn write(self, out: &mut Out<'_>) {
        out.put(&self.bytes.to_le_bytes());
        out.put(&self.crc.to_le_bytes());
    }
}

/// Takes frames off bytes that nobody has checked.
pub(super) struct Frames<'a>(In<'a>);

impl<'a> Frames<'a> {
    /// The next frame; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Frame<'a>>, Reject> {
        let input = &mut self.0;
        let Ok(first) = input.u8() else { return Ok(None) };
        let stream = usize::from(first & 0x07);
        if stream >= super::connection::STREAMS {
            return Err(Reject::BadField);
        }
        let flags = first & (BEGINS | ENDS);
        let frame = match first & !(0x07 | BEGINS | ENDS) {
            0x00 => {
                let number = input.u16()?;
                let begins = if flags & BEGINS == 0 { None } else { Some(input.announcement()?) };
                Frame::Chunk { stream, number, begins, ends: flags & ENDS != 0, bytes: input.counted()? }
            }
            0x40 if flags == 0 => {
                let (next, welcome, len) = (input.u16()?, input.u16()?, input.u8()?);
                if u64::from(len) > ACK_BITS / 8 {
                    return Err(Reject::BadField);
                }
                Frame::Ack { stream, next, welcome, bits: input.take(len.into())? }
            }
            0x80 if flags == 0 => {
                let (message, part, last) = (input.u32()?, input.u8()?, input.u8()?);
                Frame::Part { stream, message, part, last, of: input.announcement()?, bytes: input.counted()? }
            }
            0xC0 if flags == 0 => Frame::Ask { stream },
            _ => return Err(Reject::BadField),
        };
        Ok(Some(frame))
    }
}

#[derive(Clone, Copy)]
struct In<'a>(&'a [u8]);

impl<'a> In<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], Reject> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(Reject::TooShort)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Reject> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or(Reject::TooShort)?;
        self.0 = rest;
        Ok(*first)
    }

    fn u8(&mut self) -> Result<u8, Reject> {
        self.array::<1>().map(|[byte]| byte)
    }

    fn u16(&mut self) -> Result<u16, Reject> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, Reject> {
        self.array().map(u32::from_le_bytes)
    }

    fn announcement(&mut self) -> Result<Announcement, Reject> {
        Ok(Announcement { bytes: self.u32()?, crc: self.u32()? })
    }

    fn counted(&mut self) -> Result<&'a [u8], Reject> {
        let len = self.u16()?;
        self.take(len.into())
    }
}

/// Puts fields into a buffer whose room the caller has asked for.
pub(super) struct Out<'a> {
    out: &'a mut [u8],
    len: usize,
}

impl<'a> Out<'a> {
    pub(super) fn new(out: &'a mut [u8]) -> Self {
        Self { out, len: 0 }
    }

    /// Bytes that still fit.
    pub(super) fn room(&self) -> usize {
        self.out.len() - self.len
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    fn put(&mut self, bytes: &[u8]) {
        if let Some(place) = self.out.get_mut(self.len..).and_then(|rest| rest.get_mut(..bytes.len())) {
            place.copy_from_slice(bytes);
            self.len += bytes.len();
        }
    }

    fn put_counted(&mut self, bytes: &[u8]) {
        self.put(&(bytes.len() as u16).to_le_bytes());
        self.put(bytes);
    }
}

/// The whole number that a truncated one stands for: the one nearest to a number that is known.
pub(super) fn expand(truncated: u16, near: u64) -> Option<u64> {
    let distance = truncated.wrapping_sub(near as u16) as i16;
    near.checked_add_signed(distance.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Rng;

    fn frames<'a>(rng: &mut Rng, bytes: &'a [u8]) -> Vec<Frame<'a>> {
        (0..rng.below(5))
            .map(|_| {
                let stream = rng.below(6) as usize;
                let bytes = &bytes[..rng.below(60) as usize];
                let of = Announcement { bytes: rng.next_u32(), crc: rng.next_u32() };
                match rng.below(4) {
                    0 => {
                        let begins = (rng.below(2) == 0).then_some(of);
                        Frame::Chunk { stream, number: rng.next_u32() as u16, begins, ends: rng.below(2) == 0, bytes }
                    }
                    1 => Frame::Ack {
                        stream,
                        next: rng.next_u32() as u16,
                        welcome: rng.next_u32() as u16,
                        bits: &bytes[..bytes.len().min(32)],
                    },
                    2 => Frame::Part { stream, message: rng.next_u32(), part: rng.next_u32() as u8, last: rng.next_u32() as u8, of, bytes },
                    _ => Frame::Ask { stream },
                }
            })
            .collect()
    }

    fn read(packet: &[u8]) -> Result<(Header, Vec<Frame<'_>>), Reject> {
        let (header, mut rest) = Header::read(packet)?;
        let mut frames = Vec::new();
        while let Some(frame) = rest.next()? {
            frames.push(frame);
        }
        Ok((header, frames))
    }

    #[test]
    fn packets_come_out_as_they_went_in_and_nothing_panics() {
        let bytes: Vec<u8> = (0..60).collect();
        for seed in 0..3_000 {
            let mut rng = Rng::new(seed, 0);
            let echo = (rng.below(2) == 0).then(|| Echo { sequence: rng.next_u32(), delay: rng.next_u32() as u16 });
            let (header, sent) = (Header { sequence: rng.next_u32(), echo }, frames(&mut rng, &bytes));
            let mut buffer = [0; 1_200];
            let mut out = Out::new(&mut buffer);
            header.write(&mut out);
            for frame in &sent {
                frame.write(&mut out);
            }
            let len = out.len();
            assert_eq!(read(&buffer[..len]), Ok((header, sent)), "seed {seed}");
            for cut in 0..len {
                let _ = read(&buffer[..cut]);
            }
            for _ in 0..50 {
                let mut changed = buffer[..len].to_vec();
                let at = rng.below(len as u32) as usize;
                changed[at] ^= 1 << rng.below(8);
                let _ = read(&changed);
            }
        }
    }

    #[test]
    fn what_does_not_exist_is_refused() {
        let header = [1, 0, 0, 0, 0];
        for first in 0..=255u8 {
            let stream_exists = first & 7 < 6;
            let is_chunk = first & 0xE0 == 0;
            let is_other = matches!(first & 0xF8, 0x40 | 0x80 | 0xC0);
            let packet: Vec<u8> = header.into_iter().chain([first]).chain([0; 20]).collect();
            let refused = Header::read(&packet).unwrap().1.next() == Err(Reject::BadField);
            assert_eq!(refused, !(stream_exists && (is_chunk || is_other)), "{first:#04x}");
        }
        for format in [0, 2, 0x81 ^ 0x40, 0xFF] {
            assert_eq!(read(&[format, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap_err(), Reject::UnknownType);
        }
        let long_ack: Vec<u8> = header.into_iter().chain([0x41, 0, 0, 0, 0, 33]).chain([0; 33]).collect();
        assert_eq!(read(&long_ack).unwrap_err(), Reject::BadField);
    }

    #[test]
    fn a_truncated_number_is_the_nearest() {
        for near in [0u64, 1, 32_767, 32_768, 65_535, 65_536, 1 << 40, u64::MAX - 5] {
            for distance in [-300i64, -1, 0, 1, 255, 300] {
                let Some(number) = near.checked_add_signed(distance) else { continue };
                assert_eq!(expand(number as u16, near), Some(number));
            }
        }
        assert_eq!(expand(65_535, 0), None);
    }
}
