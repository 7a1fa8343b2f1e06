//! The contract of the tick path: recording and culling allocate nothing.

use snapback_core::Rng;
use snapback_rewind::cull::{BoundsConfig, BoundsHistory, CullByPath, Culler, PendingRewind, Sweep, Window};

use crate::{BODY, EACH, TICK_US, actor, counting, cube, point, within};

#[test]
fn recording_culling_and_coming_and_going_allocate_nothing_after_warm_up() {
    let config = BoundsConfig { max_components: 64, ..BoundsConfig::default() };
    let mut history = BoundsHistory::new(config).unwrap();
    let mut culler = Culler::new(config);
    let mut kept = Vec::with_capacity(64);
    let mut rng = Rng::new(4, 4);
    let before = counting::so_far();
    let mut hits = 0;
    for tick in 0..500 {
        let now_us = tick * TICK_US;
        let who = actor(u64::from(rng.below(60)));
        if history.prune_actor(who) == 0 {
            history.register(now_us, who, BODY, EACH, cube(within(&mut rng, 1_000), 50)).unwrap();
        }
        for number in 0..60 {
            if let Some(id) = history.find(actor(number), BODY) {
                history.record(now_us, id, cube(within(&mut rng, 1_000), 50)).unwrap();
            }
        }
        let path = [Sweep::ball(point(&mut rng, 500), point(&mut rng, 500), 30).unwrap()];
        let pending = PendingRewind { window: Window::back(now_us, 250_000), instigator: Some(who), path: &path };
        kept.clear();
        hits += culler.cull(&history, &pending, &mut CullByPath, &mut kept).kept;
        hits += u32::from(culler.marks().any(|mark| mark.was_complex_tested));
    }
    assert_eq!(counting::so_far(), before);
    assert!(hits > 1_000);
    // The counter counts.
    drop(std::hint::black_box(vec![0; 9]));
    assert!(counting::so_far() > before);
}
