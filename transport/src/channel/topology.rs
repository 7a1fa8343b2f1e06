//! [`Topology`]: which channel runs where, how reliably and how often. Data, with a validator.

use core::fmt;

/// What a message is about. The rollback inputs have a socket alone; the others share the second one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Channel {
    /// Inputs and bounded facts about frames: hashes, digests, proposals. On the rollback socket, alone.
    RollbackInputs = 0,
    /// State outside of rollback: results, what a desync consists of, snapshots and logs of a rejoin.
    MatchState = 1,
    /// Chat, and who is there.
    ChatPresence = 2,
    /// The feed of read-only viewers.
    Spectator = 3,
    /// What is looked at after the match.
    Telemetry = 4,
    /// What is agreed before the match.
    Lobby = 5,
}

impl Channel {
    /// Every channel, in the order of its number.
    pub const ALL: [Self; 6] = [Self::RollbackInputs, Self::MatchState, Self::ChatPresence, Self::Spectator, Self::Telemetry, Self::Lobby];

    /// Its number: 0..6.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The channel with this number.
    #[must_use]
    pub fn from_index(index: usize) -> Option<Self> {
        Self::ALL.get(index).copied()
    }

    /// Its name, as in the table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RollbackInputs => "RollbackInputs",
            Self::MatchState => "MatchState",
            Self::ChatPresence => "ChatPresence",
            Self::Spectator => "Spectator",
            Self::Telemetry => "Telemetry",
            Self::Lobby => "Lobby",
        }
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A socket of a peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SocketRole {
    /// The one that carries inputs.
    Rollback,
    /// The one beside it.
    Channels,
}

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChannelSpec {
    /// Which channel.
    pub channel: Channel,
    /// What it is for, in a word or two.
    pub profile: &'static str,
    /// Whether a message arrives whatever is lost on the way, once and in order. If not it arrives whole
    /// or not at all, and never after a later one.
    pub is_reliable: bool,
    /// Messages that may leave within any second, to each receiver: 1..=[`MAX_HZ`].
    pub max_hz: u16,
    /// Where it runs.
    pub socket: SocketRole,
    /// The largest message: 1..=[`MAX_MESSAGE_BYTES`]; of an unreliable channel
    /// 1..=[`MAX_UNRELIABLE_MESSAGE_BYTES`].
    pub max_message_bytes: u32,
}

/// The highest rate of a channel.
pub const MAX_HZ: u16 = 60;

/// The largest message of any channel.
pub const MAX_MESSAGE_BYTES: u32 = 16 << 20;

/// The largest message of an unreliable channel: every packet of it must arrive.
pub const MAX_UNRELIABLE_MESSAGE_BYTES: u32 = 64 << 10;

const fn spec(
    channel: Channel,
    profile: &'static str,
    is_reliable: bool,
    max_hz: u16,
    socket: SocketRole,
    max_message_bytes: u32,
) -> ChannelSpec {
    ChannelSpec { channel, profile, is_reliable, max_hz, socket, max_message_bytes }
}

/// A table that has been checked: one row for each channel, in the order of [`Channel::ALL`].
///
/// ```
/// use snapback_transport::channel::{Channel, ChannelSpec, SocketRole, Topology, TopologyError};
/// let mut rows: Vec<ChannelSpec> = Topology::default().rows().to_vec();
/// rows[Channel::ChatPresence.index()].max_hz = 2;
/// assert_eq!(Topology::new(&rows)?.spec(Channel::ChatPresence).max_hz, 2);
/// rows[Channel::ChatPresence.index()].socket = SocketRole::Rollback;
/// assert_eq!(Topology::new(&rows), Err(TopologyError::OnRollbackSocket { channel: Channel::ChatPresence }));
/// # Ok::<(), TopologyError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Topology([ChannelSpec; 6]);

/// The table of the design: what each channel may do unless a host program says otherwise.
const DEFAULT: [ChannelSpec; 6] = [
    spec(Channel::RollbackInputs, "V2.Rollback.CustomSocket", false, 60, SocketRole::Rollback, 1_200),
    spec(Channel::MatchState, "state", true, 30, SocketRole::Channels, 1 << 20),
    spec(Channel::ChatPresence, "social", true, 10, SocketRole::Channels, 4 << 10),
    spec(Channel::Spectator, "read-only viewers", false, 20, SocketRole::Channels, 32 << 10),
    spec(Channel::Telemetry, "post-mortem", true, 5, SocketRole::Channels, 1 << 20),
    spec(Channel::Lobby, "pre-match", true, 15, SocketRole::Channels, 64 << 10),
];

