//! Programs that are started anew, leave, or run something else.

use crate::net::{Match, Net, Profile, SECOND_US, address, player};
use snapback_transport::channel::{Channel, ChannelSpec, HubEvent, LostReason, SendError, Topology, Undelivered};

#[test]
fn a_joiner_that_is_started_anew_takes_its_own_place_everywhere() {
    for profile in Profile::ALL {
        for seat in [1, 2, 3] {
            let of = Match::new(*profile, 4);
            let mut net = Net::connected(1, &of);
            net.run(SECOND_US);
            net.set_hook({
                let address = address(seat);
                move |passing| passing.to != address
            });
            net.send(0, seat, Channel::Lobby, b"never arrives");
            net.run(100_000);
            net.clear_hook();
            net.restart(seat, of.settings(seat, 1));
            let is_replaced = |net: &Net| net.is_mesh() && net.nodes[0].events.len() == 5;
            assert!(net.run_until(10 * SECOND_US, is_replaced), "{profile:?} {seat}: {:?} {:?}", net.connections(), net.events(0));
            let undelivered = vec![Undelivered { channel: Channel::Lobby, ids: 0..1 }];
            let lost = HubEvent::Lost { player: player(seat), reason: LostReason::Replaced, undelivered };
            assert_eq!(net.events(0)[3..], [lost, HubEvent::Connected { player: player(seat) }]);
            let is_everywhere = |net: &Net| (0..4).filter(|at| *at != seat).all(|at| net.nodes[at].events.len() == 5);
            assert!(net.run_until(10 * SECOND_US, is_everywhere), "{profile:?} {seat}");
            net.assert_talk("after");
        }
    }
}

#[test]
fn whoever_closes_is_known_to_have_left_and_its_last_words_are_heard() {
    for profile in Profile::ALL {
        for (seat, loss_per_million) in [(0, 0), (1, 0), (2, 0), (1, 300_000)] {
            let mut net = Net::connected(2, &Match::new(*profile, 3));
            net.set_loss(loss_per_million);
            for other in (0..3).filter(|other| *other != seat) {
                net.send(seat, other, Channel::ChatPresence, b"goodbye");
            }
            let now_us = net.now_us;
            net.nodes[seat].hub.close(now_us);
            net.pump(seat);
            assert!(net.nodes[seat].hub.send(now_us, player(0), Channel::Lobby, b"x").is_err());
            assert!(net.run_until(5 * SECOND_US, |net| net.nodes[seat].hub.poll_timeout().is_none()), "it does not come to rest");
            assert!(net.nodes[seat].hub.is_flushed() && net.now_us - now_us <= 2_100_000);
            net.run(5 * SECOND_US);
            for other in (0..3).filter(|other| *other != seat) {
                assert_eq!(net.got(other, seat, Channel::ChatPresence), [b"goodbye"], "{profile:?} {seat}");
                let lost = HubEvent::Lost { player: player(seat), reason: LostReason::Left, undelivered: vec![] };
                assert_eq!(net.events(other)[2..], [lost], "{profile:?} {seat}");
                assert_eq!(net.nodes[other].hub.connected().len(), 1, "the others stay connected");
            }
            assert_eq!(net.events(seat).len(), 2, "it knows that it left");
            let before = net.sent;
            net.run(60 * SECOND_US);
            assert!(net.sent - before <= 125, "{profile:?} {seat}: {} datagrams of two who are left", net.sent - before);
        }
    }
}

#[test]
fn a_joiner_that_left_may_come_back() {
    for profile in Profile::ALL {
        let of = Match::new(*profile, 3);
        let mut net = Net::connected(3, &of);
        let now_us = net.now_us;
        net.nodes[1].hub.close(now_us);
        net.pump(1);
        net.run(SECOND_US);
        net.restart(1, of.settings(1, 1));
        assert!(net.run_until(10 * SECOND_US, Net::is_mesh), "{profile:?}: {:?}", net.connections());
        net.assert_talk("after");
    }
}

