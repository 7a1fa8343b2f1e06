//! [`Order`]: the byte order of state in memory, as a value, so that a test on one machine runs
//! the code of the other.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// Memory is the canonical encoding already.
    Little,
    /// Memory holds every scalar reversed.
    Big,
}

impl Order {
    pub(super) const NATIVE: Self = if cfg!(target_endian = "big") { Self::Big } else { Self::Little };

    /// The bits of a scalar that lies in memory as `raw`, zero-extended; none if it has no size
    /// that a scalar has.
    pub(super) fn load(self, raw: &[u8]) -> Option<u64> {
        let mut bytes = [0; 8];
        let used = bytes.get_mut(..raw.len())?;
        used.copy_from_slice(raw);
        if self == Self::Big {
            used.reverse();
        }
        Some(u64::from_le_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn native_order_is_that_of_this_machine() {
        assert_eq!(Order::NATIVE.load(bytemuck::bytes_of(&0x0102_0304_u32)), Some(0x0102_0304));
        assert_eq!(Order::Little.load(&[1, 2]), Some(0x0201));
        assert_eq!(Order::Big.load(&[1, 2]), Some(0x0102));
        assert_eq!(Order::Big.load(&[0; 9]), None);
    }
}
