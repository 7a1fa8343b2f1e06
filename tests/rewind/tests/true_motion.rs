//! How far the integers are from true motion: a centre that goes straight, an axis that swings on
//! an arc at a steady rate, a radius and a height that change steadily.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::float_arithmetic, reason = "true motion is not made of integers")]

use snapback_core::{Angle, Fx, NameHash, Quat, Vec3};
use snapback_rewind_tests::reference::history::Settings;
use snapback_rewind_tests::reference::pose::Pose;
use snapback_rewind_tests::reference::track::Track;
use snapback_rewind_tests::reference::units;
use snapback_rewind_tests::scene::draw::Draw;
use snapback_rewind_tests::scene::{Attributes, HitboxSpec, Kind, Pace, Sample, Shape};

type Real3 = [f64; 3];

/// What the motion model states for roundings, in units: seven of them, and quantised sizes.
const ROUNDING: f64 = 7.0;

fn real(length: Fx) -> f64 {
    length.to_bits() as f64 / 400.0
}

fn length(it: Real3) -> f64 {
    it.iter().map(|it| it * it).sum::<f64>().sqrt()
}

fn minus(a: Real3, b: Real3) -> Real3 {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn mix(a: f64, b: f64, part: f64) -> f64 {
    a + (b - a) * part
}

fn unit(rotation: Quat) -> [f64; 4] {
    let it = rotation.to_bits().map(f64::from);
    let length = it.iter().map(|it| it * it).sum::<f64>().sqrt();
    it.map(|it| it / length)
}

/// Two samples, and what is truly between them.
struct Between {
    from: Sample,
    to: Sample,
}

fn sizes(sample: &Sample) -> (f64, f64) {
    let Shape::Capsule { radius, half_height } = sample.shape else { panic!("only capsules turn") };
    (real(radius), (real(half_height) - real(radius)).max(0.0))
}

impl Between {
    fn angle(&self) -> f64 {
        let (a, b) = (unit(self.from.rotation), unit(self.to.rotation));
        2.0 * (0..4).map(|lane| a[lane] * b[lane]).sum::<f64>().abs().min(1.0).acos()
    }

    /// The half axis at `part` of the way.
    fn axis(&self, part: f64) -> Real3 {
        let (a, mut b) = (unit(self.from.rotation), unit(self.to.rotation));
        if (0..4).map(|lane| a[lane] * b[lane]).sum::<f64>() < 0.0 {
            b = b.map(|it| -it);
        }
        let half = self.angle() / 2.0;
        let weights = if half < 1e-9 { [1.0 - part, part] } else { [1.0 - part, part].map(|it| (half * it).sin() / half.sin()) };
        let [x, y, z, w]: [f64; 4] = std::array::from_fn(|lane| a[lane] * weights[0] + b[lane] * weights[1]);
        let along = mix(sizes(&self.from).1, sizes(&self.to).1, part);
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)].map(|it| it * along)
    }

    fn centre(&self, part: f64) -> Real3 {
        let (a, b) = (self.from.position, self.to.position);
        [(a.x, b.x), (a.y, b.y), (a.z, b.z)].map(|(a, b)| mix(real(a), real(b), part))
    }

    fn ends(&self, part: f64) -> [Real3; 2] {
        let (centre, axis) = (self.centre(part), self.axis(part));
        [1.0, -1.0].map(|sign| std::array::from_fn(|it| centre[it] + sign * axis[it]))
    }

    /// What the chord is off from the arc, at most.
    fn chord_bound(&self) -> f64 {
        let (from, to) = (sizes(&self.from).1, sizes(&self.to).1);
        let half = self.angle() / 2.0;
        from.max(to) * (1.0 - half.cos()) + (to - from).abs() / 2.0 * half.sin()
    }

    /// What roundings add, at most.
    fn rounding(&self) -> f64 {
        let way = length(minus(self.centre(1.0), self.centre(0.0))) + length(minus(self.axis(1.0), self.axis(0.0)));
        ROUNDING + way / 32_768.0
    }
}

fn sample(draw: &mut Draw) -> Sample {
    let radius = draw.centimetres(1, 60);
    let sizes = (radius, radius + draw.centimetres(0, 199));
    let position = Vec3::new(draw.centimetres(-500, 500), draw.centimetres(-500, 500), draw.centimetres(-500, 500));
    Sample {
        position,
        rotation: draw.rotation(),
        shape: Shape::Capsule { radius: sizes.0, half_height: sizes.1 },
        attributes: Attributes { damageable: true, blocking: false, team: None, flags: 0 },
        epoch: 0,
    }
}

/// From one sample to a later one: turned by any angle, with the same size or not.
fn draw_between(draw: &mut Draw) -> Between {
    let from = sample(draw);
    let mut to = sample(draw);
    if draw.percent(70) {
        let [x, y, z] = draw.direction(100).map(|it| i32::try_from(it).unwrap());
        let shift = draw.between(1, 12);
        let turn = Quat::from_axis_angle(Vec3::from_ints(x, y, z), Angle::from_bits(draw.bits() >> shift));
        to.rotation = (turn * from.rotation).normalise();
    }
    if draw.percent(50) {
        to.shape = from.shape;
    }
    Between { from, to }
}

