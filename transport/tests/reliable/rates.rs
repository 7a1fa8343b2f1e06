//! The rate of every channel is kept, and none waits for another.

use crate::wire::{CHANNELS, Wire, message, number_of};
use snapback_transport::channel::{Channel, SendError, Topology};
use snapback_transport::link::{LinkSettings, Loss};

fn clean() -> LinkSettings {
    LinkSettings { delay_us: 30_000, ..LinkSettings::default() }
}

/// Every queue is kept full for a minute; who counts in any second finds no more than the table says, and
/// over the minute no less.
#[test]
fn every_channel_keeps_its_rate_and_uses_it() {
    let mut wire = Wire::new(&clean(), 1);
    let mut sent = [0; 6];
    let mut arrived_us: [Vec<u64>; 6] = Default::default();
    while wire.now_us < 60_000_000 {
        for channel in CHANNELS {
            while wire.ends[0].stats().of(channel).waiting_messages < 3
                && wire.ends[0].send(channel, &message(channel, sent[channel.index()] as u64, 20)).is_ok()
            {
                sent[channel.index()] += 1;
            }
        }
        let until_us = wire.now_us + 5_000;
        wire.run_until(until_us, |wire| {
            while let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
                number_of(channel, &bytes);
                arrived_us[channel.index()].push(wire.now_us);
            }
        });
    }
    for channel in CHANNELS {
        let max_hz = usize::from(Topology::default().spec(channel).max_hz);
        let times = &arrived_us[channel.index()];
        for (at, from_us) in times.iter().enumerate() {
            let in_second = times[at..].iter().take_while(|us| **us < from_us + 1_000_000).count();
            assert!(in_second <= max_hz, "{channel}: {in_second} in a second");
        }
        assert!(times.len() >= 59 * max_hz, "{channel}: {} in a minute", times.len());
    }
}

#[test]
fn a_burst_of_a_seconds_worth_goes_at_once() {
    let mut wire = Wire::new(&clean(), 1);
    for number in 0..20 {
        wire.ends[0].send(Channel::Lobby, &message(Channel::Lobby, number, 20)).unwrap();
    }
    let mut arrived_us = Vec::new();
    wire.run_until(3_000_000, |wire| {
        while wire.ends[1].receive(wire.now_us).is_some() {
            arrived_us.push(wire.now_us);
        }
    });
    assert_eq!(arrived_us.len(), 20);
    assert!(arrived_us[..15].iter().all(|us| *us == 30_000), "{arrived_us:?}");
    assert!(arrived_us[15..].iter().all(|us| *us == 1_030_000), "{arrived_us:?}");
}

/// Latencies in microseconds, sorted, of 15 messages a second on the lobby for a minute.
fn latencies(link: &LinkSettings, seed: u64, is_two_way: bool) -> Vec<u64> {
    let mut wire = Wire::new(link, seed);
    let mut latencies = Vec::new();
    for number in 0..900 {
        let now_us = wire.now_us;
        for end in 0..if is_two_way { 2 } else { 1 } {
            wire.ends[end].send(Channel::Lobby, &message(Channel::Lobby, now_us, 40)).unwrap();
        }
        wire.run_until((number + 1) * 1_000_000 / 15 + 10, |wire| {
            for end in 0..2 {
                while let Some((channel, bytes)) = wire.ends[end].receive(wire.now_us) {
                    latencies.push(wire.now_us - number_of(channel, &bytes));
                }
            }
        });
    }
    wire.run_until(wire.now_us + 5_000_000, |wire| {
        for end in 0..2 {
            while let Some((channel, bytes)) = wire.ends[end].receive(wire.now_us) {
                latencies.push(wire.now_us - number_of(channel, &bytes));
            }
        }
    });
    assert_eq!(latencies.len(), if is_two_way { 1_800 } else { 900 });
    latencies.sort_unstable();
    latencies
}

#[test]
fn at_a_tenth_lost_everything_arrives_and_99_of_100_within_200_ms() {
    for is_two_way in [true, false] {
        let lossy = LinkSettings { loss: Loss::Independent { per_million: 100_000 }, ..clean() };
        let mut all: Vec<u64> = (0..10).flat_map(|seed| latencies(&lossy, seed, is_two_way)).collect();
        all.sort_unstable();
        let (p50, p99, most) = (all[all.len() / 2], all[all.len() * 99 / 100], all[all.len() - 1]);
        println!("two way {is_two_way}: p50 {p50} us, p99 {p99} us, most {most} us");
        // One that is sent again is sent twice, so that hardly any waits for a third time.
        assert!(p50 < 60_000 && p99 <= 130_000, "two way {is_two_way}: p50 {p50} us, p99 {p99} us, most {most} us");
    }
}

#[test]
fn a_full_queue_says_so_and_an_over_full_one_takes_nothing() {
    let mut wire = Wire::new(&clean(), 1);
    for channel in CHANNELS.into_iter().filter(|channel| *channel != Channel::Spectator) {
        let mut taken = 0;
        let refused = loop {
            match wire.ends[0].send(channel, &message(channel, taken, 1_000)) {
                Ok(id) => assert_eq!(id, taken),
                Err(error) => break error,
            }
            taken += 1;
        };
        let room_bytes = wire.ends[0].room_bytes(channel);
        assert_eq!(refused, SendError::Full { channel, bytes: 1_000, room_bytes });
        assert!(room_bytes < 1_000 && wire.ends[0].sent(channel) == taken);
        // A message that fits is still taken.
        if room_bytes >= 9 {
            wire.ends[0].send(channel, &message(channel, taken, room_bytes)).unwrap();
        }
    }
}
