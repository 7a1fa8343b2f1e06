//! [`QueryBounds`]: where a query goes, so that only what is near becomes a candidate.

use crate::query::{MAX_LENGTH_UNITS, MAX_QUERY_RADIUS_UNITS};
use crate::{Near, Point, QueryError, Rejection, Sweep};

/// Where a query goes: a segment with a radius, a circle in the plane of x and z, or both. There are
/// none for the whole world.
///
/// ```
/// use snapback_core::{Fx, Vec3};
/// use snapback_rewind::{Near, Point, QueryBounds};
/// let at = |x, z| Point::of(Vec3::from_ints(x, 0, z)).unwrap();
/// let shot = QueryBounds::segment(at(0, 0), at(500, 0), 160)?;
/// let here = QueryBounds::circle(Near { centre: at(0, 0), radius: Fx::from_int(300) });
/// let both = shot.and_circle(Near { centre: at(0, 0), radius: Fx::from_int(300) });
/// assert!(shot.near().is_none() && here.near().is_some() && both.near() == here.near());
/// # Ok::<(), snapback_rewind::QueryError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryBounds {
    segment: Option<Segment>,
    near: Option<Near>,
}

/// The way of a ball: not longer and not wider than a query can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    from: Point,
    to: Point,
    radius_units: i32,
}

impl Segment {
    /// A ball that goes from one point to another.
    ///
    /// # Errors
    /// If the way is longer than a query may be, or the radius is negative or over 4 m.
    pub fn new(from: Point, to: Point, radius_units: i32) -> Result<Self, QueryError> {
        let way = [0, 1, 2].map(|axis| i64::from(to.to_array()[axis]) - i64::from(from.to_array()[axis]));
        if dot(way, way) > i128::from(MAX_LENGTH_UNITS) * i128::from(MAX_LENGTH_UNITS) {
            return Err(QueryError::TooLong);
        }
        if !(0..=MAX_QUERY_RADIUS_UNITS).contains(&radius_units) {
            return Err(QueryError::BadRadius { radius_units });
        }
        Ok(Self { from, to, radius_units })
    }

    /// Where it begins.
    #[must_use]
    pub const fn from(&self) -> Point {
        self.from
    }

    /// Where it ends.
    #[must_use]
    pub const fn to(&self) -> Point {
        self.to
    }

    /// The radius of the ball, 0 to [`MAX_QUERY_RADIUS_UNITS`].
    #[must_use]
    pub const fn radius_units(&self) -> i32 {
        self.radius_units
    }

    /// Whether the ball on its way comes as near to `centre` as `reach_units` beyond its own radius.
    /// Exact.
    fn meets(&self, centre: [i32; 3], reach_units: i64) -> bool {
        let reach = i64::from(self.radius_units) + reach_units;
        let apart = |to: Point| {
            let to = to.to_array();
            [0, 1, 2].map(|axis| i64::from(centre[axis]) - i64::from(to[axis]))
        };
        let (start, end) = (apart(self.from), apart(self.to));
        // Outside of the box around the way. Inside, nothing below is over 2^101.
        if (0..3).any(|axis| start[axis].min(end[axis]) > reach || start[axis].max(end[axis]) < -reach) {
            return false;
        }
        let way = [0, 1, 2].map(|axis| start[axis] - end[axis]);
        let (along, whole) = (dot(start, way), dot(way, way));
        let limit = i128::from(reach) * i128::from(reach);
        if along <= 0 {
            dot(start, start) <= limit
        } else if along >= whole {
            dot(end, end) <= limit
        } else {
            dot(start, start) * whole - along * along <= limit * whole
        }
    }
}

fn dot(a: [i64; 3], b: [i64; 3]) -> i128 {
    a.iter().zip(b).map(|(a, b)| i128::from(*a) * i128::from(b)).sum()
}

impl QueryBounds {
    /// Along a segment.
    #[must_use]
    pub const fn along(segment: Segment) -> Self {
        Self { segment: Some(segment), near: None }
    }

    /// Along the way of a ball from one point to another.
    ///
    /// # Errors
    /// As [`Segment::new`].
    pub fn segment(from: Point, to: Point, radius_units: i32) -> Result<Self, QueryError> {
        Segment::new(from, to, radius_units).map(Self::along)
    }

