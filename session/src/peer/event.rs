//! [`PeerEvent`] and [`Outcome`]: what a host program should know.

use crate::rollback::SessionError;
use core::fmt;
use snapback_core::{Frame, InvalidState, PlayerHandle, PlayerSet, StateHash};
use snapback_transport::credentials::SecureFailure;
use snapback_transport::packet::{Bye, LeaveReason, RefusalReason};
use std::net::SocketAddr;

/// What happened since the last poll.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PeerEvent {
    /// This peer has seats in the match.
    Seated {
        /// Its players.
        players: PlayerSet,
    },
    /// A connection to a peer stands.
    Connected {
        /// Its players.
        players: PlayerSet,
    },
    /// Everybody is ready.
    StartFixed {
        /// When the first frame is due, on this peer's clock.
        start_at_us: u64,
    },
    /// A peer is silent for longer than
    /// [`disconnect_notify_ms`](snapback_core::RollbackConfig::disconnect_notify_ms).
    Interrupted {
        /// Its players.
        players: PlayerSet,
    },
    /// A silent peer is heard again.
    Resumed {
        /// Its players.
        players: PlayerSet,
    },
    /// The address of a peer has changed, and the connection with it.
    Moved {
        /// Its players.
        players: PlayerSet,
        /// Where it was.
        from: SocketAddr,
        /// Where it is.
        to: SocketAddr,
    },
    /// A peer said goodbye.
    Left {
        /// Its players.
        players: PlayerSet,
        /// What it said.
        reason: LeaveReason,
    },
    /// Somebody dialled and cannot play. In a flood some of these are left out.
    TurnedAway {
        /// Where they dialled from.
        address: SocketAddr,
        /// Why.
        reason: RefusalReason,
    },
    /// A joiner was silent for too long before the start: its seat is free again.
    Gone {
        /// Its players.
        players: PlayerSet,
    },
    /// The match is over for this peer.
    Over(Outcome),
}

/// How a match ended for a peer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every frame is confirmed, here and at every other peer, with the same hashes.
    Agreed,
    /// Every frame is confirmed here, but a peer that should say the same was not heard.
    Unverified {
        /// That peer's players.
        players: PlayerSet,
    },
    /// Every frame is confirmed, but a peer computed something else.
    Disagreed {
        /// That peer's players.
        players: PlayerSet,
        /// What this peer computed.
        ours: FinalState,
        /// What that peer computed.
        theirs: FinalState,
    },
    /// This side ended the match.
    Quit,
    /// The host does not play with us.
    Refused(RefusalReason),
    /// A peer that was dialled never answered; or it was silent for longer than
    /// [`disconnect_timeout_ms`](snapback_core::RollbackConfig::disconnect_timeout_ms), or its packets came for as
    /// long and said that none of ours does.
    Lost {
        /// Its players; nobody if it never answered.
        players: PlayerSet,
        /// The players of the peer that said so in its goodbye: another one, or that one itself if it does not hear
        /// us; nobody if it was found here.
        told_by: PlayerSet,
    },
    /// A peer that was dialled answered, but is not who the ticket says, or the handshake was broken
    /// again and again.
    NotSecured {
        /// What went wrong last.
        failure: SecureFailure,
    },
    /// A peer left before the end.
    Abandoned {
        /// Its players.
        players: PlayerSet,
        /// What it said.
        reason: LeaveReason,
    },
    /// A peer tried to choose the seed: it revealed another share than the one that it had committed itself
    /// to, began rounds without end, or committed itself to different shares before different peers.
    SeedForged {
        /// Its players.
        players: PlayerSet,
        /// Who says that it was told another commitment; nobody if it was seen here.
        told_by: PlayerSet,
    },
    /// A peer sent an input that is no input of this game.
    InvalidInput {
        /// The player.
        player: PlayerHandle,
        /// The frame.
        frame: Frame,
        /// What is wrong with it.
        error: InvalidState,
    },
    /// A peer has another state after the same inputs: one of the two simulations is broken, or lies. See
    /// [`Peer::inquiry`](crate::Peer::inquiry) for which field differs.
    Desynced {
        /// That peer's players.
        players: PlayerSet,
        /// The frame that was compared, with all before it. The first that differs may be an earlier one.
        frame: Frame,
        /// The digest of all hashes up to it, as in [`FinalState`]; none if this peer has not confirmed it, or
        /// has forgotten it.
        ours: Option<u32>,
        /// The other peer's; none if a third one said that it differs.
        theirs: Option<u32>,
        /// The players of the peer that says so; nobody if it was found here.
        told_by: PlayerSet,
    },
    /// Two peers know different inputs of a player.
    InputsDiffer {
        /// Who is named for it: the player whose inputs they are. If they are our own, a player of the peer that
        /// tells of others than we sent.
        player: PlayerHandle,
        /// The players of the peer that has other ones than we.
        peer: PlayerSet,
        /// The last frame on which both are known to agree; the one before the first if there is none.
        after: Frame,
        /// The frame up to which they were compared.
        until: Frame,
        /// The players of the peer that says so; nobody if it was found here.
        told_by: PlayerSet,
    },
    /// A peer plays on and does not say what it computed.
    ChecksWithheld {
        /// Its players.
        players: PlayerSet,
        /// The last frame that it told of; the one before the first if there is none.
        after: Frame,
        /// How far its inputs have come.
        until: Frame,
    },
    /// A peer plays on and denies that it has inputs which it has: it says that packets came, and not what was in
    /// them, for longer than [`disconnect_timeout_ms`](snapback_core::RollbackConfig::disconnect_timeout_ms).
    /// The others could not play on. No loss makes a peer do that.
    AcksWithheld {
        /// Its players.
        players: PlayerSet,
        /// The last frame that it owned up to.
        after: Frame,
        /// The frame up to which it has our inputs.
        until: Frame,
    },
    /// The session cannot go on, or a peer broke a rule that the session guards.
    Session(SessionError),
}

