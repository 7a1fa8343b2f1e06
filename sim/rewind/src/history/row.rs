//! [`Row`]: every hitbox at one tick.

use bytemuck::{Pod, Zeroable};
use snapback_core::Quat;

/// Every hitbox at one tick, by its place.
#[derive(Debug)]
pub(crate) struct Row {
    pub time_us: u64,
    pub poses: Vec<TickPose>,
    pub metas: Vec<TickMeta>,
}

impl Row {
    pub(super) fn new(hitboxes: usize) -> Self {
        Self { time_us: 0, poses: vec![TickPose::zeroed(); hitboxes], metas: vec![TickMeta::zeroed(); hitboxes] }
    }
}

/// What queries compute with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(32))]
pub(crate) struct TickPose {
    /// Centre, in units.
    pub c: [i32; 3],
    /// Half axis, in units.
    pub e: [i16; 3],
    pub radius: u16,
    pub half_height: u32,
    pub epoch: u32,
    pub team: u16,
    /// [`flags`] of its own.
    pub flags: u8,
    /// A [`Presence`].
    pub presence: u8,
}

/// Bits of [`TickPose::flags`].
pub(crate) mod flags {
    pub(crate) const DAMAGEABLE: u8 = 1;
    pub(crate) const BLOCKING: u8 = 2;
    pub(crate) const PROJECTILE: u8 = 4;
    pub(crate) const CAPSULE: u8 = 8;
}

/// Values of [`TickPose::presence`].
pub(crate) mod presence {
    /// No pose.
    pub(crate) const ABSENT: u8 = 0;
    /// A sample.
    pub(crate) const SAMPLED: u8 = 1;
    /// Between two samples.
    pub(crate) const BETWEEN: u8 = 2;
    /// After the newest sample.
    pub(crate) const HELD: u8 = 3;
}

/// What only lookups want.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct TickMeta {
    pub rotation: Quat,
    pub state_flags: u32,
}
