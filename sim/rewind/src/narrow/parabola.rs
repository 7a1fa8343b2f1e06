//! [`Parabola`]: the exact judge of an estimate where a target is a ball or the side of a cylinder.

use super::{ONE, TOI_BITS};

/// `a n^2 + 2 b n 2^30 + c 2^60`, not over zero where the target is touched at time n.
///
/// It is computed modulo 2^128. That is exact near the root, where it is small although its terms are not: with
/// `s` for the root of `b^2 - a c`, it is at most `a k^2 + 2^31 s k` at k steps of n from the root. Of a ball `a` and s are
/// under 2^48.4, and nothing is ever cut off. Of a cylinder `a` is under 2^78.6, s under 2^71.4, and k may be up to
/// 2^23; an estimate is within 8.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parabola {
    pub a: u128,
    pub b: i128,
    pub c: i128,
}

/// How many steps of n from the guess [`Parabola::settle`] looks, the guess of a root that is at most
/// [`MAX_ERROR`](super::root::MAX_ERROR) beyond the end included.
pub(super) const SETTLED: i64 = 16;

impl Parabola {
    /// The first n of which it is not over zero, from 1 on, if that is near `guess`.
    #[inline(always)]
    pub(super) fn settle(self, guess: i64) -> Option<i64> {
        let mut n = guess.clamp(1, ONE);
        let (a, b) = (self.a, (self.b << (TOI_BITS + 1)) as u128);
        let at = n as u64;
        let c = (self.c << (2 * TOI_BITS)) as u128;
        let mut value = a.wrapping_mul(u128::from(at)).wrapping_add(b).wrapping_mul(u128::from(at)).wrapping_add(c) as i128;
        // What it is more at n than at n - 1.
        let rise = |n: i64| a.wrapping_mul(u128::from(2 * n as u64 - 1)).wrapping_add(b) as i128;
        if value <= 0 {
            for _ in 0..4 {
                value = value.wrapping_sub(rise(n));
                if value > 0 {
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
                value = value.wrapping_add(rise(n));
                if value <= 0 {
                    return Some(n);
                }
            }
        }
        None
    }
}
