//! [`Impact`]: what a frame's contacts do to one fighter together. Sums, and least and greatest
//! values, so that the order in which contacts are found does not matter.

use super::blow::Blow;
use crate::cues;
use crate::data::{Mechanic, WorldData};
use crate::fighter::{Act, Attribute, Fighter, X, Y, Z};
use crate::step::{conditions, share_of, whole};
use snapback_core::{EffectId, Effects, Fx, NameHash};

/// How many different status effects one frame can put on a fighter.
const STATUSES: usize = 4;

/// Blows that are taken in one way.
#[derive(Clone, Copy)]
struct Blows {
    count: u16,
    damage: i32,
}

/// What a frame's contacts do to one fighter.
#[derive(Clone, Copy)]
pub(super) struct Impact {
    /// What armour takes if enough is left, and what nothing takes.
    armoured: Blows,
    open: Blows,
    chip: i32,
    hitstun_frames: u16,
    blockstun_frames: u16,
    pushback: Fx,
    launch_up: Fx,
    knockdown: bool,
    wall_splat: bool,
    juggle_cost: u16,
    gravity_gain: u16,
    scaling: u16,
    /// The least of the hashes, sorted, so that they do not depend on the order either.
    statuses: [NameHash; STATUSES],
    // What it has done itself.
    meter: i32,
    contact: u8,
    contacts: u8,
    pub(super) reached: u8,
    recoil: Fx,
}

impl Impact {
    pub(super) const NOTHING: Self = Self {
        armoured: Blows { count: 0, damage: 0 },
        open: Blows { count: 0, damage: 0 },
        chip: 0,
        hitstun_frames: 0,
        blockstun_frames: 0,
        pushback: Fx::ZERO,
        launch_up: Fx::ZERO,
        knockdown: false,
        wall_splat: false,
        juggle_cost: 0,
        gravity_gain: 0,
        scaling: 1_000,
        statuses: [NameHash::NONE; STATUSES],
        meter: 0,
        contact: 0,
        contacts: 0,
        reached: 0,
        recoil: Fx::ZERO,
    };

    pub(super) fn suffer(&mut self, blow: &Blow) {
        // One who is to stick to the wall behind is thrown at it nevertheless.
        if !blow.is_cornered || blow.wall_splat && !blow.is_blocked {
            self.pushback += blow.pushback;
        }
        if blow.is_blocked {
            self.chip = self.chip.saturating_add(blow.damage);
            self.blockstun_frames = self.blockstun_frames.max(blow.stun_frames);
            return;
        }
        let blows = if blow.meets_armour { &mut self.armoured } else { &mut self.open };
        blows.count = blows.count.saturating_add(1);
        blows.damage = blows.damage.saturating_add(blow.damage);
        self.hitstun_frames = self.hitstun_frames.max(blow.stun_frames);
        self.launch_up = self.launch_up.max(blow.launch_up);
        self.knockdown |= blow.knockdown;
        self.wall_splat |= blow.wall_splat;
        self.juggle_cost = self.juggle_cost.saturating_add(blow.juggle_cost);
        self.gravity_gain = self.gravity_gain.saturating_add(blow.gravity_gain);
        self.scaling = self.scaling.min(blow.scaling);
        self.add_status(blow.status);
    }

    fn add_status(&mut self, status: NameHash) {
        if status == NameHash::NONE || self.statuses.contains(&status) {
            return;
        }
        let mut next = status;
        for slot in &mut self.statuses {
            if *slot == NameHash::NONE || next < *slot {
                core::mem::swap(slot, &mut next);
            }
            if next == NameHash::NONE {
                return;
            }
        }
    }

    /// What a projectile touches says nothing about the move that is being carried out.
    pub(super) fn deal(&mut self, blow: &Blow, is_limb: bool) {
        self.meter = self.meter.saturating_add(blow.meter);
        if is_limb {
            self.contact = self.contact.max(if blow.is_blocked { 1 } else { 2 });
            self.contacts = self.contacts.saturating_add(1);
        }
        if blow.is_cornered {
            self.recoil -= blow.pushback;
        }
    }
}

pub(super) fn apply(data: &WorldData, fighter: &mut Fighter, impact: &Impact, seat: usize, effects: &mut Effects) {
    // What it has done goes first: being hit forgets it.
    if impact.contacts > 0 {
        fighter.hitboxes.reached |= impact.reached;
        fighter.hitboxes.contacts = fighter.hitboxes.contacts.saturating_add(impact.contacts);
        if impact.reached != 0 {
            fighter.action.contact = impact.contact.max(fighter.action.contact.min(2));
        }
    }
    let pushback = impact.pushback + impact.recoil;
    if pushback != Fx::ZERO {
        fighter.motion.pushback = pushback;
    }
    let hits = impact.open.count.saturating_add(impact.armoured.count);
    if hits == 0 && impact.blockstun_frames == 0 {
        gain_meter(data, fighter, impact.meter);
        return;
    }
    let is_absorbed =
        impact.open.count == 0 && impact.armoured.count > 0 && impact.armoured.count <= u16::from(fighter.power_crush.hits_left);
    let mut damage = impact.chip.saturating_add(impact.open.damage);
    damage = damage.saturating_add(if is_absorbed {
        share_of(impact.armoured.damage, data.rules.armour_damage_share)
    } else {
        impact.armoured.damage
    });
    gain_meter(data, fighter, impact.meter);
    gain(data, fighter, share_of(damage.min(10_000), data.rules.meter_taken_share));
    fighter.vitals.health = fighter.vitals.health.saturating_sub(damage).max(0);
    if is_absorbed {
        absorb(fighter, impact, damage, seat, effects);
    } else if hits > 0 {
        reel(data, fighter, impact, hits, damage);
    } else {
        fighter.motion.velocity = [Fx::ZERO; 3];
        fighter.begin(Act::BlockStun, impact.blockstun_frames);
    }
    if fighter.vitals.health == 0 {
        // In armour it went on as if nothing had happened.
        (fighter.motion.velocity[X], fighter.motion.velocity[Z]) = (Fx::ZERO, Fx::ZERO);
        knock_out(fighter, seat, effects);
    }
}

