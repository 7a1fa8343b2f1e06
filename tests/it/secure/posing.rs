//! A player with a ticket of its own who says to another joiner that it is a third.

use super::table::{MATCH_ID, SECRET, Table, address, host_credentials, identity, settings, ticket};
use snapback::sim::{PadInput, World, WorldData};
use snapback::transport::PeerParams;
use snapback::transport::packet::{ConnectionKey, Hello, PROTOCOL_VERSION};
use snapback::transport::secure::{SecureSettings, SecureSocket};
use snapback::{NameHash, PlayerSet, RollbackConfig, Simulation, TRANSMIT_BUFFER_BYTES};

const SECOND_US: u64 = 1_000_000;

fn hello_as(players: PlayerSet) -> Hello {
    let (world, config) = (World::new(WorldData::default()), RollbackConfig::default());
    let params = PeerParams {
        simulation_name: NameHash::of(world.id().name).bits(),
        simulation_version: world.id().version,
        layout_fingerprint: world.layout().fingerprint(),
        config_hash: world.config_hash(),
        simulation_hz: config.simulation_hz as u16,
        input_bytes: size_of::<PadInput>() as u8,
        player_count: 4,
        window_max_frames: 8,
        delay_max_frames: 10,
    };
    Hello { version: PROTOCOL_VERSION, match_id: MATCH_ID, nonce: 99, players, player_count: 1, params }
}

/// Player 2 knows the secret that it shares with player 1, and its own certificate is in player 1's
/// roster: it comes through the handshake once more, and says that it is player 3.
#[test]
fn nobody_sits_down_as_another() {
    let mut table = Table::default();
    let (host, fingerprint) = host_credentials();
    table.seat(address(0), settings(0, 4, 1_000, host.into()));
    let credentials: Vec<_> = (1..4).map(|index| ticket(index, SECRET, fingerprint)).collect();
    let (certificate_1, certificate_2) = (credentials[0].certificate.clone(), credentials[1].certificate.clone());
    for (index, credentials) in (1..).zip(credentials) {
        table.seat(address(index), settings(index, 4, 1_000 + index as u64, credentials.into()));
    }
    // The real player 3 is kept away meanwhile.
    table.blocked = Some((address(3), address(1)));
    let connected = |table: &Table, players: u8| table.chairs[1].peer.connections().any(|(there, _)| there.bits() == players);
    table.run_until(3 * SECOND_US, |table| connected(table, 0b0100));

    let mut rogue = SecureSocket::new(SecureSettings::new(MATCH_ID, certificate_2, identity(2), [9; 32])).unwrap();
    rogue.dial(table.now_us, address(1), 2, SECRET.pair(1, 2), certificate_1.fingerprint(), 5);
    let mut out = [0; TRANSMIT_BUFFER_BYTES];
    for _ in 0..200 {
        let now_us = table.now_us;
        while let Some((_, len)) = rogue.poll_transmit(now_us, &mut out) {
            table.chairs[1].peer.handle(now_us, address(9), &out[..len]);
        }
        if rogue.proved(address(1)).is_some() {
            let mut packet = [0; 128];
            let len = hello_as(PlayerSet::from_bits(0b1000)).write(ConnectionKey::AEAD, &mut packet);
            let len = rogue.seal(address(1), &packet[..len], &mut out);
            table.chairs[1].peer.handle(now_us, address(9), &out[..len]);
        }
        while let Some(transmit) = table.chairs[1].peer.poll_transmit(now_us, &mut out) {
            let bytes = out[..transmit.len].to_vec();
            if transmit.to == address(9) {
                let _ = rogue.handle(now_us, address(1), &bytes);
            } else if let Some(chair) = table.chairs.iter_mut().find(|chair| chair.address == transmit.to) {
                chair.peer.handle(now_us, address(1), &bytes);
            }
        }
        table.step();
    }
    assert!(rogue.proved(address(1)).is_some(), "it has every key that it needs");
    assert!(!connected(&table, 0b1000), "and is not taken for player 3");
    table.blocked = None;
    table.must_agree(table.now_us + 60 * SECOND_US);
}
