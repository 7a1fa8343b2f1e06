//! What a [`ChannelHub`](super::ChannelHub) tells: who comes and goes, and what did not arrive.

use crate::channel::{Channel, Violation};
use crate::credentials::SecureFailure;
use core::fmt;
use core::ops::Range;
use snapback_core::PlayerHandle;

/// A message of another player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Received {
    /// Who sent it.
    pub from: PlayerHandle,
    /// On which channel.
    pub channel: Channel,
    /// The message, whole.
    pub message: Vec<u8>,
}

/// Messages of a reliable channel that are not known to have arrived. Some of them may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undelivered {
    /// On which channel.
    pub channel: Channel,
    /// Their numbers, as [`send`](super::ChannelHub::send) gave them out.
    pub ids: Range<u64>,
}

/// Something happened to the connection to a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HubEvent {
    /// There is one: messages flow. Their numbers begin at 0. What the player sent before this end knew may
    /// have come already.
    Connected {
        /// To whom.
        player: PlayerHandle,
    },
    /// Nothing has been heard for [`interrupt_after_us`](super::HubSettings::interrupt_after_us).
    /// Messages wait.
    Interrupted {
        /// Of whom.
        player: PlayerHandle,
    },
    /// Something was heard again; nothing is lost.
    Resumed {
        /// Of whom.
        player: PlayerHandle,
    },
    /// A player whom this hub dials does not let it in, or is somebody else: told once, and again if the
    /// reason changes. The hub goes on knocking, every few seconds.
    Refused {
        /// Who.
        player: PlayerHandle,
        /// Why.
        failure: SecureFailure,
    },
    /// The connection is over. What it brought before may still be received. Without a
    /// [`Connected`](Self::Connected) before it, the two never agreed.
    Lost {
        /// To whom.
        player: PlayerHandle,
        /// Why.
        reason: LostReason,
        /// What was sent and is not known to have arrived, by channel.
        undelivered: Vec<Undelivered>,
    },
}

/// Why a connection is over, and whether another may follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LostReason {
    /// Nothing was heard for [`give_up_after_us`](super::HubSettings::give_up_after_us), here or there: the
    /// player may have given the connection up and begun another, which is told next. A new one follows once
    /// the other end is there again.
    Silent,
    /// The player closed its hub.
    Left,
    /// This hub was closed, and what is listed did not arrive in the time that there was. Told only if
    /// there is something to list.
    Closed,
    /// The player's program was started anew, and knows nothing of what it heard: a new one follows.
    Replaced,
    /// The player's program broke the protocol: there is no other.
    Violation(Violation),
    /// Whoever was there has another identity than the player, who may still come.
    OtherIdentity,
    /// The player's table of channels is another, or its program has another version: use the same on
    /// both sides.
    OtherTopology,
}

impl fmt::Display for LostReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent => f.write_str("nothing was heard for too long"),
            Self::Left => f.write_str("the player left"),
            Self::Closed => f.write_str("this end left before everything had arrived"),
            Self::Replaced => f.write_str("the player's program was started anew"),
            Self::OtherIdentity => f.write_str("whoever was there is somebody else than the player in the match"),
            Self::Violation(violation) => violation.fmt(f),
            Self::OtherTopology => {
                f.write_str("the channels are set up differently there: use the same version and settings on both sides")
            }
        }
    }
}
