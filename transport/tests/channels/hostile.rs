//! Strangers, damage, and peers with the right keys that mean harm.

use crate::net::{Channel, Match, Net, Profile, SECOND_US, address, elsewhere, player};
use snapback_core::Rng;
use snapback_transport::channel::{ChannelHub, HubEvent, LostReason};
use snapback_transport::link::LinkSettings;
use snapback_transport::packet::{ConnectionKey, PlainChannel, Reject};
use std::cell::RefCell;
use std::rc::Rc;

fn rejected(hub: &ChannelHub, reject: Reject) -> u64 {
    hub.rejects().find(|(reason, _)| *reason == reject).map_or(0, |(_, count)| count)
}

/// What one hub sends, changed on the way to another or made up, from its own address and from elsewhere.
#[test]
fn junk_and_damage_change_nothing() {
    for profile in Profile::ALL {
        let mut net = Net::connected(1, &Match::new(*profile, 3));
        let mut rng = Rng::new(2, 0);
        let mut overheard: Vec<Vec<u8>> = Vec::new();
        for round in 0..3_000u32 {
            if round % 100 == 0 {
                let message = vec![round as u8; 600];
                net.send(1, 0, Channel::MatchState, &message);
                let mut buffer = [0; 1_200];
                let (hub, now_us) = (&mut net.nodes[1].hub, net.now_us);
                hub.send(now_us, player(0), Channel::ChatPresence, b"overheard").unwrap();
                while let Some((_, len)) = hub.poll_transmit(now_us, &mut buffer) {
                    overheard.push(buffer[..len].to_vec());
                }
            }
            let mut datagram = overheard[rng.next_u32() as usize % overheard.len()].clone();
            match rng.next_u32() % 4 {
                0 => datagram.truncate(rng.next_u32() as usize % (datagram.len() + 1)),
                1 => datagram.extend((0..rng.next_u32() % 40).map(|n| n as u8)),
                2 => datagram = (0..rng.next_u32() % 1_300).map(|_| rng.next_u32() as u8).collect(),
                _ => {
                    let at = rng.next_u32() as usize % datagram.len();
                    datagram[at] ^= 1 << (rng.next_u32() % 8);
                }
            }
            let from = if rng.next_u32().is_multiple_of(2) { address(1) } else { elsewhere(round as u16 % 7) };
            if !overheard.contains(&datagram) {
                net.give(0, from, &datagram);
            }
            net.run(5_000);
        }
        net.run(5 * SECOND_US);
        let dropped: u64 = net.nodes[0].hub.rejects().map(|(_, count)| count).sum();
        assert!(dropped > 2_000, "{profile:?}: {dropped} dropped");
        assert!(net.nodes.iter().all(|node| node.events.len() == 2), "{profile:?}: {:?}", net.events(0));
        assert_eq!(net.got(0, 1, Channel::MatchState).len(), 30);
        assert_eq!(net.got(0, 1, Channel::ChatPresence), vec![b"overheard"; 30]);
        net.assert_talk("after");
    }
}

#[test]
fn a_stranger_costs_no_more_than_it_sends_and_meets_nobody() {
    for profile in Profile::ALL {
        let mut net = Net::full(3, &Match::new(*profile, 3));
        let (mut rng, mut said) = (Rng::new(4, 0), 0);
        let mut buffer = [0; 1_200];
        for round in 0..5_000u32 {
            let mut datagram: Vec<u8> = (0..rng.next_u32() % 200).map(|_| rng.next_u32() as u8).collect();
            if let Some(first) = datagram.first_mut() {
                *first = rng.next_u32() as u8 % 64;
            }
            said += datagram.len();
            net.nodes[0].hub.handle(u64::from(round) * 100, elsewhere(round as u16 % 5), &datagram);
            while let Some((_, len)) = net.nodes[0].hub.poll_transmit(u64::from(round) * 100, &mut buffer) {
                said -= len;
            }
        }
        assert_eq!(net.nodes[0].hub.poll_event(), None);
        assert!(net.nodes[0].hub.connected().is_empty() && said > 0);
    }
}

