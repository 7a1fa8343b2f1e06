//! [`Contact`]: a move or a projectile that touches an enemy. What can hit, what guards, and what
//! it does.

use super::blow::Blow;
use crate::data::{Character, Height, Mechanic, Move, WorldData};
use crate::fighter::{Act, Attribute, Fighter};
use crate::pad::PadInput;
use snapback_core::{EffectId, Effects, Fx, NameHash};

/// A move or projectile that touches an enemy whom it has not reached before.
pub(super) struct Contact<'a> {
    pub(super) data: &'a WorldData,
    pub(super) attacker: usize,
    pub(super) defender: usize,
    pub(super) from: &'a Fighter,
    pub(super) to: &'a Fighter,
    pub(super) own: &'a Move,
    /// Where the attack goes: -1 left, 1 right.
    pub(super) direction: i8,
    /// The source of its effects.
    pub(super) source: u32,
    /// The how manieth hit of the move, from 1; 0 for a projectile.
    pub(super) hit: u8,
}

impl Contact<'_> {
    fn has(&self, mechanic: Mechanic) -> bool {
        self.data.has(mechanic)
    }

    /// Whether a throw gets hold: only of one who stands or crouches on the ground and does not
    /// reel. A high throw passes over one who crouches.
    pub(super) fn can_grab(&self) -> bool {
        let is_ducked = self.own.height == Height::High && self.to.action.crouching != 0;
        self.to.act().can_be_thrown() && !self.to.is_airborne() && !is_ducked && !self.from.is_airborne()
    }

    /// Whether a strike connects at all.
    pub(super) fn can_strike(&self, character: &Character) -> bool {
        let act = self.to.act();
        let is_open = act.is_vulnerable() || act == Act::Down && self.own.hits_down;
        if !is_open || self.own.height == Height::High && self.to.action.crouching != 0 && !self.to.is_airborne() {
            return false;
        }
        let defence = super::super::boxes::current_move(character, self.to);
        if defence.is_some_and(|m| m.invulnerable_frames.has(self.to.action.elapsed_frames)) {
            return false;
        }
        // Over the limit a juggle is over: what would go on with it misses.
        let is_juggled = matches!(act, Act::Launched | Act::WallSplat | Act::Down);
        let points = self.to.juggle.points.saturating_add(self.own.juggle_cost);
        !(is_juggled && points > self.data.rules.juggle_limit && self.has(Mechanic::JuggleLimit))
    }

    /// The guard is the guard button, or away from the attack. Which height it stops is the
    /// defender's posture.
    fn is_guarded(&self) -> bool {
        let pad = self.to.pad.held;
        let held = pad.holds(PadInput::GUARD) || pad.direction() == self.direction;
        let is_low = self.to.action.crouching != 0;
        let height = match self.own.height {
            Height::High | Height::Mid => true,
            Height::Overhead => !is_low,
            Height::Low => is_low,
            Height::Unblockable => false,
        };
        let is_able = self.to.act().can_guard() && !self.to.is_airborne() && self.to.ki.left_frames == 0;
        held && height && is_able && self.guards_in_stance() && self.has(Mechanic::Blocking)
    }

    fn guards_in_stance(&self) -> bool {
        let stance = self.to.stance.name;
        let character = self.data.character(self.to.identity.character);
        stance == NameHash::NONE || character.and_then(|c| c.stance(stance)).is_none_or(|s| s.can_guard)
    }

    fn meets_armour(&self) -> bool {
        let character = self.data.character(self.to.identity.character);
        let defence = character.and_then(|c| super::super::boxes::current_move(c, self.to));
        self.to.power_crush.hits_left > 0
            && !matches!(self.own.height, Height::Low | Height::Unblockable)
            && defence.is_some_and(|m| m.is_armoured(self.to.action.elapsed_frames))
    }

    /// A hit on one whose own attack is not over yet, or by one who is charged with Ki.
    fn is_counter(&self) -> bool {
        if !self.has(Mechanic::CounterHits) {
            return false;
        }
        let character = self.data.character(self.to.identity.character);
        let attack = character.and_then(|c| super::super::boxes::current_move(c, self.to));
        self.from.ki.left_frames > 0 || attack.is_some_and(|m| self.to.action.elapsed_frames <= m.active().until)
    }

    /// Against the wall it is the attacker who gives way.
    fn is_cornered(&self) -> bool {
        let half_width = self.data.stage.half_width;
        self.to.x() == if self.direction < 0 { -half_width } else { half_width }
    }

    pub(super) fn blow(&self) -> Blow {
        let own = self.own;
        let is_blocked = self.is_guarded();
        let is_counter = !is_blocked && self.is_counter();
        let speed = if is_blocked { own.block_pushback } else { own.hit_pushback };
        let pushback = if !self.has(Mechanic::Pushback) {
            Fx::ZERO
        } else if self.direction < 0 {
            -speed
        } else {
            speed
        };
        let launch_up = if is_counter { own.launch_up.max(own.counter_launch_up) } else { own.launch_up };
        let counter_frames = if is_counter { own.counter_hitstun_frames } else { 0 };
        let stun_frames = if is_blocked { own.blockstun_frames } else { own.hitstun_frames.saturating_add(counter_frames) };
        let meter = if is_blocked { own.meter_on_block } else { own.meter_on_hit };
        Blow {
            is_blocked,
            is_counter,
            meets_armour: !is_blocked && self.meets_armour(),
            damage: if is_blocked { self.chip() } else { self.damage(is_counter) },
            stun_frames,
            pushback,
            is_cornered: self.is_cornered() && self.hit != 0,
            launch_up: if self.has(Mechanic::Launch) { launch_up } else { Fx::ZERO },
            knockdown: own.knockdown && self.has(Mechanic::Knockdown),
            wall_splat: own.wall_splat && self.has(Mechanic::WallSplat),
            juggle_cost: own.juggle_cost,
            gravity_gain: if self.has(Mechanic::GravityScaling) { own.gravity_gain } else { 0 },
            scaling: own.scaling,
            status: own.status_on_hit.hash,
            meter: super::super::share_of(meter, self.from.attributes.of(Attribute::Meter)),
        }
    }

    /// What gets through the guard: more in Heat.
    fn chip(&self) -> i32 {
        if !self.has(Mechanic::Chip) {
            return 0;
        }
        let share = if self.from.heat.left_frames > 0 { self.data.rules.heat_chip_share } else { 1_000 };
        super::super::share_of(self.own.chip, share)
    }

    fn damage(&self, is_counter: bool) -> i32 {
        let counter = if is_counter { self.own.counter_damage_share } else { 1_000 };
        let dealt = super::super::share_of(self.own.damage, self.from.attributes.of(Attribute::Damage));
        let dealt = super::super::share_of(dealt, counter);
        scaled_damage(self.data, self.to, dealt)
    }

    pub(super) fn show(&self, blow: &Blow, spark: u8, effects: &mut Effects) {
        let kind = if blow.is_blocked { self.own.cues.block } else { self.own.cues.hit };
        let key = self.defender as u32 | u32::from(self.hit) << 4;
        let id = EffectId { source: self.source, kind, key };
        let (x, y) = (super::super::whole(self.to.x()), super::super::whole(self.to.y()));
        effects.emit(id, [x, y, blow.damage, i32::from(spark) | i32::from(blow.is_counter) << 3]);
    }
}

/// What is left of `damage` for one in a combo, by what it takes of any damage.
pub(in crate::step) fn scaled_damage(data: &WorldData, to: &Fighter, damage: i32) -> i32 {
    let scaling = if to.juggle.combo_hits == 0 || !data.has(Mechanic::DamageScaling) { 1_000 } else { i32::from(to.juggle.scaling) };
    let scaled = super::super::share_of(damage, scaling);
    super::super::share_of(scaled, to.attributes.of(Attribute::Defence))
}
