//! One number for all that this crate computes, the same in every profile and on every machine.
//!
//! A seeded world runs for a second. After each tick everything is asked that there is to ask, and
//! every number of every answer goes into a CRC-32. Where it differs from the stored one, something
//! computes other bits, or the page `docs/model.md` has changed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use core::convert::Infallible;
use snapback_core::{Angle, Fx, NameHash, Quat, Rng, Vec3, crc32};
use snapback_rewind::actor::{ActorRewind, Body as ActorBody, MovementMode, RewindRules, RewindSpeed};
use snapback_rewind::area::{AreaBlast, AreaHit, AreaScratch, AreaTime, AreaWeapon, CentreRule, OwnBody, SightRule};
use snapback_rewind::catchup::{CatchUpWorld, Destroyed, ProjectileCatchUp, ProjectileHost, Spawn};
use snapback_rewind::cull::{Aabb, BoundsConfig, BoundsHistory, BoundsId, CullByPath, Culler, PendingRewind, Window};
use snapback_rewind::fire::AcceptedFire;
use snapback_rewind::flight::{AfterCatchUp, Body, FlightCounters, Impact, ImpactRule, ImpactTarget, ProjectileSpec, Verdict};
use snapback_rewind::live::{ColliderDesc, ColliderKind, LiveFilter, Scene, Sight, Solid};
use snapback_rewind::*;

/// Numbers of answers as a CRC-32, and how many hits there were among them.
struct Digest(u32, u32);

impl Digest {
    fn numbers(&mut self, numbers: impl IntoIterator<Item = i64>) {
        for number in numbers {
            self.0 = crc32(self.0, &number.to_le_bytes());
        }
    }

    fn vectors<const N: usize>(&mut self, vectors: [Vec3; N]) {
        self.numbers(vectors.iter().flat_map(|it| [it.x, it.y, it.z]).map(Fx::to_bits));
    }

    fn frame(&mut self, frame: &HitboxFrame) {
        self.numbers([frame.time_us as i64, frame.hitbox.index().into(), frame.actor.0 as i64, frame.state_flags.into()]);
        self.numbers(frame.centre.to_array().map(i64::from));
        self.numbers(frame.half_axis.map(i64::from));
        self.numbers(frame.rotation.to_bits().map(i64::from));
        self.numbers([frame.radius, frame.half_height, frame.broadphase_radius].map(Fx::to_bits));
    }

    fn hit(&mut self, answer: Result<Option<SweepHit>, QueryError>) {
        match answer {
            Ok(Some(hit)) => {
                self.1 += 1;
                self.numbers([hit.hitbox.index(), hit.at.bits(), hit.at_in_piece.bits(), hit.piece].map(i64::from));
                self.numbers([hit.target_us as i64]);
                self.numbers(hit.offset.map(i64::from));
                self.vectors([hit.normal().unwrap_or_default()]);
            }
            Ok(None) => self.numbers([-1]),
            Err(_) => self.numbers([-2]),
        }
    }
}

struct Dice(Rng);

impl Dice {
    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.0.below((high - low) as u32 + 1) as i32
    }

    fn point(&mut self, around: Point, reach: i32) -> Point {
        Point::from_array(around.to_array().map(|at| at + self.between(-reach, reach)))
    }

    fn vector(&mut self, reach_cm: i32) -> Vec3 {
        let mut lane = || Fx::from_bits(i64::from(self.between(-(reach_cm << 8), reach_cm << 8)) << 8);
        Vec3::new(lane(), lane(), lane())
    }

    fn rotation(&mut self) -> Quat {
        Quat::from_axis_angle(self.vector(100), Angle::from_bits(self.0.next_u32()))
    }
}

/// Whoever is in the world.
struct Walker {
    id: HitboxId,
    bounds: BoundsId,
    life: Life,
}

