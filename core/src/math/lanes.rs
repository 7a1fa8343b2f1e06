//! What vectors of two and of three components share: sums of products, wide and rounded once.

use super::{direction, root, round};
use crate::Fx;

/// The sum of the products of components. Saturates only where the result does, too.
pub(super) fn dot<const N: usize>(a: [Fx; N], b: [Fx; N]) -> Fx {
    let sum = a.iter().zip(b).fold(0_i128, |sum, (a, b)| sum.saturating_add(product(*a, b)));
    round::saturate(round::shift(sum, 16))
}

/// `a d - b c`
pub(super) fn determinant(a: Fx, b: Fx, c: Fx, d: Fx) -> Fx {
    round::saturate(round::shift(product(a, d).saturating_sub(product(b, c)), 16))
}

fn product(a: Fx, b: Fx) -> i128 {
    i128::from(a.to_bits()) * i128::from(b.to_bits())
}

/// At most 3 · 2^126, which fits.
fn square<const N: usize>(vector: [Fx; N]) -> u128 {
    vector.iter().map(|it| u128::from(it.to_bits().unsigned_abs()).pow(2)).sum()
}

pub(super) fn length<const N: usize>(vector: [Fx; N]) -> Fx {
    round::saturate_unsigned(root::nearest(square(vector)).into())
}

pub(super) fn length_squared<const N: usize>(vector: [Fx; N]) -> Fx {
    round::saturate_unsigned(round::shift_unsigned(square(vector), 16))
}

pub(super) fn normalise<const N: usize>(vector: [Fx; N]) -> Option<[Fx; N]> {
    let unit = direction::of(vector.map(Fx::to_bits))?;
    Some(unit.map(|it| round::saturate(round::shift(it.into(), direction::BITS - 16))))
}

/// The length gets this many bits after the point if there is room, so that short vectors lose none.
const EXTRA_BITS: u32 = 8;

pub(super) fn clamp_length<const N: usize>(vector: [Fx; N], max: Fx) -> [Fx; N] {
    let max = max.max(Fx::ZERO).to_bits().unsigned_abs();
    let square = square(vector);
    if square <= u128::from(max) * u128::from(max) {
        return vector;
    }
    let extra = (square.leading_zeros() / 2).min(EXTRA_BITS);
    let length = root::nearest(square << (2 * extra));
    vector.map(|it| {
        // Fits: no component is longer than the vector, and `extra` leaves room for its length.
        let top = (u128::from(it.to_bits().unsigned_abs()) * u128::from(max)) << extra;
        Fx::from_bits(round::with_sign(round::divide(top, length) as u64, it.to_bits()))
    })
}

/// The operators of a vector, lane by lane.
macro_rules! operators {
    ($vector:ident { $($lane:ident),* }) => {
        impl Add for $vector {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self { $($lane: self.$lane + other.$lane),* }
            }
        }

        impl Sub for $vector {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self { $($lane: self.$lane - other.$lane),* }
            }
        }

        impl Neg for $vector {
            type Output = Self;
            fn neg(self) -> Self {
                Self { $($lane: -self.$lane),* }
            }
        }

        impl Mul<Fx> for $vector {
            type Output = Self;
            fn mul(self, factor: Fx) -> Self {
                Self { $($lane: self.$lane * factor),* }
            }
        }

        impl AddAssign for $vector {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl SubAssign for $vector {
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
    };
}

pub(super) use operators;
