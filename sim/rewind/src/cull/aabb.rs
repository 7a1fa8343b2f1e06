//! [`Aabb`]: a box along the axes, both ends inclusive.

use core::fmt;

use crate::Point;

/// A box along the axes, in units. What is on its faces is in it. Every `i32` is a coordinate.
///
/// ```
/// use snapback_rewind::{Point, cull::Aabb};
/// let cube = Aabb::around(Point::ORIGIN, [10; 3]);
/// assert!(cube.contains(Point { x: 10, y: -10, z: 0 }));
/// assert!(!cube.contains(Point { x: 11, y: 0, z: 0 }));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Aabb {
    min: Point,
    max: Point,
}

/// A box whose least corner is beyond its greatest one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvertedBox {
    /// What was given as the least corner.
    pub min: Point,
    /// What was given as the greatest one.
    pub max: Point,
}

impl fmt::Display for InvertedBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the box from {:?} to {:?} is inside out: give the least corner first", self.min.to_array(), self.max.to_array())
    }
}

impl std::error::Error for InvertedBox {}

impl Aabb {
    /// From `min` to `max`, both in it.
    ///
    /// # Errors
    /// If a coordinate of `min` is over that of `max`.
    pub const fn new(min: Point, max: Point) -> Result<Self, InvertedBox> {
        if min.x <= max.x && min.y <= max.y && min.z <= max.z { Ok(Self { min, max }) } else { Err(InvertedBox { min, max }) }
    }

    /// The smallest box with both points in it.
    #[must_use]
    pub fn spanning(a: Point, b: Point) -> Self {
        Self { min: a.lesser(b), max: a.greater(b) }
    }

    /// The box that reaches `half_extents` units from `centre` along x, y and z. It ends where `i32`
    /// does; nothing that a [`Sweep`](super::Sweep) could touch is beyond.
    #[must_use]
    pub fn around(centre: Point, half_extents: [u32; 3]) -> Self {
        let [x, y, z] = half_extents;
        Self {
            min: Point {
                x: centre.x.saturating_sub_unsigned(x),
                y: centre.y.saturating_sub_unsigned(y),
                z: centre.z.saturating_sub_unsigned(z),
            },
            max: Point {
                x: centre.x.saturating_add_unsigned(x),
                y: centre.y.saturating_add_unsigned(y),
                z: centre.z.saturating_add_unsigned(z),
            },
        }
    }

    /// Its least corner.
    #[must_use]
    pub const fn min(self) -> Point {
        self.min
    }

    /// Its greatest corner.
    #[must_use]
    pub const fn max(self) -> Point {
        self.max
    }

    /// The smallest box with both boxes in it.
    ///
    /// ```
    /// use snapback_rewind::{Point, cull::Aabb};
    /// let at = |x| Aabb::around(Point { x, y: 0, z: 0 }, [1; 3]);
    /// assert_eq!(at(0).union(at(7)), Aabb::spanning(Point { x: -1, y: -1, z: -1 }, Point { x: 8, y: 1, z: 1 }));
    /// ```
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.lesser(other.min), max: self.max.greater(other.max) }
    }

    /// The box that reaches `units` further to all sides. It ends where `i32` does.
    #[must_use]
    pub fn grown(self, units: u32) -> Self {
        Self { min: Self::around(self.min, [units; 3]).min, max: Self::around(self.max, [units; 3]).max }
    }

    /// Whether `point` is in it.
    #[must_use]
    pub fn contains(self, point: Point) -> bool {
        self.union(Self { min: point, max: point }) == self
    }
}

impl Point {
    #[inline]
    pub(super) fn lesser(self, other: Self) -> Self {
        Self { x: self.x.min(other.x), y: self.y.min(other.y), z: self.z.min(other.z) }
    }

    #[inline]
    pub(super) fn greater(self, other: Self) -> Self {
        Self { x: self.x.max(other.x), y: self.y.max(other.y), z: self.z.max(other.z) }
    }
}