#[test]
fn two_who_run_different_tables_are_told_and_stay_apart() {
    for profile in Profile::ALL {
        let of = Match::new(*profile, 3);
        let mut net = Net::new(4);
        let mut rows: Vec<ChannelSpec> = Topology::default().rows().to_vec();
        rows[Channel::Lobby.index()].max_hz = 3;
        for seat in 0..3 {
            let mut settings = of.settings(seat, 0);
            if seat == 2 {
                settings.topology = Topology::new(&rows).unwrap();
            }
            net.add(settings, address(seat));
        }
        net.run(20 * SECOND_US);
        let lost = |seat: usize| HubEvent::Lost { player: player(seat), reason: LostReason::OtherTopology, undelivered: vec![] };
        assert_eq!(net.events(2), [lost(0)], "{profile:?}");
        assert!(net.events(0).contains(&lost(2)) && net.events(0).len() == 2, "{profile:?}: {:?}", net.events(0));
        assert_eq!(net.events(1), [HubEvent::Connected { player: player(0) }]);
        let refused = net.nodes[2].hub.send(net.now_us, player(0), Channel::Lobby, b"x");
        assert_eq!(refused, Err(SendError::NotConnected { player: player(0) }));
        // With the right table it is let in.
        net.restart(2, of.settings(2, 1));
        assert!(net.run_until(10 * SECOND_US, Net::is_mesh), "{profile:?}");
    }
}

#[test]
fn what_came_before_a_connection_was_lost_can_still_be_received() {
    for profile in Profile::ALL {
        let of = Match::new(*profile, 2);
        let mut net = Net::connected(5, &of);
        net.nodes[0].reads = false;
        net.send(1, 0, Channel::ChatPresence, b"from the first");
        net.run(SECOND_US);
        net.restart(1, of.settings(1, 1));
        assert!(net.run_until(5 * SECOND_US, |net| net.is_mesh() && net.nodes[0].events.len() == 3), "{profile:?}");
        net.send(1, 0, Channel::ChatPresence, b"from the second");
        net.run(SECOND_US);
        net.nodes[0].reads = true;
        net.pump(0);
        assert_eq!(net.got(0, 1, Channel::ChatPresence), [b"from the first".as_slice(), b"from the second"]);
    }
}

/// A program that was started anew and vanished before it had said who it is takes nothing along.
#[cfg(feature = "dtls")]
#[test]
fn nor_is_it_lost_by_a_meeting_that_comes_to_nothing() {
    let of = Match::new(Profile::Encrypted, 2);
    let mut net = Net::connected(5, &of);
    net.nodes[0].reads = false;
    net.send(1, 0, Channel::ChatPresence, b"from the first");
    net.run(SECOND_US);
    net.restart(1, of.settings(1, 1));
    assert!(net.run_until(5 * SECOND_US, |net| net.nodes[0].hub.connected().is_empty()));
    assert_eq!(net.events(0).len(), 1, "it has said who it is already");
    net.set_hook(|_| false);
    net.run(5 * SECOND_US);
    net.clear_hook();
    assert!(net.run_until(5 * SECOND_US, Net::is_mesh));
    net.nodes[0].reads = true;
    net.pump(0);
    assert_eq!(net.got(0, 1, Channel::ChatPresence), [b"from the first"]);
}

