//! A host program with a network of its own implements [`Transport`] and plays encrypted over it: here
//! over channels in memory, with made-up addresses.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use core::convert::Infallible;
use snapback::sim::{PadInput, World, WorldData};
use snapback::transport::secure::{Identity, MatchSecret};
use snapback::transport::{SendOutcome, Transport};
use snapback::{Command, Credentials, Frame, LocalInput, Outcome, Peer, PeerPhase, PeerSettings, Role, RollbackConfig, SeedSecret};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The platform's id of a player, as the last 8 bytes of an address.
fn address_of(platform_id: u64) -> SocketAddr {
    let ip = u128::from(platform_id) | 0xFD << 120;
    SocketAddr::new(IpAddr::V6(Ipv6Addr::from(ip)), 1)
}

/// A message and who sent it.
type Mail = (SocketAddr, Vec<u8>);

/// The platform's network: it knows players by id and carries messages.
struct Messages {
    own: SocketAddr,
    out: Vec<(SocketAddr, Sender<Mail>)>,
    mailbox: Receiver<Mail>,
    sent: usize,
}

impl Transport for Messages {
    type Error = Infallible;

    fn receive(&mut self, buffer: &mut [u8]) -> Option<(SocketAddr, usize)> {
        let (from, message) = self.mailbox.try_recv().ok()?;
        buffer[..message.len()].copy_from_slice(&message);
        Some((from, message.len()))
    }

    fn send(&mut self, to: SocketAddr, datagram: &[u8]) -> Result<SendOutcome, Infallible> {
        self.sent += 1;
        let Some((_, sender)) = self.out.iter().find(|(address, _)| *address == to) else { return Ok(SendOutcome::Unreachable) };
        Ok(if sender.send((self.own, datagram.to_vec())).is_ok() { SendOutcome::Sent } else { SendOutcome::Unreachable })
    }
}

#[test]
fn a_match_over_channels_in_memory() {
    let ids = [address_of(76_561_198_000_000_001), address_of(76_561_198_000_000_002)];
    let (to_host, host_mail) = channel();
    let (to_guest, guest_mail) = channel();
    let mut networks = [
        Messages { own: ids[0], out: vec![(ids[1], to_guest)], mailbox: host_mail, sent: 0 },
        Messages { own: ids[1], out: vec![(ids[0], to_host)], mailbox: guest_mail, sent: 0 },
    ];
    let secret = MatchSecret([1; 32]);
    let host = Credentials::host(Identity::from_seed(&[1; 32]), [1; 32], secret).unwrap();
    let fingerprint = host.certificate.fingerprint();
    let guest = Credentials::join(Identity::from_seed(&[2; 32]), [2; 32], 1, secret.seat(1), fingerprint).unwrap();
    let role = Role::Host { first_frame: Frame::ZERO, last_frame: Some(Frame::new(299)) };
    let mut peers = [(role, host), (Role::Join { host: ids[0] }, guest)].map(|(role, credentials)| {
        let settings = PeerSettings {
            role,
            match_id: 1,
            nonce: 5,
            seed_secret: SeedSecret::fixed(1),
            player_count: 2,
            local_player_count: 1,
            config: RollbackConfig::default(),
            input_delay_frames: 0,
            security: credentials.into(),
        };
        let mut peer = Peer::new(World::new(WorldData::default()), settings, 0).unwrap();
        peer.set_loaded();
        peer
    });
    for now_us in (0..30_000_000).step_by(1_000) {
        for (peer, network) in peers.iter_mut().zip(&mut networks) {
            peer.receive_from(now_us, network);
            let tick = peer.start_at_us().is_some_and(|start| now_us >= start && (now_us - start) % 16_000 < 1_000);
            if tick && peer.phase() != PeerPhase::Over {
                let player = peer.facts().unwrap().local_players.iter().next().unwrap();
                let input = PadInput::new((now_us / 100_000 % 16) as u16);
                peer.tick(now_us, &[LocalInput { player, input, command: Command::NONE }]).unwrap();
            }
            let Ok(()) = peer.send_to(now_us, network);
        }
        if peers.iter().all(|peer| peer.phase() == PeerPhase::Over) {
            break;
        }
    }
    for (peer, network) in peers.iter().zip(&networks) {
        assert_eq!(peer.outcome(), Some(&Outcome::Agreed));
        assert_eq!(peer.identities().count(), 1);
        assert!(network.sent > 300);
    }
    assert_eq!(peers[0].confirmed_state(), peers[1].confirmed_state());
}
