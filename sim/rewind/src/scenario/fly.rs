//! Projectiles of a scenario: caught up when the server takes them, then flown tick by tick.

use super::outcome::{Considered, End, PathPoint, ShotOutcome, Strike, StruckThing, Why};
use super::play::{Ghosts, Server, between, point};
use super::shot::{After, Blast, BlastPolicy, Flight as Plan, ImpactRule as Rule, Shot};
use super::why::Leg;
use crate::area::{AreaBlast, AreaScratch, AreaTime, AreaWeapon, CentreRule, LineOfSight, OwnBody, SightRule};
use crate::catchup::{CatchUpObserver, CatchUpWorld, Destroyed, LaunchError, ProjectileCatchUp, ProjectileHost, Spawn};
use crate::fire::{AcceptedFire, FireClamp};
use crate::flight::{
    AfterCatchUp, Ballistics, Body, Flight, FlightCounters, FlightObserver, Gravity, Impact, ImpactRule, ImpactTarget, PathSegment,
    ProjectileSpec, Verdict,
};
use crate::live::{LiveFilter, LiveHit, LiveSweep, LiveWorld, Scene};
use crate::{ActorId, NetRole, RewindHistory, SweepHit, Toi, WorldKind, units};
use core::convert::Infallible;
use snapback_core::{Fx, Vec3};

/// A projectile on its way.
pub(super) struct Flying {
    number: usize,
    fire: AcceptedFire,
    flight: Flight<Gravity>,
    outcome: ShotOutcome,
    ghosts: Ghosts,
}

/// What a flight did, leg by leg.
#[derive(Default)]
struct Trace {
    legs: Vec<Leg>,
    impacts: Vec<(Impact, Toi)>,
    met: Option<Toi>,
    /// The time of the present world.
    now_us: u64,
}

impl Trace {
    fn at(now_us: u64) -> Self {
        Self { now_us, ..Self::default() }
    }
}

impl FlightObserver for Trace {
    fn segment(&mut self, segment: &PathSegment) {
        let PathSegment { from, to, from_us, to_us, target_us, .. } = *segment;
        let (target_from_us, target_to_us) = target_us.unwrap_or((self.now_us, self.now_us));
        self.legs.push(Leg { from, to, from_us, to_us, target_from_us, target_to_us });
    }

    fn met(&mut self, _: &PathSegment, past: Option<&SweepHit>, live: Option<&LiveHit>) {
        self.met = [past.map(|hit| hit.at), live.map(|hit| hit.at)].into_iter().flatten().min();
    }

    fn impact(&mut self, impact: &Impact) {
        if let Some(leg) = self.legs.last_mut() {
            let part = u128::from(impact.time_us.saturating_sub(leg.from_us));
            let whole = u128::from(leg.to_us.saturating_sub(leg.from_us)).max(1);
            let target_us = leg.target_from_us + (u128::from(leg.target_to_us - leg.target_from_us) * part).div_euclid(whole) as u64;
            (leg.to, leg.to_us, leg.target_to_us) = (point(impact.position), impact.time_us, target_us);
        }
        self.impacts.push((*impact, self.met.take().unwrap_or(Toi::END)));
    }
}

impl CatchUpObserver for Trace {}

/// A host that lets everything happen: what happens is in the trace.
struct Nobody;

impl ProjectileHost for Nobody {
    type Projectile = ();
    type Error = Infallible;

    fn begin_spawn(&mut self, _: &Spawn) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_overlap(&mut self, (): (), _: bool) {}

    fn finish_spawn(&mut self, (): (), _: &mut RewindHistory) -> Result<Option<ActorId>, Infallible> {
        Ok(None)
    }

    fn impact(&mut self, (): (), _: &Impact) -> Result<Verdict, Infallible> {
        Ok(Verdict::GoOn)
    }

    fn place(&mut self, (): (), _: &Body, _: u64) -> Result<(), Infallible> {
        Ok(())
    }

    fn destroy(&mut self, (): (), _: Destroyed) {}
}

struct Sight<'a>(&'a Scene);

impl LineOfSight for Sight<'_> {
    fn is_clear(&self, from: Vec3, to: Vec3) -> bool {
        self.0.line_of_sight(from, to, &LiveFilter::default())
    }
}

