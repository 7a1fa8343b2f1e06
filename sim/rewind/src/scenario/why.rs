//! Why a shot hit or missed, hitbox by hitbox: the nearest that the two came, and what stood against it.
//! Explains; nothing is decided here.

use super::outcome::{Considered, Nearest, Why};
use crate::{HitboxFrame, HitboxId, LookupError, Point, QueryFilter, RewindCounters, RewindHistory, units};

/// A straight piece of a shot's way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Leg {
    pub(super) from: Point,
    pub(super) to: Point,
    /// The shot's time at both ends.
    pub(super) from_us: u64,
    pub(super) to_us: u64,
    /// The targets' time at both ends.
    pub(super) target_from_us: u64,
    pub(super) target_to_us: u64,
}

/// A shot's way, and whom it may meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<'a> {
    pub(super) legs: &'a [Leg],
    /// Where it would have gone on, had nothing stopped it.
    pub(super) beyond: &'a [Leg],
    /// Whether a hitbox stopped it.
    pub(super) at_hitbox: bool,
    pub(super) radius_units: i32,
    pub(super) filter: &'a QueryFilter,
}

/// Steps of a leg: fine enough that the nearest of them is the nearest, to the unit.
const STEPS: i64 = 1 << 24;

/// A hitbox, and where it and the shot are nearest.
#[derive(Clone, Copy, Debug)]
enum Found {
    Near { nearest: Nearest, met_ball: bool },
    Rejected(Why),
}

impl Way<'_> {
    /// What became of the hitbox `id`, the one at place `hitbox` of the file.
    pub(super) fn consider(&self, history: &RewindHistory, id: HitboxId, hitbox: usize, is_hit: bool) -> Considered {
        let nearest = |legs: &[Leg]| nearest_of(history, id, legs, self.radius_units, self.filter);
        let (why, nearest) = match nearest(self.legs) {
            Found::Rejected(why) => (why, None),
            Found::Near { nearest: near, met_ball } => match nearest(self.beyond) {
                _ if is_hit => (Why::Hit, Some(near)),
                Found::Near { nearest: later, .. } if later.gap_units <= 0 => {
                    (if self.at_hitbox { Why::BehindAnother } else { Why::BehindObstacle }, Some(later))
                }
                _ if met_ball => (Why::Passed, Some(near)),
                _ => (Why::Apart, Some(near)),
            },
        };
        let why = if is_hit { Why::Hit } else { why };
        Considered { hitbox, why, nearest }
    }
}

fn nearest_of(history: &RewindHistory, id: HitboxId, legs: &[Leg], radius_units: i32, filter: &QueryFilter) -> Found {
    let mut found = Found::Rejected(Why::Unknown);
    for leg in legs {
        let (from, to) = match (look_up(history, id, leg.target_from_us), look_up(history, id, leg.target_to_us)) {
            (Ok(from), Ok(to)) => (from, to),
            (Ok(frame), Err(_)) | (Err(_), Ok(frame)) => (frame, frame),
            (Err(reason), Err(_)) => {
                if matches!(found, Found::Rejected(_)) {
                    found = Found::Rejected(Why::of_lookup(reason));
                }
                continue;
            }
        };
        if let Err(reason) = filter.check_frame(&from) {
            if matches!(found, Found::Rejected(_)) {
                found = Found::Rejected(Why::of_rejection(reason));
            }
            continue;
        }
        let (nearest, met) = nearest_on(leg, &from, &to, radius_units);
        found = match found {
            Found::Near { nearest: before, met_ball } => {
                let nearest = if nearest.gap_units < before.gap_units { nearest } else { before };
                Found::Near { nearest, met_ball: met_ball || met }
            }
            Found::Rejected(_) => Found::Near { nearest, met_ball: met },
        };
    }
    found
}

fn look_up(history: &RewindHistory, id: HitboxId, time_us: u64) -> Result<HitboxFrame, LookupError> {
    history.frame_at(id, time_us, &mut RewindCounters::default())
}

/// `from + (to - from) * step / STEPS`
fn along(from: i64, to: i64, step: i64) -> i64 {
    from + ((to - from) * step).div_euclid(STEPS)
}

