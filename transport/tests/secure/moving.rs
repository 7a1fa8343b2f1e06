//! A peer whose address changes, and those who pretend that it did.

use super::net::{DATA, Datagram, GUEST, HOST, Net, address, elsewhere};
use super::rogue::Rogue;
use snapback_transport::packet::{Path, Reject};
use snapback_transport::secure::{AddressPolicy, Identity, SecureEvent};
use std::net::SocketAddr;

fn other_port(of: SocketAddr) -> SocketAddr {
    SocketAddr::new(of.ip(), of.port() + 1)
}

fn moves(net: &Net, at: usize) -> Vec<(SocketAddr, SocketAddr)> {
    let moved = |event: &SecureEvent| match event {
        SecureEvent::Moved { from, to } => Some((*from, *to)),
        _ => None,
    };
    net.nodes[at].events.iter().filter_map(moved).collect()
}

/// Another port, then another IP, at either end, with traffic in both directions all the time.
#[test]
fn the_connection_follows_a_port_and_then_an_ip() {
    for (mover, watcher) in [(GUEST, HOST), (HOST, GUEST)] {
        let mut net = Net::standing(1);
        let mut known = address(mover);
        for to in [other_port(known), elsewhere(5), elsewhere(6), address(mover)] {
            net.nodes[mover].address = to;
            // The watcher's own packets go nowhere meanwhile.
            for n in 0..10 {
                net.send(mover, address(watcher), &[n]);
                net.run(net.now_us + 17_000);
            }
            assert_eq!(moves(&net, watcher).last(), Some(&(known, to)));
            known = to;
            assert_eq!(net.proved(watcher, to).map(|proved| proved.seat), Some(1));
            assert!(net.talks(mover, watcher, address(watcher)) && net.talks(watcher, mover, to));
            assert!(net.nodes[watcher].got.iter().all(|(from, _)| *from != to || known == to));
        }
        assert_eq!(net.nodes[watcher].socket.stats().moved, 4);
    }
}

/// Not one packet of the mover is lost while the token travels.
#[test]
fn packets_from_the_new_address_count_before_it_has_answered() {
    let mut net = Net::standing(1);
    net.nodes[GUEST].address = elsewhere(5);
    let before = net.nodes[HOST].got.len();
    for n in 0..100u8 {
        net.send(GUEST, address(HOST), &[n]);
        net.run(net.now_us + 16_667);
    }
    net.run(net.now_us + 100_000);
    assert_eq!(net.nodes[HOST].got.len(), before + 100);
}

/// It works on a bad link too: the question is repeated.
#[test]
fn a_lost_question_is_asked_again() {
    for seed in 0..20 {
        let mut net = Net::standing(seed);
        net.weather.loss_per_million = 400_000;
        net.nodes[GUEST].address = elsewhere(5);
        for n in 0..120u8 {
            net.send(GUEST, address(HOST), &[n]);
            net.run(net.now_us + 16_667);
        }
        assert_eq!(moves(&net, HOST), [(address(GUEST), elsewhere(5))], "seed {seed}");
    }
}

#[test]
fn who_shall_stay_is_not_followed() {
    let mut net = Net::standing_with(1, AddressPolicy::Stay);
    let before = net.nodes[HOST].got.len();
    net.nodes[GUEST].address = other_port(address(GUEST));
    for n in 0..50u8 {
        net.send(GUEST, address(HOST), &[n]);
        net.run(net.now_us + 16_667);
    }
    assert_eq!((net.nodes[HOST].got.len(), moves(&net, HOST)), (before, Vec::new()));
    assert!(net.nodes[HOST].socket.rejects().of(Reject::UnknownSender) >= 49);
    // Back home, all is well.
    net.nodes[GUEST].address = address(GUEST);
    assert!(net.talk_both_ways());
}

/// Copies of what was delivered already, and of everything older, from a third address.
#[test]
fn an_off_path_rebind_changes_nothing() {
    let mut net = Net::standing(1);
    for n in 0..30 {
        net.send(GUEST, address(HOST), &[n]);
        net.send(HOST, address(GUEST), &[n]);
        net.run(net.now_us + 10_000);
    }
    net.run(net.now_us + 100_000);
    let stats: Vec<_> = net.nodes.iter().map(|node| node.socket.stats()).collect();
    let (sent, got) = (net.heard.len(), net.nodes[HOST].got.len());
    for Datagram { to, bytes, .. } in net.heard.clone() {
        let to = usize::from(to == address(GUEST));
        let _ = net.give(to, elsewhere(9), &bytes);
        net.now_us += 20_000;
    }
    net.pump();
    assert!(net.heard[sent..].iter().all(|datagram| datagram.to != elsewhere(9) || datagram.bytes[0] == 9), "it is spoken to");
    for (node, before) in net.nodes.iter().zip(stats) {
        assert_eq!((node.socket.stats().moved, node.socket.stats().established), (0, before.established));
        assert!(node.socket.stats().trials > before.trials, "nothing was tried");
    }
    assert_eq!(net.nodes[HOST].got.len(), got);
    assert!(net.talk_both_ways());
}

