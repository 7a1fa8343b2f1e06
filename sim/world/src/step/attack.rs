//! Moves: which press begins which, and what a move does besides hitting.

use super::Turn;
use crate::cues;
use crate::data::{AIR, CROUCHING, Kind, Mechanic, Move, Role, STANDING, Trigger};
use crate::fighter::{ATTRIBUTES, AbilitySlot, Act, Fighter, Stance, X, Y, Z};
use snapback_core::{Fx, NameHash};

/// Any move.
pub(super) const EVERY_MOVE: u64 = u64::MAX;

/// Begins the move that the waiting press means, out of those in `allowed`. What counts is the
/// direction that was held as the button was pressed: a press that waits keeps its meaning.
pub(super) fn begin_waiting(turn: &mut Turn<'_>, fighter: &mut Fighter, allowed: u64) -> bool {
    if fighter.input.waiting.buttons == 0 || !turn.is_fight {
        return false;
    }
    let posture = if fighter.is_airborne() {
        AIR
    } else if matches!(fighter.input.waiting_direction, 1..=3) {
        CROUCHING
    } else {
        STANDING
    };
    let character = turn.character;
    let found = character.triggers.iter().filter(|t| allowed >> t.index & 1 != 0 && is_meant(t, fighter, posture));
    let mut moves = found.filter_map(|t| character.moves.get(usize::from(t.index)));
    let Some(own) = moves.find(|own| is_possible(turn, fighter, own)) else {
        return false;
    };
    begin(turn, fighter, own, posture == CROUCHING);
    true
}

fn is_meant(trigger: &Trigger, fighter: &Fighter, posture: u8) -> bool {
    let press = &fighter.input;
    press.waiting.buttons & trigger.buttons == trigger.buttons
        && trigger.postures & posture != 0
        && press.waiting_motions & trigger.motion == trigger.motion
        && trigger.directions >> press.waiting_direction & 1 != 0
        && trigger.stance == fighter.stance.name
}

/// Whether the fighter has what the move costs.
fn is_possible(turn: &Turn<'_>, fighter: &Fighter, own: &Move) -> bool {
    let data = turn.data;
    let role = match own.role {
        Role::Normal => true,
        Role::HeatBurst => fighter.heat.used == 0 && data.has(Mechanic::Heat),
        Role::HeatSmash => fighter.heat.left_frames > 0 && fighter.heat.smashed == 0,
        Role::RageArt => fighter.rage.active != 0,
        Role::KiCharge => data.has(Mechanic::KiCharge),
    };
    let meter = fighter.vitals.meter >= own.meter_cost || !data.has(Mechanic::Meter);
    let throw = own.kind != Kind::Throw || data.has(Mechanic::Throws);
    role && meter && throw && is_off_cooldown(turn, fighter, own)
}

fn is_off_cooldown(turn: &Turn<'_>, fighter: &Fighter, own: &Move) -> bool {
    if own.cooldown_frames == 0 && own.uses_per_round == 0 || !turn.data.has(Mechanic::Cooldowns) {
        return true;
    }
    let slot = fighter.abilities.slots.iter().find(|slot| slot.ability == own.name.hash);
    slot.is_none_or(|slot| slot.cooldown_frames == 0 && (own.uses_per_round == 0 || slot.activations < own.uses_per_round))
}

fn begin(turn: &mut Turn<'_>, fighter: &mut Fighter, own: &Move, crouching: bool) {
    let is_airborne = fighter.is_airborne();
    fighter.input.forget_press();
    // A dash or a sidestep may have gone past the enemy; a cancel keeps its direction.
    if turn.sight.towards != 0 && !is_airborne && fighter.act() != Act::Attack {
        fighter.motion.facing = turn.sight.towards;
    }
    fighter.begin(Act::Attack, 0);
    fighter.action.move_name = own.name.hash;
    fighter.action.crouching = u8::from(crouching);
    fighter.show(own.cues.swing, 2);
    if !is_airborne {
        fighter.motion.velocity = [Fx::ZERO; 3];
    }
    if turn.data.has(Mechanic::Meter) {
        fighter.vitals.meter = fighter.vitals.meter.saturating_sub(own.meter_cost).max(0);
    }
    note_use(fighter, own);
    fighter.stance.name = NameHash::NONE;
    fighter.stance.left_frames = 0;
    if turn.data.has(Mechanic::Armour) {
        fighter.power_crush.hits_left = own.armour_hits;
    }
    match own.role {
        Role::RageArt => fighter.rage.active = 0,
        Role::HeatSmash => {
            fighter.heat.left_frames = 0;
            fighter.heat.smashed = 1;
        }
        Role::HeatBurst => fighter.heat.used = 1,
        Role::Normal | Role::KiCharge => {}
    }
    turn.freeze_frames = turn.freeze_frames.max(own.freeze_frames);
    turn.emit(fighter, own.cues.swing, 0);
}

