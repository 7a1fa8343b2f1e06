//! [`Scenario::play`]: a server on a clock of its own that records every tick and takes the shots as they arrive.

use super::boxes::{Boxes, Culled};
use super::fly::Flying;
use super::outcome::{Considered, End, Outcome, PathPoint, ShotOutcome, Strike, StruckThing};
use super::refusal::Refusal;
use super::shot::{Aim, Shot, ShotKind};
use super::why::{Leg, Way};
use super::{Actor, Obstacle, Scenario};
use crate::fire::{AcceptedFire, FireClamp, FireGate, FirePolicy, FireRequest};
use crate::live::{ColliderDesc, ColliderId, ColliderKind, LiveFilter, LiveHit, LiveSweep, LiveWorld, Scene, Solid};
use crate::proxy::{ProxyConfig, ProxyPool};
use crate::{
    ActorId, ComponentId, HitboxDesc, HitboxFrame, HitboxId, HitboxSample, MatchTeam, NetRole, Point, QueryBounds, QueryFilter,
    RewindConfig, RewindCounters, RewindHistory, Sampled, Sweep, SweepHit, Toi, TooOld, WorldKind, units,
};
use snapback_core::{Angle, Fx, NameHash, Quat, Vec3};

/// What came of a scenario, and everything to look at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// What came of every shot.
    pub outcome: Outcome,
    /// Everybody at every tick.
    pub film: Film,
    /// For every shot, everybody where the shot saw them.
    pub ghosts: Vec<Ghosts>,
}

/// Everybody at every tick, as they were at that time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Film {
    /// The time of each tick, and every hitbox in the order of the file; nothing for one that is not there.
    pub ticks: Vec<(u64, Vec<Option<HitboxFrame>>)>,
}

/// Everybody where a shot saw them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ghosts {
    /// For every point of the shot's path, every hitbox in the order of the file.
    pub at: Vec<Vec<Option<HitboxFrame>>>,
    /// For every hitbox, what culling makes of it; nothing for one that was not there.
    pub culling: Vec<Option<Culled>>,
    /// For every hitbox, its oldest and newest recorded time when the server took the shot.
    pub recorded: Vec<Option<(u64, u64)>>,
    /// Hitboxes that a host with proxies would have activated for this shot until it was taken.
    pub proxies: Vec<usize>,
    /// What the server's queries for this shot counted.
    pub counters: RewindCounters,
}

/// The server.
pub(super) struct Server<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) history: RewindHistory,
    /// Everybody now, as they truly are: their newest sample may be older.
    present: RewindHistory,
    /// The present world: obstacles, and everybody's hitboxes, upright.
    pub(super) scene: Scene,
    /// Every hitbox: its actor, and its ids in both histories once it was there.
    hitboxes: Vec<Registered>,
    pub(super) boxes: Boxes,
    gate: FireGate,
}

#[derive(Clone, Copy, Debug)]
struct Registered {
    actor: usize,
    within: usize,
    desc: HitboxDesc,
    past: Option<HitboxId>,
    now: Option<HitboxId>,
    collider: Option<ColliderId>,
}

/// A hitbox of either history as it is at `time_us`.
fn sample_of(scenario: &Scenario, desc: &HitboxDesc, hitboxes: &[Registered], time_us: u64) -> Option<HitboxSample> {
    let registered = hitboxes.get((desc.component.0).checked_sub(1)? as usize)?;
    let actor = &scenario.actors[registered.actor];
    actor.stand(time_us)?.sample(&actor.hitboxes[registered.within])
}

fn id_of_actor(actor: usize) -> ActorId {
    ActorId(actor as u64 + 1)
}