/// Somebody on the way sends a copy of every packet from elsewhere, and it comes first. The question
/// goes there, and nobody there can answer it.
#[test]
fn a_copy_that_comes_first_does_not_move_the_connection() {
    let mut net = Net::standing(1);
    for n in 0..200u8 {
        let bytes = net.sealed(GUEST, address(HOST), &[n]);
        net.give(HOST, elsewhere(9), &bytes).unwrap();
        assert_eq!(net.give(HOST, address(GUEST), &bytes), Err(Reject::Undecryptable));
        net.run(net.now_us + 16_667);
    }
    assert_eq!(net.nodes[HOST].socket.stats().moved, 0);
    let asked = net.heard.iter().filter(|datagram| datagram.to == elsewhere(9)).count();
    assert!((1..=60).contains(&asked), "asked {asked} times in 3 seconds");
    assert!(net.nodes[HOST].got.iter().all(|(from, _)| *from == address(GUEST)), "what came first counts as the peer's");
    assert!(net.talk_both_ways());
    // What it was asked, sent back from there, is no answer; nor is anything else that it can copy.
    for Datagram { bytes, .. } in net.heard.clone().into_iter().filter(|datagram| datagram.to == elsewhere(9)) {
        let _ = net.give(HOST, elsewhere(9), &bytes);
    }
    assert_eq!(net.nodes[HOST].socket.stats().moved, 0);
}

/// The answer must come from where the question went.
#[test]
fn an_answer_from_another_address_moves_nothing() {
    let mut net = Net::standing(1);
    let bytes = net.sealed(GUEST, address(HOST), b"copied");
    net.give(HOST, elsewhere(9), &bytes).unwrap();
    net.pump();
    let question = net.heard.iter().rev().find(|datagram| datagram.to == elsewhere(9)).unwrap().bytes.clone();
    // The thief hands the question on to the peer, who answers it to the host as always.
    let sent = net.heard.len();
    net.set_hook(|_, _| false);
    net.give(GUEST, address(HOST), &question).unwrap();
    net.pump();
    net.clear_hook();
    let answer = net.heard[sent..].iter().find(|datagram| datagram.to == address(HOST)).unwrap().bytes.clone();
    net.give(HOST, elsewhere(10), &answer).unwrap();
    net.run(net.now_us + 200_000);
    assert_eq!(net.nodes[HOST].socket.stats().moved, 0);
    assert!(net.talk_both_ways());
}

/// Nor does an answer with another token, even of the peer itself.
#[test]
fn an_answer_with_another_token_moves_nothing() {
    let mut net = Net::pair(1);
    let mut rogue = Rogue::dialer(address(GUEST), 5);
    let now_us = net.now_us;
    let host = &mut net.nodes[HOST].socket;
    rogue.exchange(host, now_us);
    let proof = rogue.proof(1, &Identity::from_seed(&[2; 32]));
    rogue.prove(host, now_us, &proof);
    host.claim(address(GUEST));
    rogue.address = elsewhere(5);
    rogue.heard.clear();
    rogue.say(host, now_us, &[DATA, 1]);
    let question = rogue.heard.iter().find_map(|packet| Path::read(packet).ok()).unwrap();
    for (token, is_right) in [(question.token ^ 1, false), (0, false), (question.token, true)] {
        let mut out = [0; Path::BYTES];
        Path { is_answer: true, token }.write(&mut out);
        rogue.say(host, now_us, &out);
        assert_eq!(host.proved(elsewhere(5)).is_some(), is_right);
    }
}

/// A move does not need luck while somebody floods: tries are shared out, and the mover gets its turn.
#[test]
fn a_mover_is_found_in_a_flood() {
    let mut net = Net::standing(1);
    let mut junk = net.sealed(GUEST, address(HOST), &[0; 30]);
    junk[20] ^= 1;
    net.nodes[GUEST].address = other_port(address(GUEST));
    for n in 0..600u32 {
        net.send(GUEST, address(HOST), &n.to_le_bytes());
        for flood in 0..20 {
            let _ = net.give(HOST, elsewhere(n * 20 + flood), &junk);
            net.run(net.now_us + 833);
        }
    }
    assert_eq!(moves(&net, HOST), [(address(GUEST), other_port(address(GUEST)))]);
}

/// The peer's program was started anew and comes from the same port, or from another one.
#[test]
fn a_peer_that_was_started_anew_comes_in_again() {
    for port in [0, 1] {
        let mut net = Net::standing(1);
        let before = net.proved(HOST, address(GUEST)).unwrap();
        let home = SocketAddr::new(address(GUEST).ip(), address(GUEST).port() + port);
        let fresh = Net::new(5, vec![super::net::settings(HOST), super::net::settings(GUEST)]).nodes.remove(GUEST);
        net.nodes[GUEST] = fresh;
        net.nodes[GUEST].address = home;
        let fingerprint = net.nodes[HOST].socket.fingerprint();
        net.nodes[GUEST].socket.dial(net.now_us, address(HOST), 1, super::net::secret(1), fingerprint, 77);
        let until_us = net.now_us + 2_000_000;
        while net.proved(GUEST, address(HOST)).is_none() && net.now_us < until_us {
            net.step(until_us);
        }
        let after = net.proved(HOST, home).unwrap();
        assert_eq!((after.seat, after.identity), (before.seat, before.identity));
        assert_ne!(after.fingerprint, before.fingerprint);
        assert!(net.talks(GUEST, HOST, address(HOST)) && net.talks(HOST, GUEST, home));
        // Where it was, nothing is left once its place is given up.
        if port == 1 {
            net.nodes[HOST].socket.hang_up(address(GUEST));
            assert_eq!(net.proved(HOST, address(GUEST)), None);
            assert!(net.talks(HOST, GUEST, home));
        }
    }
}
