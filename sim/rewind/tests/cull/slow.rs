//! Hitboxes that are not sampled at every tick, that are gone, and limits.

use snapback_core::{Fx, NameHash, Quat, Vec3};
use snapback_rewind::cull::{
    self, Aabb, BoundsConfig, BoundsError, BoundsHistory, Composite, CullByPath, Culler, MAX_COMPONENTS, PendingRewind, Window,
};
use snapback_rewind::{
    Cadence, Cast, HitboxDesc, HitboxId, HitboxSample, MatchTeam, NetRole, Point, QueryFilter, RewindConfig, RewindCounters, RewindHistory,
    Sampled, Shape, SourceShape, Sweep, TooOld, WorldKind,
};

use crate::{BODY, EACH, TICK_US, actor, cube};

const MS: u64 = 1_000;

fn ball(x_cm: i32, epoch: u32) -> HitboxSample {
    HitboxSample {
        position: Point::of(Vec3::from_ints(x_cm, 0, 0)).unwrap(),
        rotation: Quat::IDENTITY,
        shape: Shape::of(SourceShape::Sphere { radius: Fx::from_int(20) }).unwrap(),
        damageable: true,
        blocking: false,
        team: MatchTeam::NONE,
        state_flags: 0,
        epoch,
    }
}

fn desc(cadence: Cadence) -> HitboxDesc {
    HitboxDesc {
        actor: actor(1),
        component: BODY,
        name: NameHash::NONE,
        region: NameHash::NONE,
        projectile: false,
        client_only: false,
        cadence,
    }
}

fn bounds(sample: &HitboxSample) -> Aabb {
    Aabb::around(sample.position, [3_277; 3])
}

/// Ticks of 10 ms with these samples of a hitbox at 20 Hz, and whether a shot straight through `x_cm` at a tick
/// hits it, and whether culling in a window keeps it.
fn hit_and_kept(samples: &[HitboxSample], x_cm: i32, tick: u64, window: (u64, u64)) -> (bool, bool) {
    let cadence = Cadence::FixedHz { hz: 20 };
    let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    let config = BoundsConfig::default();
    let mut boxes = BoundsHistory::new(config).unwrap();
    history.record_tick(1, &mut |_: HitboxId, _: &HitboxDesc| Sampled::Gone).unwrap();
    history.register(desc(cadence), samples[0]).unwrap();
    let id = boxes.register(1, actor(1), BODY, cadence, bounds(&samples[0])).unwrap();
    for (tick, sample) in samples.iter().enumerate().skip(1) {
        let now_us = 1 + tick as u64 * 10 * MS;
        history.record_tick(now_us, &mut |_: HitboxId, _: &HitboxDesc| Sampled::Here(*sample)).unwrap();
        boxes.record(now_us, id, bounds(sample)).unwrap();
    }
    let at_us = |tick: u64| 1 + tick * 10 * MS;
    let end = |z_cm: i32| Point::of(Vec3::from_ints(x_cm, 0, z_cm)).unwrap();
    let cast = Cast { from: end(-300), to: end(300), radius_units: 0 };
    let hit = history
        .at(at_us(tick), &mut RewindCounters::default())
        .unwrap()
        .cast(&cast, &QueryFilter::default(), &mut RewindCounters::default())
        .unwrap();
    let path = [cull::Sweep::line(cast.from, cast.to).unwrap()];
    let pending = PendingRewind { window: Window::new(at_us(window.0), at_us(window.1)), instigator: None, path: &path };
    let mut kept = Vec::new();
    Culler::new(config).cull(&boxes, &pending, &mut CullByPath, &mut kept);
    (hit.is_some(), !kept.is_empty())
}

#[test]
fn who_is_shown_between_two_samples_is_kept_there() {
    let samples: Vec<_> = (0..=5).map(|tick| ball(if tick == 0 { 0 } else { 500 }, 0)).collect();
    assert_eq!(hit_and_kept(&samples, 100, 1, (1, 5)), (true, true));
    // The sample after the window counts as well.
    let samples: Vec<_> = (0..=5).map(|tick| ball(if tick == 5 { 500 } else { 0 }, 0)).collect();
    assert_eq!(hit_and_kept(&samples, 300, 3, (3, 3)), (true, true));
}

#[test]
fn who_is_held_at_a_sample_before_another_epoch_is_kept_there() {
    let samples: Vec<_> = (0..=5).map(|tick| if tick == 0 { ball(0, 0) } else { ball(500, 1) }).collect();
    assert_eq!(hit_and_kept(&samples, 0, 4, (3, 5)), (true, true));
}

