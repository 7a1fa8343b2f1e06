//! [`Value`]: one scalar of a state, for people.

use super::{Range, Scalar};
use core::fmt;

/// The value of one scalar.
///
/// Shown in decimal with its bits in hexadecimal; [`Scalar::Fx`] as its exact decimal value, a
/// name only as the bits of its hash.
///
/// ```
/// use snapback_core::state::{Scalar, Value};
/// assert_eq!(Value::from_bits(Scalar::U32, 12).to_string(), "12 (0x0000000c)");
/// assert_eq!(Value::from_bits(Scalar::I8, 0xff).to_string(), "-1 (0xff)");
/// assert_eq!(Value::from_bits(Scalar::Fx, 0x1_8000).to_string(), "1.5 (0x0000000000018000)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    scalar: Scalar,
    bits: u64,
}

const FX_FRACTION_BITS: u32 = 16;
// 2^-16 has 16 decimal digits, and its digits are those of 5^16.
const FX_FRACTION_DIGITS: usize = 16;
const FX_FRACTION_STEP: u64 = 5_u64.pow(16);

impl Value {
    /// The value with these bits; bits over the size of `scalar` are ignored.
    #[must_use]
    pub const fn from_bits(scalar: Scalar, bits: u64) -> Self {
        Self { scalar, bits: bits & (u64::MAX >> (64 - scalar.size_bytes() * 8)) }
    }

    /// The value nearest to `number` that `scalar` can hold.
    #[must_use]
    pub(super) const fn nearest(scalar: Scalar, number: i128) -> Self {
        let Range { min, max } = scalar.range();
        let held = if number < min {
            min
        } else if number > max {
            max
        } else {
            number
        };
        Self::from_bits(scalar, held as u64)
    }

    /// What kind of value it is.
    #[must_use]
    pub const fn scalar(self) -> Scalar {
        self.scalar
    }

    /// Its bits, zero-extended.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.bits
    }

    /// Its number, in the units of a [`Range`] (raw bits for [`Scalar::Fx`]).
    #[must_use]
    pub const fn number(self) -> i128 {
        if self.scalar.is_signed() {
            let unused = 64 - self.scalar.size_bytes() * 8;
            ((self.bits << unused) as i64 >> unused) as i128
        } else {
            self.bits as i128
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.scalar.size_bytes() * 2;
        if self.scalar == Scalar::NameHash {
            return write!(f, "0x{:0digits$x}", self.bits);
        }
        write!(f, "{} (0x{:0digits$x})", Decimal(*self), self.bits)
    }
}

/// The number alone.
pub(super) struct Decimal(pub(super) Value);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.scalar {
            Scalar::Fx => write_fx(f, self.0.number()),
            _ => write!(f, "{}", self.0.number()),
        }
    }
}

fn write_fx(f: &mut fmt::Formatter<'_>, raw: i128) -> fmt::Result {
    let magnitude = raw.unsigned_abs();
    let sign = if raw < 0 { "-" } else { "" };
    write!(f, "{sign}{}", magnitude >> FX_FRACTION_BITS)?;
    let mut fraction = (magnitude as u64 & 0xFFFF) * FX_FRACTION_STEP;
    if fraction == 0 {
        return Ok(());
    }
    let mut digits = FX_FRACTION_DIGITS;
    while fraction.is_multiple_of(10) {
        fraction /= 10;
        digits -= 1;
    }
    write!(f, ".{fraction:0digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fx(raw: i64) -> String {
        Value::from_bits(Scalar::Fx, raw as u64).to_string()
    }

    #[test]
    fn fixed_point_is_shown_exactly() {
        assert_eq!(fx(0), "0 (0x0000000000000000)");
        assert_eq!(fx(1), "0.0000152587890625 (0x0000000000000001)");
        assert_eq!(fx(-1), "-0.0000152587890625 (0xffffffffffffffff)");
        assert_eq!(fx(-0x1_8000), "-1.5 (0xfffffffffffe8000)");
        assert_eq!(fx(0xFFFF), "0.9999847412109375 (0x000000000000ffff)");
        assert_eq!(fx(i64::MIN), "-140737488355328 (0x8000000000000000)");
    }

    #[test]
    fn numbers_keep_their_sign_at_every_size() {
        for scalar in [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::Fx] {
            assert_eq!(Value::from_bits(scalar, u64::MAX).number(), -1);
            assert_eq!(Value::nearest(scalar, -1).number(), -1);
            assert_eq!(Value::nearest(scalar, i128::MIN).number(), scalar.range().min);
        }
        for scalar in [Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64, Scalar::NameHash] {
            assert_eq!(Value::from_bits(scalar, u64::MAX).number(), scalar.range().max);
            assert_eq!(Value::nearest(scalar, i128::MAX).number(), scalar.range().max);
            assert_eq!(Value::nearest(scalar, -1).number(), 0);
        }
    }
}