/// Along a leg the distance falls, then rises: thirds find its least.
fn nearest_on(leg: &Leg, from: &HitboxFrame, to: &HitboxFrame, radius_units: i32) -> (Nearest, bool) {
    let jumped = from.epoch != to.epoch;
    let target = |a: i32, b: i32, step: i64| if jumped { i64::from(a) } else { along(a.into(), b.into(), step) };
    let parts = |a: [i32; 3], b: [i32; 3], step: i64| [0, 1, 2].map(|axis| target(a[axis], b[axis], step));
    let at = |step: i64| [0, 1, 2].map(|axis| along(leg.from.to_array()[axis].into(), leg.to.to_array()[axis].into(), step));
    let apart = |step: i64| {
        let (at, centre) = (at(step), parts(from.centre.to_array(), to.centre.to_array(), step));
        [0, 1, 2].map(|axis| at[axis] - centre[axis])
    };
    let to_axis = |step: i64| squared_distance(apart(step), parts(from.half_axis, to.half_axis, step));
    let best = least(to_axis);
    let wide = |frame: &HitboxFrame| i64::from(units::units(frame.radius).unwrap_or(0));
    let gap_units = ceil_root(to_axis(best)) - wide(from).max(wide(to)) - i64::from(radius_units);
    let to_centre = |step: i64| squared_distance(apart(step), [0; 3]);
    let ball = i64::from(units::units(from.broadphase_radius.max(to.broadphase_radius)).unwrap_or(0)) + i64::from(radius_units);
    let met = to_centre(least(to_centre)) <= i128::from(ball) * i128::from(ball);
    let mut frame = if best <= STEPS / 2 || jumped { *from } else { *to };
    let whole = parts(from.centre.to_array(), to.centre.to_array(), best);
    frame.centre = Point::from_array(whole.map(|part| part as i32));
    frame.half_axis = parts(from.half_axis, to.half_axis, best).map(|part| part as i32);
    frame.time_us = along(leg.target_from_us as i64, leg.target_to_us as i64, best) as u64;
    let position = Point::from_array(at(best).map(|part| part as i32));
    let time_us = along(leg.from_us as i64, leg.to_us as i64, best) as u64;
    (Nearest { gap_units, time_us, position, frame }, met)
}

/// The step at which `distance`, which falls and then rises, is least.
fn least(distance: impl Fn(i64) -> i128) -> i64 {
    let (mut low, mut high) = (0, STEPS);
    while high - low > 2 {
        let third = (high - low) / 3;
        if distance(low + third) <= distance(high - third) { high -= third } else { low += third }
    }
    (low..=high).min_by_key(|&step| distance(step)).unwrap_or(low)
}

/// From the point `m` to the segment from `-e` to `e`.
fn squared_distance(m: [i64; 3], e: [i64; 3]) -> i128 {
    let dot = |a: [i64; 3], b: [i64; 3]| (0..3).map(|axis| i128::from(a[axis]) * i128::from(b[axis])).sum::<i128>();
    let (along, whole) = (dot(m, e), dot(e, e));
    let along = along.clamp(-whole, whole);
    let beside = [0, 1, 2].map(|axis| i128::from(m[axis]) - (i128::from(e[axis]) * along).checked_div(whole).unwrap_or(0));
    beside.iter().map(|part| part * part).sum()
}

fn ceil_root(squared: i128) -> i64 {
    let root = squared.unsigned_abs().isqrt();
    (if root * root < squared.unsigned_abs() { root + 1 } else { root }) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_to_an_axis_is_that_to_its_nearest_point() {
        let up = [0, 100, 0];
        for (m, expected) in [([30, 50, 40], 2_500), ([0, 130, 40], 2_500), ([0, -100, 0], 0), ([3, -104, 0], 25)] {
            assert_eq!(squared_distance(m, up), expected, "{m:?}");
        }
        assert_eq!(squared_distance([1, 2, 2], [0; 3]), 9);
    }

    #[test]
    fn thirds_find_the_least_of_what_falls_and_rises() {
        for bottom in [0, 1, 7_000_000, STEPS - 1, STEPS] {
            assert_eq!(least(|step| i128::from((step - bottom).abs())), bottom);
        }
    }
}