/// Each turns, walks, crouches, and now and then is elsewhere.
struct Life {
    actor: u64,
    at: Point,
    step: [i32; 3],
    rotation: Quat,
    turn: Quat,
    epoch: u32,
}

impl Life {
    fn sample(&self, dice: &mut Dice) -> HitboxSample {
        let number = self.actor as i32;
        let radius = Fx::from_int(15 + number);
        let half_height = Fx::from_int(if dice.0.chance(200_000) { 40 } else { 90 });
        let shape = if number % 3 == 0 { SourceShape::Sphere { radius } } else { SourceShape::Capsule { radius, half_height } };
        HitboxSample {
            position: self.at,
            rotation: self.rotation,
            shape: Shape::of(shape).unwrap(),
            damageable: number % 5 != 4,
            blocking: number % 4 == 0,
            team: MatchTeam::new(number as u16 % 3),
            state_flags: dice.0.next_u32(),
            epoch: self.epoch,
        }
    }

    fn walk(&mut self, dice: &mut Dice) {
        if dice.0.chance(20_000) {
            (self.at, self.epoch) = (dice.point(Point::ORIGIN, 60_000), self.epoch + 1);
        }
        let [x, y, z] = self.at.to_array();
        self.at = Point { x: x + self.step[0], y: y + self.step[1], z: z + self.step[2] };
        if self.at.to_array().iter().any(|it| it.abs() > 80_000) {
            self.step = self.step.map(|it| -it);
        }
        self.rotation = (self.turn * self.rotation).normalise();
    }
}

const CADENCES: [Cadence; 4] =
    [Cadence::EveryServerTick, Cadence::FIXED_60, Cadence::FixedHz { hz: 25 }, Cadence::OwnerNetUpdateRate { hz: 13 }];

fn desc(actor: u64) -> HitboxDesc {
    HitboxDesc {
        actor: ActorId(actor),
        component: ComponentId(1),
        name: NameHash::of("body"),
        region: NameHash::of("torso"),
        projectile: actor.is_multiple_of(7),
        client_only: false,
        cadence: CADENCES[actor as usize % CADENCES.len()],
    }
}

struct Host<'a>(&'a mut Digest);

impl ProjectileHost for Host<'_> {
    type Projectile = ();
    type Error = Infallible;

    fn begin_spawn(&mut self, _: &Spawn) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_overlap(&mut self, (): (), _: bool) {}

    fn finish_spawn(&mut self, (): (), _: &mut RewindHistory) -> Result<Option<ActorId>, Infallible> {
        Ok(None)
    }

    fn impact(&mut self, (): (), impact: &Impact) -> Result<Verdict, Infallible> {
        note(self.0, impact);
        Ok(Verdict::GoOn)
    }

    fn place(&mut self, (): (), _: &Body, _: u64) -> Result<(), Infallible> {
        Ok(())
    }

    fn destroy(&mut self, (): (), _: Destroyed) {}
}

fn note(digest: &mut Digest, impact: &Impact) {
    digest.1 += 1;
    digest.vectors([impact.position, impact.velocity, impact.normal]);
    digest.numbers([impact.time_us as i64, impact.number.into(), impact.damage.into()]);
    digest.numbers(match impact.target {
        ImpactTarget::Hitbox { id, historical_us, .. } => [id.index().into(), historical_us as i64],
        ImpactTarget::Collider(hit) => [hit.collider.0 as i64, hit.at.bits().into()],
    });
}

