//! How a hitbox moves between two snapshots: the page `docs/model.md` as code.

use snapback_core::Fx;

use crate::history::{TickMeta, TickPose, flags};

/// One, as a fraction.
pub(crate) const ONE: i64 = 1 << 16;

/// A longer way between two snapshots, on any axis, is a jump: 64 m.
pub(crate) const MAX_STEP_UNITS: i64 = 1 << 20;

/// Where `time_us` is between two times, 0 to [`ONE`].
pub(crate) fn fraction(time_us: u64, from_us: u64, to_us: u64) -> i64 {
    let (passed, whole) = (time_us.saturating_sub(from_us), to_us.saturating_sub(from_us));
    if passed < 1 << 47 && passed < whole {
        return ((passed << 16) / whole) as i64;
    }
    let (passed, whole) = (u128::from(passed), u128::from(whole));
    ((passed << 16).checked_div(whole).unwrap_or(0) as i64).min(ONE)
}

/// `from + ((to - from) * s + 2^15 >> 16)`
pub(crate) fn lerp(from: i64, to: i64, s: i64) -> i64 {
    from + (((to - from) * s + (ONE / 2)) >> 16)
}

/// Whether a hitbox moved from one snapshot to the other, rather than jumped or became another. Without a branch.
#[inline(always)]
pub(crate) fn is_continuous(from: &TickPose, to: &TickPose) -> bool {
    // The difference of two coordinates is at most 2^31, which is far as well when it wraps.
    let way = |axis: usize| from.c[axis].wrapping_sub(to.c[axis]).unsigned_abs();
    let farthest = way(0).max(way(1)).max(way(2));
    (from.epoch == to.epoch) & ((from.flags ^ to.flags) & flags::CAPSULE == 0) & (farthest <= MAX_STEP_UNITS as u32)
}

/// Whether the later of two ticks says what is not geometry.
pub(crate) const fn is_later(s: i64) -> bool {
    s > ONE / 2
}

/// The geometry at fraction `s`, and what is not geometry of `to` if `later`, else of `from`.
pub(crate) fn mix(from: &TickPose, from_meta: &TickMeta, to: &TickPose, to_meta: &TickMeta, s: i64, later: bool) -> (TickPose, TickMeta) {
    (mix_pose(from, to, s, later), mix_meta(from, from_meta, to, to_meta, s, later))
}

/// The part of [`mix`] that queries compute with.
pub(crate) fn mix_pose(from: &TickPose, to: &TickPose, s: i64, later: bool) -> TickPose {
    let said = if later { to } else { from };
    let said_flags = said.flags & !flags::CAPSULE | from.flags & flags::CAPSULE;
    let mut pose = TickPose { team: said.team, flags: said_flags, presence: said.presence, ..*from };
    if !is_continuous(from, to) {
        return pose;
    }
    for axis in 0..3 {
        pose.c[axis] = lerp(i64::from(from.c[axis]), i64::from(to.c[axis]), s) as i32;
        pose.e[axis] = lerp(i64::from(from.e[axis]), i64::from(to.e[axis]), s) as i16;
    }
    pose.radius = lerp(i64::from(from.radius), i64::from(to.radius), s) as u16;
    pose.half_height = lerp(i64::from(from.half_height), i64::from(to.half_height), s) as u32;
    pose
}

/// The part of [`mix`] that only lookups want.
pub(crate) fn mix_meta(from: &TickPose, from_meta: &TickMeta, to: &TickPose, to_meta: &TickMeta, s: i64, later: bool) -> TickMeta {
    let rotation = if is_continuous(from, to) { from_meta.rotation.slerp(to_meta.rotation, Fx::from_bits(s)) } else { from_meta.rotation };
    TickMeta { rotation, state_flags: if later { to_meta.state_flags } else { from_meta.state_flags } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_is_floored_and_never_over_one() {
        for (time, expected) in [(10, 0), (11, 21_845), (12, 43_690), (13, ONE), (9, 0), (u64::MAX, ONE)] {
            assert_eq!(fraction(time, 10, 13), expected, "{time}");
        }
        assert_eq!(fraction(5, 5, 5), 0);
        assert_eq!(fraction(u64::MAX - 1, 0, u64::MAX), ONE - 1);
    }

    #[test]
    fn lerp_rounds_to_the_nearest_and_halves_up() {
        assert_eq!([lerp(0, 1, ONE / 2), lerp(0, -1, ONE / 2), lerp(-1, 0, ONE / 2)], [1, 0, 0]);
        assert_eq!([lerp(-7, 9, 0), lerp(-7, 9, ONE)], [-7, 9]);
        assert_eq!(lerp(0, 3, ONE / 4), 1);
    }
}
