//! [`Point`]: a position in units of 1/16,384 m, and how a position becomes one.

use bytemuck::{Pod, Zeroable};
use core::fmt;
use snapback_core::{Fx, Vec3};

/// How many [`Fx::DELTA`] make a unit.
pub const DELTAS_PER_UNIT: i64 = 400;
/// Units in a metre.
pub const UNITS_PER_METRE: i32 = 16_384;
/// The greatest coordinate, either way: 2^30 units, 65.5 km.
pub const MAX_COORDINATE: i32 = 1 << 30;

/// A position, in units of 1/16,384 m (61 µm). y is up.
///
/// ```
/// use snapback_core::Vec3;
/// use snapback_rewind::Point;
/// let metre_up = Point::of(Vec3::from_ints(0, 100, 0)).unwrap();
/// assert_eq!(metre_up, Point { x: 0, y: 16_384, z: 0 });
/// assert_eq!(metre_up.to_vec3(), Vec3::from_ints(0, 100, 0));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Up.
    pub y: i32,
    /// Towards the viewer.
    pub z: i32,
}

/// A position that is further than [`MAX_COORDINATE`] from the origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfWorld {
    /// What was given.
    pub position: Vec3,
}

impl fmt::Display for OutOfWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Vec3 { x, y, z } = self.position;
        write!(f, "the position ({x}, {y}, {z}) cm is more than 65.5 km from the origin: move the origin nearer")
    }
}

impl std::error::Error for OutOfWorld {}

impl Point {
    /// The origin.
    pub const ORIGIN: Self = Self { x: 0, y: 0, z: 0 };

    /// The nearest point to `position`, halves away from zero.
    ///
    /// # Errors
    /// If a coordinate is over [`MAX_COORDINATE`].
    pub fn of(position: Vec3) -> Result<Self, OutOfWorld> {
        let at = |value: Fx| units(value).filter(|units| units.abs() <= MAX_COORDINATE).ok_or(OutOfWorld { position });
        Ok(Self { x: at(position.x)?, y: at(position.y)?, z: at(position.z)? })
    }

    /// The position, exactly.
    #[must_use]
    pub fn to_vec3(self) -> Vec3 {
        Vec3::new(fx(self.x), fx(self.y), fx(self.z))
    }

    /// x, y and z.
    #[must_use]
    pub const fn to_array(self) -> [i32; 3] {
        [self.x, self.y, self.z]
    }

    /// The point (x, y, z).
    #[must_use]
    pub const fn from_array([x, y, z]: [i32; 3]) -> Self {
        Self { x, y, z }
    }
}

/// `length` in units, to the nearest, halves away from zero; nothing if it does not fit.
#[must_use]
pub fn units(length: Fx) -> Option<i32> {
    let bits = length.to_bits();
    let magnitude = (bits.unsigned_abs() + DELTAS_PER_UNIT as u64 / 2) / DELTAS_PER_UNIT as u64;
    let magnitude = i64::try_from(magnitude).ok()?;
    i32::try_from(if bits < 0 { -magnitude } else { magnitude }).ok()
}

/// A length in units as `Fx`, exactly.
#[must_use]
pub const fn fx(units: i32) -> Fx {
    Fx::from_bits(units as i64 * DELTAS_PER_UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_unit_halves_away_from_zero() {
        for (bits, expected) in [(0, 0), (199, 0), (200, 1), (-199, 0), (-200, -1), (599, 1), (600, 2), (-600, -2)] {
            assert_eq!(units(Fx::from_bits(bits)), Some(expected), "{bits}");
        }
        assert_eq!(units(Fx::MAX), None);
        assert_eq!(units(Fx::MIN), None);
    }

    #[test]
    fn units_survive_the_way_there_and_back() {
        for value in [0, 1, -1, 16_384, -MAX_COORDINATE, MAX_COORDINATE, i32::MAX, i32::MIN] {
            assert_eq!(units(fx(value)), Some(value));
        }
    }

    #[test]
    fn a_position_out_of_the_world_is_refused_with_its_value() {
        let far = Vec3::from_ints(0, 7_000_000, 0);
        assert_eq!(Point::of(far), Err(OutOfWorld { position: far }));
        assert!(Point::of(Vec3::new(Fx::MAX, Fx::MIN, Fx::ZERO)).is_err());
    }
}
