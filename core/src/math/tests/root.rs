//! Roots are checked exactly: r is nearest to √n if (2r - 1)² <= 4n <= (2r + 1)².

use super::*;
use crate::math::{root, round};

fn check(square: u128) {
    let found = u128::from(root::nearest(square));
    if found == u128::from(u64::MAX) {
        assert!(square >= found * found - found, "{square}: {found}");
        return;
    }
    // Around r² without doubling, which would overflow: r² - r < n <= r² + r.
    let (below, above) = (found * found - found, found * found + found);
    assert!((below < square || found == 0) && square <= above, "{square}: {found}");
}

#[test]
fn roots_are_the_nearest() {
    (0..cases(2_000_000).into()).for_each(check);
    let mut samples = Samples::new();
    for _ in 0..cases(500_000) {
        let wide = u128::from(samples.bits()) << 64 | u128::from(samples.bits());
        check(wide >> (samples.bits() % 128));
        // Where the nearest changes: r² + r belongs to r, the next to r + 1.
        let r = u128::from(samples.bits() >> (samples.bits() % 64));
        for near in [r * r, r * r + r] {
            check(near);
            check(near.saturating_add(1));
            check(near.saturating_sub(1));
        }
    }
    check(u128::from(u64::MAX));
    check(u128::from(u64::MAX) + 1);
    check(u128::MAX);
}

#[test]
fn the_root_of_a_number_keeps_its_bound() {
    let mut worst = Worst::of("sqrt, DELTA");
    let mut samples = Samples::new();
    for bits in (0..300_000).chain((0..cases(300_000)).map(|_| samples.fx(50).to_bits())) {
        let value = Fx::from_bits(bits);
        let exact = if bits < 0 { 0.0 } else { real(value).sqrt() };
        worst.see((real(value.sqrt()) - exact) * 65_536.0);
    }
    worst.assert_at_most(0.5 + 1e-6);
    for value in extremes() {
        let root = value.sqrt();
        let expected = if value < Fx::ZERO { 0 } else { root::nearest((value.to_bits() as u128) << 16) };
        assert_eq!(root.to_bits() as u64, expected);
    }
    assert_eq!(Fx::MIN.sqrt(), Fx::ZERO);
}

#[test]
fn shifts_and_quotients_are_the_nearest_with_halves_away_from_zero() {
    for (value, expected) in [(0, 0), (1, 0), (2, 1), (3, 1), (5, 1), (6, 2), (-1, 0), (-2, -1), (-5, -1), (-6, -2)] {
        assert_eq!(round::shift(value, 2), expected, "{value}");
    }
    assert_eq!(round::shift(i128::MIN, 126), -2);
    assert_eq!(round::shift(i128::MAX, 126), 2);
    assert_eq!(round::shift_unsigned(u128::MAX, 126), 4);
    for top in (0..400).chain([u128::from(u64::MAX), u128::from(u64::MAX) + 1]) {
        for bottom in [1, 2, 3, 7, 8, u64::MAX] {
            assert_eq!(round::divide(top, bottom), (2 * top + u128::from(bottom)) / (2 * u128::from(bottom)), "{top}/{bottom}");
        }
    }
    assert_eq!(round::saturate(i128::MAX), Fx::MAX);
    assert_eq!(round::saturate(i128::MIN), Fx::MIN);
    assert_eq!(round::saturate_unsigned(u128::MAX), Fx::MAX);
    assert_eq!(round::with_sign(1 << 63, -1), i64::MIN);
}

#[test]
fn lerp_is_nearest_between_its_ends_and_the_same_from_both() {
    let mut samples = Samples::new();
    let random: Vec<_> = (0..cases(200_000)).map(|_| (samples.fx(63), samples.fx(63))).collect();
    let edges = extremes().flat_map(|a| extremes().map(move |b| (a, b)));
    for (a, b) in edges.chain(random) {
        let t = samples.fraction();
        let found = a.lerp(b, t);
        let exact = i128::from(a.to_bits()) * (65_536 - i128::from(t.to_bits())) + i128::from(b.to_bits()) * i128::from(t.to_bits());
        assert!((i128::from(found.to_bits()) * 65_536 - exact).abs() <= 32_768, "{a} to {b} at {t}");
        assert!(a.min(b) <= found && found <= a.max(b));
        assert_eq!(found, b.lerp(a, Fx::ONE - t));
        if a != Fx::MIN && b != Fx::MIN {
            assert_eq!((-a).lerp(-b, t), -found);
        }
        for (outside, end) in [(Fx::ZERO, a), (Fx::MIN, a), (Fx::ONE, b), (Fx::MAX, b)] {
            assert_eq!(a.lerp(b, outside), end);
        }
    }
    let (mut before, end) = (Fx::from_bits(-77_777), Fx::from_bits(123_457));
    for bits in 0..=65_536 {
        let next = Fx::from_bits(-77_777).lerp(end, Fx::from_bits(bits));
        assert!(next >= before);
        before = next;
    }
}
