//! [`ParityView`]: the packet from which a lost one of its group is made again.

use super::key::ConnectionKey;
use super::reader::{Reader, Writer, checked};
use super::reject::Reject;
use super::{DATAGRAM_BUDGET_BYTES, PacketType};

/// A parity packet as it stands on the wire. It takes no sequence of its own, so that nobody
/// acknowledges it and its loss counts as nobody's.
///
/// A view that was read has a right checksum, and nothing else is known of it:
/// [`Parity::check`](crate::fec::Parity::check) makes a [`Parity`](crate::fec::Parity) of it.
///
/// | at | bytes | field |
/// |---|---|---|
/// | 0 | 1 | type 8, no flags |
/// | 1 | 2 | base: the sequence of the first packet of the group |
/// | 3 | 1 | packets in the group |
/// | 4 | 2 | XOR of their lengths |
/// | 6 | | XOR of their bytes, each filled with zeros to the longest |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParityView<'a> {
    /// The low bits of the sequence of the first packet of the group.
    pub base: u16,
    /// How many packets it has.
    pub packet_count: u8,
    /// The XOR of their lengths, checksums left out.
    pub length_xor: u16,
    /// The XOR of their bytes, checksums left out.
    pub bytes: &'a [u8],
}

impl<'a> ParityView<'a> {
    /// The size of the fields before the XOR.
    pub const HEADER_BYTES: usize = 6;

    /// Writes the packet; 0 if `out` is too small or the packet would exceed the datagram budget.
    /// Returns its size.
    pub fn write(&self, key: ConnectionKey, out: &mut [u8]) -> usize {
        let room_bytes = out.len().min(DATAGRAM_BUDGET_BYTES);
        let Some(out) = out.get_mut(..room_bytes) else { return 0 };
        let mut writer = Writer::new(out);
        writer.u8(PacketType::Parity as u8);
        writer.u16(self.base);
        writer.u8(self.packet_count);
        writer.u16(self.length_xor);
        writer.bytes(self.bytes);
        writer.finish(key)
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
        if reader.u8()? != PacketType::Parity as u8 {
            return Err(Reject::BadField);
        }
        Ok(Self { base: reader.u16()?, packet_count: reader.u8()?, length_xor: reader.u16()?, bytes: reader.rest() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_the_documented_one_and_damage_is_noticed() {
        let key = ConnectionKey::new(1, 2, 3);
        let view = ParityView { base: 0xFFFE, packet_count: 4, length_xor: 0x0102, bytes: &[7, 8, 9] };
        let mut out = [0; 64];
        let len = view.write(key, &mut out);
        assert_eq!(&out[..9], [8, 0xFE, 0xFF, 4, 2, 1, 7, 8, 9]);
        assert_eq!(len, 13);
        assert_eq!(ParityView::read(&out[..len], key), Ok(view));
        assert_eq!(PacketType::of(&out), Ok(PacketType::Parity));
        for bit in 0..8 * len {
            let mut flipped = out;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(ParityView::read(&flipped[..len], key), Err(Reject::BadCrc), "bit {bit}");
        }
        for short in 0..len {
            let expected = if short < 4 { Reject::TooShort } else { Reject::BadCrc };
            assert_eq!(ParityView::read(&out[..short], key), Err(expected), "{short} bytes");
        }
        assert_eq!(ParityView::read(&out[..len], ConnectionKey::new(1, 2, 4)), Err(Reject::BadCrc));
    }

    /// With a right checksum at every length.
    #[test]
    fn fields_that_are_cut_off_and_flags_are_refused() {
        let key = ConnectionKey::new(1, 2, 3);
        let body = [8, 0xFE, 0xFF, 4, 2, 1];
        for short in 0..body.len() {
            let mut out = [0; 16];
            let mut writer = Writer::new(&mut out);
            writer.bytes(&body[..short]);
            let len = writer.finish(key);
            assert_eq!(ParityView::read(&out[..len], key), Err(Reject::TooShort), "{short} bytes");
        }
        let mut out = [0; 16];
        let mut writer = Writer::new(&mut out);
        writer.bytes(&[0x18, 0xFE, 0xFF, 4, 2, 1, 7]);
        let len = writer.finish(key);
        assert_eq!(ParityView::read(&out[..len], key), Err(Reject::BadField));
    }

    #[test]
    fn what_does_not_fit_a_datagram_is_not_written() {
        let key = ConnectionKey::new(1, 2, 3);
        let mut out = [0; 2 * DATAGRAM_BUDGET_BYTES];
        let bytes = [1; DATAGRAM_BUDGET_BYTES];
        let view = |bytes| ParityView { base: 0, packet_count: 2, length_xor: 0, bytes };
        let most = DATAGRAM_BUDGET_BYTES - ParityView::HEADER_BYTES - 4;
        assert_eq!(view(&bytes[..most]).write(key, &mut out), DATAGRAM_BUDGET_BYTES);
        assert_eq!(view(&bytes[..=most]).write(key, &mut out), 0);
        assert_eq!(view(&bytes[..20]).write(key, &mut out[..29]), 0);
        assert_eq!(ParityView::read(&out[..=DATAGRAM_BUDGET_BYTES], key), Err(Reject::TooLong));
    }
}
