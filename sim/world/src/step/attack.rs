//! Moves: which press begins which.

use crate::data::{CharacterData, MovePosture, RulesData};
use crate::fighter::{Act, Fighter, X};
use crate::pad::PadInput;
use snapback_core::{EffectId, Effects, Fx};

const ATTACK_BUTTONS: u16 = PadInput::LIGHT | PadInput::HEAVY;

/// Takes note of what is held, and keeps fresh presses of attack buttons for a while: a player
/// presses before the fighter is free. Outside the fight no press is kept.
pub(super) fn remember(rules: &RulesData, fighter: &mut Fighter, pad: PadInput, is_fight: bool) {
    let memory = &mut fighter.input;
    let pressed = pad.buttons & !memory.held.buttons & ATTACK_BUTTONS;
    memory.held = pad;
    memory.waiting_frames = memory.waiting_frames.saturating_sub(1);
    if pressed != 0 && is_fight {
        memory.waiting = PadInput::new(pressed);
        memory.waiting_frames = rules.buffer_frames;
    } else if memory.waiting_frames == 0 || !is_fight {
        memory.waiting = PadInput::default();
    }
}

/// Begins the move that waits, if the character has one for it. The heavier button wins.
pub(super) fn begin_waiting(character: &CharacterData, fighter: &mut Fighter, pad: PadInput, source: u32, effects: &mut Effects) -> bool {
    let crouching = pad.holds(PadInput::DOWN);
    let posture = if crouching { MovePosture::Crouching } else { MovePosture::Standing };
    let waiting = fighter.input.waiting;
    let button = if waiting.holds(PadInput::HEAVY) { PadInput::HEAVY } else { waiting.buttons };
    let fits = |p: MovePosture| p == posture || p == MovePosture::Any;
    let found = character.moves.iter().enumerate().find(|(_, m)| m.button == button && fits(m.posture));
    let Some((index, own)) = found else {
        return false;
    };
    fighter.input.waiting = PadInput::default();
    fighter.input.waiting_frames = 0;
    fighter.begin(Act::Attack, 0);
    fighter.action.move_index = u8::try_from(index).unwrap_or(0);
    fighter.action.reached = 0;
    fighter.action.crouching = u8::from(crouching && own.posture == MovePosture::Crouching);
    fighter.motion.velocity[X] = Fx::ZERO;
    let id = EffectId { source, kind: own.cues.swing, key: 0 };
    effects.emit(id, [super::whole(fighter.x()), super::whole(fighter.y()), 0, 0]);
    true
}
