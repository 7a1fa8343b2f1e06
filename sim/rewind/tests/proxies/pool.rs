//! What is activated, for whom, and for how long.

use crate::*;
use snapback_core::{Angle, Fx, Vec3};
use snapback_rewind::proxy::*;

fn build(pool: &mut ProxyPool, history: &RewindHistory, counters: &mut RewindCounters) -> Result<usize, BuildError> {
    pool.build(history, NOW_US, &QueryFilter::default(), &QueryBounds::along(along_z()), counters)
}

#[test]
fn only_candidates_activate() {
    let hard = HitboxSample { damageable: false, ..sample(ball(500), 0, 0, 0) };
    let history = history(&[sample(ball(500), 0, 0, 0), sample(ball(500), 900, 0, 0), sample(capsule(500, 900), 0, 1_000, 9), hard]);
    let mut pool = ProxyPool::new(ProxyConfig::default());
    let mut counters = RewindCounters::default();
    assert_eq!(build(&mut pool, &history, &mut counters), Ok(2));
    assert_eq!(pool.active().map(|(_, frame)| frame.actor.0).collect::<Vec<_>>(), [0, 2]);
    // The circle excludes before activation, too.
    let near = Near { centre: Point { x: 900, y: 0, z: 0 }, radius: units::fx(1) };
    let bounds = QueryBounds::circle(near);
    assert_eq!(pool.build(&history, NOW_US, &QueryFilter::default(), &bounds, &mut counters), Ok(2));
    assert_eq!(pool.active().map(|(_, frame)| frame.actor.0).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(counters.activations, 4);
}

#[test]
fn kind_pose_and_size_are_those_of_the_frame() {
    let lean = HitboxSample { rotation: Quat::from_axis_angle(Vec3::Z, Angle::from_degrees(30)), ..sample(capsule(500, 3_000), 7, 8, 9) };
    let mut history = history(&[sample(ball(700), 1, 2, 3), lean]);
    let moved = [sample(ball(900), 41, 2, 3), HitboxSample { position: Point { x: 7, y: 88, z: 9 }, ..lean }];
    history.record_tick(NOW_US + 10_000, &mut |_, desc: &HitboxDesc| Sampled::Here(moved[desc.actor.0 as usize])).unwrap();
    let mut pool = ProxyPool::new(ProxyConfig { spheres: 4, capsules: 4 });
    let mut counters = RewindCounters::default();
    let bounds = QueryBounds::along(along_z());
    pool.build(&history, NOW_US + 2_500, &QueryFilter::default(), &bounds, &mut counters).unwrap();
    assert_eq!([pool.active_count(ShapeKind::Sphere), pool.active_count(ShapeKind::Capsule)], [1, 1]);
    for (key, proxy) in pool.active() {
        let expected = history.frame_at(proxy.hitbox, NOW_US + 2_500, &mut counters).unwrap();
        assert_eq!((key.kind(), *proxy), (expected.kind, expected));
    }
    let (_, first) = pool.active().next().unwrap();
    assert_eq!((first.kind, first.centre, first.radius), (ShapeKind::Sphere, Point { x: 11, y: 2, z: 3 }, units::fx(750)));
}

#[test]
fn a_proxy_maps_back_to_its_source() {
    let history = history(&[sample(ball(500), 0, 0, 0), HitboxSample { blocking: true, ..sample(capsule(500, 900), 0, 0, 50) }]);
    let mut pool = ProxyPool::new(ProxyConfig::default());
    build(&mut pool, &history, &mut RewindCounters::default()).unwrap();
    for (number, kind) in [(0, ShapeKind::Sphere), (1, ShapeKind::Capsule)] {
        // By the key that the host keeps at its collider.
        let key = pool.active().map(|(key, _)| key).find(|key| key.kind() == kind).unwrap();
        let frame = pool.frame(key).unwrap();
        let desc = desc(number);
        assert_eq!((frame.actor, frame.component, frame.name, frame.region), (desc.actor, desc.component, desc.name, desc.region));
        assert_eq!(Some(frame.hitbox), history.find(desc.actor, desc.component, desc.name));
        assert_eq!((frame.time_us, frame.kind, key.place()), (NOW_US, kind, 0));
        assert_eq!((frame.damageable, frame.blocking, frame.team), (true, number == 1, MatchTeam::NONE));
    }
}

#[test]
fn a_proxy_has_the_team_of_then() {
    let red = HitboxSample { team: MatchTeam::new(1), ..sample(ball(500), 0, 0, 0) };
    let mut history = history(&[red]);
    let blue = HitboxSample { team: MatchTeam::new(2), ..red };
    history.record_tick(NOW_US + 10_000, &mut |_, _: &HitboxDesc| Sampled::Here(blue)).unwrap();
    let mut pool = ProxyPool::new(ProxyConfig::default());
    for (time_us, team) in [(NOW_US, 1), (NOW_US + 10_000, 2)] {
        let bounds = QueryBounds::along(along_z());
        pool.build(&history, time_us, &QueryFilter::default(), &bounds, &mut RewindCounters::default()).unwrap();
        assert_eq!(pool.active().map(|(_, frame)| (frame.team, frame.time_us)).collect::<Vec<_>>(), [(MatchTeam::new(team), time_us)]);
    }
}

#[test]
fn a_key_from_before_a_clear_names_nothing() {
    let history = history(&[sample(ball(500), 0, 0, 0)]);
    let mut pool = ProxyPool::new(ProxyConfig::default());
    build(&mut pool, &history, &mut RewindCounters::default()).unwrap();
    let (old, _) = pool.active().next().unwrap();
    assert!(pool.frame(old).is_some());
    // Building anew clears first: the same place, and another key.
    build(&mut pool, &history, &mut RewindCounters::default()).unwrap();
    let (new, _) = pool.active().next().unwrap();
    assert_eq!((pool.frame(old), old.place(), old.kind()), (None, new.place(), new.kind()));
    assert!(pool.frame(new).is_some() && new.generation() > old.generation());
    pool.clear();
    assert_eq!(pool.frame(new), None);
    // A key with a place that is not active now.
    let frame = history.frame_at(history.hitboxes().next().unwrap(), NOW_US, &mut RewindCounters::default()).unwrap();
    let [_, second] = [pool.activate(&frame).unwrap(), pool.activate(&frame).unwrap()];
    assert_eq!(pool.frame(second), Some(&frame));
    pool.clear();
    pool.activate(&frame).unwrap();
    assert_eq!(pool.frame(second), None);
}

#[test]
fn a_clear_disables_everything_and_destroys_nothing() {
    let history = history(&[sample(ball(500), 0, 0, 0), sample(capsule(500, 900), 0, 0, 0)]);
    let mut pool = ProxyPool::new(ProxyConfig { spheres: 3, capsules: 5 });
    build(&mut pool, &history, &mut RewindCounters::default()).unwrap();
    pool.clear();
    let kinds = [ShapeKind::Sphere, ShapeKind::Capsule];
    assert_eq!(kinds.map(|kind| (pool.active_count(kind), pool.capacity(kind))), [(0, 3), (0, 5)]);
    assert_eq!((pool.active().count(), pool.sweep(&along_z(), &mut RewindCounters::default())), (0, None));
    // What was known of the past is gone with it.
    assert!(!format!("{pool:?}").contains("ActorId(0)"));
    pool.clear();
    assert_eq!(build(&mut pool, &history, &mut RewindCounters::default()), Ok(2));
}

#[test]
fn an_exhausted_pool_says_how_many_were_wanted_and_shows_none() {
    let all: Vec<HitboxSample> =
        (0..9).map(|number| sample(if number < 4 { ball(500) } else { capsule(500, 900) }, 0, 0, number)).collect();
    let history = history(&all);
    let build = |spheres, capsules| {
        let mut pool = ProxyPool::new(ProxyConfig { spheres, capsules });
        let mut counters = RewindCounters::default();
        let built = build(&mut pool, &history, &mut counters);
        assert_eq!((pool.active().count(), counters.activations), built.map_or((0, 0), |count| (count, count as u64)));
        built
    };
    let exhausted = |kind, capacity, wanted| Err(BuildError::Exhausted(Exhausted { kind, capacity, wanted }));
    assert_eq!(build(4, 5), Ok(9));
    assert_eq!(build(3, 5), exhausted(ShapeKind::Sphere, 3, 4));
    assert_eq!(build(0, 0), exhausted(ShapeKind::Sphere, 0, 4));
    assert_eq!(build(4, 2), exhausted(ShapeKind::Capsule, 2, 5));
    let text = build(4, 2).unwrap_err().to_string();
    assert!(text.contains('5') && text.contains('2') && !text.contains('\n'), "{text}");
    // One by one, those that were there stay.
    let frame = history.frame_at(history.hitboxes().next().unwrap(), NOW_US, &mut RewindCounters::default()).unwrap();
    let mut pool = ProxyPool::new(ProxyConfig { spheres: 1, capsules: 0 });
    let key = pool.activate(&frame).unwrap();
    assert_eq!(pool.activate(&frame), Err(ActivateError::Exhausted(Exhausted { kind: ShapeKind::Sphere, capacity: 1, wanted: 2 })));
    assert_eq!(pool.frame(key), Some(&frame));
}

#[test]
fn only_authority_builds() {
    let mut history = history(&[sample(ball(500), 0, 0, 0)]);
    let mut pool = ProxyPool::new(ProxyConfig::default());
    build(&mut pool, &history, &mut RewindCounters::default()).unwrap();
    history.set_world(WorldKind::Game, NetRole::Client);
    assert_eq!(build(&mut pool, &history, &mut RewindCounters::default()), Err(BuildError::NotAuthority(NotAuthority::Client)));
    assert_eq!(pool.active().count(), 0);
}

#[test]
fn a_time_without_an_answer_leaves_nothing_active() {
    let history = history(&[sample(ball(500), 0, 0, 0)]);
    let mut pool = ProxyPool::new(ProxyConfig::default());
    build(&mut pool, &history, &mut RewindCounters::default()).unwrap();
    let mut counters = RewindCounters::default();
    let bounds = QueryBounds::along(along_z());
    let built = pool.build(&history, NOW_US + 25_001, &QueryFilter::default(), &bounds, &mut counters);
    assert_eq!(built, Err(BuildError::Time(TimeError::NewerThanNewest)));
    assert_eq!((pool.active().count(), counters.failures(TimeError::NewerThanNewest.into())), (0, 1));
}

#[test]
fn what_was_done_is_counted() {
    let history = history(&[sample(ball(500), 0, 0, 0), sample(ball(500), 800, 0, 0), sample(ball(500), 0, 599, 0)]);
    let mut pool = ProxyPool::new(ProxyConfig::default());
    let mut counters = RewindCounters::default();
    build(&mut pool, &history, &mut counters).unwrap();
    assert_eq!((counters.activations, counters.candidates, counters.rejections(Rejection::Apart)), (2, 2, 1));
    pool.sweep(&along_z(), &mut counters);
    assert_eq!(counters.sweeps, 2);
    // A part of the way that passes one of them is one rejection and no exact test.
    let lower = Segment::new(Point { x: 0, y: -400, z: -900 }, Point { x: 0, y: -400, z: 900 }, 0).unwrap();
    pool.sweep(&lower, &mut counters);
    assert_eq!((counters.sweeps, counters.rejections(Rejection::Apart)), (3, 2));
}

#[test]
fn a_pool_of_any_size_is_bounded() {
    let pool = ProxyPool::new(ProxyConfig { spheres: usize::MAX, capsules: 0 });
    assert_eq!([pool.capacity(ShapeKind::Sphere), pool.capacity(ShapeKind::Capsule)], [65_536, 0]);
}

/// A host may fill in a frame as it likes: what sweeps cannot compute with is refused, and the most that is not is swept.
#[test]
fn a_frame_that_no_history_has_is_refused_and_the_greatest_can_be_swept() {
    let history = history(&[sample(capsule(500, 900), 0, 0, 0), sample(ball(500), 0, 0, 0)]);
    let frame_of = |index: u32| {
        let mut pool = ProxyPool::new(ProxyConfig::default());
        pool.build(&history, NOW_US, &QueryFilter::default(), &QueryBounds::along(along_z()), &mut RewindCounters::default()).unwrap();
        pool.active().map(|(_, frame)| *frame).find(|frame| frame.hitbox.index() == index).unwrap()
    };
    let (tall, round) = (frame_of(0), frame_of(1));
    let axes = [[i32::MAX; 3], [i32::MIN; 3], [0, i32::MAX, 0], [0, 0, i32::MIN], [0, 32_804, 0], [18_939, 18_939, 18_940]];
    for half_axis in axes {
        let mut pool = ProxyPool::new(ProxyConfig::default());
        assert_eq!(pool.activate(&HitboxFrame { half_axis, ..tall }), Err(ActivateError::HalfAxis(half_axis)));
        assert_eq!(pool.activate(&HitboxFrame { half_axis, ..round }), Err(ActivateError::HalfAxis(half_axis)));
        assert_eq!(pool.active().count(), 0);
    }
    assert!(ProxyPool::new(ProxyConfig::default()).activate(&HitboxFrame { half_axis: [0, 1, 0], ..round }).is_err());
    for radius in [Fx::MAX, Fx::MIN, Fx::ZERO, Fx::from_bits(399), units::fx(65_536), units::fx(-1)] {
        let mut pool = ProxyPool::new(ProxyConfig::default());
        assert_eq!(pool.activate(&HitboxFrame { radius, ..tall }), Err(ActivateError::Radius(radius)));
    }
    for (x, y, z) in [(i32::MAX, 0, 0), (0, i32::MIN, 0), (0, 0, units::MAX_COORDINATE + 1)] {
        let centre = Point { x, y, z };
        assert_eq!(ProxyPool::new(ProxyConfig::default()).activate(&HitboxFrame { centre, ..round }), Err(ActivateError::Centre(centre)));
    }
    // The greatest of all, swept along the longest way by the widest ball, from every side.
    let (far, skew) = (1 << 23, 4_800_000);
    for half_axis in [[32_803, 0, 0], [0, -32_803, 0], [18_938, -18_938, 18_938], [0, 23_195, -23_195]] {
        let greatest = HitboxFrame { half_axis, radius: units::fx(65_535), half_height: Fx::MAX, broadphase_radius: Fx::MIN, ..tall };
        let mut pool = ProxyPool::new(ProxyConfig::default());
        pool.activate(&greatest).unwrap();
        for (x, y, z) in [(far, 0, 0), (0, far, 0), (0, 0, far), (skew, skew, skew), (-skew, skew, -skew), (98_000, far - 1_000, 3)] {
            let way = Segment::new(Point { x: -x, y: -y, z: -z }, Point { x, y, z }, 65_535).unwrap();
            assert!(pool.sweep(&way, &mut RewindCounters::default()).is_some(), "{half_axis:?} {way:?}");
        }
        let corner = Point::from_array([units::MAX_COORDINATE; 3]);
        pool.clear();
        pool.activate(&HitboxFrame { centre: corner, ..greatest }).unwrap();
        assert!(pool.sweep(&Segment::new(corner, corner, 0).unwrap(), &mut RewindCounters::default()).is_some());
        assert!(pool.sweep(&along_z(), &mut RewindCounters::default()).is_none());
    }
}

#[test]
fn activations_of_several_places_add_up() {
    let history = history(&[sample(ball(500), 0, 0, 0), sample(capsule(500, 900), 0, 0, 0)]);
    let (mut pool, mut sum) = (ProxyPool::new(ProxyConfig::default()), RewindCounters::default());
    for built in 1..3 {
        let mut counters = RewindCounters::default();
        pool.build(&history, NOW_US, &QueryFilter::default(), &QueryBounds::along(along_z()), &mut counters).unwrap();
        sum.add(&counters);
        assert_eq!((counters.activations, sum.activations), (2, built * 2));
    }
}
