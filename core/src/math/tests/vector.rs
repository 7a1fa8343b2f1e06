use super::*;

/// `sum`, exact with 32 bits after the point, as the nearest `Fx`, halves away from zero.
fn nearest(sum: [i128; 3]) -> Fx {
    // In three limbs of 2^64 three products could overflow; halves of each cannot.
    let halves: i128 = sum.iter().map(|it| it >> 1).sum::<i128>() + (sum.iter().map(|it| it & 1).sum::<i128>() >> 1);
    let odd = sum.iter().map(|it| it & 1).sum::<i128>() & 1;
    // value = 2 * halves + odd; quotient and rest by 2^16.
    let (quotient, rest) = (halves >> 15, ((halves & 0x7FFF) << 1) + odd);
    let up = rest > 32_768 || (rest == 32_768 && quotient >= 0);
    Fx::from_bits((quotient + i128::from(up)).clamp(i64::MIN.into(), i64::MAX.into()) as i64)
}

fn product(a: Fx, b: Fx) -> i128 {
    i128::from(a.to_bits()) * i128::from(b.to_bits())
}

fn all_pairs(samples: &mut Samples, usual: u32) -> Vec<(Vec3, Vec3)> {
    let count = cases(usual);
    let mut pairs: Vec<_> = (0..count).map(|_| (samples.vec3(63), samples.vec3(63))).collect();
    let edges: Vec<_> = extremes().collect();
    for _ in 0..count {
        let mut pick = || edges[(samples.bits() % edges.len() as u64) as usize];
        pairs.push((Vec3::new(pick(), pick(), pick()), Vec3::new(pick(), pick(), pick())));
    }
    pairs.push((Vec3::new(Fx::MIN, Fx::MIN, Fx::MIN), Vec3::new(Fx::MIN, Fx::MIN, Fx::MIN)));
    pairs.push((Vec3::new(Fx::MIN, Fx::MIN, Fx::MIN), Vec3::new(Fx::MAX, Fx::MAX, Fx::MAX)));
    pairs
}

#[test]
fn products_are_the_nearest_at_every_extreme() {
    for (a, b) in all_pairs(&mut Samples::new(), 100_000) {
        assert_eq!(a.dot(b), nearest([product(a.x, b.x), product(a.y, b.y), product(a.z, b.z)]), "{a:?} {b:?}");
        assert_eq!(a.xy().dot(b.xy()), nearest([product(a.x, b.x), product(a.y, b.y), 0]));
        assert_eq!(a.xy().cross(b.xy()), nearest([product(a.x, b.y), -product(a.y, b.x), 0]));
        let cross = Vec3::new(
            nearest([product(a.y, b.z), -product(a.z, b.y), 0]),
            nearest([product(a.z, b.x), -product(a.x, b.z), 0]),
            nearest([product(a.x, b.y), -product(a.y, b.x), 0]),
        );
        assert_eq!(a.cross(b), cross);
        assert_eq!(a.length_squared(), a.dot(a));
        assert_eq!(a.xy().length_squared(), a.xy().dot(a.xy()));
    }
}

/// Whether `found` is the nearest to the root of the sum of squares: found² - found < sum <= found² + found.
fn is_root(found: Fx, lanes: [u64; 3]) -> bool {
    let square = |it: u64| u128::from(it) * u128::from(it);
    let Some(sum) = square(lanes[0]).checked_add(square(lanes[1])).and_then(|sum| sum.checked_add(square(lanes[2]))) else {
        return found == Fx::MAX;
    };
    let root = u128::from(found.to_bits() as u64);
    let below = root == 0 || root * root - root < sum;
    below && (sum <= root * root + root || found == Fx::MAX)
}

