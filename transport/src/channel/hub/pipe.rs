//! [`Pipe`]: the socket that laminar believes to have. It leads from and to memory.

use laminar::DatagramSocket;
use std::collections::VecDeque;
use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;

/// Datagrams that wait to be taken out; more are dropped, as a socket would. One call gives at most two.
const MAX_WAITING: usize = 8;

#[derive(Debug)]
pub(super) struct Pipe {
    /// The address that laminar knows the peer by.
    peer: SocketAddr,
    incoming: Vec<u8>,
    outgoing: VecDeque<Vec<u8>>,
    written: u64,
}

impl Pipe {
    pub(super) fn new(peer: SocketAddr) -> Self {
        Self { peer, incoming: Vec::new(), outgoing: VecDeque::with_capacity(MAX_WAITING), written: 0 }
    }

    /// Lays a datagram down for laminar's next poll.
    pub(super) fn put(&mut self, datagram: &[u8]) {
        self.incoming.clear();
        self.incoming.extend_from_slice(datagram);
    }

    /// What laminar wrote.
    pub(super) fn take(&mut self) -> Option<Vec<u8>> {
        self.outgoing.pop_front()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.outgoing.is_empty()
    }

    /// How many datagrams laminar has written so far.
    pub(super) fn written(&self) -> u64 {
        self.written
    }
}

impl DatagramSocket for Pipe {
    fn send_packet(&mut self, _address: &SocketAddr, payload: &[u8]) -> Result<usize> {
        self.written += 1;
        if self.outgoing.len() < MAX_WAITING {
            self.outgoing.push_back(payload.to_vec());
        }
        Ok(payload.len())
    }

    fn receive_packet<'a>(&mut self, buffer: &'a mut [u8]) -> Result<(&'a [u8], SocketAddr)> {
        let place = buffer.get_mut(..self.incoming.len()).filter(|place| !place.is_empty());
        let Some(place) = place else { return Err(Error::from(ErrorKind::WouldBlock)) };
        place.copy_from_slice(&self.incoming);
        self.incoming.clear();
        Ok((place, self.peer))
    }

    fn local_addr(&self) -> Result<SocketAddr> {
        Ok(self.peer)
    }

    fn is_blocking_mode(&self) -> bool {
        false
    }
}
