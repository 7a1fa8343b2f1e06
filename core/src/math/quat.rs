//! [`Quat`]: a rotation of space.

use bytemuck::{Pod, Zeroable};
use core::fmt;
use core::ops::{Mul, Neg};
use fixed::types::I2F30;
use snapback_derive::SimState;

use super::{Angle, Vec3, direction, round, sine};
use crate::Fx;

/// A rotation of space, as a quaternion of length one.
///
/// The four components are at most 1, so they are stored as `i32` with 30 bits after the point: half
/// the bytes of four [`Fx`], and a rotation 16,384 times as fine. At 10 m from its centre, one unit
/// moves a point by about an eighth of [`Fx::DELTA`].
///
/// | | |
/// |---|---|
/// | resolution | 2^-30 a component |
/// | range | ±2 a component; of length one unless made by [`from_bits`](Self::from_bits) |
/// | `*` | rounded to nearest, halves away from zero, saturating: 0.5 · 2^-30 a component |
///
/// Each product moves the length by at most 3 · 2^-30, so [`normalise`](Self::normalise) what is
/// multiplied again and again: up to 1,000 products, the length is within 3e-6 of one.
///
/// `q` and `-q` are the same rotation. Zero, as in zeroed memory, turns nothing. Functions take any
/// bits; the bounds hold for lengths within 2 · 2^-30 of one, which all
/// functions but the product keep.
///
/// ```
/// use snapback_core::{Angle, Quat, Vec3};
/// let left = Quat::from_axis_angle(Vec3::Y, Angle::QUARTER);
/// assert_eq!(left.rotate(Vec3::from_ints(1, 2, 3)), Vec3::from_ints(3, 2, -1));
/// assert_eq!((left * left).rotate(Vec3::X), -Vec3::X);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Pod, Zeroable, SimState)]
#[repr(C)]
pub struct Quat {
    x: i32,
    y: i32,
    z: i32,
    w: i32,
}

impl Quat {
    /// The rotation that turns nothing: (0, 0, 0, 1).
    pub const IDENTITY: Self = Self::from_bits([0, 0, 0, 1 << direction::BITS]);

    /// The quaternion (x, y, z, w) of these 2^-30ths. Call [`normalise`](Self::normalise) unless
    /// they come from [`to_bits`](Self::to_bits).
    #[must_use]
    pub const fn from_bits([x, y, z, w]: [i32; 4]) -> Self {
        Self { x, y, z, w }
    }

    /// Its x, y, z and w in 2^-30ths.
    #[must_use]
    pub const fn to_bits(self) -> [i32; 4] {
        [self.x, self.y, self.z, self.w]
    }

    /// The rotation by `angle` about `axis`, which may have any length, anticlockwise if one looks
    /// against it. An axis of zero gives [`Quat::IDENTITY`].
    ///
    /// Each component is wrong by at most 4 · 2^-30, the length by 2. Its w is never negative, and the negated angle
    /// (other than half a turn) or the negated axis gives exactly the
    /// [`conjugate`](Self::conjugate).
    ///
    /// ```
    /// use snapback_core::{Angle, Quat, Vec3};
    /// let roll = Quat::from_axis_angle(Vec3::from_ints(0, 0, 500), Angle::QUARTER);
    /// assert_eq!(roll.rotate(Vec3::X), Vec3::Y);
    /// ```
    #[must_use]
    pub fn from_axis_angle(axis: Vec3, angle: Angle) -> Self {
        let Some(axis) = direction::of(axis.lanes().map(Fx::to_bits)) else { return Self::IDENTITY };
        let turn = Angle::ZERO.turn_to(angle);
        // Half of the angle, in quarters of its unit.
        let half = u64::from(turn.unsigned_abs()) * 2;
        let sine = round::with_sign(sine::quarter(half) as u64, if angle == Angle::HALF { 1 } else { turn.into() });
        let [x, y, z] = axis.map(|it| i64::from(it) * sine);
        // Brought to length one because the axis is, within its rounding only.
        Self::towards([x, y, z, sine::quarter(sine::QUARTER - half) << direction::BITS])
    }

    /// The rotation back: (-x, -y, -z, w), saturating.
    ///
    /// ```
    /// use snapback_core::{Angle, Quat, Vec3};
    /// let turn = |degrees| Quat::from_axis_angle(Vec3::Y, Angle::from_degrees(degrees));
    /// assert_eq!(turn(30).conjugate(), turn(-30));
    /// ```
    #[must_use]
    pub const fn conjugate(self) -> Self {
        Self { x: self.x.saturating_neg(), y: self.y.saturating_neg(), z: self.z.saturating_neg(), w: self.w }
    }

    /// The same rotation seen in a mirror that exchanges left and right, as [`Vec3::mirrored_x`]:
    /// (x, -y, -z, w), saturating.
    ///
    /// ```
    /// use snapback_core::{Angle, Quat, Vec3};
    /// let (turn, arm) = (Quat::from_axis_angle(Vec3::Y, Angle::from_degrees(30)), Vec3::from_ints(1, 2, 3));
    /// assert_eq!(turn.mirrored_x().rotate(arm.mirrored_x()), turn.rotate(arm).mirrored_x());
    /// ```
    #[must_use]
    pub const fn mirrored_x(self) -> Self {
        Self { x: self.x, y: self.y.saturating_neg(), z: self.z.saturating_neg(), w: self.w }
    }

