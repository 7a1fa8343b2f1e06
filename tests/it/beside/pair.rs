//! Two players with two sockets each.

use snapback::sim::{PadInput, World, WorldData};
use snapback::transport::channel::{Channel, ChannelHub, HubInvitation, HubRole, HubSecurity, HubSettings};
use snapback::transport::secure::{Identity, MatchSecret, SecureSettings};
use snapback::transport::udp::{UdpCounters, UdpEndpoint};
use snapback::{
    Credentials, Frame, LocalInput, Outcome, Peer, PeerPhase, PeerSettings, PlayerHandle, Role, RollbackConfig, SeedSecret,
    TRANSMIT_BUFFER_BYTES,
};
use std::net::SocketAddr;

const HZ: u64 = 60;
/// A program waits for its sockets and looks at them several times in a tick.
pub(crate) const POLLS_PER_TICK: u64 = 4;
const MATCH_ID: u64 = 77;
const SECRET: MatchSecret = MatchSecret([3; 32]);

/// A socket of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sock {
    Rollback,
    Channels,
}

struct Player {
    peer: Peer<World>,
    hub: ChannelHub,
    sockets: [UdpEndpoint; 2],
    presses: u64,
    ticks: u64,
    frozen: u64,
    /// By channel.
    said: [u64; 6],
    heard: [u64; 6],
}

/// Two players, their clock, and what they heard of each other.
pub(crate) struct Pair {
    players: [Player; 2],
    turns: u64,
    pub(crate) now_us: u64,
    /// Whatever comes in on such a socket is lost, at both ends.
    pub(crate) is_dark: [bool; 2],
    /// Whether both keep the lobby and the chat busy.
    pub(crate) talks: bool,
    /// Messages that each received, and when.
    pub(crate) received: [Vec<(Channel, u64)>; 2],
}

fn bind() -> UdpEndpoint {
    UdpEndpoint::bind("127.0.0.1:0".parse().unwrap()).unwrap()
}

impl Pair {
    pub(crate) fn new(frames: i64) -> Self {
        let sockets = [[bind(), bind()], [bind(), bind()]];
        let homes = [Sock::Rollback, Sock::Channels].map(|sock| sockets[0][sock as usize].local_addr());
        let host = Credentials::host(Identity::from_seed(&[1; 32]), [1; 32], SECRET).unwrap();
        let fingerprint = host.certificate.fingerprint();
        let guest = Credentials::join(Identity::from_seed(&[2; 32]), [2; 32], 1, SECRET.seat(1), fingerprint).unwrap();
        let roles = [
            (Role::Host { first_frame: Frame::ZERO, last_frame: Some(Frame::new(frames - 1)) }, HubRole::Host),
            (Role::Join { host: homes[0] }, HubRole::Join { host: homes[1] }),
        ];
        let invitations = [HubInvitation::Issued(SECRET), HubInvitation::Held { secret: SECRET.seat(1), host: fingerprint }];
        let mut seat = 0;
        let players = [host, guest].map(|credentials| {
            let (role, hub_role) = roles[seat];
            let secure =
                SecureSettings::new(MATCH_ID, credentials.certificate.clone(), credentials.identity.clone(), credentials.cookie_key);
            let security = HubSecurity::Encrypted { settings: Box::new(secure), invitation: invitations[seat] };
            let player = PlayerHandle::new(seat as u8);
            let hub = ChannelHub::new(HubSettings::new(MATCH_ID, player, 2, 900 + seat as u64, hub_role, security), 0).unwrap();
            let settings = PeerSettings {
                role,
                match_id: MATCH_ID,
                nonce: 700 + seat as u64,
                seed_secret: SeedSecret::fixed(seat as u64),
                player_count: 2,
                local_player_count: 1,
                config: RollbackConfig::default(),
                input_delay_frames: 0,
                security: credentials.into(),
            };
            let mut peer = Peer::new(World::new(WorldData::default()), settings, 0).unwrap();
            peer.set_loaded();
            seat += 1;
            (peer, hub)
        });
        let mut sockets = sockets.into_iter();
        let players = players.map(|(peer, hub)| Player {
            peer,
            hub,
            sockets: sockets.next().unwrap(),
            presses: 0,
            ticks: 0,
            frozen: 0,
            said: [0; 6],
            heard: [0; 6],
        });
        Self { players, turns: 0, now_us: 0, is_dark: [false; 2], talks: false, received: Default::default() }
    }

    pub(crate) fn address(&self, player: usize, sock: Sock) -> SocketAddr {
        self.players[player].sockets[sock as usize].local_addr()
    }

    pub(crate) fn counters(&self, player: usize, sock: Sock) -> UdpCounters {
        self.players[player].sockets[sock as usize].counters()
    }

