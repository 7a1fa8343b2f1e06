//! Messages of many packets.

use crate::wire::{Wire, message, number_of};
use snapback_transport::channel::{Channel, SendError};
use snapback_transport::link::{LinkConditioner, LinkPreset, LinkSettings, Loss};

const MEBIBYTE: usize = 1 << 20;

fn link(loss_per_million: u32) -> LinkSettings {
    LinkSettings { delay_us: 30_000, loss: Loss::Independent { per_million: loss_per_million }, ..LinkSettings::default() }
}

/// How long a message of a mebibyte takes, and what it costs in packets.
fn transfer(link: &LinkSettings, seed: u64) -> (u64, u64) {
    let mut wire = Wire::new(link, seed);
    let sent = message(Channel::MatchState, 0, MEBIBYTE);
    wire.ends[0].send(Channel::MatchState, &sent).unwrap();
    let mut arrived_us = None;
    wire.run_until(120_000_000, |wire| {
        while let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
            assert!(channel == Channel::MatchState && bytes == sent);
            assert_eq!(arrived_us.replace(wire.now_us), None);
        }
    });
    assert!(wire.ends[0].is_flushed());
    (arrived_us.unwrap(), wire.packets[0])
}

#[test]
fn a_mebibyte_arrives_whole() {
    for (loss, most_us, most_packets) in
        [(0, 2_000_000, 1_050), (20_000, 3_000_000, 1_150), (100_000, 6_000_000, 1_300), (400_000, 60_000_000, 3_000)]
    {
        for seed in 0..4 {
            let (us, packets) = transfer(&link(loss), seed);
            println!("{loss} ppm lost, seed {seed}: {us} us, {packets} packets");
            assert!(us <= most_us && packets <= most_packets, "{loss} ppm lost, seed {seed}: {us} us, {packets} packets");
        }
    }
}

/// A path of 2 Mbit/s with a deep queue: the window finds its end before the queue hurts the match.
#[test]
fn a_large_message_does_not_fill_the_queue_of_the_path() {
    let narrow = LinkSettings { rate_bits_per_second: Some(2_000_000), queue_bytes: 1 << 20, ..link(0) };
    let mut wire = Wire::new(&narrow, 1);
    let sent = message(Channel::MatchState, 0, MEBIBYTE);
    wire.ends[0].send(Channel::MatchState, &sent).unwrap();
    let (mut chat, mut slowest_us, mut arrived) = (0, 0, false);
    let mut asked_us = 0;
    while !arrived && wire.now_us < 60_000_000 {
        asked_us += 200_000;
        let _ = wire.ends[0].send(Channel::ChatPresence, &message(Channel::ChatPresence, asked_us, 20)).unwrap();
        wire.run_until(asked_us, |wire| {
            while let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
                match channel {
                    Channel::MatchState => arrived = true,
                    _ => {
                        chat += 1;
                        // The first second looks for the end of the path.
                        if wire.now_us > 1_500_000 {
                            slowest_us = slowest_us.max(wire.now_us + 200_000 - number_of(channel, &bytes));
                        }
                    }
                }
            }
        });
    }
    println!("{} us, chat at most {slowest_us} us", wire.now_us);
    // At full rate it takes 4.2 s and a quarter more with every packet's headers and window.
    assert!(arrived && wire.now_us < 8_000_000, "{} us", wire.now_us);
    assert!(chat > 10 && slowest_us < 30_000 + 100_000, "chat waited {slowest_us} us");
}

/// Jitter is not taken for a queue, nor a long way for loss; a queue is left room for the match.
#[test]
fn a_mebibyte_arrives_on_every_kind_of_path() {
    let path =
        |rtt_ms: u64, jitter_ms: u64| LinkSettings { delay_us: rtt_ms * 500, jitter_us: jitter_ms * 1_000, ..LinkSettings::default() };
    for (rtt_ms, jitter_ms, most_ms) in [(60, 10, 1_500), (60, 20, 2_000), (60, 30, 6_000), (300, 0, 5_000), (800, 0, 12_000)] {
        let (us, packets) = transfer(&path(rtt_ms, jitter_ms), 1);
        println!("{rtt_ms} ms, jitter {jitter_ms} ms: {us} us, {packets} packets");
        assert!(us <= most_ms * 1_000 && packets <= 1_050, "{rtt_ms} ms, jitter {jitter_ms} ms: {us} us, {packets} packets");
    }
    for preset in LinkPreset::ALL {
        let mut wire = Wire::new(&preset.forward(), 1);
        wire.links[1] = LinkConditioner::new(preset.reverse(), 1, 1);
        wire.ends[0].send(Channel::MatchState, &message(Channel::MatchState, 0, MEBIBYTE)).unwrap();
        let mut arrived_us = None;
        wire.run_until(30_000_000, |wire| {
            while wire.ends[1].receive(wire.now_us).is_some() {
                arrived_us = Some(wire.now_us);
            }
        });
        let stats = *wire.ends[0].stats().of(Channel::MatchState);
        println!("{preset:?}: {arrived_us:?} us, {} of {} pieces again", stats.pieces_resent, stats.pieces_sent);
        assert!(arrived_us.is_some_and(|us| us < 10_000_000), "{preset:?}: {arrived_us:?}");
        assert!(stats.pieces_resent * 100 <= stats.pieces_sent * 30, "{preset:?}: {stats:?}");
    }
}

