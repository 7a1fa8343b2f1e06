//! What is fired after a tick, and what stands around it.

use super::actors::Place;
use super::data::Sample;
use super::draw::{Draw, METRE};
use super::questions::{self, Known};
use super::shots::{After, Rule, Shot, Solid, Stuff, Wall};
use crate::reference::units;
use snapback_core::{Fx, Quat, Vec3};

/// Colliders of the present belong to actors from this number on, if not to one of the scene.
const FIRST_WALL: u64 = 1_000;

/// What stands in a scene: a floor, boxes, balls, capsules, now and then a slope or a character.
pub fn walls(draw: &mut Draw, place: Place, actors: u64) -> Vec<Wall> {
    let home = place.home.map(|it| it * METRE / 100);
    let area = place.area_cm * METRE / 100;
    let mut walls = Vec::new();
    if draw.percent(70) {
        let up =
            if draw.percent(50) { Vec3::Y } else { Vec3::new(draw.centimetres(-30, 30), Fx::from_int(100), draw.centimetres(-30, 30)) };
        let place = [home[0], home[1] - area / 2, home[2]].map(narrow);
        walls.push(Wall { solid: Solid::HalfSpace(up), place, ..wall(draw, actors, 0) });
    }
    for number in 1..draw.between(1, 8) {
        let mut size = || narrow(draw.between(METRE / 20, 2 * METRE));
        let sizes = [size(), size(), size()];
        let solid = match draw.index(6) {
            0 => Solid::Ball(sizes[0]),
            1 => Solid::Capsule(sizes[0], sizes[1]),
            2 => Solid::Box([sizes[0], 0, sizes[2]]),
            _ => Solid::Box(sizes),
        };
        let place = home.map(|home| narrow(home + draw.between(-area, area)));
        walls.push(Wall { solid, place, ..wall(draw, actors, number.unsigned_abs()) });
    }
    walls
}

fn wall(draw: &mut Draw, actors: u64, number: u64) -> Wall {
    let stuff = draw.one_of(&[
        Stuff::Static,
        Stuff::Static,
        Stuff::Static,
        Stuff::Dynamic,
        Stuff::Destructible,
        Stuff::Destructible,
        Stuff::Pawn,
        Stuff::Projectile,
    ]);
    let is_someones = draw.percent(15);
    Wall {
        solid: Solid::Ball(1),
        place: [0; 3],
        actor: if is_someones { u64::from(draw.bits()) % actors } else { FIRST_WALL + number },
        stuff,
        team: draw.one_of(&[None, None, Some(0), Some(1), Some(2)]),
        damageable: stuff == Stuff::Destructible && draw.percent(80) || draw.percent(20),
        ignored_in_catch_up: draw.percent(10),
    }
}

fn narrow(it: i64) -> i32 {
    i32::try_from(it).expect("within the world")
}

/// A shot that was fired at somebody a moment ago, mostly with lead and drop, and a view delay.
pub fn shot(draw: &mut Draw, known: &Known<'_>) -> Shot {
    let newest_us = known.newest_us();
    let now_us = if draw.percent(50) { newest_us } else { newest_us + draw.time_us(0, 40_000) };
    let (sample_us, _, sample) = known.recent(draw, newest_us);
    let step_us = draw.one_of(&[8_333, 16_667, 16_667, 33_333]);
    let view_delay_us = if draw.percent(30) { 0 } else { draw.time_us(0, 120_000) };
    let fire_us = now_us - draw.time_us(0, 280_000);
    // How long it flies until it is where the sample was when the sample was seen.
    let flight_us = if draw.percent(80) { (sample_us + view_delay_us).saturating_sub(fire_us) } else { draw.time_us(0, 200_000) };
    let (muzzle, rotation, speed, gravity) = aim(draw, &sample, i64::try_from(flight_us).expect("short"));
    let bounce = [0, 30, 50, 80, 100].map(|percent| Rule::Bounce(Fx::ratio(percent, 100)));
    // What bounces is at least 0.1 cm.
    let radius = questions::radius(draw);
    let any_part = Rule::Bounce(Fx::from_bits(i64::from(draw.bits() & 0xffff)));
    let rules = [Rule::Stop, Rule::Stop, Rule::Pierce, Rule::Pierce, any_part, bounce[0], bounce[1], bounce[2], bounce[3], bounce[4]];
    let rule = draw.one_of(&rules);
    Shot {
        shooter: if draw.percent(50) { u64::MAX } else { u64::from(draw.bits()) % known.actors },
        own_actor: draw.percent(20).then(|| u64::from(draw.bits()) % known.actors),
        muzzle,
        rotation,
        speed,
        gravity,
        radius: if matches!(rule, Rule::Bounce(_)) { radius.max(17) } else { radius },
        fire_us,
        step_us,
        view_delay_us: u32::try_from(view_delay_us).expect("short"),
        now_us,
        team: draw.one_of(&[None, Some(0), Some(1), Some(2)]),
        filter: questions::filter(draw, known, &sample),
        rule,
        max_impacts: draw.one_of(&[1, 2, 3, 20, 255]),
        damages: draw.percent(80),
        after: draw.one_of(&[After::Collapse, After::Constant, After::Ramp(0), After::Ramp(50_000), After::Ramp(1_000_000)]),
        live_steps: draw.one_of(&[0, 0, 3]),
    }
}

fn aim(draw: &mut Draw, sample: &Sample, flight_us: i64) -> (Vec3, Quat, Fx, Vec3) {
    // The fastest fly over a kilometre in a step, and some of them out of the world.
    let speed_cm = draw.one_of(&[300, 1_000, 3_000, 3_000, 10_000, 10_000, 30_000, 30_000, 12_000_000]);
    let rotation = draw.rotation();
    let speed = Fx::from_bits((speed_cm << 16) | i64::from(draw.bits() & 0xffff));
    let velocity = rotation.rotate(Vec3::new(Fx::ZERO, Fx::ZERO, speed));
    let velocity = [velocity.x, velocity.y, velocity.z].map(Fx::to_bits);
    let gravity_cm = draw.one_of(&[0, 980, 980, 2_000]);
    let aside = draw.one_of(&[0, 10, 40, 40, 200]);
    let aside = draw.direction(aside);
    let target = units::quantise_point(sample.position).map(|it| it * 100 / METRE);
    let flight_us = if speed_cm > 1_000_000 { flight_us % 17_000 } else { flight_us };
    let at = |axis: usize| {
        let straight = velocity[axis] * (flight_us / 16) / (1_000_000 / 16);
        let drop_cm = if axis == 1 { gravity_cm * (flight_us / 1_000) * (flight_us / 1_000) / 2_000_000 } else { 0 };
        let from = ((target[axis] + aside[axis] + drop_cm) << 16) - straight;
        // A muzzle is in the world.
        Fx::from_bits(from.clamp(-(6_500_000 << 16), 6_500_000 << 16))
    };
    let muzzle = Vec3::new(at(0), at(1), at(2)) + Vec3::new(draw.centimetres(0, 1), draw.centimetres(0, 1), Fx::ZERO);
    (muzzle, rotation, speed, Vec3::new(Fx::ZERO, Fx::from_bits(-(gravity_cm << 16)), Fx::ZERO))
}