/// The seat is told by the datagram and the wire; another match has another checksum.
#[test]
fn without_encryption_another_match_is_told_apart() {
    let of = Match::new(Profile::Plain, 2);
    let mut net = Net::new(5);
    net.add(of.settings(0, 0), address(0));
    let mut settings = of.settings(1, 0);
    settings.match_id += 1;
    net.add(settings, address(1));
    net.run(5 * SECOND_US);
    assert!(net.nodes.iter().all(|node| node.events.is_empty()));
    assert!(rejected(&net.nodes[0].hub, Reject::BadCrc) > 20);
}

/// A peer of the plaintext profile that a test writes by hand.
struct Rogue {
    seat: u8,
    nonce: u32,
    echo: u32,
}

impl Rogue {
    /// Knocks at the host and is met.
    fn met(net: &mut Net, seat: u8) -> Self {
        let mut rogue = Self { seat, nonce: 5, echo: 0 };
        let mut buffer = [0; 1_200];
        let knock = rogue.packet(&[]);
        let (hub, now_us) = (&mut net.nodes[0].hub, net.now_us);
        hub.handle(now_us, elsewhere(0), &knock);
        let (_, len) = hub.poll_transmit(now_us, &mut buffer).unwrap();
        rogue.echo = PlainChannel::read(&buffer[..len], ConnectionKey::channels(crate::net::MATCH_ID, 0, seat)).unwrap().nonce;
        rogue
    }

    fn packet(&self, payload: &[u8]) -> Vec<u8> {
        let mut out = [0; 1_200];
        let packet = PlainChannel { seat: self.seat, nonce: self.nonce, echo: self.echo, payload };
        let len = packet.write(ConnectionKey::channels(crate::net::MATCH_ID, self.seat, 0), &mut out);
        out[..len].to_vec()
    }

    fn say(&self, net: &mut Net, payload: &[u8]) {
        let packet = self.packet(payload);
        net.give(0, elsewhere(0), &packet);
    }
}

/// laminar would keep, reassemble or order what a met peer sends under these headers.
#[test]
fn a_met_peer_does_not_reach_what_laminar_does_beside_carrying() {
    let mut net = Net::full(6, &Match::new(Profile::Plain, 2));
    net.nodes.truncate(1);
    let rogue = Rogue::met(&mut net, 1);
    rogue.say(&mut net, &[0x54, 0x09, 2, 0, 0]);
    let mut count = 0;
    for kind in 0..4 {
        for delivery in 0..3 {
            for ordering in 0..3 {
                if (delivery, ordering) != (0, 0) || kind == 1 || kind == 3 {
                    rogue.say(&mut net, &[&[0x54, 0x09, kind, delivery, ordering][..], &[0; 40]].concat());
                    count += 1;
                }
            }
        }
    }
    let hub = &net.nodes[0].hub;
    assert_eq!(rejected(hub, Reject::BadField), count);
    rogue.say(&mut net, &[0x54, 0x08, 0, 0, 0, 1]);
    assert_eq!(rejected(&net.nodes[0].hub, Reject::BadMagic), 1);
    assert!(net.events(0).is_empty());
}

/// A met peer that sends whatever it likes for a minute: the hub neither spins nor sends without end, and
/// the others talk.
#[test]
fn a_met_peer_that_sends_junk_for_a_minute_does_not_make_the_hub_spin() {
    let of = Match::new(Profile::Plain, 3);
    let mut net = Net::new(7);
    for seat in 0..2 {
        net.add(of.settings(seat, 0), address(seat));
    }
    assert!(net.run_until(5 * SECOND_US, Net::is_mesh));
    let mut rogue = Rogue::met(&mut net, 2);
    let (mut rng, before) = (Rng::new(8, 0), net.sent);
    for round in 0..6_000u32 {
        let mut payload: Vec<u8> =
            [0x54, 0x09, 0, 0, 0].into_iter().chain((0..rng.next_u32() % 300).map(|_| rng.next_u32() as u8)).collect();
        if round % 3 == 0 {
            payload.truncate(5);
        }
        rogue.say(&mut net, &payload);
        if round % 500 == 499 {
            // A new connection, as often as it likes.
            rogue = Rogue { nonce: rogue.nonce + 1, echo: 0, ..rogue };
            let knock = rogue.packet(&[]);
            net.give(0, elsewhere(0), &knock);
        }
        net.run(10_000);
    }
    assert!(net.sent - before < 2_000, "{} datagrams", net.sent - before);
    assert_eq!(net.got(0, 2, Channel::ChatPresence), Vec::<&[u8]>::new());
    let now_us = net.now_us;
    net.nodes[0].hub.send(now_us, player(1), Channel::ChatPresence, b"still here").unwrap();
    net.pump(0);
    net.run(SECOND_US);
    assert_eq!(net.got(1, 0, Channel::ChatPresence), [b"still here"]);
}

