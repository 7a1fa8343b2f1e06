//! [`Vec3`]: a vector of space.

use bytemuck::{Pod, Zeroable};
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use snapback_derive::SimState;

use super::{Vec2, lanes};
use crate::Fx;

/// A vector of space, of three [`Fx`]. Right-handed: x × y = z.
///
/// `+`, `-` and `* Fx` work on each component like those of [`Fx`]: exact, or rounded to nearest,
/// and saturating. What sums products is computed in 128 bits, rounded once and saturated, so no
/// component is too great.
///
/// ```
/// use snapback_core::{Fx, Vec3};
/// let velocity = Vec3::from_ints(2, -3, 6);
/// assert_eq!(-velocity, Vec3::from_ints(-2, 3, -6));
/// assert_eq!(velocity.length(), Fx::from_int(7));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Vec3 {
    /// To the right.
    pub x: Fx,
    /// Up.
    pub y: Fx,
    /// Towards the viewer.
    pub z: Fx,
}

impl Vec3 {
    /// (0, 0, 0)
    pub const ZERO: Self = Self::from_ints(0, 0, 0);
    /// (1, 0, 0)
    pub const X: Self = Self::from_ints(1, 0, 0);
    /// (0, 1, 0)
    pub const Y: Self = Self::from_ints(0, 1, 0);
    /// (0, 0, 1)
    pub const Z: Self = Self::from_ints(0, 0, 1);

    /// (`x`, `y`, `z`)
    #[must_use]
    pub const fn new(x: Fx, y: Fx, z: Fx) -> Self {
        Self { x, y, z }
    }

    /// The vector of three whole numbers.
    #[must_use]
    pub const fn from_ints(x: i32, y: i32, z: i32) -> Self {
        Self::new(Fx::from_int(x), Fx::from_int(y), Fx::from_int(z))
    }

