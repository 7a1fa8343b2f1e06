//! Boxes in the world, from boxes in the data.

use crate::data::{BoxData, ByPosture, CharacterData, MoveData};
use crate::fighter::{Act, Fighter};
use snapback_core::Fx;

/// A rectangle in the world.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) left: Fx,
    pub(super) right: Fx,
    pub(super) bottom: Fx,
    pub(super) top: Fx,
}

impl Area {
    fn of(fighter: &Fighter, data: &BoxData) -> Self {
        let (back, front) = (fighter.x() + fighter.forward(data.back), fighter.x() + fighter.forward(data.front));
        Self { left: back.min(front), right: back.max(front), bottom: fighter.y() + data.bottom, top: fighter.y() + data.top }
    }

    /// Areas that only touch do not overlap.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right && self.bottom < other.top && other.bottom < self.top
    }
}

fn by_posture<'a, T>(fighter: &Fighter, choices: &'a ByPosture<T>) -> &'a T {
    if fighter.is_airborne() {
        &choices.air
    } else if fighter.action.crouching != 0 {
        &choices.crouching
    } else {
        &choices.standing
    }
}

/// The move that is being carried out.
pub(super) fn current_move<'a>(character: &'a CharacterData, fighter: &Fighter) -> Option<&'a MoveData> {
    if fighter.act() != Act::Attack {
        return None;
    }
    character.moves.get(usize::from(fighter.action.move_index))
}

/// Where the fighter leaves no room for another; `None` once it is out.
pub(super) fn push_area(character: &CharacterData, fighter: &Fighter) -> Option<Area> {
    fighter.is_alive().then(|| Area::of(fighter, by_posture(fighter, &character.push_box)))
}

/// Whether the move that `attacker` carries out touches a place where `defender` can be hit.
pub(super) fn is_touching(own: &MoveData, attacker: &Fighter, character: &CharacterData, defender: &Fighter) -> bool {
    // A limb that is out can be hit too, from the first frame in which it hits.
    let limb = current_move(character, defender).filter(|m| defender.action.elapsed_frames >= m.startup_frames);
    let limb = limb.map_or(&[][..], |m| &m.hurt_boxes);
    let body = by_posture(defender, &character.hurt_boxes);
    own.hit_boxes.iter().map(|b| Area::of(attacker, b)).any(|hit| body.iter().chain(limb).any(|b| hit.overlaps(&Area::of(defender, b))))
}