    /// The way of a sweep.
    ///
    /// # Errors
    /// As [`segment`](Self::segment).
    pub fn of_sweep(sweep: &Sweep) -> Result<Self, QueryError> {
        Self::segment(sweep.from, sweep.to, sweep.radius_units)
    }

    /// Everything near a place, whatever its height.
    #[must_use]
    pub const fn circle(near: Near) -> Self {
        Self { segment: None, near: Some(near) }
    }

    /// These, and inside of the circle.
    #[must_use]
    pub const fn and_circle(self, near: Near) -> Self {
        Self { segment: self.segment, near: Some(near) }
    }

    /// The way, if there is one.
    #[must_use]
    pub const fn way(&self) -> Option<&Segment> {
        self.segment.as_ref()
    }

    /// The circle, if there is one.
    #[must_use]
    pub const fn near(&self) -> Option<&Near> {
        self.near.as_ref()
    }

    /// Whether something at `centre` may be met. The circle is asked with the broadphase radius, the way
    /// with the ball that surely holds the shape.
    pub(crate) fn check(&self, centre: [i32; 3], broadphase_units: u32, ball_units: i64) -> Result<(), Rejection> {
        if self.near.is_some_and(|near| !near.meets(centre, broadphase_units)) {
            return Err(Rejection::NotNear);
        }
        match &self.segment {
            Some(segment) if !segment.meets(centre, ball_units) => Err(Rejection::Apart),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(from: [i32; 3], to: [i32; 3], radius_units: i32) -> Segment {
        *QueryBounds::segment(Point::from_array(from), Point::from_array(to), radius_units).unwrap().way().unwrap()
    }

    #[test]
    fn a_way_meets_what_it_touches_and_no_more() {
        let along_x = segment([0, 0, 0], [1_000, 0, 0], 10);
        for (centre, meets) in [
            ([500, 110, 0], true),
            ([500, 111, 0], false),
            ([500, 66, 88], true),
            ([500, 67, 88], false),
            ([-110, 0, 0], true),
            ([-111, 0, 0], false),
            ([-66, 0, 88], true),
            ([-66, 0, 89], false),
            ([1_110, 0, 0], true),
            ([1_111, 0, 0], false),
            ([1_066, -88, 0], true),
            ([1_067, -88, 0], false),
        ] {
            assert_eq!(along_x.meets(centre, 100), meets, "{centre:?}");
        }
        let askew = segment([0, 0, 0], [300, 400, 0], 0);
        // 50 from the line: (-40, 30) is across (3, 4).
        assert!(askew.meets([150 - 40, 200 + 30, 0], 50));
        assert!(!askew.meets([150 - 40, 200 + 30, 0], 49));
        let nowhere = segment([7, 7, 7], [7, 7, 7], 0);
        assert!(nowhere.meets([7, 7, 8], 1) && !nowhere.meets([7, 8, 8], 1));
    }

    #[test]
    fn any_points_are_answered_without_overflow() {
        let corners = [[i32::MIN; 3], [i32::MAX; 3], [i32::MIN, i32::MAX, 0], [0; 3]];
        for from in corners {
            for to in corners {
                let bounds = QueryBounds::segment(Point::from_array(from), Point::from_array(to), MAX_QUERY_RADIUS_UNITS);
                assert_eq!(bounds.is_ok(), from == to);
                for centre in corners {
                    let met = bounds.map(|bounds| bounds.check(centre, u32::MAX, 98_302).is_ok());
                    assert_eq!(met.unwrap_or(centre == from), centre == from);
                }
            }
        }
    }

    #[test]
    fn ways_and_radii_have_limits() {
        let to = |x: i32| QueryBounds::segment(Point::ORIGIN, Point::from_array([x, 0, 0]), 0).err();
        assert_eq!([to(1 << 24), to((1 << 24) + 1), to(-(1 << 24))], [None, Some(QueryError::TooLong), None]);
        let radius = |radius_units| QueryBounds::segment(Point::ORIGIN, Point::ORIGIN, radius_units).err();
        assert_eq!([radius(0), radius(65_535)], [None; 2]);
        for radius_units in [-1, 65_536, i32::MIN] {
            assert_eq!(radius(radius_units), Some(QueryError::BadRadius { radius_units }));
        }
    }
}
