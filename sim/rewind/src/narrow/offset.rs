//! From the axis of a target to the middle of the ball that met it.

use super::vector::{V, dot};
use super::{ONE, TOI_BITS};

/// From the nearest point of the axis, rounded down, to the middle of the ball at time `n`, to the
/// nearest unit.
pub(crate) fn offset(m: V, d: V, e: V, n: i64) -> [i32; 3] {
    let at = [0, 1, 2].map(|axis| m[axis] + ((d[axis] * n + ONE / 2) >> TOI_BITS));
    let whole = dot(e, e);
    let nearest = if whole == 0 {
        [0; 3]
    } else {
        let along = dot(at, e);
        match along {
            _ if along >= whole => e,
            _ if along <= -whole => e.map(|part| -part),
            // Under 2^15 * 2^30.1.
            _ => e.map(|part| (part * along).div_euclid(whole)),
        }
    };
    [0, 1, 2].map(|axis| (at[axis] - nearest[axis]) as i32)
}
