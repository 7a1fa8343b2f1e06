//! Bits in bytes, low end first, over a buffer that the caller owns.

use super::run::DecodeError;
use core::fmt;

/// The output buffer is too small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferFull {
    /// How many bytes there were.
    pub capacity_bytes: usize,
}

impl fmt::Display for BufferFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the inputs do not fit into {} bytes; give a larger buffer or fewer frames", self.capacity_bytes)
    }
}

impl std::error::Error for BufferFull {}

/// Writes bits into a buffer. What does not fit is noticed at [`finish`](Self::finish).
#[derive(Debug)]
pub struct BitWriter<'a> {
    out: &'a mut [u8],
    len_bytes: usize,
    waiting: u64,
    waiting_bits: u32,
}

/// What takes the bits of a code.
pub(super) trait BitSink {
    /// Takes the low `bits` bits of `value`, at most 32 of them.
    fn write(&mut self, value: u32, bits: u32);
}

impl BitSink for BitWriter<'_> {
    #[inline]
    fn write(&mut self, value: u32, bits: u32) {
        Self::write(self, value, bits);
    }
}

impl<'a> BitWriter<'a> {
    /// Writes from the start of `out`.
    #[must_use]
    pub fn new(out: &'a mut [u8]) -> Self {
        Self { out, len_bytes: 0, waiting: 0, waiting_bits: 0 }
    }

    /// Writes the low `bits` bits of `value`, at most 32 of them.
    #[inline]
    pub fn write(&mut self, value: u32, bits: u32) {
        let bits = bits.min(32);
        self.waiting |= (u64::from(value) & ((1 << bits) - 1)) << self.waiting_bits;
        self.waiting_bits += bits;
        if self.waiting_bits >= 32 {
            self.flush(4);
        }
    }

    /// Writes 64 bits.
    #[inline]
    pub(super) fn write_64(&mut self, value: u64) {
        if let Some(out) = self.out.get_mut(self.len_bytes..self.len_bytes + 8) {
            out.copy_from_slice(&(self.waiting | value << self.waiting_bits).to_le_bytes());
        }
        self.len_bytes += 8;
        // Fewer than 32 bits wait; none of them would be a shift by 64.
        self.waiting = value >> 1 >> (63 - self.waiting_bits);
    }

    /// Fills the last byte with zeros and returns how many bytes were written.
    ///
    /// # Errors
    /// If anything did not fit.
    pub fn finish(mut self) -> Result<usize, BufferFull> {
        self.flush(self.waiting_bits.div_ceil(8) as usize);
        if self.len_bytes > self.out.len() { Err(BufferFull { capacity_bytes: self.out.len() }) } else { Ok(self.len_bytes) }
    }

    #[inline]
    fn flush(&mut self, bytes: usize) {
        if let Some(out) = self.out.get_mut(self.len_bytes..self.len_bytes + bytes) {
            out.copy_from_slice(&self.waiting.to_le_bytes()[..bytes]);
        }
        self.len_bytes += bytes;
        self.waiting >>= 8 * bytes;
        self.waiting_bits = self.waiting_bits.saturating_sub(8 * bytes as u32);
    }
}

/// Reads bits from bytes that nobody has checked.
#[derive(Clone, Debug)]
pub struct BitReader<'a> {
    rest: &'a [u8],
    waiting: u64,
    waiting_bits: u32,
}

impl<'a> BitReader<'a> {
    /// Reads from the start of `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, waiting: 0, waiting_bits: 0 }
    }

    /// The next `bits` bits, at most 32 of them.
    ///
    /// # Errors
    /// If fewer are left.
    #[inline]
    pub fn read(&mut self, bits: u32) -> Result<u32, DecodeError> {
        let bits = bits.min(32);
        if self.waiting_bits < bits {
            self.refill();
            if self.waiting_bits < bits {
                return Err(DecodeError::Truncated);
            }
        }
        let value = self.waiting & ((1 << bits) - 1);
        self.waiting >>= bits;
        self.waiting_bits -= bits;
        Ok(value as u32)
    }

    /// The next 64 bits, if so many are left after those that wait; else nothing was read.
    #[inline]
    pub(super) fn read_64(&mut self) -> Option<u64> {
        let (eight, rest) = self.rest.split_first_chunk::<8>()?;
        if self.waiting_bits == 64 {
            self.waiting_bits = 0;
            return Some(core::mem::take(&mut self.waiting));
        }
        let next = u64::from_le_bytes(*eight);
        let value = self.waiting | next << self.waiting_bits;
        self.waiting = if self.waiting_bits == 0 { 0 } else { next >> (64 - self.waiting_bits) };
        self.rest = rest;
        Some(value)
    }

    /// How many bits are left.
    #[inline]
    pub(super) fn left_bits(&self) -> u64 {
        8 * self.rest.len() as u64 + u64::from(self.waiting_bits)
    }

    /// Takes zero bits, at most `limit` of them, as far as they are at hand; returns how many.
    /// Fewer does not mean that a one follows.
    #[inline]
    pub(super) fn take_zeros(&mut self, limit: usize) -> usize {
        if self.waiting_bits == 0 {
            self.refill();
        }
        let zeros = self.waiting.trailing_zeros().min(self.waiting_bits).min(u32::try_from(limit).unwrap_or(u32::MAX));
        self.waiting = self.waiting.checked_shr(zeros).unwrap_or(0);
        self.waiting_bits -= zeros;
        zeros as usize
    }

    #[inline]
    fn refill(&mut self) {
        if self.waiting_bits <= 32
            && let Some((four, rest)) = self.rest.split_first_chunk::<4>()
        {
            self.waiting |= u64::from(u32::from_le_bytes(*four)) << self.waiting_bits;
            self.waiting_bits += 32;
            self.rest = rest;
            return;
        }
        while self.waiting_bits <= 56
            && let Some((first, rest)) = self.rest.split_first()
        {
            self.waiting |= u64::from(*first) << self.waiting_bits;
            self.waiting_bits += 8;
            self.rest = rest;
        }
    }

    /// Checks that nothing follows but the zero bits that fill the last byte.
    ///
    /// # Errors
    /// If a byte or a set bit is left.
    pub fn finish(self) -> Result<(), DecodeError> {
        if self.rest.is_empty() && self.waiting_bits < 8 && self.waiting == 0 { Ok(()) } else { Err(DecodeError::TrailingBits) }
    }
}
