//! [`SendError`] and [`Violation`]: what a channel refuses, and what it does not forgive.

use super::topology::Channel;
use core::fmt;
use snapback_core::PlayerHandle;

/// Why a message was not taken. Nothing was queued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendError {
    /// Inputs have a socket of their own.
    WrongSocket {
        /// Which channel was meant.
        channel: Channel,
    },
    /// The message is larger than the channel takes. It never will be taken.
    TooLarge {
        /// Which channel.
        channel: Channel,
        /// The size of the message.
        bytes: usize,
        /// The largest that the channel takes.
        most_bytes: usize,
    },
    /// So much waits already that this one finds no room. Later it may.
    Full {
        /// Which channel.
        channel: Channel,
        /// The size of the message.
        bytes: usize,
        /// How large a message would be taken now.
        room_bytes: usize,
    },
    /// There is no connection to that player, now or ever.
    NotConnected {
        /// Which player.
        player: PlayerHandle,
    },
    /// The connection is over.
    Over(Violation),
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongSocket { channel } => {
                write!(f, "{channel} has a socket of its own: give inputs to the session, or send on another channel")
            }
            Self::TooLarge { channel, bytes, most_bytes } => {
                write!(
                    f,
                    "a message of {bytes} bytes is too large for {channel}: send at most {most_bytes}, or raise max_message_bytes on both sides"
                )
            }
            Self::Full { channel, bytes, room_bytes } => {
                write!(f, "{channel} has no room for {bytes} bytes now ({room_bytes} fit): send again later")
            }
            Self::NotConnected { player } => write!(f, "player {player} is not connected: wait for the event that says so"),
            Self::Over(violation) => write!(f, "the connection is over: {violation}"),
        }
    }
}

impl core::error::Error for SendError {}

/// How a peer broke the protocol. It has the right keys, so this is no damage on the way: its program is
/// of another version, or means harm. The connection is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Violation {
    /// A message claims to be larger than the channel takes.
    TooLarge {
        /// Which channel; none for what the peers tell each other.
        channel: Option<Channel>,
    },
    /// The pieces of a message do not make the message that was announced.
    BrokenMessage {
        /// Which channel; none for what the peers tell each other.
        channel: Option<Channel>,
    },
    /// The checksum of a message is not that of its pieces.
    WrongChecksum {
        /// Which channel; none for what the peers tell each other.
        channel: Option<Channel>,
    },
    /// Something that the peers tell each other makes no sense.
    BadControl,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |channel: &Option<Channel>| channel.map_or("the connection itself", Channel::name);
        match self {
            Self::TooLarge { channel } => write!(f, "the peer announced a message that is too large for {}", name(channel)),
            Self::BrokenMessage { channel } => write!(f, "the peer sent pieces that make no message on {}", name(channel)),
            Self::WrongChecksum { channel } => write!(f, "the peer sent a message with a wrong checksum on {}", name(channel)),
            Self::BadControl => f.write_str("the peer sent something that makes no sense about the connection"),
        }
    }
}
