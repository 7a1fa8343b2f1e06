//! [`Net`]: secure sockets on one virtual clock, with a network between them that a test can meddle
//! with.

use snapback_core::Rng;
use snapback_transport::packet::Reject;
use snapback_transport::secure::{
    AddressPolicy, Certificate, Identity, MatchSecret, Proved, SeatSecret, SecureEvent, SecureSettings, SecureSocket,
};
use std::collections::BTreeMap;
use std::net::SocketAddr;

pub(crate) const HOST: usize = 0;
pub(crate) const GUEST: usize = 1;
pub(crate) const SEAT: u8 = 1;
pub(crate) const MATCH_ID: u64 = 7;
/// A handshake is over by then, or it failed.
pub(crate) const DEADLINE_US: u64 = 10_000_000;
/// The first byte of every packet that tests send: no type that the socket itself understands.
pub(crate) const DATA: u8 = 5;

const SECRET: MatchSecret = MatchSecret([9; 32]);

pub(crate) fn secret(seat: u8) -> SeatSecret {
    SECRET.seat(seat)
}

pub(crate) fn address(index: usize) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, 1 + index as u8], 7_000))
}

/// Somewhere that nobody knows.
pub(crate) fn elsewhere(n: u32) -> SocketAddr {
    let [a, b, c, d] = n.to_be_bytes();
    SocketAddr::from(([20 + a, b, c, d], 9_000))
}

pub(crate) fn settings(index: usize) -> SecureSettings {
    let byte = 1 + index as u8;
    SecureSettings::new(MATCH_ID, Certificate::generate().unwrap(), Identity::from_seed(&[byte; 32]), [100 + byte; 32])
}

/// A datagram on its way.
#[derive(Clone, Debug)]
pub(crate) struct Datagram {
    pub(crate) from: SocketAddr,
    pub(crate) to: SocketAddr,
    pub(crate) bytes: Vec<u8>,
}

/// What the network does to datagrams.
#[derive(Clone, Copy, Default)]
pub(crate) struct Weather {
    pub(crate) loss_per_million: u32,
    pub(crate) duplicate_per_million: u32,
    pub(crate) jitter_us: u32,
}

pub(crate) struct Node {
    pub(crate) socket: SecureSocket,
    pub(crate) address: SocketAddr,
    /// Packets that came in, and from whom.
    pub(crate) got: Vec<(SocketAddr, Vec<u8>)>,
    pub(crate) events: Vec<SecureEvent>,
}

type Hook = Box<dyn FnMut(u64, &mut Datagram) -> bool>;

pub(crate) struct Net {
    pub(crate) now_us: u64,
    pub(crate) nodes: Vec<Node>,
    pub(crate) weather: Weather,
    pub(crate) delay_us: u64,
    /// Everything that was sent, before the network had its way with it.
    pub(crate) heard: Vec<Datagram>,
    hook: Option<Hook>,
    flights: BTreeMap<(u64, u64), Datagram>,
    flight_count: u64,
    luck: Rng,
}

impl Net {
    /// Sockets that have nothing to do with each other yet.
    pub(crate) fn new(seed: u64, settings: Vec<SecureSettings>) -> Self {
        let node = |(index, settings)| Node {
            socket: SecureSocket::new(settings).unwrap(),
            address: address(index),
            got: Vec::new(),
            events: Vec::new(),
        };
        Self {
            now_us: 1_000,
            nodes: settings.into_iter().enumerate().map(node).collect(),
            weather: Weather::default(),
            delay_us: 20_000,
            heard: Vec::new(),
            hook: None,
            flights: BTreeMap::new(),
            flight_count: 0,
            luck: Rng::new(seed, 0x6E65_7477),
        }
    }

    /// A host that expects a guest, who dials it.
    pub(crate) fn pair(seed: u64) -> Self {
        Self::pair_with(seed, AddressPolicy::Follow)
    }

    pub(crate) fn pair_with(seed: u64, address_policy: AddressPolicy) -> Self {
        let with_policy = |index| SecureSettings { address_policy, ..settings(index) };
        let mut net = Self::new(seed, vec![with_policy(HOST), with_policy(GUEST)]);
        net.invite();
        net
    }

    /// The host expects the guest, who dials.
    pub(crate) fn invite(&mut self) {
        self.nodes[HOST].socket.expect(SEAT, secret(SEAT), None);
        let fingerprint = self.nodes[HOST].socket.fingerprint();
        let (now_us, nonce) = (self.now_us, u64::from(self.luck.next_u32()));
        self.nodes[GUEST].socket.dial(now_us, address(HOST), SEAT, secret(SEAT), fingerprint, nonce);
    }

    /// A pair whose connection stands, and is in use at both ends.
    pub(crate) fn standing(seed: u64) -> Self {
        Self::standing_with(seed, AddressPolicy::Follow)
    }

    pub(crate) fn standing_with(seed: u64, address_policy: AddressPolicy) -> Self {
        let mut net = Self::pair_with(seed, address_policy);
        assert!(net.run_until_established(DEADLINE_US), "a clean handshake fails");
        net.nodes[HOST].socket.claim(address(GUEST));
        net.run(net.now_us + 200_000);
        net
    }

