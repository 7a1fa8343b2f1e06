//! The index beside asking everyone: the same hits, bit for bit, in random worlds.

#[path = "../../../../core/src/cases.rs"]
mod cases;

use super::Found;
use crate::history::{Piece, Way};
use crate::narrow::{self, ONE};
use crate::{
    ActorId, Cadence, ComponentId, HitboxDesc, HitboxId, HitboxSample, MatchTeam, Near, NetRole, Point, QueryFilter, RewindConfig,
    RewindCounters, RewindHistory, Sampled, Shape, ShapeKind, Sweep, TooOld, WorldKind,
};
use snapback_core::{Angle, Fx, NameHash, Quat, Rng, Vec3};

/// The first that a piece meets, by asking everyone.
fn ask_everyone(history: &RewindHistory, max_hitboxes: usize, piece: &Piece, way: &Way, filter: &QueryFilter) -> Option<Found> {
    let mut first: Option<Found> = None;
    for place in 0..max_hitboxes {
        let Some(target) = history.target(place, piece) else { continue };
        if history.admits(place, piece, filter).is_err() {
            continue;
        }
        let Some((m, d, radius)) = target.meets(way) else { continue };
        let Some(n) = narrow::capsule(m, d, target.e, radius) else { continue };
        if history.is_in_time(place, piece, n) && first.as_ref().is_none_or(|first| n < first.n) {
            first = Some(Found { n, place: place as u32, contact: [m, d, target.e] });
        }
    }
    first
}

/// What a random world is like.
#[derive(Clone, Copy)]
struct Kind {
    hitboxes: usize,
    /// Half width of the world, in units.
    size: i64,
    /// Hitboxes of one actor.
    body: u32,
    /// Units a tick.
    speed: i64,
    /// Of a million: at each tick, each hitbox.
    teleports: u32,
    comings: u32,
    slow: u32,
    /// Of a million: too fast, or too great, for an entry.
    wide: u32,
    ticks: u64,
    queries_per_tick: u32,
}

const CALM: Kind = Kind {
    hitboxes: 40,
    size: 20 << 14,
    body: 1,
    speed: 1_400,
    teleports: 0,
    comings: 0,
    slow: 0,
    wide: 0,
    ticks: 40,
    queries_per_tick: 40,
};

struct Mover {
    id: HitboxId,
    actor: u64,
    at: [i64; 3],
    velocity: [i64; 3],
    rotation: Quat,
    shape: Shape,
    epoch: u32,
    is_gone: bool,
}

struct World {
    rng: Rng,
    kind: Kind,
    history: RewindHistory,
    movers: Vec<Mover>,
    now_us: u64,
    next_component: u64,
}

impl World {
    fn new(seed: u64, kind: Kind) -> Self {
        let config = RewindConfig { max_hitboxes: kind.hitboxes, max_ticks: 16, ..RewindConfig::default() };
        let history = RewindHistory::new(config, WorldKind::Game, NetRole::Authority).unwrap();
        Self { rng: Rng::new(seed, 3), kind, history, movers: Vec::new(), now_us: 5_000_000, next_component: 0 }
    }

    fn within(&mut self, size: i64) -> i64 {
        let size = size as u64;
        ((u64::from(self.rng.next_u32()) << 20 ^ u64::from(self.rng.next_u32())) % (2 * size + 1)) as i64 - size as i64
    }

    fn place(&mut self) -> [i64; 3] {
        let size = self.kind.size;
        [self.within(size), self.within(size.min(2 << 14)), self.within(size)]
    }

    fn velocity(&mut self) -> [i64; 3] {
        let speed = if self.rng.chance(self.kind.wide) { 1 << 19 } else { self.kind.speed };
        [self.within(speed), self.within(speed / 4), self.within(speed)]
    }

    fn rotation(&mut self) -> Quat {
        let axis = Vec3::from_ints(self.within(9) as i32, self.within(9) as i32, self.within(9) as i32 + 20);
        Quat::from_axis_angle(axis, Angle::from_bits(self.rng.next_u32()))
    }

