//! `Security::of_channels`: the channels of a match know the players by what the match knows them by.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use snapback::transport::channel::{Channel, ChannelHub, HubRole, HubSecurity, HubSettings};
use snapback::transport::secure::{Identity, MatchSecret};
use snapback::{Credentials, PlayerHandle, PlayerSet, RollbackConfig, Security, TRANSMIT_BUFFER_BYTES};
use std::net::SocketAddr;

const MATCH_ID: u64 = 77;
const SECRET: MatchSecret = MatchSecret([3; 32]);

fn address(player: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 1 + player], 7_001))
}

/// The security of every player; `secret` is what player 2's ticket was made from.
fn securities(secret: MatchSecret) -> Vec<Security> {
    let host = Credentials::host(Identity::from_seed(&[1; 32]), [1; 32], SECRET).unwrap();
    let fingerprint = host.certificate.fingerprint();
    let join = |seat: u8, secret: MatchSecret| {
        Security::from(
            Credentials::join(Identity::from_seed(&[1 + seat; 32]), [1 + seat; 32], seat, secret.seat(seat), fingerprint).unwrap(),
        )
    };
    vec![host.into(), join(1, SECRET), join(2, secret)]
}

/// Lets the hubs talk for some seconds of virtual time.
fn meet(securities: &[Security]) -> Vec<ChannelHub> {
    let count = securities.len() as u8;
    let mut hubs: Vec<ChannelHub> = (0..)
        .zip(securities)
        .map(|(player, security)| {
            let role = if player == 0 { HubRole::Host } else { HubRole::Join { host: address(0) } };
            let security = security.of_channels(MATCH_ID, &RollbackConfig::default());
            let nonce = 1_000 + u64::from(player);
            ChannelHub::new(HubSettings::new(MATCH_ID, PlayerHandle::new(player), count, nonce, role, security), 0).unwrap()
        })
        .collect();
    run(&mut hubs, 0..5_000_000);
    hubs
}

fn run(hubs: &mut [ChannelHub], times_us: core::ops::Range<u64>) {
    let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
    for now_us in times_us.step_by(5_000) {
        for here in 0..hubs.len() {
            while let Some((to, len)) = hubs[here].poll_transmit(now_us, &mut buffer) {
                let there = (0..hubs.len()).find(|there| address(*there as u8) == to).unwrap();
                hubs[there].handle(now_us, address(here as u8), &buffer[..len]);
            }
        }
    }
}

fn others(player: u8, count: usize) -> PlayerSet {
    PlayerSet::first(count).without(PlayerHandle::new(player))
}

#[test]
fn who_plays_together_talks_together_and_everybody_with_everybody() {
    for securities in [securities(SECRET), vec![Security::InsecureLan; 3]] {
        let mut hubs = meet(&securities);
        for (player, hub) in (0..).zip(&hubs) {
            assert_eq!(hub.connected(), others(player, 3), "player {player}");
        }
        hubs[1].send(5_000_000, PlayerHandle::new(2), Channel::ChatPresence, b"hello").unwrap();
        run(&mut hubs, 5_000_000..6_000_000);
        let received = hubs[2].receive(6_000_000).unwrap();
        assert_eq!((received.from, received.channel, received.message), (PlayerHandle::new(1), Channel::ChatPresence, b"hello".to_vec()));
    }
}

#[test]
fn a_ticket_that_does_not_open_the_match_does_not_open_its_channels() {
    let hubs = meet(&securities(MatchSecret([4; 32])));
    let connected: Vec<PlayerSet> = hubs.iter().map(ChannelHub::connected).collect();
    assert_eq!(connected, [others(0, 2), others(1, 2), PlayerSet::EMPTY]);
}

#[test]
fn encrypted_matches_have_encrypted_channels_with_the_same_certificate() {
    for security in securities(SECRET) {
        let Security::Encrypted(credentials) = &security else { panic!("encrypted") };
        let config = RollbackConfig { datagram_budget_bytes: 900, disconnect_timeout_ms: 4_000, ..RollbackConfig::default() };
        let HubSecurity::Encrypted { settings, .. } = security.of_channels(MATCH_ID, &config) else { panic!("plaintext") };
        assert_eq!(settings.certificate.fingerprint(), credentials.certificate.fingerprint());
        assert_eq!((settings.match_id, settings.datagram_budget_bytes, settings.handshake_timeout_us), (MATCH_ID, 900, 4_000_000));
    }
    assert!(matches!(Security::InsecureLan.of_channels(MATCH_ID, &RollbackConfig::default()), HubSecurity::InsecureLan));
}
