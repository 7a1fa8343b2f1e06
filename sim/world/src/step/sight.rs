//! Where each fighter's nearest enemy is.

use super::BySeat;
use crate::fighter::Fighter;
use snapback_core::Fx;

/// What a fighter sees of its enemies.
#[derive(Clone, Copy, Default)]
pub(super) struct Sight {
    /// The side of the nearest one: -1, 1, or 0 if there is none, or two are equally near on both
    /// sides, or one stands in the same place.
    pub(super) towards: i8,
    /// How deep the nearest one stands; `None` if there is none.
    pub(super) depth: Option<Fx>,
}

/// For each seat, the nearest enemy that still fights.
pub(super) fn of_all(fighters: &[Fighter]) -> BySeat<Sight> {
    let mut sights = [Sight::default(); crate::MAX_FIGHTERS];
    for (own, sight) in fighters.iter().zip(&mut sights) {
        let mut nearest = None;
        for other in fighters {
            if own.team() == other.team() || !other.is_alive() {
                continue;
            }
            let offset = other.x() - own.x();
            let direction = offset.signum() as i8;
            let key = nearness(own, other);
            let Some(before) = nearest else {
                nearest = Some(key);
                *sight = Sight { towards: direction, depth: Some(other.z()) };
                continue;
            };
            if key.0 < before.0 {
                sight.towards = direction;
            } else if key.0 == before.0 && direction != sight.towards {
                sight.towards = 0;
            }
            if key < before {
                nearest = Some(key);
                sight.depth = Some(other.z());
            }
        }
    }
    sights
}

/// How near an enemy is. Equal distances are told apart by team and place, never by seat, so that
/// the order is that of the mirrored match.
pub(super) fn nearness(own: &Fighter, other: &Fighter) -> (Fx, Fx, u8, u8, u8) {
    let (along, deep) = ((other.x() - own.x()).abs(), (other.z() - own.z()).abs());
    let team = other.team();
    (along, deep, (team ^ own.team()) & 1 ^ 1, team / 2, other.identity.place)
}
