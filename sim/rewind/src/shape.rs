//! [`Shape`]: a sphere or a capsule, in units, within what queries can compute.

use core::fmt;
use snapback_core::{Fx, NameHash};

use crate::units;

/// The greatest radius: 65,535 units, 4 m.
pub const MAX_RADIUS_UNITS: u16 = u16::MAX;
/// The greatest distance from a capsule's centre to the centre of a cap: 32,767 units, 2 m.
pub const MAX_HALF_AXIS_UNITS: u16 = i16::MAX as u16;

/// Which shape.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ShapeKind {
    /// A ball.
    Sphere,
    /// A cylinder with half balls on its ends, along y of its rotation.
    Capsule,
}

/// The shape of the host's component, in centimetres, as the host knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceShape {
    /// A ball.
    Sphere {
        /// Its radius, scaled.
        radius: Fx,
    },
    /// A capsule.
    Capsule {
        /// Its radius, scaled.
        radius: Fx,
        /// Half of its height, with the caps, scaled.
        half_height: Fx,
    },
    /// Anything else. It is reported once and takes no snapshots.
    Unsupported {
        /// What it is, for the report.
        kind: NameHash,
    },
}

/// A shape that hitboxes can have, in units.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    pub(crate) kind: ShapeKind,
    pub(crate) radius: u16,
    pub(crate) half_height: u32,
}

/// Why a shape cannot be a hitbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeError {
    /// Neither sphere nor capsule.
    Unsupported {
        /// What the host called it.
        kind: NameHash,
    },
    /// Negative or no radius, or a negative half height.
    Empty,
    /// Radius over 4 m.
    TooWide {
        /// What was asked for.
        radius: Fx,
    },
    /// A capsule whose axis is over 2 m each way.
    TooTall {
        /// What was asked for.
        half_height: Fx,
    },
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported { kind } => {
                write!(f, "a hitbox follows a sphere or a capsule, not the shape {:#010x}: choose another component", kind.bits())
            }
            Self::Empty => write!(f, "a hitbox needs a radius over zero and a half height of zero or more"),
            Self::TooWide { radius } => {
                write!(f, "a radius of {radius} cm is over the limit of 399 cm: use several hitboxes")
            }
            Self::TooTall { half_height } => {
                write!(f, "a half height of {half_height} cm is over the limit of 199 cm beyond the radius: use several hitboxes")
            }
        }
    }
}

impl std::error::Error for ShapeError {}

impl Shape {
    /// The nearest shape to `source`. A capsule with a half height under its radius is as high as a
    /// ball.
    ///
    /// # Errors
    /// If it is not supported, empty or too great.
    ///
    /// ```
    /// use snapback_core::Fx;
    /// use snapback_rewind::{Shape, SourceShape};
    /// let body = SourceShape::Capsule { radius: Fx::from_int(30), half_height: Fx::from_int(90) };
    /// assert_eq!(Shape::of(body).unwrap().half_height().round(), 90);
    /// ```
    pub fn of(source: SourceShape) -> Result<Self, ShapeError> {
        let (kind, radius, half_height) = match source {
            SourceShape::Sphere { radius } => (ShapeKind::Sphere, radius, radius),
            SourceShape::Capsule { radius, half_height } => (ShapeKind::Capsule, radius, half_height),
            SourceShape::Unsupported { kind } => return Err(ShapeError::Unsupported { kind }),
        };
        if radius <= Fx::ZERO || half_height < Fx::ZERO {
            return Err(ShapeError::Empty);
        }
        let radius_units = units::units(radius).and_then(|units| u16::try_from(units).ok()).ok_or(ShapeError::TooWide { radius })?;
        let radius_units = radius_units.max(1);
        let tall = ShapeError::TooTall { half_height };
        let height_units = units::units(half_height).and_then(|units| u32::try_from(units).ok()).ok_or(tall)?;
        let height_units = height_units.max(u32::from(radius_units));
        if height_units - u32::from(radius_units) > u32::from(MAX_HALF_AXIS_UNITS) {
            return Err(tall);
        }
        Ok(Self { kind, radius: radius_units, half_height: height_units })
    }

    /// Sphere or capsule.
    #[must_use]
    pub const fn kind(self) -> ShapeKind {
        self.kind
    }

    /// Its radius.
    #[must_use]
    pub const fn radius(self) -> Fx {
        units::fx(self.radius as i32)
    }

    /// Half of its height with the caps; of a sphere, its radius.
    #[must_use]
    pub const fn half_height(self) -> Fx {
        units::fx(self.half_height as i32)
    }

    /// From its centre to the centre of a cap, in units.
    #[must_use]
    pub const fn half_axis_units(self) -> u16 {
        (self.half_height - self.radius as u32) as u16
    }

    /// The radius of the ball around it, for rejecting early: the radius of a sphere, and of a
    /// capsule the greater of radius and half height.
    #[must_use]
    pub const fn broadphase_radius(self) -> Fx {
        self.half_height()
    }
}
