//! [`NameHash`]: a name as a number that is the same in every process and build.

use bytemuck::{Pod, Zeroable};

/// CRC-32 (IEEE) of a name's UTF-8 bytes. Content decides it, never a table index.
///
/// [`NameHash::NONE`] (0) is the hash of the empty name. Two different names can collide (one pair
/// in 4 billion): loaders that hash a list of names refuse a list with a collision.
///
/// ```
/// use snapback_core::NameHash;
/// const CROUCH: NameHash = NameHash::constant("crouch");
/// assert_eq!(CROUCH, NameHash::of("crouch"));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct NameHash(u32);

impl NameHash {
    /// The hash of the empty name.
    pub const NONE: Self = Self(0);

    /// The hash of `name`.
    #[must_use]
    pub fn of(name: &str) -> Self {
        Self(crc32fast::hash(name.as_bytes()))
    }

    /// The hash of `name` as a constant. The same value as [`NameHash::of`], computed bit by bit
    /// because `crc32fast` cannot run at compile time.
    #[must_use]
    pub const fn constant(name: &str) -> Self {
        let bytes = name.as_bytes();
        let mut crc = u32::MAX;
        let mut at = 0;
        while at < bytes.len() {
            crc ^= bytes[at] as u32;
            let mut bit = 0;
            while bit < 8 {
                crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
                bit += 1;
            }
            at += 1;
        }
        Self(!crc)
    }

    /// The hash with this value.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The value.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_give_the_published_check_value() {
        // The check value of CRC-32/ISO-HDLC in Koopman's and the reveng catalogue.
        assert_eq!(NameHash::of("123456789").bits(), 0xCBF4_3926);
        for name in ["", "a", "crouch", "123456789", "Recovering Connection…"] {
            assert_eq!(NameHash::constant(name), NameHash::of(name));
        }
        assert_eq!(NameHash::of(""), NameHash::NONE);
    }
}
