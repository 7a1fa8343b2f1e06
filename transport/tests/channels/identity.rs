//! Who has the ticket of a seat and is somebody else than the player in it.

use crate::net::{Channel, Match, Net, Profile, SECOND_US, address, elsewhere, player};
use snapback_transport::channel::{HubEvent, HubSecurity, HubSettings, LostReason};
use snapback_transport::credentials::IdentityKey;
use snapback_transport::packet::Reject;
use snapback_transport::secure::{Certificate, Identity};

/// The same ticket, another person.
fn thief(of: &Match, seat: usize) -> HubSettings {
    let mut settings = of.settings(seat, 7);
    if let HubSecurity::Encrypted { settings, .. } = &mut settings.security {
        settings.identity = Identity::from_seed(&[200; 32]);
        settings.certificate = Certificate::generate().unwrap();
    }
    settings
}

fn identity(of: &Match, seat: usize) -> IdentityKey {
    of.secure(seat).identity.key()
}

fn refused(net: &Net, at: usize) -> u64 {
    net.nodes[at].hub.rejects().find(|(reject, _)| *reject == Reject::BadProof).map_or(0, |(_, count)| count)
}

fn lost(seat: usize, reason: LostReason) -> HubEvent {
    HubEvent::Lost { player: player(seat), reason, undelivered: vec![] }
}

fn met(seat: usize) -> HubEvent {
    HubEvent::Connected { player: player(seat) }
}

#[test]
fn the_seat_of_somebody_who_is_there_is_not_taken_and_nothing_is_told_of_it() {
    for player_count in [2, 3] {
        let of = Match::new(Profile::Encrypted, player_count);
        let mut net = Net::connected(1, &of);
        assert_eq!(net.nodes[0].hub.identity(player(1)), Some(identity(&of, 1)));
        assert_eq!(net.nodes[1].hub.identity(player(0)), Some(identity(&of, 0)));
        let (others, before) = (usize::from(player_count), net.events(0));
        net.add(thief(&of, 1), elsewhere(3));
        net.run(60 * SECOND_US);
        assert_eq!(net.events(0), before, "it is told of a thief");
        assert!(refused(&net, 0) > 0);
        let now_us = net.now_us;
        net.nodes[0].hub.send(now_us, player(1), Channel::MatchState, b"secret").unwrap();
        net.pump(0);
        net.run(SECOND_US);
        assert_eq!((net.got(others, 0, Channel::MatchState).len(), net.got(1, 0, Channel::MatchState).len()), (0, 1));
        assert!(net.nodes[others].hub.connected().is_empty());
    }
}

#[test]
fn the_seat_of_somebody_who_is_away_waits_for_its_owner() {
    let of = Match::new(Profile::Encrypted, 2);
    let mut net = Net::connected(2, &of);
    net.set_hook(|passing| passing.from != address(1) && passing.to != address(1));
    net.run(40 * SECOND_US);
    assert!(net.nodes[0].hub.connected().is_empty());
    net.add(thief(&of, 1), elsewhere(3));
    net.run(20 * SECOND_US);
    assert!(net.nodes[0].hub.connected().is_empty() && net.nodes[2].hub.connected().is_empty());
    // Started anew, with the identity that it had.
    net.clear_hook();
    net.restart(1, of.settings(1, 1));
    assert!(net.run_until(10 * SECOND_US, |net| !net.nodes[0].hub.connected().is_empty()), "{:?}", net.events(0));
    assert_eq!(net.nodes[0].hub.identity(player(1)), Some(identity(&of, 1)));
    net.restart(1, of.settings(1, 2));
    assert!(net.run_until(10 * SECOND_US, |net| net.events(0).len() == 6), "{:?}", net.events(0));
    assert_eq!(net.events(0)[4..], [lost(1, LostReason::Replaced), met(1)]);
}

#[test]
fn whom_the_program_expects_is_let_in_and_nobody_before_it() {
    let of = Match::new(Profile::Encrypted, 2);
    let mut net = Net::new(3);
    net.add(of.settings(0, 0), address(0));
    net.nodes[0].hub.expect_identity(player(1), identity(&of, 1));
    net.add(thief(&of, 1), elsewhere(3));
    net.run(20 * SECOND_US);
    assert_eq!(net.events(0), []);
    assert!(refused(&net, 0) > 0);
    net.add(of.settings(1, 0), address(1));
    assert!(net.run_until(5 * SECOND_US, |net| net.events(0) == [met(1)]), "{:?}", net.events(0));
}

#[test]
fn a_thief_who_was_first_makes_room_once_the_program_knows_better() {
    let of = Match::new(Profile::Encrypted, 3);
    let mut net = Net::new(4);
    net.add(of.settings(0, 0), address(0));
    net.add(thief(&of, 1), elsewhere(3));
    net.add(of.settings(2, 0), address(2));
    assert!(net.run_until(5 * SECOND_US, Net::is_mesh));
    // What was proved is right: nothing changes.
    net.nodes[0].hub.expect_identity(player(2), identity(&of, 2));
    for at in [0, 2] {
        net.nodes[at].hub.expect_identity(player(1), identity(&of, 1));
        net.pump(at);
        assert_eq!(net.events(at)[2..], [lost(1, LostReason::OtherIdentity)], "{at}");
    }
    net.add(of.settings(1, 0), address(1));
    let is_back = |net: &Net| [0, 2, 3].iter().all(|at| net.nodes[*at].hub.connected().len() == 2);
    assert!(net.run_until(20 * SECOND_US, is_back), "{:?}", net.connections());
    for at in [0, 2] {
        assert_eq!(net.events(at)[3..], [met(1)]);
        assert_eq!(net.nodes[at].hub.identity(player(1)), Some(identity(&of, 1)));
    }
    net.run(30 * SECOND_US);
    assert_eq!(net.events(0).len(), 4, "{:?}", net.events(0));
}

/// The host's program knows the players, and joiners take its word; the program of a joiner may know better
/// than the host.
#[test]
fn joiners_know_each_other_by_the_identity_that_the_host_tells() {
    for is_first_known in [false, true] {
        let of = Match::new(Profile::Encrypted, 3);
        let mut net = Net::new(5);
        net.add(of.settings(0, 0), address(0));
        net.add(of.settings(2, 0), address(2));
        if is_first_known {
            net.nodes[1].hub.expect_identity(player(1), identity(&of, 1));
        }
        net.add(thief(&of, 1), elsewhere(3));
        net.run(5 * SECOND_US);
        let met_thief = net.nodes[1].hub.connected().contains(player(1));
        assert_eq!(met_thief, !is_first_known, "{:?}", net.events(1));
        // The host finds out, and tells of the right one.
        net.nodes[0].hub.expect_identity(player(1), identity(&of, 1));
        net.pump(0);
        net.add(of.settings(1, 0), address(1));
        let is_back = |net: &Net| [0, 1, 3].iter().all(|at| net.nodes[*at].hub.connected().len() == 2);
        assert!(net.run_until(20 * SECOND_US, is_back), "{is_first_known}: {:?} {:?}", net.connections(), net.events(1));
        assert_eq!(net.nodes[1].hub.identity(player(1)), Some(identity(&of, 1)));
        let told: &[HubEvent] = if is_first_known { &[met(1)] } else { &[met(1), lost(1, LostReason::OtherIdentity), met(1)] };
        assert_eq!(&net.events(1)[1..], told);
    }
}