    /// Shows every datagram before it goes out; those for which it says no are lost.
    pub(crate) fn set_hook(&mut self, hook: impl FnMut(u64, &mut Datagram) -> bool + 'static) {
        self.hook = Some(Box::new(hook));
    }

    pub(crate) fn clear_hook(&mut self) {
        self.hook = None;
    }

    /// What this node knows of the peer at an address.
    pub(crate) fn proved(&self, at: usize, peer: SocketAddr) -> Option<Proved> {
        self.nodes[at].socket.proved(peer)
    }

    pub(crate) fn is_established(&self) -> bool {
        let (host, guest) = (&self.nodes[HOST], &self.nodes[GUEST]);
        host.socket.proved(guest.address).is_some() && guest.socket.proved(host.address).is_some()
    }

    /// Runs until host and guest are connected; whether that was before `until_us`.
    pub(crate) fn run_until_established(&mut self, until_us: u64) -> bool {
        while !self.is_established() && self.now_us < until_us {
            self.step(until_us);
        }
        self.is_established()
    }

    pub(crate) fn run(&mut self, until_us: u64) {
        while self.now_us < until_us {
            self.step(until_us);
        }
    }

    /// Goes to the next thing that happens, or to `until_us`.
    pub(crate) fn step(&mut self, until_us: u64) {
        self.pump();
        let timeouts = self.nodes.iter().filter_map(|node| node.socket.poll_timeout());
        let arrivals = self.flights.keys().map(|(at_us, _)| *at_us);
        let next_us = timeouts.chain(arrivals).min().unwrap_or(until_us);
        self.now_us = next_us.max(self.now_us).min(until_us.max(self.now_us));
        while let Some(arrival) = self.flights.first_entry().filter(|arrival| arrival.key().0 <= self.now_us) {
            let datagram = arrival.remove();
            if let Some(to) = self.nodes.iter().position(|node| node.address == datagram.to) {
                let _ = self.give(to, datagram.from, &datagram.bytes);
            }
        }
        self.pump();
    }

    /// Hands a datagram to a node at once, from wherever, and reads what comes of it.
    pub(crate) fn give(&mut self, to: usize, from: SocketAddr, bytes: &[u8]) -> Result<(), Reject> {
        let node = &mut self.nodes[to];
        let handled = node.socket.handle(self.now_us, from, bytes);
        while let Some((from, packet)) = node.socket.next_packet() {
            node.got.push((from, packet.to_vec()));
        }
        while let Some(event) = node.socket.poll_event() {
            node.events.push(event);
        }
        handled
    }

    /// Sends what is due.
    pub(crate) fn pump(&mut self) {
        let mut buffer = [0; 1_200];
        for index in 0..self.nodes.len() {
            let mut count = 0;
            while let Some((to, len)) = self.nodes[index].socket.poll_transmit(self.now_us, &mut buffer) {
                count += 1;
                assert!(count < 1_000, "node {index} sends without end");
                let from = self.nodes[index].address;
                self.post(Datagram { from, to, bytes: buffer[..len].to_vec() });
            }
            let timeout_us = self.nodes[index].socket.poll_timeout();
            assert!(timeout_us.is_none_or(|timeout| timeout > self.now_us), "node {index} spins at {}: {timeout_us:?}", self.now_us);
        }
    }

    fn post(&mut self, mut datagram: Datagram) {
        self.heard.push(datagram.clone());
        let passes = self.hook.as_mut().is_none_or(|hook| hook(self.now_us, &mut datagram));
        if !passes || self.luck.chance(self.weather.loss_per_million) {
            return;
        }
        for _ in 0..1 + u32::from(self.luck.chance(self.weather.duplicate_per_million)) {
            let at_us = self.now_us + self.delay_us + u64::from(self.luck.below(self.weather.jitter_us + 1));
            self.flight_count += 1;
            self.flights.insert((at_us, self.flight_count), datagram.clone());
        }
    }

    /// Seals a packet and gives it back instead of sending it.
    pub(crate) fn sealed(&mut self, from: usize, to: SocketAddr, body: &[u8]) -> Vec<u8> {
        let packet = [&[DATA], body].concat();
        let mut out = [0; 1_200];
        let len = self.nodes[from].socket.seal(to, &packet, &mut out);
        assert!(len > 0, "nothing can be sealed");
        out[..len].to_vec()
    }

    /// Seals a packet and sends it.
    pub(crate) fn send(&mut self, from: usize, to: SocketAddr, body: &[u8]) {
        let bytes = self.sealed(from, to, body);
        self.post(Datagram { from: self.nodes[from].address, to, bytes });
    }

    /// Whether a packet gets through from one to the other, each to where it believes the other to be.
    pub(crate) fn talks(&mut self, from: usize, to: usize, believed: SocketAddr) -> bool {
        let body = self.luck.next_u32().to_le_bytes();
        self.send(from, believed, &body);
        let until_us = self.now_us + 100_000;
        self.run(until_us);
        self.nodes[to].got.iter().any(|(_, packet)| packet[1..] == body)
    }

    /// Whether packets get through in both directions at the usual addresses.
    pub(crate) fn talk_both_ways(&mut self) -> bool {
        self.talks(GUEST, HOST, address(HOST)) && self.talks(HOST, GUEST, address(GUEST))
    }
}
