//! A peer whose address changes in the middle of a match.

use snapback::sim::World;
use snapback::transport::LinkSettings;
use snapback::transport::link::Loss;
use snapback::transport::secure::AddressPolicy;
use snapback::{Outcome, PeerEvent};
use snapback_harness::plan::world_cluster;
use snapback_harness::{Cluster, ClusterSettings};
use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;

const MINUTE_US: u64 = 60_000_000;

fn settings(players: usize, address_policy: AddressPolicy) -> ClusterSettings {
    let link =
        LinkSettings { delay_us: 25_000, jitter_us: 5_000, loss: Loss::Independent { per_million: 30_000 }, ..LinkSettings::default() };
    ClusterSettings { link, is_encrypted: true, address_policy, ..ClusterSettings::new(11, players, 900) }
}

fn clean(settings: &ClusterSettings) -> Vec<snapback::StateHash> {
    let mut cluster = world_cluster(&ClusterSettings { is_encrypted: false, ..settings.clone() }).unwrap();
    cluster.run(MINUTE_US).unwrap();
    cluster.judge().hashes().to_vec()
}

/// Receiver and bytes.
type Heard = Rc<RefCell<Vec<(usize, Vec<u8>)>>>;
type Moves = Rc<RefCell<Vec<(usize, SocketAddr, SocketAddr)>>>;

fn watch(cluster: &mut Cluster<World>) -> Moves {
    let moves: Moves = Rc::default();
    let seen = Rc::clone(&moves);
    cluster.set_on_event(move |at, event| {
        if let PeerEvent::Moved { from, to, .. } = event {
            seen.borrow_mut().push((at, *from, *to));
        }
    });
    moves
}

/// Another port, then another IP, of a joiner and of the host, of two and of three peers.
#[test]
fn the_match_follows_a_port_and_then_an_ip() {
    for players in [2, 3] {
        for mover in 0..players {
            let settings = settings(players, AddressPolicy::Follow);
            let mut cluster = world_cluster(&settings).unwrap();
            let moves = watch(&mut cluster);
            let home = cluster.nodes()[mover].address();
            let port = SocketAddr::new(home.ip(), 7_777);
            let elsewhere: SocketAddr = "192.0.2.9:1234".parse().unwrap();
            cluster.run_until(5_000_000).unwrap();
            cluster.set_address(mover, port);
            cluster.run_until(9_000_000).unwrap();
            cluster.set_address(mover, elsewhere);
            cluster.run(2 * MINUTE_US).unwrap_or_else(|error| panic!("{players} peers, {mover} moves: {error}"));
            for watcher in (0..players).filter(|watcher| *watcher != mover) {
                let seen: Vec<_> = moves.borrow().iter().filter(|(at, ..)| *at == watcher).map(|(_, from, to)| (*from, *to)).collect();
                assert_eq!(seen, [(home, port), (port, elsewhere)], "{players} peers, {mover} moves, {watcher} watches");
            }
            assert_eq!(cluster.judge().hashes(), clean(&settings));
        }
    }
}

/// Who shall stay is lost by a type, after the timeout and not before.
#[test]
fn a_peer_that_may_not_move_is_lost_after_the_timeout() {
    for mover in [0, 1] {
        let mut cluster = world_cluster(&settings(2, AddressPolicy::Stay)).unwrap();
        let moves = watch(&mut cluster);
        cluster.run_until(5_000_000).unwrap();
        cluster.set_address(mover, "192.0.2.9:1234".parse().unwrap());
        cluster.run_until(14_800_000).unwrap();
        assert!(cluster.nodes().iter().all(|node| node.peer.outcome().is_none()));
        cluster.run_until(19_000_000).unwrap();
        for node in cluster.nodes() {
            assert!(matches!(node.peer.outcome(), Some(Outcome::Lost { players, .. }) if players.len() == 1), "{:?}", node.peer.outcome());
        }
        assert!(moves.borrow().is_empty());
    }
}

/// Somebody who hears everything sends copies from elsewhere all the time: after the original, and
/// before it.
#[test]
fn spoofed_moves_change_nothing() {
    for comes_first in [false, true] {
        let settings = settings(2, AddressPolicy::Follow);
        let mut cluster = world_cluster(&settings).unwrap();
        let moves = watch(&mut cluster);
        let heard: Heard = Rc::default();
        let ear = Rc::clone(&heard);
        cluster.set_filter(move |passing| {
            ear.borrow_mut().push((passing.to, passing.bytes.to_vec()));
            true
        });
        let thief: SocketAddr = "203.0.113.66:66".parse().unwrap();
        let mut copies = 0;
        while !cluster.is_over() {
            cluster.advance().unwrap();
            let now_us = cluster.now_us();
            let mut heard = heard.borrow_mut();
            let keep = if comes_first { 0 } else { 30 };
            while heard.len() > keep {
                let (to, bytes) = heard.remove(0);
                let node = &mut cluster.nodes_mut()[to];
                let local_us = now_us + node.clock_offset_us();
                // Handshakes are not copied: they come from a stranger then.
                if bytes[0] >= 0x20 {
                    node.peer.handle(local_us, thief, &bytes);
                    copies += 1;
                }
            }
        }
        assert!(copies > 1_000, "{copies}");
        assert!(moves.borrow().is_empty());
        for node in cluster.nodes() {
            assert!(matches!(node.peer.outcome(), Some(Outcome::Agreed | Outcome::Unverified { .. })), "{:?}", node.peer.outcome());
        }
        assert_eq!(cluster.judge().hashes(), clean(&settings));
    }
}

/// A joiner moves while all still gather: it is found again, or dials again.
#[test]
fn a_joiner_may_move_before_the_start() {
    for players in [2, 3] {
        for at_us in (40_000..600_000).step_by(40_000) {
            let mut cluster = world_cluster(&settings(players, AddressPolicy::Follow)).unwrap();
            cluster.run_until(at_us).unwrap();
            cluster.set_address(players - 1, "192.0.2.9:1234".parse().unwrap());
            cluster.run(2 * MINUTE_US).unwrap_or_else(|error| panic!("{players} peers, after {at_us} us: {error}"));
        }
    }
}