impl Server<'_> {
    fn spec(&self, shot: &Shot, plan: &Plan) -> ProjectileSpec {
        ProjectileSpec {
            radius: shot.radius,
            muzzle_speed: plan.speed,
            gravity: Vec3::new(Fx::ZERO, -plan.gravity, Fx::ZERO),
            max_impacts: if plan.impact == Rule::Stop { 1 } else { plan.max_impacts },
            team: self.team(shot),
            filter: self.filter(shot),
            on_impact: match plan.impact {
                Rule::Stop => ImpactRule::Stop,
                Rule::Bounce { restitution } => ImpactRule::Bounce { restitution },
                Rule::Pierce => ImpactRule::Pierce,
            },
            damages: true,
            after: match plan.after {
                After::Collapse => AfterCatchUp::Collapse,
                After::Constant => AfterCatchUp::ConstantDelay,
                After::Ramp { over_us } => AfterCatchUp::RampToZero { over_us: over_us as u32 },
            },
            source: 0,
        }
    }

    /// Takes a shot: its projectile is flown from the time of fire to now.
    ///
    /// # Errors
    /// If there is no such flight.
    pub(super) fn launch(
        &mut self,
        number: usize,
        shot: &Shot,
        plan: &Plan,
        fire: AcceptedFire,
        muzzle: Vec3,
        now_us: u64,
    ) -> Result<Flying, LaunchError<Infallible>> {
        let spec = self.spec(shot, plan);
        let catch_up = ProjectileCatchUp::with_windows(self.scenario.tick_us as u32, 0, self.scenario.max_rewind_us)
            .unwrap_or_else(|_| unreachable!("the numbers were read within range"));
        let mut world =
            CatchUpWorld { history: &mut self.history, live: &self.scene, kind: WorldKind::Game, role: NetRole::Authority, now_us };
        let spawn = Spawn { fire, muzzle, spec };
        let (mut trace, mut counters) = (Trace::at(now_us), FlightCounters::default());
        let launched = catch_up.launch(&mut world, &spawn, spec.ballistics(), &mut Nobody, &mut counters, &mut trace)?;
        let target_us = fire.target_us(fire.fire_us).max(now_us.saturating_sub(self.scenario.max_rewind_us));
        let outcome = ShotOutcome {
            shot: number,
            fire_us: fire.fire_us,
            view_delay_us: fire.view_delay_us.into(),
            accepted_us: now_us,
            target_us,
            clamped: target_us != shot.asked_us(),
            clamps: Vec::new(),
            path: vec![PathPoint { time_us: fire.fire_us, target_us, position: point(muzzle) }],
            caught_up_points: 1,
            strikes: Vec::new(),
            blast: None,
            end: End::StillFlying,
            considered: Vec::new(),
            without_rewind: None,
        };
        let radius_units = units::units(shot.radius).unwrap_or(0);
        let ghosts = Ghosts {
            at: vec![self.everybody_at(target_us)],
            culling: Vec::new(),
            recorded: self.recorded(),
            proxies: self.proxies(&trace.legs, radius_units, &self.filter(shot)),
            counters: counters.rewind,
        };
        let mut flying = Flying { number, fire, flight: launched.flight, outcome, ghosts };
        let beyond = self.beyond(&flying, &trace, now_us);
        let whole: Vec<Leg> = trace.legs.iter().chain(&beyond).copied().collect();
        flying.ghosts.culling = self.boxes.cull(fire.shooter, &whole, radius_units, target_us, now_us);
        flying.outcome.without_rewind = self.met_at_present(&whole, &flying, now_us);
        self.note(&mut flying, trace, &beyond);
        flying.outcome.caught_up_points = flying.outcome.path.len();
        Ok(flying)
    }

    /// Flies it to now; whether it is over.
    pub(super) fn fly(&self, flying: &mut Flying, now_us: u64) -> bool {
        let mut counters = FlightCounters::default();
        while flying.flight.end().is_none() && flying.flight.time_us() + self.scenario.tick_us <= now_us {
            let mut trace = Trace::at(now_us);
            let _ = flying
                .flight
                .tick_live(&self.scene, Some(&self.history), &mut counters, &mut trace, &mut |_| Ok::<_, Infallible>(Verdict::GoOn));
            self.note(flying, trace, &[]);
        }
        flying.ghosts.counters.add(&counters.rewind);
        flying.flight.end().is_some()
    }

    /// Where it would have flown on to now, had nothing ended it.
    fn beyond(&self, flying: &Flying, trace: &Trace, now_us: u64) -> Vec<Leg> {
        let mut legs = Vec::new();
        let Some((last, _)) = trace.impacts.last().filter(|_| flying.flight.end().is_some()) else { return legs };
        let mut body = Body { position: last.position, velocity: last.velocity };
        let (ballistics, tick_us) = (flying.flight.spec().ballistics(), self.scenario.tick_us);
        let mut time_us = last.time_us;
        while time_us + tick_us <= now_us {
            let from = point(body.position);
            ballistics.step(&mut body, tick_us as u32);
            let (from_us, to_us) = (time_us, time_us + tick_us);
            let (target_from_us, target_to_us) = (flying.fire.target_us(from_us), flying.fire.target_us(to_us));
            legs.push(Leg { from, to: point(body.position), from_us, to_us, target_from_us, target_to_us });
            time_us = to_us;
        }
        legs
    }

    /// What the way would have met first among those who are there now.
    fn met_at_present(&self, legs: &[Leg], flying: &Flying, now_us: u64) -> Option<StruckThing> {
        let spec = flying.flight.spec();
        let radius_units = units::units(spec.radius).unwrap_or(0);
        // What does not stop at a wall has its walls in its way already.
        let stops = spec.on_impact == ImpactRule::Stop;
        legs.iter()
            .filter_map(|leg| self.met_now(&LiveSweep { from: leg.from, to: leg.to, radius_units }, &spec.filter, now_us))
            .find(|thing| stops || matches!(thing, StruckThing::Hitbox(_)))
    }

    /// Adds what a flight did to what is known of the shot.
    fn note(&self, flying: &mut Flying, trace: Trace, beyond: &[Leg]) {
        let max_rewind_us = self.scenario.max_rewind_us;
        let earliest_us = flying.outcome.accepted_us.saturating_sub(max_rewind_us);
        let legs: Vec<Leg> = trace.legs.iter().flat_map(|leg| leg.split_at_ticks(self.scenario.tick_us, earliest_us)).collect();
        let beyond: Vec<Leg> = beyond.iter().flat_map(|leg| leg.split_at_ticks(self.scenario.tick_us, earliest_us)).collect();
        for leg in &trace.legs {
            let target_us = leg.target_to_us.max(earliest_us);
            flying.outcome.path.push(PathPoint { time_us: leg.to_us, target_us, position: leg.to });
            flying.ghosts.at.push(self.everybody_at(target_us));
        }
        for (impact, at) in &trace.impacts {
            let (thing, target_us) = match &impact.target {
                ImpactTarget::Hitbox { id, historical_us, .. } => (Some(StruckThing::Hitbox(self.place(*id))), *historical_us),
                ImpactTarget::Collider(hit) => (self.thing(hit), trace.now_us),
            };
            let Some(thing) = thing else { continue };
            let position = point(impact.position);
            flying.outcome.strikes.push(Strike {
                thing,
                time_us: impact.time_us,
                target_us,
                at: *at,
                position,
                damages: impact.damage,
                by_blast: false,
            });
        }
        let mut sheltered = Vec::new();
        if flying.flight.end().is_some() && flying.outcome.end == End::StillFlying {
            flying.outcome.end = End::Struck;
            sheltered = self.explode(flying, &trace);
        }
        let shot = &self.scenario.shots[flying.number];
        let radius_units = units::units(shot.radius).unwrap_or(0);
        let filter = self.filter(shot);
        let later = self.consider(&legs, &beyond, radius_units, &filter, &flying.outcome.strikes);
        for one in later {
            match flying.outcome.considered.iter_mut().find(|before| before.hitbox == one.hitbox) {
                None => flying.outcome.considered.push(one),
                Some(before) => *before = merged(*before, one),
            }
        }
        for one in flying.outcome.considered.iter_mut().filter(|one| one.why != Why::Hit && sheltered.contains(&one.hitbox)) {
            one.why = Why::Sheltered;
        }
    }

    /// Adds what the explosion hit, and says what it reached that something stood before.
    fn explode(&self, flying: &mut Flying, trace: &Trace) -> Vec<usize> {
        let shot = &self.scenario.shots[flying.number];
        let super::ShotKind::Projectile(Plan { blast: Some(Blast { radius, policy }), .. }) = shot.kind else { return Vec::new() };
        let Some((impact, _)) = trace.impacts.last() else { return Vec::new() };
        let radius_units = units::units(radius).unwrap_or(0);
        let on = if let ImpactTarget::Hitbox { id, .. } = &impact.target { Some(*id) } else { None };
        let leg = trace.legs.last();
        let blast = AreaBlast {
            shooter: flying.fire.shooter,
            centre: point(impact.position),
            time_us: impact.time_us,
            target_us: leg.map_or(impact.time_us, |leg| leg.target_to_us),
            on,
        };
        let weapon = AreaWeapon {
            radius_units,
            full_units: radius_units / 2,
            time: match policy {
                BlastPolicy::Historical => AreaTime::Historical,
                BlastPolicy::Present => AreaTime::Present,
                BlastPolicy::Hybrid => AreaTime::Hybrid { grace_units: radius_units / 4 },
            },
            centre: CentreRule::Impact,
            sight: SightRule::ToCentre,
            filter: self.filter(shot),
            own: OwnBody::Spared,
        };
        let mut scratch = AreaScratch::default();
        let counters = &mut flying.ghosts.counters;
        // The centre is set off from what was struck, as the host's own would be.
        let centre = point(impact.position + impact.normal);
        let blast = AreaBlast { centre, ..blast };
        flying.outcome.blast = Some((centre, radius_units));
        let mut resolve = |sight: SightRule| {
            let mut hits = Vec::new();
            // Without an answer for that time nobody is hit.
            let _ = AreaWeapon { sight, ..weapon }.resolve(&blast, &self.history, &Sight(&self.scene), &mut scratch, &mut hits, counters);
            hits
        };
        let hits = resolve(SightRule::ToCentre);
        let reached: Vec<usize> = resolve(SightRule::Through).iter().map(|hit| self.place(hit.frame.hitbox)).collect();
        for hit in hits {
            let place = self.place(hit.frame.hitbox);
            let direct = impact.damage && impact.target.actor() == hit.frame.actor;
            if !direct {
                flying.outcome.strikes.push(Strike {
                    thing: StruckThing::Hitbox(place),
                    time_us: impact.time_us,
                    target_us: hit.frame.time_us,
                    at: Toi::END,
                    position: hit.nearest,
                    damages: true,
                    by_blast: true,
                });
            }
        }
        reached
    }
}