impl Default for Topology {
    fn default() -> Self {
        Self(DEFAULT)
    }
}

impl Topology {
    /// Checks a table: every channel once, in any order.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn new(rows: &[ChannelSpec]) -> Result<Self, TopologyError> {
        for row in rows {
            check(row)?;
        }
        let mut table = DEFAULT;
        for (channel, slot) in Channel::ALL.into_iter().zip(&mut table) {
            let mut of_channel = rows.iter().filter(|row| row.channel == channel);
            *slot = *of_channel.next().ok_or(TopologyError::Missing { channel })?;
            if of_channel.next().is_some() {
                return Err(TopologyError::Twice { channel });
            }
        }
        Ok(Self(table))
    }

    /// The row of a channel.
    #[must_use]
    pub fn spec(&self, channel: Channel) -> &ChannelSpec {
        &self.0[channel.index()]
    }

    /// Every row, in the order of [`Channel::ALL`].
    #[must_use]
    pub fn rows(&self) -> &[ChannelSpec] {
        &self.0
    }

    /// A number by which two peers find out that their tables differ in what matters to both.
    #[must_use]
    pub fn digest(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for row in &self.0 {
            hasher.update(&[row.channel as u8, u8::from(row.is_reliable)]);
            hasher.update(&row.max_hz.to_le_bytes());
            hasher.update(&row.max_message_bytes.to_le_bytes());
        }
        hasher.finalize()
    }
}

fn check(row: &ChannelSpec) -> Result<(), TopologyError> {
    let channel = row.channel;
    match (channel, row.socket) {
        (Channel::RollbackInputs, SocketRole::Channels) => return Err(TopologyError::InputsOffRollbackSocket),
        (Channel::RollbackInputs, SocketRole::Rollback) | (_, SocketRole::Channels) => {}
        (channel, SocketRole::Rollback) => return Err(TopologyError::OnRollbackSocket { channel }),
    }
    if channel == Channel::RollbackInputs && row.is_reliable {
        return Err(TopologyError::ReliableInputs);
    }
    if !(1..=MAX_HZ).contains(&row.max_hz) {
        return Err(TopologyError::Rate { channel, max_hz: row.max_hz });
    }
    let most_bytes = if row.is_reliable { MAX_MESSAGE_BYTES } else { MAX_UNRELIABLE_MESSAGE_BYTES };
    if !(1..=most_bytes).contains(&row.max_message_bytes) {
        return Err(TopologyError::MessageBytes { channel, bytes: row.max_message_bytes, most_bytes });
    }
    Ok(())
}

/// What is wrong with a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TopologyError {
    /// The inputs are not on the rollback socket.
    InputsOffRollbackSocket,
    /// Another channel is on the rollback socket.
    OnRollbackSocket {
        /// Which.
        channel: Channel,
    },
    /// The inputs are to be reliable: they repeat themselves, and a late one is worth nothing.
    ReliableInputs,
    /// A rate out of range.
    Rate {
        /// Of which channel.
        channel: Channel,
        /// The rate.
        max_hz: u16,
    },
    /// A largest message out of range.
    MessageBytes {
        /// Of which channel.
        channel: Channel,
        /// The size.
        bytes: u32,
        /// The largest that such a channel may have.
        most_bytes: u32,
    },
    /// A channel has no row.
    Missing {
        /// Which.
        channel: Channel,
    },
    /// A channel has two rows.
    Twice {
        /// Which.
        channel: Channel,
    },
}

impl fmt::Display for TopologyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InputsOffRollbackSocket => {
                f.write_str("RollbackInputs is not on the rollback socket: inputs never share a socket; set it to Rollback")
            }
            Self::OnRollbackSocket { channel } => {
                write!(f, "{channel} is on the rollback socket, which belongs to the inputs alone: set it to Channels")
            }
            Self::ReliableInputs => f.write_str("RollbackInputs is reliable: inputs repeat themselves, and a late one is worth nothing"),
            Self::Rate { channel, max_hz } => write!(f, "{channel} has a rate of {max_hz} Hz: use 1 to {MAX_HZ}"),
            Self::MessageBytes { channel, bytes, most_bytes } => {
                write!(f, "{channel} takes messages of {bytes} bytes: use 1 to {most_bytes}")
            }
            Self::Missing { channel } => write!(f, "{channel} has no row: give every channel one"),
            Self::Twice { channel } => write!(f, "{channel} has two rows: give every channel one"),
        }
    }
}