impl Scenario {
    /// Plays it: the same every time, on every machine.
    #[must_use]
    pub fn play(&self) -> Played {
        let mut server = Server::new(self);
        let mut played = Played { outcome: Outcome::default(), film: Film::default(), ghosts: Vec::new() };
        let mut waiting: Vec<usize> = (0..self.shots.len()).collect();
        waiting.sort_by_key(|&shot| (self.shots[shot].arrives_us, shot));
        let mut taken: Vec<(ShotOutcome, Ghosts)> = Vec::new();
        let mut flying: Vec<Flying> = Vec::new();
        let ticks = self.duration_us / self.tick_us;
        for now_us in (0..=ticks).map(|tick| tick * self.tick_us) {
            server.tick(now_us);
            played.film.ticks.push((now_us, server.everybody_now(now_us)));
            let (over, still): (Vec<_>, Vec<_>) =
                flying.into_iter().map(|mut one| (server.fly(&mut one, now_us), one)).partition(|one| one.0);
            taken.extend(over.into_iter().map(|(_, one)| one.done()));
            flying = still.into_iter().map(|(_, one)| one).collect();
            while let Some(&shot) = waiting.first().filter(|&&shot| self.shots[shot].arrives_us <= now_us) {
                waiting.remove(0);
                match server.take(shot, now_us) {
                    Taken::Over(outcome, ghosts) => taken.push((*outcome, *ghosts)),
                    Taken::Flying(one) => flying.push(*one),
                }
            }
        }
        taken.extend(flying.into_iter().map(Flying::done));
        let over_us = ticks * self.tick_us;
        taken.extend(waiting.into_iter().map(|shot| server.refused(shot, over_us, Refusal::Over)));
        taken.sort_by_key(|(outcome, _)| outcome.shot);
        (played.outcome.shots, played.ghosts) = taken.into_iter().unzip();
        played
    }
}

/// What becomes of a shot when the server takes it.
enum Taken {
    Over(Box<ShotOutcome>, Box<Ghosts>),
    Flying(Box<Flying>),
}

impl<'a> Server<'a> {
    fn new(scenario: &'a Scenario) -> Self {
        let hitboxes: Vec<Registered> = scenario
            .hitboxes()
            .enumerate()
            .map(|(at, (actor, owner, hitbox))| Registered {
                actor,
                within: owner.hitboxes.iter().position(|other| other.name == hitbox.name).unwrap_or(0),
                desc: HitboxDesc {
                    actor: id_of_actor(actor),
                    component: ComponentId(at as u64 + 1),
                    name: NameHash::of(&hitbox.name),
                    region: NameHash::of(&hitbox.region),
                    projectile: hitbox.projectile,
                    client_only: false,
                    cadence: hitbox.cadence,
                },
                past: None,
                now: None,
                collider: None,
            })
            .collect();
        let history = |max_ticks: usize| {
            let config = RewindConfig {
                max_hitboxes: hitboxes.len().max(1),
                max_ticks,
                max_rewind_us: scenario.max_rewind_us,
                ..RewindConfig::default()
            };
            RewindHistory::new(config, WorldKind::Game, NetRole::Authority)
                .unwrap_or_else(|_| unreachable!("the numbers were read within range"))
        };
        let max_ticks = (scenario.max_rewind_us / scenario.tick_us + 3).clamp(4, 1_024) as usize;
        let mut scene = Scene::new(scenario.obstacles.len() + hitboxes.len());
        for (place, obstacle) in scenario.obstacles.iter().enumerate() {
            // There is room, and everything is within the world.
            let _ = obstacle.collider(place).map(|desc| scene.add(desc));
        }
        let policy = FirePolicy {
            max_rewind_us: scenario.max_rewind_us,
            max_view_delay_us: scenario.max_view_delay_us as u32,
            ..FirePolicy::default()
        };
        let boxes = Boxes::new(hitboxes.len(), scenario.max_rewind_us, scenario.tick_us);
        let mut gate = FireGate::new(policy, scenario.actors.len()).unwrap_or_else(|_| unreachable!("the numbers were read within range"));
        for actor in 0..scenario.actors.len() {
            // Each is there once, and there is room.
            let _ = gate.admit(id_of_actor(actor), None, 0);
        }
        Self { scenario, history: history(max_ticks), present: history(2), scene, hitboxes, boxes, gate }
    }

