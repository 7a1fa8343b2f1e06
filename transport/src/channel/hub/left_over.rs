//! [`LeftOver`]: what connections that are over have brought, and nobody has received yet.
//!
//! It was acknowledged, so the sender believes it received: nothing reliable of it is ever dropped. It is
//! bounded because the connection that follows counts it as unread of its own, and takes no message for
//! which there is no room beside it: the sender is not told that it arrived, and waits.

use crate::channel::{Channel, ChannelConnection};
use std::collections::VecDeque;

/// See the module.
#[derive(Default)]
pub(super) struct LeftOver {
    messages: VecDeque<(Channel, Vec<u8>)>,
    /// Of each channel, counted as a connection counts them.
    bytes: [usize; Channel::ALL.len()],
}

impl LeftOver {
    /// Takes over what a connection holds. Of an unreliable channel only the newest matter.
    pub(super) fn take_from(&mut self, connection: &mut ChannelConnection, now_us: u64) {
        self.messages.retain(|(channel, _)| connection.is_reliable(*channel));
        for channel in Channel::ALL {
            if !connection.is_reliable(channel) {
                self.set_bytes(channel, 0);
            }
        }
        while let Some((channel, message)) = connection.receive(now_us) {
            self.set_bytes(channel, self.bytes_of(channel) + ChannelConnection::unread_bytes(&message));
            self.messages.push_back((channel, message));
            self.tell(connection);
        }
    }

    /// The next message, on a channel or on any.
    pub(super) fn next(&mut self, on: Option<Channel>) -> Option<(Channel, Vec<u8>)> {
        let at = self.messages.iter().position(|(channel, _)| on.is_none_or(|on| on == *channel))?;
        let (channel, message) = self.messages.remove(at)?;
        self.set_bytes(channel, self.bytes_of(channel).saturating_sub(ChannelConnection::unread_bytes(&message)));
        Some((channel, message))
    }

    /// Tells the connection that follows what is in front of its own.
    pub(super) fn tell(&self, connection: &mut ChannelConnection) {
        for (channel, bytes) in Channel::ALL.into_iter().zip(self.bytes) {
            connection.set_unread_before(channel, bytes);
        }
    }

    fn bytes_of(&self, channel: Channel) -> usize {
        self.bytes.get(channel.index()).copied().unwrap_or(0)
    }

    fn set_bytes(&mut self, channel: Channel, bytes: usize) {
        if let Some(slot) = self.bytes.get_mut(channel.index()) {
            *slot = bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::ConnectionSettings;

    /// A connection that was brought these messages, and nobody has read them.
    fn unread(messages: &[(Channel, u8)]) -> ChannelConnection {
        let pair = || ChannelConnection::new(ConnectionSettings::new(1_100));
        let (mut from, mut to) = (pair(), pair());
        for (channel, byte) in messages {
            from.send(*channel, &[*byte]).unwrap();
        }
        let mut packet = [0; 1_200];
        while let Some(len) = from.poll_transmit(0, &mut packet) {
            to.handle(0, &packet[..len]).unwrap();
        }
        to
    }

    #[test]
    fn the_oldest_comes_first_and_of_an_unreliable_channel_only_the_last_connections() {
        let mut left = LeftOver::default();
        left.take_from(&mut unread(&[(Channel::Lobby, 1), (Channel::Spectator, 2), (Channel::MatchState, 3)]), 0);
        assert_eq!(left.bytes_of(Channel::Spectator), 65);
        left.take_from(&mut unread(&[(Channel::Lobby, 4), (Channel::Spectator, 5)]), 0);
        let bytes = |left: &LeftOver| [Channel::Lobby, Channel::Spectator, Channel::MatchState].map(|channel| left.bytes_of(channel));
        assert_eq!(bytes(&left), [130, 65, 65]);
        assert_eq!(left.next(Some(Channel::MatchState)), Some((Channel::MatchState, vec![3])));
        assert_eq!(left.next(Some(Channel::MatchState)), None);
        assert_eq!(left.next(None), Some((Channel::Lobby, vec![1])));
        assert_eq!(left.next(None), Some((Channel::Lobby, vec![4])));
        assert_eq!(left.next(None), Some((Channel::Spectator, vec![5])));
        assert_eq!((left.next(None), bytes(&left)), (None, [0; 3]));
    }
}
