//! [`Wires`]: a socket behind emulated links, one for each destination.

use crate::error::CliError;
use crate::link_options::LinkSpec;
use snapback::transport::link::{Direction, LinkConditioner, LinkTrace};
use snapback::transport::udp::UdpEndpoint;
use std::net::SocketAddr;

/// Links that are kept at a time: anybody can send us something that is answered once.
const MAX_LINKS: usize = 32;

/// Sets the draws of the channels' links apart from those of the match.
const CHANNELS_PLACE: usize = 1 << 16;

/// A socket behind emulated links. What is sent waits here for as long as the link takes.
pub(crate) struct Wires {
    socket: UdpEndpoint,
    spec: LinkSpec,
    trace: Option<LinkTrace>,
    seed: u64,
    /// Sets the draws of this peer apart from those of the others with the same seed.
    place: u64,
    links: Vec<(SocketAddr, LinkConditioner)>,
    links_made: u64,
    send_error: Option<String>,
}

impl Wires {
    /// Listens on `address`.
    pub(crate) fn bind(address: SocketAddr, spec: &LinkSpec, seed: u64, place: usize) -> Result<Self, CliError> {
        let trace = spec.load_trace()?;
        let socket = UdpEndpoint::bind(address).map_err(CliError::environment)?;
        Ok(Self { socket, spec: spec.clone(), trace, seed, place: place as u64, links: Vec::new(), links_made: 0, send_error: None })
    }

    /// The same link for the channels, with draws of its own, of which one poll takes at most so many
    /// datagrams.
    pub(crate) fn bind_channels(
        address: SocketAddr,
        spec: &LinkSpec,
        seed: u64,
        place: usize,
        poll_datagrams: u32,
    ) -> Result<Self, CliError> {
        let mut wires = Self::bind(address, spec, seed, CHANNELS_PLACE + place)?;
        wires.socket = wires.socket.with_poll_cap(poll_datagrams);
        Ok(wires)
    }

    pub(crate) fn local_addr(&self) -> SocketAddr {
        self.socket.local_addr()
    }

    /// Starts a poll of the socket.
    pub(crate) fn begin_poll(&mut self) {
        self.socket.begin_poll();
    }

    /// The next datagram that has arrived.
    pub(crate) fn receive(&mut self, buffer: &mut [u8]) -> Option<(SocketAddr, usize)> {
        self.socket.receive(buffer)
    }

    /// Puts a datagram on the link to `to`.
    pub(crate) fn send(&mut self, now_us: u64, to: SocketAddr, bytes: &[u8]) {
        let at = match self.links.iter().position(|(address, _)| *address == to) {
            Some(at) => at,
            None => self.add_link(to),
        };
        if let Some((_, link)) = self.links.get_mut(at) {
            link.send(now_us, bytes);
        }
    }

    fn add_link(&mut self, to: SocketAddr) -> usize {
        if self.links.len() >= MAX_LINKS {
            self.links.retain(|(_, link)| link.queued() > 0);
        }
        let link = LinkConditioner::new(self.spec.settings(), self.seed, self.place * 8 + self.links_made);
        self.links_made += 1;
        // Both ends of a pair must take different directions; which takes which does not matter.
        let (here, there) = (self.socket.local_addr().port(), to.port());
        let direction = if here < there { Direction::Forward } else { Direction::Reverse };
        let link = match &self.trace {
            Some(trace) => link.with_trace(trace.clone(), direction),
            None => link,
        };
        self.links.push((to, link));
        self.links.len() - 1
    }

    /// Sends what has come through its link. What cannot be sent is lost, as on any network; if
    /// nothing can, the match ends for silence.
    pub(crate) fn flush(&mut self, now_us: u64) {
        for (to, link) in &mut self.links {
            while let Some(bytes) = link.receive(now_us) {
                if let Err(error) = self.socket.send(*to, bytes) {
                    self.send_error = Some(error.to_string());
                }
            }
        }
    }

    /// Why something could not be sent.
    pub(crate) fn send_error(&self) -> Option<&str> {
        self.send_error.as_deref()
    }

    /// When the next datagram comes through its link.
    pub(crate) fn next_us(&self) -> Option<u64> {
        self.links.iter().filter_map(|(_, link)| link.next_delivery_us()).min()
    }
}
