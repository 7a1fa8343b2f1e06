//! [`Proof`] and [`Path`]: the packets by which two ends of an encrypted connection convince each
//! other, before anything else is said, and after one of them has moved.

use super::PacketType;
use super::reader::{Reader, Writer};
use super::reject::Reject;

/// An end of a fresh encrypted connection shows that it holds the secret of a seat, and which
/// identity stands behind its certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Which secret: the seat that it belongs to, a player's number.
    pub seat: u8,
    /// Whether the sender has checked the receiver's proof.
    pub is_answer: bool,
    /// Made from the secret, the match and both certificates.
    pub secret_proof: [u8; 32],
    /// The sender's identity.
    pub identity: [u8; 32],
    /// The identity's signature over the match and both certificates.
    pub signature: [u8; 64],
}

impl Proof {
    /// The size on the wire.
    pub const BYTES: usize = 131;

    /// Writes the packet; 0 if `out` is too small.
    pub fn write(&self, out: &mut [u8]) -> usize {
        let mut writer = Writer::new(out);
        writer.u8(PacketType::Proof as u8);
        writer.u8(self.seat);
        writer.u8(u8::from(self.is_answer));
        writer.bytes(&self.secret_proof);
        writer.bytes(&self.identity);
        writer.bytes(&self.signature);
        writer.finish_bare()
    }

    /// Reads a packet that nobody has checked.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn read(packet: &[u8]) -> Result<Self, Reject> {
        let mut reader = Reader::new(packet);
        if reader.u8()? != PacketType::Proof as u8 {
            return Err(Reject::BadField);
        }
        let seat = reader.u8()?;
        let is_answer = match reader.u8()? {
            0 => false,
            1 => true,
            _ => return Err(Reject::BadField),
        };
        let proof = Self { seat, is_answer, secret_proof: reader.array()?, identity: reader.array()?, signature: reader.array()? };
        reader.finish()?;
        Ok(proof)
    }
}

/// A question to an address from which a packet of the connection came, and its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path {
    /// Whether this is the answer.
    pub is_answer: bool,
    /// What the answer repeats.
    pub token: u64,
}

impl Path {
    /// The size on the wire.
    pub const BYTES: usize = 10;

    /// Writes the packet; 0 if `out` is too small.
    pub fn write(&self, out: &mut [u8]) -> usize {
        let mut writer = Writer::new(out);
        writer.u8(PacketType::Path as u8);
        writer.u8(u8::from(self.is_answer));
        writer.u64(self.token);
        writer.finish_bare()
    }

    /// Reads a packet that nobody has checked.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn read(packet: &[u8]) -> Result<Self, Reject> {
        let mut reader = Reader::new(packet);
        if reader.u8()? != PacketType::Path as u8 {
            return Err(Reject::BadField);
        }
        let is_answer = match reader.u8()? {
            0 => false,
            1 => true,
            _ => return Err(Reject::BadField),
        };
        let token = reader.u64()?;
        reader.finish()?;
        Ok(Self { is_answer, token })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_round_trip_and_every_other_length_is_refused() {
        let mut out = [0; 160];
        let proof = Proof { seat: 1, is_answer: true, secret_proof: [1; 32], identity: [2; 32], signature: [3; 64] };
        assert_eq!(proof.write(&mut out), Proof::BYTES);
        assert_eq!(Proof::read(&out[..Proof::BYTES]), Ok(proof));
        for len in 0..Proof::BYTES {
            assert_eq!(Proof::read(&out[..len]), Err(Reject::TooShort));
        }
        assert_eq!(Proof::read(&out[..Proof::BYTES + 1]), Err(Reject::TrailingBytes));
        let path = Path { is_answer: false, token: u64::MAX - 1 };
        assert_eq!(path.write(&mut out), Path::BYTES);
        assert_eq!(Path::read(&out[..Path::BYTES]), Ok(path));
        out[1] = 2;
        assert_eq!(Path::read(&out[..Path::BYTES]), Err(Reject::BadField));
    }
}
