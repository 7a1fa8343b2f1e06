//! Square roots, rounded to nearest.

use super::round;
use crate::Fx;

/// The nearest whole number to the square root. No root lies halfway: (n + ½)² is not whole.
pub(super) const fn nearest(square: u128) -> u64 {
    if square > u64::MAX as u128 {
        let root = square.isqrt();
        // 2^128 - 1 is nearest to 2^64, which does not fit.
        return (root as u64).saturating_add((square - root * root > root) as u64);
    }
    let square = square as u64;
    let root = square.isqrt();
    root + (square - root * root > root) as u64
}

impl Fx {
    /// The square root, rounded to nearest: wrong by at most half of [`Fx::DELTA`]. Of a negative
    /// number it is zero.
    ///
    /// ```
    /// use snapback_core::Fx;
    /// assert_eq!(Fx::ratio(9, 4).sqrt(), Fx::ratio(3, 2));
    /// assert_eq!(Fx::from_int(-4).sqrt(), Fx::ZERO);
    /// assert_eq!(Fx::from_int(2).sqrt(), Fx::from_bits(92_682));
    /// ```
    #[must_use]
    pub const fn sqrt(self) -> Self {
        if self.to_bits() <= 0 {
            return Self::ZERO;
        }
        round::saturate_unsigned(nearest((self.to_bits() as u128) << 16) as u128)
    }
}
