//! [`Vec2`]: a vector of the plane.

use bytemuck::{Pod, Zeroable};
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use snapback_derive::SimState;

use super::{Angle, lanes, round, sine};
use crate::Fx;

/// A vector of the plane, of two [`Fx`].
///
/// `+`, `-` and `* Fx` work on each component like those of [`Fx`]: exact, or rounded to nearest,
/// and saturating. What sums products is computed in 128 bits, rounded once and saturated, so no
/// component is too great.
///
/// ```
/// use snapback_core::{Fx, Vec2};
/// let velocity = Vec2::from_ints(3, -4);
/// assert_eq!(velocity * Fx::ratio(1, 2), Vec2::new(Fx::ratio(3, 2), Fx::from_int(-2)));
/// assert_eq!(velocity.length(), Fx::from_int(5));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Vec2 {
    /// To the right.
    pub x: Fx,
    /// Up.
    pub y: Fx,
}

impl Vec2 {
    /// (0, 0)
    pub const ZERO: Self = Self::from_ints(0, 0);
    /// (1, 0)
    pub const X: Self = Self::from_ints(1, 0);
    /// (0, 1)
    pub const Y: Self = Self::from_ints(0, 1);

    /// (`x`, `y`)
    #[must_use]
    pub const fn new(x: Fx, y: Fx) -> Self {
        Self { x, y }
    }

    /// The vector of two whole numbers.
    #[must_use]
    pub const fn from_ints(x: i32, y: i32) -> Self {
        Self::new(Fx::from_int(x), Fx::from_int(y))
    }

    /// The vector of length one at an angle: its cosine and sine.
    ///
    /// ```
    /// use snapback_core::{Angle, Vec2};
    /// assert_eq!(Vec2::from_angle(Angle::QUARTER), Vec2::Y);
    /// ```
    #[must_use]
    pub const fn from_angle(angle: Angle) -> Self {
        Self::new(angle.cos(), angle.sin())
    }

    /// Its angle from (1, 0), anticlockwise: [`Angle::atan2`], with its bounds. Zero has
    /// [`Angle::ZERO`].
    ///
    /// ```
    /// use snapback_core::{Angle, Vec2};
    /// assert_eq!(Vec2::from_ints(-7, 7).angle(), Angle::from_degrees(135));
    /// ```
    #[must_use]
    pub const fn angle(self) -> Angle {
        Angle::atan2(self.y, self.x)
    }

    const fn lanes(self) -> [Fx; 2] {
        [self.x, self.y]
    }

    const fn from_lanes([x, y]: [Fx; 2]) -> Self {
        Self { x, y }
    }

    /// The dot product, rounded to nearest, saturating.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec2};
    /// assert_eq!(Vec2::from_ints(1, 2).dot(Vec2::from_ints(3, 4)), Fx::from_int(11));
    /// ```
    #[must_use]
    pub fn dot(self, other: Self) -> Fx {
        lanes::dot(self.lanes(), other.lanes())
    }

    /// The z of the cross product, `x₁ y₂ - y₁ x₂`, rounded to nearest, saturating: positive if
    /// `other` lies anticlockwise.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec2};
    /// assert_eq!(Vec2::X.cross(Vec2::Y), Fx::ONE);
    /// ```
    #[must_use]
    pub fn cross(self, other: Self) -> Fx {
        lanes::determinant(self.x, self.y, other.x, other.y)
    }

    /// The vector a quarter turn anticlockwise: (-y, x).
    ///
    /// ```
    /// use snapback_core::Vec2;
    /// assert_eq!(Vec2::from_ints(1, 2).perp(), Vec2::from_ints(-2, 1));
    /// ```
    #[must_use]
    pub fn perp(self) -> Self {
        Self::new(-self.y, self.x)
    }

    /// The length, rounded to nearest, saturating.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec2};
    /// assert_eq!(Vec2::new(Fx::MAX, Fx::ZERO).length(), Fx::MAX);
    /// assert_eq!(Vec2::new(Fx::MAX, Fx::MAX).length(), Fx::MAX);
    /// ```
    #[must_use]
    pub fn length(self) -> Fx {
        lanes::length(self.lanes())
    }

    /// The square of the length, rounded to nearest, saturating: from a length of about 11,863,283
    /// (118 km) on it is [`Fx::MAX`]. Compare it only with squares below that.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec2};
    /// assert_eq!(Vec2::from_ints(3, 4).length_squared(), Fx::from_int(25));
    /// ```
    #[must_use]
    pub fn length_squared(self) -> Fx {
        lanes::length_squared(self.lanes())
    }

    /// The distance to `other`, rounded to nearest, saturating. Where a component of their difference
    /// saturates, so does the distance.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec2};
    /// assert_eq!(Vec2::from_ints(1, 1).distance(Vec2::from_ints(4, 5)), Fx::from_int(5));
    /// ```
    #[must_use]
    pub fn distance(self, other: Self) -> Fx {
        (self - other).length()
    }

