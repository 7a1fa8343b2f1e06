//! Who a filter lets through, and why not.

use crate::world::*;
use snapback_core::Fx;
use snapback_rewind::*;

/// Who of these comes through, by number, and how often `reason` spoke against somebody.
fn passed(hitboxes: &[(HitboxDesc, HitboxSample)], filter: &QueryFilter, reason: Rejection) -> (Vec<u64>, u64) {
    let mut world = World::new();
    for (desc, sample) in hitboxes {
        world.add(*desc, *sample);
    }
    let mut out = Vec::new();
    world.history.frames_at(START_US, filter, &mut out, &mut world.counters).unwrap();
    // A sweep goes by the same rules.
    let mut sweeps = RewindCounters::default();
    let hit = world.history.sweep(&shot(0, 0, 0, START_US), filter, &mut sweeps).unwrap();
    if filter.near.is_none() {
        assert_eq!(hit.map(|hit| hit.actor.0), out.first().map(|frame| frame.actor.0));
        assert_eq!(sweeps.rejections(reason), world.counters.rejections(reason));
    }
    (out.iter().map(|frame| frame.actor.0).collect(), world.counters.rejections(reason))
}

fn everyone() -> QueryFilter {
    QueryFilter { only_damageable: false, include_projectiles: true, ..QueryFilter::default() }
}

#[test]
fn the_defaults_are_those_of_the_plan() {
    let filter = QueryFilter::default();
    assert!(filter.only_damageable && filter.include_blocking && filter.include_actors);
    assert!(!filter.include_projectiles && !filter.ignore_same_team);
    assert_eq!((filter.ignore_actor, filter.ignore_team, filter.near), (None, MatchTeam::NONE, None));
}

#[test]
fn the_ignored_actor_is_left_out_with_all_its_hitboxes() {
    let shield = HitboxDesc { component: ComponentId(99), ..desc(1) };
    let hitboxes = [(desc(1), body(0, 0, 0)), (shield, body(0, 0, 0)), (desc(2), body(0, 0, 0))];
    let filter = QueryFilter { ignore_actor: Some(ActorId(1)), ..everyone() };
    assert_eq!(passed(&hitboxes, &filter, Rejection::IgnoredActor), (vec![2], 2));
    assert_eq!(passed(&hitboxes, &everyone(), Rejection::IgnoredActor), (vec![1, 1, 2], 0));
}

#[test]
fn teams_are_ignored_by_number_and_nobody_shares_none() {
    let in_team = |number: u64, team: MatchTeam| (desc(number), HitboxSample { team, ..body(0, 0, 0) });
    let hitboxes = [in_team(1, MatchTeam::new(1)), in_team(2, MatchTeam::new(2)), in_team(3, MatchTeam::NONE)];
    let ignore_team = |team| QueryFilter { ignore_team: team, ..everyone() };
    assert_eq!(passed(&hitboxes, &ignore_team(MatchTeam::new(1)), Rejection::IgnoredTeam), (vec![2, 3], 1));
    assert_eq!(passed(&hitboxes, &ignore_team(MatchTeam::NONE), Rejection::IgnoredTeam), (vec![1, 2, 3], 0));

    let of_team = |own_team, ignore_same_team| QueryFilter { own_team, ignore_same_team, ..everyone() };
    assert_eq!(passed(&hitboxes, &of_team(MatchTeam::new(2), true), Rejection::SameTeam), (vec![1, 3], 1));
    assert_eq!(passed(&hitboxes, &of_team(MatchTeam::new(2), false), Rejection::SameTeam), (vec![1, 2, 3], 0));
    assert_eq!(passed(&hitboxes, &of_team(MatchTeam::NONE, true), Rejection::SameTeam), (vec![1, 2, 3], 0));
}

#[test]
fn damageable_and_blocking_are_asked() {
    let (hard, blocking) = (HitboxSample { damageable: false, ..body(0, 0, 0) }, HitboxSample { blocking: true, ..body(0, 0, 0) });
    let hitboxes = [(desc(1), hard), (desc(2), blocking), (desc(3), body(0, 0, 0))];
    assert_eq!(passed(&hitboxes, &QueryFilter::default(), Rejection::NotDamageable), (vec![2, 3], 1));
    assert_eq!(passed(&hitboxes, &everyone(), Rejection::NotDamageable), (vec![1, 2, 3], 0));
    let unblocked = QueryFilter { include_blocking: false, ..everyone() };
    assert_eq!(passed(&hitboxes, &unblocked, Rejection::Blocking), (vec![1, 3], 1));
}

#[test]
fn projectile_decides_inclusion_and_nothing_else() {
    let projectile = HitboxDesc { projectile: true, ..desc(1) };
    let hitboxes = [(projectile, body(0, 0, 0)), (desc(2), body(0, 0, 0))];
    assert_eq!(passed(&hitboxes, &QueryFilter::default(), Rejection::Projectile), (vec![2], 1));
    assert_eq!(passed(&hitboxes, &everyone(), Rejection::Projectile), (vec![1, 2], 0));
    let only = QueryFilter { include_actors: false, ..everyone() };
    assert_eq!(passed(&hitboxes, &only, Rejection::NotProjectile), (vec![1], 1));

    // Recorded, looked up, moved and met as anybody else.
    let frames = [projectile, desc(1)].map(|desc| {
        let mut world = World::new();
        let id = world.add(HitboxDesc { cadence: Cadence::FIXED_60, ..desc }, body(0, 0, 0));
        world.set(1, body(777, 0, 0));
        let reports = [world.tick(), world.tick()];
        let frame = world.at(id, START_US + 7_000).unwrap();
        let hit = world.history.sweep(&shot(0, 0, 0, START_US + 7_000), &everyone(), &mut RewindCounters::default()).unwrap().unwrap();
        (reports, HitboxFrame { projectile: false, ..frame }, hit)
    });
    assert_eq!(frames[0], frames[1]);
}

#[test]
fn near_reaches_as_far_as_both_radii() {
    // The broadphase of a capsule is its half height, 15,000; the circle has 10,000.
    let standing = |x: i32, y: i32| HitboxSample { shape: capsule(5_000, 15_000), ..body(x, y, 0) };
    let hitboxes = [(desc(1), standing(25_000, 0)), (desc(2), standing(25_001, 0)), (desc(3), standing(-25_000, 900_000))];
    let near = |radius| QueryFilter { near: Some(Near { centre: Point::ORIGIN, radius }), ..everyone() };
    assert_eq!(passed(&hitboxes, &near(units::fx(10_000)), Rejection::NotNear), (vec![1, 3], 1));
    assert_eq!(passed(&hitboxes, &near(units::fx(10_000) - Fx::DELTA), Rejection::NotNear), (vec![], 3));
    assert_eq!(passed(&hitboxes, &near(Fx::MAX), Rejection::NotNear), (vec![1, 2, 3], 0));
    assert_eq!(passed(&hitboxes, &near(Fx::MIN), Rejection::NotNear), (vec![], 3));
}

#[test]
fn whoever_has_no_pose_is_counted_and_left_out() {
    let mut world = World::new();
    world.add(desc(1), body(0, 0, 0));
    world.tick();
    world.add(desc(2), body(0, 0, 0));
    let mut out = Vec::new();
    world.history.frames_at(START_US, &everyone(), &mut out, &mut world.counters).unwrap();
    assert_eq!((out.len(), world.counters.rejections(Rejection::NoPose)), (1, 1));
}
