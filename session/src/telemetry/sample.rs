//! [`NetSample`]: how a match went for a moment, for a net graph.

use super::stall_stats::StallStats;
use snapback_core::Frame;

/// How a match went since the sample before: for a net graph, and for a post-mortem. What the connections say
/// is of the worst one, and bytes are of all together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetSample {
    /// When it was taken, on the peer's clock.
    pub at_us: u64,
    /// How long it spans.
    pub span_us: u64,
    /// The frame that the session had reached.
    pub frame: Frame,
    /// Frames that were played for the first time.
    pub frames: u64,
    /// The smoothed round trip; none before the first measurement.
    pub rtt_us: Option<u64>,
    /// The mean deviation of round trips.
    pub jitter_us: u64,
    /// Loss of what we send, before repair, smoothed, in millionths.
    pub loss_sent_per_million: u32,
    /// Loss of what we receive, before repair, smoothed, in millionths.
    pub loss_received_per_million: u32,
    /// Ticks that rewound.
    pub rollbacks: u64,
    /// Frames that were played again.
    pub resimulated_frames: u64,
    /// The deepest rewind, in frames.
    pub depth_frames: u32,
    /// How far we are ahead of the peer that we are furthest ahead of, smoothed, in thousandths of a frame:
    /// what [time sync](crate::time_sync) goes by.
    pub advantage_milliframes: i64,
    /// By how many millionths ticks are longer for it.
    pub stretch_ppm: u32,
    /// The raw diagnostic: the last confirmed frame of player 0 minus that of player 1, as seen from here.
    pub raw_advantage_frames: i64,
    /// Ticks that were frozen, by cause.
    pub stalls: StallStats,
    /// Bytes that were sent, without the headers of UDP and IP.
    pub sent_bytes: u64,
    /// Bytes that came, without the headers of UDP and IP.
    pub received_bytes: u64,
}

impl NetSample {
    /// Before anything was played.
    pub const EMPTY: Self = Self {
        at_us: 0,
        span_us: 0,
        frame: Frame::INITIAL,
        frames: 0,
        rtt_us: None,
        jitter_us: 0,
        loss_sent_per_million: 0,
        loss_received_per_million: 0,
        rollbacks: 0,
        resimulated_frames: 0,
        depth_frames: 0,
        advantage_milliframes: 0,
        stretch_ppm: 0,
        raw_advantage_frames: 0,
        stalls: StallStats::NONE,
        sent_bytes: 0,
        received_bytes: 0,
    };

    /// What went out, in bits a second.
    #[must_use]
    pub fn sent_bits_per_second(&self) -> u64 {
        bits_per_second(self.sent_bytes, self.span_us)
    }

    /// What came in, in bits a second.
    #[must_use]
    pub fn received_bits_per_second(&self) -> u64 {
        bits_per_second(self.received_bytes, self.span_us)
    }

    /// The larger of the losses both ways, in millionths.
    #[must_use]
    pub fn loss_per_million(&self) -> u32 {
        self.loss_sent_per_million.max(self.loss_received_per_million)
    }
}

fn bits_per_second(bytes: u64, span_us: u64) -> u64 {
    bytes.saturating_mul(8_000_000).checked_div(span_us).unwrap_or(0)
}
