//! [`Counts`]: what became of the datagrams of one way.

use core::ops::AddAssign;
use serde::Serialize;

/// IPv4 and UDP headers, which every datagram has on the wire.
pub(super) const HEADER_BYTES: u64 = 28;

/// What became of datagrams. At all times
/// `in + duplicated == out + lost + queue_dropped + unsent + under_way`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(super) struct Counts {
    pub(super) datagrams_in: u64,
    /// Copies included.
    pub(super) datagrams_out: u64,
    /// By the loss, the recording or an outage.
    pub(super) lost: u64,
    pub(super) duplicated: u64,
    /// Handed on after one that came later.
    pub(super) reordered: u64,
    /// For want of room: at the slowest hop, or in this program.
    pub(super) queue_dropped: u64,
    /// Came through, and then the system did not take them.
    pub(super) unsent: u64,
    /// Still on the link.
    pub(super) under_way: u64,
    /// Without headers.
    pub(super) bytes_in: u64,
    /// Without headers, unsent ones included.
    pub(super) bytes_out: u64,
}

impl Counts {
    /// What came in, with headers.
    pub(super) fn wire_bytes_in(&self) -> u64 {
        self.bytes_in + self.datagrams_in * HEADER_BYTES
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.datagrams_in += other.datagrams_in;
        self.datagrams_out += other.datagrams_out;
        self.lost += other.lost;
        self.duplicated += other.duplicated;
        self.reordered += other.reordered;
        self.queue_dropped += other.queue_dropped;
        self.unsent += other.unsent;
        self.under_way += other.under_way;
        self.bytes_in += other.bytes_in;
        self.bytes_out += other.bytes_out;
    }
}
