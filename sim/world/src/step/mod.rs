//! One frame, in the order of this module.
//!
//! Every part works on all fighters against the state that the part before it left, and none sees
//! what it has itself done to another fighter. So no seat goes first, and a mirrored match is the
//! mirror of the match.

mod attack;
mod boxes;
mod control;
mod facing;
mod hits;
mod motion;
mod push;
mod rounds;

use crate::MAX_FIGHTERS;
use crate::data::WorldData;
use crate::header::Phase;
use crate::pad::PadInput;
use crate::view::WorldView;
use snapback_core::{Effects, FrameInputs, Fx, PlayerHandle};

/// The first match begins.
pub(crate) fn start(data: &WorldData, state: &mut WorldView) {
    rounds::begin_match(data, state);
}

pub(crate) fn step(data: &WorldData, state: &mut WorldView, inputs: &FrameInputs<'_, PadInput>, effects: &mut Effects) {
    state.header.clock.frame_count = state.header.clock.frame_count.saturating_add(1);
    let is_fight = state.phase() == Phase::Fight;

    let towards = facing::towards_enemies(state.fighters());
    for (seat, (fighter, towards)) in state.fighters_mut().iter_mut().zip(towards).enumerate() {
        let Some(character) = data.character(fighter.character) else {
            continue;
        };
        let pad = pad_of(seat, inputs);
        let source = seat as u32;
        attack::remember(&data.rules, fighter, pad, is_fight);
        let obeyed = if is_fight { pad } else { PadInput::default() };
        control::decide(character, fighter, obeyed, towards, source, effects);
        motion::advance(character, fighter, data.stage.half_width, source, effects);
    }
    push::separate(data, state.fighters_mut());
    if is_fight {
        hits::resolve(data, state, effects);
    }
    rounds::advance(data, state, effects);
}

fn pad_of(seat: usize, inputs: &FrameInputs<'_, PadInput>) -> PadInput {
    u8::try_from(seat).map_or(PadInput::default(), |seat| inputs.input(PlayerHandle::new(seat)).cleaned())
}

/// Whole centimetres, for effects.
fn whole(length: Fx) -> i32 {
    length.round().clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// One of something for every seat.
type BySeat<T> = [T; MAX_FIGHTERS];
