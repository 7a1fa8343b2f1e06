//! [`OurMatch`]: two `snapback::Peer`s on virtual time.

use crate::link::{Link, LinkEnd};
use crate::pad::Pad;
use crate::security::{encrypted, plaintext};
use crate::tiny_game::TinyGame;
use crate::{ADDRESSES, tick_us};
use snapback::{
    Frame, LocalInput, Peer, PeerPhase, PeerSettings, PlayerHandle, Role, RollbackConfig, Security, SeedSecret, Simulation, TickReport,
};
use std::net::SocketAddr;

/// Ticks within which two peers must have met.
pub(crate) const MEETING_TICKS: u64 = 6_000;

/// Two peers and the link between them.
pub struct OurMatch<S: Simulation<Input = u16> = TinyGame> {
    peers: [Peer<S>; 2],
    ends: [LinkEnd; 2],
    link: Link,
    pad: Pad,
    tick: u64,
}

impl OurMatch<TinyGame> {
    /// A match of the tiny game that has just begun, in plaintext: what a session costs by itself.
    #[must_use]
    pub fn start(one_way_us: u64, pad: Pad) -> Self {
        Self::start_with(TinyGame::default, one_way_us, pad)
    }

    /// The same, encrypted.
    #[must_use]
    pub fn start_encrypted(one_way_us: u64, pad: Pad) -> Self {
        Self::start_secured(TinyGame::default, encrypted(), one_way_us, pad)
    }

    /// How many steps each peer's game has made, repeated ones included.
    #[must_use]
    pub fn steps(&self) -> [u64; 2] {
        [0, 1].map(|seat| self.peers[seat].session().map_or(0, |session| session.simulation().steps()))
    }
}

impl<S: Simulation<Input = u16>> OurMatch<S> {
    /// A match of any game that has just begun, in plaintext: handshake and start barrier are over.
    ///
    /// # Panics
    /// If the two do not meet.
    #[must_use]
    pub fn start_with(game: impl Fn() -> S, one_way_us: u64, pad: Pad) -> Self {
        Self::start_secured(game, plaintext(), one_way_us, pad)
    }

    fn start_secured(game: impl Fn() -> S, security: [Security; 2], one_way_us: u64, pad: Pad) -> Self {
        let link = Link::new(one_way_us);
        let peers = peers(game, security, ADDRESSES[0]);
        let mut started = Self { peers, ends: [link.end(0), link.end(1)], link, pad, tick: 0 };
        while started.peers.iter().any(|peer| peer.phase() != PeerPhase::Playing) {
            assert!(started.tick < MEETING_TICKS, "the peers did not meet: {:?}", [0, 1].map(|seat| started.peers[seat].phase()));
            started.tick();
        }
        started
    }

    /// One tick of both peers: what a user's program does in a frame. A peer without a session yet
    /// has a tick that does nothing.
    ///
    /// # Panics
    /// If a tick fails.
    pub fn tick(&mut self) -> [TickReport; 2] {
        self.tick += 1;
        let now_us = tick_us(self.tick);
        self.link.set_clock_us(now_us);
        [0, 1].map(|seat| {
            let (peer, end) = (&mut self.peers[seat], &self.ends[seat]);
            end.receive(|datagram| peer.handle(now_us, ADDRESSES[1 - seat], datagram));
            let frame = peer.session().map_or(0, |session| session.current_frame().next().number());
            let local = LocalInput::new(PlayerHandle::new(seat as u8), (self.pad)(seat, frame));
            let report = peer.tick(now_us, &[local]).expect("a match between peers that keep the rules goes on");
            while end.send(|out| peer.poll_transmit(now_us, out).map_or(0, |transmit| transmit.len)) > 0 {}
            while peer.poll_event().is_some() {}
            report
        })
    }

    /// The peers, in seat order.
    pub fn peers_mut(&mut self) -> &mut [Peer<S>; 2] {
        &mut self.peers
    }

    /// The link between them.
    #[must_use]
    pub fn link(&self) -> &Link {
        &self.link
    }
}

/// A host and a joiner who looks for it at `host`, both of which have loaded their game.
pub(crate) fn peers<S: Simulation<Input = u16>>(game: impl Fn() -> S, security: [Security; 2], host: SocketAddr) -> [Peer<S>; 2] {
    let mut roles =
        [(Role::Host { first_frame: Frame::ZERO, last_frame: None }, 0x5EED_0001), (Role::Join { host }, 0x5EED_0002)].into_iter();
    security.map(|security| {
        let (role, nonce) = roles.next().expect("two peers have two roles");
        let require_encrypted_transport = matches!(security, Security::Encrypted(_));
        let settings = PeerSettings {
            role,
            match_id: 0xA11CE,
            nonce,
            seed_secret: SeedSecret::fixed(if nonce == 0x5EED_0001 { 7 } else { 0 }),
            player_count: 2,
            local_player_count: 1,
            config: RollbackConfig { require_encrypted_transport, ..RollbackConfig::default() },
            input_delay_frames: 0,
            security,
        };
        let mut peer = Peer::new(game(), settings, 0).expect("these settings are possible");
        peer.set_loaded();
        peer
    })
}
