//! What a packet of inputs costs from end to end: encode, encrypt, decrypt, decode.

use super::counting::allocations;
use super::library::Bare;
use super::playing::{PERIOD_FRAMES, Playing};
use super::{beside, figure, timed};
use snapback_transport::secure::Certificate;
use std::hint::black_box;

/// Frames in one sample: few, so that what else the machine does falls beside most of them, or on
/// both sides of one.
const SAMPLE_FRAMES: usize = 32;

const _: () = assert!(PERIOD_FRAMES.is_multiple_of(SAMPLE_FRAMES), "the library follows the same inputs");

/// Packets in one sample: both ends send one each frame.
const PACKETS: f64 = (2 * SAMPLE_FRAMES) as f64;

/// Frames before anything is measured: the windows are full, the library's buffers have their sizes.
const WARM_UP_PERIODS: usize = 8;

pub(crate) fn measure(rounds: usize) {
    let certificates = [Certificate::generate().unwrap(), Certificate::generate().unwrap()];
    let mut ours = Playing::new(&certificates);
    let mut library = Bare::new(certificates.each_ref()).connect();
    for _ in 0..WARM_UP_PERIODS * PERIOD_FRAMES {
        ours.frame();
    }
    // The same bytes for the library. They repeat with the inputs, but for their counters.
    let recorded: Vec<[Vec<u8>; 2]> = (0..PERIOD_FRAMES)
        .map(|_| {
            let (lens, _) = ours.frame();
            ours.packets(lens).map(<[u8]>::to_vec)
        })
        .collect();
    let bytes: usize = recorded.iter().flatten().map(Vec::len).sum();
    eprintln!("packets of {:.1} bytes before they are sealed", bytes as f64 / (2 * PERIOD_FRAMES) as f64);

    let mut samples = recorded.chunks_exact(SAMPLE_FRAMES).cycle();
    let mut by_library = |sample: &[[Vec<u8>; 2]]| {
        for packets in sample {
            let opened = library.exchange(packets.each_ref().map(Vec::as_slice));
            assert_eq!(opened, packets[0].len() + packets[1].len());
        }
    };
    let mut by_us = || {
        for _ in 0..SAMPLE_FRAMES {
            black_box(ours.frame());
        }
    };
    for _ in 0..WARM_UP_PERIODS {
        by_library(&recorded);
    }
    // The library has a sample before and one after ours, of the same frames.
    let mut sample = recorded.as_slice();
    let mut is_before = false;
    let yardstick = || {
        is_before = !is_before;
        if is_before {
            sample = samples.next().unwrap();
        }
        timed(|| by_library(sample)) / PACKETS
    };
    let measured = beside(16 * rounds, yardstick, || timed(&mut by_us) / PACKETS);
    figure("packet_cpu_ns", measured.ours, "ns");
    figure("packet_cpu_ns_dtls_alone", measured.yardstick, "ns");
    figure("packet_cpu_ratio_vs_dtls_alone", measured.ratio, "ratio");

    let library = allocations(|| by_library(&recorded[..SAMPLE_FRAMES])) as f64 / PACKETS;
    let total = allocations(&mut by_us) as f64 / PACKETS;
    figure("packet_allocs_own", total - library, "allocations");
    figure("packet_allocs_library", library, "allocations");
    assert_eq!(ours.received(), [ours.sent(); 2], "not every packet arrived");
}
