//! Hits: all are found first, against the state that movement left, and then all are applied. Two
//! attacks that meet in one frame both hit.

use super::boxes;
use crate::cues;
use crate::data::{Guard, MoveData, WorldData};
use crate::fighter::{Act, Fighter, X, Y};
use crate::pad::PadInput;
use crate::view::WorldView;
use crate::{MAX_FIGHTERS, team_of};
use snapback_core::{EffectId, Effects, Fx};

/// A move that touches an enemy whom it has not reached before.
struct Contact<'a> {
    attacker: usize,
    defender: usize,
    from: &'a Fighter,
    to: &'a Fighter,
    own: &'a MoveData,
}

/// What a frame's contacts do to one fighter together. Sums and greatest values, so that the order
/// in which contacts are found does not matter.
#[derive(Clone, Copy)]
struct Impact {
    damage: i32,
    hitstun_frames: u16,
    blockstun_frames: u16,
    pushback: Fx,
    launch_up: Fx,
    meter: i32,
    /// The seats that this fighter's own move reached.
    reached: u8,
    is_hit: bool,
}

const NOTHING: Impact = Impact {
    damage: 0,
    hitstun_frames: 0,
    blockstun_frames: 0,
    pushback: Fx::ZERO,
    launch_up: Fx::ZERO,
    meter: 0,
    reached: 0,
    is_hit: false,
};

/// How fast a fighter who is hit off the ground is thrown up, if the move does not say more.
const AIR_HIT_UP: Fx = Fx::from_int(4);
const SPARKS: u32 = 8;

pub(super) fn resolve(data: &WorldData, state: &mut WorldView, effects: &mut Effects) {
    let mut is_anybody_reached = false;
    for_each_contact(data, state.fighters(), |_| is_anybody_reached = true);
    if !is_anybody_reached {
        return;
    }
    // One draw a frame: a draw for each contact would hand the numbers out by seat.
    let spark = state.header.rng.below(SPARKS) as u8;
    state.header.rounds.spark = spark;

    let mut impacts = [NOTHING; MAX_FIGHTERS];
    for_each_contact(data, state.fighters(), |contact| {
        let blocked = contact.is_guarded();
        let cornered = contact.is_cornered(data.stage.half_width);
        if let Some(impact) = impacts.get_mut(contact.defender) {
            impact.suffer(&contact, blocked, cornered);
        }
        if let Some(impact) = impacts.get_mut(contact.attacker) {
            impact.deal(&contact, blocked, cornered);
        }
        contact.show(blocked, spark, effects);
    });
    for (seat, (fighter, impact)) in state.fighters_mut().iter_mut().zip(impacts).enumerate() {
        let meter_max = data.character(fighter.character).map_or(0, |c| c.meter_max);
        apply(fighter, &impact, meter_max, seat as u32, effects);
    }
}

fn for_each_contact(data: &WorldData, fighters: &[Fighter], mut found: impl FnMut(Contact<'_>)) {
    for (attacker, from) in fighters.iter().enumerate() {
        let own = data.character(from.character).and_then(|c| boxes::current_move(c, from));
        let Some(own) = own.filter(|m| m.is_active(from.action.elapsed_frames)) else {
            continue;
        };
        for (defender, to) in fighters.iter().enumerate() {
            let is_target =
                team_of(attacker) != team_of(defender) && to.act().is_vulnerable() && from.action.reached & (1 << defender) == 0;
            let character = data.character(to.character).filter(|_| is_target);
            if character.is_some_and(|c| boxes::is_touching(own, from, c, to)) {
                found(Contact { attacker, defender, from, to, own });
            }
        }
    }
}

impl Contact<'_> {
    /// The guard is the guard button, or away from the attacker. Which height it stops is the
    /// defender's posture.
    fn is_guarded(&self) -> bool {
        let pad = self.to.input.held;
        let held = pad.holds(PadInput::GUARD) || pad.direction() == self.from.facing();
        let height = match self.own.guard {
            Guard::Any => true,
            Guard::Standing => self.to.action.crouching == 0,
            Guard::Crouching => self.to.action.crouching != 0,
        };
        held && height && self.to.act().can_guard() && !self.to.is_airborne()
    }

    /// Against the wall it is the attacker who gives way.
    fn is_cornered(&self, half_width: Fx) -> bool {
        self.to.x() == self.from.forward(half_width)
    }

    /// What the defender is pushed by, away from the attacker.
    fn pushback(&self, blocked: bool) -> Fx {
        self.from.forward(if blocked { self.own.block_pushback } else { self.own.hit_pushback })
    }

    fn show(&self, blocked: bool, spark: u8, effects: &mut Effects) {
        let (kind, damage) = if blocked { (self.own.cues.block, self.own.block_damage) } else { (self.own.cues.hit, self.own.damage) };
        let id = EffectId { source: self.attacker as u32, kind, key: self.defender as u32 };
        let (x, y) = (super::whole(self.to.x()), super::whole(self.to.y()));
        effects.emit(id, [x, y, damage, i32::from(spark)]);
    }
}

impl Impact {
    fn suffer(&mut self, contact: &Contact<'_>, blocked: bool, cornered: bool) {
        let own = contact.own;
        if blocked {
            self.damage = self.damage.saturating_add(own.block_damage);
            self.blockstun_frames = self.blockstun_frames.max(own.blockstun_frames);
        } else {
            self.is_hit = true;
            self.damage = self.damage.saturating_add(own.damage);
            self.hitstun_frames = self.hitstun_frames.max(own.hitstun_frames);
            self.launch_up = self.launch_up.max(own.launch_up);
        }
        if !cornered {
            self.pushback += contact.pushback(blocked);
        }
    }

    fn deal(&mut self, contact: &Contact<'_>, blocked: bool, cornered: bool) {
        let own = contact.own;
        let meter = if blocked { own.meter_on_block } else { own.meter_on_hit };
        self.meter = self.meter.saturating_add(meter);
        self.reached |= 1 << contact.defender;
        if cornered {
            self.pushback -= contact.pushback(blocked);
        }
    }
}

fn apply(fighter: &mut Fighter, impact: &Impact, meter_max: i32, source: u32, effects: &mut Effects) {
    fighter.vitals.meter = fighter.vitals.meter.saturating_add(impact.meter).clamp(0, meter_max);
    fighter.action.reached |= impact.reached;
    if impact.pushback != Fx::ZERO {
        fighter.motion.pushback = impact.pushback;
    }
    if !impact.is_hit && impact.blockstun_frames == 0 {
        return;
    }
    fighter.vitals.health = fighter.vitals.health.saturating_sub(impact.damage).max(0);
    fighter.motion.velocity[X] = Fx::ZERO;
    let airborne = fighter.is_airborne();
    if impact.is_hit && (airborne || impact.launch_up > Fx::ZERO) {
        let least = if airborne { AIR_HIT_UP } else { Fx::ZERO };
        fighter.motion.velocity[Y] = impact.launch_up.max(least);
        fighter.action.crouching = 0;
        fighter.begin(Act::Launched, 0);
    } else if impact.is_hit {
        fighter.begin(Act::HitStun, impact.hitstun_frames);
    } else {
        fighter.begin(Act::BlockStun, impact.blockstun_frames);
    }
    if fighter.vitals.health == 0 {
        fighter.begin(Act::KnockedOut, 0);
        let id = EffectId { source, kind: cues::KNOCK_OUT, key: 0 };
        effects.emit(id, [super::whole(fighter.x()), super::whole(fighter.y()), 0, 0]);
    }
}
