//! Everything that a link can do to packets.

use crate::wire::{CHANNELS, PACKET_BYTES, Wire, message, number_of};
use snapback_core::Rng;
use snapback_transport::channel::{Channel, ConnectionSettings};
use snapback_transport::link::{LinkSettings, Loss, Outage};

/// What arrived at one end, by channel: how many in order, and the newest unreliable one.
#[derive(Default, Clone)]
struct Arrived {
    counts: [u64; 6],
    newest_spectator: Option<u64>,
}

impl Arrived {
    fn take(&mut self, channel: Channel, bytes: &[u8], what: &str) {
        let number = number_of(channel, bytes);
        let count = &mut self.counts[channel.index()];
        if channel == Channel::Spectator {
            assert!(self.newest_spectator.is_none_or(|newest| number > newest), "{what}: viewer message {number} is late or double");
            self.newest_spectator = Some(number);
        } else {
            assert_eq!(number, *count, "{what}: {channel} is out of order");
        }
        *count += 1;
    }
}

/// Both ends send messages of all sizes at random on every channel for `seconds`; then the link is left
/// alone until nothing waits any more. Everything reliable arrived.
fn soak(settings: &ConnectionSettings, link: &LinkSettings, seed: u64, seconds: u64, what: &str) -> Wire {
    let what = format!("{what}, seed {seed} (cargo test -p snapback-transport --features channels --test reliable faults)");
    let mut wire = Wire::of(settings, link, seed);
    let mut rng = Rng::new(seed, 9);
    let mut sent = [[0u64; 6]; 2];
    let mut arrived = [Arrived::default(), Arrived::default()];
    let mut look = |wire: &mut Wire| {
        let now_us = wire.now_us;
        for (end, arrived) in wire.ends.iter_mut().zip(&mut arrived) {
            while let Some((channel, bytes)) = end.receive(now_us) {
                arrived.take(channel, &bytes, &what);
            }
        }
    };
    while wire.now_us < seconds * 1_000_000 {
        for (end, sent) in wire.ends.iter_mut().zip(&mut sent) {
            let channel = CHANNELS[rng.below(5) as usize];
            let len = match rng.below(20) {
                0 => rng.below(20_000) as usize,
                1..=4 => rng.below(3_000) as usize,
                _ => rng.below(60) as usize,
            };
            let bytes = message(channel, sent[channel.index()], len);
            if rng.below(3) == 0 && end.send(channel, &bytes).is_ok() {
                sent[channel.index()] += 1;
            }
        }
        let until_us = wire.now_us + u64::from(rng.below(60_000));
        wire.run_until(until_us, &mut look);
    }
    let until_us = wire.now_us + 300_000_000;
    while wire.now_us < until_us && !wire.ends.iter().all(|end| end.is_flushed()) {
        let until_us = wire.now_us + 1_000_000;
        wire.run_until(until_us, &mut look);
    }
    for end in 0..2 {
        assert_eq!(wire.ends[end].violation(), None, "{what}");
        for channel in CHANNELS.into_iter().filter(|channel| *channel != Channel::Spectator) {
            let sent = sent[end][channel.index()];
            assert_eq!(arrived[1 - end].counts[channel.index()], sent, "{what}: {channel} of end {end}");
            assert_eq!(wire.ends[end].delivered(channel), sent, "{what}: {channel} of end {end}");
            assert_eq!(wire.ends[end].sent(channel), sent);
        }
    }
    assert_eq!(wire.rejects, 0, "{what}: an honest packet was refused");
    wire
}

fn settings() -> ConnectionSettings {
    ConnectionSettings::new(PACKET_BYTES)
}

fn link() -> LinkSettings {
    LinkSettings { delay_us: 30_000, ..LinkSettings::default() }
}

#[test]
fn a_clean_link_repeats_nothing() {
    let wire = soak(&settings(), &link(), 1, 30, "clean");
    for end in &wire.ends {
        let stats = end.stats();
        assert_eq!(stats.channels.iter().map(|channel| channel.pieces_resent).sum::<u64>(), 0);
        let rtt_us = stats.rtt_us.unwrap();
        assert!((60_000..61_000).contains(&rtt_us), "{rtt_us}");
    }
}

#[test]
fn loss_reordering_doubles_and_jitter() {
    for seed in 0..12 {
        for loss in [20_000, 100_000, 400_000] {
            let link = LinkSettings {
                jitter_us: 10_000,
                loss: Loss::Independent { per_million: loss },
                reorder_per_million: 50_000,
                duplicate_per_million: 50_000,
                ..link()
            };
            soak(&settings(), &link, seed, 20, &format!("{loss} ppm lost"));
        }
    }
}

#[test]
fn bursts_a_narrow_path_and_outages() {
    for seed in 0..6 {
        let bursts = LinkSettings { loss: Loss::bursts(100_000, 4), ..link() };
        soak(&settings(), &bursts, seed, 20, "bursts");
        let narrow = LinkSettings { rate_bits_per_second: Some(1_000_000), queue_bytes: 30_000, ..link() };
        soak(&settings(), &narrow, seed, 20, "a narrow path");
        let outages = LinkSettings { outage: Some(Outage { every_us: 5_000_000, lasts_us: 2_000_000 }), ..link() };
        soak(&settings(), &outages, seed, 20, "outages");
    }
}

