//! Throws: who gets hold of whom, who escapes, and what is left for the others.
//!
//! Two who hold each other are left alone by everybody else until the throw is over.

use super::{BySeat, hits, whole};
use crate::cues;
use crate::data::{Mechanic, Move, WorldData};
use crate::fighter::{Act, Attribute, Fighter, X, Y};
use snapback_core::{EffectId, Effects, Fx};

/// Begins the throws that were found. A throw fails if one of the two was struck in the same frame;
/// two who grab each other, or two who grab the same enemy, all come free.
pub(super) fn grab(data: &WorldData, fighters: &mut [Fighter], grabs: &BySeat<Option<usize>>, effects: &mut Effects) {
    let is_free = |seat: usize| fighters.get(seat).is_some_and(|f| f.act().can_be_thrown());
    let mut valid = *grabs;
    for (attacker, grab) in valid.iter_mut().enumerate() {
        *grab = grab.filter(|defender| is_free(attacker) && is_free(*defender) && fighters[attacker].act() == Act::Attack);
    }
    let mut clashes = 0_u16;
    for (attacker, defender) in valid.iter().enumerate().filter_map(|(attacker, grab)| Some((attacker, (*grab)?))) {
        let is_contested = valid.iter().enumerate().any(|(other, grab)| other != attacker && *grab == Some(defender));
        let is_caught = valid.contains(&Some(attacker)) || valid.get(defender).is_some_and(Option::is_some);
        if is_contested || is_caught {
            clashes |= 1 << attacker | 1 << defender;
        }
    }
    for (attacker, defender) in valid.iter().enumerate().filter_map(|(attacker, grab)| Some((attacker, (*grab)?))) {
        if clashes & (1 << attacker | 1 << defender) == 0 {
            hold(fighters, attacker, defender, effects);
        }
    }
    for seat in (0..fighters.len()).filter(|seat| clashes & 1 << seat != 0) {
        come_free(data, &mut fighters[seat], seat, effects);
    }
}

fn hold(fighters: &mut [Fighter], attacker: usize, defender: usize, effects: &mut Effects) {
    let Ok([thrower, thrown]) = fighters.get_disjoint_mut([attacker, defender]) else {
        return;
    };
    thrower.begin(Act::Throwing, 0);
    thrower.hold.partner = defender as u8 + 1;
    thrown.begin(Act::Thrown, 0);
    thrown.action.crouching = 0;
    thrown.hold.partner = attacker as u8 + 1;
    thrown.lose_poise();
    // So that an escape pushes the two apart.
    thrown.motion.facing = -thrower.facing();
    // What was pressed before is no escape.
    thrown.input.forget_press();
    let id = EffectId { source: attacker as u32, kind: cues::GRAB, key: defender as u32 };
    effects.emit(id, [whole(thrown.x()), whole(thrown.y()), 0, 0]);
}

/// Lets go, and is pushed back.
fn come_free(data: &WorldData, fighter: &mut Fighter, seat: usize, effects: &mut Effects) {
    fighter.begin(Act::Landing, ESCAPE_FRAMES);
    fighter.motion.velocity = [Fx::ZERO; 3];
    fighter.motion.pushback = -fighter.forward(data.rules.throw_tech_pushback);
    let id = EffectId { source: seat as u32, kind: cues::TECH, key: 0 };
    effects.emit(id, [whole(fighter.x()), whole(fighter.y()), 0, 0]);
}

/// How long an escape takes, for both.
const ESCAPE_FRAMES: u16 = 12;

/// Goes on with every throw. The pairs have nobody in common, so their order does not matter.
pub(super) fn resolve(data: &WorldData, fighters: &mut [Fighter], effects: &mut Effects) {
    for seat in 0..fighters.len() {
        match fighters[seat].act() {
            Act::Throwing => go_on(data, fighters, seat, effects),
            Act::Thrown if partner(fighters, seat, Act::Throwing).is_none() => fighters[seat].begin(Act::Stand, 0),
            _ => {}
        }
    }
}

/// The other one of a pair: each names the other, and does what `act` says.
fn partner(fighters: &[Fighter], seat: usize, act: Act) -> Option<usize> {
    let partner = usize::from(fighters.get(seat)?.hold.partner).checked_sub(1)?;
    let other = fighters.get(partner)?;
    (other.act() == act && usize::from(other.hold.partner) == seat + 1).then_some(partner)
}

fn go_on(data: &WorldData, fighters: &mut [Fighter], attacker: usize, effects: &mut Effects) {
    let pair = partner(fighters, attacker, Act::Thrown)
        .and_then(|defender| fighters.get_disjoint_mut([attacker, defender]).ok().map(|p| (defender, p)));
    let Some((defender, [thrower, thrown])) = pair else {
        fighters[attacker].begin(Act::Stand, 0);
        return;
    };
    let own = data.character(thrower.identity.character).and_then(|c| c.find(thrower.action.move_name));
    let Some(own) = own else {
        thrower.begin(Act::Stand, 0);
        thrown.begin(Act::Stand, 0);
        return;
    };
    let frame = thrown.action.elapsed_frames;
    let is_in_time = frame <= data.rules.throw_tech_frames && data.has(Mechanic::ThrowTech);
    // A press in hitstop waits for its end.
    let is_pressed = thrown.pad.pressed.holds(own.tech_buttons) || thrown.input.waiting.holds(own.tech_buttons);
    if is_in_time && is_pressed {
        come_free(data, thrower, attacker, effects);
        come_free(data, thrown, defender, effects);
    } else if frame >= own.throw_frames {
        throw(data, own, (attacker, thrower), (defender, thrown), effects);
    }
}

fn throw(
    data: &WorldData,
    own: &Move,
    (attacker, thrower): (usize, &mut Fighter),
    (defender, thrown): (usize, &mut Fighter),
    effects: &mut Effects,
) {
    let dealt = super::share_of(own.damage, thrower.attributes.of(Attribute::Damage));
    let damage = hits::scaled_damage(data, thrown, dealt);
    hits::gain(data, thrower, own.meter_on_hit);
    hits::gain(data, thrown, super::share_of(damage.min(10_000), data.rules.meter_taken_share));
    thrower.begin(Act::Landing, own.frames.recovery.max(1));
    thrown.vitals.health = thrown.vitals.health.saturating_sub(damage).max(0);
    thrown.juggle.combo_hits = thrown.juggle.combo_hits.saturating_add(1);
    thrown.juggle.scaling = own.scaling.min(1_000);
    thrown.juggle.combo_damage = thrown.juggle.combo_damage.saturating_add(damage).clamp(0, 1_000_000);
    thrown.juggle.splats_next = u8::from(own.wall_splat && data.has(Mechanic::WallSplat));
    if !own.status_on_hit.is_none() {
        super::conditions::put_on(data, thrown, own.status_on_hit.hash);
    }
    thrown.motion.velocity[X] = thrower.forward(own.hit_pushback);
    let id = EffectId { source: attacker as u32, kind: own.cues.hit, key: defender as u32 };
    effects.emit(id, [whole(thrown.x()), whole(thrown.y()), damage, 0]);
    if own.launch_up > Fx::ZERO && data.has(Mechanic::Launch) {
        thrown.begin(Act::Launched, 0);
        thrown.motion.velocity[Y] = own.launch_up;
    } else {
        thrown.motion.velocity[X] = Fx::ZERO;
        let down_frames = data.character(thrown.identity.character).map_or(1, |c| c.down_frames);
        thrown.begin(Act::Down, down_frames);
    }
    if thrown.vitals.health == 0 {
        hits::knock_out(thrown, defender, effects);
    }
}
