//! The canonical encoding: every scalar little-endian, in the order of memory.

use super::error::InvalidState;
use super::layout::StateLayout;
use super::order::Order;
use core::ops::ControlFlow;

impl StateLayout {
    /// Writes the canonical encoding of `bytes` (as in memory) into `out`, of the same length.
    ///
    /// Files and messages carry this form; on a little-endian machine it is a copy. It allocates
    /// nothing.
    ///
    /// ```
    /// use snapback_core::StateLayout;
    /// let state = [0x0102_u16, 3];
    /// let mut canonical = [0; 4];
    /// StateLayout::of::<[u16; 2]>().encode(bytemuck::bytes_of(&state), &mut canonical)?;
    /// assert_eq!(canonical, [2, 1, 3, 0]);
    /// # Ok::<(), snapback_core::InvalidState>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidState::WrongLength`] if either length is not [`size_bytes`](Self::size_bytes);
    /// nothing is then written.
    pub fn encode(&self, bytes: &[u8], out: &mut [u8]) -> Result<(), InvalidState> {
        self.reorder(bytes, out, Order::NATIVE)
    }

    /// Writes the bytes in memory of the state that `canonical` encodes into `out`, of the same
    /// length. It checks no range: [`validate`](Self::validate) what comes from outside.
    ///
    /// # Errors
    /// [`InvalidState::WrongLength`] if either length is not [`size_bytes`](Self::size_bytes);
    /// nothing is then written.
    pub fn decode(&self, canonical: &[u8], out: &mut [u8]) -> Result<(), InvalidState> {
        self.reorder(canonical, out, Order::NATIVE)
    }

    /// Both directions, because reversing a scalar twice changes nothing.
    pub(super) fn reorder(&self, from: &[u8], to: &mut [u8], memory: Order) -> Result<(), InvalidState> {
        self.check_length(from.len())?;
        self.check_length(to.len())?;
        to.copy_from_slice(from);
        if memory == Order::Big {
            let _: ControlFlow<()> = self.walk(|leaf| {
                let scalar = to.get_mut(leaf.place.offset_bytes..).and_then(|after| after.get_mut(..leaf.scalar.size_bytes()));
                if let Some(scalar) = scalar {
                    scalar.reverse();
                }
                ControlFlow::Continue(())
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_big_endian_memory_is_reversed_scalar_by_scalar_and_back() {
        let layout = StateLayout::with_tail::<u32, [u16; 2]>("pair", 1);
        let memory = [0, 0, 0, 1, 0, 2, 0, 3];
        let (mut canonical, mut back) = ([0; 8], [0; 8]);
        layout.reorder(&memory, &mut canonical, Order::Big).unwrap();
        assert_eq!(canonical, [1, 0, 0, 0, 2, 0, 3, 0]);
        layout.reorder(&canonical, &mut back, Order::Big).unwrap();
        assert_eq!(back, memory);
    }

    #[test]
    fn a_wrong_length_on_either_side_writes_nothing() {
        let layout = StateLayout::of::<u32>();
        let mut out = [7; 5];
        assert_eq!(layout.encode(&[0; 4], &mut out), Err(InvalidState::WrongLength { expected: 4, found: 5 }));
        assert_eq!(layout.decode(&[0; 3], out.get_mut(..4).unwrap()), Err(InvalidState::WrongLength { expected: 4, found: 3 }));
        assert_eq!(out, [7; 5]);
    }
}
