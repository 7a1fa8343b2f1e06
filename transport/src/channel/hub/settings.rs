//! [`HubSettings`]: how a [`ChannelHub`](super::ChannelHub) is set up.

use crate::channel::Topology;
use crate::packet::DATAGRAM_BUDGET_BYTES;
#[cfg(feature = "dtls")]
use crate::secure::{Fingerprint, MatchSecret, SeatSecret, SecureSettings};
use core::fmt;
use core::ops::RangeInclusive;
use snapback_core::PlayerHandle;
use snapback_core::limits::MAX_PLAYERS;
use std::net::SocketAddr;

/// The datagrams that a hub can be set up for.
const DATAGRAM_BYTES: RangeInclusive<usize> = 548..=DATAGRAM_BUDGET_BYTES;

/// The shortest interruption.
const LEAST_INTERRUPT_US: u64 = 100_000;

/// Which end of the first connection this is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HubRole {
    /// Everybody dials it, and it introduces the others to each other.
    Host,
    /// It dials the host.
    Join {
        /// The host's address of this socket.
        host: SocketAddr,
    },
}

/// Whether the connections are encrypted.
#[derive(Clone, Debug)]
pub enum HubSecurity {
    /// DTLS 1.3, as on the rollback socket: the same certificate, the same identity, the same secrets.
    #[cfg(feature = "dtls")]
    Encrypted {
        /// The match and the largest datagram are those of the [`HubSettings`].
        settings: Box<SecureSettings>,
        /// By what the players know each other.
        invitation: HubInvitation,
    },
    /// Plaintext: whoever is on the way can read and change everything.
    InsecureLan,
}

/// By what the players know each other: what the rollback socket has too. The hub derives secrets of its
/// own from it.
#[cfg(feature = "dtls")]
#[derive(Clone, Copy, Debug)]
pub enum HubInvitation {
    /// Of the host: the secret of each seat comes from this one.
    Issued(MatchSecret),
    /// Of a joiner: what stands in its ticket.
    Held {
        /// The seat's secret.
        secret: SeatSecret,
        /// The host's certificate.
        host: Fingerprint,
    },
}

/// How a [`ChannelHub`](super::ChannelHub) is set up.
#[derive(Clone, Debug)]
pub struct HubSettings {
    /// The match, from its ticket.
    pub match_id: u64,
    /// This peer's first local player; the host's is 0.
    pub player: PlayerHandle,
    /// Players in the match: 2..=8.
    pub player_count: u8,
    /// From a random source, fresh for every hub: what nobody else can guess comes from it.
    pub nonce: u64,
    /// Which end this is.
    pub role: HubRole,
    /// Whether the connections are encrypted.
    pub security: HubSecurity,
    /// What each channel may do: the same for everybody.
    pub topology: Topology,
    /// The largest datagram, before the UDP header: 548..=1,200.
    pub datagram_budget_bytes: usize,
    /// After so much silence a connection counts as interrupted, at least 100,000. Usually 3 s; the same for
    /// everybody, since signs of life go out three times as often, or once a second.
    pub interrupt_after_us: u64,
    /// After so much silence it is given up, at least
    /// [`interrupt_after_us`](Self::interrupt_after_us). Usually 30 s.
    pub give_up_after_us: u64,
}

impl HubSettings {
    /// Settings with the usual numbers.
    #[must_use]
    pub fn new(match_id: u64, player: PlayerHandle, player_count: u8, nonce: u64, role: HubRole, security: HubSecurity) -> Self {
        Self {
            match_id,
            player,
            player_count,
            nonce,
            role,
            security,
            topology: Topology::default(),
            datagram_budget_bytes: DATAGRAM_BUDGET_BYTES,
            interrupt_after_us: 3_000_000,
            give_up_after_us: 30_000_000,
        }
    }

    pub(super) fn check(&self) -> Result<(), HubError> {
        let (player, player_count) = (self.player, self.player_count);
        if !(2..=MAX_PLAYERS).contains(&usize::from(player_count)) {
            return Err(HubError::PlayerCount { player_count });
        }
        if player.index() >= usize::from(player_count) || (player.index() == 0) != (self.role == HubRole::Host) {
            return Err(HubError::Seat { player, player_count });
        }
        if !DATAGRAM_BYTES.contains(&self.datagram_budget_bytes) {
            return Err(HubError::DatagramBudget { bytes: self.datagram_budget_bytes });
        }
        if self.interrupt_after_us < LEAST_INTERRUPT_US || self.give_up_after_us < self.interrupt_after_us {
            return Err(HubError::Times { interrupt_after_us: self.interrupt_after_us, give_up_after_us: self.give_up_after_us });
        }
        match (&self.security, self.role) {
            #[cfg(feature = "dtls")]
            (HubSecurity::Encrypted { invitation: HubInvitation::Held { .. }, .. }, HubRole::Host)
            | (HubSecurity::Encrypted { invitation: HubInvitation::Issued(_), .. }, HubRole::Join { .. }) => Err(HubError::Invitation),
            _ => Ok(()),
        }
    }
}

/// What is wrong with the settings of a hub.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HubError {
    /// So many cannot play.
    PlayerCount {
        /// How many were given.
        player_count: u8,
    },
    /// That player has no seat, or the host is not player 0, or a joiner is.
    Seat {
        /// Which player.
        player: PlayerHandle,
        /// Of how many.
        player_count: u8,
    },
    /// The largest datagram is too small or too large.
    DatagramBudget {
        /// Its size.
        bytes: usize,
    },
    /// The times of silence are too short, or in the wrong order.
    Times {
        /// Until a connection counts as interrupted.
        interrupt_after_us: u64,
        /// Until it is given up.
        give_up_after_us: u64,
    },
    /// A host holds a ticket, or a joiner issues them.
    Invitation,
    /// The DTLS library refuses the settings.
    #[cfg(feature = "dtls")]
    Secure(crate::secure::DtlsError),
}

impl fmt::Display for HubError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PlayerCount { player_count } => write!(f, "{player_count} cannot play: set player_count to 2..={MAX_PLAYERS}"),
            Self::Seat { player, player_count } => {
                write!(f, "player {player} of {player_count} cannot be this peer: the host is player 0, a joiner one after it")
            }
            Self::DatagramBudget { bytes } => {
                write!(f, "datagrams of {bytes} bytes: set datagram_budget_bytes to {}..={}", DATAGRAM_BYTES.start(), DATAGRAM_BYTES.end())
            }
            Self::Times { interrupt_after_us, give_up_after_us } => write!(
                f,
                "interrupted after {interrupt_after_us} µs and given up after {give_up_after_us} µs: the first must be at least \
                 {LEAST_INTERRUPT_US}, the second no less than the first"
            ),
            Self::Invitation => f.write_str("the host issues invitations and joiners hold one: give each its own kind"),
            #[cfg(feature = "dtls")]
            Self::Secure(error) => write!(f, "the encryption cannot be set up: {error}"),
        }
    }
}

impl core::error::Error for HubError {}
