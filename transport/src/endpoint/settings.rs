//! [`EndpointSettings`], and how a listener answers a Hello.

use super::RepairPolicy;
use crate::packet::{ConnectionKey, DATAGRAM_BUDGET_BYTES, Hello, PROTOCOL_VERSION, PeerParams, RefusalReason, SEAL_BYTES};
use snapback_core::{Frame, PlayerSet, RollbackConfig};

/// How an endpoint is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndpointSettings {
    /// The match, from its ticket.
    pub match_id: u64,
    /// A number that nobody else knows, from the host program's random source. Its low 16 bits are
    /// the first sequence.
    pub nonce: u64,
    /// What this side plays.
    pub params: PeerParams,
    /// The players at this end; a dialler that has no seats yet leaves it empty.
    pub local_players: PlayerSet,
    /// What a dialler knows of the answer before it comes.
    pub expected: Expected,
    /// Whether the packets travel inside an encrypted connection, so that they need no CRC.
    pub is_encrypted: bool,
    /// The largest packet, what seals it aside: at most
    /// [`DATAGRAM_BUDGET_BYTES`](crate::packet::DATAGRAM_BUDGET_BYTES).
    pub packet_budget_bytes: usize,
    /// What is sent against loss, beyond repeated inputs.
    pub repair: RepairPolicy,
    /// Packets in a parity group, 2..=16.
    pub fec_group_size: u8,
    /// Frames that ride along with the newest one at least.
    pub resend_floor_frames: u32,
    /// Silence after which the player is told.
    pub notify_us: u64,
    /// Silence after which the peer counts as gone.
    pub timeout_us: u64,
}

impl EndpointSettings {
    /// What tells greetings from damage.
    #[must_use]
    pub fn greeting_key(&self) -> ConnectionKey {
        if self.is_encrypted { ConnectionKey::AEAD } else { ConnectionKey::GREETING }
    }

    /// What the encryption adds to each packet.
    pub(super) fn seal_bytes(&self) -> usize {
        if self.is_encrypted { SEAL_BYTES } else { 0 }
    }

    /// What tells every other packet of the connection from damage and strangers.
    pub(super) fn connection_key(&self, dialer_nonce: u64, listener_nonce: u64) -> ConnectionKey {
        if self.is_encrypted { ConnectionKey::AEAD } else { ConnectionKey::new(self.match_id, dialer_nonce, listener_nonce) }
    }

    /// Settings whose numbers come from a session's configuration.
    #[must_use]
    pub fn new(match_id: u64, nonce: u64, params: PeerParams, local_players: PlayerSet, config: &RollbackConfig) -> Self {
        Self {
            match_id,
            nonce,
            params,
            local_players,
            expected: Expected::default(),
            is_encrypted: false,
            packet_budget_bytes: DATAGRAM_BUDGET_BYTES,
            repair: RepairPolicy::default(),
            fec_group_size: u8::try_from(config.fec_group_size).unwrap_or(u8::MAX),
            resend_floor_frames: config.resend_input_frames,
            notify_us: u64::from(config.disconnect_notify_ms) * 1_000,
            timeout_us: u64::from(config.disconnect_timeout_ms) * 1_000,
        }
    }
}

/// What a dialler knows of the answer before it comes. A Welcome that says otherwise is dropped.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Expected {
    /// How many players the dialler brings; any number if 0.
    pub local_player_count: u8,
    /// The listener's players, if the host has said who they are; anybody if empty.
    pub remote_players: PlayerSet,
    /// The first frame, if the host has said.
    pub first_frame: Option<Frame>,
}

/// Whether a listener can play with the sender of a Hello, seats aside.
///
/// # Errors
/// Says why it cannot: this goes into a [`Refusal`](crate::packet::Refusal).
pub fn answer_hello(hello: &Hello, match_id: u64, params: &PeerParams) -> Result<(), RefusalReason> {
    if hello.version != PROTOCOL_VERSION {
        return Err(RefusalReason::Version(PROTOCOL_VERSION));
    }
    if hello.match_id != match_id {
        return Err(RefusalReason::OtherMatch);
    }
    PeerParams::compare(&hello.params, params).map_err(RefusalReason::Mismatch)
}