#[test]
fn who_is_held_after_the_newest_sample_is_kept_there() {
    let samples: Vec<_> = (0..=2).map(|tick| ball(500 * tick, 0)).collect();
    assert_eq!(hit_and_kept(&samples, 0, 2, (2, 2)), (true, true));
}

#[test]
fn what_is_sampled_at_every_tick_has_no_slack_until_its_cadence_changes() {
    let mut history = BoundsHistory::new(BoundsConfig::default()).unwrap();
    let id = history.register(0, actor(1), BODY, EACH, cube(0, 10)).unwrap();
    for tick in 1..10 {
        history.record(tick * 10 * MS, id, cube(1_000 * tick as i32, 10)).unwrap();
    }
    let width = |history: &BoundsHistory| match history.composite(id, Window::new(50 * MS, 60 * MS)) {
        Some(Composite::Known(bounds)) => bounds.max().x - bounds.min().x - 36,
        other => panic!("{other:?}"),
    };
    assert_eq!(width(&history), 1_000);
    assert!(history.set_cadence(id, EACH));
    assert_eq!(width(&history), 1_000);
    assert!(history.set_cadence(id, Cadence::FIXED_60));
    assert_eq!(width(&history), 9_000);
    // Its past was sampled slowly.
    assert!(history.set_cadence(id, EACH));
    assert_eq!(width(&history), 9_000);
    history.unregister(id);
    assert!(!history.set_cadence(id, EACH));
}

#[test]
fn slack_makes_nobody_a_target_before_they_were_there() {
    let mut history = BoundsHistory::new(BoundsConfig::default()).unwrap();
    let id = history.register(50 * MS, actor(1), BODY, Cadence::FIXED_60, cube(0, 10)).unwrap();
    assert_eq!(history.composite(id, Window::new(0, 50 * MS - 1)), None);
    assert!(history.composite(id, Window::new(0, 50 * MS)).is_some());
}

#[test]
fn a_ring_that_is_too_short_for_the_slack_is_unknown_and_the_default_one_is_not() {
    let slow = Cadence::FixedHz { hz: 20 };
    let ask = |config: BoundsConfig| {
        let mut history = BoundsHistory::new(config).unwrap();
        let id = history.register(0, actor(1), BODY, slow, cube(0, 10)).unwrap();
        (1..500).for_each(|tick| history.record(tick * TICK_US, id, cube(0, 10)).unwrap());
        // The oldest that a shot can see, which is 100 ms late itself.
        history.composite(id, Window::back(499 * TICK_US - 100 * MS, 250 * MS))
    };
    assert!(matches!(ask(BoundsConfig::default()), Some(Composite::Known(_))));
    assert_eq!(ask(BoundsConfig { ticks: 24, ..BoundsConfig::default() }), Some(Composite::Unknown));
}

#[test]
fn a_box_that_grows_on_its_way_is_kept_where_a_moving_query_freezes_its_size() {
    let mut history = BoundsHistory::new(BoundsConfig::default()).unwrap();
    let id = history.register(0, actor(1), BODY, EACH, cube(1_000, 0)).unwrap();
    history.record(TICK_US, id, cube(0, 1_000)).unwrap();
    // At the start its centre is at 1,000 and its size that of the middle, 500.
    let Some(Composite::Known(all)) = history.composite(id, Window::new(0, TICK_US)) else { panic!("the window is short") };
    assert!(all.contains(Point { x: 1_500, y: 0, z: 0 }));
}

