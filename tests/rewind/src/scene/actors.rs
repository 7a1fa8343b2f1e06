//! How actors are born, move, turn, crouch, jump and die.

use super::data::{Attributes, HitboxSpec, Kind, Pace, Sample, Seen, Shape};
use super::draw::{Draw, scaled};
use snapback_core::{Angle, Fx, NameHash, Quat, Vec3};

/// One actor with its hitboxes.
#[derive(Clone, Debug)]
pub struct Actor {
    /// The tick at which it registers.
    pub born_tick: usize,
    /// The tick before which it dies.
    pub dies_tick: usize,
    /// How it dies.
    pub death: Death,
    /// Its number.
    pub number: u64,
    /// Its parts.
    pub parts: Vec<Part>,
    home: [i64; 3],
    area_cm: i64,
    position: [i64; 3],
    /// Centimetres a second.
    velocity: [i64; 3],
    speed_cm: i64,
    rotation: Quat,
    spin: Option<(Vec3, u32)>,
    is_low: bool,
    epoch: u32,
    attributes: Attributes,
    habits: Habits,
}

/// How an actor dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Death {
    /// Its hitboxes are retired: their past stays.
    Retired,
    /// They are unregistered with their past.
    Unregistered,
    /// Nobody says so. Who looks at it next finds nothing.
    Unnoticed,
}

/// How often it does what, in percent of its ticks.
#[derive(Clone, Copy, Debug)]
struct Habits {
    turn: u32,
    crouch: u32,
    jump: u32,
    jump_unannounced: u32,
    reshape: u32,
    change: u32,
    any_rotation: u32,
    hide: u32,
}

/// One hitbox of an actor.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its place in the scene's list.
    pub hitbox: usize,
    offset: Vec3,
    radius: Fx,
    half_height: Fx,
    is_capsule: bool,
    is_hidden: bool,
}

/// Where a scene is, and how large.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its centre, in centimetres.
    pub home: [i64; 3],
    /// How far from there actors go, in centimetres.
    pub area_cm: i64,
}

/// How an actor moves, in centimetres a second: it stands, walks, runs, is more than 2 m further
/// at each tick, or much more.
const SPEEDS_CM: [i64; 9] = [0, 150, 150, 600, 600, 2_000, 15_000, 30_000, 100_000];

impl Actor {
    /// One that lives for some of `ticks` ticks, from `born_tick` on or when it likes; its hitboxes are
    /// appended to `hitboxes`.
    pub fn draw(
        draw: &mut Draw,
        number: u64,
        place: Place,
        ticks: usize,
        born_tick: Option<usize>,
        hitboxes: &mut Vec<HitboxSpec>,
    ) -> Self {
        let is_projectile = draw.percent(15);
        let kind = if is_projectile { Kind::Projectile } else { Kind::Actor };
        let any_tick = if draw.percent(60) { 0 } else { draw.index(ticks * 3 / 4) };
        let born_tick = born_tick.unwrap_or(any_tick);
        let dies_tick = if draw.percent(70) { usize::MAX } else { born_tick + 1 + draw.index(ticks) };
        let pace = draw.one_of(&[
            Pace::EveryTick,
            Pace::EveryTick,
            Pace::EveryTick,
            Pace::Owner(100),
            Pace::Owner(60),
            Pace::Fixed(60),
            Pace::Fixed(30),
            Pace::Fixed(20),
            Pace::Owner(13),
            Pace::Owner(0),
            Pace::Fixed(1_000),
        ]);
        let parts = (0..if is_projectile { 1 } else { draw.between(1, 4) })
            .map(|component| {
                let component = component.unsigned_abs();
                let pace = if draw.percent(20) { Pace::Fixed(25) } else { pace };
                // Two hitboxes of one component have names of their own.
                let name = NameHash::of(["head", "body", "arm", "leg"][draw.index(4)]);
                let region = NameHash::of(["torso", "limb", ""][draw.index(3)]);
                hitboxes.push(HitboxSpec { actor: number, component, name, region, kind, pace });
                Part::draw(draw, hitboxes.len() - 1, is_projectile)
            })
            .collect();
        let speed_cm = draw.one_of(&SPEEDS_CM);
        let mut actor = Self {
            born_tick,
            dies_tick,
            death: draw.one_of(&[Death::Retired, Death::Retired, Death::Unregistered, Death::Unnoticed]),
            number,
            parts,
            home: place.home,
            area_cm: place.area_cm,
            position: [0; 3],
            velocity: draw.direction(speed_cm),
            speed_cm,
            rotation: if draw.percent(50) { Quat::IDENTITY } else { draw.rotation() },
            spin: draw.percent(50).then(|| (axis(draw), draw.bits() >> draw.between(1, 7))),
            is_low: false,
            epoch: draw.bits() & 3,
            attributes: Attributes {
                damageable: draw.percent(85),
                blocking: draw.percent(15),
                team: draw.one_of(&[None, Some(0), Some(1), Some(2), Some(1)]),
                flags: draw.bits(),
            },
            habits: Habits {
                turn: draw.one_of(&[0, 5, 30]),
                crouch: draw.one_of(&[0, 0, 10, 50]),
                jump: draw.one_of(&[0, 0, 2, 20]),
                jump_unannounced: u32::from(draw.percent(5)),
                reshape: draw.one_of(&[0, 0, 0, 5]),
                change: draw.one_of(&[0, 1, 20]),
                any_rotation: draw.one_of(&[0, 0, 0, 20]),
                hide: draw.one_of(&[0, 0, 0, 0, 0, 15]),
            },
        };
        actor.jump(draw);
        actor
    }

