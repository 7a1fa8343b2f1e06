use super::*;

#[test]
fn degrees_and_turns_are_the_nearest_at_every_extreme() {
    let numbers = [0, 1, -1, 2, 45, 90, 359, 360, -361, 65_537, i32::MAX, i32::MAX - 1, i32::MIN, i32::MIN + 1];
    for top in numbers {
        for bottom in numbers {
            if bottom == 0 {
                assert_eq!(Angle::from_turns(top, bottom), Angle::ZERO);
                continue;
            }
            // Twice the distance to the exact fraction is at most one unit.
            let (top, bottom) = (i128::from(top), i128::from(bottom));
            let found = i128::from(Angle::from_turns(top as i32, bottom as i32).to_bits());
            let gap = (found * bottom - (top << 32)).rem_euclid(bottom.abs() << 32);
            let gap = gap.min((bottom.abs() << 32) - gap);
            assert!(2 * gap <= bottom.abs(), "{top}/{bottom}: {found}");
        }
        assert_eq!(Angle::from_turns(top, 360), Angle::from_degrees(top));
        if top != i32::MIN {
            assert_eq!(Angle::from_degrees(-top), -Angle::from_degrees(top));
            assert_eq!(Angle::from_turns(-top, 7), -Angle::from_turns(top, 7));
        }
    }
}

#[test]
fn the_shorter_way_is_taken_and_its_ends_are_exact() {
    let mut samples = Samples::new();
    for _ in 0..cases(200_000) {
        let (a, b, t) = (samples.angle(), samples.angle(), samples.fraction());
        assert_eq!(a.lerp(b, Fx::ZERO), a);
        assert_eq!(a.lerp(b, Fx::ONE), b);
        assert_eq!(a.lerp(b, Fx::MIN), a);
        assert_eq!(a.lerp(b, Fx::MAX), b);
        let (way, part) = (i64::from(a.turn_to(b)), i64::from(a.turn_to(a.lerp(b, t))));
        let exact = way * t.to_bits();
        assert!((part * 65_536 - exact).abs() <= 32_768, "{a} to {b} at {t}");
        assert_eq!((-a).lerp(-b, t), -a.lerp(b, t));
        assert_eq!(a.mirrored_x().lerp(b.mirrored_x(), t), a.lerp(b, t).mirrored_x());
    }
    let (east, west) = (Angle::ZERO, Angle::HALF);
    assert_eq!(east.turn_to(west), i32::MIN);
    assert_eq!(east.lerp(west, Fx::ratio(1, 2)), Angle::QUARTER);
    assert_eq!(west.lerp(east, Fx::ratio(1, 2)), -Angle::QUARTER);
    assert_eq!(east.lerp(west, Fx::ONE), west);
}

#[test]
fn degrees_are_printed_without_floats() {
    for (angle, expected) in [
        (Angle::ZERO, "0°"),
        (Angle::QUARTER, "90°"),
        (Angle::from_turns(1, 16), "22.5°"),
        (Angle::from_bits(1), "0.00000008°"),
        (Angle::from_bits(u32::MAX), "359.99999992°"),
        (Angle::from_degrees(1), "1.00000002°"),
    ] {
        assert_eq!(angle.to_string(), expected);
    }
    assert_eq!(format!("{:.0}", Angle::from_bits(u32::MAX)), "360°");
    assert_eq!(format!("{:.1}", Angle::from_degrees(1)), "1.0°");
    assert_eq!(format!("{:.90}", Angle::from_bits(1)), "0.00000008381903171539°");
    assert_eq!(format!("{:?}", Angle::HALF), "Angle(180°)");
}

#[test]
fn different_angles_print_differently() {
    for bits in (0..u32::MAX - 1).step_by(1_000_003) {
        assert_ne!(Angle::from_bits(bits).to_string(), Angle::from_bits(bits + 1).to_string());
    }
}
