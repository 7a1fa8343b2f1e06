//! Where each fighter's enemies are.

use super::BySeat;
use crate::fighter::Fighter;
use crate::team_of;
use snapback_core::Fx;

/// For each seat, the side of the nearest enemy that still fights: -1, 1, or 0 if there is none or
/// two are equally near on both sides, or one stands in the same place.
pub(super) fn towards_enemies(fighters: &[Fighter]) -> BySeat<i8> {
    let mut towards = [0; crate::MAX_FIGHTERS];
    for (seat, (own, side)) in fighters.iter().zip(&mut towards).enumerate() {
        let mut nearest = Fx::MAX;
        for (other_seat, other) in fighters.iter().enumerate() {
            if team_of(seat) == team_of(other_seat) || !other.is_alive() {
                continue;
            }
            let offset = other.x() - own.x();
            let direction = offset.signum() as i8;
            if offset.abs() < nearest {
                nearest = offset.abs();
                *side = direction;
            } else if offset.abs() == nearest && direction != *side {
                *side = 0;
            }
        }
    }
    towards
}
