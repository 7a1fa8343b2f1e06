//! Sine and cosine: a table of a quarter turn, and the sum formulas from its nearest node.
//!
//! sin(a + d) = sin a cos d + cos a sin d, where |d| ≤ π/512 makes two terms of each series enough.

use super::{Angle, round, series};
use crate::Fx;

/// A phase counts 2^-34 turns: this many are a quarter turn.
pub(super) const QUARTER: u64 = 1 << 32;
/// What 1 is in the results here.
#[cfg(test)]
pub(super) const ONE: i64 = 1 << BITS;
pub(super) const BITS: u32 = 32;

const NODES: usize = 128;
const STEP_BITS: u32 = 32 - NODES.ilog2();

static SINES: [i64; NODES + 1] = {
    let mut table = [0; NODES + 1];
    let mut node = 0;
    while node <= NODES {
        let radians = series::PI * node as i128 / (2 * NODES as i128);
        table[node] = round::shift(series::sine(radians), series::BITS - BITS) as i64;
        node += 1;
    }
    table
};

const PI_34: i64 = round::shift(series::PI, series::BITS - 34) as i64;

/// The sine of a phase of at most [`QUARTER`], with 32 bits after the point, 0 to 1.
///
/// Wrong by at most 1.25 · 2^-32; exact at both ends.
pub(super) const fn quarter(phase: u64) -> i64 {
    let node = (phase + (1 << (STEP_BITS - 1))) >> STEP_BITS;
    let rest = phase as i64 - (node << STEP_BITS) as i64;
    let (sine, cosine) = (SINES[node as usize], SINES[NODES - node as usize]);
    // 36 bits after the point from here. At most 2^28.7.
    let d = (rest * PI_34) >> 31;
    let square = (d * d) >> 36;
    let sine_of_d = d - ((d * square / 6) >> 36);
    let versine_of_d = (square - ((square * square / 12) >> 36)) >> 1;
    sine + ((cosine * sine_of_d - sine * versine_of_d + (1 << 35)) >> 36)
}

/// The sine of an angle, with 32 bits after the point. Wrong by at most 1.25 · 2^-32.
pub(super) const fn sine(angle: Angle) -> i64 {
    let bits = angle.to_bits();
    let phase = ((bits & (u32::MAX >> 2)) as u64) << 2;
    let magnitude = quarter(if bits & (1 << 30) == 0 { phase } else { QUARTER - phase });
    if bits & (1 << 31) == 0 { magnitude } else { -magnitude }
}

/// The cosine of an angle, with 32 bits after the point. Wrong by at most 1.25 · 2^-32.
pub(super) const fn cosine(angle: Angle) -> i64 {
    sine(Angle::from_bits(angle.to_bits().wrapping_add(Angle::QUARTER.to_bits())))
}

const fn to_fx(value: i64) -> Fx {
    Fx::from_bits(round::shift(value as i128, BITS - 16) as i64)
}

impl Angle {
    /// The sine: -1 to 1.
    ///
    /// Wrong by at most 0.5001 [`Fx::DELTA`], and exact at multiples of a quarter turn.
    /// `(-a).sin() == -a.sin()` and `(Angle::HALF - a).sin() == a.sin()`, exactly. The squares of
    /// sine and cosine add up to 1 within 1.5 `DELTA`.
    ///
    /// A table of 129 nodes a quarter turn, and the sum formulas of sine and cosine between them.
    ///
    /// ```
    /// use snapback_core::{Angle, Fx};
    /// assert_eq!(Angle::from_degrees(30).sin(), Fx::ratio(1, 2));
    /// assert_eq!(Angle::from_degrees(270).sin(), -Fx::ONE);
    /// ```
    #[must_use]
    pub const fn sin(self) -> Fx {
        to_fx(sine(self))
    }

    /// The cosine: -1 to 1, as exact as [`sin`](Self::sin).
    ///
    /// `(-a).cos() == a.cos()` and `(Angle::HALF - a).cos() == -a.cos()`, exactly.
    ///
    /// ```
    /// use snapback_core::{Angle, Fx};
    /// assert_eq!(Angle::from_degrees(60).cos(), Fx::ratio(1, 2));
    /// assert_eq!(Angle::QUARTER.cos(), Fx::ZERO);
    /// ```
    #[must_use]
    pub const fn cos(self) -> Fx {
        to_fx(cosine(self))
    }

    /// [`sin`](Self::sin) and [`cos`](Self::cos).
    ///
    /// ```
    /// use snapback_core::{Angle, Fx};
    /// assert_eq!(Angle::HALF.sin_cos(), (Fx::ZERO, -Fx::ONE));
    /// ```
    #[must_use]
    pub const fn sin_cos(self) -> (Fx, Fx) {
        (self.sin(), self.cos())
    }
}
