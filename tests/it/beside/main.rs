//! The channels beside the rollback socket: real sockets on loopback, encrypted, with a clock of the
//! test's own. Neither socket notices what happens to the other.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod pair;

use pair::{POLLS_PER_TICK, Pair, Sock};
use snapback::Rng;
use snapback::transport::channel::{Channel, Topology};
use snapback::transport::udp::UdpEndpoint;

const SECOND_US: u64 = 1_000_000;
const PAIRS: [Channel; 2] = [Channel::Lobby, Channel::ChatPresence];

fn max_hz(channel: Channel) -> usize {
    Topology::default().spec(channel).max_hz.into()
}

/// How many messages of a channel `to` received in a span.
fn received(pair: &Pair, to: usize, channel: Channel, span: core::ops::Range<u64>) -> usize {
    pair.received[to].iter().filter(|(of, at_us)| *of == channel && span.contains(at_us)).count()
}

/// In each whole second of a span the lobby and the chat have their rate, in both directions.
fn rates_are_kept(pair: &Pair, span: core::ops::Range<u64>, when: &str) {
    for to in 0..2 {
        for channel in PAIRS {
            for from_us in span.clone().step_by(SECOND_US as usize) {
                let count = received(pair, to, channel, from_us..from_us + SECOND_US);
                assert_eq!(count, max_hz(channel), "{when}: {channel} to {to} in the second from {from_us} us");
            }
        }
    }
}

#[test]
fn real_lobby_and_chat_keep_their_rates_while_the_rollback_socket_is_dark() {
    let mut pair = Pair::new(1_200);
    pair.talks = true;
    pair.run_until_playing();
    let lit_us = pair.now_us + 2 * SECOND_US;
    pair.run(2 * SECOND_US);
    rates_are_kept(&pair, lit_us - SECOND_US..lit_us, "before");
    pair.is_dark[Sock::Rollback as usize] = true;
    let frozen = pair.frozen_ticks();
    let dark_us = pair.now_us;
    pair.run(4 * SECOND_US);
    rates_are_kept(&pair, dark_us..dark_us + 4 * SECOND_US, "in the dark");
    let frozen_in_the_dark = pair.frozen_ticks() - frozen;
    assert!(frozen_in_the_dark > 2 * 200, "the match went on in the dark: {frozen_in_the_dark} frozen ticks");
    pair.is_dark[Sock::Rollback as usize] = false;
    pair.must_agree();
    pair.all_arrived();
}

#[test]
fn real_the_match_goes_on_while_the_channels_are_dark() {
    let mut pair = Pair::new(900);
    pair.talks = true;
    pair.run_until_playing();
    pair.run(2 * SECOND_US);
    pair.is_dark[Sock::Channels as usize] = true;
    let (frozen, played, dark_us) = (pair.frozen_ticks(), pair.ticks(), pair.now_us);
    pair.run(4 * SECOND_US);
    assert_eq!(pair.frozen_ticks(), frozen);
    assert_eq!(pair.ticks() - played, 2 * 240);
    for to in 0..2 {
        assert_eq!(received(&pair, to, Channel::Lobby, dark_us + SECOND_US / 10..pair.now_us), 0, "it was not dark");
    }
    pair.is_dark[Sock::Channels as usize] = false;
    let light_us = pair.now_us;
    pair.run(3 * SECOND_US);
    rates_are_kept(&pair, light_us + 2 * SECOND_US..light_us + 3 * SECOND_US, "after the dark");
    pair.must_agree();
    pair.all_arrived();
}

/// 50,000 datagrams of junk a second to one socket, some of them from the other player's address: no tick
/// of the match freezes, and every channel keeps its rate.
#[test]
fn real_a_flood_on_either_socket_delays_nothing() {
    for flooded in [Sock::Rollback, Sock::Channels] {
        let mut pair = Pair::new(600);
        pair.talks = true;
        pair.run_until_playing();
        pair.run(SECOND_US);
        let mut stranger = UdpEndpoint::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let mut rng = Rng::new(1, flooded as u64);
        let home = pair.address(0, flooded);
        let (frozen, from_us, ticks) = (pair.frozen_ticks(), pair.now_us, pair.ticks());
        let mut sent = 0u64;
        while pair.now_us < from_us + 4 * SECOND_US {
            for _ in 0..50_000 / (60 * POLLS_PER_TICK) {
                let junk = junk(&mut rng);
                sent += if rng.chance(200_000) {
                    u64::from(pair.send_as(1, flooded, home, &junk))
                } else {
                    u64::from(stranger.send(home, &junk).is_ok())
                };
            }
            pair.turn();
        }
        let counters = pair.counters(0, flooded);
        println!("{flooded:?}: {sent} of junk, {} datagrams came in, {} polls capped", counters.packets_received, counters.polls_capped);
        assert!(sent > 190_000, "{sent}");
        assert!(counters.packets_received > 100_000, "no flood came in");
        assert_eq!(pair.frozen_ticks(), frozen, "{flooded:?} is flooded");
        assert_eq!(pair.ticks() - ticks, 2 * 240, "{flooded:?} is flooded");
        rates_are_kept(&pair, from_us + SECOND_US..from_us + 3 * SECOND_US, "in the flood");
        pair.must_agree();
        pair.all_arrived();
    }
}

fn junk(rng: &mut Rng) -> Vec<u8> {
    let mut junk: Vec<u8> = (0..1 + rng.below(120)).map(|_| rng.next_u32() as u8).collect();
    match rng.below(5) {
        // Sealed by the look of it.
        0 if junk.len() > 30 => (junk[0], junk[3], junk[4]) = (0x2F, 0, (junk.len() - 5) as u8),
        1 => junk[0] = 22,
        2 => junk[0] = 10,
        3 => junk[0] = 7,
        _ => {}
    }
    junk
}