fn walls() -> Scene {
    let mut scene = Scene::new(8);
    let solids = [
        (Solid::half_space(Vec3::from_ints(3, 50, -2)).unwrap(), Point { x: 0, y: -50_000, z: 0 }),
        (Solid::cuboid(Vec3::from_ints(120, 80, 30)).unwrap(), Point { x: 30_000, y: 0, z: 10_000 }),
        (Solid::cuboid(Vec3::from_ints(20, 200, 0)).unwrap(), Point { x: -20_000, y: 5_000, z: -9_000 }),
        (Solid::ball(Fx::from_int(70)).unwrap(), Point { x: 0, y: 20_000, z: 40_000 }),
        (Solid::capsule(Fx::from_int(40), Fx::from_int(150)).unwrap(), Point { x: -40_000, y: 0, z: 30_000 }),
    ];
    for (number, (solid, place)) in solids.into_iter().enumerate() {
        let kind = if number == 3 { ColliderKind::Destructible } else { ColliderKind::WorldStatic };
        let actor = ActorId(1_000 + number as u64);
        scene
            .add(ColliderDesc { actor, kind, team: MatchTeam::NONE, damageable: number == 3, lag_comp_ignore: false, solid, place })
            .unwrap();
    }
    scene
}

fn shoot(digest: &mut Digest, dice: &mut Dice, history: &mut RewindHistory, live: &Scene, target: Point, now_us: u64) {
    let rotation = dice.rotation();
    let speed = Fx::from_int(dice.between(500, 20_000));
    let rule = dice.between(0, 3);
    let spec = ProjectileSpec {
        radius: Fx::from_bits(i64::from(dice.between(7_000, 1_000_000))),
        muzzle_speed: speed,
        gravity: Vec3::from_ints(0, -981, 0),
        max_impacts: 12,
        team: MatchTeam::new(1),
        filter: QueryFilter { only_damageable: false, ignore_same_team: rule == 0, ..QueryFilter::default() },
        on_impact: match rule {
            0 => ImpactRule::Stop,
            1 => ImpactRule::Pierce,
            part => ImpactRule::Bounce { restitution: Fx::ratio(part, 4) },
        },
        after: AfterCatchUp::RampToZero { over_us: 90_000 },
        ..ProjectileSpec::default()
    };
    let fire_us = now_us - dice.between(0, 260_000) as u64;
    let half_way_s = Fx::ratio((now_us - fire_us) as i32 / 2, 1_000_000);
    let muzzle = target.to_vec3() - rotation.rotate(Vec3::Z) * (speed * half_way_s);
    let fire = AcceptedFire {
        shooter: ActorId(1),
        sequence: 1,
        rotation,
        fire_us,
        view_delay_us: dice.between(0, 100_000) as u32,
        accepted_us: now_us,
    };
    let mut world = CatchUpWorld { history, live, kind: WorldKind::Game, role: NetRole::Authority, now_us };
    let mut counters = FlightCounters::default();
    let catch_up = ProjectileCatchUp::new(16_667).unwrap();
    let spawn = Spawn { fire, muzzle, spec };
    let launched = catch_up.launch(&mut world, &spawn, spec.ballistics(), &mut Host(digest), &mut counters, &mut ()).unwrap();
    let mut flight = launched.flight;
    for _ in 0..3 {
        let mut on_impact = |impact: &Impact| {
            note(digest, impact);
            Ok::<_, Infallible>(Verdict::GoOn)
        };
        flight.tick_live(live, Some(history), &mut counters, &mut (), &mut on_impact).unwrap();
    }
    digest.vectors([flight.body().position, flight.body().velocity]);
    digest.numbers([flight.time_us() as i64, launched.report.steps.into(), flight.impacts().into()]);
}

