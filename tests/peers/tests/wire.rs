//! What a match costs on the wire, as far as it can be told without a clock.

use snapback_peers::ours::OurMatch;
use snapback_peers::pad::{holding, restless};
use snapback_peers::theirs::{Polling, TheirMatch};
use snapback_peers::tick_us;
use snapback_peers::wire::WireCount;

const TICKS: u64 = 1_000;

#[test]
fn one_packet_goes_out_for_each_frame() {
    for (one_way_us, pad) in [(30_000, holding as snapback_peers::pad::Pad), (tick_us(5), restless)] {
        let mut ours = OurMatch::start(one_way_us, pad);
        for _ in 0..300 {
            ours.tick();
        }
        for n in 0..TICKS {
            ours.link().reset_counts();
            ours.tick();
            assert_eq!(ours.link().sent().map(|sent| sent.packets), [1, 1], "tick {n}");
        }
    }
}

#[test]
fn the_same_match_is_smaller_than_with_ggrs() {
    let mut ours = OurMatch::start(30_000, holding);
    let mut theirs = TheirMatch::start(30_000, holding, Polling::Documented);
    for _ in 0..300 {
        ours.tick();
        theirs.tick();
    }
    ours.link().reset_counts();
    theirs.link().reset_counts();
    for _ in 0..TICKS {
        ours.tick();
        theirs.tick();
    }
    let (ours, theirs) = (WireCount::sum(ours.link().sent()), WireCount::sum(theirs.link().sent()));
    // Its quality reports depend on the wall clock, and only add to this.
    assert!(theirs.packets >= 2 * 2 * TICKS, "{theirs:?}");
    assert!(ours.bytes < theirs.bytes, "ours {ours:?}, ggrs {theirs:?}");
}