    /// The square of the distance to `other`, rounded and saturating like
    /// [`length_squared`](Self::length_squared).
    ///
    /// ```
    /// use snapback_core::{Fx, Vec2};
    /// assert_eq!(Vec2::from_ints(1, 1).distance_squared(Vec2::from_ints(4, 5)), Fx::from_int(25));
    /// ```
    #[must_use]
    pub fn distance_squared(self, other: Self) -> Fx {
        (self - other).length_squared()
    }

    /// The vector of length one in the same direction; none for zero
    /// (`normalise().unwrap_or_default()` is zero then).
    ///
    /// Each component is wrong by at most 0.501 [`Fx::DELTA`], however short or long the vector is.
    /// Axes stay exact.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec2};
    /// let tiny = Vec2::new(Fx::ZERO, -Fx::DELTA);
    /// assert_eq!(tiny.normalise(), Some(-Vec2::Y));
    /// assert_eq!(Vec2::ZERO.normalise(), None);
    /// ```
    #[must_use]
    pub fn normalise(self) -> Option<Self> {
        lanes::normalise(self.lanes()).map(Self::from_lanes)
    }

    /// From `self` at `t` = 0 to `to` at `t` = 1: [`Fx::lerp`] of each component.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec2};
    /// assert_eq!(Vec2::ZERO.lerp(Vec2::from_ints(4, -8), Fx::ratio(1, 4)), Vec2::from_ints(1, -2));
    /// ```
    #[must_use]
    pub fn lerp(self, to: Self, t: Fx) -> Self {
        Self::new(self.x.lerp(to.x, t), self.y.lerp(to.y, t))
    }

    /// The vector itself if it is at most `max` long (decided exactly), else one of that length in
    /// the same direction. A negative `max` counts as zero.
    ///
    /// Each component is wrong by at most 0.51 [`Fx::DELTA`], and from a length of 2^40 (10 million
    /// km) on by 1.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec2};
    /// let velocity = Vec2::from_ints(30, -40);
    /// assert_eq!(velocity.clamp_length(Fx::from_int(5)), Vec2::from_ints(3, -4));
    /// assert_eq!(velocity.clamp_length(Fx::from_int(50)), velocity);
    /// ```
    #[must_use]
    pub fn clamp_length(self, max: Fx) -> Self {
        Self::from_lanes(lanes::clamp_length(self.lanes(), max))
    }

    /// The vector turned anticlockwise by `angle`, saturating.
    ///
    /// Each component is wrong by at most 0.5 [`Fx::DELTA`] and 2^-31 of the length: up to 160 m
    /// that is within 1 `DELTA`. Exact for multiples of a quarter turn. It is not a walk: turning a
    /// vector again and again adds the errors up, so turn what was there at first.
    ///
    /// ```
    /// use snapback_core::{Angle, Vec2};
    /// assert_eq!(Vec2::from_ints(2, 1).rotate(Angle::QUARTER), Vec2::from_ints(-1, 2));
    /// ```
    #[must_use]
    pub fn rotate(self, angle: Angle) -> Self {
        let (sine, cosine) = (i128::from(sine::sine(angle)), i128::from(sine::cosine(angle)));
        let (x, y) = (i128::from(self.x.to_bits()), i128::from(self.y.to_bits()));
        let lane = |sum| round::saturate(round::shift(sum, sine::BITS));
        Self::new(lane(x * cosine - y * sine), lane(x * sine + y * cosine))
    }

    /// The vector with left and right exchanged: (-x, y).
    ///
    /// ```
    /// use snapback_core::Vec2;
    /// assert_eq!(Vec2::from_ints(1, 2).mirrored_x(), Vec2::from_ints(-1, 2));
    /// ```
    #[must_use]
    pub fn mirrored_x(self) -> Self {
        Self::new(-self.x, self.y)
    }

    /// The lesser of each component.
    ///
    /// ```
    /// use snapback_core::Vec2;
    /// assert_eq!(Vec2::from_ints(1, 4).min(Vec2::from_ints(2, 3)), Vec2::from_ints(1, 3));
    /// ```
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self::new(self.x.min(other.x), self.y.min(other.y))
    }

    /// The greater of each component.
    ///
    /// ```
    /// use snapback_core::Vec2;
    /// assert_eq!(Vec2::from_ints(1, 4).max(Vec2::from_ints(2, 3)), Vec2::from_ints(2, 4));
    /// ```
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self::new(self.x.max(other.x), self.y.max(other.y))
    }

    /// The distance from zero of each component.
    ///
    /// ```
    /// use snapback_core::Vec2;
    /// assert_eq!(Vec2::from_ints(-1, 4).abs(), Vec2::from_ints(1, 4));
    /// ```
    #[must_use]
    pub const fn abs(self) -> Self {
        Self::new(self.x.abs(), self.y.abs())
    }
}

lanes::operators!(Vec2 { x, y });