/// What a program said before it was started anew, said again by whoever overheard it, takes no seat: not after
/// the ninth start either.
#[test]
fn without_encryption_nothing_overheard_of_an_earlier_program_takes_its_place() {
    let of = Match::new(Profile::Plain, 2);
    let mut net = Net::connected(4, &of);
    let overheard = Rc::new(RefCell::new(Vec::new()));
    net.set_hook({
        let overheard = Rc::clone(&overheard);
        move |passing| {
            if passing.from == address(1) {
                passing.bytes().clone_into(&mut overheard.borrow_mut());
            }
            true
        }
    });
    net.run(2 * SECOND_US);
    net.clear_hook();
    for start in 1..12 {
        net.restart(1, of.settings(1, start));
        assert!(net.run_until(5 * SECOND_US, |net| net.is_mesh() && net.events(0).len() as u64 == 1 + 2 * start));
        net.run(SECOND_US);
        let before = net.events(0);
        net.give(0, address(1), &overheard.borrow());
        assert_eq!(net.nodes[0].hub.connected().len(), 1, "after {start} starts");
        net.run(SECOND_US);
        assert_eq!(net.events(0), before, "after {start} starts");
        assert!(before.contains(&HubEvent::Lost { player: player(1), reason: LostReason::Replaced, undelivered: vec![] }));
    }
}

#[cfg(feature = "dtls")]
mod encrypted {
    use super::*;
    use crate::net::SECRET;
    use snapback_transport::channel::{HubInvitation, HubSecurity};
    use snapback_transport::credentials::SecureFailure;
    use snapback_transport::secure::{MatchSecret, SeatSecret, SecureSocket};

    fn joiner(of: &Match, secret: SeatSecret) -> HubSecurity {
        let HubSecurity::Encrypted { settings, invitation: HubInvitation::Held { host, .. } } = of.security(1) else { panic!() };
        HubSecurity::Encrypted { settings, invitation: HubInvitation::Held { secret, host } }
    }

    #[test]
    fn a_wrong_secret_and_that_of_another_seat_are_refused() {
        for secret in [MatchSecret([8; 32]).seat(1), SECRET.seat(2), SECRET.pair(0, 1), SECRET.seat(1).for_channels()] {
            let of = Match::new(Profile::Encrypted, 3);
            let mut net = Net::new(9);
            net.add(of.settings(0, 0), address(0));
            let mut settings = of.settings(1, 0);
            settings.security = joiner(&of, secret);
            net.add(settings, address(1));
            net.run(5 * SECOND_US);
            assert_eq!(net.events(0), []);
            assert_eq!(net.events(1), [HubEvent::Refused { player: player(0), failure: SecureFailure::NoTicket }]);
            assert!(rejected(&net.nodes[0].hub, Reject::BadProof) > 0);
            // Whoever dials can say more than that nobody answers.
            assert_eq!(net.nodes[1].hub.dial_failure(player(0)), Some(SecureFailure::NoTicket));
            assert_eq!(net.nodes[0].hub.dial_failure(player(1)), None);
        }
    }

