//! Overlap handling: off before the spawn is finished, on again on every way out.

use super::rig::{Call, Fault, Host, World, body, bullet};
use snapback_core::{Fx, Vec3};
use snapback_rewind::catchup::{Destroyed, LaunchError, Outcome, with_overlap_suppressed};
use snapback_rewind::flight::{FlightEnd, FlightError, ProjectileSpec};
use snapback_rewind::{MatchTeam, NetRole};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Someone stands 5 m in front of the shooter.
fn world() -> World {
    World::new(10_000, 25, &[body(7, MatchTeam::new(2), |_| [0, 0, 500])])
}

fn away() -> ProjectileSpec {
    ProjectileSpec { gravity: Vec3::from_ints(0, 100_000, 0), ..bullet() }
}

#[test]
fn overlap_is_cleared_after_a_hit() {
    let mut world = world();
    let (launched, host) = world.launch(&world.shot(100_000, 0, bullet()));
    assert_eq!(launched.report.outcome, Outcome::Over(FlightEnd::Stopped));
    assert_eq!(host.calls, [Call::Begin, Call::Overlap(false), Call::Finish, Call::Impact, Call::Destroy, Call::Overlap(true)]);
    assert_eq!(host.destroyed, Some(Destroyed::Over(FlightEnd::Stopped)));
}

#[test]
fn overlap_is_cleared_after_a_miss() {
    let mut world = world();
    let (launched, host) = world.launch(&world.shot(100_000, 0, away()));
    assert_eq!(launched.report.outcome, Outcome::Missed);
    assert_eq!(host.calls, [Call::Begin, Call::Overlap(false), Call::Finish, Call::Place, Call::Overlap(true)]);
}

#[test]
fn overlap_is_cleared_after_a_window_that_is_skipped() {
    let mut world = world();
    let (launched, host) = world.launch(&world.shot(9_999, 0, bullet()));
    assert_eq!(launched.report.outcome, Outcome::Skipped);
    assert_eq!(host.calls, [Call::Begin, Call::Overlap(false), Call::Finish, Call::Place, Call::Overlap(true)]);
}

#[test]
fn overlap_is_cleared_after_every_error_of_the_host() {
    let mut world = world();
    for (call, spec) in [(Call::Finish, bullet()), (Call::Impact, bullet()), (Call::Place, away())] {
        let mut host = Host { fail_at: Some(call), ..Host::default() };
        let launched = world.launch_with(&world.shot(100_000, 0, spec), &mut host);
        assert_eq!(launched, Err(LaunchError::Host(Fault(call))));
        assert!(host.is_clear(), "{call:?}: {:?}", host.calls);
        assert_eq!(host.destroyed, Some(Destroyed::Failed));
    }
}

#[test]
fn a_spawn_that_does_not_begin_is_not_touched() {
    let mut world = world();
    let mut host = Host { fail_at: Some(Call::Begin), ..Host::default() };
    assert_eq!(world.launch_with(&world.shot(100_000, 0, bullet()), &mut host), Err(LaunchError::Host(Fault(Call::Begin))));
    assert_eq!(host.calls, [Call::Begin]);
}

#[test]
fn overlap_is_cleared_after_an_early_end_by_the_host() {
    let mut world = world();
    let mut host = Host { end_at_impact: true, ..Host::default() };
    let spec = ProjectileSpec { on_impact: snapback_rewind::flight::ImpactRule::Pierce, max_impacts: 9, ..bullet() };
    let launched = world.launch_with(&world.shot(200_000, 0, spec), &mut host).unwrap();
    assert_eq!(launched.report.outcome, Outcome::Over(FlightEnd::Ended));
    assert!(host.is_clear(), "{:?}", host.calls);
}

#[test]
fn overlap_is_cleared_when_the_projectile_leaves_the_world() {
    let mut world = world();
    let spec = ProjectileSpec { muzzle_speed: Fx::from_int(2_000_000_000), ..bullet() };
    let mut host = Host::default();
    let launched = world.launch_with(&world.shot(200_000, 0, spec), &mut host);
    assert!(matches!(launched, Err(LaunchError::Flight(FlightError::OutOfWorld(_)))), "{launched:?}");
    assert!(host.is_clear(), "{:?}", host.calls);
    assert_eq!(host.destroyed, Some(Destroyed::Failed));
}

#[test]
fn overlap_is_cleared_after_every_panic_of_the_host() {
    let mut world = world();
    for (call, spec) in [(Call::Finish, bullet()), (Call::Impact, bullet()), (Call::Destroy, bullet()), (Call::Place, away())] {
        let mut host = Host { panic_at: Some(call), ..Host::default() };
        let outcome = catch_unwind(AssertUnwindSafe(|| world.launch_with(&world.shot(100_000, 0, spec), &mut host)));
        assert!(outcome.is_err());
        assert!(host.is_clear(), "{call:?}: {:?}", host.calls);
    }
}

#[test]
fn the_scope_clears_for_any_host_program() {
    let world = world();
    let spawn = world.shot(0, 0, bullet());
    let mut host = Host::default();
    let early = with_overlap_suppressed(&mut host, &spawn, |host, _| -> Result<(), &str> {
        assert_eq!(host.calls, [Call::Begin, Call::Overlap(false)]);
        Err("early")
    });
    assert_eq!(early, Ok(Err("early")));
    assert!(host.is_clear());
}

#[test]
fn on_a_client_nothing_is_spawned() {
    let mut world = world();
    world.role = NetRole::Client;
    let mut host = Host::default();
    assert!(matches!(world.launch_with(&world.shot(100_000, 0, bullet()), &mut host), Err(LaunchError::NotAuthority(_))));
    assert!(host.calls.is_empty());
}

#[test]
fn what_cannot_fly_is_not_spawned() {
    let mut world = world();
    let mut host = Host::default();
    let spec = ProjectileSpec { max_impacts: 0, ..bullet() };
    assert!(matches!(world.launch_with(&world.shot(100_000, 0, spec), &mut host), Err(LaunchError::BadFlight(_))));
    assert!(host.calls.is_empty());
}