    /// Sends as if a player did.
    pub(crate) fn send_as(&mut self, player: usize, sock: Sock, to: SocketAddr, bytes: &[u8]) -> bool {
        self.players[player].sockets[sock as usize].send(to, bytes).is_ok()
    }

    pub(crate) fn frozen_ticks(&self) -> u64 {
        self.players.iter().map(|player| player.frozen).sum()
    }

    pub(crate) fn ticks(&self) -> u64 {
        self.players.iter().map(|player| player.ticks).sum()
    }

    /// One look at both sockets of both players, and a tick if one is due.
    pub(crate) fn turn(&mut self) {
        for at in [1, 0] {
            self.look(at);
        }
        self.turns += 1;
        self.now_us = self.turns * 1_000_000 / (HZ * POLLS_PER_TICK);
    }

    fn look(&mut self, at: usize) {
        let Self { players, now_us, turns, is_dark, talks, received } = self;
        let (player, now_us) = (&mut players[at], *now_us);
        let Player { peer, hub, sockets: [rollback, channels], .. } = player;
        let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
        if is_dark[Sock::Rollback as usize] {
            discard(rollback);
        }
        peer.receive_from(now_us, rollback);
        let is_due = *turns % POLLS_PER_TICK == 2 && peer.start_at_us().is_some_and(|start| start <= now_us);
        if is_due && peer.phase() != PeerPhase::Over {
            let press = LocalInput::new(PlayerHandle::new(at as u8), PadInput::new((player.presses / 6 % 256) as u16));
            let is_frozen = peer.tick(now_us, &[press]).unwrap().simulation_frozen;
            player.ticks += 1;
            player.frozen += u64::from(is_frozen);
            player.presses += u64::from(!is_frozen);
        }
        peer.send_to(now_us, rollback).unwrap();
        if is_dark[Sock::Channels as usize] {
            discard(channels);
        }
        channels.begin_poll();
        while let Some((from, len)) = channels.receive(&mut buffer) {
            hub.handle(now_us, from, &buffer[..len]);
        }
        while let Some(message) = hub.receive(now_us) {
            assert_eq!(message.from, PlayerHandle::new(1 - at as u8));
            let number = &mut player.heard[message.channel.index()];
            assert_eq!(message.message, number.to_le_bytes(), "{} is out of order", message.channel);
            *number += 1;
            received[at].push((message.channel, now_us));
        }
        if *talks {
            for channel in [Channel::Lobby, Channel::ChatPresence] {
                let number = &mut player.said[channel.index()];
                // Some wait, so that the rate is what bounds them.
                while *number - hub.connection(PlayerHandle::new(1 - at as u8)).map_or(0, |to| to.delivered(channel)) < 32
                    && hub.send(now_us, PlayerHandle::new(1 - at as u8), channel, &number.to_le_bytes()).is_ok()
                {
                    *number += 1;
                }
            }
        }
        while let Some((to, len)) = hub.poll_transmit(now_us, &mut buffer) {
            channels.send(to, &buffer[..len]).unwrap();
        }
    }

    pub(crate) fn run(&mut self, span_us: u64) {
        let until_us = self.now_us + span_us;
        while self.now_us < until_us {
            self.turn();
        }
    }

    /// Until the match plays and both hear each other on the channels.
    pub(crate) fn run_until_playing(&mut self) {
        while !self.players.iter().all(|player| player.ticks > 30 && player.heard[Channel::Lobby.index()] > 0) {
            assert!(self.now_us < 10_000_000, "{:?}", self.players.each_ref().map(|player| (player.ticks, player.heard)));
            self.turn();
        }
    }

    /// To the end of the match, on which both agree.
    pub(crate) fn must_agree(&mut self) {
        while !self.players.iter().all(|player| player.peer.phase() == PeerPhase::Over) {
            assert!(self.now_us < 120_000_000, "the match does not end");
            self.turn();
        }
        for player in &self.players {
            let outcome = player.peer.outcome();
            assert!(matches!(outcome, Some(Outcome::Agreed | Outcome::Unverified { .. })), "{outcome:?}");
        }
        assert_eq!(self.players[0].peer.confirmed_state(), self.players[1].peer.confirmed_state());
    }

    /// Everything that was said is heard.
    pub(crate) fn all_arrived(&mut self) {
        self.talks = false;
        self.run(15 * 1_000_000);
        for at in 0..2 {
            assert!(self.players[at].hub.is_flushed());
            assert_eq!(self.players[at].said, self.players[1 - at].heard);
        }
    }
}

fn discard(socket: &mut UdpEndpoint) {
    let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
    socket.begin_poll();
    while socket.receive(&mut buffer).is_some() {}
}
