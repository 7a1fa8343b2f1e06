//! What a host program may count on: the same bytes for the same seed, and the same checks on every tick.

use crate::game::{Big, INPUT_BYTES};
use crate::net::{MINUTE_US, Net};
use crate::node::Shape;
use snapback::{FreezeReason, LocalInput, PlayerHandle, SessionError};

/// Nothing depends on addresses of memory, on a clock or on the order of a hash map.
#[test]
fn the_same_seed_sends_the_same_bytes_at_the_same_times() {
    let tape = |seed| {
        let mut net = Net::new(&[Shape::default(); 3], 200, seed);
        net.weather.loss_per_million = 200_000;
        net.weather.doubled_per_million = 200_000;
        net.weather.delay_us = 10_000;
        net.weather.jitter_us = 60_000;
        assert!(net.run(5 * MINUTE_US), "{net}");
        net.tape
    };
    assert_eq!(tape(5), tape(5));
    assert_ne!(tape(5), tape(6));
}

/// A host program that gives too few, too many or another's inputs learns it at once, and not only
/// when the match begins.
#[test]
fn local_inputs_are_checked_on_frozen_ticks_too() {
    let pressed = |seat| LocalInput::new(PlayerHandle::new(seat), Big { bytes: [0; INPUT_BYTES] });
    let wrong = |seat| Err(SessionError::LocalInputs { player: PlayerHandle::new(seat) });
    let mut net = Net::new(&[Shape::default(); 2], 100, 1);
    let check = |net: &mut Net| {
        let now_us = net.now_us;
        let frame = net.frame(0);
        let host = &mut net.nodes[0].peer;
        assert_eq!(host.tick(now_us, &[]).map(|_| ()), wrong(0));
        assert_eq!(host.tick(now_us, &[pressed(0), pressed(0)]).map(|_| ()), wrong(0));
        assert_eq!(host.tick(now_us, &[pressed(0), pressed(1)]).map(|_| ()), wrong(1));
        assert_eq!(net.frame(0), frame, "a refused tick changes nothing");
        net.nodes[0].peer.tick(now_us, &[pressed(0)]).unwrap().reason
    };
    assert_eq!(check(&mut net), Some(FreezeReason::NotStarted));
    net.run_until(|net| net.frame(0) >= 20);
    // The other one falls silent: the window fills up.
    net.nodes[1].is_dead = true;
    let end_us = net.now_us + 1_000_000;
    net.run(end_us);
    assert!(matches!(check(&mut net), Some(FreezeReason::PredictionCeiling { .. })), "{net}");
}
