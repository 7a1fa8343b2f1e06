//! One step of a projectile: where it would go, what it meets on the way, and what that does to it.

use super::contact::{EDGE, Way};
use super::{Body, End, Flight, Impact, MOST, Past, Target};
use crate::reference::units;
use crate::scene::{Lookup, Rule, Stuff};
use snapback_core::{Fx, Vec3};

/// No step has more contacts.
const MOST_CONTACTS: u32 = 8;
/// How far a bounce sets a projectile off, in centimetres: two units.
const SET_OFF: Fx = Fx::from_bits(2 * 400);
/// All of a way or a step.
const ALL: u64 = 1 << 30;

/// Velocity first, then position with it.
#[must_use]
pub(super) fn free(body: Body, gravity: Vec3, step_us: u32) -> Body {
    let micros = i32::try_from(step_us).expect("short");
    let seconds = Fx::from_int(micros) / Fx::from_int(1_000_000);
    let scaled = |it: Vec3| Vec3::new(it.x * seconds, it.y * seconds, it.z * seconds);
    let velocity = body.velocity + scaled(gravity);
    Body { position: body.position + scaled(velocity), velocity }
}

/// What is left of a way that goes against `normal`.
fn thrown_back(way: Vec3, normal: Vec3, kept: Fx) -> Vec3 {
    let along = way.dot(normal);
    if along >= Fx::ZERO {
        return way;
    }
    let factor = along * (Fx::ONE + kept);
    way - Vec3::new(normal.x * factor, normal.y * factor, normal.z * factor)
}

