//! What a hitbox is at a tick, and between two.

use super::units::{self, Units};
use crate::scene::{Attributes, Sample, Shape};
use snapback_core::{Fx, Quat};

/// Nobody moves further than this many units along an axis from one sample to the next: that is a jump.
pub const FARTHEST: i64 = 1 << 20;

/// What is swept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pose {
    /// Its centre.
    pub centre: Units,
    /// From the centre to the end of its axis; zero for a sphere.
    pub half_axis: Units,
    /// Its radius.
    pub radius: i64,
    /// Half of its height with the caps; of a sphere, its radius.
    pub half_height: i64,
}

impl Pose {
    /// The radius of the circle and of the ball around it.
    #[must_use]
    pub fn broadphase(&self) -> i64 {
        self.radius.max(self.half_height)
    }

    fn lerp(self, to: Self, fraction: i64) -> Self {
        Self {
            centre: units::lerp3(self.centre, to.centre, fraction),
            half_axis: units::lerp3(self.half_axis, to.half_axis, fraction),
            radius: units::lerp(self.radius, to.radius, fraction),
            half_height: units::lerp(self.half_height, to.half_height, fraction),
        }
    }
}

/// All that is known of a hitbox at a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TickPose {
    /// What is swept.
    pub pose: Pose,
    /// What is only looked up.
    pub rotation: Quat,
    /// What is not geometry.
    pub attributes: Attributes,
    /// Nothing is interpolated between two epochs,
    pub epoch: u32,
    /// nor between a sphere and a capsule, nor over [`FARTHEST`].
    pub is_capsule: bool,
}

impl TickPose {
    /// Quantises a sample.
    #[must_use]
    pub fn of(sample: &Sample) -> Self {
        let (is_capsule, radius, half_height) = match sample.shape {
            Shape::Sphere { radius } => (false, radius, radius),
            Shape::Capsule { radius, half_height } => (true, radius, half_height),
        };
        let radius = units::quantise(radius).max(1);
        let half_height = units::quantise(half_height).max(radius);
        Self {
            pose: Pose {
                centre: units::quantise_point(sample.position),
                half_axis: units::half_axis(radius, half_height, sample.rotation),
                radius,
                half_height,
            },
            rotation: sample.rotation,
            attributes: sample.attributes,
            epoch: sample.epoch,
            is_capsule,
        }
    }

    /// Whether a straight line leads from this to `to`.
    #[must_use]
    pub fn is_continuous_with(&self, to: &Self) -> bool {
        let is_near = (0..3).all(|axis| (self.pose.centre[axis] - to.pose.centre[axis]).abs() <= FARTHEST);
        self.epoch == to.epoch && self.is_capsule == to.is_capsule && is_near
    }

    /// What is swept at `fraction` of the way from this to `to`; this, if nothing may be interpolated.
    #[must_use]
    pub fn pose_towards(&self, to: &Self, fraction: i64) -> Pose {
        if self.is_continuous_with(to) { self.pose.lerp(to.pose, fraction) } else { self.pose }
    }

    /// All that is known at `fraction` of the way from this to `to`, with the attributes of this or,
    /// if `later`, of `to`.
    #[must_use]
    pub fn towards(&self, to: &Self, fraction: i64, later: bool) -> Self {
        let rotation = if self.is_continuous_with(to) { self.rotation.slerp(to.rotation, Fx::from_bits(fraction)) } else { self.rotation };
        let attributes = if later { to.attributes } else { self.attributes };
        Self { pose: self.pose_towards(to, fraction), rotation, attributes, ..*self }
    }
}