    /// It is told once, and knocking costs little from then on.
    #[test]
    fn whoever_is_refused_is_told_why_and_knocks_seldom() {
        for is_host_other in [false, true] {
            let of = Match::new(Profile::Encrypted, 2);
            let mut net = Net::new(13);
            net.add(of.settings(0, 0), address(0));
            let mut settings = of.settings(1, 0);
            if let HubSecurity::Encrypted { invitation: HubInvitation::Held { secret, host }, .. } = &mut settings.security {
                if is_host_other {
                    host.0[0] ^= 1;
                } else {
                    secret.0[0] ^= 1;
                }
            }
            net.add(settings, address(1));
            net.run(10 * SECOND_US);
            let before = net.sent;
            net.run(110 * SECOND_US);
            let failure = if is_host_other { SecureFailure::OtherCertificate } else { SecureFailure::NoTicket };
            assert_eq!(net.events(1), [HubEvent::Refused { player: player(0), failure }]);
            assert_eq!(net.nodes[1].hub.dial_failure(player(0)), Some(failure));
            assert_eq!(net.events(0), []);
            // A handshake takes about a dozen.
            assert!(net.sent - before < 500, "{} datagrams", net.sent - before);
            // With the right ticket it is let in.
            net.restart(1, of.settings(1, 1));
            assert!(net.run_until(5 * SECOND_US, Net::is_mesh));
        }
    }

    /// What proves a seat on the rollback socket proves nothing here, even with the right certificate.
    #[test]
    fn the_secret_of_the_rollback_socket_does_not_open_this_one() {
        for (secret, is_let_in) in [(SECRET.seat(1), false), (SECRET.seat(1).for_channels(), true)] {
            let of = Match::new(Profile::Encrypted, 2);
            let mut net = Net::new(10);
            net.add(of.settings(0, 0), address(0));
            let mut socket = SecureSocket::new(of.secure(1)).unwrap();
            socket.dial(net.now_us, address(0), 1, secret, of.secure(0).certificate.fingerprint(), 5);
            let mut buffer = [0; 1_200];
            for now_us in (1_000..2_000_000).step_by(1_000) {
                while let Some((_, len)) = socket.poll_transmit(now_us, &mut buffer) {
                    net.nodes[0].hub.handle(now_us, address(1), &buffer[..len]);
                }
                while let Some((_, len)) = net.nodes[0].hub.poll_transmit(now_us, &mut buffer) {
                    let _ = socket.handle(now_us, address(0), &buffer[..len]);
                }
            }
            assert_eq!(socket.proved(address(0)).is_some(), is_let_in);
            assert_eq!(rejected(&net.nodes[0].hub, Reject::BadProof) > 0, !is_let_in);
        }
    }

    /// A peer with a ticket that speaks DTLS and nothing of ours.
    #[test]
    fn a_proved_peer_with_laminars_other_headers_is_dropped_before_laminar() {
        let of = Match::new(Profile::Encrypted, 2);
        let mut net = Net::new(11);
        net.add(of.settings(0, 0), address(0));
        let mut socket = SecureSocket::new(of.secure(1)).unwrap();
        socket.dial(net.now_us, address(0), 1, SECRET.seat(1).for_channels(), of.secure(0).certificate.fingerprint(), 5);
        let mut buffer = [0; 1_200];
        let mut count = 0;
        for now_us in (1_000..2_000_000).step_by(1_000) {
            while let Some((_, len)) = socket.poll_transmit(now_us, &mut buffer) {
                net.nodes[0].hub.handle(now_us, address(1), &buffer[..len]);
            }
            if socket.proved(address(0)).is_some() && now_us % 10_000 == 0 {
                // A reliable fragment: number, part, of how many, and an acknowledgement.
                let fragment = [&[0x54, 0x09, 1, 1, 0, 0, count as u8, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0][..], &[7; 100]].concat();
                let len = socket.seal(address(0), &fragment, &mut buffer);
                net.nodes[0].hub.handle(now_us, address(1), &buffer[..len]);
                count += 1;
            }
            while let Some((_, len)) = net.nodes[0].hub.poll_transmit(now_us, &mut buffer) {
                let _ = socket.handle(now_us, address(0), &buffer[..len]);
            }
        }
        assert!(count > 100);
        assert_eq!(rejected(&net.nodes[0].hub, Reject::BadField), count);
        assert_eq!(net.nodes[0].hub.poll_event(), None);
    }

