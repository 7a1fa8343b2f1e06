//! The filter: who may be hit.

use super::pose::Pose;
use crate::scene::{Attributes, Filter, HitboxSpec, Kind};

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
        && !is_in(filter.ignored_team)
        && !is_in(filter.friends)
        && (attributes.damageable || !filter.only_damageable)
        && (!attributes.blocking || filter.blocking)
        && filter.circle.is_none_or(|circle| {
            let [x, _, z] = pose.centre.map(i128::from);
            let (dx, dz) = (x - i128::from(circle.x), z - i128::from(circle.z));
            let reach = i128::from(circle.radius) + i128::from(pose.half_height);
            dx * dx + dz * dz <= reach * reach
        })
}
