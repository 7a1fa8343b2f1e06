//! [`Fx`]: the fixed-point scalar of the simulation. One unit is one centimetre.

use bytemuck::{Pod, Zeroable};
use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use core::str::FromStr;
use fixed::types::I48F16;

/// A signed number with 48 bits before the point and 16 after it, on [`fixed::types::I48F16`].
///
/// | | |
/// |---|---|
/// | resolution | 1/65,536 (0.15 µm at one unit a centimetre) |
/// | range | ±140,737,488,355,328 |
/// | `+`, `-`, negation | exact, saturating at the ends |
/// | `*` | rounded to nearest, halves away from zero, saturating |
/// | `/` | rounded to nearest, halves away from zero, saturating; by zero: `MAX`, `MIN`, or 0 for 0/0 |
///
/// Rounding is symmetric about zero, so a mirrored match computes mirrored values. Every operator
/// is total and gives the same bits in debug and release: the operators of `fixed` itself panic in
/// one and wrap in the other, which is why they are not exposed.
///
/// There is no conversion from a float, not even in a constant: write `Fx::ratio(5, 2)` or parse
/// `"2.5"`.
///
/// ```
/// use snapback_core::Fx;
/// let speed: Fx = "2.5".parse().unwrap();
/// assert_eq!(speed * Fx::from_int(3), Fx::ratio(15, 2));
/// assert_eq!(Fx::MAX + Fx::ONE, Fx::MAX);
/// assert_eq!(Fx::MIN / -Fx::ONE, Fx::MAX);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct Fx(i64);

const FRACTION_BITS: u32 = I48F16::FRAC_NBITS;

impl Fx {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// One unit: one centimetre.
    pub const ONE: Self = Self::from_int(1);
    /// The greatest value.
    pub const MAX: Self = Self(I48F16::MAX.to_bits());
    /// The least value. Its negation saturates to [`Fx::MAX`].
    pub const MIN: Self = Self(I48F16::MIN.to_bits());
    /// The smallest step between two values.
    pub const DELTA: Self = Self(1);

    /// The value of this many 1/65,536ths.
    #[must_use]
    pub const fn from_bits(bits: i64) -> Self {
        Self(bits)
    }

    /// How many 1/65,536ths this value is.
    #[must_use]
    pub const fn to_bits(self) -> i64 {
        self.0
    }

    /// The value of a whole number. Every `i32` fits.
    #[must_use]
    pub const fn from_int(whole: i32) -> Self {
        Self((whole as i64) << FRACTION_BITS)
    }

    /// `numerator / denominator`, rounded like `/`.
    #[must_use]
    pub const fn ratio(numerator: i32, denominator: i32) -> Self {
        Self(divide(numerator as i64, denominator as i64))
    }

    /// The same value as a type of the `fixed` crate, for hosts that use it.
    #[must_use]
    pub const fn to_fixed(self) -> I48F16 {
        I48F16::from_bits(self.0)
    }

    /// The value of a number of the `fixed` crate.
    #[must_use]
    pub const fn from_fixed(value: I48F16) -> Self {
        Self(value.to_bits())
    }

    /// The greatest whole number that is not greater: -1.5 gives -2.
    #[must_use]
    pub const fn floor(self) -> i64 {
        self.0 >> FRACTION_BITS
    }

    /// The nearest whole number, halves away from zero.
    #[must_use]
    pub const fn round(self) -> i64 {
        let half = 1u64 << (FRACTION_BITS - 1);
        let magnitude = ((self.0.unsigned_abs() + half) >> FRACTION_BITS) as i64;
        if self.0 < 0 { -magnitude } else { magnitude }
    }

    /// The distance from zero; [`Fx::MIN`] saturates to [`Fx::MAX`].
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// -1, 0 or 1.
    #[must_use]
    pub const fn signum(self) -> i32 {
        self.0.signum() as i32
    }

    /// The value brought into `low..=high`. If the bounds are the wrong way round, `low` wins.
    #[must_use]
    pub fn clamp_to(self, low: Self, high: Self) -> Self {
        self.min(high).max(low)
    }

    /// One step towards `target`, at most `step` long (its sign does not matter), never past it.
    #[must_use]
    pub fn approach(self, target: Self, step: Self) -> Self {
        let step = step.abs();
        if self < target { (self + step).min(target) } else { (self - step).max(target) }
    }
}

const fn divide(numerator: i64, denominator: i64) -> i64 {
    if denominator == 0 {
        return match numerator.signum() {
            0 => 0,
            1 => i64::MAX,
            _ => i64::MIN,
        };
    }
    let (top, bottom) = ((numerator.unsigned_abs() as u128) << FRACTION_BITS, denominator.unsigned_abs() as u128);
    round_half_away((2 * top / bottom) as i128, (numerator < 0) != (denominator < 0))
}

/// Half of `doubled`, a magnitude, rounded up at a half, with a sign, saturated.
const fn round_half_away(doubled: i128, negative: bool) -> i64 {
    let magnitude = (doubled + 1) >> 1;
    let signed = if negative { -magnitude } else { magnitude };
    if signed > i64::MAX as i128 {
        i64::MAX
    } else if signed < i64::MIN as i128 {
        i64::MIN
    } else {
        signed as i64
    }
}

impl Add for Fx {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.to_fixed().saturating_add(other.to_fixed()).to_bits())
    }
}

impl Sub for Fx {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.to_fixed().saturating_sub(other.to_fixed()).to_bits())
    }
}

impl Neg for Fx {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.to_fixed().saturating_neg().to_bits())
    }
}

impl Mul for Fx {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        // fixed rounds towards minus infinity, which would not mirror.
        let product = i128::from(self.0) * i128::from(other.0);
        let doubled = (product.unsigned_abs() >> (FRACTION_BITS - 1)) as i128;
        Self(round_half_away(doubled, product < 0))
    }
}

