//! [`Knock`], [`Cookie`] and [`Opener`]: before a listener spends anything on an address, the
//! address shows that it receives what is sent to it.
//!
//! These are the only packets of the encrypted profile that are not encrypted. The first fields are
//! the same in every version. A Knock is longer than the Cookie that answers it.

use super::reader::{Reader, Writer};
use super::reject::Reject;
use super::{MAGIC, PROTOCOL_VERSION, PacketType};

const KNOCK_BYTES: usize = 96;

/// Bytes before the record in an [`Opener`].
pub const OPENER_HEADER_BYTES: usize = 25;

/// A peer wants to dial.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knock {
    /// The sender's protocol version.
    pub version: u16,
    /// A number that only the sender knows as yet; the answer echoes it.
    pub nonce: u64,
}

/// The listener's answer, which it does not remember.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cookie {
    /// The listener's protocol version.
    pub version: u16,
    /// The dialler's nonce.
    pub nonce: u64,
    /// What the dialler sends back to show that it received this.
    pub cookie: [u8; 16],
}

/// The first record of a DTLS handshake behind a cookie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opener<'a> {
    /// The dialler's nonce, as in its Knock.
    pub nonce: u64,
    /// The listener's cookie.
    pub cookie: [u8; 16],
    /// The record.
    pub record: &'a [u8],
}

fn open(datagram: &[u8], kind: PacketType) -> Result<(u16, u64, Reader<'_>), Reject> {
    let mut reader = Reader::new(datagram);
    if reader.u8()? != kind as u8 {
        return Err(Reject::BadField);
    }
    if reader.array()? != MAGIC {
        return Err(Reject::BadMagic);
    }
    Ok((reader.u16()?, reader.u64()?, reader))
}

impl Knock {
    /// Writes the packet; 0 if `out` is too small.
    pub fn write(&self, out: &mut [u8]) -> usize {
        let mut writer = Writer::new(out);
        writer.u8(PacketType::Knock as u8);
        writer.bytes(&MAGIC);
        writer.u16(self.version);
        writer.u64(self.nonce);
        writer.fill_to(KNOCK_BYTES);
        writer.finish_bare()
    }

    /// Reads a packet that nobody has checked, of any version.
    ///
    /// # Errors
    /// Says why it is none. Shorter than what we send is none either: it would be answered with
    /// more.
    pub fn read(datagram: &[u8]) -> Result<Self, Reject> {
        let (version, nonce, rest) = open(datagram, PacketType::Knock)?;
        if datagram.len() < KNOCK_BYTES {
            return Err(Reject::TooShort);
        }
        if datagram.len() > KNOCK_BYTES {
            return Err(Reject::TooLong);
        }
        if version == PROTOCOL_VERSION && rest.rest().iter().any(|byte| *byte != 0) {
            return Err(Reject::TrailingBytes);
        }
        Ok(Self { version, nonce })
    }
}

impl Cookie {
    /// Writes the packet; 0 if `out` is too small.
    pub fn write(&self, out: &mut [u8]) -> usize {
        let mut writer = Writer::new(out);
        writer.u8(PacketType::Cookie as u8);
        writer.bytes(&MAGIC);
        writer.u16(self.version);
        writer.u64(self.nonce);
        writer.bytes(&self.cookie);
        writer.finish_bare()
    }

    /// Reads a packet that nobody has checked, of any version.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn read(datagram: &[u8]) -> Result<Self, Reject> {
        let (version, nonce, mut rest) = open(datagram, PacketType::Cookie)?;
        let cookie = rest.array()?;
        if version == PROTOCOL_VERSION {
            rest.finish()?;
        }
        Ok(Self { version, nonce, cookie })
    }
}

impl<'a> Opener<'a> {
    /// Writes the packet; 0 if `out` is too small.
    pub fn write(&self, out: &mut [u8]) -> usize {
        let mut writer = Writer::new(out);
        writer.u8(PacketType::Opener as u8);
        writer.u64(self.nonce);
        writer.bytes(&self.cookie);
        writer.bytes(self.record);
        writer.finish_bare()
    }

    /// Reads a packet that nobody has checked.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn read(datagram: &'a [u8]) -> Result<Self, Reject> {
        let mut reader = Reader::new(datagram);
        if reader.u8()? != PacketType::Opener as u8 {
            return Err(Reject::BadField);
        }
        Ok(Self { nonce: reader.u64()?, cookie: reader.array()?, record: reader.rest() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_round_trip_and_the_answer_is_shorter() {
        let mut out = [0; 128];
        let knock = Knock { version: PROTOCOL_VERSION, nonce: 7 };
        let knock_bytes = knock.write(&mut out);
        assert_eq!((knock_bytes, Knock::read(&out[..knock_bytes])), (KNOCK_BYTES, Ok(knock)));
        assert_eq!(Knock::read(&out[..knock_bytes - 1]), Err(Reject::TooShort));
        assert_eq!(Knock::read(&out[..knock_bytes + 1]), Err(Reject::TooLong));
        let cookie = Cookie { version: PROTOCOL_VERSION, nonce: 7, cookie: [9; 16] };
        let cookie_bytes = cookie.write(&mut out);
        assert!(cookie_bytes <= knock_bytes);
        assert_eq!(Cookie::read(&out[..cookie_bytes]), Ok(cookie));
        for len in 0..cookie_bytes {
            assert_eq!(Cookie::read(&out[..len]), Err(Reject::TooShort));
        }
        let opener = Opener { nonce: 7, cookie: [9; 16], record: &[22, 1, 2, 3] };
        let opener_bytes = opener.write(&mut out);
        assert_eq!(opener_bytes, OPENER_HEADER_BYTES + 4);
        assert_eq!(Opener::read(&out[..opener_bytes]), Ok(opener));
        assert_eq!(Knock::read(&[2; 64]), Err(Reject::BadField));
    }

    #[test]
    fn another_version_is_understood() {
        let mut out = [0; 128];
        let len = Knock { version: 99, nonce: 7 }.write(&mut out);
        out[40] = 1;
        assert_eq!(Knock::read(&out[..len]).map(|knock| knock.version), Ok(99));
        let len = Cookie { version: 99, nonce: 7, cookie: [0; 16] }.write(&mut out);
        assert_eq!(Cookie::read(&out[..len + 5]).map(|cookie| cookie.version), Ok(99));
    }
}
