use super::*;
use crate::math::{arctangent, series, sine};

const UNIT: f64 = 4_294_967_296.0;

/// Every 127th phase of a quarter turn that an angle can have, and all around each node and each
/// middle between two nodes of the table.
fn phases() -> impl Iterator<Item = u64> {
    let dense = (0..=1_u64 << 30).step_by(stride(127)).map(|angle| angle << 2);
    let nodes = (0..=256_u64).flat_map(|half| (0..200).map(move |near| ((half << 24) + near).saturating_sub(100).min(sine::QUARTER)));
    dense.chain(nodes).chain([sine::QUARTER])
}

fn check_sine(phases: impl Iterator<Item = u64>) {
    let (mut wide, mut narrow, mut squares) = (Worst::of("sine, 2^-32"), Worst::of("sine, DELTA"), Worst::of("squares, DELTA"));
    for phase in phases {
        let exact = (phase as f64 / UNIT * TAU / 4.0).sin();
        let found = sine::quarter(phase);
        assert!((0..=sine::ONE).contains(&found), "{phase}");
        wide.see(found as f64 - exact * UNIT);
        if phase % 4 == 0 {
            let (sin, cos) = Angle::from_bits((phase >> 2) as u32).sin_cos();
            narrow.see(sin.to_bits() as f64 - exact * 65_536.0);
            let sum = i128::from(sin.to_bits()).pow(2) + i128::from(cos.to_bits()).pow(2) - (1 << 32);
            squares.see(sum as f64 / 65_536.0);
        }
    }
    wide.assert_at_most(1.25);
    narrow.assert_at_most(0.5001);
    squares.assert_at_most(1.5);
}

/// With `SNAPBACK_EXHAUSTIVE` set: every angle of a quarter turn, which takes a minute in release.
#[test]
fn sine_and_cosine_keep_their_bounds() {
    if std::env::var_os("SNAPBACK_EXHAUSTIVE").is_some() {
        check_sine((0..=1_u64 << 30).map(|angle| angle << 2));
    } else {
        check_sine(phases());
    }
}

#[test]
fn sine_never_goes_back_in_a_quarter() {
    let mut before = Fx::ZERO;
    for bits in (0..=1_u32 << 30).step_by(stride(509)) {
        let sine = Angle::from_bits(bits).sin();
        assert!(sine >= before, "{bits}");
        before = sine;
    }
}

/// With the bounds of a quarter these prove those of the whole turn.
#[test]
fn sine_and_cosine_have_every_symmetry_exactly() {
    let quarter = Angle::QUARTER;
    for (turn, sine, cosine) in [(Angle::ZERO, 0, 1), (quarter, 1, 0), (Angle::HALF, 0, -1), (-quarter, -1, 0)]
        .map(|(a, s, c)| (a, Fx::from_int(s), Fx::from_int(c)))
    {
        assert_eq!(turn.sin_cos(), (sine, cosine));
    }
    let near_nodes = (0..=512_u32).flat_map(|node| (0..9).map(move |near| (node << 23).wrapping_add(near).wrapping_sub(4)));
    for bits in (0..=u32::MAX).step_by(stride(4_093)).chain(near_nodes) {
        let a = Angle::from_bits(bits);
        assert_eq!((-a).sin(), -a.sin(), "{a}");
        assert_eq!((-a).cos(), a.cos(), "{a}");
        assert_eq!(a.mirrored_x().sin(), a.sin(), "{a}");
        assert_eq!(a.mirrored_x().cos(), -a.cos(), "{a}");
        assert_eq!((quarter - a).sin(), a.cos(), "{a}");
        assert_eq!((a + quarter).sin(), a.cos(), "{a}");
        assert_eq!((a + Angle::HALF).sin(), -a.sin(), "{a}");
    }
}

/// In units of `Angle`, the short way.
fn gap(found: Angle, y: f64, x: f64) -> f64 {
    let exact = y.atan2(x) / TAU * UNIT;
    let gap = f64::from(found.to_bits()) - exact;
    gap - (gap / UNIT).round() * UNIT
}

