//! Two peers as the transport sees them: endpoints over encrypted sockets, and nothing above.

use super::inputs::held;
use super::params::params;
use snapback_core::{Command, Frame, PlayerSet, RollbackConfig};
use snapback_transport::endpoint::LinkEvent;
use snapback_transport::packet::{Hello, Welcome};
use snapback_transport::secure::{Certificate, Identity, MatchSecret, SecureEvent, SecureSettings, SecureSocket};
use snapback_transport::{ConnectionKey, Endpoint, EndpointSettings, Handled, LinkState};
use std::net::SocketAddr;

pub(crate) const MATCH: u64 = 77;
const NONCES: [u64; 2] = [0xBBBB_0000_0005, 0xAAAA_0000_FFFE];

/// The inputs repeat after so many frames.
pub(crate) const PERIOD_FRAMES: usize = 256;

fn addresses() -> [SocketAddr; 2] {
    [SocketAddr::from(([10, 0, 0, 1], 7_000)), SocketAddr::from(([10, 0, 0, 2], 7_000))]
}

/// The two sockets of a match before anybody dialled: the first is the host's.
pub(crate) struct Sockets {
    pub(crate) ends: [SecureSocket; 2],
    addresses: [SocketAddr; 2],
    secret: MatchSecret,
}

impl Sockets {
    pub(crate) fn new(certificates: &[Certificate; 2]) -> Self {
        let secret = MatchSecret([9; 32]);
        let mut ends = [0, 1].map(|end: usize| {
            let identity = Identity::from_seed(&[end as u8 + 1; 32]);
            SecureSocket::new(SecureSettings::new(MATCH, certificates[end].clone(), identity, [end as u8; 32])).unwrap()
        });
        ends[0].expect(1, secret.seat(1), None);
        Self { ends, addresses: addresses(), secret }
    }

    /// A whole handshake: knock, cookie, DTLS, proofs, until both ends say that they are connected.
    pub(crate) fn connect(&mut self) {
        let [host, guest] = &mut self.ends;
        guest.dial(0, self.addresses[0], 1, self.secret.seat(1), host.fingerprint(), 1_234);
        let mut datagram = [0; 1_200];
        let mut established = [false; 2];
        while established != [true; 2] {
            let [host, guest] = &mut self.ends;
            while let Some((_, len)) = guest.poll_transmit(0, &mut datagram) {
                host.handle(0, self.addresses[1], &datagram[..len]).unwrap();
            }
            while let Some((_, len)) = host.poll_transmit(0, &mut datagram) {
                guest.handle(0, self.addresses[0], &datagram[..len]).unwrap();
            }
            for (end, established) in self.ends.iter_mut().zip(&mut established) {
                while let Some(event) = end.poll_event() {
                    *established |= matches!(event, SecureEvent::Established { .. });
                }
            }
        }
    }
}

/// Two endpoints that play, one player at each.
fn endpoints(addresses: [SocketAddr; 2]) -> [Endpoint; 2] {
    let settings = |end: usize, players| EndpointSettings {
        is_encrypted: true,
        ..EndpointSettings::new(MATCH, NONCES[end], params(), players, &RollbackConfig::default())
    };
    let mut out = [0; 1_200];
    let mut dialer = Endpoint::dial(addresses[0], settings(1, PlayerSet::EMPTY), 0);
    let len = dialer.write_hello(1, &mut out);
    let hello = Hello::read(&out[..len], ConnectionKey::AEAD).unwrap();
    let welcome = Welcome {
        match_id: MATCH,
        nonce: hello.nonce,
        listener_nonce: NONCES[0],
        dialer_players: PlayerSet::from_bits(2),
        listener_players: PlayerSet::from_bits(1),
        params: params(),
        first_frame: Frame::ZERO,
        last_frame: None,
    };
    let mut listener = Endpoint::accept(addresses[1], settings(0, PlayerSet::from_bits(1)), &hello, &welcome, 0);
    let len = listener.write_welcome(&welcome, &mut out);
    dialer.handle(0, &out[..len]).unwrap();
    let mut both = [listener, dialer];
    for endpoint in &mut both {
        endpoint.on(LinkEvent::Started);
        assert_eq!(endpoint.state(), LinkState::Playing);
    }
    both
}

/// Two peers in the middle of a match on a clean link, with inputs as people press them.
pub(crate) struct Playing {
    endpoints: [Endpoint; 2],
    sockets: [SecureSocket; 2],
    addresses: [SocketAddr; 2],
    pads: [Vec<u16>; 2],
    frame: Frame,
    now_us: u64,
    packets: [[u8; 1_200]; 2],
    datagrams: [[u8; 1_200]; 2],
}

impl Playing {
    pub(crate) fn new(certificates: &[Certificate; 2]) -> Self {
        let mut sockets = Sockets::new(certificates);
        sockets.connect();
        Self {
            endpoints: endpoints(sockets.addresses),
            sockets: sockets.ends,
            addresses: sockets.addresses,
            pads: [0, 1].map(|player| held(7, player, PERIOD_FRAMES)),
            frame: Frame::INITIAL,
            now_us: 1_000_000,
            packets: [[0; 1_200]; 2],
            datagrams: [[0; 1_200]; 2],
        }
    }

    /// One frame: each end writes and seals the packet of its frame, then each opens and takes the
    /// other's. The sizes of the packets, and the sum of the inputs that came out.
    pub(crate) fn frame(&mut self) -> ([usize; 2], u64) {
        self.frame = self.frame.next();
        self.now_us += 16_667;
        let (mut packet_lens, mut datagram_lens) = ([0; 2], [0; 2]);
        for end in 0..2 {
            let pads = &self.pads[end];
            let packet = &mut self.packets[end];
            packet_lens[end] = self.endpoints[end].write_inputs(self.now_us, self.frame, packet, |frame, _, bytes| {
                bytes.copy_from_slice(&pads[frame.number() as usize % PERIOD_FRAMES].to_le_bytes());
                Command::NONE
            });
            let packet = &packet[..packet_lens[end]];
            datagram_lens[end] = self.sockets[end].seal(self.addresses[1 - end], packet, &mut self.datagrams[end]);
        }
        let mut sum = 0;
        for (end, len) in [(0, datagram_lens[1]), (1, datagram_lens[0])] {
            self.sockets[end].handle(self.now_us, self.addresses[1 - end], &self.datagrams[1 - end][..len]).unwrap();
            while let Some((_, packet)) = self.sockets[end].next_packet() {
                let Ok(Handled::Inputs(_)) = self.endpoints[end].handle(self.now_us, packet) else { continue };
                self.endpoints[end].received_inputs(|frame, _, bytes, _| {
                    sum += frame.number() as u64 ^ u64::from(bytes[0]) ^ u64::from(bytes[1]) << 8;
                });
            }
        }
        (packet_lens, sum)
    }

    /// The packets of the last frame, not sealed.
    pub(crate) fn packets(&self, lens: [usize; 2]) -> [&[u8]; 2] {
        [&self.packets[0][..lens[0]], &self.packets[1][..lens[1]]]
    }

    /// The last frame that each end has of the other.
    pub(crate) fn received(&self) -> [Frame; 2] {
        self.endpoints.each_ref().map(Endpoint::received_frame)
    }

    /// The last frame that was sent.
    pub(crate) fn sent(&self) -> Frame {
        self.frame
    }
}
