//! Who is kept, who is ignored, and when the complex collision is asked.

use snapback_rewind::cull::{
    BoundsConfig, BoundsHistory, BoundsId, CullByPath, CullFilter, CullPass, CullTally, Culler, KeepAll, PendingRewind, PotentialTarget,
    Sweep, Window,
};
use snapback_rewind::{ActorId, Point};

use crate::{BODY, EACH, HEAD, TICK_US, actor, at, cube};

/// Three characters as in the picture of the specification: the instigator at 0, one at 1,000 whom the
/// line hits, one at 2,000 whom it does not. Each has a body and a head.
struct Scene {
    history: BoundsHistory,
    culler: Culler,
    ids: [[BoundsId; 2]; 3],
}

impl Scene {
    fn new() -> Self {
        let config = BoundsConfig { max_components: 8, ticks: 8, ..BoundsConfig::default() };
        let mut history = BoundsHistory::new(config).unwrap();
        let ids = core::array::from_fn(|number| {
            let x = 1_000 * number as i32;
            [BODY, HEAD].map(|component| history.register(0, actor(number as u64), component, EACH, cube(x, 100)).unwrap())
        });
        Self { history, culler: Culler::new(config), ids }
    }

    fn cull(&mut self, path: &[Sweep], filter: &mut dyn CullFilter, out: &mut Vec<BoundsId>) -> CullTally {
        let pending = PendingRewind { window: Window::new(0, TICK_US), instigator: Some(actor(0)), path };
        self.culler.cull(&self.history, &pending, filter, out)
    }
}

/// From the first character to just behind the second.
fn shot() -> Sweep {
    Sweep::line(at(-50, 0, 0), at(1_050, 0, 0)).unwrap()
}

struct Complex {
    asked: Vec<PotentialTarget>,
    answer: bool,
}

impl CullFilter for Complex {
    fn complex_collision(&mut self, _: &PendingRewind<'_>, target: &PotentialTarget) -> bool {
        self.asked.push(*target);
        self.answer
    }
}

#[test]
fn the_default_filter_culls_by_the_path() {
    let mut scene = Scene::new();
    let mut kept = Vec::new();
    let tally = scene.cull(&[shot()], &mut CullByPath, &mut kept);
    assert_eq!(kept, scene.ids[1]);
    assert_eq!(tally, CullTally { targets: 6, instigator: 2, box_missed: 2, kept: 2, complex_tests: 2, ..CullTally::default() });
}

#[test]
fn keeping_everyone_has_to_be_asked_for() {
    let mut scene = Scene::new();
    let mut kept = Vec::new();
    let tally = scene.cull(&[], &mut KeepAll, &mut kept);
    assert_eq!(kept, [scene.ids[1], scene.ids[2]].concat());
    assert_eq!((tally.kept, tally.complex_tests), (4, 0));
}

#[test]
fn a_path_without_a_sweep_keeps_nobody() {
    let mut kept = Vec::new();
    assert_eq!(Scene::new().cull(&[], &mut CullByPath, &mut kept).box_missed, 4);
    assert_eq!(kept, []);
}

#[test]
fn any_sweep_of_the_path_is_enough_and_a_target_on_two_is_kept_once() {
    let mut scene = Scene::new();
    let far = Sweep::ball(at(2_000, 500, 0), at(2_000, 300, 0), 200).unwrap();
    let mut kept = Vec::new();
    scene.cull(&[shot(), far, shot()], &mut CullByPath, &mut kept);
    assert_eq!(kept, [scene.ids[1], scene.ids[2]].concat());
}

#[test]
fn the_instigator_is_ignored_with_all_components_by_every_filter() {
    let mut scene = Scene::new();
    struct Greedy;
    impl CullFilter for Greedy {
        fn filter(&mut self, pass: &mut CullPass<'_>) {
            assert!(!pass.is_empty());
            for at in 0..pass.len() + 3 {
                assert_eq!(pass.keep(at), at < pass.len() && !pass.is_instigator(at));
                assert!(!pass.keep(at));
            }
        }
    }
    for filter in [&mut CullByPath as &mut dyn CullFilter, &mut KeepAll, &mut Greedy] {
        let mut kept = Vec::new();
        scene.cull(&[shot()], filter, &mut kept);
        assert!(scene.ids[0].iter().all(|own| !kept.contains(own)));
        assert!(kept.starts_with(&scene.ids[1]));
    }
    // Without an instigator nobody is.
    let pending = PendingRewind { window: Window::new(0, TICK_US), instigator: None, path: &[shot()] };
    let mut kept = Vec::new();
    scene.culler.cull(&scene.history, &pending, &mut CullByPath, &mut kept);
    assert_eq!(kept, [scene.ids[0], scene.ids[1]].concat());
}

