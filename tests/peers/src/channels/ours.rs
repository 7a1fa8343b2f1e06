//! Ours: [`HubEnd`], which is all of it, encrypted or not, and [`ConnectionEnd`], which is our reliability
//! by itself.

use super::{Contender, End, Polling};
use crate::ADDRESSES;
use snapback::transport::channel::{
    Channel, ChannelConnection, ChannelHub, ConnectionSettings, HubInvitation, HubRole, HubSecurity, HubSettings,
};
use snapback::transport::packet::DATAGRAM_BUDGET_BYTES;
use snapback::transport::secure::{Certificate, Identity, MatchSecret, SecureSettings};
use snapback::{PlayerHandle, PlayerSet};
use std::net::SocketAddr;

const MATCH_ID: u64 = 6;
const SECRET: MatchSecret = MatchSecret([3; 32]);

/// What laminar and DTLS take of a datagram is not the connection's.
const PACKET_BUDGET_BYTES: usize = 1_160;

/// The connection by itself: what it writes is a datagram.
pub struct ConnectionEnd {
    connection: ChannelConnection,
    channel: Channel,
    buffer: Vec<u8>,
}

impl ConnectionEnd {
    /// An end that talks on one channel.
    #[must_use]
    pub fn new(channel: Channel) -> Self {
        let connection = ChannelConnection::new(ConnectionSettings::new(PACKET_BUDGET_BYTES));
        Self { connection, channel, buffer: vec![0; DATAGRAM_BUDGET_BYTES] }
    }
}

impl End for ConnectionEnd {
    fn send(&mut self, _: u64, message: &[u8]) {
        self.connection.send(self.channel, message).expect("there is room for this message");
    }

    fn handle(&mut self, now_us: u64, datagram: &[u8]) {
        self.connection.handle(now_us, datagram).expect("the other end is honest");
    }

    fn step(&mut self, now_us: u64, out: &mut dyn FnMut(&[u8])) {
        while let Some(len) = self.connection.poll_transmit(now_us, &mut self.buffer) {
            out(&self.buffer[..len]);
        }
    }

    fn receive(&mut self, now_us: u64) -> Option<Vec<u8>> {
        self.connection.receive_on(now_us, self.channel)
    }

    fn is_connected(&self) -> bool {
        true
    }
}

/// A whole hub: our reliability, in laminar's unreliable packets, in DTLS or in the clear.
pub struct HubEnd {
    hub: ChannelHub,
    seat: usize,
    channel: Channel,
    buffer: Vec<u8>,
}

impl HubEnd {
    /// The hub of a seat, that talks on one channel with the other one.
    #[must_use]
    pub fn new(seat: usize, nonce: u64, security: HubSecurity, channel: Channel) -> Self {
        let role = if seat == 0 { HubRole::Host } else { HubRole::Join { host: ADDRESSES[0] } };
        let settings = HubSettings::new(MATCH_ID, player(seat), 2, nonce, role, security);
        let hub = ChannelHub::new(settings, 0).expect("the settings are the usual ones");
        Self { hub, seat, channel, buffer: vec![0; DATAGRAM_BUDGET_BYTES] }
    }
}

impl HubEnd {
    /// Takes a datagram from anywhere.
    pub fn handle_from(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) {
        self.hub.handle(now_us, from, datagram);
    }
}

impl End for HubEnd {
    fn send(&mut self, now_us: u64, message: &[u8]) {
        let sent = self.hub.send(now_us, player(1 - self.seat), self.channel, message);
        sent.expect("there is room for this message");
    }

    fn handle(&mut self, now_us: u64, datagram: &[u8]) {
        self.handle_from(now_us, ADDRESSES[1 - self.seat], datagram);
    }

    fn step(&mut self, now_us: u64, out: &mut dyn FnMut(&[u8])) {
        while let Some((_, len)) = self.hub.poll_transmit(now_us, &mut self.buffer) {
            out(&self.buffer[..len]);
        }
        while self.hub.poll_event().is_some() {}
    }

    fn receive(&mut self, now_us: u64) -> Option<Vec<u8>> {
        self.hub.receive_on(now_us, self.channel).map(|received| received.message)
    }

    fn is_connected(&self) -> bool {
        self.hub.connected() == PlayerSet::from_bits(1 << (1 - self.seat))
    }
}

fn player(seat: usize) -> PlayerHandle {
    PlayerHandle::new(seat as u8)
}

/// What two hubs need to encrypt. The certificates are fresh, from the operating system.
fn credentials() -> [HubSecurity; 2] {
    let certificates = [(); 2].map(|()| Certificate::generate().expect("the system gives random bytes"));
    let host = certificates[0].fingerprint();
    let mut seats = certificates.into_iter().zip([HubInvitation::Issued(SECRET), HubInvitation::Held { secret: SECRET.seat(1), host }]);
    [1, 2].map(|seed| {
        let (certificate, invitation) = seats.next().expect("there are two");
        let settings = SecureSettings::new(MATCH_ID, certificate, Identity::from_seed(&[seed; 32]), [seed; 32]);
        HubSecurity::Encrypted { settings: Box::new(settings), invitation }
    })
}

fn hubs(name: &str, polling: Polling, channel: Channel, security: fn() -> [HubSecurity; 2]) -> Contender {
    ours(name, polling, move |seed| {
        let mut seat = 0;
        security().map(|security| {
            let end = HubEnd::new(seat, 2 * seed + seat as u64, security, channel);
            seat += 1;
            Box::new(end) as Box<dyn End>
        })
    })
}

/// Two hubs and encryption between them: what a match has.
#[must_use]
pub fn encrypted(channel: Channel, polling: Polling) -> Contender {
    hubs("ours", polling, channel, credentials)
}

/// Two encrypted hubs that have met on a link without delay, and the time at which they have.
///
/// # Panics
/// If they do not meet within ten seconds.
#[must_use]
pub fn met() -> ([HubEnd; 2], u64) {
    let mut seat = 0;
    let mut ends = credentials().map(|security| {
        seat += 1;
        HubEnd::new(seat - 1, seat as u64, security, Channel::Lobby)
    });
    let mut now_us = 0;
    while !ends.iter().all(End::is_connected) {
        assert!(now_us < 10_000_000, "the hubs do not meet");
        now_us += 1_000;
        for from in 0..2 {
            let mut datagrams = Vec::new();
            ends[from].step(now_us, &mut |datagram| datagrams.push(datagram.to_vec()));
            for datagram in datagrams {
                ends[1 - from].handle(now_us, &datagram);
            }
        }
    }
    (ends, now_us)
}

/// Two hubs in the plaintext profile.
#[must_use]
pub fn plaintext(channel: Channel, polling: Polling) -> Contender {
    hubs("ours in the clear", polling, channel, || [HubSecurity::InsecureLan, HubSecurity::InsecureLan])
}

fn ours(name: &str, polling: Polling, make: impl Fn(u64) -> [Box<dyn End>; 2] + 'static) -> Contender {
    let polled = if polling == Polling::Ticks { ", at 60 Hz" } else { "" };
    Contender { is_ours: true, ..Contender::new(format!("{name}{polled}"), polling, make) }
}

/// Our connection by itself.
#[must_use]
pub fn connection(channel: Channel, polling: Polling) -> Contender {
    ours("our connection alone", polling, move |_| [(); 2].map(|()| Box::new(ConnectionEnd::new(channel)) as Box<dyn End>))
}