fn gain_meter(data: &WorldData, fighter: &mut Fighter, meter: i32) {
    if meter != 0 && data.has(Mechanic::Meter) {
        let most = data.character(fighter.identity.character).map_or(0, |c| c.meter_max);
        fighter.vitals.meter = fighter.vitals.meter.saturating_add(meter).clamp(0, most);
    }
}

/// Goes on as if nothing had happened, but for the damage.
fn absorb(fighter: &mut Fighter, impact: &Impact, damage: i32, seat: usize, effects: &mut Effects) {
    let crush = &mut fighter.power_crush;
    let taken = u8::try_from(impact.armoured.count).unwrap_or(u8::MAX);
    crush.hits_left = crush.hits_left.saturating_sub(taken);
    crush.absorbed = crush.absorbed.saturating_add(taken);
    fighter.motion.pushback = impact.recoil;
    let id = EffectId { source: seat as u32, kind: cues::ARMOUR, key: 0 };
    effects.emit(id, [whole(fighter.x()), whole(fighter.y()), damage, 0]);
}

fn reel(data: &WorldData, fighter: &mut Fighter, impact: &Impact, hits: u16, damage: i32) {
    let was_down = fighter.act() == Act::Down;
    let was_stuck = fighter.act() == Act::WallSplat;
    let is_airborne = fighter.is_airborne() || was_stuck;
    count_combo(data, fighter, impact, hits, damage, is_airborne || was_down);
    for status in impact.statuses.into_iter().filter(|status| *status != NameHash::NONE) {
        conditions::put_on(data, fighter, status);
    }
    fighter.lose_poise();
    (fighter.motion.velocity[X], fighter.motion.velocity[Z]) = (Fx::ZERO, Fx::ZERO);
    fighter.juggle.splats_next = u8::from(impact.wall_splat);
    fighter.animation.variant = fighter.rng.below(4) as u8;
    if is_airborne || impact.launch_up > Fx::ZERO {
        let least = if is_airborne { data.rules.air_hit_up } else { Fx::ZERO };
        fighter.motion.velocity[Y] = impact.launch_up.max(least);
        fighter.action.crouching = 0;
        fighter.begin(Act::Launched, 0);
    } else if impact.knockdown || was_down {
        let down_frames = data.character(fighter.identity.character).map_or(1, |c| c.down_frames);
        fighter.action.crouching = 0;
        fighter.begin(Act::Down, down_frames);
    } else {
        fighter.begin(Act::HitStun, impact.hitstun_frames);
    }
}

fn count_combo(data: &WorldData, fighter: &mut Fighter, impact: &Impact, hits: u16, damage: i32, is_juggled: bool) {
    let rules = &data.rules;
    let juggle = &mut fighter.juggle;
    let before = if juggle.combo_hits == 0 { 1_000 } else { i32::from(juggle.scaling) };
    let after = share_of(before, i32::from(impact.scaling)).max(i32::from(rules.scaling_min)).min(1_000);
    juggle.scaling = u16::try_from(after).unwrap_or(1_000);
    juggle.combo_hits = juggle.combo_hits.saturating_add(hits);
    juggle.combo_damage = juggle.combo_damage.saturating_add(damage).clamp(0, 1_000_000);
    if is_juggled || impact.launch_up > Fx::ZERO {
        juggle.points = juggle.points.saturating_add(impact.juggle_cost).min(1_000);
        juggle.gravity_gained = juggle.gravity_gained.saturating_add(impact.gravity_gain).min(rules.gravity_gained_max);
    }
}

/// It is out.
pub(in crate::step) fn knock_out(fighter: &mut Fighter, seat: usize, effects: &mut Effects) {
    fighter.begin(Act::KnockedOut, 0);
    let id = EffectId { source: seat as u32, kind: cues::KNOCK_OUT, key: 0 };
    effects.emit(id, [whole(fighter.x()), whole(fighter.y()), 0, 0]);
}

/// Meter for what a fighter has done or suffered.
pub(in crate::step) fn gain(data: &WorldData, fighter: &mut Fighter, meter: i32) {
    gain_meter(data, fighter, share_of(meter, fighter.attributes.of(Attribute::Meter)));
}
