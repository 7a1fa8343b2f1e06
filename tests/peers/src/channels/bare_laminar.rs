//! [`LaminarEnd`]: laminar's own reliable ordered packets, on virtual time.
//!
//! It acknowledges only in reliable packets, and sends again only what 33 later packets have left
//! behind. So the configuration is as kind to it as can be: heartbeats, which keep a connection alive
//! whose one end has nothing to say, and room for more packets in flight than are ever sent.

use super::{Contender, End, Polling};
use crate::ADDRESSES;
use laminar::{Config, ConnectionManager, DatagramSocket, Packet, SocketEvent, VirtualConnection};
use snapback::transport::link::MAX_DATAGRAM_BYTES;
use std::collections::VecDeque;
use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;
use std::time::Duration;

/// How often each end says hello until both have heard the other.
const HELLO_US: u64 = 100_000;

/// What laminar has instead of a socket.
#[derive(Debug)]
struct Pipe {
    here: SocketAddr,
    there: SocketAddr,
    incoming: VecDeque<Vec<u8>>,
    outgoing: Vec<Vec<u8>>,
}

impl DatagramSocket for Pipe {
    fn send_packet(&mut self, _: &SocketAddr, payload: &[u8]) -> Result<usize> {
        // As a socket of the system does.
        if payload.len() > MAX_DATAGRAM_BYTES {
            return Err(Error::new(ErrorKind::InvalidInput, "message too long"));
        }
        self.outgoing.push(payload.to_vec());
        Ok(payload.len())
    }

    fn receive_packet<'a>(&mut self, buffer: &'a mut [u8]) -> Result<(&'a [u8], SocketAddr)> {
        let datagram = self.incoming.pop_front().ok_or(ErrorKind::WouldBlock)?;
        let len = datagram.len().min(buffer.len());
        buffer[..len].copy_from_slice(&datagram[..len]);
        Ok((&buffer[..len], self.there))
    }

    fn local_addr(&self) -> Result<SocketAddr> {
        Ok(self.here)
    }

    fn is_blocking_mode(&self) -> bool {
        false
    }
}

/// One end.
pub struct LaminarEnd {
    connections: ConnectionManager<Pipe, VirtualConnection>,
    #[expect(clippy::disallowed_types, reason = "laminar counts time from an instant, which stands still here")]
    origin: std::time::Instant,
    received: VecDeque<Vec<u8>>,
    is_connected: bool,
    hello_due_us: u64,
}

impl LaminarEnd {
    /// An end of the pair.
    #[must_use]
    #[expect(clippy::disallowed_types, reason = "only the origin of virtual time")]
    pub fn new(seat: usize) -> Self {
        let config =
            Config { heartbeat_interval: Some(Duration::from_millis(500)), max_packets_in_flight: u16::MAX / 2, ..Config::default() };
        let pipe = Pipe { here: ADDRESSES[seat], there: ADDRESSES[1 - seat], incoming: VecDeque::new(), outgoing: Vec::new() };
        Self {
            connections: ConnectionManager::new(pipe, config),
            origin: std::time::Instant::now(),
            received: VecDeque::new(),
            is_connected: false,
            hello_due_us: 0,
        }
    }

    fn queue(&self, packet: Packet) {
        self.connections.event_sender().send(packet).expect("its receiver lives in the same struct");
    }
}

impl End for LaminarEnd {
    fn send(&mut self, _: u64, message: &[u8]) {
        let there = self.connections.socket().there;
        self.queue(Packet::reliable_ordered(there, message.to_vec(), None));
    }

    fn handle(&mut self, _: u64, datagram: &[u8]) {
        self.connections.socket_mut().incoming.push_back(datagram.to_vec());
    }

    fn step(&mut self, now_us: u64, out: &mut dyn FnMut(&[u8])) {
        if !self.is_connected && now_us >= self.hello_due_us {
            self.hello_due_us = now_us + HELLO_US;
            self.queue(Packet::unreliable(self.connections.socket().there, b"hello".to_vec()));
        }
        self.connections.manual_poll(self.origin + Duration::from_micros(now_us));
        for datagram in self.connections.socket_mut().outgoing.drain(..) {
            out(&datagram);
        }
        while let Ok(event) = self.connections.event_receiver().try_recv() {
            match event {
                SocketEvent::Packet(packet) if packet.payload() != b"hello" => self.received.push_back(packet.payload().to_vec()),
                SocketEvent::Packet(_) | SocketEvent::Timeout(_) | SocketEvent::Disconnect(_) => {}
                SocketEvent::Connect(_) => self.is_connected = true,
            }
        }
    }

    fn receive(&mut self, _: u64) -> Option<Vec<u8>> {
        self.received.pop_front()
    }

    fn is_connected(&self) -> bool {
        self.is_connected
    }
}

/// laminar by itself, polled every millisecond as its own polling thread does.
#[must_use]
pub fn contender() -> Contender {
    Contender::new("laminar 0.5", Polling::Milliseconds, |_| [0, 1].map(|seat| Box::new(LaminarEnd::new(seat)) as Box<dyn End>))
}
