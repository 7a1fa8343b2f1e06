//! [`SocketMatch`]: two `snapback::Peer`s over real sockets, with a counting proxy between them.

use crate::ours::{MEETING_TICKS, peers};
use crate::pad::Pad;
use crate::proxy::Proxy;
use crate::tick_us;
use crate::tiny_game::TinyGame;
use snapback::transport::udp::UdpEndpoint;
use snapback::{LocalInput, Peer, PeerPhase, PlayerHandle, Security, TRANSMIT_BUFFER_BYTES, TickReport};
use std::net::{Ipv4Addr, SocketAddr};

/// Looks into a socket until what was sent to it is lost: some seconds' worth. Mostly one is enough.
const PATIENCE_POLLS: u32 = 10_000_000;

/// Two peers, their sockets on loopback, and the proxy. The peers live on virtual time, by which the
/// proxy delays what they send: so it does not matter how fast the machine is. Like a real program,
/// each looks into its socket once a frame.
pub struct SocketMatch {
    peers: [Peer<TinyGame>; 2],
    sockets: [UdpEndpoint; 2],
    proxy: Proxy,
    pad: Pad,
    tick: u64,
}

impl SocketMatch {
    /// A match of the tiny game that has just begun: handshake and start barrier are over.
    ///
    /// # Panics
    /// If the two do not meet.
    #[must_use]
    pub fn start(security: [Security; 2], one_way_us: u64, pad: Pad) -> Self {
        let sockets = [0, 1].map(|_| {
            let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
            UdpEndpoint::bind(anywhere).expect("loopback has a free port")
        });
        let proxy = Proxy::new(sockets.each_ref().map(UdpEndpoint::local_addr), one_way_us);
        let peers = peers(TinyGame::default, security, proxy.address_for(1));
        let mut started = Self { peers, sockets, proxy, pad, tick: 0 };
        while started.peers.iter().any(|peer| peer.phase() != PeerPhase::Playing) {
            assert!(started.tick < MEETING_TICKS, "the peers did not meet: {:?}", started.peers.each_ref().map(Peer::phase));
            started.tick();
        }
        started
    }

    /// One tick of both peers: what a user's program does in a frame.
    ///
    /// # Panics
    /// If a tick fails, or loopback loses something.
    pub fn tick(&mut self) -> [TickReport; 2] {
        self.tick += 1;
        let now_us = tick_us(self.tick);
        let mut buffer = [0; TRANSMIT_BUFFER_BYTES];
        [0, 1].map(|seat| {
            let (peer, socket) = (&mut self.peers[seat], &mut self.sockets[seat]);
            let due = self.proxy.pass_on(now_us, seat);
            // They have been sent, so they come, and are waited for.
            let mut polls = 0;
            while socket.counters().packets_received < due {
                assert!(polls < PATIENCE_POLLS, "loopback has lost something");
                polls += 1;
                socket.begin_poll();
                while let Some((from, len)) = socket.receive(&mut buffer) {
                    peer.handle(now_us, from, &buffer[..len]);
                }
            }
            let frame = peer.session().map_or(0, |session| session.current_frame().next().number());
            let local = LocalInput::new(PlayerHandle::new(seat as u8), (self.pad)(seat, frame));
            let report = peer.tick(now_us, &[local]).expect("a match between peers that keep the rules goes on");
            let before = socket.counters().packets_sent;
            while let Some(transmit) = peer.poll_transmit(now_us, &mut buffer) {
                socket.send(transmit.to, &buffer[..transmit.len]).expect("loopback takes a datagram");
            }
            self.proxy.take(now_us, seat, socket.counters().packets_sent - before);
            while peer.poll_event().is_some() {}
            report
        })
    }

    /// What is between them.
    pub fn proxy_mut(&mut self) -> &mut Proxy {
        &mut self.proxy
    }
}
