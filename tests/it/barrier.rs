//! Coming together: seats, refusals, the start barrier.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback::sim::{World, WorldData};
use snapback::transport::LinkSettings;
use snapback::transport::packet::{BarrierState, ConnectionKey, Hello, PacketType, SeedPart, Sync};
use snapback::{
    Frame, Outcome, Peer, PeerEvent, PeerPhase, PeerSettings, PlayerSet, Role, RollbackConfig, Security, SeedSecret, TRANSMIT_BUFFER_BYTES,
};
use snapback_harness::plan::world_cluster;
use snapback_harness::{ClusterSettings, cluster::ClusterError};
use std::net::SocketAddr;

const HOST: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1)), 1);

fn settings(role: Role, player_count: u8) -> PeerSettings {
    let config = RollbackConfig { require_encrypted_transport: false, ..RollbackConfig::default() };
    PeerSettings {
        role,
        match_id: 5,
        nonce: 0x1000,
        seed_secret: SeedSecret::fixed(1),
        player_count,
        local_player_count: 1,
        config,
        input_delay_frames: 0,
        security: Security::InsecureLan,
    }
}

fn host(player_count: u8) -> Peer<World> {
    let role = Role::Host { first_frame: Frame::ZERO, last_frame: Some(Frame::new(599)) };
    Peer::new(World::new(WorldData::default()), settings(role, player_count), 0).unwrap()
}

fn joiner(nonce: u64, change: impl FnOnce(&mut PeerSettings)) -> Peer<World> {
    let mut settings = PeerSettings { nonce, ..settings(Role::Join { host: HOST }, 2) };
    change(&mut settings);
    Peer::new(World::new(WorldData::default()), settings, 0).unwrap()
}

fn joiner_address(n: u16) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 2], n))
}

/// Carries every datagram at once, for `rounds` of 10 ms; peers are a host and joiners 1, 2, and so on.
fn carry(peers: &mut [&mut Peer<World>], from_us: u64, rounds: u64) -> u64 {
    let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
    let address = |index: usize| if index == 0 { HOST } else { joiner_address(index as u16) };
    for round in 0..rounds {
        let now_us = from_us + 10_000 * round;
        for from in 0..peers.len() {
            while let Some(transmit) = peers[from].poll_transmit(now_us, &mut buffer) {
                let datagram = buffer[..transmit.len].to_vec();
                if let Some(to) = (0..peers.len()).find(|to| address(*to) == transmit.to) {
                    peers[to].handle(now_us, address(from), &datagram);
                }
            }
        }
    }
    from_us + 10_000 * rounds
}

#[test]
fn peers_that_do_not_fit_are_refused_with_a_line_that_says_why() {
    let mut host = host(2);
    let mut refused = |mut peer: Peer<World>| {
        carry(&mut [&mut host, &mut peer], 0, 5);
        peer.outcome().unwrap().to_string()
    };
    insta::assert_snapshot!(refused(joiner(1, |s| s.match_id = 6)), @"the host waits for another match: ask for its newest ticket");
    insta::assert_snapshot!(refused(joiner(2, |s| s.config.simulation_hz = 50)), @"the host plays something else: simulation_hz differs: the joining peer has 50, the other 60; use the same version and data on both sides");
    insta::assert_snapshot!(refused(joiner(3, |s| s.player_count = 3)), @"the host plays something else: the number of players differs: the joining peer has 3, the other 2; use the same version and data on both sides");
    let mut files = WorldData::default_files();
    files[1].text = files[1].text.replacen("health = 1000", "health = 999", 1);
    assert_ne!(files, WorldData::default_files());
    let other = WorldData::load(&files).unwrap();
    let peer = Peer::new(World::new(other), PeerSettings { nonce: 4, ..settings(Role::Join { host: HOST }, 2) }, 0).unwrap();
    let line = refused(peer);
    assert!(line.starts_with("the host plays something else: the game's data (its hash) differs"), "{line}");
}

