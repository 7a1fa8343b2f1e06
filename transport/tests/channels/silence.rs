//! Loss, outages, changes of address: what a connection survives, and what it does not.

use crate::net::{CHANNELS, Match, Net, Profile, SECOND_US, address, elsewhere, pairs, player};
use snapback_transport::channel::{Channel, HubEvent, LostReason, Undelivered};
use snapback_transport::link::{LinkSettings, Loss};

/// Whether `node` may not be reached, and reaches nobody.
fn cut_off(net: &mut Net, node: usize) {
    let address = address(node);
    net.set_hook(move |passing| passing.from != address && passing.to != address);
}

#[test]
fn at_thirty_percent_loss_everybody_meets_and_everything_reliable_arrives_in_order() {
    for profile in Profile::ALL {
        for seed in 0..3 {
            let mut net = Net::new(seed);
            let link = LinkSettings {
                delay_us: 30_000,
                jitter_us: 10_000,
                loss: Loss::Independent { per_million: 300_000 },
                reorder_per_million: 50_000,
                duplicate_per_million: 50_000,
                ..LinkSettings::default()
            };
            net.set_link(link);
            let of = Match::new(*profile, 4);
            for seat in 0..4 {
                net.add(of.settings(seat, 0), address(seat));
            }
            assert!(net.run_until(40 * SECOND_US, Net::is_mesh), "{profile:?}, seed {seed}: {:?}", net.connections());
            let reliable = CHANNELS.into_iter().filter(|channel| *channel != Channel::Spectator);
            let mut expected = Vec::new();
            for number in 0..20u8 {
                for (from, to) in pairs(4) {
                    for channel in reliable.clone() {
                        net.send(from, to, channel, &[number; 30]);
                    }
                }
                expected.push([number; 30]);
                net.run(100_000);
            }
            net.run(20 * SECOND_US);
            for (from, to) in pairs(4) {
                for channel in reliable.clone() {
                    assert_eq!(net.got(to, from, channel), expected, "{profile:?}, seed {seed}: {from} to {to} on {channel}");
                }
            }
            assert!(net.nodes.iter().all(|node| node.hub.is_flushed()));
            // Three heartbeats in a row may well be lost.
            let is_lost = |event: &HubEvent| matches!(event, HubEvent::Lost { .. });
            assert!((0..4).all(|at| !net.events(at).iter().any(is_lost)), "{profile:?}, seed {seed}: a connection was lost");
        }
    }
}

#[test]
fn a_shorter_outage_interrupts_and_loses_nothing() {
    for (profile, talks) in Profile::ALL.iter().flat_map(|profile| [(profile, true), (profile, false)]) {
        let mut net = Net::connected(3, &Match::new(*profile, 2));
        net.run(5 * SECOND_US);
        let cut_us = net.now_us;
        cut_off(&mut net, 1);
        for from in (0..2).filter(|_| talks) {
            net.send(from, 1 - from, Channel::ChatPresence, b"during");
        }
        net.run(20 * SECOND_US);
        net.clear_hook();
        net.run(5 * SECOND_US);
        for at in 0..2 {
            let other = player(1 - at);
            let events = &net.nodes[at].events[1..];
            let [(interrupted_us, HubEvent::Interrupted { .. }), (resumed_us, HubEvent::Resumed { player })] = events else {
                panic!("{profile:?}: {events:?}");
            };
            assert_eq!(*player, other);
            assert!((2_000_000..=3_100_000).contains(&(interrupted_us - cut_us)), "{profile:?}: {interrupted_us} after {cut_us}");
            assert!(resumed_us - cut_us <= 21_500_000, "{profile:?}: resumed after {} µs", resumed_us - cut_us);
            assert_eq!(net.got(at, 1 - at, Channel::ChatPresence), vec![b"during"; usize::from(talks)]);
        }
    }
}

#[test]
fn a_longer_outage_is_given_up_with_what_did_not_arrive_and_a_new_connection_follows() {
    for profile in Profile::ALL {
        let mut net = Net::connected(4, &Match::new(*profile, 2));
        net.send(0, 1, Channel::Lobby, b"before");
        net.run(SECOND_US);
        let cut_us = net.now_us;
        cut_off(&mut net, 1);
        for number in 0..3 {
            net.send(0, 1, Channel::Lobby, &[number]);
        }
        net.send(0, 1, Channel::Telemetry, b"lost");
        net.send(0, 1, Channel::Spectator, b"unreliable, so nobody knows");
        net.run(40 * SECOND_US);
        let (lost_us, lost) = net.nodes[0].events[2].clone();
        let undelivered = vec![Undelivered { channel: Channel::Telemetry, ids: 0..1 }, Undelivered { channel: Channel::Lobby, ids: 1..4 }];
        assert_eq!(lost, HubEvent::Lost { player: player(1), reason: LostReason::Silent, undelivered });
        assert!((29_000_000..=30_100_000).contains(&(lost_us - cut_us)), "{profile:?}: after {} µs", lost_us - cut_us);
        let lost = HubEvent::Lost { player: player(0), reason: LostReason::Silent, undelivered: vec![] };
        assert_eq!(net.events(1)[2], lost);
        assert!(net.nodes.iter().all(|node| node.hub.connected().is_empty()));
        net.clear_hook();
        assert!(net.run_until(10 * SECOND_US, Net::is_mesh), "{profile:?}: no connection after the outage");
        assert_eq!(net.events(0)[3..], [HubEvent::Connected { player: player(1) }]);
        assert_eq!(net.nodes[0].hub.connection(player(1)).unwrap().sent(Channel::Lobby), 0, "numbers begin anew");
        net.assert_talk("after");
    }
}

