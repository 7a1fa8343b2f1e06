//! [`Solid`]: a convex shape that stands upright, and the exact time at which a moving ball touches it.
//!
//! Box, ball and upright capsule are one: a box (of size zero, or a line) with everything around it
//! within a radius. A time of impact is the smallest of 2^30 steps at which an exact predicate holds.
//! The distance to a convex shape is a convex function of time, so that its slope says on which side
//! of a step the touch is.

use core::fmt;
use snapback_core::{Fx, Vec3};

use crate::query::MAX_QUERY_RADIUS_UNITS;
use crate::units::{self, MAX_COORDINATE};
use crate::{Point, Toi};

/// The greatest half extent of a box and half axis of a capsule: 2^24 units, 1,024 m.
pub const MAX_SOLID_EXTENT_UNITS: i32 = 1 << 24;
/// The greatest radius of a ball or capsule: 2^20 units, 64 m.
pub const MAX_SOLID_RADIUS_UNITS: i32 = 1 << 20;

const STEPS: i64 = 1 << 30;

/// A shape of the present world, around the place of its collider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solid {
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// All within `radius` of a box with these half extents, in units.
    Round { half: [i32; 3], radius: i32 },
    /// All on the side of the place that `normal` does not point to.
    HalfSpace { normal: Vec3 },
}

/// Why a shape cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolidError {
    /// A length is negative, or all are zero.
    Empty,
    /// A length is over its limit.
    TooLarge {
        /// What was asked for.
        length: Fx,
        /// The limit, in units.
        max_units: i32,
    },
    /// A normal of length zero.
    NoNormal,
}

impl fmt::Display for SolidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a solid needs lengths of zero or more, and one over zero"),
            Self::TooLarge { length, max_units } => {
                write!(f, "a length of {length} cm is over the limit of {} m: use several solids", max_units / units::UNITS_PER_METRE)
            }
            Self::NoNormal => write!(f, "a half space needs a normal of some length"),
        }
    }
}

impl std::error::Error for SolidError {}

fn length(length: Fx, max_units: i32) -> Result<i32, SolidError> {
    match units::units(length) {
        _ if length < Fx::ZERO => Err(SolidError::Empty),
        Some(units) if units <= max_units => Ok(units),
        _ => Err(SolidError::TooLarge { length, max_units }),
    }
}

impl Solid {
    /// A box along the axes, from `-half` to `half`. What has no thickness is two units thick
    /// (0.12 mm), so that a point cannot step over it.
    ///
    /// # Errors
    /// If a half extent is negative or over 1,024 m, or all are zero.
    ///
    /// ```
    /// use snapback_core::Vec3;
    /// use snapback_rewind::live::Solid;
    /// assert!(Solid::cuboid(Vec3::from_ints(500, 300, 0)).is_ok());
    /// assert!(Solid::cuboid(Vec3::from_ints(500, -300, 0)).is_err());
    /// ```
    pub fn cuboid(half: Vec3) -> Result<Self, SolidError> {
        let side = |side: Fx| length(side, MAX_SOLID_EXTENT_UNITS);
        let half = [side(half.x)?, side(half.y)?, side(half.z)?];
        if half == [0; 3] {
            return Err(SolidError::Empty);
        }
        Ok(Self { form: Form::Round { half: half.map(|half| half.max(1)), radius: 0 } })
    }

    /// A ball.
    ///
    /// # Errors
    /// If its radius is zero, negative or over 64 m.
    pub fn ball(radius: Fx) -> Result<Self, SolidError> {
        Self::capsule(radius, radius)
    }

    /// An upright capsule. `half_height` is with the caps; under the radius, it is a ball.
    ///
    /// # Errors
    /// If its radius is zero, negative or over 64 m, or its half height is negative or over 1,024 m.
    pub fn capsule(radius: Fx, half_height: Fx) -> Result<Self, SolidError> {
        let (radius, half_height) = (length(radius, MAX_SOLID_RADIUS_UNITS)?, length(half_height, MAX_SOLID_EXTENT_UNITS)?);
        if radius == 0 {
            return Err(SolidError::Empty);
        }
        Ok(Self { form: Form::Round { half: [0, (half_height - radius).max(0), 0], radius } })
    }

    /// Everything behind a plane through the place of the collider. `normal` points out of it.
    ///
    /// # Errors
    /// If the normal is zero.
    pub fn half_space(normal: Vec3) -> Result<Self, SolidError> {
        let normal = normal.normalise().ok_or(SolidError::NoNormal)?;
        Ok(Self { form: Form::HalfSpace { normal } })
    }

