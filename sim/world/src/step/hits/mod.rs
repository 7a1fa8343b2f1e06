//! Hits: all are found first, against the state that movement left, and then all are applied. Two
//! attacks that meet in one frame both hit. A throw gives way to a strike: it gets hold only if
//! neither of the two is struck in the same frame.

mod blow;
mod contact;
mod impact;

use super::{BySeat, boxes, holds, shots};
use crate::data::{Kind, WorldData};
use crate::fighter::{Fighter, PROJECTILE_SLOTS};
use crate::view::WorldView;
use crate::{MAX_FIGHTERS, cues};
use contact::Contact;
pub(super) use contact::scaled_damage;
use impact::Impact;
pub(super) use impact::{gain, knock_out};
use snapback_core::Effects;

/// What the frame has found so far.
struct Found<'a> {
    data: &'a WorldData,
    impacts: BySeat<Impact>,
    /// Whom each thrower would get hold of.
    grabs: BySeat<Option<usize>>,
    /// How many hits each projectile has spent.
    spent: BySeat<[u8; PROJECTILE_SLOTS]>,
    hitstop_frames: u16,
    /// One draw a frame, with the first contact: a draw for each would hand numbers out by seat.
    spark: Option<u8>,
}

const SPARKS: u32 = 8;

pub(super) fn resolve(data: &WorldData, state: &mut WorldView, effects: &mut Effects) {
    let mut rng = state.header.rng;
    let mut found = Found {
        data,
        impacts: [Impact::NOTHING; MAX_FIGHTERS],
        grabs: [None; MAX_FIGHTERS],
        spent: [[0; PROJECTILE_SLOTS]; MAX_FIGHTERS],
        hitstop_frames: 0,
        spark: None,
    };
    let fighters = state.fighters();
    for (attacker, from) in fighters.iter().enumerate() {
        if from.hitboxes.active_hit != 0 {
            found.limbs(fighters, attacker, from, &mut rng, effects);
        }
        for slot in 0..PROJECTILE_SLOTS {
            let projectile = &from.projectiles[slot];
            if projectile.is_live() && projectile.pause_frames == 0 {
                found.projectile(fighters, attacker, from, slot, &mut rng, effects);
            }
        }
    }
    let Found { impacts, grabs, spent, hitstop_frames, spark, .. } = found;
    let is_grabbed = grabs.iter().any(Option::is_some);
    let Some(spark) = spark else {
        if is_grabbed {
            holds::grab(data, state.fighters_mut(), &grabs, effects);
        }
        return;
    };
    state.header.rng = rng;
    state.header.rounds.spark = spark;
    for (seat, (fighter, impact)) in state.fighters_mut().iter_mut().zip(&impacts).enumerate() {
        impact::apply(data, fighter, impact, seat, effects);
        for (projectile, hits) in fighter.projectiles.iter_mut().zip(spent[seat]) {
            if hits > 0 {
                let sent = data.character(fighter.identity.character).and_then(|c| shots::sent_by(c, projectile));
                projectile.pause_frames = sent.map_or(1, |sent| sent.pause_frames);
                shots::spend(projectile, hits);
            }
        }
    }
    if is_grabbed {
        holds::grab(data, state.fighters_mut(), &grabs, effects);
    }
    super::stand_still(data, state, hitstop_frames);
}

impl<'a> Found<'a> {
    /// The boxes of the move that `attacker` carries out.
    fn limbs(&mut self, fighters: &[Fighter], attacker: usize, from: &Fighter, rng: &mut snapback_core::Rng, effects: &mut Effects) {
        let data = self.data;
        let Some(own) = data.character(from.identity.character).and_then(|c| boxes::current_move(c, from)) else {
            return;
        };
        for (defender, to) in fighters.iter().enumerate() {
            if from.team() == to.team() || from.hitboxes.reached & (1 << defender) != 0 {
                continue;
            }
            let Some(character) = data.character(to.identity.character) else { continue };
            if !boxes::is_touching(own, from, character, to) {
                continue;
            }
            let direction = match (to.x() - from.x()).signum() {
                0 => from.facing(),
                side => side as i8,
            };
            let source = attacker as u32;
            let contact = Contact { data, attacker, defender, from, to, own, direction, source, hit: from.hitboxes.active_hit };
            if own.kind == Kind::Throw {
                if contact.can_grab() {
                    self.grab(fighters, &contact);
                }
            } else if contact.can_strike(character) {
                self.strike(&contact, rng, effects);
                self.impacts[attacker].reached |= 1 << defender;
            }
        }
    }

    fn projectile(
        &mut self,
        fighters: &[Fighter],
        attacker: usize,
        from: &Fighter,
        slot: usize,
        rng: &mut snapback_core::Rng,
        effects: &mut Effects,
    ) {
        let data = self.data;
        let own = data.character(from.identity.character).and_then(|c| c.find(from.projectiles[slot].move_name));
        let (Some(own), Some(area)) = (own, shots::area(data, from, slot)) else {
            return;
        };
        for (defender, to) in fighters.iter().enumerate() {
            let character = data.character(to.identity.character).filter(|_| from.team() != to.team());
            let Some(character) = character.filter(|c| boxes::is_in_reach(&area, c, to)) else {
                continue;
            };
            let direction = if from.projectiles[slot].facing < 0 { -1 } else { 1 };
            let source = cues::projectile(attacker, slot);
            let contact = Contact { data, attacker, defender, from, to, own, direction, source, hit: 0 };
            if contact.can_strike(character) {
                self.strike(&contact, rng, effects);
                let spent = &mut self.spent[attacker][slot];
                *spent = spent.saturating_add(1);
            }
        }
    }

    fn strike(&mut self, contact: &Contact<'_>, rng: &mut snapback_core::Rng, effects: &mut Effects) {
        let spark = *self.spark.get_or_insert_with(|| rng.below(SPARKS) as u8);
        let blow = contact.blow();
        self.hitstop_frames = self.hitstop_frames.max(contact.own.hitstop_frames);
        self.impacts[contact.defender % MAX_FIGHTERS].suffer(&blow);
        self.impacts[contact.attacker % MAX_FIGHTERS].deal(&blow, contact.hit != 0);
        contact.show(&blow, spark, effects);
    }

    /// Of several whom a throw reaches, it is the nearest.
    fn grab(&mut self, fighters: &[Fighter], contact: &Contact<'_>) {
        let nearness = |seat: usize| fighters.get(seat).map(|to| super::sight::nearness(contact.from, to));
        let grabbed = &mut self.grabs[contact.attacker % MAX_FIGHTERS];
        if grabbed.is_none_or(|before| nearness(contact.defender) < nearness(before)) {
            *grabbed = Some(contact.defender);
        }
    }
}