#[test]
fn nobody_is_listed_twice_even_if_the_caller_has_listed_him() {
    let mut scene = Scene::new();
    let mut kept = vec![scene.ids[1][1], scene.ids[2][0]];
    let tally = scene.cull(&[shot()], &mut CullByPath, &mut kept);
    assert_eq!(kept, [scene.ids[1][1], scene.ids[2][0], scene.ids[1][0]]);
    assert_eq!((tally.already_listed, tally.kept), (2, 1));
    let before = kept.clone();
    assert_eq!(scene.cull(&[shot()], &mut CullByPath, &mut kept).kept, 0);
    assert_eq!(kept, before);
}

#[test]
fn a_listed_id_of_somebody_who_is_gone_hides_nobody() {
    let mut scene = Scene::new();
    let gone = scene.ids[1][0];
    scene.history.unregister(gone);
    let new = scene.history.register(0, actor(9), BODY, EACH, cube(1_000, 100)).unwrap();
    assert_eq!(new.index(), gone.index());
    let mut kept = vec![gone];
    scene.cull(&[shot()], &mut CullByPath, &mut kept);
    assert_eq!(kept, [gone, scene.ids[1][1], new]);
}

#[test]
fn the_complex_collision_is_asked_only_after_a_box_hit() {
    let mut scene = Scene::new();
    let mut complex = Complex { asked: Vec::new(), answer: true };
    let mut kept = vec![scene.ids[1][1]];
    scene.cull(&[shot()], &mut complex, &mut kept);
    // Neither for the instigator, nor for whom the box misses, nor for who is listed already.
    assert_eq!(complex.asked.iter().map(|it| it.id).collect::<Vec<_>>(), [scene.ids[1][0]]);

    let mut refusing = Complex { asked: Vec::new(), answer: false };
    let mut kept = Vec::new();
    let tally = scene.cull(&[shot()], &mut refusing, &mut kept);
    assert_eq!((kept.len(), tally.complex_missed, tally.complex_tests), (0, 2, 2));
}

#[test]
fn a_filter_of_the_host_decides_and_may_then_ask_the_default() {
    let mut scene = Scene::new();
    struct AndAlways(ActorId);
    impl CullFilter for AndAlways {
        fn filter(&mut self, pass: &mut CullPass<'_>) {
            assert_eq!(pass.pending().path.len(), 1);
            for at in 0..pass.len() {
                if pass.target(at).is_some_and(|target| target.actor == self.0) {
                    pass.keep(at);
                }
            }
            pass.cull_by_path(&mut |_, _| true);
        }
    }
    let mut kept = Vec::new();
    let tally = scene.cull(&[shot()], &mut AndAlways(actor(2)), &mut kept);
    assert_eq!(kept, [scene.ids[2], scene.ids[1]].concat());
    assert_eq!((tally.kept, tally.already_listed), (4, 0));

    struct Nobody;
    impl CullFilter for Nobody {
        fn filter(&mut self, _: &mut CullPass<'_>) {}
    }
    assert_eq!(scene.cull(&[shot()], &mut Nobody, &mut kept).left, 2);
}

#[test]
fn who_is_not_there_in_the_window_is_no_target_and_who_is_unknown_is_kept() {
    let config = BoundsConfig { max_components: 2, ticks: 2, ..BoundsConfig::default() };
    let mut history = BoundsHistory::new(config).unwrap();
    let forgotten = history.register(0, actor(1), BODY, EACH, cube(90_000, 1)).unwrap();
    for tick in 1..4 {
        history.record(tick * TICK_US, forgotten, cube(90_000, 1)).unwrap();
    }
    history.register(3 * TICK_US, actor(2), BODY, EACH, cube(0, 100)).unwrap();
    let pending = PendingRewind { window: Window::new(0, 2 * TICK_US), instigator: None, path: &[shot()] };
    let mut kept = Vec::new();
    let tally = Culler::new(config).cull(&history, &pending, &mut CullByPath, &mut kept);
    assert_eq!(kept, [forgotten]);
    assert_eq!(tally, CullTally { targets: 1, kept: 1, unknown: 1, complex_tests: 1, ..CullTally::default() });
}

#[test]
fn a_culler_takes_a_greater_history_than_it_was_made_for() {
    let mut small = Culler::new(BoundsConfig { max_components: 0, ticks: 1, ..BoundsConfig::default() });
    let mut history = BoundsHistory::new(BoundsConfig { max_components: 200, ticks: 2, ..BoundsConfig::default() }).unwrap();
    let ids: Vec<_> = (0..200).map(|number| history.register(0, actor(number), BODY, EACH, cube(0, 1)).unwrap()).collect();
    let line = Sweep::line(Point::ORIGIN, Point::ORIGIN).unwrap();
    let pending = PendingRewind { window: Window::new(0, 0), instigator: None, path: &[line] };
    let mut kept = vec![ids[150]];
    assert_eq!(small.cull(&history, &pending, &mut CullByPath, &mut kept).kept, 199);
}