#[test]
fn a_message_to_all_goes_to_all_or_to_none() {
    let mut net = Net::connected(6, &Match::new(Profile::Plain, 3));
    let (now_us, message) = (net.now_us, vec![7; 4_096]);
    let all = [player(1), player(2)].into_iter().collect();
    assert_eq!(net.nodes[0].hub.send_to_all(now_us, Channel::ChatPresence, b"hello"), Ok(all));
    let wrong = SendError::WrongSocket { channel: Channel::RollbackInputs };
    assert_eq!(net.nodes[0].hub.send_to_all(now_us, Channel::RollbackInputs, b"x"), Err(wrong));
    while net.nodes[0].hub.send(now_us, player(2), Channel::ChatPresence, &message).is_ok() {}
    let before = net.nodes[0].hub.connection(player(1)).unwrap().sent(Channel::ChatPresence);
    let refused = net.nodes[0].hub.send_to_all(now_us, Channel::ChatPresence, &message);
    assert!(matches!(refused, Err(SendError::Full { .. })), "{refused:?}");
    assert_eq!(net.nodes[0].hub.connection(player(1)).unwrap().sent(Channel::ChatPresence), before);
    let mut alone = Net::full(7, &Match::new(Profile::Plain, 2));
    let refused = alone.nodes[0].hub.send_to_all(0, Channel::ChatPresence, b"x");
    assert_eq!(refused, Err(SendError::NotConnected { player: player(1) }));
}

/// Who pauses over several connections still receives everything that was acknowledged.
#[test]
fn what_was_acknowledged_waits_over_any_number_of_connections() {
    for profile in Profile::ALL {
        let mut net = Net::connected(4, &Match::new(*profile, 2));
        net.nodes[0].reads = false;
        for round in 0..4u8 {
            net.send(1, 0, Channel::MatchState, &[round]);
            net.run(SECOND_US);
            assert_eq!(net.nodes[1].hub.connection(player(0)).unwrap().delivered(Channel::MatchState), 1);
            net.set_hook(|_| false);
            net.run(32 * SECOND_US);
            net.clear_hook();
            assert!(net.run_until(60 * SECOND_US, Net::is_mesh), "{profile:?}");
            net.run(SECOND_US);
        }
        net.nodes[0].reads = true;
        net.pump(0);
        assert_eq!(net.got(0, 1, Channel::MatchState), [[0], [1], [2], [3]], "{profile:?}");
    }
}

/// A sender that is started anew again and again fills no more than one connection may hold unread, and is
/// told of nothing as arrived that is not there. Once somebody reads, everything flows again.
#[test]
fn what_waits_over_many_connections_is_bounded_and_the_sender_is_held_up() {
    let of = Match::new(Profile::Plain, 2);
    let mut net = Net::connected(5, &of);
    net.nodes[0].reads = false;
    let message = |round: u64, number: u64| [vec![round as u8, number as u8], vec![7; 6_000]].concat();
    let (mut acknowledged, mut said, mut stopped) = (Vec::new(), 0, 0);
    for round in 0..12 {
        said = 0;
        while said < 40 && net.nodes[1].hub.send(net.now_us, player(0), Channel::Lobby, &message(round, said)).is_ok() {
            said += 1;
        }
        net.pump(1);
        net.run(6 * SECOND_US);
        if round < 11 {
            let delivered = net.nodes[1].hub.connection(player(0)).unwrap().delivered(Channel::Lobby);
            stopped += u64::from(delivered == 0);
            acknowledged.extend((0..delivered).map(|number| message(round, number)));
            net.restart(1, of.settings(1, round + 1));
            assert!(net.run_until(5 * SECOND_US, |net| net.is_mesh() && net.nodes[0].events.len() as u64 == 3 + 2 * round));
        }
    }
    // 64 KB of the largest message, as much beside it, and a few percent by which pieces are smaller than counted.
    let most_bytes = (128 << 10) * 21 / 20;
    let bytes: usize = acknowledged.iter().map(Vec::len).sum();
    assert!((64 << 10..most_bytes).contains(&bytes) && stopped >= 8, "{bytes} bytes, {stopped} connections without any");
    net.nodes[0].reads = true;
    net.pump(0);
    net.run(10 * SECOND_US);
    let got = net.got(0, 1, Channel::Lobby);
    let all: Vec<Vec<u8>> = acknowledged.into_iter().chain((0..said).map(|number| message(11, number))).collect();
    assert_eq!(got.len(), all.len());
    assert!(got.iter().zip(&all).all(|(got, sent)| got == sent), "another order, or another message");
}

