//! One frame, in the order of this module.
//!
//! Every part works on all fighters against the state that the part before it left, and none sees
//! what it has itself done to another fighter. So no seat goes first, and a mirrored match is the
//! mirror of the match.
//!
//! | | part | what it does |
//! |---|---|---|
//! | 0 | `command` | hears what players command; a paused world does nothing more |
//! | 1 | `sight` | finds each fighter's nearest enemy |
//! | 2 | `input` | takes down the pads, in hitstop too |
//! | 3 | `conditions` | runs timers down and works out attributes |
//! | 4 | `control` | goes on with acts, and has free fighters obey their players |
//! | 5 | `motion` | moves fighters and projectiles |
//! | 6 | `push` | moves fighters out of each other |
//! | 7 | `shots` | projectiles clash |
//! | 8 | `hits` | finds all contacts, then applies them; a throw gives way to a strike |
//! | 9 | `holds` | throws are escaped from, or land |
//! | 10 | `rounds` | knock-outs, time, rounds and matches |

mod attack;
mod bot;
mod boxes;
mod command;
mod conditions;
mod control;
mod hits;
mod holds;
mod input;
mod motion;
mod push;
mod rounds;
mod shots;
mod sight;

use crate::MAX_FIGHTERS;
use crate::data::{Character, WorldData};
use crate::fighter::Fighter;
use crate::header::Phase;
use crate::pad::PadInput;
use crate::roster::Roster;
use crate::view::WorldView;
use snapback_core::{EffectId, Effects, FrameInputs, Fx, NameHash};

/// One of something for every seat.
type BySeat<T> = [T; MAX_FIGHTERS];

/// What the parts need to know to move one fighter on.
struct Turn<'a> {
    data: &'a WorldData,
    character: &'a Character,
    sight: sight::Sight,
    seat: usize,
    is_fight: bool,
    effects: &'a mut Effects,
    /// How long a move that begins makes everything stand still.
    freeze_frames: u16,
}

impl Turn<'_> {
    /// Raises an effect at the fighter.
    fn emit(&mut self, fighter: &Fighter, kind: NameHash, what: i32) {
        let id = EffectId { source: self.seat as u32, kind, key: 0 };
        self.effects.emit(id, [whole(fighter.x()), whole(fighter.y()), what, 0]);
    }
}

/// The first match begins.
pub(crate) fn start(data: &WorldData, roster: &Roster, seed: u64, state: &mut WorldView) {
    rounds::take_seats(roster, seed, state);
    rounds::begin_match(data, state);
}

pub(crate) fn step(data: &WorldData, state: &mut WorldView, inputs: &FrameInputs<'_, PadInput>, effects: &mut Effects) {
    let orders = command::hear(data, state, inputs, effects);
    if orders.is_paused {
        return;
    }
    let clock = &mut state.header.clock;
    clock.frame_count = clock.frame_count.saturating_add(1);
    let is_fight = state.phase() == Phase::Fight;
    let is_still = is_fight && state.header.clock.hitstop_frames > 0;
    let sights = sight::of_all(state.fighters());
    let pads = command::pads(state, &orders, inputs, &sights);
    for ((fighter, sight), pad) in state.fighters_mut().iter_mut().zip(&sights).zip(pads) {
        let moment = input::Moment { is_fight, is_still, towards: sight.towards };
        input::remember(data, fighter, pad, &moment);
    }
    if is_still {
        state.header.clock.hitstop_frames -= 1;
        return;
    }
    let mut freeze_frames = 0;
    for (seat, (fighter, sight)) in state.fighters_mut().iter_mut().zip(sights).enumerate() {
        let Some(character) = data.character(fighter.identity.character) else {
            continue;
        };
        let mut turn = Turn { data, character, sight, seat, is_fight, effects, freeze_frames: 0 };
        conditions::advance(&mut turn, fighter);
        control::decide(&mut turn, fighter);
        motion::advance(&mut turn, fighter);
        shots::advance(&turn, fighter);
        freeze_frames = turn.freeze_frames.max(freeze_frames);
    }
    if data.has(crate::data::Mechanic::PushBoxes) {
        push::separate(data, state.fighters_mut());
    }
    if is_fight {
        shots::clash(data, state.fighters_mut(), effects);
        hits::resolve(data, state, effects);
        holds::resolve(data, state.fighters_mut(), effects);
        stand_still(data, state, freeze_frames);
    }
    rounds::advance(data, state, effects);
}

/// Of several hitstops in one frame the longest counts.
fn stand_still(data: &WorldData, state: &mut WorldView, frames: u16) {
    if data.has(crate::data::Mechanic::Hitstop) {
        let clock = &mut state.header.clock;
        clock.hitstop_frames = clock.hitstop_frames.max(frames);
    }
}

/// Whole centimetres, for effects.
fn whole(length: Fx) -> i32 {
    length.round().clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// `share` thousandths of `value`, rounded to nearest. Neither is negative.
fn share_of(value: i32, share: i32) -> i32 {
    let scaled = (i64::from(value) * i64::from(share) + 500) / 1_000;
    i32::try_from(scaled).unwrap_or(i32::MAX)
}

/// `share` thousandths of `value`, rounded towards zero, so that it mirrors.
fn scaled(value: Fx, share: i32) -> Fx {
    if share == 1_000 { value } else { Fx::from_bits(value.to_bits().saturating_mul(i64::from(share)) / 1_000) }
}