/// The poses of the ticks of `between`, whose samples are its first and last.
fn track(between: &Between, ticks_us: &[u64]) -> Track {
    let (name, region) = (NameHash::NONE, NameHash::NONE);
    let spec = HitboxSpec { actor: 0, component: 0, name, region, kind: Kind::Actor, pace: Pace::EveryTick };
    let mut track = Track::new(spec, 0, &ticks_us[..1]);
    track.sample(0, &between.from, ticks_us, &Settings::default());
    track.sample(ticks_us.len() - 1, &between.to, ticks_us, &Settings::default());
    track
}

fn ticks_us(draw: &mut Draw) -> Vec<u64> {
    let mut ticks_us = vec![1_000_000];
    for _ in 0..draw.between(1, 5) {
        ticks_us.push(ticks_us[ticks_us.len() - 1] + draw.time_us(4_000, 20_000));
    }
    ticks_us
}

fn ends(pose: &Pose) -> [Real3; 2] {
    let whole = |it: i64| it as f64;
    [1, -1].map(|sign| std::array::from_fn(|axis| whole(pose.centre[axis] + sign * pose.half_axis[axis])))
}

fn furthest(a: [Real3; 2], b: [Real3; 2]) -> f64 {
    length(minus(a[0], b[0])).max(length(minus(a[1], b[1])))
}

#[test]
fn the_ends_of_a_capsule_are_as_near_to_true_motion_as_stated() {
    let mut draw = Draw::new(8, 1);
    let (mut worst, mut worst_rounding) = (0.0_f64, 0.0_f64);
    for case in 0..200_000 {
        let between = draw_between(&mut draw);
        let ticks_us = ticks_us(&mut draw);
        let (first_us, last_us) = (ticks_us[0], ticks_us[ticks_us.len() - 1]);
        let time_us = if draw.percent(30) { first_us.midpoint(last_us) } else { draw.time_us(first_us, last_us - 1) };
        let tick = ticks_us.partition_point(|it| *it <= time_us) - 1;
        let motion = track(&between, &ticks_us).motion(tick, &ticks_us, &Settings::default()).unwrap();
        let pose = motion.pose_at(units::fraction(time_us, ticks_us[tick], ticks_us[tick + 1]));
        let part = (time_us - first_us) as f64 / (last_us - first_us) as f64;
        let off = furthest(ends(&pose), between.ends(part));
        assert!(off <= between.chord_bound() + between.rounding(), "case {case}: {off} units off");
        if between.chord_bound() > 100.0 {
            worst = worst.max(off / between.chord_bound());
        }
        worst_rounding = worst_rounding.max((off - between.chord_bound()) / between.rounding());
        let radius = mix(sizes(&between.from).0, sizes(&between.to).0, part);
        assert!((pose.radius as f64 - radius).abs() <= ROUNDING, "case {case}: radius {} for {radius}", pose.radius);
    }
    // The bounds are not idle.
    assert!(worst > 0.95 && worst_rounding > 0.3, "{worst} {worst_rounding}");
}

#[test]
fn an_axis_that_is_frozen_for_a_piece_is_as_near_as_stated() {
    let mut draw = Draw::new(8, 2);
    let mut worst = 0.0_f64;
    for case in 0..200_000 {
        let between = draw_between(&mut draw);
        let ticks_us = ticks_us(&mut draw);
        let (first_us, last_us) = (ticks_us[0], ticks_us[ticks_us.len() - 1]);
        let tick = draw.index(ticks_us.len() - 1);
        let (tick_us, next_us) = (ticks_us[tick], ticks_us[tick + 1]);
        let motion = track(&between, &ticks_us).motion(tick, &ticks_us, &Settings::default()).unwrap();
        // A piece within the tick, and a time within the piece.
        let start_us = draw.time_us(tick_us, next_us - 1);
        let end_us = if draw.percent(50) { next_us } else { draw.time_us(start_us + 1, next_us) };
        let [start, end] = [start_us, end_us].map(|it| units::fraction(it, tick_us, next_us));
        let frozen = motion.pose_at((start + end) >> 1);
        let time_us = if draw.percent(40) { start_us } else { draw.time_us(start_us, end_us) };
        let part = (time_us - first_us) as f64 / (last_us - first_us) as f64;
        let true_axis = between.axis(part);
        let off = length(minus(frozen.half_axis.map(|it| it as f64), true_axis));
        let [from, to] = [start, end].map(|it| motion.pose_at(it));
        let change = length(std::array::from_fn(|axis| (to.half_axis[axis] - from.half_axis[axis]) as f64)) / 2.0;
        assert!(off <= between.chord_bound() + change + between.rounding(), "case {case}: {off} units off");
        if change > 100.0 && between.chord_bound() < change / 100.0 {
            worst = worst.max(off / change);
        }
        let radius = mix(sizes(&between.from).0, sizes(&between.to).0, part);
        let radius_change = (to.radius - from.radius).abs() as f64 / 2.0;
        assert!((frozen.radius as f64 - radius).abs() <= radius_change + ROUNDING, "case {case}");
    }
    assert!(worst > 0.95, "{worst}");
}
