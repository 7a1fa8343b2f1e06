//! Numbers: quantising, fractions of an interval, `lerp`, and the half axis of a capsule.

use snapback_core::{Fx, Quat, Vec3};

/// x, y and z, in units of 1/16,384 m.
pub type Units = [i64; 3];

/// Steps of `Fx` in a unit.
pub const DELTAS_PER_UNIT: i128 = 400;

/// `numerator / denominator` to the nearest integer, halves away from zero. `denominator > 0`.
#[must_use]
pub fn round_ratio(numerator: i128, denominator: i128) -> i64 {
    let magnitude = (numerator.abs() * 2 + denominator) / (denominator * 2);
    i64::try_from(if numerator < 0 { -magnitude } else { magnitude }).expect("fits 64 bits")
}

/// A length in units.
#[must_use]
pub fn quantise(length: Fx) -> i64 {
    round_ratio(length.to_bits().into(), DELTAS_PER_UNIT)
}

/// A position in units.
#[must_use]
pub fn quantise_point(position: Vec3) -> Units {
    [quantise(position.x), quantise(position.y), quantise(position.z)]
}

/// How far `time_us` is from `start_us` to `end_us`, from 0 to 65,536, rounded down.
#[must_use]
pub fn fraction(time_us: u64, start_us: u64, end_us: u64) -> i64 {
    let passed = u128::from(time_us - start_us) << 16;
    i64::try_from(passed / u128::from(end_us - start_us)).expect("at most 65,536")
}

/// Between `from` and `to`, at a fraction of 65,536ths: the floor of the value plus one half.
#[must_use]
pub fn lerp(from: i64, to: i64, fraction: i64) -> i64 {
    let way = i128::from(to - from) * i128::from(fraction);
    from + i64::try_from((way + (1 << 15)).div_euclid(1 << 16)).expect("between the two")
}

/// [`lerp`] of each component.
#[must_use]
pub fn lerp3(from: Units, to: Units, fraction: i64) -> Units {
    std::array::from_fn(|axis| lerp(from[axis], to[axis], fraction))
}

/// From the centre of a capsule to the centre of its upper cap.
#[must_use]
pub fn half_axis(radius: i64, half_height: i64, rotation: Quat) -> Units {
    let along = i128::from((half_height - radius).max(0));
    let [x, y, z, w] = rotation.to_bits().map(i128::from);
    let one = 1 << 60;
    let column = [2 * (x * y - w * z), one - 2 * (x * x + z * z), 2 * (y * z + w * x)];
    column.map(|entry| round_ratio(along * entry, one).clamp(-32_767, 32_767))
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapback_core::Angle;

    #[test]
    fn halves_go_away_from_zero() {
        for (bits, expected) in [(199, 0), (200, 1), (-199, 0), (-200, -1), (599, 1), (600, 2), (-600, -2)] {
            assert_eq!(quantise(Fx::from_bits(bits)), expected, "{bits}");
        }
    }

    #[test]
    fn a_lerp_is_the_floor_of_the_value_plus_one_half() {
        assert_eq!(lerp(0, 1, 32_767), 0);
        assert_eq!(lerp(0, 1, 32_768), 1);
        assert_eq!(lerp(0, -1, 32_768), 0, "minus one half and one half is nothing");
        assert_eq!(lerp(0, -1, 32_769), -1);
        assert_eq!(lerp(-7, 12, 65_536), 12);
        assert_eq!(lerp(-7, 12, 0), -7);
    }

    #[test]
    fn a_fraction_is_rounded_down() {
        assert_eq!(fraction(10, 10, 13), 0);
        assert_eq!(fraction(11, 10, 13), 21_845);
        assert_eq!(fraction(13, 10, 13), 65_536);
    }

    #[test]
    fn a_capsule_that_lies_down_has_a_level_axis() {
        assert_eq!(half_axis(100, 300, Quat::IDENTITY), [0, 200, 0]);
        assert_eq!(half_axis(300, 100, Quat::IDENTITY), [0, 0, 0]);
        let quarter = Quat::from_axis_angle(Vec3::from_ints(0, 0, 1), Angle::QUARTER);
        assert_eq!(half_axis(100, 300, quarter), [-200, 0, 0]);
    }
}
