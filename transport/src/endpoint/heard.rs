//! [`Heard`]: what has come from a peer lately, and how far it has heard us.

use super::Endpoint;
use crate::ack::ACK_REACH;

/// What has come from a peer lately, and how far it has heard us: what tells a lost packet from one that was
/// never sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heard {
    /// The newest sequence that has come; none before the first.
    pub newest_sequence: Option<u64>,
    /// When the newest sequence came, on our clock; when the connection was made, before the first.
    pub newest_at_us: u64,
    /// How many of the last 32 sequences before the newest have not come, before repair.
    pub missing_packets: u32,
    /// When the newest packet of ours that the peer has acknowledged was sent; none before the first.
    pub acked_sent_us: Option<u64>,
}

impl Endpoint {
    /// What has come from the peer lately, and how far it has heard us.
    #[must_use]
    pub fn heard(&self) -> Heard {
        Heard {
            newest_sequence: self.received.highest(),
            newest_at_us: self.newest_received_at_us,
            missing_packets: self.received.missing_below(ACK_REACH as u32),
            acked_sent_us: self.newest_acked_sent_us,
        }
    }

    /// The newest sequence that has come; none before the first.
    #[must_use]
    #[inline]
    pub fn newest_sequence(&self) -> Option<u64> {
        self.received.highest()
    }

    /// When the newest sequence came, on our clock; when the connection was made, before the first.
    #[must_use]
    #[inline]
    pub fn newest_received_at_us(&self) -> u64 {
        self.newest_received_at_us
    }

    /// How many of the last `count` sequences before the newest have not come; those that are more than 32
    /// before it are not remembered, and count as missing.
    #[must_use]
    pub fn missing_of_last(&self, count: u64) -> u64 {
        let forgotten = count.saturating_sub(ACK_REACH);
        forgotten + u64::from(self.received.missing_below(count.min(ACK_REACH) as u32))
    }
}
