//! Between two rotations: the straight line brought back to length one, and the arc.

use super::{Quat, arctangent, lerp, root, sine};
use crate::Fx;

/// Chords whose square is below 2^-18, in 2^-60ths: rotations by up to 0.2 degrees, on which line
/// and arc differ by less than 2^-32.
const SHORT_SQUARED: u128 = 1 << 42;

impl Quat {
    /// From `self` at `t` = 0 to `to` at `t` = 1 along the straight line, by the shorter way.
    ///
    /// The result lies on the way of [`slerp`](Self::slerp) and has length one, but the speed
    /// varies: over a quarter turn it is off by at most 1 degree, over half a turn by 8.2.
    /// Cheaper than [`slerp`](Self::slerp), and as good for small steps.
    ///
    /// `t` is brought into 0 to 1; both ends are returned as they are (at `t` = 1 that is `to`,
    /// even where the way led to `-to`). Each component is wrong by at most 2 · 2^-30. If the
    /// rotations are half a turn apart, both ways are equally long: it takes the one to `to`, not to
    /// `-to`. From or to zero the other end is constant; between zeros it is [`Quat::IDENTITY`].
    ///
    /// ```
    /// use snapback_core::{Angle, Fx, Quat, Vec3};
    /// let turn = |degrees| Quat::from_axis_angle(Vec3::Y, Angle::from_degrees(degrees));
    /// let (halfway, arm) = (turn(10).nlerp(turn(50), Fx::ratio(1, 2)), Vec3::from_ints(70, 80, 90));
    /// assert_eq!(halfway.rotate(arm), turn(30).rotate(arm));
    /// ```
    #[must_use]
    pub fn nlerp(self, to: Self, t: Fx) -> Self {
        self.blend(to, t, |_, _, t| [65_536 - t, t])
    }

    /// From `self` at `t` = 0 to `to` at `t` = 1 along the arc at constant speed, by the shorter way.
    ///
    /// `t` is brought into 0 to 1; both ends are returned as they are (at `t` = 1 that is `to`,
    /// even where the way led to `-to`). Each component is wrong by at most 3 · 2^-30. Half a turn
    /// and zeros are treated as in [`nlerp`](Self::nlerp).
    ///
    /// The weights of the ends are the sines of their parts of the arc (Shoemake 1985); the arc's
    /// length comes from the two chords (Kahan), which is exact for short arcs, too, and
    /// normalising replaces the division by its sine.
    ///
    /// ```
    /// use snapback_core::{Angle, Fx, Quat, Vec3};
    /// let from = Quat::IDENTITY;
    /// let to = Quat::from_axis_angle(Vec3::Y, Angle::from_degrees(160));
    /// let part = from.slerp(to, Fx::ratio(1, 4));
    /// assert_eq!(part.rotate(Vec3::from_ints(0, 9, 0)), Vec3::from_ints(0, 9, 0));
    /// assert_eq!(from.slerp(-to, Fx::ONE), -to);
    /// ```
    #[must_use]
    pub fn slerp(self, to: Self, t: Fx) -> Self {
        self.blend(to, t, arc_weights)
    }

    fn blend(self, to: Self, t: Fx, weights: impl Fn([i64; 4], [i64; 4], i64) -> [i64; 2]) -> Self {
        let t = lerp::fraction(t);
        if t == 0 {
            return self;
        }
        if t == 65_536 {
            return to;
        }
        let way = if self.wide_dot(to) < 0 { -1 } else { 1 };
        let (from, to) = (self.to_bits().map(i64::from), to.to_bits().map(|it| way * i64::from(it)));
        let weights = weights(from, to, t.into());
        Self::towards(core::array::from_fn(|lane| from[lane] * weights[0] + to[lane] * weights[1]))
    }
}

/// In 2^-31ths. The arc is at most a quarter turn, so the two add up to less than 1.42 and the
/// weighted sum of any two `i32` fits 64 bits.
fn arc_weights(from: [i64; 4], to: [i64; 4], t: i64) -> [i64; 2] {
    let square = |lane: fn(i64, i64) -> i64| {
        from.iter().zip(to).fold(0, |sum, (from, to)| {
            let length = u128::from(lane(*from, to).unsigned_abs());
            sum + length * length
        })
    };
    let between = square(|from, to| from - to);
    if between < SHORT_SQUARED {
        return [65_536 - t, t];
    }
    let across = square(|from, to| from + to);
    // At most an eighth of a turn: the way is short.
    let arc = u64::from(arctangent::quarter(root::nearest(between), root::nearest(across))) * 2;
    let weight = |t: i64| (sine::quarter((arc * t as u64 + (1 << 13)) >> 14) + 1) >> 1;
    [weight(65_536 - t), weight(t)]
}
