//! Hits: all are found first, against the state that movement left, and then all are applied. Two
//! attacks that meet in one frame both hit.

use super::BySeat;
use super::boxes;
use crate::cues;
use crate::data::{Guard, MoveData, WorldData};
use crate::fighter::{Act, Fighter, X, Y};
use crate::pad::PadInput;
use crate::view::WorldView;
use crate::{MAX_FIGHTERS, team_of};
use snapback_core::{EffectId, Effects, Fx};

/// What a frame's attacks do to one fighter together. Sums and greatest values, so that the order
/// in which attacks are found does not matter.
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
    if !is_anybody_reached(data, state.fighters()) {
        return;
    }
    // One draw a frame: a draw for each hit would hand the numbers out by seat.
    let spark = state.header.rng.below(SPARKS) as u8;
    state.header.rounds.spark = spark;
    let mut impacts = [NOTHING; MAX_FIGHTERS];
    for_each_contact(data, state.fighters(), |attacker, defender, own| {
        let fighters = state.fighters();
        let (Some(from), Some(to)) = (fighters.get(attacker), fighters.get(defender)) else {
            return;
        };
        let blocked = is_guarded(from, to, own);
        add(
            &mut impacts,
            attacker,
            defender,
            own,
            from,
            to,
            blocked,
            data.stage.half_width,
        );
        let kind = if blocked {
            own.cues.block
        } else {
            own.cues.hit
        };
        let damage = if blocked {
            own.block_damage
        } else {
            own.damage
        };
        let id = EffectId {
            source: attacker as u32,
            kind,
            key: defender as u32,
        };
        effects.emit(
            id,
            [
                super::whole(to.x()),
                super::whole(to.y()),
                damage,
                i32::from(spark),
            ],
        );
    });
    for (seat, (fighter, impact)) in state.fighters_mut().iter_mut().zip(impacts).enumerate() {
        let meter_max = data.character(fighter.character).map_or(0, |c| c.meter_max);
        apply(fighter, &impact, meter_max, seat as u32, effects);
    }
}

fn is_anybody_reached(data: &WorldData, fighters: &[Fighter]) -> bool {
    let mut any = false;
    for_each_contact(data, fighters, |_, _, _| any = true);
    any
}

/// Calls `found` with attacker, defender and move for every attack that touches an enemy whom it
/// has not reached before.
fn for_each_contact(
    data: &WorldData,
    fighters: &[Fighter],
    mut found: impl FnMut(usize, usize, &MoveData),
) {
    for (attacker, from) in fighters.iter().enumerate() {
        let own = data
            .character(from.character)
            .and_then(|c| boxes::current_move(c, from));
        let Some(own) = own.filter(|m| m.is_active(from.action.elapsed_frames)) else {
            continue;
        };
        for (defender, to) in fighters.iter().enumerate() {
            let is_target = team_of(attacker) != team_of(defender)
                && to.act().is_vulnerable()
                && from.action.reached & (1 << defender) == 0;
            if is_target
                && data
                    .character(to.character)
                    .is_some_and(|c| boxes::is_touching(own, from, c, to))
            {
                found(attacker, defender, own);
            }
        }
    }
}

/// The guard is the guard button, or away from the attacker. Which height it stops is the
/// defender's posture.
fn is_guarded(attacker: &Fighter, defender: &Fighter, own: &MoveData) -> bool {
    let pad = defender.input.held;
    let held = pad.holds(PadInput::GUARD) || pad.direction() == attacker.facing();
    let height = match own.guard {
        Guard::Any => true,
        Guard::Standing => defender.action.crouching == 0,
        Guard::Crouching => defender.action.crouching != 0,
    };
    held && height && defender.act().can_guard() && !defender.is_airborne()
}

#[allow(clippy::too_many_arguments, reason = "one contact, taken apart")]
fn add(
    impacts: &mut BySeat<Impact>,
    attacker: usize,
    defender: usize,
    own: &MoveData,
    from: &Fighter,
    to: &Fighter,
    blocked: bool,
    half_width: Fx,
) {
    let pushback = if blocked {
        own.block_pushback
    } else {
        own.hit_pushback
    };
    let away = from.forward(pushback);
    // Against the wall the attacker is the one who gives way.
    let wall = if from.facing() < 0 {
        -half_width
    } else {
        half_width
    };
    let is_cornered = to.x() == wall;
    if let Some(impact) = impacts.get_mut(defender) {
        if blocked {
            impact.damage = impact.damage.saturating_add(own.block_damage);
            impact.blockstun_frames = impact.blockstun_frames.max(own.blockstun_frames);
        } else {
            impact.is_hit = true;
            impact.damage = impact.damage.saturating_add(own.damage);
            impact.hitstun_frames = impact.hitstun_frames.max(own.hitstun_frames);
            impact.launch_up = impact.launch_up.max(own.launch_up);
        }
        if !is_cornered {
            impact.pushback += away;
        }
    }
    if let Some(impact) = impacts.get_mut(attacker) {
        impact.meter = impact.meter.saturating_add(if blocked {
            own.meter_on_block
        } else {
            own.meter_on_hit
        });
        impact.reached |= 1 << defender;
        if is_cornered {
            impact.pushback -= away;
        }
    }
}

fn apply(
    fighter: &mut Fighter,
    impact: &Impact,
    meter_max: i32,
    source: u32,
    effects: &mut Effects,
) {
    fighter.vitals.meter = fighter
        .vitals
        .meter
        .saturating_add(impact.meter)
        .clamp(0, meter_max);
    fighter.action.reached |= impact.reached;
    if impact.pushback != Fx::ZERO {
        fighter.motion.pushback = impact.pushback;
    }
    if !impact.is_hit && impact.blockstun_frames == 0 {
        return;
    }
    fighter.vitals.health = fighter.vitals.health.saturating_sub(impact.damage).max(0);
    let airborne = fighter.is_airborne();
    fighter.motion.velocity[X] = Fx::ZERO;
    if impact.is_hit && (airborne || impact.launch_up > Fx::ZERO) {
        fighter.motion.velocity[Y] =
            impact
                .launch_up
                .max(if airborne { AIR_HIT_UP } else { Fx::ZERO });
        fighter.action.crouching = 0;
        fighter.begin(Act::Launched, 0);
    } else if impact.is_hit {
        fighter.begin(Act::HitStun, impact.hitstun_frames);
    } else {
        fighter.begin(Act::BlockStun, impact.blockstun_frames);
    }
    if fighter.vitals.health == 0 {
        fighter.begin(Act::KnockedOut, 0);
        let id = EffectId {
            source,
            kind: cues::KNOCK_OUT,
            key: 0,
        };
        effects.emit(
            id,
            [super::whole(fighter.x()), super::whole(fighter.y()), 0, 0],
        );
    }
}