    fn tick(&mut self, now_us: u64) {
        let Self { scenario, history, present, hitboxes, .. } = self;
        let mut source = |_: HitboxId, desc: &HitboxDesc| match sample_of(scenario, desc, hitboxes, now_us) {
            Some(sample) => Sampled::Here(sample),
            None => Sampled::Gone,
        };
        // Ticks go forward, and this is authority.
        let _ = history.record_tick(now_us, &mut source);
        let _ = present.record_tick(now_us, &mut source);
        for at in 0..hitboxes.len() {
            let registered = hitboxes[at];
            let actor = &scenario.actors[registered.actor];
            if registered.past.is_none() && actor.born_us() <= now_us {
                let Some(first) = sample_of(scenario, &registered.desc, hitboxes, now_us) else { continue };
                let every_tick = HitboxDesc { cadence: crate::Cadence::EveryServerTick, ..registered.desc };
                hitboxes[at].past = history.register(registered.desc, first).ok();
                hitboxes[at].now = present.register(every_tick, first).ok();
            }
            if actor.dies_us().is_some_and(|dies_us| dies_us <= now_us) {
                if let Some(id) = hitboxes[at].past {
                    history.retire(id);
                }
                if let Some(id) = hitboxes[at].now {
                    present.unregister(id);
                }
            }
        }
        for at in 0..self.hitboxes.len() {
            self.put_into_scene(at, now_us);
        }
    }

    /// What the present world has of a hitbox: a ball or an upright capsule.
    fn put_into_scene(&mut self, at: usize, now_us: u64) {
        let registered = self.hitboxes[at];
        let alive = registered.now.and_then(|id| self.present.frame_at(id, now_us, &mut RewindCounters::default()).ok());
        if let Some(frame) = &alive {
            self.boxes.record(at, registered.desc.cadence, frame);
        }
        let desc = alive.and_then(|frame| {
            Some(ColliderDesc {
                actor: frame.actor,
                kind: if frame.projectile { ColliderKind::Projectile } else { ColliderKind::Pawn },
                team: frame.team,
                damageable: frame.damageable,
                lag_comp_ignore: false,
                solid: Solid::capsule(frame.radius, frame.half_height).ok()?,
                place: frame.centre,
            })
        });
        let known = registered.collider.and_then(|id| self.scene.get(id).copied());
        if known == desc {
            return;
        }
        self.hitboxes[at].collider = match (desc, known, registered.collider) {
            (Some(desc), Some(known), Some(id)) if ColliderDesc { place: desc.place, ..known } == desc => {
                self.scene.place(id, desc.place).ok().map(|()| id)
            }
            (desc, _, id) => {
                id.map(|id| self.scene.remove(id));
                desc.and_then(|desc| self.scene.add(desc).ok())
            }
        };
    }

    fn everybody_now(&self, now_us: u64) -> Vec<Option<HitboxFrame>> {
        let frame = |registered: &Registered| self.present.frame_at(registered.now?, now_us, &mut RewindCounters::default()).ok();
        self.hitboxes.iter().map(frame).collect()
    }

    pub(super) fn everybody_at(&self, time_us: u64) -> Vec<Option<HitboxFrame>> {
        let frame = |registered: &Registered| self.history.frame_at(registered.past?, time_us, &mut RewindCounters::default()).ok();
        self.hitboxes.iter().map(frame).collect()
    }

    /// The place of a hitbox in the file.
    pub(super) fn place(&self, id: HitboxId) -> usize {
        self.hitboxes.iter().position(|registered| registered.past == Some(id)).unwrap_or(usize::MAX)
    }

    pub(super) fn filter(&self, shot: &Shot) -> QueryFilter {
        QueryFilter {
            ignore_actor: Some(id_of_actor(shot.shooter)),
            own_team: self.team(shot),
            ignore_same_team: !shot.friendly_fire,
            only_damageable: !shot.hits_undamageable,
            include_projectiles: shot.hits_projectiles,
            ..QueryFilter::default()
        }
    }

