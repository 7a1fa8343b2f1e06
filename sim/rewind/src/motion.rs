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

/// Whether a hitbox moved from one snapshot to the other, rather than jumped or became another.
pub(crate) fn is_continuous(from: &TickPose, to: &TickPose) -> bool {
    let near = |axis: usize| (i64::from(from.c[axis]) - i64::from(to.c[axis])).abs() <= MAX_STEP_UNITS;
    from.epoch == to.epoch && (from.flags ^ to.flags) & flags::CAPSULE == 0 && near(0) && near(1) && near(2)
}

/// The pose at fraction `s` between two snapshots of one hitbox.
pub(crate) fn between(from: &TickPose, from_meta: &TickMeta, to: &TickPose, to_meta: &TickMeta, s: i64) -> (TickPose, TickMeta) {
    let (mut pose, mut meta) = if s <= ONE / 2 { (*from, *from_meta) } else { (*to, *to_meta) };
    let capsule = from.flags & flags::CAPSULE;
    if !is_continuous(from, to) {
        (pose.c, pose.e, pose.radius, pose.half_height, pose.epoch) = (from.c, from.e, from.radius, from.half_height, from.epoch);
        pose.flags = pose.flags & !flags::CAPSULE | capsule;
        meta.rotation = from_meta.rotation;
        return (pose, meta);
    }
    for axis in 0..3 {
        pose.c[axis] = lerp(i64::from(from.c[axis]), i64::from(to.c[axis]), s) as i32;
        pose.e[axis] = lerp(i64::from(from.e[axis]), i64::from(to.e[axis]), s) as i16;
    }
    pose.radius = lerp(i64::from(from.radius), i64::from(to.radius), s) as u16;
    pose.half_height = lerp(i64::from(from.half_height), i64::from(to.half_height), s) as u32;
    meta.rotation = from_meta.rotation.slerp(to_meta.rotation, Fx::from_bits(s));
    (pose, meta)
}
