//! [`Rng`]: PCG32, whose cursor is part of the state.

use bytemuck::{Pod, Zeroable};
use snapback_derive::SimState;

const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

/// PCG-XSH-RR 64/32 by M. O'Neill, written out here because library generators may change their
/// values in a minor release. It is state: it lives in the snapshot and rewinds with it.
///
/// Source: `pcg32_random_r` of the minimal C implementation at pcg-random.org; its published
/// demo vector is a test.
///
/// ```
/// use snapback_core::Rng;
/// let mut rng = Rng::new(42, 54);
/// assert_eq!(rng.next_u32(), 0xa15c_02b7);
/// assert_eq!(rng.cursor(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Rng {
    state: u64,
    increment: u64,
    cursor: u64,
}

impl Rng {
    /// Stream `stream` of `seed`. Streams of one seed are independent.
    #[must_use]
    pub const fn new(seed: u64, stream: u64) -> Self {
        let mut rng = Self { state: 0, increment: (stream << 1) | 1, cursor: 0 };
        rng.advance();
        rng.state = rng.state.wrapping_add(seed);
        rng.advance();
        rng
    }

    const fn advance(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    /// How many numbers were drawn: the field to look at when two states differ.
    #[must_use]
    pub const fn cursor(&self) -> u64 {
        self.cursor
    }

    /// The next number, uniform over all of `u32`.
    pub const fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.advance();
        self.cursor = self.cursor.wrapping_add(1);
        let xorshifted = (((old >> 18) ^ old) >> 27) as u32;
        xorshifted.rotate_right((old >> 59) as u32)
    }

    /// The next number in `0..bound`, exactly uniform; 0 if `bound` is 0.
    ///
    /// Draws again when a draw would be biased (at most half of the draws, so 64 in a row have odds
    /// of 2^-64); after 64 it takes the biased one, so that the call always ends.
    pub const fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 {
            return 0;
        }
        let threshold = bound.wrapping_neg() % bound;
        let mut tries = 0;
        loop {
            let drawn = self.next_u32();
            tries += 1;
            if drawn >= threshold || tries == 64 {
                return drawn % bound;
            }
        }
    }

    /// Whether an event of `per_million` in a million happens. 0 is never, 1,000,000 always; both
    /// draw a number all the same, so that the cursor does not depend on the setting.
    pub const fn chance(&mut self, per_million: u32) -> bool {
        self.below(1_000_000) < per_million
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_demo_vector() {
        // pcg32-demo of the minimal C implementation: seed 42, sequence 54, round 1.
        let mut rng = Rng::new(42, 54);
        let drawn: [u32; 6] = core::array::from_fn(|_| rng.next_u32());
        assert_eq!(drawn, [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293, 0xbfa4_784b, 0xcbed_606e]);
    }

    #[test]
    fn below_stays_below_and_ends() {
        let mut rng = Rng::new(1, 1);
        for bound in [0, 1, 2, 3, 6, 1_000_000, u32::MAX] {
            for _ in 0..1_000 {
                assert!(rng.below(bound) < bound.max(1));
            }
        }
        // A generator that is stuck at 0 (no stream can be: its increment is odd) still ends.
        let mut stuck = Rng { state: 0, increment: 0, cursor: 0 };
        assert_eq!(stuck.below(3), 0);
    }

    #[test]
    fn chance_costs_the_same_draws_at_both_ends() {
        let (mut never, mut always) = (Rng::new(7, 0), Rng::new(7, 0));
        for _ in 0..1_000 {
            assert!(!never.chance(0));
            assert!(always.chance(1_000_000));
        }
        assert_eq!(never, always);
    }
}
