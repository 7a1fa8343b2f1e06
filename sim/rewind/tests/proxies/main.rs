//! Proxies: colliders of the past, for candidates only, that nobody else sees.
//!
//! | what was asked | test |
//! |---|---|
//! | only candidates activate proxies | `pool::only_candidates_activate` |
//! | the 2D broadphase excludes before activation | `pool::only_candidates_activate` |
//! | type and dimensions match the frames | `pool::kind_pose_and_size_are_those_of_the_frame` |
//! | metadata maps back to the source | `pool::a_proxy_maps_back_to_its_source` |
//! | metadata has the team of then | `pool::a_proxy_has_the_team_of_then` |
//! | stable key, refused after a clear | `pool::a_key_from_before_a_clear_names_nothing` |
//! | cleared, not destroyed | `pool::a_clear_disables_everything_and_destroys_nothing` |
//! | bounded, typed when exhausted, nothing lost silently | `pool::an_exhausted_pool_says_how_many_were_wanted_and_shows_none` |
//! | server only | `pool::only_authority_builds` |
//! | sweeps over proxies | `sweep::*` |
//! | counters for activations, sweeps and rejections | `pool::what_was_done_is_counted` |
//! | proxies do not replicate, make no overlap events, do not affect collision, are not drawn | `channel::only_a_rewind_query_sees_a_proxy`, `channel::sweeps_and_flights_of_the_present_pass_active_proxies_at_the_same_place` |
//! | a dedicated channel | `channel::no_gameplay_channel_is_the_proxies_one` |

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod channel;
mod pool;
mod sweep;

use snapback_core::{NameHash, Quat};
use snapback_rewind::*;

pub(crate) const NOW_US: u64 = 1_000_000;

pub(crate) fn ball(radius_units: i32) -> Shape {
    Shape::of(SourceShape::Sphere { radius: units::fx(radius_units) }).unwrap()
}

pub(crate) fn capsule(radius_units: i32, half_height_units: i32) -> Shape {
    Shape::of(SourceShape::Capsule { radius: units::fx(radius_units), half_height: units::fx(half_height_units) }).unwrap()
}

pub(crate) fn sample(shape: Shape, x: i32, y: i32, z: i32) -> HitboxSample {
    HitboxSample {
        position: Point { x, y, z },
        rotation: Quat::IDENTITY,
        shape,
        damageable: true,
        blocking: false,
        team: MatchTeam::NONE,
        state_flags: 0,
        epoch: 0,
    }
}

pub(crate) fn desc(number: u64) -> HitboxDesc {
    HitboxDesc {
        actor: ActorId(number),
        component: ComponentId(number + 100),
        name: NameHash::of("body"),
        region: NameHash::of("torso"),
        projectile: false,
        client_only: false,
        cadence: Cadence::EveryServerTick,
    }
}

/// A history of one tick at [`NOW_US`] with these hitboxes, numbered from 0.
pub(crate) fn history(samples: &[HitboxSample]) -> RewindHistory {
    let config = RewindConfig { max_hitboxes: 64, ..RewindConfig::default() };
    let mut history = RewindHistory::new(config, WorldKind::Game, NetRole::Authority).unwrap();
    history.record_tick(NOW_US, &mut |_, _: &HitboxDesc| Sampled::Gone).unwrap();
    for (number, sample) in samples.iter().enumerate() {
        history.register(desc(number as u64), *sample).unwrap();
    }
    history
}

/// A ball of 100 units from 5 m before the origin to 5 m behind it.
pub(crate) fn along_z() -> Segment {
    Segment::new(Point { x: 0, y: 0, z: -81_920 }, Point { x: 0, y: 0, z: 81_920 }, 100).unwrap()
}