fn ask(digest: &mut Digest, dice: &mut Dice, history: &RewindHistory, walkers: &[Walker], now_us: u64) {
    let mut counters = RewindCounters::default();
    let mut frames = Vec::new();
    let any = QueryFilter { only_damageable: false, include_projectiles: true, ..QueryFilter::default() };
    for _ in 0..4 {
        let walker = &walkers[dice.0.below(walkers.len() as u32) as usize];
        let time_us = now_us + 30_000 - dice.between(0, 300_000) as u64;
        match history.frame_at(walker.id, time_us, &mut counters) {
            Ok(frame) => digest.frame(&frame),
            Err(_) => digest.numbers([-3]),
        }
        let reach = [2_000, 60_000, 4_000_000][dice.0.below(3) as usize];
        let (from, to, radius_units) = (dice.point(walker.life.at, reach), dice.point(walker.life.at, 3_000), dice.between(0, 3_000));
        let length_us = dice.between(0, 60_000) as u64;
        let sweep = Sweep { from, to, radius_units, from_us: time_us, to_us: time_us + length_us, too_old: TooOld::Clamp };
        digest.hit(history.sweep(&sweep, &any, &mut counters));
        digest.hit(history.sweep(&Sweep { to_us: time_us, ..sweep }, &QueryFilter::default(), &mut counters));
        let near = Near { centre: walker.life.at, radius: Fx::from_int(dice.between(0, 300)) };
        let bounds = QueryBounds::of_sweep(&sweep).unwrap().and_circle(near);
        if history.candidates(time_us, &any, &bounds, &mut frames, &mut counters).is_ok() {
            frames.iter().for_each(|frame| digest.frame(frame));
        }
    }
    digest.numbers([LookupError::Gone, TimeError::Gap.into(), TimeError::OlderThanOldest.into()].map(|it| counters.failures(it) as i64));
}

fn explode(digest: &mut Digest, dice: &mut Dice, history: &RewindHistory, live: &Scene, centre: Point, now_us: u64) {
    let times = [AreaTime::Historical, AreaTime::Present, AreaTime::Hybrid { grace_units: 8_000 }];
    let weapon = AreaWeapon {
        radius_units: 40_000,
        full_units: 5_000,
        time: times[dice.0.below(3) as usize],
        centre: CentreRule::Impact,
        sight: [SightRule::Through, SightRule::ToCentre, SightRule::ToNearest][dice.0.below(3) as usize],
        filter: QueryFilter::default(),
        own: OwnBody::Hurt,
    };
    let target_us = now_us - dice.between(0, 200_000) as u64;
    let blast = AreaBlast { shooter: ActorId(1), centre, time_us: now_us, target_us, on: None };
    let sight = Sight { live, filter: LiveFilter::default() };
    let mut out: Vec<AreaHit> = Vec::new();
    let mut counters = RewindCounters::default();
    if weapon.resolve(&blast, history, &sight, &mut AreaScratch::default(), &mut out, &mut counters).is_ok() {
        for hit in &out {
            digest.frame(&hit.frame);
            digest.numbers(hit.nearest.to_array().map(i64::from));
            digest.numbers([hit.distance_256ths, hit.falloff.numerator, hit.falloff.denominator].map(i64::from));
        }
    }
}

fn actor_rewind(digest: &mut Digest, dice: &mut Dice) {
    let rules = RewindRules::new(40_000, RewindSpeed::new(5, 3).unwrap()).unwrap();
    let mut rewind = ActorRewind::<32>::new();
    let mut body = ActorBody { rotation: dice.rotation(), ..ActorBody::default() };
    for tick in 0..120 {
        body.position += dice.vector(20);
        (body.linear_velocity, body.angular_velocity, body.input_velocity) = (dice.vector(500), dice.vector(5), dice.vector(300));
        (body.rotation, body.mode) = ((dice.rotation() * body.rotation).normalise(), MovementMode(tick / 9));
        rewind.record(&rules, 16_667, &body);
    }
    rewind.begin(&body).unwrap();
    for _ in 0..40 {
        let shown = rewind.step_back(&rules, 16_667).unwrap();
        digest.vectors([shown.body.position, shown.body.linear_velocity, shown.body.angular_velocity, shown.body.input_velocity]);
        digest.numbers(shown.body.rotation.to_bits().map(i64::from));
        digest.numbers([shown.time_us as i64, shown.body.mode.0.into()]);
    }
    digest.numbers([rewind.resume().unwrap().dropped as i64]);
}

