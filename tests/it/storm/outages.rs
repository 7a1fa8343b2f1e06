//! Silence that is shorter than the timeout ends no match, and no clock breaks one.

use crate::net::{MINUTE_US, Net};
use crate::node::Shape;
use crate::seeds::{blames, play_seeds};
use snapback::{Outcome, PeerPhase, Rng};

/// The sequence must not run away from what the other side has heard.
#[test]
fn six_silent_seconds_at_240_hz_end_no_match() {
    let mut net = Net::new(&[Shape::with(|config| config.simulation_hz = 240); 2], 3_000, 1);
    net.noisy_bytes = 1;
    net.set_filter(|passing| !(2_000_000..8_000_000).contains(&passing.now_us));
    net.must_agree(MINUTE_US);
}

#[test]
fn twenty_silent_seconds_end_no_match_with_a_timeout_of_a_minute() {
    let mut net = Net::new(&[Shape::with(|config| config.disconnect_timeout_ms = 60_000); 2], 1_000, 1);
    net.noisy_bytes = 1;
    net.set_filter(|passing| !(2_000_000..22_000_000).contains(&passing.now_us));
    net.must_agree(3 * MINUTE_US);
}

/// One direction is dead: what arrives is acknowledged to nobody.
#[test]
fn six_seconds_in_which_only_one_side_is_heard_end_no_match() {
    for deaf in [0, 1] {
        let mut net = Net::new(&[Shape::with(|config| config.simulation_hz = 240); 2], 3_000, 1);
        net.noisy_bytes = 1;
        net.set_filter(move |passing| passing.to != deaf || !(2_000_000..8_000_000).contains(&passing.now_us));
        net.must_agree(MINUTE_US);
    }
}

/// Both programs are suspended at any moment. Less than the timeout is forgiven; more may end the
/// match, but as a lost connection, and the host may wait for a joiner anew.
#[test]
fn a_clock_that_jumps_loses_at_most_the_connection() {
    play_seeds("a_clock_that_jumps_loses_at_most_the_connection", 100, |seed, _| {
        let mut rng = Rng::new(seed, 4);
        let mut net = Net::new(&[Shape::default(); 2], 100, seed);
        net.noisy_bytes = 1;
        net.weather.loss_per_million = 100_000;
        let at_us = u64::from(rng.below(3_000_000));
        net.run(at_us);
        let jump_us = 1_000_000 + u64::from(rng.below(59_000_000));
        net.now_us += jump_us;
        net.run(net.now_us + 2 * MINUTE_US);
        let host_waits = net.phase(0) == PeerPhase::Gathering;
        let may_end_so = |index: usize| match net.nodes[index].peer.outcome() {
            Some(Outcome::Agreed | Outcome::Unverified { .. }) => true,
            Some(Outcome::Lost { .. }) => jump_us > 9_000_000,
            None => index == 0 && host_waits && jump_us > 9_000_000,
            _ => false,
        };
        let is_good = (0..2).all(may_end_so) && net.spins == 0;
        let blamed = net.nodes.iter().any(|node| blames(node.peer.outcome()));
        if is_good && !blamed { Ok(()) } else { Err(format!("a jump of {jump_us} us at {at_us} us\n{net}")) }
    });
}
