//! Fighters do not stand in each other.

use super::BySeat;
use super::boxes::{self, Area};
use crate::data::WorldData;
use crate::fighter::{Fighter, X};
use crate::{MAX_FIGHTERS, team_of};
use snapback_core::Fx;

/// Two fighters are apart after one pass. Heaps of three and four come apart over a few frames.
const PASSES: usize = 2;

/// Moves overlapping fighters apart, all against the positions before the pass.
pub(super) fn separate(data: &WorldData, fighters: &mut [Fighter]) {
    for _ in 0..PASSES {
        let shifts = shifts(data, fighters);
        for (fighter, shift) in fighters.iter_mut().zip(shifts) {
            let half_width = data.stage.half_width;
            fighter.motion.position[X] = (fighter.x() + shift).clamp_to(-half_width, half_width);
        }
    }
}

fn shifts(data: &WorldData, fighters: &[Fighter]) -> BySeat<Fx> {
    let mut shifts = [Fx::ZERO; MAX_FIGHTERS];
    let area = |f: &Fighter| {
        data.character(f.character)
            .and_then(|c| boxes::push_area(c, f))
    };
    for (seat, one) in fighters.iter().enumerate() {
        for (other_seat, other) in fighters.iter().enumerate().skip(seat + 1) {
            let (Some(one_area), Some(other_area)) = (area(one), area(other)) else {
                continue;
            };
            if !one_area.overlaps(&other_area) {
                continue;
            }
            let one_is_left = if one.x() == other.x() {
                stays_left(seat, other_seat)
            } else {
                one.x() < other.x()
            };
            let half_width = data.stage.half_width;
            if one_is_left {
                let (left, right) = apart(
                    &one_area,
                    &other_area,
                    one.x() + half_width,
                    half_width - other.x(),
                );
                shifts[seat] -= left;
                shifts[other_seat] += right;
            } else {
                let (left, right) = apart(
                    &other_area,
                    &one_area,
                    other.x() + half_width,
                    half_width - one.x(),
                );
                shifts[other_seat] -= left;
                shifts[seat] += right;
            }
        }
    }
    shifts
}

/// How far the left and the right fighter move: half each, and all of it where a wall stops the
/// other.
fn apart(left: &Area, right: &Area, left_room: Fx, right_room: Fx) -> (Fx, Fx) {
    let half = (left.right - right.left) / Fx::from_int(2);
    let (left_step, right_step) = (half.min(left_room), half.min(right_room));
    (
        left_step + (half - right_step),
        right_step + (half - left_step),
    )
}

/// Who goes left of two fighters in the very same place. Teams keep to their own side of the
/// stage, and so do the members of a team by distance: this is its own mirror image.
fn stays_left(seat: usize, other_seat: usize) -> bool {
    let side = |s: usize| {
        if team_of(s) == 0 {
            -1 - (s as i32)
        } else {
            s as i32
        }
    };
    side(seat) < side(other_seat)
}
