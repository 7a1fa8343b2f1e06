//! What is fired after a tick, and the walls around it.

use super::actors::Place;
use super::data::{Sample, Shot, Wall};
use super::draw::{Draw, METRE};
use super::questions::{self, Known};
use crate::reference::units;
use snapback_core::{Fx, Vec3};

/// What stands in a scene: a floor, boxes, now and then a slope.
pub fn walls(draw: &mut Draw, place: Place) -> Vec<Wall> {
    let narrow = |it: i64| i32::try_from(it).expect("within the world");
    let home = place.home.map(|it| it * METRE / 100);
    let area = place.area_cm * METRE / 100;
    let mut walls = Vec::new();
    if draw.percent(70) {
        let up = if draw.percent(50) { [0, 1, 0] } else { [narrow(draw.between(-30, 30)), 100, narrow(draw.between(-30, 30))] };
        let point = [home[0], home[1] - area / 2, home[2]];
        let offset = (0..3).map(|axis| i64::from(up[axis]) * point[axis]).sum();
        walls.push(Wall::HalfSpace { normal: up, offset });
    }
    for _ in 0..draw.between(0, 5) {
        let low: [i64; 3] = home.map(|home| home + draw.between(-area, area));
        let size: [i64; 3] = std::array::from_fn(|_| draw.between(METRE / 10, 4 * METRE));
        let high = std::array::from_fn(|axis| narrow(low[axis] + size[axis]));
        walls.push(Wall::Box { low: low.map(narrow), high });
    }
    walls
}

/// A shot that was fired at somebody a moment ago, mostly with lead and drop, and a view delay.
pub fn shot(draw: &mut Draw, known: &Known<'_>) -> Shot {
    let now_us = known.now_us(draw);
    let (sample_us, _, sample) = known.recent(draw, now_us);
    let step_us = draw.one_of(&[8_333, 16_667, 16_667, 33_333]);
    let view_delay_us = if draw.percent(30) { 0 } else { draw.time_us(0, 120_000) };
    let fire_us = now_us - draw.time_us(0, 280_000);
    let steps = u32::try_from((now_us - fire_us) / step_us).expect("few");
    // How long it flies until it is where the sample was when the sample was seen.
    let flight_us = if draw.percent(80) { (sample_us + view_delay_us).saturating_sub(fire_us) } else { draw.time_us(0, 200_000) };
    let (position, velocity, gravity) = aim(draw, &sample, i64::try_from(flight_us).expect("short"));
    let filter = questions::filter(draw, known, &sample);
    Shot { position, velocity, gravity, radius: questions::radius(draw), fire_us, step_us, steps, view_delay_us, now_us, filter }
}

fn aim(draw: &mut Draw, sample: &Sample, flight_us: i64) -> (Vec3, Vec3, Vec3) {
    let speed_cm = draw.one_of(&[300, 1_000, 3_000, 10_000, 30_000]);
    let velocity = draw.direction(speed_cm);
    let gravity_cm = draw.one_of(&[0, 980, 980, 2_000]);
    let aside = draw.one_of(&[0, 10, 40, 40, 200]);
    let aside = draw.direction(aside);
    let target = units::quantise_point(sample.position).map(|it| it * 100 / METRE);
    let at = |axis: usize| {
        let straight_cm = velocity[axis] * flight_us / 1_000_000;
        let drop_cm = if axis == 1 { gravity_cm * (flight_us / 1_000) * (flight_us / 1_000) / 2_000_000 } else { 0 };
        let whole = target[axis] + aside[axis] - straight_cm + drop_cm;
        Fx::from_bits(whole << 16)
    };
    let position = Vec3::new(at(0), at(1), at(2)) + Vec3::new(draw.centimetres(0, 1), draw.centimetres(0, 1), Fx::ZERO);
    let [x, y, z] = velocity.map(|it| Fx::from_bits((it << 16) | i64::from(draw.bits() & 0xffff)));
    (position, Vec3::new(x, y, z), Vec3::new(Fx::ZERO, Fx::from_bits(-(gravity_cm << 16)), Fx::ZERO))
}
