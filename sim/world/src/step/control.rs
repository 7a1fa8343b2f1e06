//! What each fighter does next: acts run out, free fighters obey their players.

use super::attack;
use crate::cues;
use crate::data::CharacterData;
use crate::fighter::{Act, Fighter, X, Y};
use crate::pad::PadInput;
use snapback_core::{EffectId, Effects, Fx};

pub(super) fn decide(character: &CharacterData, fighter: &mut Fighter, pad: PadInput, towards: i8, source: u32, effects: &mut Effects) {
    fighter.action.elapsed_frames = fighter.action.elapsed_frames.saturating_add(1);
    if is_busy(character, fighter, pad, source, effects) {
        return;
    }
    // Only a restored state can have it free in the air.
    if fighter.y() > Fx::ZERO {
        fighter.begin(Act::Air, 0);
        return;
    }
    if towards != 0 {
        fighter.motion.facing = towards;
    }
    obey(character, fighter, pad, source, effects);
}

/// Goes on with an act that the player cannot leave; false once it is over.
fn is_busy(character: &CharacterData, fighter: &mut Fighter, pad: PadInput, source: u32, effects: &mut Effects) -> bool {
    match fighter.act() {
        Act::KnockedOut | Act::Air | Act::Launched => true,
        Act::JumpStart => {
            if fighter.action.elapsed_frames >= character.jump_start_frames {
                take_off(character, fighter, source, effects);
            }
            true
        }
        Act::Attack => {
            let own = character.moves.get(usize::from(fighter.action.move_index));
            own.is_some_and(|m| fighter.action.elapsed_frames < m.total_frames())
        }
        Act::HitStun | Act::BlockStun | Act::Landing | Act::Down => {
            fighter.action.left_frames = fighter.action.left_frames.saturating_sub(1);
            // The guard may change between high and low while it holds.
            if fighter.act() == Act::BlockStun {
                fighter.action.crouching = u8::from(pad.holds(PadInput::DOWN));
            }
            fighter.action.left_frames > 0
        }
        Act::Stand | Act::WalkForward | Act::WalkBack | Act::Crouch | Act::Guard => false,
    }
}

fn obey(character: &CharacterData, fighter: &mut Fighter, pad: PadInput, source: u32, effects: &mut Effects) {
    if attack::begin_waiting(character, fighter, pad, source, effects) {
        return;
    }
    fighter.motion.velocity = [Fx::ZERO; 3];
    fighter.action.crouching = u8::from(pad.holds(PadInput::DOWN));
    let direction = pad.direction();
    if pad.holds(PadInput::UP | PadInput::JUMP) {
        fighter.motion.jump_direction = direction;
        fighter.action.crouching = 0;
        fighter.begin(Act::JumpStart, 0);
    } else if pad.holds(PadInput::DOWN) {
        fighter.keep(Act::Crouch);
    } else if pad.holds(PadInput::GUARD) {
        fighter.keep(Act::Guard);
    } else if direction == 0 {
        fighter.keep(Act::Stand);
    } else if direction == fighter.facing() {
        fighter.keep(Act::WalkForward);
        fighter.motion.velocity[X] = fighter.forward(character.walk_forward);
    } else {
        fighter.keep(Act::WalkBack);
        fighter.motion.velocity[X] = -fighter.forward(character.walk_back);
    }
}

fn take_off(character: &CharacterData, fighter: &mut Fighter, source: u32, effects: &mut Effects) {
    let along = match fighter.motion.jump_direction {
        0 => Fx::ZERO,
        direction if direction == fighter.facing() => fighter.forward(character.jump_forward),
        _ => -fighter.forward(character.jump_back),
    };
    fighter.motion.velocity[X] = along;
    fighter.motion.velocity[Y] = character.jump_up;
    fighter.begin(Act::Air, 0);
    let id = EffectId { source, kind: cues::JUMP, key: 0 };
    effects.emit(id, [super::whole(fighter.x()), super::whole(fighter.y()), 0, 0]);
}