#[test]
fn every_short_number_wraps() {
    for (seed, first_number) in (0..).zip([65_500, (1 << 32) - 40, (1 << 31) - 40, u64::from(u32::MAX) + 65_500]) {
        let settings = ConnectionSettings { first_number, ..settings() };
        let link = LinkSettings { loss: Loss::Independent { per_million: 100_000 }, reorder_per_million: 100_000, ..link() };
        soak(&settings, &link, seed, 60, &format!("from {first_number}"));
    }
}

#[test]
fn numbers_that_begin_at_the_end_begin_before_it() {
    let settings = ConnectionSettings { first_number: u64::MAX, ..settings() };
    soak(&settings, &link(), 1, 5, "from the largest number");
}

/// On a path longer than any timer waits, hardly anything is sent twice.
#[test]
fn a_long_way_is_not_taken_for_loss() {
    for rtt_ms in [300, 600, 1_000, 2_000] {
        let mut wire = Wire::new(&LinkSettings { delay_us: rtt_ms * 500, ..LinkSettings::default() }, 1);
        let mut arrived = Arrived::default();
        for number in 0..450 {
            wire.ends[0].send(Channel::Lobby, &message(Channel::Lobby, number, 20)).unwrap();
            wire.run_until((number + 1) * 66_667, |wire| {
                while let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
                    arrived.take(channel, &bytes, "a long way");
                }
            });
        }
        let resent = wire.ends[0].stats().of(Channel::Lobby).pieces_resent;
        assert!(resent <= 45, "{rtt_ms} ms: {resent} of 450 sent again");
    }
}

/// Nothing but acknowledgements is lost, or nothing but messages.
#[test]
fn one_direction_is_worse() {
    for worse in 0..2 {
        for seed in 0..6 {
            let mut wire = Wire::new(&link(), seed);
            let bad = LinkSettings { loss: Loss::Independent { per_million: 700_000 }, ..link() };
            wire.links[worse] = snapback_transport::link::LinkConditioner::new(bad, seed, worse as u64);
            for number in 0..100 {
                wire.ends[0].send(Channel::Lobby, &message(Channel::Lobby, number, 30)).unwrap();
            }
            let mut arrived = Arrived::default();
            wire.run_until(60_000_000, |wire| {
                while let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
                    arrived.take(channel, &bytes, "one direction is worse");
                }
            });
            assert_eq!(arrived.counts[Channel::Lobby.index()], 100, "seed {seed}, direction {worse}");
            assert!(wire.ends[0].is_flushed());
        }
    }
}

/// After a blackout of any length everything goes on at once, and during it hardly anything is sent.
#[test]
fn a_blackout_costs_little_and_ends_at_once() {
    for seconds in [1, 10, 600] {
        let mut wire = Wire::new(&link(), seconds);
        let mut arrived = Arrived::default();
        let send = |wire: &mut Wire, number| {
            let _ = wire.ends[0].send(Channel::Lobby, &message(Channel::Lobby, number, 30)).unwrap();
        };
        send(&mut wire, 0);
        wire.run_until(1_000_000, |_| {});
        let dark = LinkSettings { loss: Loss::Independent { per_million: 1_000_000 }, ..link() };
        wire.relink(&dark, 1);
        let before = wire.packets[0];
        for number in 1..300 {
            send(&mut wire, number);
        }
        let until_us = wire.now_us + seconds * 1_000_000;
        wire.run_until(until_us, |_| {});
        let sent = wire.packets[0] - before;
        assert!(sent <= 200 + 5 * seconds, "{sent} packets in a blackout of {seconds} s");
        let begun = wire.ends[0].stats().of(Channel::Lobby).pieces_sent - 1;
        assert!(begun <= 64, "{begun} messages were begun in the dark");
        wire.relink(&link(), 2);
        let start_us = wire.now_us;
        let (mut first_us, mut at_once) = (None, 0);
        wire.run_until(start_us + 60_000_000, |wire| {
            while let Some((channel, bytes)) = wire.ends[1].receive(wire.now_us) {
                arrived.take(channel, &bytes, "after the blackout");
                // The first of them asks, and the answer brings all that were under way.
                at_once += u64::from(first_us.is_some_and(|first_us| wire.now_us <= start_us + first_us + 70_000));
                if arrived.counts[Channel::Lobby.index()] > 1 {
                    first_us.get_or_insert(wire.now_us - start_us);
                }
            }
        });
        assert_eq!(arrived.counts[Channel::Lobby.index()], 300);
        assert!(first_us.unwrap() <= 600_000, "{first_us:?}");
        assert!(at_once >= begun.min(60) - 1, "{at_once} of {begun} came at once after {seconds} s");
    }
}
