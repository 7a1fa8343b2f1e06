//! Timers that run whatever a fighter does, and the attributes that follow from all of them.

use super::Turn;
use crate::cues;
use crate::data::{Character, Mechanic, WorldData};
use crate::fighter::{ATTRIBUTES, Fighter, StatusSlot};
use bytemuck::Zeroable;
use snapback_core::NameHash;

pub(super) fn advance(turn: &mut Turn<'_>, fighter: &mut Fighter) {
    let animation = &mut fighter.animation;
    animation.clip_frames = animation.clip_frames.saturating_add(1);
    animation.blend_frames = animation.blend_frames.saturating_sub(1);
    if !turn.is_fight {
        return;
    }
    for slot in &mut fighter.abilities.slots {
        slot.cooldown_frames = slot.cooldown_frames.saturating_sub(1);
    }
    fighter.heat.left_frames = fighter.heat.left_frames.saturating_sub(1);
    fighter.ki.left_frames = fighter.ki.left_frames.saturating_sub(1);
    if fighter.stance.name != NameHash::NONE {
        fighter.stance.left_frames = fighter.stance.left_frames.saturating_sub(1);
        if fighter.stance.left_frames == 0 {
            fighter.stance.name = NameHash::NONE;
        }
    }
    enrage(turn, fighter);
    attributes(turn, fighter);
}

fn enrage(turn: &mut Turn<'_>, fighter: &mut Fighter) {
    if fighter.rage.used != 0 || !fighter.is_alive() || !turn.data.has(Mechanic::Rage) {
        return;
    }
    let threshold = super::share_of(turn.character.health, turn.data.rules.rage_health_share);
    if fighter.vitals.health <= threshold {
        fighter.rage.used = 1;
        fighter.rage.active = 1;
        turn.emit(fighter, cues::RAGE, 0);
    }
}

/// What a character has without any status effect.
pub(super) fn base_attributes(character: &Character) -> [u16; ATTRIBUTES] {
    [character.damage_share, character.damage_taken_share, character.speed_share, character.meter_share]
}

fn attributes(turn: &Turn<'_>, fighter: &mut Fighter) {
    let character = turn.character;
    let mut now: [i32; ATTRIBUTES] = base_attributes(character).map(i32::from);
    if turn.data.has(Mechanic::Attributes) {
        for (value, gained) in now.iter_mut().zip(fighter.attributes.gained) {
            *value += i32::from(gained);
        }
    }
    for at in 0..fighter.status.slots.len() {
        suffer_status(turn, fighter, at, &mut now);
    }
    let rules = &turn.data.rules;
    if fighter.rage.active != 0 {
        now[0] += i32::from(rules.rage_damage_gain);
    }
    if fighter.heat.left_frames > 0 {
        now[0] += i32::from(rules.heat_damage_gain);
    }
    for (current, value) in fighter.attributes.current.iter_mut().zip(now) {
        *current = value.clamp(0, 10_000) as u16;
    }
}

/// One status effect: what it changes, what it costs, how long it still lasts.
fn suffer_status(turn: &Turn<'_>, fighter: &mut Fighter, at: usize, now: &mut [i32; ATTRIBUTES]) {
    let Some(slot) = fighter.status.slots.get_mut(at) else { return };
    if slot.effect == NameHash::NONE {
        return;
    }
    let known = turn.data.status(slot.effect);
    let Some(status) = known.filter(|_| slot.left_frames > 0) else {
        *slot = StatusSlot::zeroed();
        return;
    };
    let gains = [status.damage_gain, status.damage_taken_gain, status.speed_gain, status.meter_gain];
    for (value, gain) in now.iter_mut().zip(gains) {
        *value += i32::from(gain);
    }
    slot.left_frames -= 1;
    if slot.left_frames.is_multiple_of(status.every_frames) && fighter.is_alive() {
        let health = &mut fighter.vitals.health;
        *health = health.saturating_sub(status.health_loss).max(1).min(*health);
    }
}

/// Puts a status effect on a fighter: where it is already, else in a free place, else in place of
/// the one that ends first.
pub(super) fn put_on(data: &WorldData, fighter: &mut Fighter, effect: NameHash) {
    let Some(status) = data.status(effect).filter(|_| data.has(Mechanic::Status)) else {
        return;
    };
    let slots = &mut fighter.status.slots;
    let is_there = |slot: &StatusSlot| slot.effect == effect;
    let at = slots.iter().position(is_there).unwrap_or_else(|| {
        let lasting = |slot: &StatusSlot| if slot.effect == NameHash::NONE { 0 } else { slot.left_frames };
        (0..slots.len()).min_by_key(|at| lasting(&slots[*at])).unwrap_or(0)
    });
    if let Some(slot) = slots.get_mut(at) {
        let stacks = if slot.effect == effect { slot.stacks.saturating_add(1) } else { 1 };
        *slot = StatusSlot { effect, left_frames: status.frames, stacks };
    }
}
