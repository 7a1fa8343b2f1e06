//! Positions: own speed, pushback, gravity, the ground, the ends of the stage and its walls.

use super::Turn;
use crate::cues;
use crate::data::Posture;
use crate::fighter::{Act, Fighter, X, Y, Z};
use snapback_core::Fx;

pub(super) fn advance(turn: &mut Turn<'_>, fighter: &mut Fighter) {
    if matches!(fighter.act(), Act::Throwing | Act::Thrown | Act::WallSplat) {
        fighter.motion.velocity = [Fx::ZERO; 3];
        fighter.motion.pushback = Fx::ZERO;
        return;
    }
    let was_airborne = fighter.is_airborne() || fighter.motion.velocity[Y] > Fx::ZERO;
    let stage = &turn.data.stage;
    let motion = &mut fighter.motion;
    let wanted = motion.position[X] + motion.velocity[X] + motion.pushback;
    motion.position[X] = wanted.clamp_to(-stage.half_width, stage.half_width);
    motion.position[Y] = (motion.position[Y] + motion.velocity[Y]).max(Fx::ZERO);
    motion.position[Z] = (motion.position[Z] + motion.velocity[Z]).clamp_to(-stage.half_depth, stage.half_depth);
    motion.pushback = motion.pushback.approach(Fx::ZERO, turn.character.friction);
    let meets_wall = wanted != motion.position[X];
    if meets_wall && fighter.juggle.splats_next != 0 && splat(turn, fighter) {
        return;
    }
    if !was_airborne {
        fighter.motion.velocity[Y] = Fx::ZERO;
    } else if fighter.y() > Fx::ZERO {
        fighter.motion.velocity[Y] -= gravity(turn, fighter);
    } else {
        land(turn, fighter);
    }
}

/// One who is juggled falls faster with every hit.
fn gravity(turn: &Turn<'_>, fighter: &Fighter) -> Fx {
    if fighter.act() == Act::Launched {
        super::scaled(turn.character.gravity, 1_000 + i32::from(fighter.juggle.gravity_gained))
    } else {
        turn.character.gravity
    }
}

/// Sticks to the wall, if the combo has not done so too often.
fn splat(turn: &mut Turn<'_>, fighter: &mut Fighter) -> bool {
    fighter.juggle.splats_next = 0;
    let may = matches!(fighter.act(), Act::HitStun | Act::Launched) && fighter.juggle.wall_splats < turn.data.rules.wall_splats_max;
    if may {
        fighter.juggle.wall_splats = fighter.juggle.wall_splats.saturating_add(1).min(9);
        fighter.motion.velocity = [Fx::ZERO; 3];
        fighter.motion.pushback = Fx::ZERO;
        fighter.begin(Act::WallSplat, turn.data.rules.wall_splat_frames);
        turn.emit(fighter, cues::WALL_SPLAT, 0);
    }
    may
}

/// A move that rises goes on when it is down again: its recovery is part of what it risks.
fn is_from_the_ground(turn: &Turn<'_>, fighter: &Fighter) -> bool {
    turn.character.find(fighter.action.move_name).is_some_and(|own| own.posture != Posture::Air)
}

fn land(turn: &mut Turn<'_>, fighter: &mut Fighter) {
    fighter.motion.velocity = [Fx::ZERO; 3];
    match fighter.act() {
        Act::Attack if is_from_the_ground(turn, fighter) => {}
        Act::Air | Act::Attack => fighter.begin(Act::Landing, turn.character.landing_frames),
        Act::Launched => fighter.begin(Act::Down, turn.character.down_frames),
        _ => {}
    }
    turn.emit(fighter, cues::LAND, 0);
}
