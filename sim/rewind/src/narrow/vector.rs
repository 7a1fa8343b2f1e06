//! Vectors of integers, and products of two 64-bit numbers that do not fit 64 bits.

/// x, y and z, in units.
pub(crate) type V = [i64; 3];

#[inline(always)]
pub(crate) const fn dot(a: V, b: V) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) const fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) const fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) const fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(crate) const fn wide(a: i64, b: i64) -> i128 {
    a as i128 * b as i128
}

/// `dot(a, b)`, where it may need up to 127 bits.
#[inline(always)]
pub(crate) const fn wide_dot(a: V, b: V) -> i128 {
    wide(a[0], b[0]) + wide(a[1], b[1]) + wide(a[2], b[2])
}

/// The square of the length. Each square is at most 2^126, so three fit.
#[inline(always)]
pub(crate) const fn wide_squared(a: V) -> u128 {
    wide(a[0], a[0]) as u128 + wide(a[1], a[1]) as u128 + wide(a[2], a[2]) as u128
}

/// At least the length of `a`.
pub(crate) fn ceil_length(a: V) -> i64 {
    ceil_sqrt(dot(a, a).unsigned_abs())
}

/// The square root, rounded up. For squares under 2^62.
pub(crate) const fn ceil_sqrt(squared: u64) -> i64 {
    let root = squared.isqrt();
    (if root * root < squared { root + 1 } else { root }) as i64
}

/// At least the length of `(x, y)`, and at most a 40th more and a unit, without a root: with the greater part as one, two chords of
/// the convex `sqrt(1 + t^2)`, from 0 to 1/2 and from there to 1.
#[inline(always)]
pub(crate) const fn length_at_most(x: i64, y: i64) -> i64 {
    let (x, y) = (x.abs(), y.abs());
    let (greater, less) = if x > y { (x, y) } else { (y, x) };
    // 0.2361 and 0.8216, 0.5930, rounded up: at 1/2 they are 1.1182 and 1.1181, at 1 the second is 1.4146.
    let (flat, steep) = (greater * 1_024 + less * 242, greater * 842 + less * 607);
    ((if flat > steep { flat } else { steep }) >> 10) + 1
}