    fn shape(&mut self) -> Shape {
        let greatest = if self.rng.chance(self.kind.wide) { 65_535 } else { 8_000 };
        let radius = (self.rng.below(greatest) + 1) as u16;
        if self.rng.below(2) == 0 {
            return Shape { kind: ShapeKind::Sphere, radius, half_height: radius.into() };
        }
        let axis = self.rng.below(if greatest > 8_000 { 32_768 } else { 16_384 });
        Shape { kind: ShapeKind::Capsule, radius, half_height: u32::from(radius) + axis }
    }

    fn sample(&mut self, mover: &Mover) -> HitboxSample {
        HitboxSample {
            position: Point::from_array(mover.at.map(|part| part as i32)),
            rotation: mover.rotation,
            shape: mover.shape,
            damageable: self.rng.below(8) != 0,
            blocking: self.rng.below(4) == 0,
            team: if self.rng.below(2) == 0 { MatchTeam::NONE } else { MatchTeam::new(self.rng.below(3) as u16) },
            state_flags: 0,
            epoch: mover.epoch,
        }
    }

    fn come(&mut self) {
        let body = u64::from(self.kind.body);
        let actor = if body > 1 { u64::from(self.rng.below((self.kind.hitboxes as u64 / body + 1) as u32)) } else { self.next_component };
        self.next_component += 1;
        let cadence = if self.rng.chance(self.kind.slow) {
            Cadence::FixedHz { hz: 10 + self.rng.below(60) as u16 }
        } else {
            Cadence::EveryServerTick
        };
        let desc = HitboxDesc {
            actor: ActorId(actor),
            component: ComponentId(self.next_component),
            name: NameHash::of("x"),
            region: NameHash::of("y"),
            projectile: self.rng.below(8) == 0,
            client_only: false,
            cadence,
        };
        let companion = self.movers.iter().find(|mover| mover.actor == actor).map(|mover| (mover.at, mover.velocity));
        let (mut at, mut velocity) = (self.place(), self.velocity());
        if let Some((near, same)) = companion {
            at = near.map(|part| part + self.within(12_000));
            velocity = same;
        }
        let (rotation, shape) = (self.rotation(), self.shape());
        let mut mover = Mover { id: HitboxId { index: 0, generation: 0 }, actor, at, velocity, rotation, shape, epoch: 0, is_gone: false };
        let sample = self.sample(&mover);
        if let Ok(id) = self.history.register(desc, sample) {
            mover.id = id;
            self.movers.push(mover);
        }
    }

    fn tick(&mut self) {
        self.now_us += if self.rng.below(40) == 0 { 120_000 } else { 10_000 + u64::from(self.rng.below(12_000)) };
        let mut movers = core::mem::take(&mut self.movers);
        for mover in &mut movers {
            for axis in 0..3 {
                mover.at[axis] += mover.velocity[axis];
            }
            if self.rng.chance(self.kind.teleports) {
                mover.at = self.place();
                mover.epoch += self.rng.below(2);
            }
            if self.rng.below(20) == 0 {
                (mover.velocity, mover.rotation) = (self.velocity(), self.rotation());
            }
            if self.rng.below(60) == 0 {
                mover.shape = self.shape();
            }
            mover.is_gone = self.rng.chance(self.kind.comings / 4);
        }
        let samples: Vec<_> = movers.iter().map(|mover| (mover.id, mover.is_gone, self.sample(mover))).collect();
        let mut source = |id: HitboxId, _: &HitboxDesc| match samples.iter().find(|sample| sample.0 == id) {
            Some((_, false, sample)) => Sampled::Here(*sample),
            _ => Sampled::Gone,
        };
        self.history.record_tick(self.now_us, &mut source).unwrap();
        movers.retain(|mover| !mover.is_gone);
        self.movers = movers;
        self.churn();
    }