/// What a peer confirmed in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FinalState {
    /// The last confirmed frame.
    pub frame: Frame,
    /// The hash of the state after it.
    pub state_hash: StateHash,
    /// CRC-32 over the hashes of all confirmed frames in order.
    pub digest: u32,
}

impl From<&Bye> for FinalState {
    fn from(bye: &Bye) -> Self {
        Self { frame: bye.confirmed_frame, state_hash: bye.confirmed_hash, digest: bye.digest }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agreed => f.write_str("every frame is confirmed and all peers agree"),
            Self::Unverified { players } => {
                write!(f, "every frame is confirmed here, but the peer of player {players} was not heard at the end")
            }
            Self::Disagreed { players, ours, theirs } => write!(
                f,
                "the peer of player {players} computed another match: after frame {} it has hash {} (digest {:08x}), we have {} (digest {:08x}) after frame {}",
                theirs.frame, theirs.state_hash, theirs.digest, ours.state_hash, ours.digest, ours.frame
            ),
            Self::Quit => f.write_str("the match was ended here"),
            Self::Refused(reason) => match reason {
                RefusalReason::Version(theirs) => {
                    write!(
                        f,
                        "the host speaks protocol version {theirs} and this program {}: use the same version on both sides",
                        snapback_transport::packet::PROTOCOL_VERSION
                    )
                }
                RefusalReason::OtherMatch => f.write_str("the host waits for another match: ask for its newest ticket"),
                RefusalReason::Full => f.write_str("the match has no seat left"),
                RefusalReason::Started => f.write_str("the match has already started"),
                RefusalReason::NotEncrypted => f.write_str("the host plays without encryption and this program does not: have the host set the match up again with encryption, or allow plaintext here too"),
                RefusalReason::SeatTaken => f.write_str("somebody sits in the seat of this ticket: if that was you before, try again in a while, or with the same identity; else ask the host for a ticket of your own"),
                RefusalReason::NoTicket => f.write_str("the ticket is not for this match: ask the host for a new one"),
                RefusalReason::EncryptionRequired => f.write_str("the host plays with encryption only and this program dialled without: join with its whole ticket and with encryption"),
                RefusalReason::Mismatch(mismatch) => {
                    write!(f, "the host plays something else: {mismatch}; use the same version and data on both sides")
                }
            },
            Self::NotSecured { failure } => failure.fmt(f),
            Self::Lost { players, .. } if players.is_empty() => {
                f.write_str("nobody answered: check the address, that the host is running, and that UDP gets through")
            }
            Self::Lost { players, told_by } if told_by.is_empty() => write!(f, "the connection to player {players} is lost"),
            Self::Lost { players, told_by } if told_by == players => {
                write!(f, "the connection to player {players} is lost: it left because it does not hear us")
            }
            Self::Lost { players, told_by } => {
                write!(f, "the peer of player {told_by} left because it says that its connection to player {players} is lost")
            }
            Self::Abandoned { players, reason } => match reason {
                LeaveReason::Violation => write!(f, "the peer of player {players} left because it says that we broke a rule"),
                LeaveReason::PeerLost => {
                    write!(f, "the peer of player {players} left because it says that it lost somebody, who is nobody of this match")
                }
                LeaveReason::Desynced => {
                    write!(f, "the peer of player {players} left because of another state that it says somebody has; nothing here bears that out")
                }
                LeaveReason::InputsDiffer => {
                    write!(f, "the peer of player {players} left because of other inputs that it says somebody showed; nothing here bears that out")
                }
                LeaveReason::ChecksWithheld => write!(f, "the peer of player {players} left because our checks do not reach it"),
                _ => write!(f, "the peer of player {players} left before the end"),
            },
            Self::InvalidInput { player, frame, error } => write!(f, "player {player} sent no valid input for frame {frame}: {error}"),
            Self::SeedForged { players, told_by } if told_by.is_empty() => {
                write!(f, "the peer of player {players} tried to choose the seed: its share is not the one that it had committed itself to")
            }
            Self::SeedForged { players, told_by } => write!(
                f,
                "the peer of player {players} tried to choose the seed: it has committed itself to another share before the peer of player \
                 {told_by} than here, if that one says the truth"
            ),
            Self::Desynced { players, frame, told_by, .. } if !told_by.is_empty() && told_by != players => {
                write!(f, "desync: the peer of player {told_by} says that after the same inputs that of player {players} has another state by frame {frame}")
            }
            Self::Desynced { players, frame, ours: Some(ours), theirs: Some(theirs), .. } => write!(
                f,
                "desync: after the same inputs the peer of player {players} has another state by frame {frame}: digest {theirs:08x}, ours {ours:08x}"
            ),
            Self::Desynced { players, frame, theirs, .. } => {
                write!(f, "desync: the peer of player {players} says that after the same inputs it has another state than we by frame {frame}")?;
                theirs.map_or(Ok(()), |theirs| write!(f, ": digest {theirs:08x}, and ours is not known"))
            }
            Self::InputsDiffer { player, after, until, told_by, .. } if !told_by.is_empty() => write!(
                f,
                "the peer of player {told_by} says that player {player} showed different inputs to different peers, between frames {} and {until}",
                after.next()
            ),
            Self::InputsDiffer { player, peer, after, until, .. } if peer.contains(*player) => write!(
                f,
                "the peer of player {peer} tells of other inputs than it and we have sent each other, between frames {} and {until}",
                after.next()
            ),
            Self::InputsDiffer { player, peer, after, until, .. } => write!(
                f,
                "player {player} showed different inputs to different peers, or the peer of player {peer} says so falsely: it tells of others than we have between frames {} and {until}",
                after.next()
            ),
            Self::ChecksWithheld { players, after, until } => write!(
                f,
                "the peer of player {players} plays on and does not say what it computed: nothing came after frame {after}, and its inputs are here up to frame {until}"
            ),
            Self::AcksWithheld { players, after, until } => write!(
                f,
                "the peer of player {players} holds the match up: it has our inputs up to frame {until} and says that it has them up to frame {after}"
            ),
            Self::Session(error) => error.fmt(f),
        }
    }
}
