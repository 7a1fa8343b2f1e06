//! [`Net`]: a network between any number of ends, on virtual time.

use snapback::Rng;
use snapback::interop::{EncryptedSocket, GgrsPeer, GgrsRules};
use snapback::transport::secure::{Certificate, Identity, MatchSecret, SecureSettings};
use snapback::transport::{SendOutcome, Transport};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::rc::Rc;

pub(crate) const MATCH: MatchSecret = MatchSecret([3; 32]);

struct Datagram {
    due_us: u64,
    from: SocketAddr,
    to: SocketAddr,
    bytes: Vec<u8>,
}

struct Shared {
    now_us: u64,
    one_way_us: u64,
    loss: Option<(Rng, u32)>,
    flight: VecDeque<Datagram>,
}

/// Every datagram takes equally long, and some are lost.
#[derive(Clone)]
pub(crate) struct Net(Rc<RefCell<Shared>>);

impl Net {
    pub(crate) fn new(one_way_us: u64) -> Self {
        Self(Rc::new(RefCell::new(Shared { now_us: 0, one_way_us, loss: None, flight: VecDeque::new() })))
    }

    pub(crate) fn lose(&self, seed: u64, per_million: u32) {
        self.0.borrow_mut().loss = Some((Rng::new(seed, 0), per_million));
    }

    pub(crate) fn now_us(&self) -> u64 {
        self.0.borrow().now_us
    }

    pub(crate) fn pass_us(&self, us: u64) {
        self.0.borrow_mut().now_us += us;
    }

    pub(crate) fn end(&self, seat: u8) -> NetEnd {
        NetEnd { net: self.clone(), address: address(seat) }
    }

    /// A socket for ggrs at the end of `seat`: seat 0 lets the others in, who dial it.
    pub(crate) fn socket(&self, seat: u8, peers: &[(u8, GgrsPeer)], rules: GgrsRules) -> Socket {
        let net = self.clone();
        let settings = SecureSettings::new(9, certificate(seat), Identity::from_seed(&[seat; 32]), [seat; 32]);
        let local_players = usize::from(usize::from(seat) < rules.player_count);
        let clock: Clock = Box::new(move || net.now_us());
        let mut socket = EncryptedSocket::new(settings, rules, local_players, self.end(seat), clock).unwrap();
        for (peer_seat, peer) in peers {
            socket = if seat == 0 {
                socket.expect(*peer_seat, *peer, MATCH.seat(*peer_seat))
            } else {
                let secret = (seat, MATCH.seat(seat));
                socket.dial(*peer_seat, *peer, address(*peer_seat), secret, certificate(0).fingerprint(), 77)
            };
        }
        socket
    }
}

pub(crate) type Clock = Box<dyn FnMut() -> u64>;
pub(crate) type Socket = EncryptedSocket<NetEnd, Clock>;

pub(crate) fn address(seat: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, seat + 1], 7_000))
}

/// The same for a seat whenever it is asked for.
pub(crate) fn certificate(seat: u8) -> Certificate {
    thread_local! {
        static CERTIFICATES: [Certificate; 4] = [0; 4].map(|_| Certificate::generate().unwrap());
    }
    CERTIFICATES.with(|all| all[usize::from(seat)].clone())
}

pub(crate) struct NetEnd {
    net: Net,
    address: SocketAddr,
}

impl Transport for NetEnd {
    type Error = Infallible;

    fn receive(&mut self, buffer: &mut [u8]) -> Option<(SocketAddr, usize)> {
        let mut shared = self.net.0.borrow_mut();
        let now_us = shared.now_us;
        let at = shared.flight.iter().position(|datagram| datagram.to == self.address && datagram.due_us <= now_us)?;
        let datagram = shared.flight.remove(at)?;
        buffer[..datagram.bytes.len()].copy_from_slice(&datagram.bytes);
        Some((datagram.from, datagram.bytes.len()))
    }

    fn send(&mut self, to: SocketAddr, datagram: &[u8]) -> Result<SendOutcome, Infallible> {
        let mut shared = self.net.0.borrow_mut();
        let is_lost = shared.loss.as_mut().is_some_and(|(rng, per_million)| rng.chance(*per_million));
        if !is_lost {
            let due_us = shared.now_us + shared.one_way_us;
            shared.flight.push_back(Datagram { due_us, from: self.address, to, bytes: datagram.to_vec() });
        }
        Ok(SendOutcome::Sent)
    }
}
