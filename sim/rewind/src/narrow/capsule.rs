//! The time of impact of a ball with a capsule.

use super::ball::{ball, enter};
use super::inside::{bisect, in_capsule, settle};
use super::parabola::{Parabola, SETTLED};
use super::root::{MAX_ERROR, careful_estimate, estimate, lowest, root};
use super::vector::{V, add, cross, dot, sub, wide, wide_dot, wide_squared};
use super::{ONE, TOI_BITS};

/// The smallest n from 0 to 2^30 for which `m + d n` is within `r` of the segment from `-e` to `e`.
///
/// First the cylinder without ends: with `x = d x e`, the distance of two lines says that it is missed
/// if `det(m, d, e)^2 > r^2 x^2`, which fits 127 bits where the usual discriminant needs 157. Then
/// where the cylinder is entered, estimated; beyond the ends the ball at that end decides. The
/// estimate only says where to look: [`Parabola`], [`settle`] and [`bisect`] are exact.
#[inline(never)]
pub(crate) fn capsule(m: V, d: V, e: V, r: i64) -> Option<i64> {
    // Under 2^30.1.
    let ee = dot(e, e);
    if ee == 0 {
        return ball(m, d, r);
    }
    // Under 2^39.2, 2^48.4 and 2^34.
    let (em, mm, rr) = (dot(e, m), dot(m, m), r * r);
    let inside = |n| in_capsule(m, d, e, r, n);
    let (from_lower, from_upper) = (add(m, e), sub(m, e));
    // Over zero outside of the cylinder; under 2^78.6, as are qa and qb.
    let c = wide(ee, mm) - wide(em, em) - wide(rr, ee);
    if em <= -ee {
        if dot(from_lower, from_lower) <= rr {
            return Some(0);
        }
    } else if em >= ee {
        if dot(from_upper, from_upper) <= rr {
            return Some(0);
        }
    } else if c <= 0 {
        return Some(0);
    }
    // Each component under 2^39.2.
    let x = cross(d, e);
    let qa = wide_squared(x);
    // Under 2^63.4; what is over 2^57 is over r |x| < 2^56.3.
    let det = wide_dot(m, x);
    if det.unsigned_abs() >> 57 != 0 {
        return None;
    }
    let (det_squared, reach_squared) = (wide(det as i64, det as i64) as u128, rr as u128 * qa);
    if det_squared > reach_squared {
        return None;
    }
    if c <= 0 {
        // Inside of the cylinder and beyond an end.
        return if em < 0 { enter(from_lower, d, r, inside) } else { enter(from_upper, d, r, inside) };
    }
    let (ed, md) = (dot(e, d), dot(m, d));
    let qb = wide(ee, md) - wide(em, ed);
    // Moves away from the axis' line, or along it and outside.
    if qb >= 0 {
        return None;
    }
    let minus_qb = qb.unsigned_abs();
    // The discriminant is ee * under_root, up to 2^142.5: cut to 126 bits.
    let under_root = reach_squared - det_squared;
    let bits = 256 - (ee as u128).leading_zeros() - under_root.leading_zeros();
    let cut = if bits > 127 { (bits - 126) & !1 } else { 0 };
    if qa >> (32 + cut / 2) != 0 {
        let disc = ee as u128 * (under_root >> cut);
        let quick = if cut == 0 { estimate(minus_qb, disc, qa) } else { None };
        let n = quick.unwrap_or_else(|| careful_estimate(minus_qb, root(disc) << (cut / 2), qa));
        if n > ONE + MAX_ERROR {
            return None;
        }
        // Under 2^69.3.
        let along = |n: i64| (i128::from(em) << TOI_BITS) + wide(ed, n);
        let end = i128::from(ee) << TOI_BITS;
        let (before, after) = (along(n - SETTLED), along(n + SETTLED));
        if before < -end && after < -end {
            return enter(from_lower, d, r, inside);
        }
        if before > end && after > end {
            return enter(from_upper, d, r, inside);
        }
        let is_beside = before.abs().max(after.abs()) <= end;
        let found = if is_beside { Parabola { a: qa, b: qb, c }.settle(n) } else { at_edge(n, inside) };
        if found.is_some() {
            return found;
        }
    }
    // The distance from the capsule is lowest where it is from a ball or from the cylinder.
    let of_ball = |m: V| lowest(dot(m, d).into(), dot(d, d).into());
    bisect(&[of_ball(from_lower), of_ball(from_upper), lowest(qb, qa as i128)], inside)
}

/// Where the cylinder is entered and an end is near.
#[cold]
#[inline(never)]
fn at_edge(guess: i64, inside: impl Fn(i64) -> bool) -> Option<i64> {
    settle(guess, inside)
}