    /// Half of the box around it, in units, if it ends.
    #[must_use]
    pub fn half_extents_units(&self) -> Option<[i32; 3]> {
        match self.form {
            Form::Round { half, radius } => Some(half.map(|half| half + radius)),
            Form::HalfSpace { .. } => None,
        }
    }

    /// The normal of a half space.
    #[must_use]
    pub const fn plane_normal(&self) -> Option<Vec3> {
        match self.form {
            Form::Round { .. } => None,
            Form::HalfSpace { normal } => Some(normal),
        }
    }

    /// When a ball touches the solid at `place`, if before `end` 2^-30ths of its way or at it, and the
    /// normal there. Places beyond the world count as at its edge, and so do radii beyond their limits.
    pub(super) fn touch(&self, place: Point, from: Point, to: Point, radius_units: i32, end: Toi) -> Option<(Toi, Vec3)> {
        let inside_world = |point: Point| point.to_array().map(|part| i64::from(part.clamp(-MAX_COORDINATE, MAX_COORDINATE)));
        let (place, from, to) = (inside_world(place), inside_world(from), inside_world(to));
        let way = Way { m: [0, 1, 2].map(|axis| from[axis] - place[axis]), d: [0, 1, 2].map(|axis| to[axis] - from[axis]) };
        let reach = i64::from(radius_units.clamp(0, MAX_QUERY_RADIUS_UNITS));
        let end = i64::from(end.bits()).min(STEPS);
        match self.form {
            Form::Round { half, radius } => {
                let round = Round { half: half.map(i64::from), radius: i64::from(radius) + reach };
                let n = round.first(&way, end)?;
                Some((Toi(n as u32), round.normal(way.at(n))))
            }
            Form::HalfSpace { normal } => {
                let n = first_below(&way, normal, reach, end)?;
                Some((Toi(n as u32), normal))
            }
        }
    }
}

/// The middle of the ball as seen from the place of the solid. All parts are under 2^31.
struct Way {
    m: [i64; 3],
    d: [i64; 3],
}

impl Way {
    /// Where it is after `n` steps, in 2^-30ths of a unit: under 2^63.
    fn at(&self, n: i64) -> [i64; 3] {
        [0, 1, 2].map(|axis| self.m[axis] * STEPS + self.d[axis] * n)
    }
}

/// A box with everything within a radius of it.
struct Round {
    half: [i64; 3],
    radius: i64,
}

impl Round {
    /// From the nearest point of the box to `p`.
    fn beyond(&self, p: [i64; 3]) -> [i64; 3] {
        [0, 1, 2].map(|axis| p[axis] - p[axis].clamp(-self.half[axis] * STEPS, self.half[axis] * STEPS))
    }

    /// The square of the distance of `p` from the box: three times under 2^126.
    fn distance_squared(&self, p: [i64; 3]) -> u128 {
        self.beyond(p).iter().map(|&part| u128::from(part.unsigned_abs()) * u128::from(part.unsigned_abs())).sum()
    }

    /// The smallest step up to `end` at which the point is within the radius of the box.
    fn first(&self, way: &Way, end: i64) -> Option<i64> {
        let limit = (self.radius * STEPS) as u128;
        let limit = limit * limit;
        let distance = |n: i64| self.distance_squared(way.at(n));
        let (mut low, mut high) = self.within_box(way, end)?;
        if distance(low) <= limit {
            return Some(low);
        }
        // The touch, if there is one, is after `low` and up to `high`.
        let mut inside = None;
        while low < high {
            let middle = low + (high - low + 1) / 2;
            let here = distance(middle);
            if here <= limit {
                inside = Some(middle);
                break;
            }
            // A convex function falls only before its least value.
            if middle < end && distance(middle + 1) < here { low = middle } else { high = middle - 1 }
        }
        let mut inside = inside?;
        while inside - low > 1 {
            let middle = low + (inside - low) / 2;
            if distance(middle) <= limit { inside = middle } else { low = middle }
        }
        Some(inside)
    }