    pub(super) fn team(&self, shot: &Shot) -> MatchTeam {
        let shooter = &self.scenario.actors[shot.shooter];
        let key = shooter.keys.iter().rfind(|key| key.time_us <= shot.fire_us);
        key.map_or(shooter.team, |key| key.team)
    }

    /// Where a shot begins and where it is aimed; local z is forward.
    pub(super) fn aim(&self, shot: &Shot, seen_us: u64) -> (Vec3, Quat) {
        let shooter: &Actor = &self.scenario.actors[shot.shooter];
        let muzzle = shooter.stand(shot.fire_us).map_or(Vec3::ZERO, |stand| stand.muzzle(shooter));
        let direction = match &shot.aim {
            Aim::Point(point) => *point - muzzle,
            Aim::Direction(direction) => *direction,
            Aim::Seen { actor, hitbox, offset } => {
                let actor = &self.scenario.actors[*actor];
                let middle = actor.stand(seen_us).and_then(|stand| stand.sample(&actor.hitboxes[*hitbox]));
                middle.map_or(Vec3::Z, |sample| sample.position.to_vec3() + *offset - muzzle)
            }
        };
        (muzzle, looking(direction))
    }

    fn take(&mut self, number: usize, now_us: u64) -> Taken {
        let shot = &self.scenario.shots[number];
        let (muzzle, rotation) = self.aim(shot, shot.asked_us());
        // Shots of a shooter count up in the order of the file.
        let earlier = self.scenario.shots.iter().take(number).filter(|other| other.shooter == shot.shooter).count();
        let request = FireRequest::new(earlier as u32 + 1, rotation, shot.fire_us, shot.view_delay_us as u32);
        let before = *self.gate.counters();
        let accepted = match request {
            Ok(request) => self.gate.accept(now_us, id_of_actor(shot.shooter), &request).map_err(Refusal::Gate),
            Err(reason) => Err(Refusal::Request(reason)),
        };
        let counted = |claim: &FireClamp| self.gate.counters().clamps(*claim) > before.clamps(*claim);
        let clamps: Vec<FireClamp> = FireClamp::ALL.into_iter().filter(counted).collect();
        let taken = accepted.and_then(|fire| match &shot.kind {
            ShotKind::Hitscan { range } => {
                let (outcome, ghosts) = self.hitscan(number, shot, *range, &fire, muzzle, now_us);
                Ok(Taken::Over(Box::new(ShotOutcome { clamps, ..outcome }), Box::new(ghosts)))
            }
            ShotKind::Projectile(plan) => {
                let one = self.launch(number, shot, plan, fire, muzzle, now_us).map_err(Refusal::Launch)?;
                Ok(Taken::Flying(Box::new(one.with_clamps(clamps))))
            }
        });
        taken.unwrap_or_else(|reason| {
            let (outcome, ghosts) = self.refused(number, now_us, reason);
            Taken::Over(Box::new(outcome), Box::new(ghosts))
        })
    }

    fn refused(&self, number: usize, now_us: u64, reason: Refusal) -> (ShotOutcome, Ghosts) {
        let shot = &self.scenario.shots[number];
        let outcome = ShotOutcome {
            shot: number,
            fire_us: shot.fire_us,
            view_delay_us: shot.view_delay_us,
            accepted_us: now_us,
            target_us: shot.asked_us(),
            clamped: false,
            clamps: Vec::new(),
            path: Vec::new(),
            caught_up_points: 0,
            strikes: Vec::new(),
            blast: None,
            end: End::Refused(reason),
            considered: Vec::new(),
            without_rewind: None,
        };
        (
            outcome,
            Ghosts { at: Vec::new(), culling: Vec::new(), recorded: Vec::new(), proxies: Vec::new(), counters: RewindCounters::default() },
        )
    }

