//! Vectors of any length to vectors of length one, with 30 bits after the point.

use super::{root, round};

pub(super) const BITS: u32 = 30;
/// The greatest component has this many bits while its vector is squared: four squares fit 64.
const WORK_BITS: u32 = 31;

/// The vector of length one in the same direction; none for the zero vector. At most 4 components.
///
/// Wrong by at most 2 · 2^-30 a component, whatever the length. With u for the component, scaling
/// adds at most √(1 - u²) (half a unit in each of four), the length's rounding u / 2, the last
/// rounding ½: 1.62 together.
pub(super) fn of<const N: usize>(components: [i64; N]) -> Option<[i32; N]> {
    let greatest = components.iter().fold(0, |greatest, it| it.unsigned_abs().max(greatest));
    if greatest == 0 {
        return None;
    }
    let scaled = components.map(|it| scale(it.unsigned_abs(), u64::BITS - greatest.leading_zeros()));
    let square = scaled.iter().fold(0_u64, |sum, it| sum.saturating_add(it * it));
    let length = root::nearest(square.into());
    let mut unit = [0; N];
    for ((unit, scaled), component) in unit.iter_mut().zip(scaled).zip(components) {
        // At most 2^30: no component is longer than the vector.
        *unit = round::with_sign(((scaled << BITS) + length / 2) / length, component) as i32;
    }
    Some(unit)
}

/// From `bits` bits to 31, rounded to nearest.
const fn scale(magnitude: u64, bits: u32) -> u64 {
    if bits <= WORK_BITS {
        return magnitude << (WORK_BITS - bits);
    }
    let scaled = round::shift_unsigned(magnitude as u128, bits - WORK_BITS) as u64;
    if scaled < 1 << WORK_BITS { scaled } else { (1 << WORK_BITS) - 1 }
}
