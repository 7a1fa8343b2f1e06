//! What each fighter does next: acts run out, free fighters obey their players.

use super::Turn;
use super::attack::{self, EVERY_MOVE, align};
use crate::cues;
use crate::data::Mechanic;
use crate::fighter::{Act, Attribute, Fighter, Juggle, X, Y, Z, taps};
use crate::pad::PadInput;
use bytemuck::Zeroable;
use snapback_core::{Fx, NameHash};

pub(super) fn decide(turn: &mut Turn<'_>, fighter: &mut Fighter) {
    fighter.action.elapsed_frames = fighter.action.elapsed_frames.saturating_add(1);
    if is_busy(turn, fighter) {
        return;
    }
    // What hits it from now on it could have guarded.
    if fighter.juggle != Juggle::zeroed() {
        fighter.juggle = Juggle::zeroed();
    }
    if fighter.y() > Fx::ZERO {
        fighter.begin(Act::Air, 0);
        return;
    }
    if turn.sight.towards != 0 {
        fighter.motion.facing = turn.sight.towards;
    }
    obey(turn, fighter);
}

/// The pad, as far as it is obeyed: nobody acts outside the fight.
fn obeyed(turn: &Turn<'_>, fighter: &Fighter) -> PadInput {
    if turn.is_fight { fighter.pad.held } else { PadInput::default() }
}

/// Goes on with an act that the player cannot leave; false once it is over.
fn is_busy(turn: &mut Turn<'_>, fighter: &mut Fighter) -> bool {
    match fighter.act() {
        Act::KnockedOut | Act::Launched | Act::Throwing | Act::Thrown => true,
        Act::Air => {
            attack::begin_waiting(turn, fighter, EVERY_MOVE);
            true
        }
        Act::JumpStart => is_starting_to_jump(turn, fighter),
        Act::Attack => attack::carry_on(turn, fighter),
        Act::Dash | Act::Sidestep => is_stepping(turn, fighter),
        Act::HitStun | Act::BlockStun | Act::Landing | Act::Down | Act::WallSplat | Act::Backdash => {
            // The guard may change between high and low while it holds.
            if fighter.act() == Act::BlockStun {
                fighter.action.crouching = u8::from(fighter.pad.held.holds(PadInput::DOWN));
            }
            runs_on(fighter)
        }
        Act::Stand | Act::WalkForward | Act::WalkBack | Act::Crouch | Act::Guard => false,
    }
}

fn runs_on(fighter: &mut Fighter) -> bool {
    fighter.action.left_frames = fighter.action.left_frames.saturating_sub(1);
    if fighter.action.left_frames == 0 && fighter.act() == Act::WallSplat {
        // It slides down and lies there.
        fighter.begin(Act::Launched, 0);
        return true;
    }
    fighter.action.left_frames > 0
}

/// A dash or a sidestep ends by itself, or after a moment in a move.
fn is_stepping(turn: &mut Turn<'_>, fighter: &mut Fighter) -> bool {
    let may_attack = fighter.action.elapsed_frames >= turn.data.rules.step_lock_frames;
    (may_attack && attack::begin_waiting(turn, fighter, EVERY_MOVE)) || runs_on(fighter)
}

fn is_starting_to_jump(turn: &mut Turn<'_>, fighter: &mut Fighter) -> bool {
    let is_called_off = fighter.motion.jump_by_up != 0 && !fighter.pad.held.holds(PadInput::UP);
    if is_called_off {
        return false;
    }
    if fighter.action.elapsed_frames >= turn.character.jump_start_frames {
        take_off(turn, fighter);
    }
    true
}