#[test]
fn lengths_and_distances_are_the_nearest_at_every_extreme() {
    for (a, b) in all_pairs(&mut Samples::new(), 100_000) {
        let [x, y, z] = [a.x, a.y, a.z].map(|it| it.to_bits().unsigned_abs());
        assert!(is_root(a.length(), [x, y, z]), "{a:?}");
        assert!(is_root(a.xy().length(), [x, y, 0]), "{a:?}");
        let gaps = [(a.x, b.x), (a.y, b.y), (a.z, b.z)].map(|(a, b)| a.to_bits().abs_diff(b.to_bits()));
        assert!(is_root(a.distance(b), gaps), "{a:?} {b:?}");
        assert!(is_root(a.xy().distance(b.xy()), [gaps[0], gaps[1], 0]));
        assert_eq!(a.distance(b), b.distance(a));
        if (a - b) + b == a && (b - a) + a == b {
            assert_eq!(a.distance_squared(b), (a - b).length_squared());
            assert_eq!(a.xy().distance_squared(b.xy()), (a - b).xy().length_squared());
        }
    }
    let (left, right) = (Vec2::new(Fx::MIN, Fx::MIN), Vec2::new(Fx::MAX, Fx::MAX));
    assert_eq!(left.distance(right), Fx::MAX);
    assert_eq!(left.distance_squared(right), Fx::MAX);
}

#[test]
fn normalising_keeps_its_bound_at_every_length() {
    let mut worst = Worst::of("normalise, DELTA");
    let mut length = Worst::of("length of what is normalised, DELTA");
    for (a, _) in all_pairs(&mut Samples::new(), 300_000) {
        let lanes = [a.x, a.y, a.z].map(|it| it.to_bits() as f64);
        let exact = |count: usize| lanes[..count].iter().map(|it| it * it).sum::<f64>().sqrt();
        if let Some(unit) = a.normalise() {
            for (unit, lane) in [unit.x, unit.y, unit.z].into_iter().zip(lanes) {
                worst.see(unit.to_bits() as f64 - lane / exact(3) * 65_536.0);
            }
            length.see(unit.length().to_bits() as f64 - 65_536.0);
        } else {
            assert_eq!(a, Vec3::ZERO);
        }
        if let Some(unit) = a.xy().normalise() {
            worst.see(unit.x.to_bits() as f64 - lanes[0] / exact(2) * 65_536.0);
            worst.see(unit.y.to_bits() as f64 - lanes[1] / exact(2) * 65_536.0);
        } else {
            assert_eq!(a.xy(), Vec2::ZERO);
        }
    }
    worst.assert_at_most(0.501);
    length.assert_at_most(1.0);
    for shift in 0..63 {
        let long = Fx::from_bits(1 << shift);
        assert_eq!(Vec2::new(long, Fx::ZERO).normalise(), Some(Vec2::X));
        assert_eq!(Vec2::new(long, -long).normalise(), Vec2::from_ints(1, -1).normalise());
    }
}

#[test]
fn clamping_a_length_keeps_its_bound() {
    let (mut worst, mut short) = (Worst::of("clamp_length, DELTA"), Worst::of("clamp_length below 2^26, DELTA"));
    let mut samples = Samples::new();
    for (a, b) in all_pairs(&mut Samples::new(), 200_000) {
        for max in [b.x, b.x.abs(), samples.fx(24), Fx::from_bits(a.length().to_bits() / 2)] {
            let clamped = a.clamp_length(max);
            let allowed = real(max).max(0.0);
            let lanes = [a.x, a.y, a.z].map(real);
            let length = lanes.iter().map(|it| it * it).sum::<f64>().sqrt();
            if a.length() < max {
                assert_eq!(clamped, a);
            }
            let factor = if length > allowed { allowed / length } else { 1.0 };
            for (clamped, lane) in [clamped.x, clamped.y, clamped.z].map(real).into_iter().zip(lanes) {
                let error = (clamped - lane * factor) * 65_536.0;
                // Longer ones round too much in f64.
                if length < 67_108_864.0 {
                    short.see(error);
                }
                // f64 has 53 bits for 63.
                worst.see((error.abs() - lane.abs() * factor * 65_536.0 * 1e-15).max(0.0));
            }
            let flat = Vec3::new(a.x, a.y, Fx::ZERO).clamp_length(max);
            assert_eq!(a.xy().clamp_length(max), flat.xy());
        }
    }
    worst.assert_at_most(1.0);
    short.assert_at_most(0.51);
    let exact = Vec2::from_ints(3, 4);
    assert_eq!(exact.clamp_length(Fx::from_int(5)), exact);
    assert_ne!(exact.clamp_length(Fx::from_int(5) - Fx::DELTA), exact);
    assert_eq!(exact.clamp_length(-Fx::ONE), Vec2::ZERO);
    assert_eq!(Vec2::ZERO.clamp_length(Fx::ZERO), Vec2::ZERO);
    let corner = Vec3::new(Fx::MIN, Fx::MIN, Fx::MIN);
    assert!(corner.clamp_length(Fx::MAX).x.to_bits() < -(1 << 62));
}