    /// A ray: everything stands where it was at one time.
    fn hitscan(&self, number: usize, shot: &Shot, range: Fx, fire: &AcceptedFire, muzzle: Vec3, now_us: u64) -> (ShotOutcome, Ghosts) {
        let believed_us = fire.target_us(fire.fire_us);
        let target_us = believed_us.max(now_us.saturating_sub(self.scenario.max_rewind_us));
        let from = point(muzzle);
        let to = point(muzzle + fire.rotation.rotate(Vec3::new(Fx::ZERO, Fx::ZERO, range)));
        let radius_units = units::units(shot.radius).unwrap_or(0);
        let filter = self.filter(shot);
        let mut counters = RewindCounters::default();
        let at = |time_us: u64| Sweep { from, to, radius_units, from_us: time_us, to_us: time_us, too_old: TooOld::Clamp };
        let hit = self.history.sweep(&at(believed_us), &filter, &mut counters).ok().flatten();
        let live = LiveSweep { from, to, radius_units };
        let (end_toi, strike) = self.first_of(hit, &live);
        let ended = between(from, to, end_toi);
        let leg = |from: Point, to: Point| Leg {
            from,
            to,
            from_us: fire.fire_us,
            to_us: fire.fire_us,
            target_from_us: target_us,
            target_to_us: target_us,
        };
        let strikes: Vec<Strike> = strike
            .map(|thing| Strike {
                thing,
                time_us: fire.fire_us,
                target_us: if matches!(thing, StruckThing::Hitbox(_)) { target_us } else { now_us },
                at: end_toi,
                position: ended,
                damages: true,
                by_blast: false,
            })
            .into_iter()
            .collect();
        let beyond = if strikes.is_empty() { vec![] } else { vec![leg(ended, to)] };
        let considered = self.consider(&[leg(from, ended)], &beyond, radius_units, &filter, &strikes);
        let path_point = |position: Point| PathPoint { time_us: fire.fire_us, target_us, position };
        let outcome = ShotOutcome {
            shot: number,
            fire_us: fire.fire_us,
            view_delay_us: fire.view_delay_us.into(),
            accepted_us: now_us,
            target_us,
            clamped: target_us != shot.asked_us(),
            clamps: Vec::new(),
            path: vec![path_point(from), path_point(ended)],
            caught_up_points: 2,
            blast: None,
            end: if strikes.is_empty() { End::OutOfRange } else { End::Struck },
            strikes,
            considered,
            without_rewind: self.met_now(&live, &filter, now_us),
        };
        let at = vec![self.everybody_at(target_us); 2];
        let ghosts = Ghosts {
            at,
            culling: self.boxes.cull(fire.shooter, &[leg(from, to)], radius_units, target_us, now_us),
            recorded: self.recorded(),
            proxies: self.proxies(&[leg(from, ended)], radius_units, &filter),
            counters,
        };
        (outcome, ghosts)
    }

    /// The nearer of what was met in the past and what stands in the way at present; of two at the same time, the obstacle.
    fn first_of(&self, hit: Option<SweepHit>, sweep: &LiveSweep) -> (Toi, Option<StruckThing>) {
        let hit = hit.map(|hit| (hit.at, StruckThing::Hitbox(self.place(hit.hitbox))));
        let filter = LiveFilter { skip_lag_comp_ignore: true, ..LiveFilter::default() };
        let obstacle = self.scene.sweep(sweep, &filter).and_then(|hit| Some((hit.at, self.thing(&hit)?)));
        let first = match (hit, obstacle) {
            (Some(hit), Some(obstacle)) => Some(if hit.0 < obstacle.0 { hit } else { obstacle }),
            (hit, obstacle) => hit.or(obstacle),
        };
        first.map_or((Toi::END, None), |(at, thing)| (at, Some(thing)))
    }

