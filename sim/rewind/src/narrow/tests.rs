//! Against a slow search in 256 bits that shares no line with what it tests.

use super::{ONE, V, ball, capsule, ceil_length, is_near, offset};
use snapback_core::Rng;

/// An unsigned number of 256 bits: high and low half.
type U256 = (u128, u128);

fn product(a: u128, b: u128) -> U256 {
    let half = u128::from(u64::MAX);
    let ((a1, a0), (b1, b0)) = ((a >> 64, a & half), (b >> 64, b & half));
    let low = a0 * b0;
    let middle = (low >> 64) + ((a1 * b0) & half) + ((a0 * b1) & half);
    (a1 * b1 + ((a1 * b0) >> 64) + ((a0 * b1) >> 64) + (middle >> 64), (middle << 64) | (low & half))
}

fn sum(a: U256, b: U256) -> U256 {
    let (low, carry) = a.1.overflowing_add(b.1);
    (a.0 + b.0 + u128::from(carry), low)
}

fn difference(a: U256, b: U256) -> U256 {
    let (low, borrow) = a.1.overflowing_sub(b.1);
    (a.0 - b.0 - u128::from(borrow), low)
}

fn square(a: i128) -> U256 {
    product(a.unsigned_abs(), a.unsigned_abs())
}

/// The square of the distance of `m + d n / 2^30` from the segment, times `2^60`, times the square of the
/// length of `e` (or one).
fn distance_squared(m: V, d: V, e: V, n: i64) -> U256 {
    let wide = |v: V| v.map(i128::from);
    let (m, d, e) = (wide(m), wide(d), wide(e));
    let p = [0, 1, 2].map(|axis| (m[axis] << 30) + d[axis] * i128::from(n));
    let length = |v: [i128; 3]| sum(sum(square(v[0]), square(v[1])), square(v[2]));
    let ee: i128 = e.iter().map(|part| part * part).sum();
    if ee == 0 {
        return length(p);
    }
    let along: i128 = (0..3).map(|axis| p[axis] * e[axis]).sum();
    let scaled = |(high, low): U256| {
        let part = product(low, ee as u128);
        (part.0 + high * ee as u128, part.1)
    };
    let end = ee << 30;
    if along.abs() >= end {
        let sign = along.signum();
        return scaled(length([0, 1, 2].map(|axis| p[axis] - sign * (e[axis] << 30))));
    }
    difference(scaled(length(p)), square(along))
}

