//! What is recorded of a component, and the composite box of a window.

use snapback_core::Rng;
use snapback_rewind::cull::{Aabb, BoundsConfig, BoundsError, BoundsHistory, BoundsId, COMPOSITE_MARGIN_UNITS, Composite, Window};

use crate::{BODY, EACH, HEAD, TICK_US, actor, at, cube, point};

fn history(ticks: u32) -> BoundsHistory {
    BoundsHistory::new(BoundsConfig { max_components: 4, ticks, ..BoundsConfig::default() }).unwrap()
}

/// A component that is at 100 * tick at each of `ticks`, ten units thick.
fn walker(history: &mut BoundsHistory, ticks: u64) -> BoundsId {
    let id = history.register(0, actor(1), BODY, EACH, cube(0, 10)).unwrap();
    for tick in 1..ticks {
        history.record(tick * TICK_US, id, cube(100 * tick as i32, 10)).unwrap();
    }
    id
}

fn from_to(from: i32, to: i32) -> Option<Composite> {
    Some(Composite::Known(Aabb::spanning(at(from - 10, -10, -10), at(to + 10, 10, 10)).grown(COMPOSITE_MARGIN_UNITS)))
}

#[test]
fn the_composite_is_from_rewind_start_to_now_both_ends_inclusive() {
    let mut history = history(32);
    let id = walker(&mut history, 20);
    let window = |from, to| Window::new(from * TICK_US, to * TICK_US);
    assert_eq!(history.composite(id, window(5, 19)), from_to(500, 1_900));
    assert_eq!(history.composite(id, window(5, 9)), from_to(500, 900));
    assert_eq!(history.composite(id, window(7, 7)), from_to(700, 700));
    assert_eq!(history.composite(id, window(9, 7)), from_to(700, 700), "a start after now is now");
}

#[test]
fn between_two_ticks_both_count() {
    let mut history = history(32);
    let id = walker(&mut history, 20);
    assert_eq!(history.composite(id, Window::new(5 * TICK_US - 1, 9 * TICK_US + 1)), from_to(400, 1_000));
    assert_eq!(history.composite(id, Window::new(5 * TICK_US + 1, 9 * TICK_US - 1)), from_to(500, 900));
}

#[test]
fn a_tick_that_is_left_out_is_between_its_neighbours() {
    let mut history = history(32);
    let id = history.register(0, actor(1), BODY, EACH, cube(0, 10)).unwrap();
    history.record(10 * TICK_US, id, cube(1_000, 10)).unwrap();
    assert_eq!(history.composite(id, Window::new(4 * TICK_US, 6 * TICK_US)), from_to(0, 1_000));
}

#[test]
fn the_newest_box_is_held() {
    let mut history = history(32);
    let id = walker(&mut history, 20);
    assert_eq!(history.composite(id, Window::new(100 * TICK_US, 120 * TICK_US)), from_to(1_900, 1_900));
}

#[test]
fn registration_records_at_once_and_before_it_there_is_nothing() {
    let mut history = history(32);
    let id = history.register(5 * TICK_US, actor(1), BODY, EACH, cube(0, 10)).unwrap();
    assert_eq!(history.recorded(id).collect::<Vec<_>>(), [(5 * TICK_US, cube(0, 10))]);
    assert_eq!(history.composite(id, Window::new(0, 5 * TICK_US - 1)), None);
    assert_eq!(history.composite(id, Window::new(0, 5 * TICK_US)), from_to(0, 0));
}

#[test]
fn a_window_that_reaches_further_back_than_the_ring_is_unknown() {
    let mut history = history(4);
    let id = walker(&mut history, 4);
    assert_eq!(history.composite(id, Window::new(0, 3 * TICK_US)), from_to(0, 300));
    history.record(4 * TICK_US, id, cube(400, 10)).unwrap();
    assert_eq!(history.composite(id, Window::new(TICK_US, 4 * TICK_US)), from_to(100, 400));
    assert_eq!(history.composite(id, Window::new(TICK_US - 1, 4 * TICK_US)), Some(Composite::Unknown));
    assert_eq!(history.composite(id, Window::new(0, 0)), Some(Composite::Unknown));
}

#[test]
fn the_default_ring_reaches_a_quarter_of_a_second_back() {
    let config = BoundsConfig::default();
    let mut history = BoundsHistory::new(config).unwrap();
    let id = history.register(0, actor(1), BODY, EACH, cube(0, 10)).unwrap();
    for tick in 1..1_000 {
        let now_us = tick * 1_000_000 / 60;
        history.record(now_us, id, cube(tick as i32, 10)).unwrap();
        // Just before the next tick as well.
        for now_us in [now_us, now_us + 16_666] {
            assert!(matches!(history.composite(id, Window::back(now_us, 250_000)), Some(Composite::Known(_))), "{tick}");
        }
    }
}

#[test]
fn two_boxes_at_one_time_both_count() {
    let mut history = history(4);
    let id = walker(&mut history, 2);
    history.record(TICK_US, id, cube(900, 10)).unwrap();
    assert_eq!(history.recorded(id).count(), 2);
    assert_eq!(history.composite(id, Window::new(TICK_US, TICK_US)), from_to(100, 900));
}