#[test]
fn turning_keeps_its_bound() {
    let mut samples = Samples::new();
    let (mut short, mut long) = (Worst::of("rotate, DELTA"), Worst::of("rotate, 2^-31 of the length"));
    for _ in 0..cases(1_000_000) {
        let (angle, v) = (samples.angle(), samples.vec2(61));
        let turned = v.rotate(angle);
        let (sin, cos) = radians(angle).sin_cos();
        let (x, y) = (v.x.to_bits() as f64, v.y.to_bits() as f64);
        for (found, exact) in [(turned.x, x * cos - y * sin), (turned.y, x * sin + y * cos)] {
            let error = (found.to_bits() as f64 - exact).abs();
            let length = x.hypot(y);
            if length < 1e8 {
                short.see(error);
            }
            long.see(((error - 0.5) / length).max(0.0) * 2_147_483_648.0);
        }
    }
    // 1e8 units are 15 m.
    short.assert_at_most(0.55);
    long.assert_at_most(1.0);
    for v in extremes().flat_map(|x| extremes().map(move |y| Vec2::new(x, y))) {
        assert_eq!(v.rotate(Angle::ZERO), v);
        assert_eq!(v.rotate(Angle::QUARTER), v.perp());
        assert_eq!(v.rotate(Angle::HALF), -v);
        let _ = v.rotate(Angle::from_degrees(45));
    }
}

#[test]
fn lanes_stay_in_their_places() {
    let (a, b) = (Vec3::from_ints(1, -20, 300), Vec3::from_ints(-4, 50, -600));
    assert_eq!(a + b, Vec3::from_ints(-3, 30, -300));
    assert_eq!(a - b, Vec3::from_ints(5, -70, 900));
    assert_eq!(a * Fx::from_int(-2), Vec3::from_ints(-2, 40, -600));
    assert_eq!(a.min(b), Vec3::from_ints(-4, -20, -600));
    assert_eq!(a.max(b), Vec3::from_ints(1, 50, 300));
    assert_eq!(a.abs(), Vec3::from_ints(1, 20, 300));
    assert_eq!(a.lerp(b, Fx::ONE), b);
    assert_eq!(a.xy().lerp(b.xy(), Fx::ONE), b.xy());
    let mut sum = a;
    sum += b;
    sum -= a;
    assert_eq!(sum, b);
    assert_eq!(a.xy().perp(), Vec2::from_ints(20, 1));
    assert_eq!(a.xy().min(b.xy()), Vec2::from_ints(-4, -20));
    assert_eq!(a.xy().max(b.xy()).abs(), Vec2::from_ints(1, 50));
}

#[test]
fn vectors_and_angles_are_named_state() {
    use crate::StateLayout;
    let v = Vec3::from_ints(1, 2, 3);
    let dump = StateLayout::of::<Vec3>().dump(bytemuck::bytes_of(&v)).to_string();
    assert!(dump.starts_with("x = 1 ") && dump.contains("\ny = 2 ") && dump.contains("\nz = 3 "), "{dump}");
    assert_eq!(StateLayout::of::<Vec2>().size_bytes(), 16);
    assert_eq!(StateLayout::of::<Angle>().size_bytes(), 4);
    assert_eq!(StateLayout::of::<Quat>().size_bytes(), 16);
}
