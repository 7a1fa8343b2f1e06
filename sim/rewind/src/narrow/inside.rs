//! Whether the ball touches its target at time n: exact, and the judge of every estimate.

use super::vector::{V, add, dot, sub, wide, wide_dot, wide_squared};
use super::{ONE, TOI_BITS};

/// Where the middle of the ball is at time `n`, in 2^-30ths of a unit: under 2^54.2, as both ends of
/// the way are.
#[inline(always)]
fn point(m: V, d: V, n: i64) -> V {
    [(m[0] << TOI_BITS) + d[0] * n, (m[1] << TOI_BITS) + d[1] * n, (m[2] << TOI_BITS) + d[2] * n]
}

/// `|m + d n| <= r`
#[inline(always)]
pub(crate) fn in_ball(m: V, d: V, r: i64, n: i64) -> bool {
    // Under 2^47.1.
    let limit = r << TOI_BITS;
    let p = point(m, d, n);
    if (p[0].abs() > limit) | (p[1].abs() > limit) | (p[2].abs() > limit) {
        return false;
    }
    wide_squared(p) <= wide(limit, limit) as u128
}

/// `m + d n` is within `r` of the segment from `-e` to `e`, which is not a point.
#[inline(never)]
pub(crate) fn in_capsule(m: V, d: V, e: V, r: i64, n: i64) -> bool {
    let p = point(m, d, n);
    // Under 2^69.3.
    let along = wide_dot(p, e);
    let squared = dot(e, e);
    let end = i128::from(squared) << TOI_BITS;
    if along >= end {
        return in_ball(sub(m, e), d, r, n);
    }
    if along <= -end {
        return in_ball(add(m, e), d, r, n);
    }
    // The distance from the axis' line is |p x e| / |e|. At the surface |p x e| is r |e| 2^30 < 2^62.1, so
    // what does not fit 63 bits is outside.
    let cross = [wide(p[1], e[2]) - wide(p[2], e[1]), wide(p[2], e[0]) - wide(p[0], e[2]), wide(p[0], e[1]) - wide(p[1], e[0])];
    let narrow = |part: i128| i64::try_from(part).ok().filter(|part| *part > i64::MIN);
    let (Some(x), Some(y), Some(z)) = (narrow(cross[0]), narrow(cross[1]), narrow(cross[2])) else { return false };
    // Under 2^34 * 2^30.1 * 2^60.
    wide_squared([x, y, z]) <= (wide(r, r) as u128 * squared as u128) << (2 * TOI_BITS)
}

/// The first n inside, if it is near `guess`. The target is convex: who is inside at n and not at
/// n - 1 came in at n.
#[inline(always)]
pub(super) fn settle(guess: i64, inside: impl Fn(i64) -> bool) -> Option<i64> {
    let mut n = guess.clamp(1, ONE);
    if inside(n) {
        for _ in 0..4 {
            if !inside(n - 1) {
                return Some(n);
            }
            n -= 1;
            if n == 0 {
                return None;
            }
        }
    } else {
        for _ in 0..3 {
            n += 1;
            if n > ONE {
                return None;
            }
            if inside(n) {
                return Some(n);
            }
        }
    }
    None
}

/// The first n inside, where outside is 0, and one of `lowest` or the n after it is inside if any is.
#[cold]
#[inline(never)]
pub(super) fn bisect(lowest: &[i64], inside: impl Fn(i64) -> bool) -> Option<i64> {
    let candidates = lowest.iter().flat_map(|&n| [n.clamp(0, ONE), (n + 1).clamp(0, ONE)]);
    let (mut outside, mut first) = (0, candidates.into_iter().find(|&n| inside(n))?);
    while first - outside > 1 {
        let middle = (outside + first) >> 1;
        if inside(middle) { first = middle } else { outside = middle }
    }
    Some(first)
}