/// More than goes out in two seconds, or to one who hears nothing any more, or who leaves too.
#[test]
fn whoever_closes_is_told_what_did_not_arrive() {
    for (profile, case) in Profile::ALL.iter().flat_map(|profile| (0..3).map(move |case| (*profile, case))) {
        let mut net = Net::connected(4, &Match::new(profile, 2));
        net.send(1, 0, Channel::Lobby, b"before");
        net.run(SECOND_US);
        if case == 1 {
            net.set_hook(|_| false);
        }
        for number in 0..60 {
            net.send(1, 0, Channel::ChatPresence, &[number]);
        }
        let now_us = net.now_us;
        net.nodes[1].hub.close(now_us);
        if case == 2 {
            net.nodes[0].hub.close(now_us);
        }
        let mut told_when_flushed = None;
        net.run_until(10 * SECOND_US, |net| {
            if net.nodes[1].hub.is_flushed() {
                told_when_flushed.get_or_insert(net.nodes[1].events.len());
            }
            net.nodes[1].hub.poll_timeout().is_none() && net.nodes[0].hub.poll_timeout().is_none()
        });
        let got = net.got(0, 1, Channel::ChatPresence).len() as u64;
        assert_eq!(got == 0, case == 1, "{profile:?}, {case}");
        let [_, (lost_us, HubEvent::Lost { player: whom, reason: LostReason::Closed, undelivered })] = &net.nodes[1].events[..] else {
            panic!("{profile:?}, {case}: {:?}", net.events(1));
        };
        let [Undelivered { channel: Channel::ChatPresence, ids }] = &undelivered[..] else { panic!("{undelivered:?}") };
        assert!(*whom == player(0) && ids.end == 60 && ids.start <= got, "{profile:?}, {case}: {ids:?} of {got}");
        // The last acknowledgement may be lost with the connection.
        assert!(got - ids.start <= 10, "{profile:?}, {case}: {ids:?} of {got}");
        assert_eq!(told_when_flushed, Some(2), "{profile:?}, {case}: flushed before it was told, or never");
        assert!(*lost_us <= now_us + 2_100_000);
    }
}

#[test]
fn whoever_closes_and_lost_nothing_is_told_nothing() {
    for profile in Profile::ALL {
        let mut net = Net::connected(4, &Match::new(*profile, 2));
        net.send(1, 0, Channel::ChatPresence, b"all there is");
        let now_us = net.now_us;
        net.nodes[1].hub.close(now_us);
        net.run(5 * SECOND_US);
        assert_eq!(net.events(1).len(), 1, "{profile:?}: {:?}", net.events(1));
        assert_eq!(net.got(0, 1, Channel::ChatPresence), [b"all there is"]);
    }
}

/// The host leaves, which takes two seconds since one hears nothing: whoever dials meanwhile stays outside.
#[test]
fn who_has_left_meets_nobody_any_more() {
    for profile in Profile::ALL {
        let of = Match::new(*profile, 3);
        let mut net = Net::new(7);
        for seat in 0..2 {
            net.add(of.settings(seat, 0), address(seat));
        }
        assert!(net.run_until(10 * SECOND_US, Net::is_mesh));
        net.set_hook(|passing| passing.to != address(1));
        let now_us = net.now_us;
        net.nodes[0].hub.close(now_us);
        net.pump(0);
        net.clear_hook();
        // One that was there, started anew, and one that never was.
        net.restart(1, of.settings(1, 1));
        net.add(of.settings(2, 0), address(2));
        net.run(1_900_000);
        assert!(net.nodes[0].hub.poll_timeout().is_some(), "{profile:?}: it left at once: nothing is tested");
        net.run(SECOND_US);
        assert_eq!((net.events(1), net.events(2)), (vec![], vec![]), "{profile:?}");
        assert_eq!(net.events(0), [HubEvent::Connected { player: player(1) }], "{profile:?}");
    }
}