/// The first n by two binary searches: where the convex distance is lowest, then where it first is
/// small enough.
fn reference(m: V, d: V, e: V, r: i64) -> Option<i64> {
    let ee = e.iter().map(|part| part * part).sum::<i64>().max(1);
    let limit = product((i128::from(r * r) << 60) as u128, ee as u128);
    let inside = |n| distance_squared(m, d, e, n) <= limit;
    let first = |mut low: i64, mut high: i64, holds: &dyn Fn(i64) -> bool| {
        while low < high {
            let middle = (low + high).div_euclid(2);
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        low
    };
    let lowest = first(0, ONE, &|n| n == ONE || distance_squared(m, d, e, n + 1) >= distance_squared(m, d, e, n));
    inside(lowest).then(|| first(0, lowest, &inside))
}

struct Cases(Rng);

impl Cases {
    fn within(&mut self, size: i64) -> i64 {
        let size = size.max(0) as u64;
        ((u64::from(self.0.next_u32()) << 20 ^ u64::from(self.0.next_u32())) % (2 * size + 1)) as i64 - size as i64
    }

    /// Any size up to `max`, small ones as often as great ones.
    fn size(&mut self, max: i64) -> i64 {
        let bits = self.0.below(64 - max.leading_zeros() + 1);
        self.within(1 << bits).abs().min(max)
    }

    fn vector(&mut self, size: i64) -> V {
        [self.within(size), self.within(size), self.within(size)]
    }

    fn shorter_than(&mut self, size: i64, max_length: i64) -> V {
        loop {
            let v = self.vector(size);
            if ceil_length(v) <= max_length {
                return v;
            }
        }
    }

    fn case(&mut self) -> (V, V, V, i64) {
        let axis_size = self.size(32_767);
        let mut e = match self.0.below(8) {
            0 => [0; 3],
            1 => [0, axis_size, 0],
            2 => [axis_size, 0, 0],
            _ => self.shorter_than(axis_size, 32_767),
        };
        let r = self.size(131_070);
        let d_size = self.size(1 << 24);
        let mut d = match self.0.below(6) {
            0 => [0; 3],
            1 => [0, d_size, 0],
            2 => [self.within(1), d_size, self.within(1)],
            _ => self.shorter_than(d_size, 18_590_000),
        };
        if self.0.below(8) == 0 && axis_size > 0 {
            // Along the axis, or almost.
            let times = self.within(500);
            d = [e[0] * times, e[1] * times, e[2] * times];
            if self.0.below(2) == 0 {
                d[self.0.below(3) as usize] += self.within(2);
            }
        }
        if self.0.below(16) == 0 {
            e = [0, 32_767, 0];
        }
        // A point on the way is put near the surface, inside, or anywhere near.
        let share = i64::from(self.0.below(1 << 30)) + i64::from(self.0.below(2));
        let share = if self.0.below(4) == 0 { i64::from(self.0.below(3)) * (ONE / 2) } else { share };
        let toward = self.vector(1 << 15);
        let scale = ceil_length(toward).max(1);
        let out = r + if self.0.below(3) == 0 { self.within(2 * r + 10) } else { self.within(2) };
        let along = match self.0.below(4) {
            0 => scale_by(e, self.within(1 << 10), 1 << 10),
            1 => e,
            2 => e.map(|part| -part),
            _ => [0; 3],
        };
        let at: V = [0, 1, 2].map(|axis| along[axis] + toward[axis] * out / scale);
        let m = [0, 1, 2].map(|axis| at[axis] - ((d[axis] * share) >> 30));
        (m, d, e, r)
    }
}

fn scale_by(v: V, times: i64, over: i64) -> V {
    v.map(|part| part * times / over)
}

/// Both answers for one case, if it is one that a caller would ask about.
fn check(m: V, d: V, e: V, r: i64) -> Option<bool> {
    let found = is_near(m, d, r + ceil_length(e)).then(|| capsule(m, d, e, r))?;
    assert_eq!(found, reference(m, d, e, r), "m {m:?} d {d:?} e {e:?} r {r}");
    if e == [0; 3] {
        assert_eq!(ball(m, d, r), found);
    }
    if let Some(n) = found {
        offset(m, d, e, n);
    }
    Some(found.is_some())
}

#[test]
fn the_time_of_impact_is_that_of_a_search_in_256_bits() {
    let mut cases = Cases(Rng::new(8, 1));
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..150_000 {
        let (m, d, e, r) = cases.case();
        match check(m, d, e, r) {
            Some(true) => hits += 1,
            Some(false) => misses += 1,
            None => {}
        }
    }
    assert!(hits > 50_000 && misses > 20_000, "{hits} {misses}");
}

#[test]
fn the_greatest_numbers_that_the_limits_admit_do_not_overflow() {
    let (far, reach) = (18_590_000, 163_873);
    let diagonal = 10_733_000;
    let ways: [V; 7] = [[far, 0, 0], [0, far, 0], [0, 0, -far], [diagonal; 3], [-diagonal, diagonal, diagonal], [far, 3, -2], [1, far, 1]];
    let axes: [V; 5] = [[32_803, 0, 0], [0, 32_803, 0], [18_930, 18_930, 18_930], [-18_930, 18_930, 18_930], [0, 1, 0]];
    for d in ways {
        for e in axes {
            for r in [1, 65_535, 131_070] {
                for corner in 0..27 {
                    let side = [corner % 3 - 1, corner / 3 % 3 - 1, corner / 9 - 1];
                    for begin in [0, 1, 2] {
                        let m = [0, 1, 2].map(|axis| side[axis] * reach - d[axis] * begin / 2);
                        check(m, d, e, r);
                    }
                    // As far outside as a neighbour on each axis can be.
                    let m = [0, 1, 2].map(|axis| side[axis] * (reach + d[axis].abs()));
                    check(m, d, e, r);
                }
            }
        }
    }
}

#[test]
fn planted_faults_are_seen() {
    // A ball that is one step of time late, and a capsule that is one unit thinner, differ from the search.
    let mut cases = Cases(Rng::new(8, 2));
    let (mut late, mut thin) = (false, false);
    for _ in 0..2_000 {
        let (m, d, e, r) = cases.case();
        if !is_near(m, d, r + ceil_length(e)) {
            continue;
        }
        let found = capsule(m, d, e, r);
        late |= found.map(|n| n + 1) != reference(m, d, e, r);
        thin |= r > 0 && found != reference(m, d, e, r - 1);
    }
    assert!(late && thin);
}
