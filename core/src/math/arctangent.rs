//! The angle of a vector: one division into the first eighth of a turn, then a cubic from the
//! nearest of 129 nodes.

use super::{Angle, round, series};
use crate::Fx;

const NODES: usize = 128;
const STEP_BITS: u32 = 32 - NODES.ilog2();
/// The table counts 2^-38 turns.
const BITS: u32 = 38;

/// Taylor's coefficients of the arctangent at each node c, in turns: with f = 1 / (1 + c²),
/// atan c, f, -c f² and (c² - 1/3) f³. The next term is below 0.03 units of [`Angle`].
static CUBICS: [[i64; 4]; NODES + 1] = {
    let mut table = [[0; 4]; NODES + 1];
    let mut node = 0;
    while node <= NODES {
        let c = series::ONE * node as i128 / NODES as i128;
        let square = series::multiply(c, c);
        let f = series::divide(series::ONE, series::ONE + square);
        let f2 = series::multiply(f, f);
        let f3 = series::multiply(f2, f);
        table[node] = [
            in_turns(series::arctangent(c)),
            in_turns(f),
            in_turns(-series::multiply(c, f2)),
            in_turns(series::multiply(square - series::ONE / 3, f3)),
        ];
        node += 1;
    }
    table
};

const fn in_turns(radians: i128) -> i64 {
    round::shift(series::divide(radians, 2 * series::PI), series::BITS - BITS) as i64
}

/// The angle of a vector in the first quarter, 0 to a quarter turn. Both 0: 0.
///
/// Wrong by at most one unit of [`Angle`]: half of one by the last rounding, 0.16 by the division,
/// 0.03 by the cubic, 0.04 by its rounding.
pub(super) const fn quarter(y: u64, x: u64) -> u32 {
    let (low, high) = if y < x { (y, x) } else { (x, y) };
    if high == 0 {
        return 0;
    }
    // Rounded down, and never dependent on the length of the vector.
    let tangent = match low.leading_zeros() {
        32.. => (low << 32) / high,
        _ => (((low as u128) << 32) / high as u128) as u64,
    };
    let eighth = eighth(tangent);
    if y < x { eighth } else { Angle::QUARTER.to_bits() - eighth }
}

/// The arctangent of 0 to 1, with 32 bits after the point.
const fn eighth(tangent: u64) -> u32 {
    let node = (tangent + (1 << (STEP_BITS - 1))) >> STEP_BITS;
    let d = tangent as i64 - (node << STEP_BITS) as i64;
    let [a, b, c, e] = CUBICS[node as usize];
    let turns = a + ((d * (b + ((d * (c + ((d * e) >> 32))) >> 32))) >> 32);
    ((turns + (1 << (BITS - 33))) >> (BITS - 32)) as u32
}

impl Angle {
    /// The angle of the vector (`x`, `y`), anticlockwise from (1, 0); that of (0, 0) is
    /// [`Angle::ZERO`].
    ///
    /// Wrong by at most 2^-32 turn, whatever the length of the vector, which does not matter:
    /// `atan2(3 y, 3 x) == atan2(y, x)` where neither saturates. Exact at multiples of an eighth of a
    /// turn. For all but [`Fx::MIN`], exactly: `atan2(-y, x) == -atan2(y, x)`,
    /// `atan2(y, -x) == HALF - atan2(y, x)` and `atan2(x, y) == QUARTER - atan2(y, x)`, except that
    /// (0, 0) has no mirror image but itself.
    ///
    /// ```
    /// use snapback_core::{Angle, Fx};
    /// assert_eq!(Angle::atan2(Fx::ONE, -Fx::ONE), Angle::from_degrees(135));
    /// assert_eq!(Angle::atan2(-Fx::DELTA, Fx::ZERO), Angle::from_degrees(-90));
    /// assert_eq!(Angle::atan2(Fx::ZERO, Fx::ZERO), Angle::ZERO);
    /// ```
    #[must_use]
    pub const fn atan2(y: Fx, x: Fx) -> Self {
        let (y, x) = (y.to_bits(), x.to_bits());
        let first = quarter(y.unsigned_abs(), x.unsigned_abs());
        let upper = if x < 0 { Self::HALF.to_bits() - first } else { first };
        Self::from_bits(if y < 0 { upper.wrapping_neg() } else { upper })
    }
}
