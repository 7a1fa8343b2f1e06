use super::*;

const UNIT: f64 = 1_073_741_824.0;

type Four = [f64; 4];

fn four(q: Quat) -> Four {
    q.to_bits().map(|it| f64::from(it) / UNIT)
}

fn dot(a: Four, b: Four) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn unit(a: Four) -> Four {
    let length = dot(a, a).sqrt();
    a.map(|it| it / length)
}

fn mix(a: Four, b: Four, weights: [f64; 2]) -> Four {
    core::array::from_fn(|lane| a[lane] * weights[0] + b[lane] * weights[1])
}

/// The greatest error of a component, in 2^-30.
fn gap(found: Quat, exact: Four) -> f64 {
    four(found).iter().zip(exact).map(|(found, exact)| (found - exact).abs() * UNIT).fold(0.0, f64::max)
}

fn product([ax, ay, az, aw]: Four, [bx, by, bz, bw]: Four) -> Four {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by + ay * bw + az * bx - ax * bz,
        aw * bz + az * bw + ax * by - ay * bx,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn turned(q: Four, v: [f64; 3]) -> [f64; 3] {
    let q = unit(q);
    let [x, y, z, _] = product(product(q, [v[0], v[1], v[2], 0.0]), [-q[0], -q[1], -q[2], q[3]]);
    [x, y, z]
}

#[test]
fn normalising_keeps_its_bound() {
    let mut samples = Samples::new();
    let (mut worst, mut length) = (Worst::of("normalise, 2^-30"), Worst::of("length, 2^-30"));
    for _ in 0..cases(1_000_000) {
        let raw = Quat::from_bits([(); 4].map(|()| samples.bits() as i32 >> (samples.bits() % 31)));
        if raw.to_bits() == [0; 4] {
            continue;
        }
        let found = raw.normalise();
        worst.see(gap(found, unit(four(raw))));
        length.see((dot(four(found), four(found)).sqrt() - 1.0) * UNIT);
    }
    worst.assert_at_most(2.0);
    length.assert_at_most(2.0);
    assert_eq!(Quat::from_bits([i32::MIN; 4]).normalise(), Quat::from_bits([-(1 << 29); 4]));
    assert_eq!(Quat::default(), Quat::IDENTITY);
}

#[test]
fn an_axis_and_an_angle_keep_their_bound() {
    let mut samples = Samples::new();
    let (mut worst, mut norm) = (Worst::of("from_axis_angle, 2^-30"), Worst::of("length, 2^-30"));
    for _ in 0..cases(1_000_000) {
        let (axis, angle) = (samples.vec3(63), Angle::from_bits(samples.0.next_u32() >> (samples.0.next_u32() % 32)));
        if axis == Vec3::ZERO {
            continue;
        }
        let half = f64::from(Angle::ZERO.turn_to(angle)) / 4_294_967_296.0 * TAU / 2.0;
        let half = if angle == Angle::HALF { -half } else { half };
        let lanes = [axis.x, axis.y, axis.z].map(|it| it.to_bits() as f64);
        let length = lanes.iter().map(|it| it * it).sum::<f64>().sqrt();
        let [x, y, z] = lanes.map(|it| it / length * half.sin());
        let found = Quat::from_axis_angle(axis, angle);
        worst.see(gap(found, [x, y, z, half.cos()]));
        norm.see((dot(four(found), four(found)).sqrt() - 1.0) * UNIT);
        assert!(found.to_bits()[3] >= 0);
        if angle != Angle::HALF {
            assert_eq!(Quat::from_axis_angle(axis, -angle), found.conjugate());
        }
        assert_eq!(Quat::from_axis_angle(-axis, angle), found.conjugate());
    }
    worst.assert_at_most(4.0);
    norm.assert_at_most(2.0);
    assert_eq!(Quat::from_axis_angle(Vec3::ZERO, Angle::QUARTER), Quat::IDENTITY);
    assert_eq!(Quat::from_axis_angle(Vec3::X, Angle::ZERO), Quat::IDENTITY);
    assert_eq!(Quat::from_axis_angle(Vec3::X, Angle::HALF), Quat::from_bits([1 << 30, 0, 0, 0]));
}

#[test]
fn products_keep_their_bound() {
    let mut samples = Samples::new();
    let mut worst = Worst::of("product, 2^-30");
    let mut walk = Quat::IDENTITY;
    for step in 1..=cases(1_000_000) {
        let (a, b) = (samples.quat(), samples.quat());
        worst.see(gap(a * b, product(four(a), four(b))));
        let dots = a.dot(b).to_bits() as f64 - dot(four(a), four(b)) * 65_536.0;
        assert!(dots.abs() <= 0.5 + 1e-6);
        // 1,000 products, then back to length one.
        walk = walk * a;
        if step % 1_000 == 0 {
            assert!((dot(four(walk), four(walk)).sqrt() - 1.0).abs() < 3e-6);
            walk = walk.normalise();
        }
    }
    worst.assert_at_most(0.5001);
}

#[test]
fn a_product_turns_first_by_its_right_side() {
    let (yaw, roll) = (Quat::from_axis_angle(Vec3::Y, Angle::QUARTER), Quat::from_axis_angle(Vec3::Z, Angle::QUARTER));
    let v = Vec3::from_ints(1, 2, 3);
    assert_eq!((yaw * roll).rotate(v), yaw.rotate(roll.rotate(v)));
    assert_ne!((yaw * roll).rotate(v), (roll * yaw).rotate(v));
}

#[test]
fn turning_keeps_its_bound() {
    let mut samples = Samples::new();
    let (mut short, mut long) = (Worst::of("rotate, DELTA"), Worst::of("rotate, 2^-27 of the length"));
    for _ in 0..cases(1_000_000) {
        let (q, v) = (samples.quat(), samples.vec3(60));
        let lanes = [v.x, v.y, v.z].map(|it| it.to_bits() as f64);
        let found = q.rotate(v);
        let length = lanes.iter().map(|it| it * it).sum::<f64>().sqrt();
        for (found, exact) in [found.x, found.y, found.z].into_iter().zip(turned(four(q), lanes)) {
            let error = (found.to_bits() as f64 - exact).abs();
            if length < 1_024.0 * 65_536.0 {
                short.see(error);
            }
            long.see(((error - 0.5) / length).max(0.0) * 134_217_728.0);
        }
    }
    short.assert_at_most(1.0);
    long.assert_at_most(1.0);
    for v in extremes().flat_map(|x| extremes().map(move |y| Vec3::new(x, y, x))) {
        assert_eq!(Quat::IDENTITY.rotate(v), v);
        assert_eq!(Quat::from_bits([0; 4]).rotate(v), v);
    }
}

/// Pairs of rotations at all distances, the same rotation with both signs included.
fn pairs(samples: &mut Samples, index: u32) -> (Quat, Quat) {
    let a = samples.quat();
    match index % 4 {
        0 => (a, samples.quat()),
        1 => (a, samples.near(a)),
        2 => (a, -samples.near(a)),
        _ => (a, if index % 8 < 4 { a } else { -a }),
    }
}

fn arc(a: Four, b: Four, t: f64) -> Four {
    let (a, b) = (unit(a), unit(b));
    let b = if dot(a, b) < 0.0 { b.map(|it| -it) } else { b };
    let (minus, plus) = (mix(a, b, [1.0, -1.0]), mix(a, b, [1.0, 1.0]));
    let angle = 2.0 * dot(minus, minus).sqrt().atan2(dot(plus, plus).sqrt());
    if angle < 1e-12 {
        return a;
    }
    unit(mix(a, b, [((1.0 - t) * angle).sin(), (t * angle).sin()]))
}

#[test]
fn line_and_arc_keep_their_bounds() {
    let mut samples = Samples::new();
    let (mut line_worst, mut arc_worst) = (Worst::of("nlerp, 2^-30"), Worst::of("slerp, 2^-30"));
    for index in 0..cases(1_000_000) {
        let ((a, b), t) = (pairs(&mut samples, index), samples.fraction());
        if a.wide_dot(b).abs() < 1 << 34 {
            // So near to half a turn the oracle cannot tell the shorter way.
            continue;
        }
        let (line, along) = (a.nlerp(b, t), a.slerp(b, t));
        let way = if a.wide_dot(b) < 0 { -1.0 } else { 1.0 };
        let real_t = real(t);
        if t != Fx::ZERO && t != Fx::ONE {
            line_worst.see(gap(line, unit(mix(four(a), four(b), [1.0 - real_t, way * real_t]))));
            arc_worst.see(gap(along, arc(four(a), four(b), real_t)));
        }
        for (end, expected) in [(Fx::ZERO, a), (Fx::MIN, a), (Fx::ONE, b), (Fx::MAX, b)] {
            assert_eq!(a.slerp(b, end), expected);
            assert_eq!(a.nlerp(b, end), expected);
        }
    }
    line_worst.assert_at_most(2.0);
    arc_worst.assert_at_most(3.0);
}

#[test]
fn opposite_equal_and_zero_rotations_have_a_way() {
    let zero = Quat::from_bits([0; 4]);
    let half = Fx::ratio(1, 2);
    let mut samples = Samples::new();
    for _ in 0..cases(10_000) {
        let a = samples.quat();
        let t = Fx::from_bits((1 + samples.bits() % 65_535) as i64);
        for way in [Quat::nlerp, Quat::slerp] {
            assert!(gap(way(a, a, t), four(a)) <= 3.0);
            assert!(gap(way(a, -a, t), four(a)) <= 3.0);
            assert!(gap(way(zero, a, t), four(a)) <= 3.0);
            assert!(gap(way(a, zero, t), four(a)) <= 3.0);
            assert_eq!(way(zero, zero, t), Quat::IDENTITY);
        }
    }
    // Half a turn apart: the way to `to`.
    let (x, y) = (Quat::from_bits([1 << 30, 0, 0, 0]), Quat::from_bits([0, 1 << 30, 0, 0]));
    assert_eq!(x.slerp(y, half), Quat::from_bits([1 << 30, 1 << 30, 0, 0]).normalise());
    assert_eq!(x.slerp(-y, half), Quat::from_bits([1 << 30, -(1 << 30), 0, 0]).normalise());
}

#[test]
fn the_line_is_off_the_arc_by_what_its_docs_say() {
    for (degrees, bound) in [(90, 1.0), (180, 8.2)] {
        let mut worst = Worst::of("degrees between line and arc");
        let (from, to) = (Quat::IDENTITY, Quat::from_axis_angle(Vec3::Y, Angle::from_degrees(degrees)));
        for bits in 0..=65_536 {
            let [line, arc] = [Quat::nlerp, Quat::slerp].map(|way| way(from, to, Fx::from_bits(bits)));
            let [line, arc] = [line, arc].map(|q| 2.0 * four(q)[1].atan2(four(q)[3]).to_degrees());
            worst.see(line - arc);
        }
        worst.assert_at_most(bound);
    }
}

#[test]
fn the_arc_has_constant_speed() {
    let (from, to) = (Quat::from_axis_angle(Vec3::X, Angle::from_degrees(20)), Quat::from_axis_angle(Vec3::Y, Angle::from_degrees(140)));
    let mut worst = Worst::of("step of the arc, 2^-30");
    let steps: Vec<Four> = (0..=64).map(|step| four(from.slerp(to, Fx::ratio(step, 64)))).collect();
    let length = |a: Four, b: Four| dot(mix(a, b, [1.0, -1.0]), mix(a, b, [1.0, -1.0])).sqrt();
    for pair in steps.windows(2) {
        worst.see((length(pair[0], pair[1]) - length(steps[0], steps[1])) * UNIT);
    }
    worst.assert_at_most(4.0);
}

#[test]
fn debug_shows_components() {
    assert_eq!(format!("{:?}", Quat::IDENTITY), "Quat(0, 0, 0, 1)");
}
