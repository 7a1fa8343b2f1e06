//! What can be seen of the history, and that looking changes nothing.

use crate::world::*;
use snapback_core::NameHash;
use snapback_rewind::debug::*;
use snapback_rewind::proxy::{ProxyConfig, ProxyPool};
use snapback_rewind::*;

fn along_z() -> QueryBounds {
    QueryBounds::of_sweep(&shot(0, 0, 160, 0)).unwrap()
}

#[test]
fn the_view_shows_everybody_with_the_reason() {
    let mut world = World::new();
    let team = MatchTeam::new(1);
    let ids = [
        world.add(desc(1), body(0, 0, 0)),
        world.add(desc(2), body(90_000, 0, 0)),
        world.add(desc(3), HitboxSample { team, ..body(0, 0, 0) }),
        world.add(HitboxDesc { projectile: true, ..desc(4) }, HitboxSample { shape: ball(900), ..body(0, 0, 0) }),
    ];
    world.set(1, body(1_000, 0, 0));
    world.tick();
    let late = world.add(desc(5), body(0, 0, 0));
    let filter = QueryFilter { ignore_team: team, ..QueryFilter::default() };
    let view = world.history.debug_view(START_US + 2_500, &filter, &along_z()).unwrap();

    assert_eq!((view.time_us, view.failure), (START_US + 2_500, None));
    assert_eq!((view.oldest_us, view.newest_us), (Some(START_US), Some(world.now_us)));
    assert_eq!(view.way.map(|way| (way.from, way.to, way.radius_units)), Some(([0, 0, -81_920], [0, 0, 81_920], 160)));
    let labels: Vec<(HitboxId, &str)> = view.hitboxes.iter().map(|seen| (seen.hitbox, seen.verdict.label())).collect();
    let expected = ["candidate", "apart", "ignored_team", "projectile", "no_pose_older_than_oldest"];
    assert_eq!(labels, ids.into_iter().chain([late]).zip(expected).collect::<Vec<_>>());

    let first = &view.hitboxes[0];
    assert_eq!((first.actor, first.component, first.name, first.region), (1, 1, NameHash::of("body"), NameHash::of("torso")));
    assert_eq!((first.oldest_us, first.newest_us, first.gone_us), (Some(START_US), Some(world.now_us), None));
    let body = first.body.unwrap();
    let frame = world.history.frame_at(ids[0], START_US + 2_500, &mut RewindCounters::default()).unwrap();
    assert_eq!((body.centre, body.half_axis), (frame.centre.to_array(), frame.half_axis));
    assert_eq!(units::fx(body.radius_units), frame.radius);
    assert_eq!(units::fx(body.half_height_units), frame.half_height);
    assert_eq!((body.broadphase.centre, units::fx(body.broadphase.radius_units)), ([250, 0], frame.broadphase_radius));
    assert_eq!(body.times, TimesUsed { from_us: START_US, to_us: START_US + TICK_US, fraction: 16_384 });
    // What was rejected is drawn too; what has no pose is named and has its times.
    assert!(view.hitboxes[1].body.is_some() && view.hitboxes[3].body.unwrap().kind == ShapeKind::Sphere);
    assert_eq!((view.hitboxes[4].body, view.hitboxes[4].oldest_us), (None, Some(world.now_us)));
}

#[test]
fn times_used_are_one_tick_where_one_decides() {
    let mut world = World::new();
    world.add(desc(1), body(0, 0, 0));
    world.tick();
    let times = |time_us| {
        let view = world.history.debug_view(time_us, &QueryFilter::default(), &along_z()).unwrap();
        let times = view.hitboxes[0].body.unwrap().times;
        (times.from_us - START_US, times.to_us - START_US, times.fraction)
    };
    assert_eq!([times(START_US), times(world.now_us), times(world.now_us + 25_000)], [(0, 0, 0), (10_000, 10_000, 0), (10_000, 10_000, 0)]);
}

#[test]
fn a_time_without_an_answer_is_shown_with_the_reason() {
    let mut world = World::new();
    world.add(desc(1), body(0, 0, 0));
    let view = world.history.debug_view(START_US + 25_001, &QueryFilter::default(), &along_z()).unwrap();
    assert_eq!(view.failure, Some(TimeError::NewerThanNewest));
    assert_eq!(view.hitboxes[0].verdict.label(), "no_pose_newer_than_newest");
    assert_eq!(view.hitboxes[0].newest_us, Some(START_US));
}