    /// What a way meets first among everybody who is there now.
    pub(super) fn met_now(&self, way: &LiveSweep, filter: &QueryFilter, now_us: u64) -> Option<StruckThing> {
        let LiveSweep { from, to, radius_units } = *way;
        let sweep = Sweep { from, to, radius_units, from_us: now_us, to_us: now_us, too_old: TooOld::Fail };
        let hit = self.history.sweep(&sweep, filter, &mut RewindCounters::default()).ok().flatten();
        self.first_of(hit, way).1
    }

    /// What a collider of the present world is.
    pub(super) fn thing(&self, hit: &LiveHit) -> Option<StruckThing> {
        if let Some(place) = Obstacle::place_of(hit.actor) {
            return Some(StruckThing::Obstacle(place));
        }
        self.hitboxes.iter().position(|registered| registered.collider == Some(hit.collider)).map(StruckThing::Hitbox)
    }

    pub(super) fn consider(
        &self,
        legs: &[Leg],
        beyond: &[Leg],
        radius_units: i32,
        filter: &QueryFilter,
        strikes: &[Strike],
    ) -> Vec<Considered> {
        let at_hitbox = matches!(strikes.last(), Some(Strike { thing: StruckThing::Hitbox(_), .. }));
        let way = Way { legs, beyond, at_hitbox, radius_units, filter };
        let mut all = Vec::new();
        for (at, registered) in self.hitboxes.iter().enumerate() {
            let Some(id) = registered.past else { continue };
            let is_hit = strikes.iter().any(|strike| strike.thing == StruckThing::Hitbox(at));
            all.push(way.consider(&self.history, id, at, is_hit));
        }
        all
    }

    /// For whom proxies are activated along a way, in the order of the file.
    pub(super) fn proxies(&self, legs: &[Leg], radius_units: i32, filter: &QueryFilter) -> Vec<usize> {
        let count = self.hitboxes.len();
        let mut pool = ProxyPool::new(ProxyConfig { spheres: count, capsules: count });
        let mut places = Vec::new();
        for leg in legs {
            let Ok(bounds) = QueryBounds::segment(leg.from, leg.to, radius_units) else { continue };
            let built = pool.build(&self.history, leg.target_to_us, filter, &bounds, &mut RewindCounters::default());
            if built.is_ok() {
                places.extend(pool.active().map(|(_, frame)| self.place(frame.hitbox)));
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    pub(super) fn recorded(&self) -> Vec<Option<(u64, u64)>> {
        let span = |registered: &Registered| self.history.span(registered.past?).map(|span| (span.oldest_us, span.newest_us));
        self.hitboxes.iter().map(span).collect()
    }
}

/// Where a way is at a time of impact.
pub(super) fn between(from: Point, to: Point, at: Toi) -> Point {
    let part =
        |from: i32, to: i32| (i64::from(from) + (((i64::from(to) - i64::from(from)) * i64::from(at.bits()) + (1 << 29)) >> 30)) as i32;
    Point { x: part(from.x, to.x), y: part(from.y, to.y), z: part(from.z, to.z) }
}

/// The nearest point. Nothing of a scenario is out of the world.
pub(super) fn point(position: Vec3) -> Point {
    Point::of(position).unwrap_or_default()
}

/// The rotation that turns z to `direction`.
fn looking(direction: Vec3) -> Quat {
    let across = Vec3::new(direction.x, Fx::ZERO, direction.z).length();
    let (yaw, pitch) = (Angle::atan2(direction.x, direction.z), Angle::atan2(-direction.y, across));
    (Quat::from_axis_angle(Vec3::Y, yaw) * Quat::from_axis_angle(Vec3::X, pitch)).normalise()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_is_turned_to_where_the_shot_is_aimed() {
        for (x, y, z) in [(0, 0, 100), (100, 0, 0), (-30, 40, 0), (7, -90, -3), (0, 100, 0), (-5, -5, 5)] {
            let direction = Vec3::from_ints(x, y, z).normalise().unwrap();
            let turned = looking(direction).rotate(Vec3::Z);
            assert!(turned.distance(direction) < Fx::from_bits(16), "{direction:?} {turned:?}");
        }
    }
}
