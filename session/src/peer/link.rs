//! [`Link`]: one connection and what is due on it.

use super::offset::Offset;
use super::time_sync::{LagHistory, TimeSync};
use crate::desync::comparison::LinkChecks;
use crate::telemetry::SilenceWatch;
use snapback_core::Frame;
use snapback_transport::Endpoint;
use snapback_transport::packet::{Bye, RosterEntry, Welcome};

/// Goodbyes that are sent at least, because nobody acknowledges one.
pub(super) const BYES: u32 = 10;

/// One connection and what is due on it.
pub(super) struct Link {
    pub(super) endpoint: Endpoint,
    /// What we answered, if the other side dialled.
    pub(super) welcome: Option<Welcome>,
    /// The host's word that made us dial, if it was one.
    pub(super) dialed: Option<RosterEntry>,
    /// The Hello was repeated: so is the answer.
    pub(super) welcome_due: bool,
    /// A tick has happened since the last packet.
    pub(super) inputs_due: bool,
    /// When the next packet of the handshake, the barrier or the farewell goes out, or the next one
    /// that keeps a match alive whose host program does not tick.
    pub(super) next_send_us: u64,
    /// Greetings sent.
    pub(super) hellos_sent: u32,
    /// Goodbyes sent.
    pub(super) byes_sent: u32,
    /// The peer's goodbye.
    pub(super) bye: Option<Bye>,
    /// What the peer has told of its frames.
    pub(super) checks: LinkChecks,
    /// How far we are ahead of the peer.
    pub(super) time_sync: TimeSync,
    /// Whether to tick apart from the peer.
    pub(super) offset: Offset,
    /// What was seen of the peer last.
    pub(super) silence: SilenceWatch,
    /// What that follows from.
    pub(super) lags: LagHistory,
}

impl Link {
    pub(super) fn new(endpoint: Endpoint, welcome: Option<Welcome>, first_frame: Frame, now_us: u64) -> Self {
        Self {
            endpoint,
            welcome_due: welcome.is_some(),
            welcome,
            dialed: None,
            inputs_due: false,
            next_send_us: now_us,
            hellos_sent: 0,
            byes_sent: 0,
            bye: None,
            checks: LinkChecks::new(first_frame),
            time_sync: TimeSync::default(),
            offset: Offset::default(),
            silence: SilenceWatch::default(),
            lags: LagHistory::default(),
        }
    }

    /// Goodbyes go on until there were enough of them and the peer has said its own.
    pub(super) fn bye_is_due(&self) -> bool {
        self.bye.is_none() || self.byes_sent < BYES
    }
}