impl Flight<'_> {
    /// Flies one step.
    pub(super) fn step(&mut self, is_catch_up: bool, past: Option<Past>) {
        let length_us = u64::from(self.shot.step_us);
        let start_us = self.time_us;
        let part = |from_us: u64, whole_us: u64, done: u64| {
            from_us + u64::try_from((u128::from(whole_us) * u128::from(done)) >> 30).expect("a part")
        };
        let stepped = free(self.body, self.shot.gravity, self.shot.step_us);
        let mut to = stepped.position;
        self.body.velocity = stepped.velocity;
        let mut done = 0;
        let mut leaving: Option<usize> = None;
        for _ in 0..MOST_CONTACTS {
            let way = Way { from: self.body.position, to };
            let rest = past.map(|past| Past { start_us: part(past.start_us, past.end_us - past.start_us, done), ..past });
            let contact = match self.first_contact(way, is_catch_up, rest, leaving) {
                Ok(Some(contact)) => contact,
                Ok(None) => {
                    self.body.position = to;
                    break;
                }
                Err(end) => {
                    self.end = Some(end);
                    return;
                }
            };
            done += ((ALL - done) * contact.at) >> 30;
            self.time_us = part(start_us, length_us, done);
            self.body.position = way.place(contact.at);
            self.resolve(contact.target, contact.normal);
            if self.end.is_some() {
                return;
            }
            match self.shot.rule {
                Rule::Stop => unreachable!("it is over"),
                Rule::Pierce => {
                    leaving = None;
                    self.pass(contact.target);
                }
                Rule::Bounce(kept) => {
                    let rest = thrown_back(to - self.body.position, contact.normal, kept);
                    match contact.target {
                        Target::Wall { wall, n: 0 } if !self.is_mobile(wall) => {
                            let out = self.way_out(wall, contact.normal, is_catch_up, past.is_some(), leaving.take());
                            match out {
                                Some(place) => self.body.position = place,
                                None => leaving = Some(wall),
                            }
                        }
                        Target::Wall { wall, .. } if !self.is_mobile(wall) => leaving = None,
                        target => {
                            leaving = None;
                            self.pass(target);
                        }
                    }
                    self.body.velocity = thrown_back(self.body.velocity, contact.normal, kept);
                    let Vec3 { x, y, z } = contact.normal;
                    self.body.position += Vec3::new(x * SET_OFF, y * SET_OFF, z * SET_OFF);
                    to = self.body.position + rest;
                }
            }
            if self.end.is_some() {
                return;
            }
            if done == ALL {
                break;
            }
        }
        self.time_us = start_us + length_us;
    }

    /// Whether a collider of the present moves by itself.
    fn is_mobile(&self, wall: usize) -> bool {
        matches!(self.walls[wall].stuff, Stuff::Pawn | Stuff::Projectile)
    }

    /// Whether a hitbox that was hit could be damaged. A filter that wants no others has seen to that.
    fn is_damageable(&self, hitbox: usize, time_us: u64) -> bool {
        let at = self.reference.look_up(&Lookup { hitbox, time_us });
        self.shot.filter.only_damageable || at.is_ok_and(|at| at.attributes.damageable)
    }

    /// Where it touches a wall that it is in, along the normal, if that is less than a metre from here and nothing
    /// else is in between.
    fn way_out(&self, wall: usize, normal: Vec3, is_catch_up: bool, is_past_asked: bool, leaving: Option<usize>) -> Option<Vec3> {
        let metre = Fx::from_int(100);
        let Vec3 { x, y, z } = normal;
        let way = Way { from: self.body.position + Vec3::new(x * metre, y * metre, z * metre), to: self.body.position };
        let [from, to] = [way.from, way.to].map(units::quantise_point);
        if from.iter().any(|it| it.abs() > EDGE) {
            return None;
        }
        let first = self.first_wall(from, to, is_catch_up, is_past_asked, leaving)?;
        match first.target {
            Target::Wall { wall: met, n } if met == wall && n > 0 => Some(way.place(first.at)),
            _ => None,
        }
    }

    fn actor_of(&self, target: Target) -> u64 {
        match target {
            Target::Hitbox { hitbox, .. } => self.reference.tracks[hitbox].as_ref().expect("it was hit").spec.actor,
            Target::Wall { wall, .. } => self.walls[wall].actor,
        }
    }

    /// Handles an impact. Each actor is damaged once, whatever of it is met; mere walls never.
    fn resolve(&mut self, target: Target, normal: Vec3) {
        let (counts_once, may_damage) = match target {
            Target::Hitbox { hitbox, time_us, .. } => (true, self.is_damageable(hitbox, time_us)),
            Target::Wall { wall, .. } => {
                let it = &self.walls[wall];
                let is_in = |team: Option<u16>| team.is_some() && team == it.team;
                let filter = &self.shot.filter;
                let is_protected = filter.spare_own_team && is_in(self.shot.team) || is_in(filter.ignored_team);
                let is_breakable = it.stuff == Stuff::Destructible;
                (it.damageable || is_breakable || self.is_mobile(wall), it.damageable && !is_protected)
            }
        };
        let actor = self.actor_of(target);
        let is_new = counts_once && !self.resolved.contains(&actor);
        if is_new {
            self.resolved.push(actor);
        }
        let number = u32::try_from(self.impacts.len() + 1).expect("few");
        let damage = is_new && may_damage && self.shot.damages;
        self.impacts.push(Impact { time_us: self.time_us, body: self.body, normal, target, number, damage });
        self.end = match self.shot.rule {
            Rule::Stop => Some(End::Stopped),
            _ if number >= self.shot.max_impacts => Some(End::ImpactsUsed),
            _ if self.resolved.len() >= MOST => Some(End::TargetsUsed),
            _ => None,
        };
    }

    /// Takes a target out of the way. Room is kept for the wall that a bounce leaves.
    fn pass(&mut self, target: Target) {
        let actor = self.actor_of(target);
        match target {
            Target::Wall { wall, .. } if !self.is_mobile(wall) => self.passed_walls.push(wall),
            _ if self.passed_actors.contains(&actor) => {}
            _ => self.passed_actors.push(actor),
        }
        if self.passed_actors.len() >= MOST || self.passed_walls.len() + 1 >= MOST {
            self.end = self.end.or(Some(End::TargetsUsed));
        }
    }
}
