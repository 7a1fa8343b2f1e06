//! [`AckAudit`]: whether a peer that plays on owns up to what it has from us.
//!
//! A packet says two things of what its sender has: which packets, and up to which frame all of our inputs.
//! Both are of the same moment, and who took a packet took its inputs. So an honest peer never acknowledges a
//! packet and, in the same breath, fewer frames than that packet reached. One that does holds everybody up, for
//! nobody may run further ahead of what is acknowledged than the rules say.

use super::Endpoint;
use crate::ack::SENT_WINDOW_PACKETS;
use crate::packet::InputHeader;
use snapback_core::Frame;

/// The longest time between two packets that counts as time in which they came: longer than any pause of a
/// peer that runs. So nobody's suspension is held against the other, nor what piled up meanwhile.
const STEADY_US: u64 = 250_000;

/// For how long packets of a kind have been coming.
#[derive(Clone, Copy, Default, Debug)]
struct Coming {
    last_us: Option<u64>,
    total_us: u64,
}

impl Coming {
    fn came(&mut self, now_us: u64) {
        let passed_us = self.last_us.map_or(0, |last| now_us.saturating_sub(last));
        self.total_us = self.total_us.saturating_add(passed_us.min(STEADY_US));
        self.last_us = Some(now_us);
    }
}

/// What is held against a peer.
#[derive(Debug)]
pub(super) struct AckAudit {
    /// How far the last packets of ours reached, by sequence.
    reached: Box<[(u64, Frame)]>,
    /// Packets that deny inputs which they acknowledge.
    denials: Coming,
    denied_until: Frame,
    /// Packets since the last one that acknowledged a packet which none had before.
    deaf: Coming,
}

impl AckAudit {
    pub(super) fn new() -> Self {
        Self {
            reached: vec![(0, Frame::INITIAL); SENT_WINDOW_PACKETS as usize].into(),
            denials: Coming::default(),
            denied_until: Frame::INITIAL,
            deaf: Coming::default(),
        }
    }

    /// A packet of inputs goes out.
    pub(super) fn sent(&mut self, sequence: u64, until: Frame) {
        if let Some(place) = self.reached.get_mut((sequence % SENT_WINDOW_PACKETS) as usize) {
            *place = (sequence, until);
        }
    }

    fn reach(&self, sequence: u64) -> Option<Frame> {
        let (of, until) = self.reached.get((sequence % SENT_WINDOW_PACKETS) as usize)?;
        (*of == sequence).then_some(*until)
    }
}

impl Endpoint {
    /// A packet of inputs came, and everything in it is within bounds; `acked_before` is the newest sequence of
    /// ours that was acknowledged before it.
    pub(super) fn audit(&mut self, now_us: u64, header: &InputHeader, input_ack: Frame, acked_before: u64) {
        if self.sent.sent_count() == 0 {
            return;
        }
        if self.newest_acked_sequence > acked_before {
            self.audit.deaf = Coming::default();
        }
        self.audit.deaf.came(now_us);
        if !header.flags.has_ack {
            return;
        }
        let newest = self.next_sequence - 1;
        let sequence = newest.saturating_sub(u64::from((newest as u16).wrapping_sub(header.ack)));
        if let Some(until) = self.audit.reach(sequence).filter(|until| *until > input_ack) {
            self.audit.denials.came(now_us);
            self.audit.denied_until = self.audit.denied_until.max(until);
        }
    }

    /// How far the inputs reach that the peer has and does not own up to, if it has done so for longer than the
    /// timeout: it said that it has packets and, in the same packets, that it has not what was in them. No loss
    /// and no order of packets makes an honest peer do that once.
    #[must_use]
    #[inline]
    pub fn denied_frame(&self) -> Option<Frame> {
        (self.audit.denials.total_us >= self.settings.timeout_us).then_some(self.audit.denied_until)
    }

    /// Whether packets of inputs have come from the peer for longer than the timeout, and none of them said that
    /// anything new from us came: the connection carries one way only, or so the peer says.
    #[must_use]
    #[inline]
    pub fn is_unheard(&self) -> bool {
        self.audit.deaf.total_us >= self.settings.timeout_us
    }
}
