//! Positions: own speed, pushback, gravity, the ground, the ends of the stage.

use crate::cues;
use crate::data::CharacterData;
use crate::fighter::{Act, Fighter, X, Y, Z};
use snapback_core::{EffectId, Effects, Fx};

pub(super) fn advance(character: &CharacterData, fighter: &mut Fighter, half_width: Fx, source: u32, effects: &mut Effects) {
    let was_airborne = fighter.is_airborne() || fighter.motion.velocity[Y] > Fx::ZERO;
    let motion = &mut fighter.motion;
    motion.position[X] = motion.position[X] + motion.velocity[X] + motion.pushback;
    motion.position[X] = motion.position[X].clamp_to(-half_width, half_width);
    motion.position[Y] = (motion.position[Y] + motion.velocity[Y]).max(Fx::ZERO);
    motion.position[Z] = Fx::ZERO;
    motion.velocity[Z] = Fx::ZERO;
    motion.pushback = motion.pushback.approach(Fx::ZERO, character.friction);
    if !was_airborne {
        motion.velocity[Y] = Fx::ZERO;
    } else if motion.position[Y] > Fx::ZERO {
        motion.velocity[Y] -= character.gravity;
    } else {
        land(character, fighter, source, effects);
    }
}

fn land(character: &CharacterData, fighter: &mut Fighter, source: u32, effects: &mut Effects) {
    fighter.motion.velocity = [Fx::ZERO; 3];
    match fighter.act() {
        Act::Air => fighter.begin(Act::Landing, character.landing_frames),
        Act::Launched => fighter.begin(Act::Down, character.down_frames),
        _ => {}
    }
    let id = EffectId { source, kind: cues::LAND, key: 0 };
    effects.emit(id, [super::whole(fighter.x()), 0, 0, 0]);
}