fn world(seed: u64, digest: &mut Digest) {
    let mut dice = Dice(Rng::new(seed, 1));
    let config = RewindConfig { max_hitboxes: 32, max_ticks: 24, ..RewindConfig::default() };
    let mut history = RewindHistory::new(config, WorldKind::Game, NetRole::Authority).unwrap();
    let mut bounds = BoundsHistory::new(BoundsConfig { max_components: 32, ticks: 24, ..BoundsConfig::default() }).unwrap();
    let mut culler = Culler::new(bounds.config());
    let (live, mut walkers, mut kept) = (walls(), Vec::<Walker>::new(), Vec::new());
    let mut now_us = 10_000_000;
    for tick in 0..60_u64 {
        now_us += if tick % 17 == 16 { 70_000 } else { 15_000 + dice.between(0, 3_000) as u64 };
        for walker in &mut walkers {
            walker.life.walk(&mut dice);
        }
        let mut samples = walkers.iter().map(|walker| (walker.id, walker.life.sample(&mut dice))).collect::<Vec<_>>();
        samples.sort_by_key(|(id, _)| *id);
        let mut source = |id: HitboxId, _: &HitboxDesc| Sampled::Here(samples[samples.binary_search_by_key(&id, |(id, _)| *id).unwrap()].1);
        history.record_tick(now_us, &mut source).unwrap();
        bounds.forget_retired(now_us, config.max_rewind_us);
        for walker in &walkers {
            bounds.record(now_us, walker.bounds, Aabb::around(walker.life.at, [20_000; 3])).unwrap();
        }
        if walkers.len() < 16 || tick % 9 == 8 {
            if walkers.len() >= 16 {
                let gone = walkers.remove(dice.0.below(16) as usize);
                if tick % 2 == 0 {
                    assert!(history.retire(gone.id) && bounds.retire(now_us, gone.bounds));
                } else {
                    assert!(history.unregister(gone.id) && bounds.unregister(gone.bounds));
                }
            }
            let at = dice.point(Point::ORIGIN, 60_000);
            let turn = Quat::from_axis_angle(dice.vector(100), Angle::from_bits(dice.0.next_u32() >> 4));
            let step = [dice.between(-4_000, 4_000), dice.between(-500, 500), dice.between(-4_000, 4_000)];
            let (rotation, actor) = (dice.rotation(), tick + 1);
            let life = Life { actor, at, step, rotation, turn, epoch: 0 };
            let id = history.register(desc(actor), life.sample(&mut dice)).unwrap();
            let bounds =
                bounds.register(now_us, ActorId(actor), ComponentId(1), desc(actor).cadence, Aabb::around(at, [20_000; 3])).unwrap();
            walkers.push(Walker { id, bounds, life });
        }
        ask(digest, &mut dice, &history, &walkers, now_us);
        let target = walkers[dice.0.below(walkers.len() as u32) as usize].life.at;
        let late_us = dice.between(0, 20_000) as u64;
        shoot(digest, &mut dice, &mut history, &live, target, now_us + late_us);
        explode(digest, &mut dice, &history, &live, target, now_us);
        let line = cull::Sweep::ball(dice.point(target, 60_000), dice.point(target, 60_000), 500).unwrap();
        let pending = PendingRewind { window: Window::back(now_us, 200_000), instigator: Some(ActorId(1)), path: &[line] };
        kept.clear();
        let tally = culler.cull(&bounds, &pending, &mut CullByPath, &mut kept);
        digest.numbers([tally.targets, tally.box_missed, tally.kept].map(i64::from));
        digest.numbers(kept.iter().map(|id| i64::from(id.index())));
    }
    actor_rewind(digest, &mut dice);
}

#[test]
fn every_machine_and_every_profile_computes_the_same_bits() {
    let mut digest = Digest(0, 0);
    for seed in 0..8 {
        world(seed, &mut digest);
    }
    // A number of misses proves nothing.
    assert!(digest.1 > 400, "{} hits", digest.1);
    assert_eq!(format!("{:08x}", digest.0), "32e809f9");
}
