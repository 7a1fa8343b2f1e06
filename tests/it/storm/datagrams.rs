//! Inputs that do not fit a datagram, and resend floors that differ.

use crate::net::{MINUTE_US, Net};
use crate::node::Shape;

fn floor(resend_input_frames: u32) -> Shape {
    Shape::with(|config| config.resend_input_frames = resend_input_frames)
}

/// A frame of eight players with 64 bytes each is 500 bytes: what is owed needs several datagrams.
#[test]
fn inputs_that_fit_no_datagram_arrive_in_parts() {
    for (here, there) in [(3, 1), (1, 3), (2, 2), (7, 1), (1, 7), (4, 4)] {
        let shapes = [Shape::default().players(here), Shape::default().players(there)];
        Net::new(&shapes, 300, 1).must_agree(MINUTE_US);
    }
}

#[test]
fn inputs_that_fit_no_datagram_arrive_over_a_long_and_lossy_way() {
    for (here, there) in [(3, 1), (7, 1), (4, 4)] {
        let shapes = [Shape::default().players(here), Shape::default().players(there)];
        let mut net = Net::new(&shapes, 300, 1);
        net.weather.delay_us = 40_000;
        net.weather.jitter_us = 20_000;
        net.weather.loss_per_million = 50_000;
        net.must_agree(2 * MINUTE_US);
    }
}

#[test]
fn inputs_that_fit_no_datagram_arrive_with_a_small_window() {
    let shape = Shape::with_window(4).players(4);
    Net::new(&[shape; 2], 300, 1).must_agree(MINUTE_US);
}

/// The floor is a wish: 60 frames of 64 bytes fit no datagram, and what is owed goes first.
#[test]
fn a_floor_that_fits_no_datagram_keeps_nobody_waiting() {
    let mut net = Net::new(&[floor(60); 2], 300, 1);
    net.must_agree(MINUTE_US);
    for node in &net.nodes {
        let stats = node.peer.session().unwrap().stats();
        assert!(stats.stalled_frames < 30, "{stats:?}");
    }
}

/// Floors are local: a peer sends by its own and takes any other.
#[test]
fn peers_need_not_have_the_same_floor() {
    for (here, there) in [(60, 8), (8, 60), (0, 60), (60, 0)] {
        let mut net = Net::new(&[floor(here), floor(there)], 300, 1);
        net.noisy_bytes = 1;
        net.must_agree(MINUTE_US);
    }
}