impl Div for Fx {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        Self(divide(self.0, other.0))
    }
}

impl AddAssign for Fx {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Fx {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// Why a text is not a fixed-point number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseFxError {
    text: String,
    reason: String,
}

impl fmt::Display for ParseFxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is not a fixed-point number ({}); write digits with an optional point, such as \"-2.75\"", self.text, self.reason)
    }
}

impl std::error::Error for ParseFxError {}

/// Reads a decimal such as `-2.75`, rounded to the nearest 1/65,536 (halves to even), without
/// passing through a float.
impl FromStr for Fx {
    type Err = ParseFxError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<I48F16>()
            .map(Self::from_fixed)
            .map_err(|error| ParseFxError { text: text.chars().take(40).collect(), reason: error.to_string() })
    }
}

impl fmt::Display for Fx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_fixed().fmt(f)
    }
}

impl fmt::Debug for Fx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fx({})", self.to_fixed())
    }
}

/// As a decimal string: TOML and JSON numbers would pass through a float.
impl serde::Serialize for Fx {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// From a decimal string or a whole number; a float is refused.
impl<'de> serde::Deserialize<'de> for Fx {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Fx;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a decimal in quotes, such as \"2.75\", or a whole number")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Fx, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_i64<E: serde::de::Error>(self, whole: i64) -> Result<Fx, E> {
                i32::try_from(whole).map(Fx::from_int).map_err(|_| E::custom(format!("{whole} is out of range")))
            }
            fn visit_u64<E: serde::de::Error>(self, whole: u64) -> Result<Fx, E> {
                i32::try_from(whole).map(Fx::from_int).map_err(|_| E::custom(format!("{whole} is out of range")))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn extremes() -> Vec<Fx> {
        let mut values: Vec<i64> = vec![0, 1, -1, 65_535, 65_536, -65_536, 32_768, -32_768, i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1];
        let mut rng = Rng::new(5, 0);
        for shift in 0..64 {
            let raw = (u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32())) as i64;
            values.push(raw >> shift);
        }
        values.into_iter().map(Fx::from_bits).collect()
    }

    /// Exact integer model of "nearest, halves away from zero", independent of the code above.
    fn nearest(top: i128, bottom: i128) -> i64 {
        let (quotient, rest) = (top / bottom, top % bottom);
        let up = rest.unsigned_abs() >= bottom.unsigned_abs() - rest.unsigned_abs();
        let sign = if (top < 0) == (bottom < 0) { 1 } else { -1 };
        (quotient + if up { sign } else { 0 }).clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    #[test]
    fn operators_match_an_exact_model_at_every_extreme() {
        for a in extremes() {
            for b in extremes() {
                let (x, y) = (i128::from(a.0), i128::from(b.0));
                let clamp = |v: i128| v.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                assert_eq!((a + b).0, clamp(x + y));
                assert_eq!((a - b).0, clamp(x - y));
                assert_eq!((a * b).0, nearest(x * y, 1 << 16), "{a:?} * {b:?}");
                if y != 0 {
                    assert_eq!((a / b).0, nearest(x << 16, y), "{a:?} / {b:?}");
                }
            }
            assert_eq!((-a).0, a.0.checked_neg().unwrap_or(i64::MAX));
        }
    }

    #[test]
    fn division_by_zero_goes_to_the_end_of_its_sign() {
        assert_eq!(Fx::ONE / Fx::ZERO, Fx::MAX);
        assert_eq!(-Fx::ONE / Fx::ZERO, Fx::MIN);
        assert_eq!(Fx::ZERO / Fx::ZERO, Fx::ZERO);
    }

    #[test]
    fn rounding_is_symmetric() {
        for a in extremes() {
            if a == Fx::MIN {
                continue;
            }
            assert_eq!(a.round(), -(-a).round());
            for b in extremes() {
                let product = a * b;
                if product != Fx::MAX && product != Fx::MIN {
                    assert_eq!(-a * b, -product);
                }
            }
        }
    }

    #[test]
    fn whole_numbers_and_steps() {
        assert_eq!(Fx::ratio(-3, 2).floor(), -2);
        assert_eq!(Fx::ratio(-3, 2).round(), -2);
        assert_eq!(Fx::MIN.round(), -(1 << 47));
        assert_eq!(Fx::MAX.round(), 1 << 47);
        assert_eq!(Fx::ZERO.approach(Fx::ONE, Fx::from_int(-5)), Fx::ONE);
        assert_eq!(Fx::ONE.approach(-Fx::ONE, Fx::ratio(1, 2)), Fx::ratio(1, 2));
    }

    #[test]
    fn text_round_trips_exactly_and_refuses_what_is_not_a_number() {
        for a in extremes() {
            assert_eq!(a.to_fixed().to_string().parse::<Fx>().map(|b| (b - a).abs() <= Fx::DELTA), Ok(true), "{a}");
        }
        assert_eq!("2.5".parse(), Ok(Fx::ratio(5, 2)));
        for bad in ["", "x", "1.2.3", "1e5x", "999999999999999999999"] {
            assert!(bad.parse::<Fx>().is_err(), "{bad}");
        }
    }

    #[test]
    fn serde_takes_strings_and_whole_numbers_and_refuses_floats() {
        assert_eq!(serde_json::from_str::<Fx>("\"-0.25\"").ok(), Some(Fx::ratio(-1, 4)));
        assert_eq!(serde_json::from_str::<Fx>("7").ok(), Some(Fx::from_int(7)));
        assert!(serde_json::from_str::<Fx>("0.25").is_err());
        assert_eq!(serde_json::to_string(&Fx::ratio(1, 4)).ok().as_deref(), Some("\"0.25\""));
    }
}