    /// Lets `passed_us` pass.
    pub fn step(&mut self, draw: &mut Draw, passed_us: u64) {
        let habits = self.habits;
        let passed_us = i64::try_from(passed_us).expect("a tick");
        let out: [i64; 3] = std::array::from_fn(|axis| self.position[axis] - (self.home[axis] << 16));
        if out.iter().any(|it| it.abs() > self.area_cm << 16) {
            self.velocity = scaled(out.map(|it| -(it >> 16)), self.speed_cm);
        } else if draw.percent(habits.turn) {
            self.velocity = draw.direction(self.speed_cm);
        }
        for axis in 0..3 {
            self.position[axis] += (self.velocity[axis] << 16) * passed_us / 1_000_000;
        }
        if let Some((axis, per_tick)) = self.spin {
            self.rotation = (Quat::from_axis_angle(axis, Angle::from_bits(per_tick)) * self.rotation).normalise();
        }
        if draw.percent(habits.any_rotation) {
            self.rotation = draw.rotation();
        }
        if draw.percent(habits.crouch) {
            self.is_low = !self.is_low;
        }
        if draw.percent(habits.jump) {
            self.jump(draw);
            self.epoch += 1;
        }
        if draw.percent(habits.jump_unannounced) {
            self.jump(draw);
        }
        if draw.percent(habits.reshape) {
            let part = draw.index(self.parts.len());
            self.parts[part].is_capsule = !self.parts[part].is_capsule;
        }
        if draw.percent(habits.change) {
            self.change(draw);
        }
        for part in &mut self.parts {
            part.is_hidden = draw.percent(habits.hide);
        }
    }

    fn jump(&mut self, draw: &mut Draw) {
        let area_cm = self.area_cm;
        self.position = self.home.map(|home| (home << 16) + draw.centimetres(-area_cm, area_cm).to_bits());
    }

    fn change(&mut self, draw: &mut Draw) {
        match draw.index(4) {
            0 => self.attributes.damageable = !self.attributes.damageable,
            1 => self.attributes.blocking = !self.attributes.blocking,
            2 => self.attributes.team = draw.one_of(&[None, Some(0), Some(1), Some(2)]),
            _ => self.attributes.flags = draw.bits(),
        }
    }

    /// What is to see of part `part` now.
    #[must_use]
    pub fn seen(&self, part: usize) -> Seen {
        if self.parts[part].is_hidden { Seen::Unsupported } else { Seen::Here(self.sample(part)) }
    }

    /// What part `part` is now.
    #[must_use]
    pub fn sample(&self, part: usize) -> Sample {
        let part = &self.parts[part];
        let [x, y, z] = self.position.map(Fx::from_bits);
        let half_height = if self.is_low { Fx::from_bits(part.half_height.to_bits() / 2) } else { part.half_height };
        let shape =
            if part.is_capsule { Shape::Capsule { radius: part.radius, half_height } } else { Shape::Sphere { radius: part.radius } };
        Sample {
            position: Vec3::new(x, y, z) + self.rotation.rotate(part.offset),
            rotation: self.rotation,
            shape,
            attributes: self.attributes,
            epoch: self.epoch,
        }
    }
}

impl Part {
    fn draw(draw: &mut Draw, hitbox: usize, is_projectile: bool) -> Self {
        let reach = if is_projectile { 1 } else { 80 };
        let offset = |draw: &mut Draw| draw.centimetres(-reach, reach);
        let offset = Vec3::new(offset(draw), offset(draw), offset(draw));
        let (radius, half_height) = if is_projectile {
            let radius = draw.centimetres(2, 20);
            (radius, radius)
        } else {
            let radius = draw.centimetres(8, 45);
            (radius, (radius + draw.centimetres(-10, 140)).max(Fx::ZERO))
        };
        let is_capsule = draw.percent(65);
        Self { hitbox, offset, radius, half_height, is_capsule, is_hidden: false }
    }
}

fn axis(draw: &mut Draw) -> Vec3 {
    let [x, y, z] = draw.direction(100).map(|it| i32::try_from(it).unwrap_or(1));
    Vec3::from_ints(x, y, z)
}