    /// Its x and y.
    ///
    /// ```
    /// use snapback_core::{Vec2, Vec3};
    /// assert_eq!(Vec3::from_ints(1, 2, 3).xy(), Vec2::from_ints(1, 2));
    /// ```
    #[must_use]
    pub const fn xy(self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    pub(super) const fn lanes(self) -> [Fx; 3] {
        [self.x, self.y, self.z]
    }

    pub(super) const fn from_lanes([x, y, z]: [Fx; 3]) -> Self {
        Self { x, y, z }
    }

    /// The dot product, rounded to nearest, saturating.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec3};
    /// assert_eq!(Vec3::from_ints(1, 2, 3).dot(Vec3::from_ints(4, 5, 6)), Fx::from_int(32));
    /// ```
    #[must_use]
    pub fn dot(self, other: Self) -> Fx {
        lanes::dot(self.lanes(), other.lanes())
    }

    /// The cross product, rounded to nearest, saturating.
    ///
    /// ```
    /// use snapback_core::Vec3;
    /// assert_eq!(Vec3::X.cross(Vec3::Y), Vec3::Z);
    /// ```
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            lanes::determinant(self.y, self.z, other.y, other.z),
            lanes::determinant(self.z, self.x, other.z, other.x),
            lanes::determinant(self.x, self.y, other.x, other.y),
        )
    }

    /// The length, rounded to nearest, saturating.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec3};
    /// assert_eq!(Vec3::new(Fx::MIN, Fx::MIN, Fx::MIN).length(), Fx::MAX);
    /// ```
    #[must_use]
    pub fn length(self) -> Fx {
        lanes::length(self.lanes())
    }

    /// The square of the length, rounded to nearest, saturating: from a length of about 11,863,283
    /// (118 km) on it is [`Fx::MAX`]. Compare it only with squares below that.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec3};
    /// assert_eq!(Vec3::from_ints(2, 3, 6).length_squared(), Fx::from_int(49));
    /// ```
    #[must_use]
    pub fn length_squared(self) -> Fx {
        lanes::length_squared(self.lanes())
    }

    /// The distance to `other`, rounded to nearest, saturating. Where a component of their difference
    /// saturates, so does the distance.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec3};
    /// assert_eq!(Vec3::X.distance(Vec3::from_ints(3, 3, 6)), Fx::from_int(7));
    /// ```
    #[must_use]
    pub fn distance(self, other: Self) -> Fx {
        (self - other).length()
    }

    /// The square of the distance to `other`, rounded and saturating like
    /// [`length_squared`](Self::length_squared).
    ///
    /// ```
    /// use snapback_core::{Fx, Vec3};
    /// assert_eq!(Vec3::X.distance_squared(Vec3::Y), Fx::from_int(2));
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
    /// use snapback_core::{Fx, Vec3};
    /// let huge = Vec3::new(Fx::ZERO, Fx::ZERO, Fx::MIN);
    /// assert_eq!(huge.normalise(), Some(-Vec3::Z));
    /// assert_eq!(Vec3::ZERO.normalise(), None);
    /// ```
    #[must_use]
    pub fn normalise(self) -> Option<Self> {
        lanes::normalise(self.lanes()).map(Self::from_lanes)
    }

    /// From `self` at `t` = 0 to `to` at `t` = 1: [`Fx::lerp`] of each component.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec3};
    /// let halfway = Vec3::ZERO.lerp(Vec3::from_ints(4, -8, 2), Fx::ratio(1, 2));
    /// assert_eq!(halfway, Vec3::from_ints(2, -4, 1));
    /// ```
    #[must_use]
    pub fn lerp(self, to: Self, t: Fx) -> Self {
        Self::new(self.x.lerp(to.x, t), self.y.lerp(to.y, t), self.z.lerp(to.z, t))
    }

    /// The vector itself if it is at most `max` long (decided exactly), else one of that length in
    /// the same direction. A negative `max` counts as zero.
    ///
    /// Each component is wrong by at most 0.51 [`Fx::DELTA`], and from a length of 2^40 (10 million
    /// km) on by 1.
    ///
    /// ```
    /// use snapback_core::{Fx, Vec3};
    /// let velocity = Vec3::from_ints(20, -30, 60);
    /// assert_eq!(velocity.clamp_length(Fx::from_int(7)), Vec3::from_ints(2, -3, 6));
    /// ```
    #[must_use]
    pub fn clamp_length(self, max: Fx) -> Self {
        Self::from_lanes(lanes::clamp_length(self.lanes(), max))
    }

    /// The vector with left and right exchanged: (-x, y, z).
    ///
    /// ```
    /// use snapback_core::Vec3;
    /// assert_eq!(Vec3::from_ints(1, 2, 3).mirrored_x(), Vec3::from_ints(-1, 2, 3));
    /// ```
    #[must_use]
    pub fn mirrored_x(self) -> Self {
        Self::new(-self.x, self.y, self.z)
    }

    /// The lesser of each component.
    ///
    /// ```
    /// use snapback_core::Vec3;
    /// assert_eq!(Vec3::X.min(Vec3::Y), Vec3::ZERO);
    /// ```
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self::new(self.x.min(other.x), self.y.min(other.y), self.z.min(other.z))
    }

    /// The greater of each component.
    ///
    /// ```
    /// use snapback_core::Vec3;
    /// assert_eq!(Vec3::X.max(Vec3::Y), Vec3::from_ints(1, 1, 0));
    /// ```
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self::new(self.x.max(other.x), self.y.max(other.y), self.z.max(other.z))
    }

    /// The distance from zero of each component.
    ///
    /// ```
    /// use snapback_core::Vec3;
    /// assert_eq!(Vec3::from_ints(-1, 2, -3).abs(), Vec3::from_ints(1, 2, 3));
    /// ```
    #[must_use]
    pub const fn abs(self) -> Self {
        Self::new(self.x.abs(), self.y.abs(), self.z.abs())
    }
}

lanes::operators!(Vec3 { x, y, z });