#[test]
fn what_is_out_of_order_full_known_or_gone_is_refused_and_changes_nothing() {
    let mut history = BoundsHistory::new(BoundsConfig { max_components: 2, ticks: 4, ..BoundsConfig::default() }).unwrap();
    let id = walker(&mut history, 3);
    let before: Vec<_> = history.recorded(id).collect();
    let late = history.record(TICK_US, id, cube(0, 99)).unwrap_err();
    assert_eq!(late, BoundsError::OutOfOrder { newest_us: 2 * TICK_US, now_us: TICK_US });
    assert_eq!(history.register(0, actor(1), BODY, EACH, cube(0, 1)), Err(BoundsError::AlreadyRegistered { id }));
    let head = history.register(0, actor(1), HEAD, EACH, cube(0, 1)).unwrap();
    let full = history.register(0, actor(2), BODY, EACH, cube(0, 1)).unwrap_err();
    assert_eq!(full, BoundsError::Full { max_components: 2 });
    assert_eq!(history.recorded(id).collect::<Vec<_>>(), before);

    assert!(history.unregister(head));
    assert!(!history.unregister(head));
    let gone = history.record(TICK_US, head, cube(0, 1)).unwrap_err();
    insta::assert_snapshot!([late, full, gone, BoundsError::AlreadyRegistered { id }].map(|it| it.to_string()).join("\n"), @"
    bounds of 16667 us come after those of 33334 us: record in the order of time
    all 2 places for components are taken: raise max_components, or prune what is destroyed
    the component 1 (generation 0) is gone: register it again
    the component is registered as 0 (generation 0): record under that id
    ");
}

#[test]
fn an_id_of_a_destroyed_component_never_names_another() {
    let mut history = history(4);
    let old = walker(&mut history, 4);
    assert_eq!(history.prune_actor(actor(1)), 1);
    let new = history.register(0, actor(2), BODY, EACH, cube(5_000, 10)).unwrap();
    assert_eq!(old.index(), new.index());
    assert!(!history.contains(old));
    assert_eq!((history.owner(old), history.composite(old, Window::new(0, 9))), (None, None));
    assert_eq!(history.recorded(old).count(), 0);
    // Nothing of the old one is left in the place.
    assert_eq!(history.composite(new, Window::new(0, 9 * TICK_US)), from_to(5_000, 5_000));
    assert_eq!(history.find(actor(1), BODY), None);
    assert_eq!(history.find(actor(2), BODY), Some(new));
}

#[test]
fn destroyed_sources_are_pruned_and_the_others_stay() {
    let mut history = history(4);
    let body = history.register(0, actor(1), BODY, EACH, cube(0, 1)).unwrap();
    let head = history.register(0, actor(1), HEAD, EACH, cube(0, 1)).unwrap();
    let other = history.register(0, actor(2), BODY, EACH, cube(0, 1)).unwrap();
    assert_eq!(history.ids().collect::<Vec<_>>(), [body, head, other]);
    assert_eq!(history.prune(|_, component| component != HEAD), 1);
    assert_eq!((history.len(), history.contains(head)), (2, false));
    assert_eq!(history.prune_actor(actor(1)), 1);
    assert_eq!(history.ids().collect::<Vec<_>>(), [other]);
    assert_eq!(history.prune_actor(actor(2)), 1);
    assert!(history.is_empty());
}

#[test]
fn a_history_without_room_refuses_and_one_of_one_tick_keeps_one() {
    let mut none = BoundsHistory::new(BoundsConfig { max_components: 0, ticks: 4, ..BoundsConfig::default() }).unwrap();
    assert_eq!(none.register(0, actor(1), BODY, EACH, cube(0, 1)), Err(BoundsError::Full { max_components: 0 }));
    let mut one = history(1);
    let id = walker(&mut one, 3);
    assert_eq!(one.composite(id, Window::new(2 * TICK_US, 3 * TICK_US)), from_to(200, 200));
    assert_eq!(one.composite(id, Window::new(0, 3 * TICK_US)), Some(Composite::Unknown));
}

#[test]
fn parts_that_are_rounded_apart_stay_in_the_composite() {
    // The lerp of the motion model, at `s` of 65,536.
    let lerp = |p: i32, q: i32, s: i32| p + (((i64::from(q) - i64::from(p)) * i64::from(s) + (1 << 15)) >> 16) as i32;
    type Pose = [i32; 7];
    // A capsule as centre, axis and radius.
    let between = |p: Pose, q: Pose, s: i32| -> Pose { core::array::from_fn(|part| lerp(p[part], q[part], s)) };
    let bounds =
        |[x, y, z, ex, ey, ez, radius]: Pose| Aabb::around(at(x, y, z), [ex, ey, ez].map(|end| end.unsigned_abs() + radius as u32));
    let mut rng = Rng::new(6, 6);
    let mut beyond = 0;
    for _ in 0..20_000 {
        let mut pose = || -> Pose {
            let (centre, end) = (point(&mut rng, 5), point(&mut rng, 5));
            [centre.x, centre.y, centre.z, end.x, end.y, end.z, 1 + rng.below(5) as i32]
        };
        let (first, last) = (pose(), pose());
        let mut fraction = || rng.below(65_537) as i32;
        // A tick between two samples of a slower cadence, and a time between that and the next tick.
        let shown = between(between(first, last, fraction()), between(first, last, fraction()), fraction());
        let mut history = history(4);
        let id = history.register(0, actor(1), BODY, EACH, bounds(first)).unwrap();
        history.record(TICK_US, id, bounds(last)).unwrap();
        let Some(Composite::Known(composite)) = history.composite(id, Window::new(0, TICK_US)) else { panic!("the window is short") };
        assert_eq!(composite.union(bounds(shown)), composite);
        let tight = bounds(first).union(bounds(last));
        beyond += u32::from(tight.union(bounds(shown)) != tight);
    }
    assert!(beyond > 0, "the margin is of no use");
}
