//! Inputs between their form in memory and their canonical bytes, for packets and files.
//!
//! On a little-endian machine both are the same bytes, and most inputs have no ranges: then a copy
//! is all there is to it. The packet of every frame brings every input that is owed, so it counts.

use crate::input::SimInput;
use crate::state::{InvalidState, StateLayout};

const SAME_BYTES: bool = cfg!(target_endian = "little");

/// Writes the canonical bytes of `input` into `out`, which has exactly its size.
#[inline]
pub fn write_input<I: SimInput>(input: &I, out: &mut [u8]) {
    let bytes = bytemuck::bytes_of(input);
    debug_assert_eq!(bytes.len(), out.len(), "an input was asked for in another size");
    if SAME_BYTES && bytes.len() == out.len() {
        out.copy_from_slice(bytes);
    } else {
        let written = StateLayout::of::<I>().encode(bytes, out);
        debug_assert!(written.is_ok());
    }
}

/// Reads an input that nobody has checked.
///
/// # Errors
/// If the bytes are too many or too few, or a value is out of its range.
#[inline]
pub fn read_input<I: SimInput>(bytes: &[u8]) -> Result<I, InvalidState> {
    if SAME_BYTES && !I::LAYOUT.has_ranges() && bytes.len() == size_of::<I>() {
        return Ok(bytemuck::pod_read_unaligned(bytes));
    }
    let layout = StateLayout::of::<I>();
    let mut input = I::zeroed();
    layout.decode(bytes, bytemuck::bytes_of_mut(&mut input))?;
    layout.validate(bytemuck::bytes_of(&input))?;
    Ok(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimState;
    use bytemuck::{Pod, Zeroable};

    #[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, SimState)]
    #[repr(C)]
    struct Stick {
        #[sim(range = -80..=80)]
        x: i16,
        buttons: u16,
    }

    #[test]
    fn inputs_round_trip_and_those_out_of_range_are_refused() {
        let mut out = [0; 4];
        write_input(&Stick { x: -80, buttons: 0x1234 }, &mut out);
        assert_eq!(out, [0xB0, 0xFF, 0x34, 0x12]);
        assert_eq!(read_input(&out), Ok(Stick { x: -80, buttons: 0x1234 }));
        assert!(read_input::<Stick>(&[81, 0, 0, 0]).is_err());
        assert!(read_input::<Stick>(&[0; 3]).is_err());
        write_input(&0x1234u16, &mut out[..2]);
        assert_eq!((&out[..2], read_input::<u16>(&out[..2])), (&[0x34, 0x12][..], Ok(0x1234)));
        assert!(read_input::<u16>(&out).is_err());
    }
}
