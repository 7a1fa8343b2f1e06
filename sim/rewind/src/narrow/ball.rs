//! The time of impact of a ball with a ball.

use super::inside::{bisect, in_ball, settle};
use super::parabola::Parabola;
use super::root::{careful_estimate, estimate, lowest, root};
use super::vector::{V, dot, wide};

/// The smallest n from 0 to 2^30 for which `m + d n` is within `r` of the origin.
#[inline(never)]
pub(crate) fn ball(m: V, d: V, r: i64) -> Option<i64> {
    enter(m, d, r, |n| in_ball(m, d, r, n))
}

/// The same for a ball that is a part of a convex target, as the end of a capsule is: the target
/// is entered through this ball or not at all, and `inside` is the target's. So the first n inside of the ball is the
/// first inside of the target; if the ball is grazed between two n, there still can be one.
#[inline(always)]
pub(super) fn enter(m: V, d: V, r: i64, inside: impl Fn(i64) -> bool + Copy) -> Option<i64> {
    // All three under 2^48.4.
    let (c, b) = (dot(m, m) - r * r, dot(m, d));
    if c <= 0 {
        return Some(0);
    }
    if b >= 0 {
        return None;
    }
    let a = dot(d, d);
    // Nearest after the end, and outside at the end.
    if -b > a && a + 2 * b + c > 0 {
        return None;
    }
    // Under 2^96.8.
    let disc = wide(b, b) - wide(a, c);
    if disc < 0 {
        return None;
    }
    let (minus_b, disc) = (-b as u128, disc as u128);
    let guess = estimate(minus_b, disc, a as u128).unwrap_or_else(|| careful_estimate(minus_b, root(disc), a as u128));
    let ball = Parabola { a: a as u128, b: b.into(), c: c.into() };
    ball.settle(guess).or_else(|| search(guess, lowest(b.into(), a.into()), inside))
}

/// The ball is only grazed, or the guess was bad.
#[cold]
#[inline(never)]
fn search(guess: i64, lowest: i64, inside: impl Fn(i64) -> bool + Copy) -> Option<i64> {
    settle(guess, inside).or_else(|| bisect(&[lowest], inside))
}
