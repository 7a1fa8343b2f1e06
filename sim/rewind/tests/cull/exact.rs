//! Sweeps against boxes, beside a test that walks along the sweep in fractions.

use snapback_core::Rng;
use snapback_rewind::Point;
use snapback_rewind::cull::{Aabb, MAX_SWEEP_UNITS, MAX_VOLUME_UNITS, Sweep, SweepError, Volume};

use crate::cases::cases;
use crate::{at, cube, point};

/// A fraction with a denominator over zero.
type Fraction = (i128, i128);

/// Whether the moving volume touches the box, from what it is at every time: the times at which it passes
/// a face cut the way into pieces, and in a piece the square of the distance is one parabola.
pub(crate) fn reference(sweep: Sweep, target: Aabb) -> bool {
    let (start, end) = (sweep.start().to_array().map(i128::from), sweep.end().to_array().map(i128::from));
    let (grown, radius) = match sweep.volume() {
        Volume::Point => ([0; 3], 0),
        Volume::Ball(radius) => ([0; 3], i128::from(radius)),
        Volume::Box(half_extents) => (half_extents.map(i128::from), 0),
    };
    let (low, high) = (target.min().to_array(), target.max().to_array());
    let low: [i128; 3] = core::array::from_fn(|axis| i128::from(low[axis]) - grown[axis]);
    let high: [i128; 3] = core::array::from_fn(|axis| i128::from(high[axis]) + grown[axis]);
    let way: [i128; 3] = core::array::from_fn(|axis| end[axis] - start[axis]);

    let mut cuts: Vec<Fraction> = vec![(0, 1), (1, 1)];
    for axis in (0..3).filter(|axis| way[*axis] != 0) {
        for face in [low[axis], high[axis]] {
            let sign = way[axis].signum();
            let cut = ((face - start[axis]) * sign, way[axis] * sign);
            if (0..=cut.1).contains(&cut.0) {
                cuts.push(cut);
            }
        }
    }
    cuts.sort_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
    cuts.windows(2).any(|piece| {
        let (from, to) = (piece[0], piece[1]);
        let middle = (from.0 * to.1 + to.0 * from.1, 2 * from.1 * to.1);
        // The square of the distance less that of the radius: a t^2 + b t + c.
        let (mut a, mut b, mut c) = (0, 0, -radius * radius);
        for axis in 0..3 {
            let place = start[axis] * middle.1 + way[axis] * middle.0;
            let (rise, base) = if place < low[axis] * middle.1 {
                (-way[axis], low[axis] - start[axis])
            } else if place > high[axis] * middle.1 {
                (way[axis], start[axis] - high[axis])
            } else {
                continue;
            };
            a += rise * rise;
            b += 2 * rise * base;
            c += base * base;
        }
        let reaches = |(n, m): Fraction| a * n * n + b * n * m + c * m * m <= 0;
        // The lowest point is at -b / 2a.
        let is_inside = a > 0 && -b * from.1 >= 2 * a * from.0 && -b * to.1 <= 2 * a * to.0;
        reaches(from) || reaches(to) || is_inside && 4 * a * c <= b * b
    })
}

fn volume(rng: &mut Rng, reach: u32) -> Volume {
    match rng.below(3) {
        0 => Volume::Point,
        1 => Volume::Ball(rng.below(reach)),
        _ => Volume::Box([rng.below(reach), rng.below(reach), rng.below(reach)]),
    }
}

fn scaled(point: Point, by: i32) -> Point {
    Point::from_array(point.to_array().map(|it| it * by))
}

#[test]
fn touching_is_exact_beside_a_walk_in_fractions() {
    let mut rng = Rng::new(8, 1);
    let (mut touched, mut missed) = (0, 0);
    for case in 0..cases(200_000) {
        // Small numbers meet corners, edges and equalities; greater ones meet what lies between.
        let reach = [6, 20, 1_000][case as usize % 3];
        let target = Aabb::spanning(point(&mut rng, reach), point(&mut rng, reach));
        let (start, end) = (point(&mut rng, 2 * reach), point(&mut rng, 2 * reach));
        let end = if rng.chance(50_000) { start } else { end };
        let sweep = Sweep::new(start, end, volume(&mut rng, reach)).unwrap();
        let expected = reference(sweep, target);
        assert_eq!(sweep.touches(target), expected, "case {case}: {sweep:?} {target:?}");
        *(if expected { &mut touched } else { &mut missed }) += 1;
    }
    assert!(touched.min(missed) * 5 > touched.max(missed), "{touched} touched, {missed} missed: one side is hardly tried");
}