    /// The steps at which the point is within the box that is larger by the radius.
    fn within_box(&self, way: &Way, end: i64) -> Option<(i64, i64)> {
        let (mut low, mut high) = (0, end);
        for axis in 0..3 {
            let (m, d, reach) = (way.m[axis] * STEPS, way.d[axis], (self.half[axis] + self.radius) * STEPS);
            if d == 0 {
                if m.abs() > reach {
                    return None;
                }
                continue;
            }
            // -reach <= m + d n <= reach
            let (near, far) = if d > 0 { (-reach - m, reach - m) } else { (m - reach, m + reach) };
            let d = d.abs();
            low = low.max(near.div_euclid(d) + i64::from(near.rem_euclid(d) != 0));
            high = high.min(far.div_euclid(d));
        }
        (low <= high).then_some((low, high))
    }

    fn normal(&self, p: [i64; 3]) -> Vec3 {
        let out = self.beyond(p);
        if let Some(normal) = Vec3::new(Fx::from_bits(out[0]), Fx::from_bits(out[1]), Fx::from_bits(out[2])).normalise() {
            return normal;
        }
        let depth = |axis: usize| self.half[axis] * STEPS - p[axis].abs();
        let shallowest = [1, 0, 2].into_iter().min_by_key(|&axis| depth(axis)).unwrap_or(1);
        let side = if p[shallowest] < 0 { -Fx::ONE } else { Fx::ONE };
        match shallowest {
            0 => Vec3::X * side,
            1 => Vec3::Y * side,
            _ => Vec3::Z * side,
        }
    }
}

