//! Reading and writing little-endian fields of a packet.

use super::key::ConnectionKey;
use super::reject::Reject;

/// Takes fields off the front of bytes that nobody has checked.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Reject> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or(Reject::TooShort)?;
        self.0 = rest;
        Ok(*first)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Reject> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Reject> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Reject> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Reject> {
        self.array().map(u64::from_le_bytes)
    }

    /// What is left.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.0
    }

    /// Checks that nothing is left.
    pub(crate) fn finish(self) -> Result<(), Reject> {
        if self.0.is_empty() { Ok(()) } else { Err(Reject::TrailingBytes) }
    }
}

/// Puts fields into a buffer. A buffer that is too small is noticed at the end.
pub(crate) struct Writer<'a> {
    out: &'a mut [u8],
    len: usize,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(out: &'a mut [u8]) -> Self {
        Self { out, len: 0 }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        if let Some(out) = self.out.get_mut(self.len..self.len + bytes.len()) {
            out.copy_from_slice(bytes);
        }
        self.len += bytes.len();
    }

    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes(&[value]);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    pub(crate) fn fill_to(&mut self, len: usize) {
        while self.len < len {
            self.u8(0);
        }
    }

    /// The length, for a packet without a CRC; 0 if the buffer was too small.
    pub(crate) fn finish_bare(self) -> usize {
        self.finish(ConnectionKey::AEAD)
    }

    /// Appends the CRC of everything so far, if the key asks for one; 0 if the buffer was too small.
    pub(crate) fn finish(mut self, key: ConnectionKey) -> usize {
        let Some(written) = self.out.get(..self.len) else { return 0 };
        if let Some(crc) = key.crc(written) {
            self.u32(crc);
        }
        if self.len <= self.out.len() { self.len } else { 0 }
    }
}

/// CRC-32 of `bytes`, continued from `seed`.
pub(crate) fn crc(seed: u32, bytes: &[u8]) -> u32 {
    snapback_core::crc32(seed, bytes)
}

/// The bytes before a packet's CRC, once it is right; all of them if the key asks for none.
pub(crate) fn checked(key: ConnectionKey, datagram: &[u8]) -> Result<&[u8], Reject> {
    if key.trailer_bytes() == 0 {
        return Ok(datagram);
    }
    let (body, expected) = datagram.split_last_chunk::<4>().ok_or(Reject::TooShort)?;
    if key.crc(body) == Some(u32::from_le_bytes(*expected)) { Ok(body) } else { Err(Reject::BadCrc) }
}
