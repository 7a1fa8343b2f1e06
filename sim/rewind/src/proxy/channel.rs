//! [`Channel`]: what a collider is seen on, so that nobody meets a proxy by accident.

/// What a collider is seen on: one of the host's 31 gameplay channels, or the one of the proxies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Channel(u8);

impl Channel {
    /// The channel of the proxies, and of nothing else.
    pub const LAG_COMP_HITBOX: Self = Self(31);

    /// The host's channel `number`, 0 to 30; nothing for other numbers. Never the proxies' one.
    #[must_use]
    pub const fn gameplay(number: u8) -> Option<Self> {
        if number < Self::LAG_COMP_HITBOX.0 { Some(Self(number)) } else { None }
    }

    /// Its number, 0 to 31.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// Channels that somebody asks about.
///
/// ```
/// use snapback_rewind::proxy::{Channel, ChannelSet};
/// let pawns = Channel::gameplay(3).unwrap();
/// assert!(ChannelSet::ALL_GAMEPLAY.contains(pawns));
/// assert!(!ChannelSet::ALL_GAMEPLAY.contains(Channel::LAG_COMP_HITBOX));
/// assert_eq!(Channel::gameplay(Channel::LAG_COMP_HITBOX.number()), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct ChannelSet(u32);

impl ChannelSet {
    /// None.
    pub const EMPTY: Self = Self(0);
    /// Every gameplay channel: whatever a host calls "everything". Without the proxies' channel.
    pub const ALL_GAMEPLAY: Self = Self(u32::MAX >> 1);
    /// The proxies' channel only.
    pub const LAG_COMP_HITBOX: Self = Self::EMPTY.with(Channel::LAG_COMP_HITBOX);

    /// These and `channel`.
    #[must_use]
    pub const fn with(self, channel: Channel) -> Self {
        Self(self.0 | 1 << channel.0)
    }

    /// Whether `channel` is among them.
    #[must_use]
    pub const fn contains(self, channel: Channel) -> bool {
        self.0 & (1 << channel.0) != 0
    }
}

/// What somebody visits colliders for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// To ask what is there: a sweep or an overlap test. Changes nothing.
    Query,
    /// To keep bodies apart: physics, movement.
    Collision,
    /// To tell actors that they touch.
    OverlapEvents,
    /// To send them to clients.
    Replication,
    /// To draw them.
    Drawing,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Query, Self::Collision, Self::OverlapEvents, Self::Replication, Self::Drawing];
}