impl core::error::Error for TopologyError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(channel: Channel, change: impl FnOnce(&mut ChannelSpec)) -> Result<Topology, TopologyError> {
        let mut rows = DEFAULT;
        change(&mut rows[channel.index()]);
        Topology::new(&rows)
    }

    #[test]
    fn the_table_of_the_design_is_valid_and_stays() {
        assert_eq!(Topology::new(&DEFAULT), Ok(Topology::default()));
        let mut backwards = DEFAULT;
        backwards.reverse();
        assert_eq!(Topology::new(&backwards), Ok(Topology::default()));
        let text: Vec<String> = DEFAULT
            .iter()
            .map(|row| {
                let ChannelSpec { channel, profile, is_reliable, max_hz, socket, max_message_bytes } = row;
                format!("{channel} | {profile} | reliable: {is_reliable} | {max_hz} Hz | {socket:?} | {max_message_bytes} bytes")
            })
            .collect();
        insta::assert_snapshot!(text.join("\n"), @"
        RollbackInputs | V2.Rollback.CustomSocket | reliable: false | 60 Hz | Rollback | 1200 bytes
        MatchState | state | reliable: true | 30 Hz | Channels | 1048576 bytes
        ChatPresence | social | reliable: true | 10 Hz | Channels | 4096 bytes
        Spectator | read-only viewers | reliable: false | 20 Hz | Channels | 32768 bytes
        Telemetry | post-mortem | reliable: true | 5 Hz | Channels | 1048576 bytes
        Lobby | pre-match | reliable: true | 15 Hz | Channels | 65536 bytes
        ");
    }

    #[test]
    fn inputs_never_share_a_socket() {
        for channel in Channel::ALL {
            let swapped = changed(channel, |row| {
                row.socket = if row.socket == SocketRole::Rollback { SocketRole::Channels } else { SocketRole::Rollback };
            });
            let expected = match channel {
                Channel::RollbackInputs => TopologyError::InputsOffRollbackSocket,
                channel => TopologyError::OnRollbackSocket { channel },
            };
            assert_eq!(swapped, Err(expected));
        }
        assert_eq!(changed(Channel::RollbackInputs, |row| row.is_reliable = true), Err(TopologyError::ReliableInputs));
    }

    #[test]
    fn ranges_and_rows_are_checked() {
        for channel in Channel::ALL {
            for max_hz in [0, MAX_HZ + 1, u16::MAX] {
                assert_eq!(changed(channel, |row| row.max_hz = max_hz), Err(TopologyError::Rate { channel, max_hz }));
            }
            let is_reliable = DEFAULT[channel.index()].is_reliable;
            let most_bytes = if is_reliable { MAX_MESSAGE_BYTES } else { MAX_UNRELIABLE_MESSAGE_BYTES };
            assert!(changed(channel, |row| row.max_message_bytes = most_bytes).is_ok());
            for bytes in [0, most_bytes + 1] {
                let expected = TopologyError::MessageBytes { channel, bytes, most_bytes };
                assert_eq!(changed(channel, |row| row.max_message_bytes = bytes), Err(expected));
            }
            let without: Vec<_> = DEFAULT.into_iter().filter(|row| row.channel != channel).collect();
            assert_eq!(Topology::new(&without), Err(TopologyError::Missing { channel }));
            let twice: Vec<_> = DEFAULT.into_iter().chain([DEFAULT[channel.index()]]).collect();
            assert_eq!(Topology::new(&twice), Err(TopologyError::Twice { channel }));
        }
    }

    #[test]
    fn the_digest_sees_what_both_must_agree_on() {
        let digest = Topology::default().digest();
        for channel in Channel::ALL {
            assert_ne!(changed(channel, |row| row.max_hz -= 1).unwrap().digest(), digest);
            assert_ne!(changed(channel, |row| row.max_message_bytes -= 1).unwrap().digest(), digest);
            assert_eq!(changed(channel, |row| row.profile = "other").unwrap().digest(), digest);
        }
    }
}