/// One direction is dead: the end that hears nothing gives up, dials again, and takes its own place.
#[test]
fn an_outage_of_one_direction_ends_with_one_connection_too() {
    for profile in Profile::ALL {
        for (deaf, mute) in [(0, 1), (1, 0)] {
            let mut net = Net::connected(5, &Match::new(*profile, 2));
            let (from, to) = (address(mute), address(deaf));
            net.set_hook(move |passing| (passing.from, passing.to) != (from, to));
            net.run(45 * SECOND_US);
            net.clear_hook();
            let is_new = |net: &Net| net.is_mesh() && net.nodes.iter().all(|node| node.events.len() >= 3);
            assert!(net.run_until(70 * SECOND_US, is_new), "{profile:?}: {:?}", net.events(1));
            net.assert_talk("after");
        }
    }
}

#[test]
fn whoever_moves_is_followed_and_nothing_is_lost() {
    for profile in Profile::ALL {
        for mover in [1, 0] {
            let mut net = Net::connected(6, &Match::new(*profile, 3));
            for (number, port) in (0..5).enumerate() {
                net.nodes[mover].address = elsewhere(port);
                net.send(mover, 2, Channel::ChatPresence, &[number as u8]);
                net.run(2 * SECOND_US);
            }
            net.assert_talk("after five moves");
            let moved = net.got(2, mover, Channel::ChatPresence);
            assert_eq!(moved[..5], [[0], [1], [2], [3], [4]]);
            assert!(net.nodes.iter().all(|node| node.events.len() == 2), "{profile:?}: {:?}", net.events(mover));
        }
    }
}

/// A stream in one direction for a minute, read or not: the other end's heartbeats keep it.
#[test]
fn a_stream_in_one_direction_stays_connected() {
    for profile in Profile::ALL {
        for channel in [Channel::Spectator, Channel::ChatPresence] {
            let mut net = Net::connected(7, &Match::new(*profile, 2));
            net.set_loss(50_000);
            for number in 0..600u32 {
                net.send(0, 1, channel, &number.to_le_bytes());
                net.run(100_000);
            }
            net.run(SECOND_US);
            assert!(net.nodes.iter().all(|node| node.events.len() == 1), "{profile:?}: {:?} {:?}", net.events(0), net.events(1));
            let count = net.got(1, 0, channel).len();
            assert!(count >= if channel == Channel::Spectator { 500 } else { 600 }, "{count} of 600 arrived");
        }
    }
}

/// Nobody says anything: heartbeats alone keep the connections, and they are few.
#[test]
fn a_quiet_match_stays_connected_with_a_datagram_a_second() {
    for profile in Profile::ALL {
        let mut net = Net::connected(8, &Match::new(*profile, 4));
        net.run(5 * SECOND_US);
        let before = net.sent;
        net.run(60 * SECOND_US);
        assert!(net.nodes.iter().all(|node| node.events.len() == 3));
        let sent = net.sent - before;
        assert!((12 * 59..=12 * 61).contains(&sent), "{profile:?}: {sent} datagrams in a minute");
    }
}

/// What is unreliable waits too: nobody would send it again.
#[test]
fn in_the_dark_there_are_only_signs_of_life() {
    for profile in Profile::ALL {
        let mut net = Net::connected(4, &Match::new(*profile, 2));
        net.set_hook(|_| false);
        net.run(5 * SECOND_US);
        let before = net.sent;
        let feed = vec![7; 32 << 10];
        for _ in 0..20 * 20 {
            let now_us = net.now_us;
            let _ = net.nodes[0].hub.send(now_us, player(1), Channel::Spectator, &feed);
            net.pump(0);
            net.run(SECOND_US / 20);
        }
        // Both ends call once a second, and twice when laminar falls silent anew.
        let sent = net.sent - before;
        assert!((30..=60).contains(&sent), "{profile:?}: {sent} datagrams in 20 s");
        assert_eq!(net.events(0)[1..], [HubEvent::Interrupted { player: player(1) }]);
        net.clear_hook();
        net.run(5 * SECOND_US);
        net.send(0, 1, Channel::Spectator, b"there again");
        net.run(SECOND_US);
        assert_eq!(net.got(1, 0, Channel::Spectator).last(), Some(&b"there again".as_slice()), "{profile:?}");
    }
}
