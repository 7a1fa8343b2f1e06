//! Capture and restore for a state that is one `Pod` block.

use super::{InvalidState, SimState, StateLayout};

/// Copies `state` into `out`.
///
/// Writes nothing if the lengths differ: a session always hands over `layout().size_bytes()` bytes.
pub fn capture<S: SimState>(state: &S, out: &mut [u8]) {
    let bytes = bytemuck::bytes_of(state);
    debug_assert_eq!(bytes.len(), out.len(), "capture into a buffer of another size");
    if bytes.len() == out.len() {
        out.copy_from_slice(bytes);
    }
}

/// Copies `snapshot` into `state`, once every field is known to be in its range.
///
/// # Errors
/// If the length is wrong or a field is out of its range; `state` is then unchanged.
pub fn restore<S: SimState>(state: &mut S, snapshot: &[u8]) -> Result<(), InvalidState> {
    StateLayout::of::<S>().validate(snapshot)?;
    bytemuck::bytes_of_mut(state).copy_from_slice(snapshot);
    Ok(())
}
