//! Every kind of window with every kind of delay and floor.

use crate::net::{MINUTE_US, Net};
use crate::node::Shape;

/// None, the least, the usual, the most.
const WINDOWS: [u32; 4] = [0, 1, 8, 30];
const DELAYS: [u8; 4] = [0, 1, 10, 30];
/// Of the host and of the joiner.
const FLOORS: [(u32, u32); 3] = [(0, 20), (20, 60), (60, 0)];

fn shapes(floor: u32) -> impl Iterator<Item = Shape> {
    let all = WINDOWS.into_iter().flat_map(|window| DELAYS.map(|delay| (window, delay)));
    let playable = all.filter(|(window, delay)| *window > 0 || *delay > 0);
    playable.map(move |(window, delay)| {
        let mut shape = Shape::with_window(window).delayed(delay);
        shape.config.resend_input_frames = floor;
        shape
    })
}

/// Over a network with a round trip of 90 ms and 5 % loss.
#[test]
fn every_window_plays_with_every_delay_and_floor() {
    let mut failures = Vec::new();
    for (host_floor, joiner_floor) in FLOORS {
        for host in shapes(host_floor) {
            for joiner in shapes(joiner_floor) {
                let mut net = Net::new(&[host, joiner], 120, 3);
                net.noisy_bytes = 1;
                net.weather.loss_per_million = 50_000;
                net.weather.delay_us = 30_000;
                net.weather.jitter_us = 30_000;
                let is_over = net.run(2 * MINUTE_US);
                let all_agree = net.nodes.iter().all(|node| node.peer.outcome() == Some(&snapback::Outcome::Agreed));
                if !is_over || !all_agree || net.spins > 0 {
                    failures.push(format!("{host:?}\n{joiner:?}\n{net}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} pairs fail; the first:\n{}", failures.len(), failures[0]);
}
