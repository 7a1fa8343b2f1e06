//! The exact time of impact: the smallest `n` for which a point, after `n / 2^30` of its way, is
//! within a distance of something convex.
//!
//! The distance from a point on a line to something convex falls and then rises, so two bisections
//! find the answer: the first `n` that is nearest, then the first within reach before it. Squared
//! distances are ratios of integers of at most 200 bits; [`I256`] stops at an overflow where
//! debug assertions are on, which the profiles of tests have.

use super::units::Units;
use ethnum::I256;

/// A time of impact is this many parts of a piece.
pub const ONE: u32 = 1 << 30;

type Wide = [I256; 3];

/// A squared distance times 2^60: a numerator, and a denominator over zero.
type Squared = (I256, I256);

fn widen(from: Units) -> Wide {
    from.map(I256::from)
}

fn dot(a: Wide, b: Wide) -> I256 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The point after `n` parts of the way `by` from `from`, times 2^30.
fn along(from: Units, by: Units, n: u32) -> Wide {
    std::array::from_fn(|axis| (I256::from(from[axis]) << 30) + I256::from(by[axis]) * I256::from(n))
}

fn is_within(reach: i64, (numerator, denominator): Squared) -> bool {
    let limit: I256 = (I256::from(reach) * I256::from(reach)) << 60;
    numerator <= limit * denominator
}

fn first_within(reach: i64, squared: impl Fn(u32) -> Squared) -> Option<u32> {
    let is_within = |n| is_within(reach, squared(n));
    if is_within(0) {
        return Some(0);
    }
    let (mut low, mut high) = (0, ONE);
    while low < high {
        let middle = low.midpoint(high);
        let (here, next) = (squared(middle), squared(middle + 1));
        if here.0 * next.1 <= next.0 * here.1 { high = middle } else { low = middle + 1 }
    }
    if !is_within(low) {
        return None;
    }
    // Not within at `out`, within at `first`.
    let (mut out, mut first) = (0, low);
    while first - out > 1 {
        let middle = out.midpoint(first);
        if is_within(middle) { first = middle } else { out = middle }
    }
    Some(first)
}

/// When a point that goes from `from` by `by` is first within `reach` of the segment from
/// `-half_axis` to `half_axis`.
#[must_use]
pub fn with_segment(from: Units, by: Units, half_axis: Units, reach: i64) -> Option<u32> {
    if is_far(from, by, reach + half_axis.iter().map(|it| it.abs()).sum::<i64>()) {
        return None;
    }
    let axis = widen(half_axis);
    let length = dot(axis, axis);
    first_within(reach, |n| {
        let point = along(from, by, n);
        let height = dot(point, axis);
        let top: I256 = length << 30;
        if height >= top || height <= -top {
            let sign = if height >= top { I256::ONE } else { I256::MINUS_ONE };
            let way: Wide = std::array::from_fn(|it| point[it] - sign * (axis[it] << 30));
            (dot(way, way), I256::ONE)
        } else {
            (dot(point, point) * length - height * height, length)
        }
    })
}

/// From the nearest point of the segment from `-half_axis` to `half_axis` to a point that has gone `n`
/// parts of the way `by` from `from`: where it is is rounded to whole units, halves up, and what is
/// nearest to that on the segment is rounded down.
#[must_use]
pub fn offset(from: Units, by: Units, half_axis: Units, n: u32) -> Units {
    let (one, half): (I256, I256) = (I256::ONE << 30, I256::ONE << 29);
    let point: Wide = along(from, by, n).map(|it| I256::div_euclid(it + half, one));
    let axis = widen(half_axis);
    let length = dot(axis, axis);
    let nearest: Wide =
        axis.map(|it| if length == 0 { I256::ZERO } else { (it * dot(point, axis).clamp(-length, length)).div_euclid(length) });
    std::array::from_fn(|axis| i64::try_from(point[axis] - nearest[axis]).expect("a place"))
}

/// When a point that goes from `from` by `by` is first within `reach` of the box from `low` to
/// `high`.
#[must_use]
pub fn with_box(from: Units, by: Units, low: Units, high: Units, reach: i64) -> Option<u32> {
    let passes_by = (0..3).any(|axis| {
        let (start, end) = (from[axis], from[axis] + by[axis]);
        start.max(end) < low[axis] - reach || start.min(end) > high[axis] + reach
    });
    if passes_by {
        return None;
    }
    first_within(reach, |n| {
        let point = along(from, by, n);
        let way: Wide = std::array::from_fn(|axis| {
            let nearest = point[axis].clamp(I256::from(low[axis]) << 30, I256::from(high[axis]) << 30);
            point[axis] - nearest
        });
        (dot(way, way), I256::ONE)
    })
}

