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
    /// Loss of what we send, before repair, smoothed, in millionths.
    pub loss_sent_per_million: u32,
    /// Loss of what we receive, before repair, over the last packets, in millionths.
    pub loss_received_per_million: u32,
    /// Frames of input that are sent and not acknowledged.
    pub resend_depth_frames: u32,
    /// Parity packets sent.
    pub parity_sent: u64,
    /// Parity packets received.
    pub parity_received: u64,
    /// Copies of the newest packet sent.
    pub copies_sent: u64,
    /// Packets that were lost and made again.
    pub packets_recovered: u64,
    /// Those of them that brought inputs that no other packet had brought yet.
    pub inputs_only_by_parity: u64,
}

impl EndpointStats {
    /// What went out in a second on the mean, in bits, over a connection that is `age_us` old: without
    /// the headers of UDP and IP.
    #[must_use]
    pub fn sent_bits_per_second(&self, age_us: u64) -> u64 {
        bits_per_second(self.bytes_sent, age_us)
    }

    /// The same for what came in.
    #[must_use]
    pub fn received_bits_per_second(&self, age_us: u64) -> u64 {
        bits_per_second(self.bytes_received, age_us)
    }
}

fn bits_per_second(bytes: u64, age_us: u64) -> u64 {
    u64::try_from(u128::from(bytes) * 8_000_000 / u128::from(age_us.max(1))).unwrap_or(u64::MAX)
}

/// How many of the peer's packets do not come, from the gaps in their sequences.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ReceivedLoss {
    highest: Option<u64>,
    /// In 2^32nds, over about the last 64 packets.
    smoothed: u64,
}

/// Of the smoothed loss that each packet decides, a 64th.
const SHIFT: u32 = 6;

/// Gaps longer than this count as this.
const LONGEST_GAP: u64 = 256;

impl ReceivedLoss {
    pub(super) fn take(&mut self, sequence: u64) {
        let Some(highest) = self.highest else {
            self.highest = Some(sequence);
            return;
        };
        if sequence <= highest {
            // It was counted as lost, and comes late.
            self.smoothed = self.smoothed.saturating_sub((1 << 32) >> SHIFT);
            return;
        }
        for _ in 0..(sequence - highest - 1).min(LONGEST_GAP) {
            self.smoothed += ((1 << 32) - self.smoothed) >> SHIFT;
        }
        self.smoothed -= self.smoothed >> SHIFT;
        self.highest = Some(sequence);
    }

    pub(super) fn per_million(&self) -> u32 {
        u32::try_from((self.smoothed * 1_000_000) >> 32).unwrap_or(1_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loss_is_what_the_gaps_say() {
        let mut loss = ReceivedLoss::default();
        for sequence in (0..10_000).filter(|sequence| sequence % 10 != 3) {
            loss.take(sequence);
        }
        assert!((70_000..130_000).contains(&loss.per_million()), "{}", loss.per_million());
        for sequence in 10_000..12_000 {
            loss.take(sequence);
        }
        assert!(loss.per_million() < 10, "{}", loss.per_million());
        loss.take(1 << 40);
        assert!((900_000..=1_000_000).contains(&loss.per_million()));
        let stats = EndpointStats { bytes_sent: 1_000, ..EndpointStats::default() };
        assert_eq!(stats.sent_bits_per_second(2_000_000), 4_000);
    }
}
