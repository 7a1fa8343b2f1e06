//! Random storms: any shapes over any network, and anybody goes at any moment.

use crate::net::Net;
use crate::node::Shape;
use crate::seeds::{blames, name, play_seeds};
use snapback::transport::packet::RefusalReason;
use snapback::{Outcome, PeerPhase, Rng};

/// Up to 70 % loss, half of the rest doubled, round trips up to 400 ms, every window, delay and small
/// floor. The match ends, and nobody blames anybody.
#[test]
fn any_shapes_over_any_network_end_without_blame() {
    let tally = play_seeds("any_shapes_over_any_network_end_without_blame", 300, |seed, tally| {
        let mut rng = Rng::new(seed, 99);
        let shapes: Vec<Shape> = (0..2 + rng.below(3)).map(|_| any_shape(&mut rng)).collect();
        let mut net = Net::new(&shapes, i64::from(rng.below(60)), seed);
        net.noisy_bytes = rng.below(3) as usize;
        net.weather.loss_per_million = rng.below(700_000);
        net.weather.doubled_per_million = rng.below(500_000);
        net.weather.delay_us = u64::from(rng.below(50_000));
        net.weather.jitter_us = rng.below(150_000);
        let is_over = net.run(300_000_000);
        for node in &net.nodes {
            *tally.entry(name(node.peer.outcome())).or_default() += 1;
        }
        let is_blamed = net.nodes.iter().any(|node| blames(node.peer.outcome()));
        let is_good = is_over && net.spins == 0 && !is_blamed;
        if is_good { Ok(()) } else { Err(format!("{:?}\n{shapes:?}\n{net}", net.weather)) }
    });
    if let Some(tally) = tally {
        let peers: u32 = tally.values().sum();
        assert!(tally.get("agreed").copied().unwrap_or(0) > peers / 2, "too few matches were played to their end: {tally:?}");
    }
}

fn any_shape(rng: &mut Rng) -> Shape {
    let (window_frames, delay_frames) = (rng.below(31), rng.below(31));
    let mut shape = Shape::with_window(window_frames).delayed(delay_frames as u8);
    shape.config.snapshot_history_frames = 32;
    shape.config.resend_input_frames = rng.below(21);
    // Neither a window nor a delay is refused.
    if window_frames == 0 { shape.delayed(shape.input_delay_frames.max(1)) } else { shape }
}

/// Somebody leaves or crashes at any moment of a match. Whoever is left comes to an end or, as a host
/// whose match has not begun, waits for the next one; nobody blames anybody, and nobody who was in
/// the match is told that it has started without them.
#[test]
fn anybody_may_go_at_any_moment() {
    let tally = play_seeds("anybody_may_go_at_any_moment", 300, |seed, tally| {
        let mut rng = Rng::new(seed, 98);
        let count = 2 + rng.below(3);
        let shapes: Vec<Shape> = (0..count).map(|_| Shape::default().delayed(rng.below(6) as u8)).collect();
        let mut net = Net::new(&shapes, 40, seed);
        net.noisy_bytes = 1;
        net.weather.loss_per_million = rng.below(400_000);
        net.weather.delay_us = 10_000;
        net.weather.jitter_us = rng.below(60_000);
        let (when_us, who, is_crash) = (u64::from(rng.below(2_000_000)), rng.below(count) as usize, rng.chance(500_000));
        net.run(when_us);
        if is_crash {
            net.nodes[who].is_dead = true;
        } else {
            let now_us = net.now_us;
            net.nodes[who].peer.leave(now_us);
        }
        net.run(40_000_000);

        let living = || net.nodes.iter().filter(|node| !node.is_dead);
        for node in living() {
            *tally.entry(name(node.peer.outcome())).or_default() += 1;
        }
        let host_waits = !net.nodes[0].is_dead && net.phase(0) == PeerPhase::Gathering;
        let is_stuck = !living().all(|node| node.is_over() || host_waits && node.peer.phase() == PeerPhase::Gathering);
        let is_misled = living().any(|node| node.peer.outcome() == Some(&Outcome::Refused(RefusalReason::Started)));
        let is_blamed = living().any(|node| blames(node.peer.outcome()));
        let is_good = !is_stuck && !is_misled && !is_blamed && net.spins == 0;
        let how = if is_crash { "crashes" } else { "leaves" };
        if is_good { Ok(()) } else { Err(format!("peer {who} {how} at {when_us} us, {:?}\n{net}", net.weather)) }
    });
    if let Some(tally) = tally {
        for often in ["agreed", "quit", "lost", "abandoned", "none"] {
            assert!(tally.get(often).is_some_and(|count| *count >= 5), "{often} hardly ever happened: {tally:?}");
        }
    }
}
