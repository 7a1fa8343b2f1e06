//! What a handshake costs, from the first knock until both ends say that they are connected.
//!
//! The certificates are there before, on both sides, and so are the sockets, which last for a match.

use super::library::Bare;
use super::playing::Sockets;
use super::{beside, figure, timed};
use snapback_transport::secure::Certificate;
use std::hint::black_box;

pub(crate) fn measure(rounds: usize) {
    let certificates = [Certificate::generate().unwrap(), Certificate::generate().unwrap()];
    let bare = Bare::new(certificates.each_ref());
    let by_library = || timed(|| drop(black_box(bare.connect())));
    let by_us = || {
        let mut sockets = Sockets::new(&certificates);
        let ns = timed(|| sockets.connect());
        black_box(sockets.ends);
        ns
    };
    let measured = beside(rounds, by_library, by_us);
    figure("handshake_us", measured.ours / 1_000.0, "us");
    figure("handshake_us_dtls_alone", measured.yardstick / 1_000.0, "us");
    figure("handshake_ratio_vs_dtls_alone", measured.ratio, "ratio");
}
