//! What a match costs on the wire, as far as it can be told without a clock.

use snapback_peers::ours::OurMatch;
use snapback_peers::over_sockets::SocketMatch;
use snapback_peers::pad::{holding, restless};
use snapback_peers::security::{encrypted, plaintext};
use snapback_peers::theirs::{Polling, TheirMatch};
use snapback_peers::tick_us;
use snapback_peers::wire::WireCount;

const TICKS: u64 = 1_000;

/// What a frame of a peer may take on the wire, with the headers of IPv4, UDP and DTLS 1.3.
const BYTES_PER_FRAME: u64 = 70;

/// Every so many frames a check goes out too.
const CHECK_FRAMES: u64 = 30;

/// One packet each, and a check each where it is due.
fn is_one_each(sent: [u64; 2], checks: &mut u64) -> bool {
    *checks += u64::from(sent == [2, 2]);
    sent == [1, 1] || sent == [2, 2]
}

#[test]
fn one_packet_goes_out_for_each_frame_and_a_check_for_every_thirtieth() {
    for (one_way_us, pad) in [(30_000, holding as snapback_peers::pad::Pad), (tick_us(5), restless)] {
        let mut ours = OurMatch::start(one_way_us, pad);
        for _ in 0..300 {
            ours.tick();
        }
        let mut checks = 0;
        for n in 0..TICKS {
            ours.link().reset_counts();
            ours.tick();
            let sent = ours.link().sent().map(|sent| sent.packets);
            assert!(is_one_each(sent, &mut checks), "tick {n}: {sent:?}");
        }
        assert!((TICKS / CHECK_FRAMES..=TICKS / CHECK_FRAMES + 1).contains(&checks), "{checks} checks");
    }
}

/// Over real sockets, as a proxy between them sees it.
#[test]
fn an_encrypted_frame_is_one_packet_within_its_bytes() {
    let mut ours = SocketMatch::start(encrypted(), 30_000, holding);
    for _ in 0..300 {
        ours.tick();
    }
    let (mut bytes, mut checks) = (0, 0);
    for n in 0..TICKS {
        ours.proxy_mut().reset_counts();
        ours.tick();
        let sent = ours.proxy_mut().sent();
        assert!(is_one_each(sent.map(|sent| sent.packets), &mut checks), "tick {n}: {sent:?}");
        bytes += WireCount::sum(sent).bytes;
    }
    let frames = 2 * TICKS;
    assert!(bytes <= BYTES_PER_FRAME * frames, "{bytes} bytes in {frames} frames");
}

/// The proxy counts what a link in memory counts.
#[test]
fn a_socket_carries_what_a_link_does() {
    let mut in_memory = OurMatch::start(30_000, holding);
    let mut over_sockets = SocketMatch::start(plaintext(), 30_000, holding);
    for _ in 0..300 {
        in_memory.tick();
        over_sockets.tick();
    }
    in_memory.link().reset_counts();
    over_sockets.proxy_mut().reset_counts();
    for _ in 0..TICKS {
        in_memory.tick();
        over_sockets.tick();
    }
    assert_eq!(over_sockets.proxy_mut().sent(), in_memory.link().sent());
}

#[test]
fn the_same_match_is_smaller_than_with_ggrs() {
    let mut ours = OurMatch::start_encrypted(30_000, holding);
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
