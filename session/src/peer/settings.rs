//! [`PeerSettings`]: how a peer joins a match.

use super::security::Security;
use snapback_core::{Frame, PlayerSet, RollbackConfig};
use snapback_transport::packet::SeedSecret;
use std::net::SocketAddr;

/// How a peer joins a match.
#[derive(Clone, Debug)]
pub struct PeerSettings {
    /// Whether this peer sets the match up or joins one.
    pub role: Role,
    /// The match, as its ticket names it: a number that no other match has.
    pub match_id: u64,
    /// A number that nobody else knows, from the host program's random source; fresh for every
    /// match. Seeded in tests.
    pub nonce: u64,
    /// What this peer adds to the seed of the match, from the host program's random source; fresh for
    /// every match. [`SeedSecret::fixed`] in tests. The seed is found by commit and reveal before the
    /// start, so that no peer can choose it.
    pub seed_secret: SeedSecret,
    /// How many players there are in all. The same on every peer.
    pub player_count: u8,
    /// How many of them play at this peer, usually 1.
    pub local_player_count: u8,
    /// The numbers that tune the session. [`simulation_hz`](RollbackConfig::simulation_hz) must be
    /// the same on every peer.
    pub config: RollbackConfig,
    /// By how many frames local inputs are delayed.
    pub input_delay_frames: u8,
    /// Whether the connections are encrypted, and by what the peers know each other.
    pub security: Security,
}

/// Whether a peer sets the match up or joins one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It waits for the others, gives them their seats and fixes the start. Its own players have
    /// the first seats.
    Host {
        /// The first frame, usually [`Frame::ZERO`].
        first_frame: Frame,
        /// The last frame, after which the match is over; none for an endless match.
        last_frame: Option<Frame>,
    },
    /// It dials the host and learns the rest from it.
    Join {
        /// Where the host is, from its ticket.
        host: SocketAddr,
    },
}

/// What is known of the match once this peer has a seat in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchFacts {
    /// The seed, once everybody's share of it is known.
    pub seed: Option<u64>,
    /// The first frame.
    pub first_frame: Frame,
    /// The last frame; none for an endless match.
    pub last_frame: Option<Frame>,
    /// The players at this peer.
    pub local_players: PlayerSet,
}
