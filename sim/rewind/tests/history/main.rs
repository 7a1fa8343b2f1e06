//! The rewind history, line by line of what it was asked to be.
//!
//! | what was asked | test |
//! |---|---|
//! | a character with a capsule registers by its component | `registration::a_capsule_registers_by_its_component` |
//! | server auto-registration: whatever has a hitbox component, its own sample, no manual pose | `registration::a_source_registers_with_what_it_says_itself` |
//! | clients do not register; nor previews, editors, inactive and invalid worlds | `registration::only_a_running_game_on_authority_registers_and_ticks` |
//! | a world that becomes inactive records no more and still cleans up | `registration::a_world_that_is_no_longer_ours_changes_nothing_and_still_cleans_up` |
//! | client-only visuals never register | `registration::a_visual_of_clients_never_registers` |
//! | every refusal is a type | `registration::every_refusal_has_a_type_and_changes_nothing` |
//! | immediate first snapshot at registration | `registration::the_first_snapshot_is_there_at_once` |
//! | one actor may have several hitboxes | `registration::one_actor_has_several_hitboxes` |
//! | sphere and capsule only; unsupported ones skip snapshots, reported once each | `registration::unsupported_shapes_are_reported_once_each_and_have_no_snapshots` |
//! | a target has a component: without one nobody is met | `registration::what_is_not_registered_is_never_met` |
//! | a server-spawned projectile registers once its spawn is finished | `registration::a_projectile_registers_when_its_spawn_is_finished`; through a launch in `tests/catchup/projectiles.rs` |
//! | its first snapshot has the team of the spawn | `registration::a_projectile_registers_when_its_spawn_is_finished` |
//! | a projectile's own catch-up needs no hitbox | `registration::a_projectile_needs_no_hitbox_to_ask` |
//! | `projectile` affects inclusion only | `filter::projectile_decides_inclusion_and_nothing_else` |
//! | destroyed sources are pruned; ids never dangle | `lifecycle::*` |
//! | capsule and sphere snapshots: place, rotation, sizes, broadphase | `frames::*` |
//! | frame data: time, ids, names, flags, team, state | `frames::a_frame_says_whose_it_is_and_what_the_game_noted` |
//! | continuity epochs: teleport, death, shape change | `frames::nothing_is_interpolated_across_an_epoch`, `frames::a_shape_change_is_never_interpolated` |
//! | team is read at each snapshot | `frames::a_team_change_shows_in_later_frames_only` |
//! | cadences, accumulators, clamps | `cadence::*` |
//! | interpolation of a historical time | `lookup::position_sizes_and_rotation_are_interpolated`, `model::*` |
//! | flags and team of the nearest frame | `lookup::flags_and_team_are_those_of_the_nearest_frame` |
//! | out of range, future tolerance and large gaps fail safely | `lookup::*` at one microsecond to each side |
//! | at present: the newest sample, however old | `lookup::the_newest_sample_is_there_however_old_until_the_hitbox_is_gone` |
//! | each failure typed and counted | `lookup::each_failure_is_counted_under_its_reason` |
//! | a query on a stored tick returns that tick | `lookup::a_query_on_a_stored_tick_returns_that_tick` |
//! | ring of fixed size, tick-major | `limits::the_ring_keeps_as_many_ticks_as_were_asked_for` |
//! | filter rules and defaults | `filter::*` |
//! | 2D broadphase excludes who is far, before any proxy | `candidates::the_circle_leaves_out_who_is_far` |
//! | 3D segment against radius plus broadphase; vertical separation | `candidates::the_segment_leaves_out_who_is_above` |
//! | dump, debug draw, authority-only | `debug::*` |
//!
//! What is about proxies is in `tests/proxies`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod cadence;
mod candidates;
mod debug;
mod filter;
mod frames;
mod lifecycle;
mod limits;
mod lookup;
mod model;
mod registration;
mod world;
