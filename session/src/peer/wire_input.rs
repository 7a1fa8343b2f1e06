//! Inputs between their form in memory and their canonical bytes.

use snapback_core::{InvalidState, SimInput, StateLayout};

/// Writes the canonical bytes of `input` into `out`, which has exactly its size.
pub(super) fn write<I: SimInput>(input: &I, out: &mut [u8]) {
    let written = StateLayout::of::<I>().encode(bytemuck::bytes_of(input), out);
    debug_assert!(written.is_ok(), "the endpoint asks for inputs of another size");
}

/// Reads an input that nobody has checked.
pub(super) fn read<I: SimInput>(bytes: &[u8]) -> Result<I, InvalidState> {
    let layout = StateLayout::of::<I>();
    let mut input = I::zeroed();
    layout.decode(bytes, bytemuck::bytes_of_mut(&mut input))?;
    layout.validate(bytemuck::bytes_of(&input))?;
    Ok(input)
}
