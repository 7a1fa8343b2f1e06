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
