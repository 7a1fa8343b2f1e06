//! [`ConnectionStats`]: what went over the channels to one peer.

use super::topology::Channel;

/// What went over one channel to and from one peer.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ChannelStats {
    /// Messages that were taken.
    pub sent_messages: u64,
    /// Of those, how many have arrived. Nobody knows of an unreliable channel.
    pub delivered_messages: u64,
    /// Messages that wait to be sent.
    pub waiting_messages: usize,
    /// Bytes that wait to be sent or acknowledged, 64 for each message beside its own.
    pub waiting_bytes: usize,
    /// Pieces sent for the first time.
    pub pieces_sent: u64,
    /// Pieces sent again.
    pub pieces_resent: u64,
    /// Messages that came in whole.
    pub received_messages: u64,
    /// Messages that came in and were not read yet.
    pub unread_messages: usize,
    /// Bytes of those, 64 for each beside its own.
    pub unread_bytes: usize,
    /// Pieces that came in more than once, or too late to be of use.
    pub duplicate_pieces: u64,
    /// Messages of an unreliable channel that were given up: they waited for the rate when newer ones came,
    /// a part of them was lost, or nobody read them.
    pub dropped_messages: u64,
    /// Times that a message was held up because the sender exceeds the channel's rate.
    pub held_up: u64,
}

/// What went over the connection to one peer.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ConnectionStats {
    /// The round trip, smoothed, in microseconds; none before the first answer.
    pub rtt_us: Option<u64>,
    /// How much it varies, in microseconds.
    pub jitter_us: Option<u64>,
    /// Packets written.
    pub packets_sent: u64,
    /// Bytes of them.
    pub bytes_sent: u64,
    /// Packets taken.
    pub packets_received: u64,
    /// Bytes of them.
    pub bytes_received: u64,
    /// By channel.
    pub channels: [ChannelStats; Channel::ALL.len()],
}

impl ConnectionStats {
    /// What went over one channel.
    #[must_use]
    pub fn of(&self, channel: Channel) -> &ChannelStats {
        &self.channels[channel.index()]
    }
}