/// The smallest step up to `end` at which the point is within `reach` of what is below the plane.
fn first_below(way: &Way, normal: Vec3, reach: i64, end: i64) -> Option<i64> {
    let normal = [normal.x, normal.y, normal.z].map(Fx::to_bits);
    let length_squared: u128 = normal.iter().map(|&part| (part * part) as u128).sum();
    let limit = (reach * STEPS) as u128;
    // The normal's length is near 2^16, so this is under 2^126.
    let limit = limit * limit * length_squared;
    let inside = |n: i64| {
        let p = way.at(n);
        let height: i128 = (0..3).map(|axis| i128::from(p[axis]) * i128::from(normal[axis])).sum();
        height <= 0 || height < 1 << 63 && height.unsigned_abs() * height.unsigned_abs() <= limit
    };
    if inside(0) {
        return Some(0);
    }
    if !inside(end) {
        return None;
    }
    let (mut low, mut high) = (0, end);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if inside(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Rng;

    fn point(rng: &mut Rng, range: u32) -> Point {
        let mut part = || rng.below(2 * range + 1) as i32 - range as i32;
        Point { x: part(), y: part(), z: part() }
    }

    fn solid(rng: &mut Rng) -> Solid {
        let mut cm = |range: u32| Fx::from_int(1 + rng.below(range) as i32);
        match cm(5).round() {
            1 => Solid::ball(cm(80)),
            2 => Solid::capsule(cm(50), cm(200)),
            3 => Solid::half_space(Vec3::new(cm(100) - cm(100), cm(50), cm(100) - cm(100))),
            _ => Solid::cuboid(Vec3::new(cm(200), cm(200), cm(9))),
        }
        .unwrap()
    }

    /// The distance in the plainest way: big numbers, no early exits.
    fn touches(solid: &Solid, place: Point, from: Point, to: Point, radius: i32, n: i64) -> bool {
        let at = |axis: usize| {
            let part = |point: Point| i128::from(point.to_array()[axis]);
            (part(from) - part(place)) * i128::from(STEPS) + (part(to) - part(from)) * i128::from(n)
        };
        match solid.form {
            Form::Round { half, radius: own } => {
                let beyond = |axis: usize| (at(axis).abs() - i128::from(half[axis]) * i128::from(STEPS)).max(0);
                let reach = i128::from(own + radius) * i128::from(STEPS);
                beyond(0).pow(2) + beyond(1).pow(2) + beyond(2).pow(2) <= reach.pow(2)
            }
            Form::HalfSpace { normal } => {
                let [x, y, z] = [normal.x, normal.y, normal.z].map(|part| i128::from(part.to_bits()));
                let height = at(0) * x + at(1) * y + at(2) * z;
                // Steps of a 2^20th of a unit decide as well; the exact one is compared at both sides.
                let reach = i128::from(radius) * i128::from(STEPS);
                height <= 0 || (height >> 20).pow(2) <= ((reach >> 20).pow(2) * (x * x + y * y + z * z))
            }
        }
    }

    #[test]
    fn the_first_touch_is_the_smallest_step_and_a_miss_is_a_miss() {
        let mut rng = Rng::new(8, 1);
        let (mut hits, mut misses) = (0, 0);
        for case in 0..20_000 {
            let solid = solid(&mut rng);
            let range = [2_000, 60_000, 1 << 22][rng.below(3) as usize];
            let (place, from, to, radius) =
                (point(&mut rng, 20_000), point(&mut rng, range), point(&mut rng, range), rng.below(4_000) as i32);
            let inside = |n: i64| touches(&solid, place, from, to, radius, n);
            match solid.touch(place, from, to, radius, Toi::END) {
                Some((at, normal)) => {
                    let n = i64::from(at.bits());
                    hits += 1;
                    if solid.plane_normal().is_none() {
                        assert!(inside(n) && (n == 0 || !inside(n - 1)), "case {case}: {solid:?} at {n}");
                    } else {
                        assert!(inside(n + 1) && (n < 64 || !inside(n - 64)), "case {case}: {solid:?} at {n}");
                    }
                    assert!((normal.length() - Fx::ONE).abs().to_bits() <= 2, "case {case}");
                }
                None => {
                    misses += 1;
                    let sampled = (0..=256).map(|part| part * (STEPS / 256)).chain((0..40).map(|_| i64::from(rng.next_u32() >> 2)));
                    for n in sampled {
                        assert!(!inside(n), "case {case}: {solid:?} passed at {n}");
                    }
                }
            }
        }
        assert!(hits > 3_000 && misses > 3_000, "{hits} hits, {misses} misses");
    }

    fn cm(x: i32, y: i32, z: i32) -> Point {
        Point::of(Vec3::from_ints(x, y, z)).unwrap()
    }

    #[test]
    fn faces_edges_and_corners_have_their_own_normals() {
        let cube = Solid::cuboid(Vec3::from_ints(100, 100, 100)).unwrap();
        let normal = |from: Point, to: Point| cube.touch(Point::ORIGIN, from, to, 16_384, Toi::END).map(|(_, normal)| normal);
        assert_eq!(normal(cm(0, 500, 30), cm(0, 0, 30)), Some(Vec3::Y));
        assert_eq!(normal(cm(-500, 7, 30), cm(0, 7, 30)), Some(-Vec3::X));
        let edge = normal(cm(500, 500, 0), cm(0, 0, 0)).unwrap();
        assert!(edge.x == edge.y && edge.z == Fx::ZERO, "{edge:?}");
        let corner = normal(cm(500, 500, -500), cm(0, 0, 0)).unwrap();
        assert!(corner.x == corner.y && corner.z == -corner.x, "{corner:?}");
    }

    #[test]
    fn who_begins_inside_is_there_at_once_and_leaves_by_the_shortest_way() {
        let slab = Solid::cuboid(Vec3::from_ints(100, 20, 100)).unwrap();
        let touch = |from: Point| slab.touch(Point::ORIGIN, from, cm(900, 0, 0), 100, Toi::END);
        assert_eq!(touch(cm(0, -5, 0)), Some((Toi::START, -Vec3::Y)));
        assert_eq!(touch(cm(95, 5, 0)), Some((Toi::START, Vec3::X)));
        let ball = Solid::ball(Fx::from_int(30)).unwrap();
        assert_eq!(ball.touch(Point::ORIGIN, Point::ORIGIN, cm(100, 0, 0), 0, Toi::END), Some((Toi::START, Vec3::Y)));
        assert_eq!(ball.touch(Point::ORIGIN, cm(0, 0, 9), cm(100, 0, 0), 0, Toi::END), Some((Toi::START, Vec3::Z)));
    }

    #[test]
    fn the_ends_of_the_world_do_not_overflow() {
        let far = Point { x: i32::MAX, y: i32::MIN, z: i32::MAX };
        let near = Point { x: i32::MIN, y: i32::MAX, z: i32::MIN };
        for solid in [
            Solid::cuboid(Vec3::from_ints(100_000, 100_000, 100_000)).unwrap(),
            Solid::ball(Fx::from_int(6_000)).unwrap(),
            Solid::half_space(Vec3::from_ints(1, 2, 3)).unwrap(),
        ] {
            for place in [far, near, Point::ORIGIN] {
                let _ = solid.touch(place, far, near, i32::MAX, Toi::END);
                let _ = solid.touch(place, near, far, i32::MIN, Toi::END);
            }
        }
        assert!(Solid::ball(Fx::from_int(7_000)).is_err() && Solid::ball(Fx::MAX).is_err());
    }
}
