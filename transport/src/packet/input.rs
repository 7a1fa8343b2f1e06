//! [`InputHeader`]: the packet of a frame, with acknowledgements inside.

use super::key::ConnectionKey;
use super::reader::checked;
use super::reject::Reject;
use super::{DATAGRAM_BUDGET_BYTES, PacketType};

/// One unit of [`InputHeader::ack_delay_units`] in microseconds.
const ACK_DELAY_UNIT_US: u64 = 256;

/// A delay as it stands on the wire, rounded down; the largest value stands for all that are longer.
pub(crate) fn ack_delay_units(delay_us: u64) -> u8 {
    u8::try_from(delay_us / ACK_DELAY_UNIT_US).unwrap_or(u8::MAX)
}

/// The delay that a wire value stands for, unless it is "longer".
pub(crate) fn ack_delay_us(units: u8) -> Option<u64> {
    (units != u8::MAX).then_some(u64::from(units) * ACK_DELAY_UNIT_US)
}

/// What a packet of inputs says about its window.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct InputFlags {
    /// The window is contiguous, ends at the sender's newest frame, and that frame was never sent
    /// before: the sender sends every frame.
    pub every_frame_send: bool,
    /// The window is contiguous, ends at the sender's newest frame, and brings earlier frames
    /// along, against loss.
    pub batch_resend: bool,
    /// The acknowledgement fields mean something: the sender has received a packet.
    pub has_ack: bool,
    /// All 32 packets before the acknowledged one were received too, so that the field that says
    /// which is left out.
    pub all_acked: bool,
}

impl InputFlags {
    fn to_bits(self) -> u8 {
        u8::from(self.every_frame_send) << 4
            | u8::from(self.batch_resend) << 5
            | u8::from(self.has_ack) << 6
            | u8::from(self.all_acked) << 7
    }

    pub(crate) fn from_bits(byte: u8) -> Result<Self, Reject> {
        let bit = |bit: u8| byte >> bit & 1 == 1;
        if bit(7) && !bit(6) {
            return Err(Reject::BadField);
        }
        Ok(Self { every_frame_send: bit(4), batch_resend: bit(5), has_ack: bit(6), all_acked: bit(7) })
    }
}

/// The 12 or 16 bytes before the inputs, as they stand on the wire: counters are truncated and mean
/// nothing until an endpoint expands them against what it knows.
///
/// | bytes | field |
/// |---|---|
/// | 1 | type 5 and flags |
/// | 2 | sequence |
/// | 2 | ack: the newest sequence received |
/// | 4 or 0 | ack bits: bit n is the sequence n + 1 before it; left out if all are set and a flag says so |
/// | 2 | newest frame of the window |
/// | 1 | frames in the window |
/// | 2 | input ack: the last frame up to which every input of the receiver is here |
/// | 1 | ack delay: how long ago the acked packet came, in 256 µs; 255 is "longer" |
/// | 1 | lag: how many frames the sender's simulation is ahead of the newest input that it has from the receiver, signed |
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct InputHeader {
    /// What the packet says about its window.
    pub flags: InputFlags,
    /// This packet's number.
    pub sequence: u16,
    /// The newest sequence received.
    pub ack: u16,
    /// Which of the 32 before it were received.
    pub ack_bits: u32,
    /// The newest frame of the window.
    pub newest_frame: u16,
    /// Frames in the window, for each of the sender's players.
    pub frame_count: u8,
    /// The last frame up to which every input of the receiver is here.
    pub input_ack: u16,
    /// How long the acked packet waited for this one, in 256 µs.
    pub ack_delay_units: u8,
    /// How many frames the sender's simulation is ahead of the newest input that it has from the
    /// receiver: what a rewind would cost it. Negative if the input is for a frame to come. Values
    /// beyond the range stand as its ends.
    pub lag_frames: i8,
}

/// A packet of inputs whose checksum is right, but whose counters and inputs nobody has checked.
#[derive(Clone, Copy, Debug)]
pub struct InputView<'a> {
    /// The fields before the inputs.
    pub header: InputHeader,
    /// The encoded inputs, one run for each of the sender's players, in seat order.
    pub inputs: &'a [u8],
}

impl InputHeader {
    /// The largest size on the wire.
    pub const MAX_BYTES: usize = 16;

    /// The size on the wire: 12 or 16.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        if self.flags.all_acked { Self::MAX_BYTES - 4 } else { Self::MAX_BYTES }
    }

    /// Writes a packet around inputs that already stand in `out` from [`bytes`](Self::bytes) on,
    /// `inputs_bytes` long. Returns its size, 0 if `out` is too small.
    pub fn finish(&self, key: ConnectionKey, inputs_bytes: usize, out: &mut [u8]) -> usize {
        let len = self.bytes() + inputs_bytes;
        let Some(body) = out.get_mut(..len) else { return 0 };
        // Whole arrays, because every field by itself costs a look whether there is room for it.
        let [sequence, ack] = [self.sequence.to_le_bytes(), self.ack.to_le_bytes()];
        let head = [PacketType::Input as u8 | self.flags.to_bits(), sequence[0], sequence[1], ack[0], ack[1]];
        let [newest, input_ack] = [self.newest_frame.to_le_bytes(), self.input_ack.to_le_bytes()];
        let tail = [newest[0], newest[1], self.frame_count, input_ack[0], input_ack[1], self.ack_delay_units, self.lag_frames as u8];
        let Some((place, rest)) = body.split_first_chunk_mut() else { return 0 };
        *place = head;
        let rest = if self.flags.all_acked {
            rest
        } else {
            let Some((place, rest)) = rest.split_first_chunk_mut() else { return 0 };
            *place = self.ack_bits.to_le_bytes();
            rest
        };
        let Some(place) = rest.first_chunk_mut() else { return 0 };
        *place = tail;
        let Some(crc) = key.crc(body) else { return len };
        let Some(place) = out.get_mut(len..).and_then(<[u8]>::first_chunk_mut) else { return 0 };
        *place = crc.to_le_bytes();
        len + key.trailer_bytes()
    }
}

