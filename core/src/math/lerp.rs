//! Between two numbers: exact at both ends, never outside them.

use super::round;
use crate::Fx;

/// How far to go, 0 to 65,536.
pub(super) fn fraction(t: Fx) -> u32 {
    t.clamp_to(Fx::ZERO, Fx::ONE).to_bits() as u32
}

impl Fx {
    /// From `self` at `t` = 0 to `to` at `t` = 1, rounded to nearest, halves away from zero.
    ///
    /// `t` is brought into 0 to 1. Both ends are exact, no result lies outside them whatever they
    /// are, and a greater `t` never goes back. `a.lerp(b, t) == b.lerp(a, ONE - t)`, and lerping the
    /// negated numbers negates the result, exactly.
    ///
    /// ```
    /// use snapback_core::Fx;
    /// let (a, b) = (Fx::from_int(-3), Fx::from_int(5));
    /// assert_eq!(a.lerp(b, Fx::ratio(1, 4)), -Fx::ONE);
    /// assert_eq!(a.lerp(b, Fx::from_int(7)), b);
    /// assert_eq!(Fx::MIN.lerp(Fx::MAX, Fx::ONE), Fx::MAX);
    /// ```
    #[must_use]
    pub fn lerp(self, to: Self, t: Self) -> Self {
        let t = i128::from(fraction(t));
        let sum = i128::from(self.to_bits()) * (65_536 - t) + i128::from(to.to_bits()) * t;
        round::saturate(round::shift(sum, 16))
    }
}
