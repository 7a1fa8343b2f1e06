//! A crowd of balls and capsules on a plain, one on 25 m², that walks for 64 ticks, and queries at random
//! times of these.

use snapback_core::{Angle, NameHash, Quat, Rng, Vec3};
use snapback_rewind::{
    ActorId, Cadence, Cast, ComponentId, HitboxDesc, HitboxId, HitboxSample, HitboxSource, MatchTeam, NetRole, Point, RewindConfig,
    RewindHistory, Sampled, Shape, SourceShape, WorldKind, units,
};

pub const TICKS: u64 = 64;
pub const TICK_US: u64 = 16_667;
pub const START_US: u64 = 1_000_000;
const METRE: i32 = units::UNITS_PER_METRE;

/// Who walks.
pub struct Crowd {
    pub walkers: Vec<Walker>,
    pub side: i32,
    rng: Rng,
}

pub struct Walker {
    pub desc: HitboxDesc,
    pub sample: HitboxSample,
    pub step: [i32; 3],
    pub turn: u32,
}

impl Crowd {
    pub fn new(hitboxes: usize, cadence: Cadence) -> Self {
        let side = (25 * hitboxes).isqrt() as i32 * METRE;
        let mut crowd = Self { walkers: Vec::new(), side, rng: Rng::new(8, hitboxes as u64) };
        for number in 0..hitboxes as u64 {
            let walker = crowd.walker(number, cadence);
            crowd.walkers.push(walker);
        }
        crowd
    }

    /// Bodies of 16 hitboxes each, in the same room: limbs and a trunk that walk together.
    pub fn of_bodies(hitboxes: usize) -> Self {
        let mut crowd = Self::new(hitboxes, Cadence::EveryServerTick);
        for first in (0..hitboxes).step_by(16) {
            let (middle, step) = (crowd.walkers[first].sample.position, crowd.walkers[first].step);
            for number in first..hitboxes.min(first + 16) {
                let place = Point {
                    x: middle.x + crowd.within(-METRE * 2 / 5, METRE * 2 / 5),
                    y: METRE + crowd.within(-METRE * 4 / 5, METRE * 4 / 5),
                    z: middle.z + crowd.within(-METRE * 2 / 5, METRE * 2 / 5),
                };
                let radius = units::fx(crowd.within(METRE / 20, METRE / 8));
                let half_height = radius + units::fx(crowd.within(METRE / 16, METRE / 5));
                let source = if number % 4 == 0 { SourceShape::Sphere { radius } } else { SourceShape::Capsule { radius, half_height } };
                let walker = &mut crowd.walkers[number];
                walker.desc.actor = ActorId(first as u64);
                walker.step = step;
                (walker.sample.position, walker.sample.shape) = (place, Shape::of(source).unwrap());
            }
        }
        crowd
    }

    fn walker(&mut self, number: u64, cadence: Cadence) -> Walker {
        let radius = units::fx(self.within(METRE / 6, METRE / 2));
        let half_height = radius + units::fx(self.within(METRE / 4, METRE * 2 / 3));
        let source = if self.rng.below(2) == 0 { SourceShape::Sphere { radius } } else { SourceShape::Capsule { radius, half_height } };
        let place = [self.within(0, self.side), self.within(METRE / 2, METRE * 2), self.within(0, self.side)];
        // Up to 5 m a second, each way.
        let pace = 5 * METRE / 60;
        Walker {
            desc: HitboxDesc {
                actor: ActorId(number),
                component: ComponentId(number),
                name: NameHash::of("body"),
                region: NameHash::of("torso"),
                projectile: false,
                client_only: false,
                cadence,
            },
            sample: HitboxSample {
                position: Point::from_array(place),
                rotation: Quat::IDENTITY,
                shape: Shape::of(source).unwrap(),
                damageable: true,
                blocking: false,
                team: MatchTeam::NONE,
                state_flags: 0,
                epoch: 0,
            },
            step: [self.within(-pace, pace), self.within(-pace / 8, pace / 8), self.within(-pace, pace)],
            turn: self.rng.next_u32(),
        }
    }

    pub fn within(&mut self, low: i32, high: i32) -> i32 {
        low + self.rng.below((high - low) as u32 + 1) as i32
    }

    /// One tick on. Turns by a degree about an axis of its own.
    pub fn walk(&mut self) {
        for walker in &mut self.walkers {
            let Point { x, y, z } = walker.sample.position;
            walker.sample.position = Point { x: x + walker.step[0], y: y + walker.step[1], z: z + walker.step[2] };
            let axis = Vec3::from_ints((walker.turn & 15) as i32 - 8, 1, (walker.turn >> 4 & 15) as i32 - 8);
            walker.turn = walker.turn.wrapping_add(0x00B6_0B60) & !0xFF | walker.turn & 0xFF;
            walker.sample.rotation = Quat::from_axis_angle(axis, Angle::from_bits(walker.turn & !0xFF));
        }
    }

    /// A query of a length through the crowd, or at one of it at that time.
    pub fn query(&mut self, metres: i32, is_aimed: bool) -> (Cast, u64) {
        let time_us = START_US + u64::from(self.rng.below((TICK_US * (TICKS - 1)) as u32));
        let length = metres * METRE;
        let angle = Angle::from_bits(self.rng.next_u32());
        let (sin, cos) = angle.sin_cos();
        let part = |share: snapback_core::Fx| ((i64::from(length) * share.to_bits()) >> 16) as i32;
        let way = [part(cos), self.within(-length / 32, length / 32), part(sin)];
        let mut middle = [self.within(0, self.side), self.within(METRE / 2, METRE * 2), self.within(0, self.side)];
        if is_aimed {
            // Where somebody was, as the crowd stands at the end of its walk.
            let back = ((START_US + TICK_US * (TICKS - 1) - time_us) / TICK_US) as i32;
            let at = self.rng.below(self.walkers.len() as u32) as usize;
            let walker = &self.walkers[at];
            let place = walker.sample.position.to_array();
            middle = [0, 1, 2].map(|axis| place[axis] - walker.step[axis] * back);
        }
        let from = [0, 1, 2].map(|axis| middle[axis] - way[axis] / 2);
        let to = [0, 1, 2].map(|axis| from[axis] + way[axis]);
        (Cast { from: Point::from_array(from), to: Point::from_array(to), radius_units: METRE / 10 }, time_us)
    }
}

impl HitboxSource for Crowd {
    fn sample(&mut self, _: HitboxId, desc: &HitboxDesc) -> Sampled {
        Sampled::Here(self.walkers[desc.component.0 as usize].sample)
    }
}

/// An empty history for so many.
pub fn empty(hitboxes: usize) -> RewindHistory {
    let config =
        RewindConfig { max_hitboxes: hitboxes, max_ticks: TICKS as usize, max_rewind_us: TICK_US * TICKS, ..RewindConfig::default() };
    RewindHistory::new(config, WorldKind::Game, NetRole::Authority).unwrap()
}

/// Records the walk of a crowd, and tells `each` of every tick.
pub fn record(crowd: &mut Crowd, mut each: impl FnMut(&Crowd, u64)) -> RewindHistory {
    let mut history = empty(crowd.walkers.len());
    history.record_tick(START_US, crowd).unwrap();
    for walker in &crowd.walkers {
        history.register(walker.desc, walker.sample).unwrap();
    }
    each(crowd, START_US);
    for tick in 1..TICKS {
        crowd.walk();
        history.record_tick(START_US + tick * TICK_US, crowd).unwrap();
        each(crowd, START_US + tick * TICK_US);
    }
    history
}