impl<'a> InputView<'a> {
    /// Reads a packet that nobody has checked.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn read(datagram: &'a [u8], key: ConnectionKey) -> Result<Self, Reject> {
        if datagram.len() > DATAGRAM_BUDGET_BYTES {
            return Err(Reject::TooLong);
        }
        Self::of_body(checked(key, datagram)?)
    }

    /// Reads a packet without its checksum, as a parity gives it back.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn of_body(body: &'a [u8]) -> Result<Self, Reject> {
        let first = *body.first().ok_or(Reject::TooShort)?;
        if first & 0x0F != PacketType::Input as u8 {
            return Err(Reject::BadField);
        }
        let flags = InputFlags::from_bits(first)?;
        // Whole arrays, as they were written.
        let ([_, sequence @ .., ack_low, ack_high], rest) = body.split_first_chunk::<5>().ok_or(Reject::TooShort)?;
        let (ack_bits, rest) = if flags.all_acked {
            (u32::MAX, rest)
        } else {
            let (bits, rest) = rest.split_first_chunk().ok_or(Reject::TooShort)?;
            (u32::from_le_bytes(*bits), rest)
        };
        let ([newest @ .., frame_count, ack_of_low, ack_of_high, ack_delay_units, lag_frames], inputs) =
            rest.split_first_chunk::<7>().ok_or(Reject::TooShort)?;
        let header = InputHeader {
            flags,
            sequence: u16::from_le_bytes(*sequence),
            ack: u16::from_le_bytes([*ack_low, *ack_high]),
            ack_bits,
            newest_frame: u16::from_le_bytes(*newest),
            frame_count: *frame_count,
            input_ack: u16::from_le_bytes([*ack_of_low, *ack_of_high]),
            ack_delay_units: *ack_delay_units,
            lag_frames: *lag_frames as i8,
        };
        // There is one way to say that everything came.
        if !flags.all_acked && flags.has_ack && header.ack_bits == u32::MAX {
            return Err(Reject::BadField);
        }
        Ok(Self { header, inputs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_round_trips_and_every_flipped_bit_is_noticed() {
        let key = ConnectionKey::new(1, 2, 3);
        let header = InputHeader {
            flags: InputFlags { every_frame_send: true, batch_resend: true, has_ack: true, all_acked: false },
            sequence: 0xFFFF,
            ack: 0xFFFE,
            ack_bits: 0xDEAD_BEEF,
            newest_frame: 0x1234,
            frame_count: 9,
            input_ack: 0x1230,
            ack_delay_units: 65,
            lag_frames: -3,
        };
        let mut out = [0; 64];
        out[header.bytes()..][..5].copy_from_slice(&[1, 2, 3, 4, 5]);
        let len = header.finish(key, 5, &mut out);
        assert_eq!(len, 25);
        let view = InputView::read(&out[..len], key).unwrap();
        assert_eq!((view.header, view.inputs), (header, &[1, 2, 3, 4, 5][..]));
        for bit in 0..8 * len {
            let mut flipped = out;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(InputView::read(&flipped[..len], key).is_err(), "bit {bit}");
        }
        assert!(InputView::read(&out[..len], ConnectionKey::new(1, 2, 4)).is_err());
        assert_eq!(header.finish(key, 50, &mut out), 0);
    }

    #[test]
    fn a_full_field_is_left_out_and_under_aead_the_checksum_too() {
        let flags = InputFlags { has_ack: true, all_acked: true, ..InputFlags::default() };
        let header =
            InputHeader { flags, sequence: 7, ack: 9, ack_bits: u32::MAX, newest_frame: 3, frame_count: 1, ..InputHeader::default() };
        let mut out = [0; 32];
        out[header.bytes()..][..2].copy_from_slice(&[1, 2]);
        let len = header.finish(ConnectionKey::AEAD, 2, &mut out);
        assert_eq!(len, 14);
        let view = InputView::read(&out[..len], ConnectionKey::AEAD).unwrap();
        assert_eq!((view.header, view.inputs), (header, &[1, 2][..]));
        out[0] &= !0x40;
        assert_eq!(InputView::read(&out[..len], ConnectionKey::AEAD).err(), Some(Reject::BadField));
        for len in 0..12 {
            assert_eq!(
                InputView::read(&out[..len], ConnectionKey::AEAD).err(),
                Some(if len == 0 { Reject::TooShort } else { Reject::BadField })
            );
        }
    }
}
