//! [`Client`]: one address that sends, its own socket to the program, and a link each way.

use super::counts::Counts;
use super::options::Plan;
use crate::remote::address::sender_ip;
use snapback::Rng;
use snapback::transport::link::{Direction, LinkConditioner};
use snapback::transport::udp::{SendOutcome, UdpEndpoint, UdpError};
use std::net::SocketAddr;

/// Sets the seeds of clients apart from every other use of the seed.
const CLIENT_SEED: u64 = 0x636c_6965_6e74_2073;

/// Datagrams that one way hands on in one turn, so that no flood keeps the others waiting.
const TURN_CAP: u32 = 1_024;

/// One direction of a client's link, and what the link itself does not count.
pub(super) struct Way {
    link: LinkConditioner,
    /// Datagrams that found the memory for all links full, and their bytes.
    turned_back: u64,
    turned_back_bytes: u64,
    /// Datagrams that came through and that the system did not take.
    unsent: u64,
}

/// One address that sends.
///
/// The clock of its links begins with its first datagram: outages and recordings do too, so that a
/// client meets the same fate whenever it comes.
pub(super) struct Client {
    pub(super) number: u64,
    pub(super) address: SocketAddr,
    pub(super) upstream: UdpEndpoint,
    pub(super) up: Way,
    pub(super) down: Way,
    first_us: u64,
    heard_us: u64,
}

impl Way {
    fn new(link: LinkConditioner) -> Self {
        Self { link, turned_back: 0, turned_back_bytes: 0, unsent: 0 }
    }

    /// Puts a datagram on the link, if there is room for it.
    fn take(&mut self, link_us: u64, bytes: &[u8], has_room: bool) {
        if has_room {
            self.link.send(link_us, bytes);
        } else {
            self.turned_back += 1;
            self.turned_back_bytes += bytes.len() as u64;
        }
    }

    /// Hands on what has come through.
    fn give(&mut self, link_us: u64, socket: &mut UdpEndpoint, to: SocketAddr) -> Result<(), UdpError> {
        let mut trouble = Ok(());
        for _ in 0..TURN_CAP {
            let Some(bytes) = self.link.receive(link_us) else { break };
            match socket.send(to, bytes) {
                Ok(SendOutcome::Sent) => {}
                Ok(SendOutcome::Dropped | SendOutcome::Unreachable) => self.unsent += 1,
                Err(error) => {
                    self.unsent += 1;
                    trouble = Err(error);
                }
            }
        }
        trouble
    }

    pub(super) fn counts(&self) -> Counts {
        let stats = self.link.stats();
        Counts {
            datagrams_in: stats.offered + self.turned_back,
            datagrams_out: stats.delivered - self.unsent,
            lost: stats.lost,
            duplicated: stats.duplicated,
            reordered: stats.reordered,
            queue_dropped: stats.queue_dropped + self.turned_back,
            unsent: self.unsent,
            under_way: self.link.queued() as u64,
            bytes_in: stats.bytes_offered + self.turned_back_bytes,
            bytes_out: stats.bytes_delivered,
        }
    }
}

impl Client {
    /// A client that has just been heard of for the first time.
    pub(super) fn new(plan: &Plan, number: u64, address: SocketAddr, now_us: u64) -> Result<Self, UdpError> {
        let upstream = UdpEndpoint::bind(SocketAddr::new(sender_ip(plan.to.ip()), 0))?;
        let mut rng = Rng::new(plan.seed ^ CLIENT_SEED, number);
        // Both ways have the same seed: a recording loses a round trip on one of them.
        let seed = u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32());
        let way = |settings, stream, direction| {
            let link = LinkConditioner::new(settings, seed, stream);
            Way::new(match &plan.trace {
                Some(trace) => link.with_trace(trace.clone(), direction),
                None => link,
            })
        };
        let (up, down) = (way(plan.up, 0, Direction::Forward), way(plan.down, 1, Direction::Reverse));
        Ok(Self { number, address, upstream, up, down, first_us: now_us, heard_us: now_us })
    }

    /// A datagram of the client.
    pub(super) fn take_up(&mut self, now_us: u64, bytes: &[u8], has_room: bool) {
        self.heard_us = now_us;
        self.up.take(now_us.saturating_sub(self.first_us), bytes, has_room);
    }

    /// A datagram of the program.
    pub(super) fn take_down(&mut self, now_us: u64, bytes: &[u8], has_room: bool) {
        self.heard_us = now_us;
        self.down.take(now_us.saturating_sub(self.first_us), bytes, has_room);
    }

    /// Hands on what has come through either link. The last error counts.
    pub(super) fn give(&mut self, now_us: u64, front: &mut UdpEndpoint, to: SocketAddr) -> Result<(), UdpError> {
        let link_us = now_us.saturating_sub(self.first_us);
        let up = self.up.give(link_us, &mut self.upstream, to);
        self.down.give(link_us, front, self.address).and(up)
    }

    /// When the next datagram comes through.
    pub(super) fn next_us(&self) -> Option<u64> {
        let ways = [&self.up, &self.down];
        let next_us = ways.into_iter().filter_map(|way| way.link.next_delivery_us()).min();
        next_us.map(|link_us| self.first_us.saturating_add(link_us))
    }

    /// Bytes of all datagrams under way.
    pub(super) fn queued_bytes(&self) -> usize {
        self.up.link.queued_bytes() + self.down.link.queued_bytes()
    }

    /// How long nothing has come from either side.
    pub(super) fn silent_us(&self, now_us: u64) -> u64 {
        now_us.saturating_sub(self.heard_us)
    }

    /// From the first datagram to the last one so far, from either side.
    pub(super) fn active_us(&self) -> u64 {
        self.heard_us - self.first_us
    }
}