#[test]
fn a_peer_of_another_version_is_refused_with_our_version() {
    let mut host = host(2);
    let mut peer = joiner(9, |_| {});
    let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
    let len = peer.poll_transmit(0, &mut buffer).unwrap().len;
    let hello = Hello { version: 99, ..Hello::read(&buffer[..len], ConnectionKey::GREETING).unwrap() };
    let len = hello.write(ConnectionKey::GREETING, &mut buffer);
    host.handle(0, joiner_address(1), &buffer[..len]);
    let len = host.poll_transmit(0, &mut buffer).unwrap().len;
    peer.handle(0, HOST, &buffer[..len]);
    // The answer names the host's version; a peer of that same version knows it from its own.
    insta::assert_snapshot!(peer.outcome().unwrap(), @"the host speaks protocol version 4 and this program 4: use the same version on both sides");
    assert_eq!(host.connections().count(), 0);
}

#[test]
fn a_full_match_and_a_started_match_take_nobody() {
    let (mut host, mut first, mut second) = (host(2), joiner(1, |_| {}), joiner(2, |_| {}));
    let now_us = carry(&mut [&mut host, &mut first, &mut second], 0, 10);
    insta::assert_snapshot!(second.outcome().unwrap(), @"the match has no seat left");
    host.set_loaded();
    first.set_loaded();
    let now_us = carry(&mut [&mut host, &mut first], now_us, 40);
    assert_eq!(host.phase(), PeerPhase::Countdown);
    let mut late = joiner(3, |_| {});
    let mut nobody = joiner(4, |_| {});
    carry(&mut [&mut host, &mut nobody, &mut late], now_us, 5);
    insta::assert_snapshot!(late.outcome().unwrap(), @"the match has already started");
}

#[test]
fn nobody_starts_before_everybody_has_loaded() {
    let (mut host, mut peer) = (host(2), joiner(1, |_| {}));
    host.set_loaded();
    let now_us = carry(&mut [&mut host, &mut peer], 0, 300);
    assert_eq!((host.phase(), peer.phase()), (PeerPhase::Gathering, PeerPhase::Gathering));
    peer.set_loaded();
    carry(&mut [&mut host, &mut peer], now_us, 40);
    assert_eq!((host.phase(), peer.phase()), (PeerPhase::Countdown, PeerPhase::Countdown));
    let skew_us = host.start_at_us().unwrap().abs_diff(peer.start_at_us().unwrap());
    assert!(skew_us < 1_000, "{skew_us} us apart");
}

#[test]
fn a_joiner_that_goes_before_the_start_gives_its_seat_to_the_next() {
    let (mut host, mut first) = (host(2), joiner(1, |_| {}));
    let now_us = carry(&mut [&mut host, &mut first], 0, 10);
    assert_eq!(host.connections().count(), 1);
    first.leave(now_us);
    let now_us = carry(&mut [&mut host, &mut first], now_us, 10);
    assert_eq!((first.outcome(), host.outcome()), (Some(&Outcome::Quit), None));
    assert_eq!(host.connections().count(), 0);

    // The next one vanishes without a word.
    let mut second = joiner(2, |_| {});
    let now_us = carry(&mut [&mut host, &mut second], now_us, 10);
    assert_eq!(host.connections().count(), 1);
    let now_us = carry(&mut [&mut host], now_us, 1_100);
    assert_eq!((host.outcome(), host.connections().count()), (None, 0));
    let mut gone = 0;
    while let Some(event) = host.poll_event() {
        gone += u32::from(matches!(event, PeerEvent::Gone { .. }));
    }
    assert_eq!(gone, 1);

    let third_settings = PeerSettings { nonce: 3, ..settings(Role::Join { host: HOST }, 2) };
    let mut third = Peer::new(World::new(WorldData::default()), third_settings, now_us).unwrap();
    host.set_loaded();
    third.set_loaded();
    carry(&mut [&mut host, &mut third], now_us, 40);
    assert_eq!((host.phase(), third.phase()), (PeerPhase::Countdown, PeerPhase::Countdown));
}

#[test]
fn a_program_that_is_started_anew_at_the_same_address_is_taken_in_again() {
    let mut host = host(2);
    let mut first = joiner(1, |_| {});
    let now_us = carry(&mut [&mut host, &mut first], 0, 10);
    let mut again = joiner(2, |_| {});
    host.set_loaded();
    again.set_loaded();
    carry(&mut [&mut host, &mut again], now_us, 40);
    assert_eq!((host.phase(), again.phase()), (PeerPhase::Countdown, PeerPhase::Countdown));
    assert_eq!(again.facts().unwrap().local_players, PlayerSet::from_bits(2));
}

