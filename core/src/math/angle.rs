//! [`Angle`]: a binary fraction of a turn.

use bytemuck::{Pod, Zeroable};
use core::fmt;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};
use snapback_derive::SimState;

use super::lerp;
use crate::Fx;

/// An angle, counted in 2^-32 turns, so that a full turn is zero again without a remainder.
///
/// | | |
/// |---|---|
/// | resolution | 2^-32 turn (8.4e-8 degrees, 1.5e-9 radians) |
/// | range | one turn |
/// | `+`, `-`, negation | exact, wrapping |
///
/// Angles grow anticlockwise from (1, 0). They have no order: which of two is the greater depends
/// on where one starts to count. [`turn_to`](Self::turn_to) says which way is the shorter.
///
/// Printed in degrees, 0 to 360, to 8 digits after the point or as many as the format asks for
/// (at most 20); trailing zeros are left out unless it asks.
///
/// ```
/// use snapback_core::Angle;
/// assert_eq!(Angle::from_degrees(350) + Angle::from_degrees(20), Angle::from_degrees(10));
/// assert_eq!(Angle::from_turns(-1, 16).to_string(), "337.5°");
/// assert_eq!(format!("{:.2}", Angle::from_turns(1, 7)), "51.43°");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Pod, Zeroable, SimState)]
#[repr(transparent)]
pub struct Angle(u32);

impl Angle {
    /// Along (1, 0).
    pub const ZERO: Self = Self(0);
    /// Along (0, 1): 90 degrees.
    pub const QUARTER: Self = Self(1 << 30);
    /// Along (-1, 0): 180 degrees. It is its own negation.
    pub const HALF: Self = Self(1 << 31);

    /// The angle of this many 2^-32 turns.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// How many 2^-32 turns this angle is.
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The angle of a whole number of degrees, rounded to nearest; full turns are dropped.
    ///
    /// ```
    /// use snapback_core::Angle;
    /// assert_eq!(Angle::from_degrees(90), Angle::QUARTER);
    /// assert_eq!(Angle::from_degrees(-540), Angle::HALF);
    /// ```
    #[must_use]
    pub const fn from_degrees(degrees: i32) -> Self {
        Self::from_turns(degrees, 360)
    }

    /// `numerator / denominator` turns, rounded to nearest (there are no halves); full turns are
    /// dropped. A denominator of zero gives [`Angle::ZERO`].
    ///
    /// ```
    /// use snapback_core::Angle;
    /// assert_eq!(Angle::from_turns(-3, 4), Angle::QUARTER);
    /// assert_eq!(Angle::from_turns(1, 0), Angle::ZERO);
    /// ```
    #[must_use]
    pub const fn from_turns(numerator: i32, denominator: i32) -> Self {
        if denominator == 0 {
            return Self::ZERO;
        }
        let (top, bottom) = (numerator.unsigned_abs() as u64, denominator.unsigned_abs() as u64);
        let magnitude = ((((top % bottom) << 32) + bottom / 2) / bottom) as u32;
        Self(if (numerator < 0) == (denominator < 0) { magnitude } else { magnitude.wrapping_neg() })
    }

    /// The shorter way to `target`, in 2^-32 turns: positive is anticlockwise. `i32::MIN` if it is
    /// half a turn away, where both ways are equally long.
    ///
    /// ```
    /// use snapback_core::Angle;
    /// let (from, to) = (Angle::from_degrees(315), Angle::from_degrees(45));
    /// assert_eq!(from.turn_to(to), 1 << 30);
    /// assert_eq!(to.turn_to(from), -(1 << 30));
    /// ```
    #[must_use]
    pub const fn turn_to(self, target: Self) -> i32 {
        target.0.wrapping_sub(self.0) as i32
    }

    /// From `self` at `t` = 0 to `to` at `t` = 1 by the shorter way, rounded to nearest, halves away
    /// from `self`. Half a turn is made anticlockwise.
    ///
    /// `t` is brought into 0 to 1, and both ends are exact. Lerping negated or mirrored angles
    /// negates or mirrors the result exactly, unless they are half a turn apart.
    ///
    /// ```
    /// use snapback_core::{Angle, Fx};
    /// let (from, to) = (Angle::from_degrees(350), Angle::from_degrees(20));
    /// assert_eq!(from.lerp(to, Fx::ratio(1, 2)), Angle::from_degrees(5));
    /// ```
    #[must_use]
    pub fn lerp(self, to: Self, t: Fx) -> Self {
        let turn = self.turn_to(to);
        let way = (u64::from(turn.unsigned_abs()) * u64::from(lerp::fraction(t)) + (1 << 15)) >> 16;
        if turn < 0 && turn != i32::MIN { self - Self(way as u32) } else { self + Self(way as u32) }
    }

    /// The angle of the mirrored vector: `HALF - self`, as [`Vec2::mirrored_x`](super::Vec2::mirrored_x)
    /// mirrors.
    ///
    /// ```
    /// use snapback_core::Angle;
    /// assert_eq!(Angle::from_degrees(30).mirrored_x(), Angle::from_degrees(150));
    /// ```
    #[must_use]
    pub const fn mirrored_x(self) -> Self {
        Self(Self::HALF.0.wrapping_sub(self.0))
    }
}

impl Add for Angle {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Angle {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Angle {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl AddAssign for Angle {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Angle {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl fmt::Display for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = f.precision().unwrap_or(8).min(20);
        let mut scale = 10_u128.pow(digits as u32);
        let mut degrees = (u128::from(self.0) * 360 * scale + (1 << 31)) >> 32;
        while f.precision().is_none() && digits > 0 && degrees.is_multiple_of(10) {
            (degrees, scale, digits) = (degrees / 10, scale / 10, digits - 1);
        }
        write!(f, "{}", degrees / scale)?;
        if digits > 0 {
            write!(f, ".{:0digits$}", degrees % scale)?;
        }
        f.write_str("°")
    }
}

impl fmt::Debug for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Angle({self})")
    }
}
