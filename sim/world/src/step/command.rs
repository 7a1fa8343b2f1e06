//! What players command: pause, surrender, who plays which seat.

use super::sight::Sight;
use super::{BySeat, bot, whole};
use crate::data::WorldData;
use crate::fighter::Fighter;
use crate::pad::PadInput;
use crate::view::WorldView;
use crate::{MAX_FIGHTERS, cues};
use snapback_core::control::{Feed, Orders};
use snapback_core::{EffectId, Effects, FrameInputs, NameHash, PlayerHandle};

/// Hears the commands of a frame, and says what has come of earlier ones.
pub(super) fn hear(data: &WorldData, state: &mut WorldView, inputs: &FrameInputs<'_, PadInput>, effects: &mut Effects) -> Orders {
    let before = state.header.control;
    let orders = state.header.control.step(&data.rules.control(), inputs);
    let seat_of = |by: Option<PlayerHandle>| by.map_or(0, |by| by.index() as i32);
    let mut announce = |kind, seat| effects.emit(EffectId { source: cues::STAGE, kind, key: 0 }, [seat, 0, 0, 0]);
    if orders.pause_ended {
        announce(cues::RESUME, seat_of(before.paused_by()));
    }
    if orders.pause_began {
        announce(cues::PAUSE, seat_of(state.header.control.paused_by()));
    }
    for (seat, fighter) in state.fighters().iter().enumerate() {
        let player = PlayerHandle::new(seat as u8);
        if orders.new_surrenders.contains(player) {
            emit(effects, seat, fighter, cues::SURRENDER, 0);
        }
        if orders.new_feeds.contains(player) {
            let by = match orders.feed_of(player) {
                Feed::Player(by) => by.index() as i32,
                Feed::Bot => -1,
            };
            emit(effects, seat, fighter, cues::TAKEOVER, by);
        }
    }
    orders
}

fn emit(effects: &mut Effects, seat: usize, fighter: &Fighter, kind: NameHash, what: i32) {
    effects.emit(EffectId { source: seat as u32, kind, key: 0 }, [whole(fighter.x()), whole(fighter.y()), what, 0]);
}

/// What is pressed for each fighter.
pub(super) fn pads(
    state: &WorldView,
    orders: &Orders,
    inputs: &FrameInputs<'_, PadInput>,
    sights: &BySeat<Sight>,
) -> [PadInput; MAX_FIGHTERS] {
    let mut pads = [PadInput::default(); MAX_FIGHTERS];
    for (seat, ((pad, fighter), sight)) in pads.iter_mut().zip(state.fighters()).zip(sights).enumerate() {
        let pressed = orders.input(PlayerHandle::new(seat as u8), inputs);
        *pad = pressed.unwrap_or_else(|| bot::press(state.fighters(), fighter, sight, state.header.clock.frame_count)).cleaned();
    }
    pads
}