/// On a path of 20 Mbit/s that queues for 40 ms, beside messages of a mebibyte one after the other.
#[test]
fn the_viewers_feed_keeps_its_rate_beside_large_messages() {
    let path = LinkSettings { rate_bits_per_second: Some(20_000_000), queue_bytes: 100_000, ..link(0) };
    let mut wire = Wire::new(&path, 1);
    let (mut heard, mut delivered) = (0, 0);
    for n in 0..400 {
        let _ = wire.ends[0].send(Channel::MatchState, &message(Channel::MatchState, n, MEBIBYTE));
        wire.ends[0].send(Channel::Spectator, &message(Channel::Spectator, n, 8_000)).unwrap();
        wire.run_until((n + 1) * 50_000, |wire| {
            while let Some((channel, _)) = wire.ends[1].receive(wire.now_us) {
                *(if channel == Channel::Spectator { &mut heard } else { &mut delivered }) += 1;
            }
        });
    }
    println!("{heard} of 400, beside {delivered} MiB");
    assert!(heard >= 380 && delivered >= 20, "{heard} of 400, beside {delivered} MiB");
}

/// A feed as large as the channel takes, over a long way: nothing but the way delays it.
#[test]
fn the_viewers_feed_needs_no_answers() {
    for (rtt_ms, jitter_ms) in [(20, 0), (60, 40), (150, 0), (150, 40)] {
        let path = LinkSettings { delay_us: rtt_ms * 500, jitter_us: jitter_ms * 1_000, ..LinkSettings::default() };
        let mut wire = Wire::new(&path, 1);
        let mut latencies = Vec::new();
        for n in 0..600 {
            let now_us = wire.now_us;
            wire.ends[0].send(Channel::Spectator, &message(Channel::Spectator, now_us, 32_000)).unwrap();
            wire.run_until((n + 1) * 50_000, |wire| {
                while let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
                    latencies.push(wire.now_us - number_of(channel, &bytes));
                }
            });
        }
        latencies.sort_unstable();
        assert!(latencies.len() >= 595, "{rtt_ms} ms, jitter {jitter_ms} ms: {} of 600", latencies.len());
        let p50_us = latencies[latencies.len() / 2];
        assert!(p50_us <= (rtt_ms / 2 + jitter_ms + 30) * 1_000, "{rtt_ms} ms, jitter {jitter_ms} ms: {p50_us} us");
    }
}

#[test]
fn large_messages_take_turns_and_small_ones_go_before_them() {
    let mut wire = Wire::new(&link(0), 1);
    for channel in [Channel::MatchState, Channel::Telemetry] {
        wire.ends[0].send(channel, &message(channel, 0, MEBIBYTE)).unwrap();
    }
    wire.ends[0].send(Channel::ChatPresence, b"hello").unwrap();
    // The very first packet has it.
    let mut packet = [0; 1_200];
    let len = wire.ends[0].poll_transmit(0, &mut packet).unwrap();
    let mut other = snapback_transport::channel::ChannelConnection::new(snapback_transport::channel::ConnectionSettings::new(1_100));
    other.handle(0, &packet[..len]).unwrap();
    assert_eq!(other.receive(0), Some((Channel::ChatPresence, b"hello".to_vec())));
    wire.links[0].send(0, &packet[..len]);
    let mut arrived_us = Vec::new();
    wire.run_until(10_000_000, |wire| {
        while let Some((channel, _)) = wire.ends[1].receive(wire.now_us) {
            if channel != Channel::ChatPresence {
                arrived_us.push(wire.now_us);
            }
        }
    });
    assert!(arrived_us[1] - arrived_us[0] < arrived_us[0] / 4, "{arrived_us:?}");
}

#[test]
fn larger_ones_are_refused_and_nothing_is_lost() {
    let mut wire = Wire::new(&link(0), 1);
    for (channel, most_bytes) in [
        (Channel::MatchState, MEBIBYTE),
        (Channel::ChatPresence, 4_096),
        (Channel::Spectator, 32_768),
        (Channel::Telemetry, MEBIBYTE),
        (Channel::Lobby, 65_536),
    ] {
        let refused = wire.ends[0].send(channel, &vec![0; most_bytes + 1]);
        assert_eq!(refused, Err(SendError::TooLarge { channel, bytes: most_bytes + 1, most_bytes }));
        assert_eq!(wire.ends[0].send(channel, &message(channel, 0, most_bytes)), Ok(0));
    }
    let refused = wire.ends[0].send(Channel::RollbackInputs, b"");
    assert_eq!(refused, Err(SendError::WrongSocket { channel: Channel::RollbackInputs }));
    let mut arrived = Vec::new();
    wire.run_until(20_000_000, |wire| {
        while let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
            number_of(channel, &bytes);
            arrived.push(channel);
        }
    });
    arrived.sort();
    assert_eq!(arrived, [Channel::MatchState, Channel::ChatPresence, Channel::Spectator, Channel::Telemetry, Channel::Lobby]);
}

#[test]
fn empty_messages_are_messages() {
    let mut wire = Wire::new(&link(100_000), 1);
    for channel in crate::wire::CHANNELS {
        for id in 0..3 {
            assert_eq!(wire.ends[0].send(channel, b""), Ok(id));
        }
    }
    let mut counts = [0; 6];
    wire.run_until(10_000_000, |wire| {
        while let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
            assert!(bytes.is_empty());
            counts[channel.index()] += 1;
        }
    });
    assert_eq!((counts[1], counts[2], counts[4], counts[5]), (3, 3, 3, 3));
    assert!((1..=3).contains(&counts[3]), "viewers: {}", counts[3]);
}
