//! [`Check`]: what a peer computed for one confirmed frame, so that a desync is noticed while it is young.

use super::key::ConnectionKey;
use super::reader::{Reader, Writer, checked};
use super::reject::Reject;
use super::{DATAGRAM_BUDGET_BYTES, PacketType};
use snapback_core::limits::MAX_PLAYERS;

/// What a peer computed for a frame that it has confirmed and simulated with its real inputs.
///
/// Nobody acknowledges it and a lost one is not missed: the digests roll, so the next one covers everything
/// before it. It has no sequence; its frame says how old it is.
///
/// | at | bytes | field |
/// |---|---|---|
/// | 0 | 1 | type 14; in the flags 8 and the number of players less one |
/// | 1 | 2 | frame, the low 16 bits |
/// | 3 | 4 | rolling digest of the hashes of all states |
/// | 7 | 4 each | rolling digest of the inputs of player 0, 1, ... |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    /// The low bits of the frame.
    pub frame: u16,
    /// CRC-32 over the hashes of the states after all frames up to and with it, each as 4 little-endian bytes.
    /// Not one hash: a wrong state may have healed by then, and is still told of.
    pub states_digest: u32,
    /// What everybody pressed up to and with it.
    pub input_digests: InputDigests,
}

/// A rolling digest of every player's inputs, by seat: CRC-32 over the canonical bytes of each frame's
/// input, the kind of its command and, if there is one, the command's payload filled up to its full length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputDigests {
    digests: [u32; MAX_PLAYERS],
    player_count: u8,
}

impl InputDigests {
    /// Nothing pressed yet by so many players, at most [`MAX_PLAYERS`].
    #[must_use]
    pub fn new(player_count: usize) -> Self {
        Self { digests: [0; MAX_PLAYERS], player_count: player_count.min(MAX_PLAYERS) as u8 }
    }

    /// By seat.
    #[must_use]
    pub fn as_slice(&self) -> &[u32] {
        self.digests.get(..self.player_count.into()).unwrap_or(&self.digests)
    }

    /// By seat.
    pub fn as_mut_slice(&mut self) -> &mut [u32] {
        let count = usize::from(self.player_count).min(MAX_PLAYERS);
        &mut self.digests[..count]
    }
}

impl Check {
    /// Writes the packet; 0 if `out` is too small. Returns its size.
    pub fn write(&self, key: ConnectionKey, out: &mut [u8]) -> usize {
        let mut writer = Writer::new(out);
        let count = (self.input_digests.player_count.max(1) - 1) & 7;
        // Never the first byte of a sealed datagram.
        writer.u8(PacketType::Check as u8 | 0x80 | count << 4);
        writer.u16(self.frame);
        writer.u32(self.states_digest);
        for digest in self.input_digests.as_slice() {
            writer.u32(*digest);
        }
        writer.finish(key)
    }

    /// Reads a packet that nobody has checked.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn read(datagram: &[u8], key: ConnectionKey) -> Result<Self, Reject> {
        if datagram.len() > DATAGRAM_BUDGET_BYTES {
            return Err(Reject::TooLong);
        }
        let mut reader = Reader::new(checked(key, datagram)?);
        let first = reader.u8()?;
        if first & 0x8F != PacketType::Check as u8 | 0x80 {
            return Err(Reject::BadField);
        }
        let frame = reader.u16()?;
        let states_digest = reader.u32()?;
        let mut input_digests = InputDigests::new(usize::from(first >> 4 & 7) + 1);
        for digest in input_digests.as_mut_slice() {
            *digest = reader.u32()?;
        }
        reader.finish()?;
        Ok(Self { frame, states_digest, input_digests })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(player_count: usize) -> Check {
        let mut input_digests = InputDigests::new(player_count);
        for (digest, value) in input_digests.as_mut_slice().iter_mut().zip(0x0A0B_0C00..) {
            *digest = value;
        }
        Check { frame: 0xFFFE, states_digest: 0x0102_0304, input_digests }
    }

    #[test]
    fn the_layout_is_the_documented_one_and_damage_is_noticed() {
        let key = ConnectionKey::new(1, 2, 3);
        let mut out = [0; 64];
        let len = check(2).write(key, &mut out);
        assert_eq!(&out[..15], [0x9E, 0xFE, 0xFF, 4, 3, 2, 1, 0, 0x0C, 0x0B, 0x0A, 1, 0x0C, 0x0B, 0x0A]);
        assert_eq!(len, 19);
        assert_eq!(PacketType::of(&out), Ok(PacketType::Check));
        assert_eq!(Check::read(&out[..len], key), Ok(check(2)));
        for bit in 0..8 * len {
            let mut flipped = out;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Check::read(&flipped[..len], key), Err(Reject::BadCrc), "bit {bit}");
        }
    }

    /// With a right checksum at every length.
    #[test]
    fn every_player_has_one_digest_no_more_and_no_less() {
        let key = ConnectionKey::AEAD;
        for player_count in 1..=MAX_PLAYERS {
            let mut out = [0; 64];
            let len = check(player_count).write(key, &mut out);
            assert_eq!(len, 7 + 4 * player_count);
            assert_eq!(Check::read(&out[..len], key), Ok(check(player_count)));
            for short in 0..len {
                assert_eq!(Check::read(&out[..short], key), Err(Reject::TooShort));
            }
            assert_eq!(Check::read(&out[..=len], key), Err(Reject::TrailingBytes));
        }
        let mut out = [0; 64];
        let len = check(2).write(key, &mut out);
        out[0] &= 0x7F;
        assert_eq!(Check::read(&out[..len], key), Err(Reject::BadField), "flags");
        assert_eq!(check(2).write(key, &mut [0; 14]), 0);
    }
}
