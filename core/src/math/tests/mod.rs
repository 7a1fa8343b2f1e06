//! The stated error bounds, against `f64` or an exact integer model, and exact mirror images.
//!
//! An oracle in `f64` is wrong by about 2^-52 of its value, which the bounds have room for: they are
//! 2^-32 or more of it.

#![allow(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "the oracle; nothing is simulated with it")]

mod angle;
mod mirror;
mod quat;
mod root;
mod trigonometry;
mod vector;

use super::{Angle, Quat, Vec2, Vec3};
use crate::cases::{cases, stride};
use crate::{Fx, Rng};
use std::f64::consts::TAU;

/// In units of `Fx`.
fn real(value: Fx) -> f64 {
    value.to_bits() as f64 / 65_536.0
}

fn radians(angle: Angle) -> f64 {
    f64::from(angle.to_bits()) / 4_294_967_296.0 * TAU
}

/// Keeps the greatest error seen, and says where.
struct Worst {
    what: &'static str,
    error: f64,
}

impl Worst {
    fn of(what: &'static str) -> Self {
        Self { what, error: 0.0 }
    }

    fn see(&mut self, error: f64) {
        // Not `max`, which would drop a NaN.
        if error.abs() > self.error || error.is_nan() {
            self.error = error.abs();
        }
    }

    fn assert_at_most(self, bound: f64) {
        println!("{}: {} of {bound}", self.what, self.error);
        assert!(self.error <= bound, "{}: wrong by {}, which is over {bound}", self.what, self.error);
        // A bound far above what happens would prove nothing.
        assert!(self.error >= bound / 4.0, "{}: wrong by {} at most, so that {bound} is no bound to state", self.what, self.error);
    }
}

struct Samples(Rng);

impl Samples {
    fn new() -> Self {
        Self(Rng::new(1985, 3))
    }

    fn bits(&mut self) -> u64 {
        u64::from(self.0.next_u32()) << 32 | u64::from(self.0.next_u32())
    }

    fn angle(&mut self) -> Angle {
        Angle::from_bits(self.0.next_u32())
    }

    /// Of at most `bits` bits, and every length below that equally often; never `Fx::MIN`.
    fn fx(&mut self, bits: u32) -> Fx {
        let unused = 64 - self.0.next_u32() % (bits + 1);
        let magnitude = self.bits().checked_shr(unused).unwrap_or(0) as i64 & i64::MAX;
        Fx::from_bits(if self.0.next_u32() & 1 == 0 { magnitude } else { -magnitude })
    }

    /// 0 to 1.
    fn fraction(&mut self) -> Fx {
        Fx::from_bits((self.0.next_u32() % 65_537).into())
    }

    fn vec2(&mut self, bits: u32) -> Vec2 {
        Vec2::new(self.fx(bits), self.fx(bits))
    }

    fn vec3(&mut self, bits: u32) -> Vec3 {
        Vec3::new(self.fx(bits), self.fx(bits), self.fx(bits))
    }

    /// Of length one.
    fn quat(&mut self) -> Quat {
        loop {
            let shift = self.0.next_u32() % 24;
            let lanes = [(); 4].map(|()| self.0.next_u32() as i32 >> (self.0.next_u32() % (shift + 1)));
            if lanes != [0; 4] {
                return Quat::from_bits(lanes).normalise();
            }
        }
    }

    /// A rotation that differs from another by any order of magnitude.
    fn near(&mut self, other: Quat) -> Quat {
        let angle = Angle::from_bits(self.0.next_u32() >> (self.0.next_u32() % 32));
        (Quat::from_axis_angle(self.vec3(63), angle) * other).normalise()
    }
}

/// Numbers at which integers go wrong.
const EXTREMES: [i64; 15] =
    [0, 1, -1, 2, 65_535, 65_536, -65_536, 65_537, 1 << 31, -(1 << 32), (1 << 47) - 1, i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1];

fn extremes() -> impl Iterator<Item = Fx> {
    EXTREMES.into_iter().map(Fx::from_bits)
}
