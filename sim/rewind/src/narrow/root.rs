//! The nearer root of `a n^2 + 2 b n + c`, as near as 64-bit arithmetic comes to it.

use super::{ONE, TOI_BITS};

/// How far from the root an estimate of this module can be, in 2^-30ths. See [`estimate`].
pub(super) const MAX_ERROR: i64 = 8;

const fn bits(value: u128) -> i32 {
    128 - value.leading_zeros() as i32
}

/// `value >> by`, or to the left where `by` is negative, which the callers know to fit.
#[inline(always)]
const fn shifted(value: u128, by: i32) -> u64 {
    (if by >= 0 { value >> by } else { value << -by }) as u64
}

/// `(-b - sqrt(disc)) / a` in 2^-30ths, of `minus_b`, `disc <= b^2`, `a > 0`. Nothing where the sizes would
/// make it a bad guess.
///
/// Everything is brought to the scale on which `a` has 33 bits; `minus_b` is under 4 a. The root of
/// `disc` has 32 bits that count, so it is off by at most 4 a / 2^31, which is 2 steps of n; what is cut
/// off `minus_b`, the root and `a` makes less than 1/4 step each, and rounding up less than 1.
#[inline(always)]
pub(super) fn estimate(minus_b: u128, disc: u128, a: u128) -> Option<i64> {
    let a_shift = bits(a) - 33;
    if bits(minus_b) > bits(a) + 1 {
        return None;
    }
    let disc_shift = (bits(disc) - 63) & !1;
    let root = shifted(disc, disc_shift).isqrt();
    let root_shift = disc_shift / 2 - a_shift;
    let root = match root_shift {
        32.. => return None,
        0..32 => root << root_shift,
        -63..0 => root >> -root_shift,
        _ => 0,
    };
    let over = shifted(minus_b, a_shift).saturating_sub(root);
    if over >> 34 != 0 {
        return None;
    }
    let under = shifted(a, a_shift);
    let n = if over >> 33 == 0 { (over << TOI_BITS).div_ceil(under) } else { ((u128::from(over) << TOI_BITS) / u128::from(under)) as u64 };
    Some(n as i64)
}

/// The same by wide arithmetic, for any sizes with `minus_b` under 2^97: off by less than
/// `2 + 2^31 / a` steps. At most 2^40.
#[cold]
#[inline(never)]
pub(super) fn careful_estimate(minus_b: u128, root: u128, a: u128) -> i64 {
    let over = minus_b.saturating_sub(root);
    ((over << TOI_BITS) / a + 1).min(1 << 40) as i64
}

/// The square root, rounded down.
#[cold]
pub(super) const fn root(value: u128) -> u128 {
    value.isqrt()
}

/// Where `a n^2 + 2 b n + c` is lowest, rounded down, within 0 to 2^30. `-b` is under 2^97.
pub(super) const fn lowest(b: i128, a: i128) -> i64 {
    if b >= 0 || a <= 0 {
        0
    } else if -b >= a {
        ONE
    } else {
        (((-b as u128) << TOI_BITS) / a as u128) as i64
    }
}
