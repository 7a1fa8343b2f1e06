//! What a page draws of a cull.

use snapback_rewind::cull::{BoundsConfig, BoundsHistory, Colour, Composite, CullByPath, Culler, PendingRewind, Sweep, Window};

use crate::{BODY, EACH, TICK_US, actor, at, cube};

#[test]
fn the_instigator_is_black_and_potential_targets_are_orange_with_their_collision() {
    let config = BoundsConfig { max_components: 4, ticks: 4, ..BoundsConfig::default() };
    let mut history = BoundsHistory::new(config).unwrap();
    for number in 0..3 {
        let id = history.register(0, actor(number), BODY, EACH, cube(1_000 * number as i32, 100)).unwrap();
        history.record(TICK_US, id, cube(1_000 * number as i32 + 50, 100)).unwrap();
    }
    let path = [Sweep::line(at(0, 0, 0), at(1_000, 0, 0)).unwrap()];
    let pending = PendingRewind { window: Window::new(0, TICK_US), instigator: Some(actor(0)), path: &path };
    let mut culler = Culler::new(config);
    assert_eq!(culler.marks().count(), 0);
    culler.cull(&history, &pending, &mut CullByPath, &mut Vec::new());
    let lines = culler.marks().map(|mark| {
        assert_eq!(mark.shows_collision, mark.colour == Colour::Orange);
        let Composite::Known(bounds) = mark.target.bounds else { panic!("the window is short") };
        let (from, to) = (bounds.min().x, bounds.max().x);
        format!("{} {:?} x {from}..={to}: {}, complex {}", mark.target.actor.0, mark.colour, mark.verdict, mark.was_complex_tested)
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    0 Black x -108..=158: who shot, complex false
    1 Orange x 892..=1158: hit, complex true
    2 Orange x 1892..=2158: box not hit, complex false
    ");
}
