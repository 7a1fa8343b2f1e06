//! Capture and restore for a state that is one `Pod` block.

use super::{InvalidState, SimState};

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

/// Copies `snapshot` into `state`. Ranges are not looked at: a snapshot that does not come from
/// [`capture`] goes through [`StateLayout::validate`](super::StateLayout::validate) first.
///
/// # Errors
/// If the length is wrong; `state` is then unchanged.
pub fn restore<S: SimState>(state: &mut S, snapshot: &[u8]) -> Result<(), InvalidState> {
    let bytes = bytemuck::bytes_of_mut(state);
    if bytes.len() != snapshot.len() {
        return Err(InvalidState::WrongLength { expected: bytes.len(), found: snapshot.len() });
    }
    bytes.copy_from_slice(snapshot);
    Ok(())
}