#[test]
fn a_host_that_never_answers_is_given_up_after_the_timeout() {
    let mut peer = joiner(1, |_| {});
    let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
    let mut hellos = 0;
    for now_us in (0..=10_000_000).step_by(10_000) {
        while peer.poll_transmit(now_us, &mut buffer).is_some() {
            hellos += 1;
        }
    }
    assert!((90..=101).contains(&hellos), "{hellos} hellos in ten seconds");
    insta::assert_snapshot!(peer.outcome().unwrap(), @"nobody answered: check the address, that the host is running, and that UDP gets through");
    assert_eq!(peer.poll_timeout(), None);
}

/// Every packet that says when to start is lost: the first inputs start the others.
#[test]
fn a_start_that_nobody_was_told_of() {
    let link = LinkSettings { delay_us: 30_000, ..LinkSettings::default() };
    let settings = ClusterSettings { link, ..ClusterSettings::new(3, 3, 300) };
    let mut cluster = world_cluster(&settings).unwrap();
    cluster.set_filter(|passing| {
        // The state of a Sync packet is in its second byte, below the echo bit.
        let go = PacketType::of(passing.bytes) == Ok(PacketType::Sync) && passing.bytes.get(1).is_some_and(|b| b & 0x7F == 3);
        !go
    });
    cluster.run(60_000_000).unwrap();
    assert_eq!(cluster.judge().confirmed_by_all(), Frame::new(299));
}

/// Peers that share a link of even delays start within a frame of each other.
#[test]
fn frame_0_is_played_together() {
    for (delay_us, jitter_us) in [(0, 0), (40_000, 5_000), (120_000, 20_000)] {
        let link = LinkSettings { delay_us, jitter_us, ..LinkSettings::default() };
        let mut cluster = world_cluster(&ClusterSettings { link, ..ClusterSettings::new(3, 4, 600) }).unwrap();
        while !cluster.nodes().iter().all(|node| node.peer.start_at_us().is_some()) {
            cluster.advance().unwrap();
        }
        let starts: Vec<u64> = cluster.nodes().iter().map(|node| node.peer.start_at_us().unwrap() - node.clock_offset_us()).collect();
        let spread_us = starts.iter().max().unwrap() - starts.iter().min().unwrap();
        assert!(spread_us < 16_667, "{spread_us} us apart at {delay_us} us");
    }
}

#[test]
fn a_cluster_that_cannot_meet_says_so() {
    let dead = LinkSettings { loss: snapback::transport::link::Loss::Independent { per_million: 1_000_000 }, ..LinkSettings::default() };
    let mut cluster = world_cluster(&ClusterSettings { link: dead, ..ClusterSettings::new(3, 2, 60) }).unwrap();
    assert!(matches!(cluster.run(60_000_000), Err(ClusterError::TimedOut { .. } | ClusterError::Ended { .. })));
}

/// A Sync packet survives the trip, and no flipped bit does.
#[test]
fn barrier_packets_are_checked() {
    let key = ConnectionKey::new(1, 2, 3);
    let roster = vec![
        snapback::transport::packet::RosterEntry { players: PlayerSet::from_bits(1), address: None, instance: 0, pairing: None },
        snapback::transport::packet::RosterEntry {
            players: PlayerSet::from_bits(6),
            address: Some("[::1]:9".parse().unwrap()),
            pairing: None,
            instance: 7,
        },
    ];
    let sync = Sync {
        state: BarrierState::Go,
        sent_us: 7,
        echo: Some((8, 9)),
        start_in_us: 10,
        seed: SeedPart::new(&SeedSecret::fixed(5), 6, PlayerSet::from_bits(1), 7, true),
        roster,
    };
    let mut out = [0; 256];
    let len = sync.write(key, &mut out);
    assert_eq!(Sync::read(&out[..len], key), Ok(sync));
    for bit in 0..8 * len {
        let mut flipped = out;
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(Sync::read(&flipped[..len], key).is_err());
    }
    for cut in 0..len {
        assert!(Sync::read(&out[..cut], key).is_err());
    }
}
