//! Boxes in the world, from boxes in the data.

use crate::data::{BodyBox, ByPosture, Character, Move, MoveBox};
use crate::fighter::{Act, Fighter, Projectile, X, Y, Z};
use snapback_core::Fx;

/// A box in the world.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) left: Fx,
    pub(super) right: Fx,
    pub(super) bottom: Fx,
    pub(super) top: Fx,
    pub(super) near: Fx,
    pub(super) far: Fx,
}

impl Area {
    /// `data` around `position`, turned to `facing`.
    fn at(position: [Fx; 3], facing: i8, data: &BodyBox) -> Self {
        let (back, front) = if facing < 0 { (-data.front, -data.back) } else { (data.back, data.front) };
        Self {
            left: position[X] + back,
            right: position[X] + front,
            bottom: position[Y] + data.bottom,
            top: position[Y] + data.top,
            near: position[Z] - data.depth,
            far: position[Z] + data.depth,
        }
    }

    fn of(fighter: &Fighter, data: &BodyBox) -> Self {
        Self::at(fighter.motion.position, fighter.facing(), data)
    }

    pub(super) fn of_projectile(projectile: &Projectile, data: &BodyBox) -> Self {
        Self::at(projectile.position, projectile.facing, data)
    }

    /// Areas that only touch do not overlap.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.bottom < other.top
            && other.bottom < self.top
            && self.near < other.far
            && other.near < self.far
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
pub(super) fn current_move<'a>(character: &'a Character, fighter: &Fighter) -> Option<&'a Move> {
    if fighter.act() == Act::Attack { character.find(fighter.action.move_name) } else { None }
}

fn in_frame(boxes: &[MoveBox], frame: u16) -> impl Iterator<Item = BodyBox> {
    boxes.iter().filter(move |b| b.frames.has(frame)).map(MoveBox::body)
}

/// Where the fighter leaves no room for another; `None` once it is out.
pub(super) fn push_area(character: &Character, fighter: &Fighter) -> Option<Area> {
    if !fighter.is_alive() {
        return None;
    }
    let frame = fighter.action.elapsed_frames;
    let own = current_move(character, fighter).and_then(|own| in_frame(&own.push_boxes, frame).next());
    Some(Area::of(fighter, &own.unwrap_or_else(|| by_posture(fighter, &character.push_box).clone())))
}

/// Whether `hit` touches a place where `defender` can be hit: its body, or a limb that is out.
pub(super) fn is_in_reach(hit: &Area, character: &Character, defender: &Fighter) -> bool {
    if by_posture(defender, &character.hurt_boxes).iter().any(|b| hit.overlaps(&Area::of(defender, b))) {
        return true;
    }
    let limb = current_move(character, defender);
    limb.is_some_and(|own| in_frame(&own.hurt_boxes, defender.action.elapsed_frames).any(|b| hit.overlaps(&Area::of(defender, &b))))
}

/// Whether the boxes that `attacker` has out touch `defender`.
pub(super) fn is_touching(own: &Move, attacker: &Fighter, character: &Character, defender: &Fighter) -> bool {
    let frame = attacker.action.elapsed_frames;
    in_frame(&own.hit_boxes, frame).any(|b| is_in_reach(&Area::of(attacker, &b), character, defender))
}
