//! The exact time of impact of a moving ball with a ball or a capsule that stands at the origin.
//!
//! Times are n in 0..=2^30. The answer is the smallest n for which the point `m + d n / 2^30` is within
//! `r` of the segment from `-e` to `e`, and nothing is rounded on the way to it: an estimate says
//! where to look, an exact test of two neighbours proves it. What cannot be proved so is bisected.
//!
//! # Sizes
//! Public limits (`query`, `shape`, `motion`) and [`is_near`], which every caller asks first, bound the
//! numbers; the comments at the lines follow from these.
//!
//! | what | is | under |
//! |---|---|---|
//! | `r` | query's and target's radius, 65,535 each | 2^17 |
//! | length of `e` | 32,767 and a rotation that is off by 2^-11, rounded twice | 32,803 < 2^15.002 |
//! | length of `d` | 2^24 of the query and 2^20 of the target on each axis | 18.6 million < 2^24.15 |
//! | length of `m`, `m + d` | on each axis at most 163,875 more than `d`, as both are near | 18.9 million < 2^24.18 |

mod ball;
mod capsule;
mod inside;
mod offset;
mod parabola;
mod root;
#[cfg(test)]
mod tests;
mod vector;

pub(crate) use ball::ball;
pub(crate) use capsule::capsule;
pub(crate) use offset::offset;
pub(crate) use vector::{V, add, ceil_length, dot, length_at_most, sub, wide, wide_squared};

/// Bits of a time of impact.
pub(crate) const TOI_BITS: u32 = 30;
/// The end of the way.
pub(crate) const ONE: i64 = 1 << TOI_BITS;

/// Whether the box around the way from `m` to `m + d` meets the box of half width `reach` at the
/// origin.
#[inline(always)]
pub(crate) fn is_near(m: V, d: V, reach: i64) -> bool {
    let meets = |axis: usize| (m[axis].min(m[axis] + d[axis]) <= reach) & (m[axis].max(m[axis] + d[axis]) >= -reach);
    meets(0) & meets(1) & meets(2)
}