fn obey(turn: &mut Turn<'_>, fighter: &mut Fighter) {
    fighter.motion.velocity = [Fx::ZERO; 3];
    if attack::begin_waiting(turn, fighter, EVERY_MOVE) {
        return;
    }
    let pad = obeyed(turn, fighter);
    if fighter.stance.name != NameHash::NONE && holds_stance(turn, fighter, pad) {
        return;
    }
    let crouching = pad.holds(PadInput::DOWN);
    fighter.action.crouching = u8::from(crouching);
    if turn.is_fight && steps(turn, fighter, pad) {
        return;
    }
    let direction = pad.direction();
    if pad.holds(PadInput::JUMP | PadInput::UP) && !pad.holds(PadInput::GUARD) {
        fighter.motion.jump_direction = direction;
        fighter.motion.jump_by_up = u8::from(!pad.holds(PadInput::JUMP));
        fighter.action.crouching = 0;
        fighter.begin(Act::JumpStart, 0);
    } else if crouching {
        fighter.keep(Act::Crouch);
    } else if pad.holds(PadInput::GUARD) {
        fighter.keep(Act::Guard);
    } else if direction == 0 {
        fighter.keep(Act::Stand);
    } else {
        walk(turn, fighter, direction);
    }
}

/// Stands ready for the moves of the stance; guard leaves it.
fn holds_stance(turn: &Turn<'_>, fighter: &mut Fighter, pad: PadInput) -> bool {
    let stance = turn.character.stance(fighter.stance.name);
    let Some(stance) = stance.filter(|_| !pad.holds(PadInput::GUARD | PadInput::JUMP)) else {
        fighter.stance.name = NameHash::NONE;
        fighter.stance.left_frames = 0;
        return false;
    };
    fighter.action.crouching = u8::from(stance.crouching);
    fighter.keep(Act::Stand);
    fighter.motion.velocity[X] = fighter.forward(stance.speed);
    true
}

/// Dash, backdash and sidestep: the direction twice; or for a sidestep guard and up, guard and jump.
fn steps(turn: &mut Turn<'_>, fighter: &mut Fighter, pad: PadInput) -> bool {
    let (pressed, tapped) = (fighter.pad.pressed, fighter.pad.taps);
    let by_guard = pad.holds(PadInput::GUARD);
    let is_up = tapped & taps::UP != 0 || by_guard && pressed.holds(PadInput::UP);
    let is_down = tapped & taps::DOWN != 0 || by_guard && pressed.holds(PadInput::JUMP);
    let (data, character) = (turn.data, turn.character);
    if (is_up || is_down) && data.has(Mechanic::Sidestep) {
        let direction = if is_up { 1 } else { -1 };
        fighter.action.crouching = 0;
        fighter.begin(Act::Sidestep, character.sidestep_frames);
        fighter.motion.step_direction = direction;
        fighter.motion.velocity[Z] = if is_up { character.sidestep_speed } else { -character.sidestep_speed };
        turn.emit(fighter, cues::SIDESTEP, i32::from(direction));
        return true;
    }
    let (act, frames, speed) = if tapped & taps::FORWARD != 0 && data.has(Mechanic::Dash) {
        (Act::Dash, character.dash_frames, character.dash_speed)
    } else if tapped & taps::BACK != 0 && data.has(Mechanic::Backdash) {
        (Act::Backdash, character.backdash_frames, -character.backdash_speed)
    } else {
        return false;
    };
    fighter.begin(act, frames);
    let speed = super::scaled(speed, fighter.attributes.of(Attribute::Speed));
    fighter.motion.velocity[X] = fighter.forward(speed);
    turn.emit(fighter, cues::DASH, 0);
    true
}

fn walk(turn: &Turn<'_>, fighter: &mut Fighter, direction: i8) {
    let share = fighter.attributes.of(Attribute::Speed);
    if direction == fighter.facing() {
        fighter.keep(Act::WalkForward);
        fighter.motion.velocity[X] = fighter.forward(super::scaled(turn.character.walk_forward, share));
        align(turn, fighter, turn.character.align_speed);
    } else {
        fighter.keep(Act::WalkBack);
        fighter.motion.velocity[X] = -fighter.forward(super::scaled(turn.character.walk_back, share));
    }
}

fn take_off(turn: &mut Turn<'_>, fighter: &mut Fighter) {
    let character = turn.character;
    let along = match fighter.motion.jump_direction {
        0 => Fx::ZERO,
        direction if direction == fighter.facing() => fighter.forward(character.jump_forward),
        _ => -fighter.forward(character.jump_back),
    };
    fighter.motion.velocity[X] = along;
    fighter.motion.velocity[Y] = character.jump_up;
    fighter.begin(Act::Air, 0);
    turn.emit(fighter, cues::JUMP, 0);
}
