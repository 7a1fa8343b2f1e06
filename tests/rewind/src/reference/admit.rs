//! The filter: who may be hit.

use super::pose::Pose;
use super::units::{self, DELTAS_PER_UNIT};
use crate::scene::{Attributes, Circle, Filter, HitboxSpec, Kind};

/// Whether `filter` lets a hitbox through that stands at `pose` with these attributes.
#[must_use]
pub fn admits(filter: &Filter, spec: &HitboxSpec, attributes: &Attributes, pose: &Pose) -> bool {
    let is_in = |team: Option<u16>| team.is_some() && team == attributes.team;
    let of_its_kind = match spec.kind {
        Kind::Actor => filter.actors,
        Kind::Projectile => filter.projectiles,
    };
    of_its_kind
        && filter.ignored_actor != Some(spec.actor)
        && filter.except != Some(spec.actor)
        && !is_in(filter.ignored_team)
        && !(filter.spare_own_team && is_in(filter.own_team))
        && (attributes.damageable || !filter.only_damageable)
        && (!attributes.blocking || filter.blocking)
        && filter.circle.is_none_or(|circle| meets(&circle, pose))
}

/// Whether the circle of a filter meets the one around a pose. Not in units: the circle's radius is
/// not quantised.
#[must_use]
pub fn meets(circle: &Circle, pose: &Pose) -> bool {
    let [x, _, z] = pose.centre;
    let [dx, dz] = [(x, circle.x), (z, circle.z)].map(|(a, b)| i128::from(a - i64::from(b)) * DELTAS_PER_UNIT);
    let reach = i128::from(circle.radius.to_bits()) + i128::from(pose.broadphase()) * DELTAS_PER_UNIT;
    reach >= 0 && dx * dx + dz * dz <= reach * reach
}

/// Whether a pose is a candidate for a ball that goes along a segment.
#[must_use]
pub fn is_near((from, to, radius): ([i32; 3], [i32; 3], u16), pose: &Pose) -> bool {
    let squared: i64 = pose.half_axis.iter().map(|it| it * it).sum();
    let mut length = squared.isqrt();
    if length * length < squared {
        length += 1;
    }
    let reach = i64::from(radius) + (pose.radius + length).max(pose.broadphase());
    let start = from.map(i64::from);
    let way: units::Units = std::array::from_fn(|axis| i64::from(to[axis]) - start[axis]);
    let apart: units::Units = std::array::from_fn(|axis| pose.centre[axis] - start[axis]);
    let dot = |a: units::Units, b: units::Units| {
        (0..3).map(|axis| ethnum::I256::from(a[axis]) * ethnum::I256::from(b[axis])).sum::<ethnum::I256>()
    };
    let (along, whole) = (dot(apart, way), dot(way, way));
    let limit = ethnum::I256::from(reach) * ethnum::I256::from(reach);
    if along <= 0 || whole == 0 {
        return dot(apart, apart) <= limit;
    }
    if along >= whole {
        let end: units::Units = std::array::from_fn(|axis| apart[axis] - way[axis]);
        return dot(end, end) <= limit;
    }
    dot(apart, apart) * whole - along * along <= limit * whole
}
