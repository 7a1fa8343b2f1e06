//! [`WireCount`]: what one peer put on the wire.

/// What IPv4 and UDP add to a datagram.
pub const HEADER_BYTES: u64 = 20 + 8;

/// What one peer put on the wire, counted where a socket would be.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct WireCount {
    /// Datagrams.
    pub packets: u64,
    /// Their bytes, IPv4 and UDP headers included.
    pub bytes: u64,
}

impl WireCount {
    /// Adds a datagram with `payload_bytes` in it.
    pub fn count(&mut self, payload_bytes: usize) {
        self.packets += 1;
        self.bytes += payload_bytes as u64 + HEADER_BYTES;
    }

    /// What both peers sent together.
    #[must_use]
    pub fn sum(both: [Self; 2]) -> Self {
        Self { packets: both[0].packets + both[1].packets, bytes: both[0].bytes + both[1].bytes }
    }
}
