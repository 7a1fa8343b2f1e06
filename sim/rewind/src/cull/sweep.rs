//! [`Sweep`]: a straight piece of a shot's path, with what moves along it.

use core::fmt;

use super::{Aabb, touch};
use crate::Point;

/// The furthest that one sweep goes along an axis: 2^28 units, 16 km. A longer path is several.
pub const MAX_SWEEP_UNITS: u32 = 1 << 28;
/// The greatest radius or half extent of what is swept: 2^27 units, 8 km.
pub const MAX_VOLUME_UNITS: u32 = 1 << 27;

/// What moves along the path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Volume {
    /// A point: the path is a line.
    Point,
    /// A ball of this radius, in units.
    Ball(u32),
    /// A box along the axes that reaches this far from its centre along x, y and z, in units.
    Box([u32; 3]),
}

/// A volume that moves from one point to another in a straight line.
///
/// Whether it [touches](Self::touches) a box is decided exactly: nothing is divided or rounded, and
/// the limits of the two points and of the volume keep every number of the computation within its type.
///
/// ```
/// use snapback_rewind::{Point, cull::{Aabb, Sweep}};
/// let cube = Aabb::around(Point::ORIGIN, [10; 3]);
/// // Past an edge, 3 away along x and 4 along y.
/// let (from, to) = (Point { x: 13, y: 14, z: -50 }, Point { x: 13, y: 14, z: 50 });
/// assert!(!Sweep::line(from, to).unwrap().touches(cube));
/// assert!(!Sweep::ball(from, to, 4).unwrap().touches(cube));
/// assert!(Sweep::ball(from, to, 5).unwrap().touches(cube));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sweep {
    start: Point,
    end: Point,
    volume: Volume,
}

/// Why a sweep is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SweepError {
    /// It goes further than [`MAX_SWEEP_UNITS`] along an axis.
    TooLong {
        /// Where it starts.
        start: Point,
        /// Where it ends.
        end: Point,
    },
    /// The volume is greater than [`MAX_VOLUME_UNITS`].
    TooWide {
        /// What was given.
        volume: Volume,
    },
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { start, end } => {
                let (start, end) = (start.to_array(), end.to_array());
                write!(f, "the sweep from {start:?} to {end:?} is over {MAX_SWEEP_UNITS} units along an axis: cut it into several")
            }
            Self::TooWide { volume } => {
                write!(f, "the volume {volume:?} is over {MAX_VOLUME_UNITS} units: nothing is culled by one so great")
            }
        }
    }
}

impl std::error::Error for SweepError {}

impl Sweep {
    /// `volume`, moved from `start` to `end`. They may be the same point.
    ///
    /// # Errors
    /// If it is over [`MAX_SWEEP_UNITS`] or [`MAX_VOLUME_UNITS`].
    pub fn new(start: Point, end: Point, volume: Volume) -> Result<Self, SweepError> {
        let extents = match volume {
            Volume::Point => [0; 3],
            Volume::Ball(radius) => [radius; 3],
            Volume::Box(half_extents) => half_extents,
        };
        if extents.iter().any(|it| *it > MAX_VOLUME_UNITS) {
            return Err(SweepError::TooWide { volume });
        }
        if start.to_array().iter().zip(end.to_array()).any(|(from, to)| from.abs_diff(to) > MAX_SWEEP_UNITS) {
            return Err(SweepError::TooLong { start, end });
        }
        Ok(Self { start, end, volume })
    }

    /// A line.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn line(start: Point, end: Point) -> Result<Self, SweepError> {
        Self::new(start, end, Volume::Point)
    }

    /// A ball of `radius` units.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn ball(start: Point, end: Point, radius: u32) -> Result<Self, SweepError> {
        Self::new(start, end, Volume::Ball(radius))
    }

    /// Where its middle starts.
    #[must_use]
    pub const fn start(self) -> Point {
        self.start
    }

    /// Where its middle ends.
    #[must_use]
    pub const fn end(self) -> Point {
        self.end
    }

    /// What moves.
    #[must_use]
    pub const fn volume(self) -> Volume {
        self.volume
    }

    /// Whether it shares a point with `target` anywhere on its way. To touch is enough.
    #[must_use]
    pub fn touches(self, target: Aabb) -> bool {
        match self.volume {
            Volume::Point => touch::box_on_segment(self.start, self.end, [0; 3], target),
            Volume::Box(half_extents) => touch::box_on_segment(self.start, self.end, half_extents, target),
            Volume::Ball(radius) => touch::ball_on_segment(self.start, self.end, radius, target),
        }
    }
}