    #[test]
    fn who_has_no_encryption_and_who_has_do_not_meet() {
        for plain in [0, 1] {
            let (of, without) = (Match::new(Profile::Encrypted, 2), Match::new(Profile::Plain, 2));
            let mut net = Net::new(12);
            for seat in 0..2 {
                let settings = if seat == plain { without.settings(seat, 0) } else { of.settings(seat, 0) };
                net.add(settings, address(seat));
            }
            net.run(5 * SECOND_US);
            assert!(net.nodes.iter().all(|node| node.events.is_empty()));
        }
    }
}

/// Somebody on the way copies a datagram of a player and says that it comes from a third: nothing goes there
/// but a question, and the player keeps the connection.
#[test]
fn a_copy_from_elsewhere_sends_nothing_there() {
    for profile in Profile::ALL {
        let mut net = Net::connected(4, &Match::new(*profile, 2));
        let last = Rc::new(RefCell::new(Vec::new()));
        net.set_hook({
            let last = Rc::clone(&last);
            move |passing| {
                if passing.from == address(1) {
                    *last.borrow_mut() = passing.bytes().to_vec();
                }
                // What is copied is heard from elsewhere only.
                passing.from != address(1)
            }
        });
        net.send(1, 0, Channel::ChatPresence, b"copied");
        let copy = last.borrow().clone();
        let sent_there = Rc::new(RefCell::new((0, 0)));
        net.set_hook({
            let sent_there = Rc::clone(&sent_there);
            move |passing| {
                if passing.to == elsewhere(1) {
                    let (count, bytes) = *sent_there.borrow();
                    *sent_there.borrow_mut() = (count + 1, bytes + passing.bytes().len());
                }
                true
            }
        });
        net.give(0, elsewhere(1), &copy);
        let feed = vec![7; 32 << 10];
        for _ in 0..10 * 20 {
            let now_us = net.now_us;
            let _ = net.nodes[0].hub.send(now_us, player(1), Channel::Spectator, &feed);
            net.pump(0);
            net.run(SECOND_US / 20);
        }
        let (count, bytes) = *sent_there.borrow();
        assert!((1..=20).contains(&count) && bytes < 2_000, "{profile:?}: {count} datagrams, {bytes} bytes");
        if *profile == Profile::Plain {
            assert!(bytes <= copy.len(), "{bytes} bytes for {}", copy.len());
        }
        assert!(net.got(1, 0, Channel::Spectator).len() > 100, "{profile:?}: the player gets nothing any more");
        assert_eq!(net.got(0, 1, Channel::ChatPresence), [b"copied"]);
        assert!(net.nodes.iter().all(|node| node.events.len() == 1), "{profile:?}: {:?}", net.events(0));
    }
}

/// Whoever connects anew again and again gets no more through than one connection would.
#[test]
fn a_new_connection_is_no_way_to_a_higher_rate() {
    let seconds = |us: u64| us.div_ceil(SECOND_US) as usize;
    for sender in [1, 0] {
        let of = Match::new(Profile::Plain, 2);
        let mut net = Net::connected(4, &of);
        net.set_link(LinkSettings { delay_us: 1_000, ..net.link });
        let (from_us, receiver) = (net.now_us, 1 - sender);
        let mut heard = 0;
        for start in 1..=100 {
            // Whoever is started anew has forgotten everything, so that the other end must remember.
            net.restart(1, of.settings(1, start));
            assert!(net.run_until(SECOND_US, |net| net.is_mesh() && net.nodes[0].events.len() as u64 == 1 + 2 * start));
            for _ in 0..10 {
                let _ = net.nodes[sender].hub.send(net.now_us, player(receiver), Channel::ChatPresence, b"spam");
            }
            net.pump(sender);
            net.run(250_000);
            if receiver == 1 {
                heard += net.nodes[1].got.len();
            }
        }
        if receiver == 0 {
            heard = net.nodes[0].got.len();
        }
        // A receiver saves up for what may be under way, 84 messages, and lets a tenth more through; a sender
        // begins with a second's worth.
        let passed = seconds(net.now_us - from_us);
        let most = if receiver == 0 { 84 + 11 * passed } else { 10 * (passed + 1) };
        assert!((5 * passed..=most).contains(&heard), "from {sender}: {heard} messages in {passed} s, at most {most}");
    }
}