#[test]
fn touching_is_exact_up_to_the_greatest_numbers() {
    // What is true of small numbers is true of all of them times 2^26, where coordinates end.
    const SCALE: i32 = 1 << 26;
    let mut rng = Rng::new(8, 2);
    for case in 0..cases(100_000) {
        let target = Aabb::spanning(point(&mut rng, 31), point(&mut rng, 31));
        let start = point(&mut rng, 29);
        let step = point(&mut rng, 4);
        let end = at(start.x + step.x, start.y + step.y, start.z + step.z);
        let (small, great) = match rng.below(3) {
            0 => (Volume::Point, Volume::Point),
            1 => {
                let radius = rng.below(3);
                (Volume::Ball(radius), Volume::Ball(radius * SCALE as u32))
            }
            _ => {
                let half = [rng.below(3), rng.below(3), rng.below(3)];
                (Volume::Box(half), Volume::Box(half.map(|it| it * SCALE as u32)))
            }
        };
        let end_in_range = |it: Point| it.to_array().iter().all(|it| it.abs() <= 31);
        if !end_in_range(end) {
            continue;
        }
        let expected = reference(Sweep::new(start, end, small).unwrap(), target);
        let target = Aabb::spanning(scaled(target.min(), SCALE), scaled(target.max(), SCALE));
        let sweep = Sweep::new(scaled(start, SCALE), scaled(end, SCALE), great).unwrap();
        assert_eq!(sweep.touches(target), expected, "case {case}: {sweep:?} {target:?}");
    }
}

#[test]
fn nothing_overflows_at_any_corner_of_the_world() {
    let corners = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX];
    let world = Aabb::spanning(at(i32::MIN, i32::MIN, i32::MIN), at(i32::MAX, i32::MAX, i32::MAX));
    let long = MAX_SWEEP_UNITS as i32;
    for x in corners {
        for y in corners {
            let start = at(x, y, x);
            let end = at(x.saturating_add(long), y.saturating_sub(long), x.saturating_sub(long));
            for volume in [Volume::Point, Volume::Ball(MAX_VOLUME_UNITS), Volume::Box([MAX_VOLUME_UNITS; 3])] {
                let sweep = Sweep::new(start, end, volume).unwrap();
                assert!(sweep.touches(world));
                for z in corners {
                    for target in [Aabb::spanning(at(z, y, x), at(x, z, y)), Aabb::around(at(z, z, x), [u32::MAX; 3])] {
                        assert!(sweep.touches(target) || !target.contains(start));
                    }
                }
            }
        }
    }
}

#[test]
fn a_line_that_grazes_a_corner_touches_and_one_unit_beside_it_does_not() {
    let target = cube(0, 10);
    let graze = |off| Sweep::line(at(20 + off, 0, -10), at(off, 20, -10)).unwrap().touches(target);
    assert!(graze(0));
    assert!(!graze(1));
    let rounded = |radius| Sweep::ball(at(13, 14, 10), at(13, 14, 90), radius).unwrap().touches(target);
    assert!(rounded(5));
    assert!(!rounded(4), "a ball is round: its box would have touched");
    assert!(Sweep::new(at(13, 14, 10), at(13, 14, 90), Volume::Box([4; 3])).unwrap().touches(target));
}

#[test]
fn what_is_too_long_or_too_wide_is_refused_with_its_values() {
    let long = at(MAX_SWEEP_UNITS as i32 + 1, 0, 0);
    assert_eq!(Sweep::line(Point::ORIGIN, long), Err(SweepError::TooLong { start: Point::ORIGIN, end: long }));
    let volume = Volume::Ball(MAX_VOLUME_UNITS + 1);
    assert_eq!(Sweep::new(Point::ORIGIN, Point::ORIGIN, volume), Err(SweepError::TooWide { volume }));
    insta::assert_snapshot!(Sweep::line(Point::ORIGIN, long).unwrap_err(), @"the sweep from [0, 0, 0] to [268435457, 0, 0] is over 268435456 units along an axis: cut it into several");
    insta::assert_snapshot!(SweepError::TooWide { volume }, @"the volume Ball(134217729) is over 134217728 units: nothing is culled by one so great");
}

#[test]
fn a_box_inside_out_is_refused_and_boxes_end_where_numbers_do() {
    let error = Aabb::new(at(0, 0, 1), at(0, 0, 0)).unwrap_err();
    insta::assert_snapshot!(error, @"the box from [0, 0, 1] to [0, 0, 0] is inside out: give the least corner first");
    let huge = Aabb::around(at(i32::MAX, i32::MIN, 0), [u32::MAX; 3]);
    assert_eq!((huge.min(), huge.max()), (at(i32::MIN, i32::MIN, i32::MIN), at(i32::MAX, i32::MAX, i32::MAX)));
}
