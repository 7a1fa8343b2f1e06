//! From the axis of a target to the middle of the ball that met it.

use super::vector::{V, dot};
use super::{ONE, TOI_BITS};

/// From the nearest point of the axis, rounded down, to the middle of the ball at time `n`, to the
/// nearest unit.
pub(crate) fn offset(m: V, d: V, e: V, n: i64) -> [i32; 3] {
    let at = [0, 1, 2].map(|axis| m[axis] + ((d[axis] * n + ONE / 2) >> TOI_BITS));
    let whole = dot(e, e);
    let along = dot(at, e);
    let nearest = if whole == 0 {
        [0; 3]
    } else if along >= whole {
        e
    } else if along <= -whole {
        e.map(|part| -part)
    } else {
        scaled(e, along, whole)
    };
    [0, 1, 2].map(|axis| (at[axis] - nearest[axis]) as i32)
}

/// `e * along / whole`, rounded down, by one division. `|along| < whole`, which is under 2^30.1.
fn scaled(e: V, along: i64, whole: i64) -> V {
    // Less than 2^-31 too small, so that a product is less than 2^-16 off, and its floor by one at most.
    let share = (along << 31).div_euclid(whole);
    e.map(|part| {
        let guess = (part * share) >> 31;
        // Under 2^45.2.
        let rest = part * along - guess * whole;
        guess + i64::from(rest >= whole) - i64::from(rest < 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Rng;

    #[test]
    fn one_division_gives_what_three_would() {
        let mut rng = Rng::new(3, 3);
        for _ in 0..200_000 {
            let size = 1 + rng.below(32_767);
            let mut part = || i64::from(rng.below(2 * size + 1)) - i64::from(size);
            let e = [part(), part(), part()];
            let whole = dot(e, e).max(1);
            let share = i64::from(rng.next_u32()) - (1 << 31);
            let along = ((i128::from(whole) * i128::from(share)) >> 31) as i64;
            if along.abs() < whole {
                assert_eq!(scaled(e, along, whole), e.map(|part| (part * along).div_euclid(whole)), "{e:?} {along}");
            }
        }
    }
}
