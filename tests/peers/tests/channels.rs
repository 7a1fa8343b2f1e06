//! Reliable messages over a link that loses one datagram in ten, on virtual time.

use snapback::transport::channel::Channel;
use snapback::transport::link::{LinkSettings, Loss};
use snapback_peers::channels::tally::Tally;
use snapback_peers::channels::trial::{Pattern, bulk, messages};
use snapback_peers::channels::{Contender, Polling, bare_laminar, bare_renet, ours};

const RTT_US: u64 = 60_000;

/// What 99 of 100 messages may take.
const P99_US: u64 = 200_000;

const SEEDS: u64 = 3;
const SECONDS: u64 = 60;

fn everything_of_ours(channel: Channel) -> Vec<Contender> {
    [ours::encrypted, ours::plaintext, ours::connection].map(|ours| ours(channel, Polling::Milliseconds)).into()
}

fn bad_link() -> LinkSettings {
    LinkSettings { delay_us: RTT_US / 2, loss: Loss::Independent { per_million: 100_000 }, ..LinkSettings::default() }
}

fn all(contender: &Contender, pattern: Pattern) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..SEEDS {
        tally.add(&messages(contender, pattern, bad_link(), seed, SECONDS));
    }
    tally
}

#[test]
fn ours_brings_every_message_in_time() {
    for contender in everything_of_ours(Channel::Lobby) {
        for pattern in [Pattern::Steady, Pattern::OneWay, Pattern::Bursts] {
            let tally = all(&contender, pattern);
            let what = format!("{}, {}: {}", contender.name, pattern.name(), tally.summary());
            assert!(tally.is_flawless(), "{what}");
            let (p50, p99) = (tally.latency_us(500), tally.latency_us(990));
            assert!(p50.is_some_and(|us| us < RTT_US), "half of the messages are slow: {what}");
            assert!(p99.is_some_and(|us| us <= P99_US), "one in a hundred is slow: {what}");
            if pattern == Pattern::Bursts {
                let last = tally.last_latency_us(990);
                assert!(last.is_some_and(|us| us <= P99_US), "the last of a burst is slow: {what}");
            }
        }
    }
}

#[test]
fn ours_brings_a_mebibyte_over_the_same_link() {
    for contender in everything_of_ours(Channel::MatchState) {
        for seed in 0..SEEDS {
            let went = bulk(&contender, 1 << 20, bad_link(), seed);
            let what = format!("{}, seed {seed}: {went:?}", contender.name);
            assert!(went.is_some_and(|went| went.took_us < 5_000_000 && went.wire_bytes < 3 << 19), "{what}");
        }
    }
}

/// The link is as bad as it is meant to be, and the bench can see it.
#[test]
fn laminar_by_itself_loses_messages_there() {
    for pattern in [Pattern::Steady, Pattern::OneWay, Pattern::Bursts] {
        let tally = all(&bare_laminar::contender(), pattern);
        assert!(tally.delivered < tally.sent, "{}: {}", pattern.name(), tally.summary());
    }
    let clean = messages(&bare_laminar::contender(), Pattern::Steady, LinkSettings { loss: Loss::None, ..bad_link() }, 0, SECONDS);
    assert!(clean.is_flawless(), "{}", clean.summary());
}

/// The trial is fair to somebody who is reliable too.
#[test]
fn renet_brings_every_message_later() {
    let theirs = all(&bare_renet::contender(bare_renet::DEFAULT_RESEND_MS), Pattern::Steady);
    assert!(theirs.is_flawless(), "{}", theirs.summary());
    for contender in everything_of_ours(Channel::Lobby) {
        let ours = all(&contender, Pattern::Steady);
        assert!(ours.latency_us(990) < theirs.latency_us(990), "{}: {}", contender.name, ours.summary());
    }
}
