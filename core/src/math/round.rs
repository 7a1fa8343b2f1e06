//! From wide integers back to narrow ones: rounded once, symmetrically, then saturated.

use crate::Fx;

/// `value / 2^bits`, rounded to nearest, halves away from zero. `bits` is 1..=126.
pub(super) const fn shift(value: i128, bits: u32) -> i128 {
    let magnitude = shift_unsigned(value.unsigned_abs(), bits) as i128;
    if value < 0 { -magnitude } else { magnitude }
}

/// `value / 2^bits`, rounded to nearest, halves up. `bits` is 1..=126.
pub(super) const fn shift_unsigned(value: u128, bits: u32) -> u128 {
    // The half is read from the value instead of being added to it, which could overflow.
    (value >> bits) + (value >> (bits - 1) & 1)
}

/// `top / bottom`, rounded to nearest, halves up. `bottom` is not 0.
pub(super) const fn divide(top: u128, bottom: u64) -> u128 {
    if top <= u64::MAX as u128 {
        let (top, bottom) = (top as u64, bottom);
        let (quotient, rest) = (top / bottom, top % bottom);
        return quotient as u128 + (rest >= bottom - rest) as u128;
    }
    let bottom = bottom as u128;
    let (quotient, rest) = (top / bottom, top % bottom);
    quotient + (rest >= bottom - rest) as u128
}

/// The nearest `Fx` that there is to this many 1/65,536ths.
pub(super) const fn saturate(bits: i128) -> Fx {
    Fx::from_bits(if bits > i64::MAX as i128 {
        i64::MAX
    } else if bits < i64::MIN as i128 {
        i64::MIN
    } else {
        bits as i64
    })
}

/// The same for a magnitude.
pub(super) const fn saturate_unsigned(bits: u128) -> Fx {
    if bits > i64::MAX as u128 { Fx::MAX } else { Fx::from_bits(bits as i64) }
}

/// `magnitude`, which fits, with the sign of `sign`.
pub(super) const fn with_sign(magnitude: u64, sign: i64) -> i64 {
    if sign < 0 { (magnitude as i64).wrapping_neg() } else { magnitude as i64 }
}
