//! Hostile datagrams in the middle of a match: nothing panics, nothing changes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback::transport::LinkSettings;
use snapback::transport::packet::{ConnectionKey, Reject};
use snapback::{PeerPhase, Rng};
use snapback_harness::ClusterSettings;
use snapback_harness::plan::world_cluster;
use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;

/// Real datagrams of the match, flipped, cut, extended, replayed and sent by strangers.
#[test]
fn mutated_datagrams_change_nothing() {
    let settings =
        ClusterSettings { link: LinkSettings { delay_us: 20_000, ..LinkSettings::default() }, ..ClusterSettings::new(5, 2, 1_200) };
    let mut undisturbed = world_cluster(&settings).unwrap();
    undisturbed.run(60_000_000).unwrap();

    /// Sender, receiver, bytes.
    type Sent = (usize, usize, Vec<u8>);
    let seen: Rc<RefCell<Vec<Sent>>> = Rc::default();
    let seen_in = Rc::clone(&seen);
    let mut cluster = world_cluster(&settings).unwrap();
    cluster.set_filter(move |passing| {
        seen_in.borrow_mut().push((passing.from, passing.to, passing.bytes.to_vec()));
        true
    });
    let mut rng = Rng::new(5, 5);
    let mut injected = 0u64;
    while !cluster.is_over() {
        cluster.advance().unwrap();
        let now_us = cluster.now_us();
        let addresses: Vec<SocketAddr> = cluster.nodes().iter().map(snapback_harness::cluster::Node::address).collect();
        for _ in 0..20 {
            let at = rng.below(seen.borrow().len().max(1) as u32) as usize;
            let Some((from, to, mut bytes)) = seen.borrow().get(at).cloned() else { continue };
            mutate(&mut rng, &mut bytes);
            let node = &mut cluster.nodes_mut()[to];
            let stranger = SocketAddr::from(([9, 9, 9, 9], 9));
            let sender = if rng.chance(200_000) { stranger } else { addresses[from] };
            let local_us = now_us + node.clock_offset_us();
            node.peer.handle(local_us, sender, &bytes);
            injected += 1;
        }
    }
    assert!(injected > 50_000, "{injected}");
    assert_eq!(cluster.judge().hashes(), undisturbed.judge().hashes());
    for node in cluster.nodes() {
        assert_eq!(node.peer.phase(), PeerPhase::Over);
        assert_eq!(node.peer.outcome(), Some(&snapback::Outcome::Agreed));
        let rejects: Vec<Reject> = node.peer.rejects().map(|(reject, _)| reject).collect();
        for expected in [Reject::BadCrc, Reject::TooShort, Reject::UnknownType, Reject::UnknownSender, Reject::Duplicate] {
            assert!(rejects.contains(&expected), "{expected} never happened: {rejects:?}");
        }
    }
}

fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>) {
    match rng.below(6) {
        0 => {}
        1 => bytes.truncate(rng.below(bytes.len() as u32 + 1) as usize),
        2 => bytes.extend((0..rng.below(40)).map(|_| 0)),
        3 => bytes.iter_mut().for_each(|byte| *byte = rng.next_u32() as u8),
        4 if !bytes.is_empty() => bytes[0] = rng.next_u32() as u8,
        _ => {
            for _ in 0..1 + rng.below(8) {
                let bit = rng.below(8 * bytes.len().max(1) as u32) as usize;
                if let Some(byte) = bytes.get_mut(bit / 8) {
                    *byte ^= 1 << (bit % 8);
                }
            }
        }
    }
}

/// Strangers that dial without end take no seat, and are answered with no more than they sent.
#[test]
fn a_flood_of_hellos_takes_no_seat_and_draws_no_more_than_it_sends() {
    use snapback::sim::{World, WorldData};
    use snapback::transport::packet::Hello;
    use snapback::{Frame, Peer, PeerSettings, PlayerSet, Role, RollbackConfig, Security, TRANSMIT_BUFFER_BYTES};
    let settings = PeerSettings {
        role: Role::Host { first_frame: Frame::ZERO, last_frame: None },
        match_id: 5,
        nonce: 6,
        seed_secret: snapback::SeedSecret::fixed(1),
        player_count: 2,
        local_player_count: 1,
        config: RollbackConfig { require_encrypted_transport: false, ..RollbackConfig::default() },
        input_delay_frames: 0,
        security: Security::InsecureLan,
    };
    let mut host = Peer::new(World::new(WorldData::default()), settings, 0).unwrap();
    let (mut bytes_in, mut bytes_out) = (0, 0);
    let mut out = [0; TRANSMIT_BUFFER_BYTES];
    for n in 0..10_000u32 {
        let params = snapback::transport::PeerParams {
            simulation_name: 0,
            simulation_version: 0,
            layout_fingerprint: 0,
            config_hash: 0,
            simulation_hz: 60,
            input_bytes: 2,
            player_count: 2,
            window_max_frames: 8,
            delay_max_frames: 10,
        };
        let hello =
            Hello { version: 1, match_id: u64::from(n % 3) + 4, nonce: n.into(), players: PlayerSet::EMPTY, player_count: 1, params };
        let len = hello.write(ConnectionKey::GREETING, &mut out);
        bytes_in += len;
        let from = SocketAddr::from((n.to_be_bytes(), 1));
        let datagram = out[..len].to_vec();
        host.handle(u64::from(n), from, &datagram);
        while let Some(transmit) = host.poll_transmit(u64::from(n), &mut out) {
            bytes_out += transmit.len;
        }
    }
    assert!(bytes_out <= bytes_in, "{bytes_out} bytes for {bytes_in}");
    assert_eq!(host.connections().count(), 0);
}