#[test]
fn a_moving_query_that_meets_somebody_who_grows_on_their_way_keeps_them() {
    let mut history = RewindHistory::new(RewindConfig::default(), WorldKind::Game, NetRole::Authority).unwrap();
    let mut boxes = BoundsHistory::new(BoundsConfig::default()).unwrap();
    let grown = |x_cm: i32, radius_cm: i32| HitboxSample {
        shape: Shape::of(SourceShape::Sphere { radius: Fx::from_int(radius_cm) }).unwrap(),
        ..ball(x_cm, 0)
    };
    let bounds = |sample: &HitboxSample, radius_cm: u32| Aabb::around(sample.position, [radius_cm * 164; 3]);
    let (first, last) = (grown(500, 10), grown(0, 200));
    history.record_tick(1, &mut |_: HitboxId, _: &HitboxDesc| Sampled::Gone).unwrap();
    history.register(desc(EACH), first).unwrap();
    let id = boxes.register(1, actor(1), BODY, EACH, bounds(&first, 10)).unwrap();
    let now_us = 1 + TICK_US;
    history.record_tick(now_us, &mut |_: HitboxId, _: &HitboxDesc| Sampled::Here(last)).unwrap();
    boxes.record(now_us, id, bounds(&last, 200)).unwrap();

    // Half a metre beyond both balls, where the first with the size of the middle reaches.
    let beside = Point::of(Vec3::from_ints(560, 0, 0)).unwrap();
    let sweep = Sweep { from: beside, to: beside, radius_units: 0, from_us: 1, to_us: now_us, too_old: TooOld::Fail };
    assert!(history.sweep(&sweep, &QueryFilter::default(), &mut RewindCounters::default()).unwrap().is_some());
    let path = [cull::Sweep::line(beside, beside).unwrap()];
    let pending = PendingRewind { window: Window::new(1, now_us), instigator: None, path: &path };
    let mut kept = Vec::new();
    Culler::new(boxes.config()).cull(&boxes, &pending, &mut CullByPath, &mut kept);
    assert_eq!(kept, [id]);
}

#[test]
fn what_is_retired_is_kept_until_the_window_has_passed() {
    let mut history = BoundsHistory::new(BoundsConfig { max_components: 2, ..BoundsConfig::default() }).unwrap();
    let id = history.register(0, actor(1), BODY, EACH, cube(0, 10)).unwrap();
    history.record(10 * MS, id, cube(100, 10)).unwrap();
    assert!(history.retire(10 * MS, id));
    assert!(!history.retire(20 * MS, id), "once");
    assert_eq!(history.record(20 * MS, id, cube(0, 10)), Err(BoundsError::Gone { id }));
    // Neither is it pruned as dead, nor is it in the way of its successor.
    assert_eq!((history.prune(|_, _| false), history.prune_actor(actor(1)), history.find(actor(1), BODY)), (0, 0, None));
    let next = history.register(20 * MS, actor(1), BODY, EACH, cube(5_000, 10)).unwrap();
    assert_eq!((history.find(actor(1), BODY), history.len()), (Some(next), 2));
    assert_eq!(history.ids().collect::<Vec<_>>(), [next, id]);
    assert!(history.retire(20 * MS, next));
    assert_eq!(history.ids().collect::<Vec<_>>(), [id, next]);
    assert_eq!(history.owner(id), Some((actor(1), BODY)));
    // It is there up to its last tick.
    assert!(history.composite(id, Window::new(10 * MS, 90 * MS)).is_some());
    assert_eq!(history.composite(id, Window::new(10 * MS + 1, 90 * MS)), None);
    assert_eq!(history.forget_retired(260 * MS, 250 * MS), 0);
    assert_eq!(history.forget_retired(260 * MS + 1, 250 * MS), 1);
    assert_eq!(history.ids().collect::<Vec<_>>(), [next]);
    assert!(history.unregister(next) && history.is_empty());
}

#[test]
fn a_retirement_before_its_newest_box_counts_as_at_that() {
    let mut history = BoundsHistory::new(BoundsConfig::default()).unwrap();
    let id = history.register(30 * MS, actor(1), BODY, EACH, cube(0, 10)).unwrap();
    assert!(history.retire(0, id));
    assert!(history.composite(id, Window::new(30 * MS, 30 * MS)).is_some());
}

#[test]
fn numbers_out_of_range_are_refused_by_name() {
    let refused = |config: BoundsConfig| BoundsHistory::new(config).map(|_| ()).unwrap_err().field;
    let fine = BoundsConfig { max_components: 1, ticks: 1, slack_us: 0 };
    assert!(BoundsHistory::new(fine).is_ok());
    assert_eq!(refused(BoundsConfig { max_components: u32::MAX, ticks: u32::MAX, ..fine }), "max_components");
    assert_eq!(refused(BoundsConfig { max_components: MAX_COMPONENTS + 1, ..fine }), "max_components");
    assert_eq!(refused(BoundsConfig { ticks: u32::MAX, ..fine }), "ticks");
    assert_eq!(refused(BoundsConfig { ticks: 0, ..fine }), "ticks");
    assert_eq!(refused(BoundsConfig { max_components: MAX_COMPONENTS, ticks: 65, ..fine }), "max_components * ticks");
    assert_eq!(refused(BoundsConfig { slack_us: 1_000_001, ..fine }), "slack_us");
    // A list for a history that cannot be is one for the greatest that can.
    let _ = Culler::new(BoundsConfig { max_components: u32::MAX, ticks: u32::MAX, slack_us: u32::MAX });
}