#[test]
fn circles_and_active_proxies_are_shown() {
    let mut world = World::new();
    let id = world.add(desc(1), body(0, 0, 0));
    let mut pool = ProxyPool::new(ProxyConfig::default());
    let near = Near { centre: Point { x: 5, y: 6, z: 7 }, radius: units::fx(80_000) };
    let bounds = along_z().and_circle(near);
    pool.build(&world.history, START_US, &QueryFilter::default(), &bounds, &mut world.counters).unwrap();
    let mut view = world.history.debug_view(START_US, &QueryFilter::default(), &bounds).unwrap();
    assert_eq!(view.circles, [Circle { centre: [5, 7], radius_units: 80_000 }]);
    assert!(view.proxies.is_empty());
    view.add_proxies(&pool);
    let [proxy] = view.proxies[..] else { panic!("{:?}", view.proxies) };
    assert_eq!((proxy.hitbox, proxy.actor, proxy.kind, proxy.place, proxy.time_us), (id, 1, ShapeKind::Capsule, 0, START_US));
    assert_eq!(Some((proxy.centre, proxy.half_axis)), view.hitboxes[0].body.map(|body| (body.centre, body.half_axis)));
}

#[test]
fn only_authority_can_look_and_looking_changes_nothing() {
    let mut world = World::new();
    let id = world.add(HitboxDesc { cadence: Cadence::FIXED_60, ..desc(1) }, body(0, 0, 0));
    world.tick();
    let before = format!("{:?}", world.history);
    world.history.debug_view(START_US, &QueryFilter::default(), &along_z()).unwrap();
    world.history.dump(id).unwrap();
    assert_eq!(format!("{:?}", world.history), before);

    world.history.set_world(WorldKind::Game, NetRole::Client);
    assert_eq!(world.history.debug_view(START_US, &QueryFilter::default(), &along_z()), Err(NotAuthority::Client));
    assert_eq!(world.history.dump(id), Err(DumpError::NotAuthority(NotAuthority::Client)));
}

#[test]
fn every_verdict_has_a_label_of_its_own() {
    let times = [TimeError::Empty, TimeError::OlderThanOldest, TimeError::OlderThanMaxRewind, TimeError::NewerThanNewest, TimeError::Gap];
    let no_pose = times.map(LookupError::Time).into_iter().chain([LookupError::Unknown, LookupError::Gone]).map(Verdict::NoPose);
    let all = Rejection::ALL.into_iter().map(Verdict::Rejected).chain(no_pose).chain([Verdict::Candidate]);
    let mut labels: Vec<&str> = all.map(Verdict::label).collect();
    let count = labels.len();
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels.len(), count);
}

#[test]
fn the_past_of_one_hitbox_as_text() {
    let mut world = World::new();
    world.tick();
    let slow = HitboxDesc { cadence: Cadence::FixedHz { hz: 30 }, ..desc(7) };
    let sample = HitboxSample { team: MatchTeam::new(2), state_flags: 0xA0, ..body(0, 14_746, 0) };
    let id = world.add(slow, sample);
    world.set(7, HitboxSample { blocking: true, team: MatchTeam::NONE, ..sample });
    for _ in 0..4 {
        world.tick();
    }
    world.set(7, HitboxSample { epoch: 1, shape: ball(1_000), ..sample });
    for _ in 0..4 {
        world.tick();
    }
    world.history.retire(id);
    world.tick();
    insta::assert_snapshot!(world.history.dump(id).unwrap(), @r"
    hitbox 0.0 actor 7 component 7 name dba80bb2 region 275fbc85 FixedHz { hz: 30 }
    born 1010000 gone 1090000
    1000000 absent
    1010000 sampled capsule at 0,14746,0 axis 0,9831,0 r 4915 h 14746 team 2 d-- state a0 epoch 0
    1020000 between capsule at 0,14746,0 axis 0,9831,0 r 4915 h 14746 team 2 d-- state a0 epoch 0
    1030000 between capsule at 0,14746,0 axis 0,9831,0 r 4915 h 14746 team 2 d-- state a0 epoch 0
    1040000 between capsule at 0,14746,0 axis 0,9831,0 r 4915 h 14746 team - db- state a0 epoch 0
    1050000 sampled capsule at 0,14746,0 axis 0,9831,0 r 4915 h 14746 team - db- state a0 epoch 0
    1060000 between capsule at 0,14746,0 axis 0,9831,0 r 4915 h 14746 team - db- state a0 epoch 0
    1070000 between capsule at 0,14746,0 axis 0,9831,0 r 4915 h 14746 team 2 d-- state a0 epoch 0
    1080000 sampled sphere at 0,14746,0 r 1000 h 1000 team 2 d-- state a0 epoch 1
    1090000 held sphere at 0,14746,0 r 1000 h 1000 team 2 d-- state a0 epoch 1
    1100000 absent
    ");
    assert_eq!(world.history.dump(id).unwrap().lines().count(), 2 + 11);
    world.history.unregister(id);
    assert_eq!(world.history.dump(id), Err(DumpError::Unknown));
}
