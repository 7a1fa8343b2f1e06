//! [`Proxy`]: two real sockets between two others, where everything is counted and takes its time.

use crate::wire::WireCount;
use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Duration;

/// How long a datagram may take over loopback before something is wrong.
const PATIENCE: Duration = Duration::from_secs(10);

/// More than any datagram of either side.
const LARGEST_BYTES: usize = 2_048;

struct Held {
    due_us: u64,
    bytes: Vec<u8>,
}

/// A proxy for UDP between two peers: each talks to its own socket here and believes that it is the
/// other peer. Datagrams go on after `one_way_us` of a clock that whoever owns the match sets. Nothing
/// is lost.
///
/// The bytes of a datagram are counted as they came out of the socket. No socket without privileges
/// shows the headers of IPv4 and UDP, which are always 28 bytes: those are added to each.
pub struct Proxy {
    /// By the seat of the peer that talks to it.
    sockets: [UdpSocket; 2],
    peers: [SocketAddr; 2],
    held: [VecDeque<Held>; 2],
    one_way_us: u64,
    sent: [WireCount; 2],
    passed_on: [u64; 2],
}

impl Proxy {
    /// A proxy between the sockets of two peers.
    ///
    /// # Panics
    /// If the system gives no sockets.
    #[must_use]
    pub fn new(peers: [SocketAddr; 2], one_way_us: u64) -> Self {
        let sockets = [0, 1].map(|_| {
            let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("loopback has a free port");
            socket.set_read_timeout(Some(PATIENCE)).expect("a timeout is possible");
            socket
        });
        Self { sockets, peers, held: Default::default(), one_way_us, sent: Default::default(), passed_on: [0; 2] }
    }

    /// Where the peer of a seat finds the other.
    ///
    /// # Panics
    /// If the system does not know its own socket.
    #[must_use]
    pub fn address_for(&self, seat: usize) -> SocketAddr {
        self.sockets[seat].local_addr().expect("it is bound")
    }

    /// Takes what the peer of a seat has sent by now: `datagrams` since the last call.
    ///
    /// # Panics
    /// If they do not come, or come from somebody else.
    pub fn take(&mut self, now_us: u64, seat: usize, datagrams: u64) {
        let mut buffer = [0; LARGEST_BYTES];
        for _ in 0..datagrams {
            let (len, from) = self.sockets[seat].recv_from(&mut buffer).expect("what went into loopback comes out");
            assert_eq!(from, self.peers[seat], "somebody else talks to the proxy");
            self.sent[seat].count(len);
            self.held[seat].push_back(Held { due_us: now_us + self.one_way_us, bytes: buffer[..len].to_vec() });
        }
    }

    /// Passes on what has been under way long enough to the peer of a seat. How many datagrams that
    /// peer has been sent in all.
    ///
    /// # Panics
    /// If the system does not send.
    pub fn pass_on(&mut self, now_us: u64, seat: usize) -> u64 {
        let held = &mut self.held[1 - seat];
        while held.front().is_some_and(|first| first.due_us <= now_us) {
            if let Some(first) = held.pop_front() {
                self.sockets[seat].send_to(&first.bytes, self.peers[seat]).expect("loopback takes a datagram");
                self.passed_on[seat] += 1;
            }
        }
        self.passed_on[seat]
    }

    /// What each peer has sent since the counts were reset.
    #[must_use]
    pub fn sent(&self) -> [WireCount; 2] {
        self.sent
    }

    /// Counts from zero again.
    pub fn reset_counts(&mut self) {
        self.sent = Default::default();
    }
}