impl Flying {
    pub(super) fn with_clamps(mut self, clamps: Vec<FireClamp>) -> Self {
        self.outcome.clamps = clamps;
        self
    }

    pub(super) fn done(self) -> (ShotOutcome, Ghosts) {
        (self.outcome, self.ghosts)
    }
}

/// What is known of one hitbox after another part of the way.
fn merged(before: Considered, later: Considered) -> Considered {
    let rank = |why: Why| match why {
        Why::Hit => 0,
        Why::BehindObstacle | Why::BehindAnother => 1,
        Why::Passed => 2,
        Why::Apart => 3,
        _ => 4,
    };
    let gap = |one: &Considered| one.nearest.map_or(i64::MAX, |nearest| nearest.gap_units);
    let nearest = if gap(&later) < gap(&before) { later.nearest } else { before.nearest };
    let is_better = rank(later.why) < rank(before.why) || before.why == Why::Unknown;
    let why = if is_better { later.why } else { before.why };
    Considered { hitbox: before.hitbox, why, nearest }
}

impl Leg {
    /// In parts, so that targets move in a straight line on each: cut where the targets' time is that of a tick. No target is
    /// looked for before `earliest_us`.
    fn split_at_ticks(&self, tick_us: u64, earliest_us: u64) -> Vec<Self> {
        let whole_us = self.target_to_us.saturating_sub(self.target_from_us);
        let first = self.target_from_us / tick_us + 1;
        let cuts = (first..).map(|tick| tick * tick_us).take_while(|&cut| cut < self.target_to_us);
        let mut times: Vec<u64> = [self.target_from_us].into_iter().chain(cuts).collect();
        times.push(self.target_to_us);
        let part = |time_us: u64| {
            let passed = u128::from(time_us - self.target_from_us);
            let at =
                Toi((passed << 30).checked_div(whole_us.into()).unwrap_or(if time_us == self.target_to_us { 1 << 30 } else { 0 }) as u32);
            let span_us = u128::from(self.to_us - self.from_us);
            (between(self.from, self.to, at), self.from_us + ((span_us * u128::from(at.bits())) >> 30) as u64)
        };
        let mut legs = Vec::new();
        for pair in times.windows(2) {
            let (mut from, to) = (part(pair[0]), part(pair[1]));
            if whole_us == 0 {
                from = (self.from, self.from_us);
            }
            legs.push(Self {
                from: from.0,
                to: to.0,
                from_us: from.1,
                to_us: to.1,
                target_from_us: pair[0].max(earliest_us),
                target_to_us: pair[1].max(earliest_us),
            });
        }
        legs
    }
}