fn note_use(fighter: &mut Fighter, own: &Move) {
    let abilities = &mut fighter.abilities;
    abilities.last = own.name.hash;
    abilities.activations = abilities.activations.saturating_add(1);
    if own.cooldown_frames == 0 && own.uses_per_round == 0 {
        return;
    }
    let known = abilities.slots.iter().position(|slot| slot.ability == own.name.hash);
    let at = known.or_else(|| abilities.slots.iter().position(|slot| slot.ability == NameHash::NONE));
    if let Some(slot) = at.and_then(|at| abilities.slots.get_mut(at)) {
        let activations = slot.activations.saturating_add(1);
        *slot = AbilitySlot { ability: own.name.hash, activations, cooldown_frames: own.cooldown_frames };
    }
}

/// Goes on with the move; false once it is over.
pub(super) fn carry_on(turn: &mut Turn<'_>, fighter: &mut Fighter) -> bool {
    let Some(own) = turn.character.find(fighter.action.move_name) else {
        return false;
    };
    let frame = fighter.action.elapsed_frames;
    if fighter.input.waiting.buttons != 0 {
        let follow_ups = follow_ups(turn, fighter, own, frame);
        if follow_ups != 0 && begin_waiting(turn, fighter, follow_ups) {
            return true;
        }
    }
    if frame == own.frames.startup {
        take_effect(turn, fighter, own);
    }
    if let Some(projectile) = own.projectile.as_ref().filter(|p| p.frame == frame) {
        super::shots::send(turn.data, fighter, own, projectile);
    }
    let hit = own.hit_at(frame);
    if hit != fighter.hitboxes.active_hit {
        fighter.hitboxes.active_hit = hit;
        fighter.hitboxes.reached = 0;
    }
    drive(turn, fighter, own, frame);
    if frame < own.total_frames() {
        return true;
    }
    if !own.enter_stance.is_none() && !fighter.is_airborne() && turn.data.has(Mechanic::Stances) {
        let left_frames = turn.character.stance(own.enter_stance.hash).map_or(0, |stance| stance.frames);
        fighter.stance = Stance { name: own.enter_stance.hash, left_frames, reserved: [0; 2] };
    }
    false
}

/// Into which moves this one can be cancelled now: by what it has touched, and at its very
/// beginning by a second button.
fn follow_ups(turn: &Turn<'_>, fighter: &Fighter, own: &Move, frame: u16) -> u64 {
    let mut allowed = 0;
    if turn.data.has(Mechanic::Cancels) && own.is_cancellable(frame) {
        allowed |= own.cancels.get(usize::from(fighter.action.contact)).copied().unwrap_or(0);
    }
    if fighter.input.plinked != 0 && frame <= u16::from(turn.data.rules.plink_frames) && is_free_of_charge(own) {
        allowed |= own.plinks;
    }
    allowed
}

/// Whether nothing is lost if another move takes its place.
fn is_free_of_charge(own: &Move) -> bool {
    own.meter_cost == 0 && own.cooldown_frames == 0 && own.uses_per_round == 0 && own.role == Role::Normal
}

/// What a move does when its start-up is over, whether it hits or not.
fn take_effect(turn: &mut Turn<'_>, fighter: &mut Fighter, own: &Move) {
    let rules = &turn.data.rules;
    match own.role {
        Role::HeatBurst => {
            fighter.heat.left_frames = rules.heat_frames;
            turn.emit(fighter, cues::HEAT, 0);
        }
        Role::KiCharge => {
            fighter.ki.left_frames = rules.ki_frames;
            fighter.ki.charges = fighter.ki.charges.saturating_add(1);
            turn.emit(fighter, cues::KI_CHARGE, 0);
        }
        Role::Normal | Role::HeatSmash | Role::RageArt => {}
    }
    if !own.status_on_self.is_none() {
        super::conditions::put_on(turn.data, fighter, own.status_on_self.hash);
    }
    if own.attribute_gain != 0 && turn.data.has(Mechanic::Attributes) {
        let gained = &mut fighter.attributes.gained[own.attribute as usize % ATTRIBUTES];
        *gained = gained.saturating_add(own.attribute_gain).clamp(-5_000, 5_000);
    }
    if own.teleport != Fx::ZERO && turn.data.has(Mechanic::Teleport) {
        fighter.motion.position[X] += fighter.forward(own.teleport);
        fighter.motion.cuts = fighter.motion.cuts.wrapping_add(1);
        turn.emit(fighter, cues::TELEPORT, 0);
    }
}

/// How a move carries its fighter.
fn drive(turn: &Turn<'_>, fighter: &mut Fighter, own: &Move, frame: u16) {
    let is_airborne = fighter.is_airborne();
    if own.step_frames.has(frame) {
        fighter.motion.velocity[X] = fighter.forward(own.step_speed);
    } else if !is_airborne || own.has_step() {
        fighter.motion.velocity[X] = Fx::ZERO;
    }
    if frame == own.rise_frame && own.rise_speed > Fx::ZERO {
        fighter.motion.velocity[Y] = own.rise_speed;
    }
    fighter.motion.velocity[Z] = Fx::ZERO;
    if own.tracking > Fx::ZERO && frame < own.frames.startup && turn.data.has(Mechanic::Tracking) {
        align(turn, fighter, own.tracking);
    }
}

/// Moves towards the depth of the nearest enemy.
pub(super) fn align(turn: &Turn<'_>, fighter: &mut Fighter, speed: Fx) {
    if let Some(depth) = turn.sight.depth {
        fighter.motion.velocity[Z] = fighter.z().approach(depth, speed) - fighter.z();
    }
}