    /// Some come, some go, between two ticks.
    fn churn(&mut self) {
        for _ in 0..self.kind.hitboxes {
            if self.rng.chance(self.kind.comings) {
                self.come();
            }
            if self.movers.is_empty() || !self.rng.chance(self.kind.comings) {
                continue;
            }
            let at = self.rng.below(self.movers.len() as u32) as usize;
            if self.rng.below(2) == 0 {
                let mover = self.movers.swap_remove(at);
                self.history.unregister(mover.id);
            } else {
                self.history.retire(self.movers[at].id);
            }
        }
    }

    fn filter(&mut self) -> QueryFilter {
        let mut filter = QueryFilter::default();
        let rng = &mut self.rng;
        if rng.below(2) == 0 {
            return filter;
        }
        filter.only_damageable = rng.below(2) == 0;
        filter.include_blocking = rng.below(3) != 0;
        filter.include_projectiles = rng.below(2) == 0;
        filter.include_actors = rng.below(8) != 0;
        filter.ignore_actor = (rng.below(2) == 0).then(|| ActorId(u64::from(rng.below(20))));
        if rng.below(3) == 0 {
            filter.except.insert(ActorId(u64::from(rng.below(20))));
        }
        if rng.below(4) == 0 {
            filter.except.insert(ActorId(u64::from(rng.below(20))));
        }
        if rng.below(3) == 0 {
            filter.ignore_team = MatchTeam::new(rng.below(3) as u16);
        }
        if rng.below(3) == 0 {
            (filter.own_team, filter.ignore_same_team) = (MatchTeam::new(rng.below(3) as u16), true);
        }
        if rng.below(4) == 0 {
            let centre = Point::from_array(self.place().map(|part| part as i32));
            filter.near = Some(Near { centre, radius: Fx::from_int(self.rng.below(3_000) as i32) });
        }
        filter
    }

    fn query(&mut self) -> Sweep {
        let length = [1 << 12, 2 << 14, 10 << 14, 100 << 14, 1_023 << 14][self.rng.below(5) as usize];
        let mut way = [self.within(length), self.within(length / 4), self.within(length)];
        if self.rng.below(6) == 0 {
            way[[0, 2][self.rng.below(2) as usize]] = 0;
        }
        while narrow::ceil_length(way) > 1 << 24 {
            way = way.map(|part| part / 2);
        }
        let aim = if self.movers.is_empty() || self.rng.below(3) == 0 {
            self.place()
        } else {
            let at = self.rng.below(self.movers.len() as u32) as usize;
            let around = self.movers[at].at;
            around.map(|part| part + self.within(3_000))
        };
        let share = self.within(512) + 512;
        let from = [0, 1, 2].map(|axis| (aim[axis] - way[axis] * share / 1_024) as i32);
        let to = [0, 1, 2].map(|axis| from[axis] + way[axis] as i32);
        let radius_units = [0, 1_638, 8_000, 65_535][self.rng.below(4) as usize];
        let times = [0, 1, 2, 3].map(|_| self.now_us + 30_000 - u64::from(self.rng.below(300_000)));
        let newest = if self.rng.below(4) == 0 { self.now_us } else { times[0] };
        let (from_us, to_us) = match self.rng.below(4) {
            0 | 1 => (newest, newest),
            2 => (times[1].min(times[2]), times[1].max(times[2])),
            _ => (times[3], times[3] + u64::from(self.rng.below(5_000))),
        };
        let too_old = if self.rng.below(4) == 0 { TooOld::Fail } else { TooOld::Clamp };
        Sweep { from: Point::from_array(from), to: Point::from_array(to), radius_units, from_us, to_us, too_old }
    }