#[test]
fn atan2_keeps_its_bound() {
    let mut worst = Worst::of("atan2, 2^-32 turn");
    let mut see = |y: i64, x: i64| worst.see(gap(Angle::atan2(Fx::from_bits(y), Fx::from_bits(x)), y as f64, x as f64));
    // The first quarter in ratios around each node and each middle of the table, at several lengths.
    for step in 0..=256_i64 {
        let around = i64::from(cases(300));
        for near in -around..=around {
            for length in [256_i64, 1 << 16, 1 << 24, 1 << 31, 1 << 40, 1 << 52] {
                let low = (length / 256 * step + near).clamp(0, length);
                see(low, length);
                see(length, low);
            }
        }
    }
    let side = i64::from(cases(1_000));
    for y in 0..side {
        for x in 0..side {
            see(y, x);
        }
    }
    let mut samples = Samples::new();
    for _ in 0..cases(2_000_000) {
        see(samples.fx(63).to_bits(), samples.fx(63).to_bits());
    }
    for _ in 0..cases(2_000_000) {
        see(samples.bits() as i64 >> 24, samples.bits() as i64 >> 24);
    }
    worst.assert_at_most(1.0);
}

#[test]
fn atan2_has_every_symmetry_exactly() {
    let mut samples = Samples::new();
    let random: Vec<_> = (0..cases(300_000)).map(|_| (samples.fx(63), samples.fx(63))).collect();
    let edges = extremes().flat_map(|y| extremes().map(move |x| (y, x)));
    for (y, x) in edges.chain(random).filter(|(y, x)| *y != Fx::MIN && *x != Fx::MIN) {
        let angle = Angle::atan2(y, x);
        assert_eq!(Angle::atan2(-y, x), -angle, "{y}, {x}");
        if y != Fx::ZERO || x != Fx::ZERO {
            assert_eq!(Angle::atan2(y, -x), angle.mirrored_x(), "{y}, {x}");
            assert_eq!(Angle::atan2(x, y), Angle::QUARTER - angle, "{y}, {x}");
            assert_eq!(Vec2::new(x, y).mirrored_x().angle(), angle.mirrored_x());
        }
        let triple = Fx::from_int(3);
        if y.abs().max(x.abs()) < Fx::MAX / triple - Fx::DELTA {
            assert_eq!(Angle::atan2(y * triple, x * triple), angle, "{y}, {x}");
        }
    }
    assert_eq!(Angle::atan2(Fx::MIN, Fx::MIN), Angle::from_degrees(225));
    assert_eq!(Angle::atan2(Fx::ZERO, Fx::MIN), Angle::HALF);
    for degrees in (0..360).step_by(45) {
        let angle = Angle::from_degrees(degrees);
        assert_eq!(Angle::atan2(angle.sin(), angle.cos()), angle);
    }
}

#[test]
fn atan2_never_goes_back_in_an_eighth() {
    let mut before = 0;
    for y in (0..=1_u64 << 32).step_by(stride(997)) {
        let angle = arctangent::quarter(y, 1 << 32);
        assert!(angle >= before, "{y}");
        before = angle;
    }
}

#[test]
fn an_angle_survives_its_sine_and_cosine() {
    let mut worst = Worst::of("there and back, 2^-17 radians");
    for bits in (0..=u32::MAX).step_by(stride(4_099)) {
        let angle = Angle::from_bits(bits);
        let back = Vec2::from_angle(angle).angle();
        worst.see(f64::from(angle.turn_to(back)) / UNIT * TAU * 131_072.0);
    }
    // A component is wrong by half of 2^-16, the angle at most by that much along both.
    worst.assert_at_most(1.4143);
}

#[test]
fn pi_is_pi() {
    // Machin: π = 16 atan 1/5 - 4 atan 1/239.
    let part = |n| series::arctangent(series::ONE / n);
    let machin = 16 * part(5) - 4 * part(239);
    assert!((series::PI - machin).abs() < 1 << 10, "{}", series::PI - machin);
    // f64 has 53 bits of it.
    assert!((series::PI as f64 / series::ONE as f64 - TAU / 2.0).abs() < 1e-15);
}

#[test]
fn series_keep_their_bounds() {
    for step in 0..=1_000 {
        let x = series::ONE * step / 1_000;
        let real = x as f64 / series::ONE as f64;
        assert!((series::sine(x) as f64 / series::ONE as f64 - real.sin()).abs() < 4e-16, "{step}");
        assert!((series::arctangent(x) as f64 / series::ONE as f64 - real.atan()).abs() < 4e-16, "{step}");
    }
}