/// When a point that goes from `from` by `by` is first within `reach` of the half space of the
/// points whose dot product with `normal` is at most `offset`.
#[must_use]
pub fn with_half_space(from: Units, by: Units, normal: Units, offset: i64, reach: i64) -> Option<u32> {
    let normal = widen(normal);
    let squared = |n| {
        let plane: I256 = I256::from(offset) << 30;
        let above = (dot(along(from, by, n), normal) - plane).max(I256::ZERO);
        (above * above, dot(normal, normal))
    };
    // It gets nearer or it does not: one end of the way is nearest.
    if !is_within(reach, squared(0)) && !is_within(reach, squared(ONE)) {
        return None;
    }
    first_within(reach, squared)
}

/// Whether the whole way is further than `reach` from the origin: then it is from everything that a
/// ball of that radius holds.
fn is_far(from: Units, by: Units, reach: i64) -> bool {
    let dot = |a: Units, b: Units| (0..3).map(|axis| i128::from(a[axis]) * i128::from(b[axis])).sum::<i128>();
    let reach = i128::from(reach) * i128::from(reach);
    let (approach, length) = (-dot(from, by), dot(by, by));
    if approach <= 0 {
        return dot(from, from) > reach;
    }
    if approach >= length {
        let end: Units = std::array::from_fn(|axis| from[axis] + by[axis]);
        return dot(end, end) > reach;
    }
    // The squared distance of the foot of the perpendicular, times `length`.
    let [from, length, approach]: Wide = [dot(from, from), length, approach].map(I256::from);
    from * length - approach * approach > I256::from(reach) * length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_that_flies_at_a_ball() {
        // 10 units away, 4 within reach, 8 of way: after 6 of 8.
        assert_eq!(with_segment([-10, 0, 0], [8, 0, 0], [0; 3], 4), Some(ONE / 8 * 6));
        assert_eq!(with_segment([-10, 0, 0], [5, 0, 0], [0; 3], 4), None);
        assert_eq!(with_segment([-10, 0, 0], [6, 0, 0], [0; 3], 4), Some(ONE));
        assert_eq!(with_segment([-3, 0, 0], [6, 0, 0], [0; 3], 4), Some(0));
    }

    #[test]
    fn a_point_that_only_touches() {
        assert_eq!(with_segment([-10, 4, 0], [20, 0, 0], [0; 3], 4), Some(ONE / 2));
        assert_eq!(with_segment([-10, 5, 0], [20, 0, 0], [0; 3], 4), None);
    }

    #[test]
    fn the_middle_and_the_cap_of_a_capsule() {
        let axis = [0, 100, 0];
        assert_eq!(with_segment([-10, 50, 0], [10, 0, 0], axis, 5), Some(ONE / 2));
        // 3 over the end of the axis: 4 before its middle the distance is 5.
        assert_eq!(with_segment([-8, 103, 0], [8, 0, 0], axis, 5), Some(ONE / 2));
        assert_eq!(with_segment([-8, 106, 0], [8, 0, 0], axis, 5), None);
        // Along the axis, from above.
        assert_eq!(with_segment([0, 115, 0], [0, -20, 0], axis, 5), Some(ONE / 2));
    }

    #[test]
    fn the_answer_is_the_first_whole_part_within_reach() {
        // 2 of 3 units: 2^31 / 3 = 715827882.67, so the first within is the next whole one.
        assert_eq!(with_segment([-3, 0, 0], [3, 0, 0], [0; 3], 1), Some(715_827_883));
    }

    #[test]
    fn a_wall_and_its_corner() {
        let (low, high) = ([0, 0, 0], [10, 10, 10]);
        assert_eq!(with_box([-9, 5, 5], [8, 0, 0], low, high, 5), Some(ONE / 2));
        // (-3, 14, 5) is 5 from the edge (0, 10, 5).
        assert_eq!(with_box([-7, 14, 5], [8, 0, 0], low, high, 5), Some(ONE / 2));
        assert_eq!(with_box([5, 5, 5], [1, 0, 0], low, high, 0), Some(0));
        assert_eq!(with_half_space([0, 9, 0], [0, -8, 0], [0, 3, 0], 0, 5), Some(ONE / 2));
        // The plane x + y = 0, along a diagonal.
        assert_eq!(with_half_space([9, 12, 0], [-12, -16, 0], [3, 4, 0], 0, 5), Some(ONE / 2));
    }

    #[test]
    fn as_far_as_the_world_goes_nothing_overflows() {
        let edge = 1 << 31;
        let by = [-(1 << 24), 1 << 24, 1 << 24];
        assert_eq!(with_segment([edge; 3], by, [1 << 15, -(1 << 15), 1 << 15], 1 << 17), None);
        assert_eq!(with_box([edge; 3], by, [-edge; 3], [0; 3], 1), None);
        // Not rejected early, so that every product is formed.
        let axis = [1 << 15; 3];
        assert!(with_segment([1 << 25; 3], [-(1 << 26); 3], axis, 1 << 17).is_some());
    }
}