/// Whoever is started anew elsewhere leaves nothing behind: more than 32 connections of DTLS there are not.
#[cfg(feature = "dtls")]
#[test]
fn a_joiner_that_is_started_anew_elsewhere_is_let_in_every_time() {
    let of = Match::new(Profile::Encrypted, 2);
    let mut net = Net::connected(8, &of);
    for start in 1..=40 {
        net.restart(1, of.settings(1, start));
        net.nodes[1].address = crate::net::elsewhere(start as u16);
        let is_met = |net: &Net| net.is_mesh() && net.nodes[0].events.len() as u64 == 1 + 2 * start;
        assert!(net.run_until(5 * SECOND_US, is_met), "the {start}th time: {:?}", net.nodes[0].hub.rejects().collect::<Vec<_>>());
    }
    net.assert_talk("after");
}

/// Only one direction breaks: who hears nothing gives up and dials again, and the other end, which heard it
/// all the time, is not to take it for a program that was started anew.
#[test]
fn whoever_gave_up_and_dials_again_was_not_started_anew() {
    for profile in Profile::ALL {
        let of = Match::new(*profile, 2);
        let mut net = Net::connected(5, &of);
        net.send(0, 1, Channel::ChatPresence, b"heard");
        net.run(SECOND_US);
        net.set_hook(|passing| passing.from != address(0));
        net.send(0, 1, Channel::ChatPresence, b"unheard");
        net.run(45 * SECOND_US);
        net.clear_hook();
        assert!(net.run_until(40 * SECOND_US, |net| net.is_mesh() && net.events(1).len() >= 4), "{profile:?}: {:?}", net.events(1));
        net.run(SECOND_US);
        let lost: Vec<_> = net.events(0).into_iter().filter(|event| matches!(event, HubEvent::Lost { .. })).collect();
        let undelivered = vec![Undelivered { channel: Channel::ChatPresence, ids: 1..2 }];
        assert_eq!(lost, [HubEvent::Lost { player: player(1), reason: LostReason::Silent, undelivered }], "{profile:?}");
        net.restart(1, of.settings(1, 1));
        net.run(5 * SECOND_US);
        let replaced = HubEvent::Lost { player: player(1), reason: LostReason::Replaced, undelivered: vec![] };
        assert_eq!(net.events(0).iter().rev().nth(1), Some(&replaced), "{profile:?}");
    }
}

/// The host is sure that there is a connection, the joiner waits for its greeting, and everything breaks.
#[test]
fn what_was_acknowledged_before_the_greeting_came_is_received() {
    let of = Match::new(Profile::Plain, 2);
    let mut net = Net::full(3, &of);
    // An answer to a knock comes through, and nothing with a payload.
    net.set_hook(|passing| passing.from != address(0) || passing.len() == 14);
    assert!(net.run_until(2 * SECOND_US, |net| net.nodes[0].hub.connected().len() == 1));
    net.clear_hook();
    net.send(0, 1, Channel::ChatPresence, b"hello");
    net.set_hook(|passing| passing.from != address(0));
    let is_delivered = |net: &Net| net.nodes[0].hub.connection(player(1)).is_some_and(|it| it.delivered(Channel::ChatPresence) == 1);
    assert!(net.run_until(SECOND_US, is_delivered));
    assert_eq!(net.events(1), [], "the greeting came too");
    net.set_hook(|_| false);
    net.run(4 * SECOND_US);
    net.clear_hook();
    assert!(net.run_until(20 * SECOND_US, |net| net.is_mesh() && net.events(1).len() == 1));
    net.run(5 * SECOND_US);
    assert_eq!(net.got(1, 0, Channel::ChatPresence), [b"hello"]);
    let lost = HubEvent::Lost { player: player(1), reason: LostReason::Silent, undelivered: vec![] };
    assert!(net.events(0).contains(&lost), "{:?}", net.events(0));
}
