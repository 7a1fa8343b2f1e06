//! [`PlainChannel`]: a packet of the channels beside the rollback socket, in the plaintext profile.
//!
//! Both ends are known by their seats, and a connection by two nonces, one of each end. Who has no
//! connection yet knocks with its own nonce and an echo of 0, and whoever echoes that nonce received it.

use super::key::ConnectionKey;
use super::reader::{Reader, Writer, checked};
use super::reject::Reject;
use super::{DATAGRAM_BUDGET_BYTES, PacketType};
use snapback_core::limits::MAX_PLAYERS;

/// A packet of the channels, without encryption.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlainChannel<'a> {
    /// Whose packet it is: a player's number.
    pub seat: u8,
    /// The sender's number for this connection, never 0.
    pub nonce: u32,
    /// The receiver's; 0 in a knock.
    pub echo: u32,
    /// What it carries; nothing in a knock and in its answer.
    pub payload: &'a [u8],
}

impl<'a> PlainChannel<'a> {
    /// Bytes beside the payload, with the checksum.
    pub const OVERHEAD_BYTES: usize = 14;

    /// Writes the packet under a key from [`ConnectionKey::channels`]; 0 if `out` is too small.
    pub fn write(&self, key: ConnectionKey, out: &mut [u8]) -> usize {
        let mut writer = Writer::new(out);
        writer.u8(PacketType::PlainChannel as u8);
        writer.u8(self.seat);
        writer.u32(self.nonce);
        writer.u32(self.echo);
        writer.bytes(self.payload);
        writer.finish(key)
    }

    /// Whose packet it claims to be: the key depends on it.
    ///
    /// # Errors
    /// If it is too short to say, or nobody can sit there.
    pub fn claimed_seat(datagram: &[u8]) -> Result<u8, Reject> {
        let seat = *datagram.get(1).ok_or(Reject::TooShort)?;
        if usize::from(seat) < MAX_PLAYERS { Ok(seat) } else { Err(Reject::BadField) }
    }

    /// Reads a packet that nobody has checked.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn read(datagram: &'a [u8], key: ConnectionKey) -> Result<Self, Reject> {
        if datagram.len() > DATAGRAM_BUDGET_BYTES {
            return Err(Reject::TooLong);
        }
        let mut reader = Reader::new(checked(key, datagram)?);
        if reader.u8()? != PacketType::PlainChannel as u8 {
            return Err(Reject::BadField);
        }
        let (seat, nonce, echo) = (reader.u8()?, reader.u32()?, reader.u32()?);
        let payload = reader.rest();
        if usize::from(seat) >= MAX_PLAYERS || nonce == 0 || (echo == 0 && !payload.is_empty()) {
            return Err(Reject::BadField);
        }
        Ok(Self { seat, nonce, echo, payload })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: PlainChannel<'_> = PlainChannel { seat: 2, nonce: 7, echo: 8, payload: b"hello" };
    const BYTES: usize = PlainChannel::OVERHEAD_BYTES + 5;

    fn key() -> ConnectionKey {
        ConnectionKey::channels(9, 2, 0)
    }

    #[test]
    fn it_round_trips_and_a_knock_is_as_long_as_its_answer() {
        let mut out = [0; 64];
        assert_eq!(PACKET.write(key(), &mut out), BYTES);
        assert_eq!(PlainChannel::read(&out[..BYTES], key()), Ok(PACKET));
        assert_eq!(PlainChannel::claimed_seat(&out), Ok(2));
        let knock = PlainChannel { echo: 0, payload: &[], ..PACKET };
        let answer = PlainChannel { payload: &[], ..PACKET };
        for packet in [knock, answer] {
            assert_eq!(packet.write(key(), &mut out), PlainChannel::OVERHEAD_BYTES);
            assert_eq!(PlainChannel::read(&out[..PlainChannel::OVERHEAD_BYTES], key()), Ok(packet));
        }
        assert_eq!(PACKET.write(key(), &mut [0; BYTES - 1]), 0);
    }

    #[test]
    fn every_flipped_bit_and_every_length_is_refused() {
        let mut out = [0; BYTES];
        PACKET.write(key(), &mut out);
        for bit in 0..8 * BYTES {
            let mut flipped = out;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(PlainChannel::read(&flipped, key()).is_err(), "bit {bit}");
        }
        for len in 0..BYTES {
            assert!(PlainChannel::read(&out[..len], key()).is_err(), "length {len}");
        }
        assert_eq!(PlainChannel::read(&[0; 2_000], key()), Err(Reject::TooLong));
        assert_eq!(PlainChannel::claimed_seat(&[13]), Err(Reject::TooShort));
    }

    #[test]
    fn another_match_or_another_pair_is_told_by_the_checksum() {
        let mut out = [0; BYTES];
        PACKET.write(key(), &mut out);
        for other in [ConnectionKey::channels(8, 2, 0), ConnectionKey::channels(9, 2, 1), ConnectionKey::channels(9, 0, 2)] {
            assert_eq!(PlainChannel::read(&out, other), Err(Reject::BadCrc));
        }
    }

    #[test]
    fn what_cannot_be_is_refused_behind_a_right_checksum() {
        let impossible = [
            PlainChannel { seat: 8, ..PACKET },
            PlainChannel { nonce: 0, ..PACKET },
            // A knock carries nothing: it is answered with as much.
            PlainChannel { echo: 0, ..PACKET },
        ];
        let mut out = [0; BYTES];
        for packet in impossible {
            packet.write(key(), &mut out);
            assert_eq!(PlainChannel::read(&out, key()), Err(Reject::BadField));
        }
        assert_eq!(PlainChannel::claimed_seat(&[13, 8]), Err(Reject::BadField));
    }
}