    /// The dot product, rounded to nearest: the cosine of half the angle between two rotations, or
    /// its negation.
    ///
    /// ```
    /// use snapback_core::{Fx, Quat};
    /// assert_eq!(Quat::IDENTITY.dot(-Quat::IDENTITY), -Fx::ONE);
    /// ```
    #[must_use]
    pub fn dot(self, other: Self) -> Fx {
        round::saturate(round::shift(self.wide_dot(other), 2 * direction::BITS - 16))
    }

    /// The dot product, exactly, in 2^-60ths.
    pub(super) fn wide_dot(self, other: Self) -> i128 {
        self.to_bits().iter().zip(other.to_bits()).fold(0, |sum, (a, b)| sum + i128::from(i64::from(*a) * i64::from(b)))
    }

    /// The quaternion brought to length one; zero gives [`Quat::IDENTITY`].
    ///
    /// Each component is wrong by at most 2 · 2^-30, and so is the length.
    ///
    /// ```
    /// use snapback_core::Quat;
    /// assert_eq!(Quat::from_bits([0, -5, 0, 0]).normalise(), Quat::from_bits([0, -(1 << 30), 0, 0]));
    /// assert_eq!(Quat::from_bits([0; 4]).normalise(), Quat::IDENTITY);
    /// ```
    #[must_use]
    pub fn normalise(self) -> Self {
        Self::towards(self.to_bits().map(i64::from))
    }

    /// The quaternion of length one in this direction.
    pub(super) fn towards(components: [i64; 4]) -> Self {
        direction::of(components).map_or(Self::IDENTITY, Self::from_bits)
    }

    /// The vector turned, saturating.
    ///
    /// Each component is wrong by at most 0.5 [`Fx::DELTA`] and 2^-27 of the vector's length: up to
    /// 10 m that is within 1 `DELTA`.
    ///
    /// v + 2 w (u × v) + 2 u × (u × v) with u = (x, y, z), as a matrix with 44 bits after the point.
    ///
    /// ```
    /// use snapback_core::{Angle, Quat, Vec3};
    /// let turn = Quat::from_axis_angle(Vec3::from_ints(1, 1, 1), Angle::from_turns(1, 3));
    /// assert_eq!(turn.rotate(Vec3::from_ints(1, 2, 3)), Vec3::from_ints(3, 1, 2));
    /// ```
    #[must_use]
    pub fn rotate(self, vector: Vec3) -> Vec3 {
        let [x, y, z, w] = self.to_bits().map(i64::from);
        // 2 a with 59 bits after the point is a with 60.
        let entry = |doubled: i128| round::shift(doubled, 59 - ENTRY_BITS);
        // Differences and sums of two products fit 64 bits but for one: all are widened.
        let sum = |a: i64, b: i64| entry(i128::from(a) + i128::from(b));
        let difference = |a: i64, b: i64| entry(i128::from(a) - i128::from(b));
        let one = 1 << ENTRY_BITS;
        let rows = [
            [one - sum(y * y, z * z), difference(x * y, w * z), sum(x * z, w * y)],
            [sum(x * y, w * z), one - sum(x * x, z * z), difference(y * z, w * x)],
            [difference(x * z, w * y), sum(y * z, w * x), one - sum(x * x, y * y)],
        ];
        let vector = vector.lanes().map(|it| i128::from(it.to_bits()));
        Vec3::from_lanes(rows.map(|[a, b, c]| {
            let sum = a * vector[0] + b * vector[1] + c * vector[2];
            round::saturate(round::shift(sum, ENTRY_BITS))
        }))
    }
}

/// Entries of a rotation's matrix: at most 2^50 for any bits, so that three products fit 128 bits.
const ENTRY_BITS: u32 = 44;

impl Default for Quat {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Hamilton's product: first `other`, then `self`.
impl Mul for Quat {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let [ax, ay, az, aw] = self.to_bits().map(i64::from);
        let [bx, by, bz, bw] = other.to_bits().map(i64::from);
        // A product has at most 62 bits, four of them 64: they are summed in 128.
        let lane = |a: i64, b: i64, c: i64, minus: i64| {
            let sum = i128::from(a) + i128::from(b) + i128::from(c) - i128::from(minus);
            round::shift(sum, direction::BITS).clamp(i32::MIN.into(), i32::MAX.into()) as i32
        };
        Self {
            x: lane(aw * bx, ax * bw, ay * bz, az * by),
            y: lane(aw * by, ay * bw, az * bx, ax * bz),
            z: lane(aw * bz, az * bw, ax * by, ay * bx),
            w: lane(aw * bw, -(ax * bx), -(ay * by), az * bz),
        }
    }
}

/// The same rotation, with all components negated, saturating.
impl Neg for Quat {
    type Output = Self;
    fn neg(self) -> Self {
        Self::from_bits(self.to_bits().map(i32::saturating_neg))
    }
}

impl fmt::Debug for Quat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z, w] = self.to_bits().map(I2F30::from_bits);
        write!(f, "Quat({x}, {y}, {z}, {w})")
    }
}
