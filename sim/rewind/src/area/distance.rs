//! How far a point is from a hitbox, exactly.

use crate::{HitboxFrame, Point, units};

/// How a point lies to a hitbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Nearness {
    /// The squared distance to the axis, as a ratio of integers.
    numerator: u128,
    denominator: u128,
    radius_units: i64,
    /// From the centre of the hitbox to the nearest point of its axis, rounded.
    on_axis: [i64; 3],
    /// From the centre of the hitbox to the point.
    to_point: [i64; 3],
}

fn dot(a: [i64; 3], b: [i64; 3]) -> i128 {
    a.iter().zip(b).map(|(&a, b)| i128::from(a) * i128::from(b)).sum()
}

fn sub(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a / b` to the nearest, halves away from zero. b is over zero.
fn round_div(a: i128, b: i128) -> i64 {
    let magnitude = ((2 * a.unsigned_abs() + b.unsigned_abs()) / (2 * b.unsigned_abs())) as i64;
    if a < 0 { -magnitude } else { magnitude }
}

impl Nearness {
    pub(super) fn of(point: Point, frame: &HitboxFrame) -> Self {
        let to_point = sub(point.to_array().map(i64::from), frame.centre.to_array().map(i64::from));
        let half_axis = frame.half_axis.map(i64::from);
        let radius_units = frame.radius.to_bits() / units::DELTAS_PER_UNIT;
        let (along, length_squared) = (dot(to_point, half_axis), dot(half_axis, half_axis));
        let (numerator, denominator, on_axis) = if along.abs() >= length_squared {
            // Beyond a cap, or a sphere.
            let end = if along < 0 { half_axis.map(|part| -part) } else { half_axis };
            let apart = sub(to_point, end);
            (dot(apart, apart), 1, end)
        } else {
            let numerator = dot(to_point, to_point) * length_squared - along * along;
            (numerator, length_squared, half_axis.map(|part| round_div(i128::from(part) * along, length_squared)))
        };
        Self { numerator: numerator as u128, denominator: denominator as u128, radius_units, on_axis, to_point }
    }

    /// Whether the surface is within a radius.
    pub(super) fn is_within(&self, radius_units: i64) -> bool {
        let reach = (radius_units + self.radius_units) as u128;
        self.numerator <= reach * reach * self.denominator
    }

    /// The distance to the surface in 256ths of a unit, rounded down; zero inside. Only for what is within
    /// the greatest radius.
    pub(super) fn distance_256ths(&self) -> u32 {
        let axis_256ths = ((self.numerator << 16) / self.denominator).isqrt();
        u32::try_from(axis_256ths.saturating_sub((self.radius_units as u128) << 8)).unwrap_or(u32::MAX)
    }

    /// The nearest point of the surface, or the point itself if it is inside. Each coordinate is
    /// wrong by at most two units.
    pub(super) fn nearest(&self, point: Point, frame: &HitboxFrame) -> Point {
        let outwards = sub(self.to_point, self.on_axis);
        let length = (dot(outwards, outwards) as u128).isqrt() as i128;
        if length <= i128::from(self.radius_units) {
            return point;
        }
        let centre = frame.centre.to_array();
        let coordinate = |axis: usize| {
            let out = round_div(i128::from(outwards[axis]) * i128::from(self.radius_units), length);
            (i64::from(centre[axis]) + self.on_axis[axis] + out) as i32
        };
        Point { x: coordinate(0), y: coordinate(1), z: coordinate(2) }
    }
}
