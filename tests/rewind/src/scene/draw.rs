//! Drawing from [`Rng`]: ranges, choices, directions.

use snapback_core::{Angle, Fx, Quat, Rng, Vec3};

/// Units in a metre.
pub const METRE: i64 = 16_384;

/// A generator with the draws that scenes want.
#[derive(Clone, Copy, Debug)]
pub struct Draw(Rng);

impl Draw {
    /// Stream `stream` of `seed`.
    #[must_use]
    pub const fn new(seed: u64, stream: u64) -> Self {
        Self(Rng::new(seed, stream))
    }

    /// Between the two, both included. At most 2^32 values.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let count = u32::try_from(high - low + 1).expect("a small range that is not empty");
        low + i64::from(self.0.below(count))
    }

    /// As [`Draw::between`], of times.
    pub fn time_us(&mut self, low: u64, high: u64) -> u64 {
        low + u64::from(self.0.below(u32::try_from(high - low + 1).expect("within an hour")))
    }

    /// Below `bound`, or 0.
    pub fn index(&mut self, bound: usize) -> usize {
        self.0.below(u32::try_from(bound).expect("few")) as usize
    }

    /// One of them.
    pub fn one_of<T: Copy>(&mut self, these: &[T]) -> T {
        these[self.index(these.len())]
    }

    /// Whether something happens that does in `percent` of a hundred draws.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.0.chance(percent * 10_000)
    }

    /// All 32 bits.
    pub const fn bits(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A length between whole centimetres, with all 16 bits after the point.
    pub fn centimetres(&mut self, low: i64, high: i64) -> Fx {
        Fx::from_bits((self.between(low, high - 1) << 16) | i64::from(self.bits() & 0xffff))
    }

    /// About `length` long, in any direction, or of length zero if `length` is.
    pub fn direction(&mut self, length: i64) -> [i64; 3] {
        let way: [i64; 3] = std::array::from_fn(|_| self.between(-10_000, 10_000));
        scaled(way, length)
    }

    /// Any rotation.
    pub fn rotation(&mut self) -> Quat {
        let axis = Vec3::from_ints(self.small(), self.small(), self.small());
        Quat::from_axis_angle(axis, Angle::from_bits(self.bits()))
    }

    fn small(&mut self) -> i32 {
        i32::try_from(self.between(-100, 100)).expect("small")
    }
}

/// `way`, brought to about `length`.
#[must_use]
pub fn scaled(way: [i64; 3], length: i64) -> [i64; 3] {
    let squared = way.iter().map(|it| it * it).sum::<i64>();
    let whole = squared.isqrt().max(1);
    way.map(|it| it * length / whole)
}
