//! The series that the tables are made of: evaluated while compiling, never in a tick.
//!
//! Numbers here have 60 bits after the point. Errors stay below 2^-50: each of at most 70 terms
//! drops less than 8 units.

pub(super) const BITS: u32 = 60;
pub(super) const ONE: i128 = 1 << BITS;

/// π, rounded (OEIS A000796). A test computes it by another route.
pub(super) const PI: i128 = 3_622_009_729_038_561_421;

pub(super) const fn multiply(a: i128, b: i128) -> i128 {
    (a * b) >> BITS
}

pub(super) const fn divide(a: i128, b: i128) -> i128 {
    (a << BITS) / b
}

/// The sine of `x` radians, 0 to π/2: Taylor's series.
pub(super) const fn sine(x: i128) -> i128 {
    let square = multiply(x, x);
    let (mut sum, mut term, mut n) = (x, x, 1);
    while n < 15 {
        term = -(multiply(term, square) / (2 * n * (2 * n + 1)));
        sum += term;
        n += 1;
    }
    sum
}

/// The angle in radians whose tangent is `x`, 0 to 1: Euler's series, whose terms at least halve.
///
/// atan x = Σ (2^2n (n!)² / (2n+1)!) · x^(2n+1) / (1 + x²)^(n+1)
pub(super) const fn arctangent(x: i128) -> i128 {
    let square = multiply(x, x);
    let ratio = divide(square, ONE + square);
    let mut term = divide(x, ONE + square);
    let (mut sum, mut n) = (term, 1);
    while n < 70 {
        term = multiply(term, ratio) * (2 * n) / (2 * n + 1);
        sum += term;
        n += 1;
    }
    sum
}
