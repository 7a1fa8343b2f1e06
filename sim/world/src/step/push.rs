//! Fighters do not stand in each other.

use super::BySeat;
use super::boxes;
use crate::MAX_FIGHTERS;
use crate::data::WorldData;
use crate::fighter::{Fighter, X};
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
    for seat in 0..fighters.len() {
        for other_seat in seat + 1..fighters.len() {
            let is_left = is_left_of(fighters, seat, other_seat);
            let (left, right) = if is_left { (seat, other_seat) } else { (other_seat, seat) };
            if let Some((left_shift, right_shift)) = apart(data, &fighters[left], &fighters[right]) {
                shifts[left] -= left_shift;
                shifts[right] += right_shift;
            }
        }
    }
    shifts
}

/// Of two fighters in the very same place, each goes to its team's side of the stage, and of one
/// side the one further back in the order of teams and places goes further out: this rule is its
/// own mirror image.
fn is_left_of(fighters: &[Fighter], seat: usize, other_seat: usize) -> bool {
    let (own, other) = (&fighters[seat], &fighters[other_seat]);
    own.x() < other.x() || own.x() == other.x() && side(own) < side(other)
}

fn side(fighter: &Fighter) -> i32 {
    let who = &fighter.identity;
    let out = 1 + i32::from(who.place) * 2 + i32::from(who.team / 2);
    if who.team.is_multiple_of(2) { -out } else { out }
}

/// How far the left and the right fighter move: half each, and all of it where a wall stops the
/// other.
fn apart(data: &WorldData, left: &Fighter, right: &Fighter) -> Option<(Fx, Fx)> {
    let left_area = boxes::push_area(data.character(left.identity.character)?, left)?;
    let right_area = boxes::push_area(data.character(right.identity.character)?, right)?;
    if !left_area.overlaps(&right_area) {
        return None;
    }
    let half = (left_area.right - right_area.left) / Fx::from_int(2);
    let left_step = half.min(left.x() + data.stage.half_width);
    let right_step = half.min(data.stage.half_width - right.x());
    Some((left_step + (half - right_step), right_step + (half - left_step)))
}