    /// Asks both ways; whether something was hit.
    fn ask(&mut self, seed: u64) -> bool {
        let (sweep, filter) = (self.query(), self.filter());
        let found = self.history.sweep(&sweep, &filter, &mut RewindCounters::default());
        let everyone = self.history.first_hit(&sweep, &mut RewindCounters::default(), |piece, way, _| {
            ask_everyone(&self.history, self.kind.hitboxes, piece, way, &filter)
        });
        assert_eq!(found, everyone, "seed {seed}: {sweep:?} {filter:?}");
        if let Ok(Some(hit)) = found {
            assert!(hit.at.bits() <= ONE as u32);
        }
        matches!(found, Ok(Some(_)))
    }

    /// Plays a world and asks all the time. How often something was hit.
    fn play(seed: u64, kind: Kind) -> (u32, u32) {
        let mut world = Self::new(seed, kind);
        world.tick();
        for _ in 0..kind.hitboxes {
            world.come();
        }
        let (mut asked, mut hits) = (0, 0);
        for _ in 0..kind.ticks {
            for _ in 0..kind.queries_per_tick {
                asked += 1;
                hits += u32::from(world.ask(seed));
            }
            world.tick();
        }
        (asked, hits)
    }
}

/// Usually so many worlds, from the seed `first` on.
fn play(first: u64, worlds: u32, kind: Kind) {
    let (mut asked, mut hits) = (0, 0);
    for seed in first..first + u64::from(cases::cases(worlds)) {
        let played = World::play(seed, kind);
        (asked, hits) = (asked + played.0, hits + played.1);
    }
    assert!(hits * 20 > asked, "{hits} hits of {asked}");
}

#[test]
fn calm_worlds() {
    play(0, 10, CALM);
}

#[test]
fn worlds_of_teleports_births_deaths_and_slow_cadences() {
    play(100, 20, Kind { teleports: 40_000, comings: 30_000, slow: 500_000, ..CALM });
    play(200, 10, Kind { teleports: 500_000, comings: 300_000, slow: 200_000, hitboxes: 80, ..CALM });
}

#[test]
fn worlds_of_bodies() {
    play(300, 10, Kind { hitboxes: 160, body: 16, ..CALM });
    play(400, 14, Kind { hitboxes: 100, body: 16, teleports: 20_000, comings: 20_000, slow: 300_000, wide: 10_000, ..CALM });
    // Pairs, of whom one is left alone while a tick is recorded.
    play(450, 10, Kind { hitboxes: 30, body: 2, comings: 300_000, ..CALM });
}

#[test]
fn worlds_of_the_fast_and_the_great() {
    play(500, 8, Kind { wide: 50_000, hitboxes: 200, size: 60 << 14, queries_per_tick: 20, ..CALM });
    play(600, 10, Kind { wide: 500_000, teleports: 10_000, comings: 10_000, slow: 100_000, size: 200 << 14, ..CALM });
}

#[test]
fn tiny_worlds() {
    for hitboxes in 1..6 {
        play(700, 5, Kind { hitboxes, size: 2 << 14, comings: 100_000, teleports: 100_000, slow: 300_000, ..CALM });
    }
}

#[test]
fn great_worlds() {
    let great = Kind { hitboxes: 1_000, size: 80 << 14, ticks: 20, queries_per_tick: 100, ..CALM };
    play(800, 1, great);
    play(810, 1, Kind { teleports: 5_000, comings: 5_000, slow: 300_000, wide: 3_000, ..great });
    play(820, 1, Kind { hitboxes: 10_000, size: 250 << 14, ticks: 3, queries_per_tick: 60, ..great });
}

#[test]
fn reason_is_counted_for_each_hitbox_that_is_there() {
    let mut world = World::new(9, CALM);
    world.tick();
    for _ in 0..CALM.hitboxes {
        world.come();
    }
    world.tick();
    let mut counters = RewindCounters::default();
    let sweep = Sweep { from_us: world.now_us, to_us: world.now_us, ..world.query() };
    world.history.sweep(&sweep, &QueryFilter::default(), &mut counters).unwrap();
    let all: u64 = crate::Rejection::ALL.iter().map(|&reason| counters.rejections(reason)).sum();
    assert_eq!(all + counters.candidates, world.movers.len() as u64);
}
