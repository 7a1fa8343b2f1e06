//! [`EndpointStats`]: what went over a connection.

/// What went over a connection.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct EndpointStats {
    /// The smoothed round trip; none before the first measurement.
    pub rtt_us: Option<u64>,
    /// The mean deviation of round trips.
    pub jitter_us: u64,
    /// Datagrams sent.
    pub packets_sent: u64,
    /// Their bytes, without UDP and IP headers.
    pub bytes_sent: u64,
    /// Datagrams received that belong to the connection.
    pub packets_received: u64,
    /// Their bytes, without UDP and IP headers.
    pub bytes_received: u64,
    /// Packets of ours that the peer acknowledged.
    pub packets_acked: u64,
    /// Packets of ours that left the reach of the acknowledgements without one.
    pub packets_lost: u64,
}
