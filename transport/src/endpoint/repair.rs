//! What an endpoint does against loss, beyond repeating inputs: parity of its packets, and a copy of
//! the newest half a frame later. Both by need.

use super::{Endpoint, Handled, LinkState, ReceivedInputs};
use crate::fec::{MAX_COVERED_BYTES, NeedState, Parity, ParityGroup, ParityRecovery, RepairNeed, SpreadCopy};
use crate::packet::{DATAGRAM_BUDGET_BYTES, InputView, ParityView, Reject};

/// What is sent against loss while the link loses packets. `transport/docs/loss.md` has what each is
/// worth.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum RepairPolicy {
    /// Nothing: inputs are repeated, and that is all.
    Nothing,
    /// A parity packet after each group.
    Parity,
    /// A copy of the newest packet half a frame later.
    Copy,
    /// Both.
    #[default]
    Both,
}

impl RepairPolicy {
    fn has_parity(self) -> bool {
        matches!(self, Self::Parity | Self::Both)
    }

    fn has_copy(self) -> bool {
        matches!(self, Self::Copy | Self::Both)
    }
}

/// Everything an endpoint keeps for it.
pub(super) struct Repair {
    policy: RepairPolicy,
    need: RepairNeed,
    group: ParityGroup,
    is_grouping: bool,
    parity_due: bool,
    spread: SpreadCopy,
    recovery: ParityRecovery,
    made: Box<[u8]>,
    /// The longest packet whose parity fits into a datagram.
    covered_bytes: usize,
}

impl Repair {
    pub(super) fn new(policy: RepairPolicy, group_packets: u8, simulation_hz: u16, packet_budget_bytes: usize) -> Self {
        Self {
            policy,
            need: RepairNeed::new(),
            group: ParityGroup::new(group_packets),
            is_grouping: false,
            parity_due: false,
            spread: SpreadCopy::new(simulation_hz),
            recovery: ParityRecovery::new(),
            covered_bytes: packet_budget_bytes.saturating_sub(ParityView::HEADER_BYTES + 4).min(MAX_COVERED_BYTES),
            made: vec![0; DATAGRAM_BUDGET_BYTES].into(),
        }
    }

    pub(super) fn loss_per_million(&self) -> u32 {
        self.need.loss_per_million()
    }

    /// How long after a packet its copy goes out.
    pub(super) fn copied_after_us(&self) -> u64 {
        self.spread.after_us()
    }

    /// Notes a packet of inputs that goes out, without its checksum. Whether it went into a parity group
    /// whose parity can be sent.
    pub(super) fn sent(&mut self, now_us: u64, sequence: u64, body: &[u8], brings_new_frame: bool, acked: u64, lost: u64) -> bool {
        let state = self.need.update(acked, lost);
        if brings_new_frame {
            self.spread.frame_sent(now_us, if self.policy.has_copy() { state } else { NeedState::Off });
        }
        let on = state == NeedState::On && self.policy.has_parity();
        if on && !self.is_grouping {
            self.group.restart();
        }
        self.is_grouping = on;
        if on {
            // A packet that is too long for that ends the group.
            let body = if body.len() <= self.covered_bytes { body } else { &[] };
            // A parity that could not be sent before the next packet is lost.
            self.parity_due = self.group.push(sequence, body).is_some();
        }
        on && !body.is_empty() && body.len() <= self.covered_bytes
    }

    pub(super) fn received(&mut self, sequence: u64, body: &[u8]) {
        self.recovery.received(sequence, body);
    }
}

impl Endpoint {
    /// When [`write_repair`](Self::write_repair) has something to send; none if nothing is due.
    #[must_use]
    #[inline]
    pub fn repair_due_us(&self) -> Option<u64> {
        if self.state != LinkState::Playing {
            return None;
        }
        if self.repair.parity_due { Some(0) } else { self.repair.spread.due_us() }
    }

    /// Whether a copy of the newest packet is to be sent now: call
    /// [`write_inputs`](Self::write_inputs) once more for the same frame.
    #[inline]
    pub fn take_copy_due(&mut self, now_us: u64) -> bool {
        let is_due = self.state == LinkState::Playing && self.repair.spread.take_due(now_us);
        self.stats.copies_sent += u64::from(is_due);
        is_due
    }

    /// Writes the parity packet of the group that the last packet filled. Returns its size, 0 if none
    /// is due.
    #[inline]
    pub fn write_repair(&mut self, out: &mut [u8]) -> usize {
        if !core::mem::take(&mut self.repair.parity_due) || self.state != LinkState::Playing {
            return 0;
        }
        let budget = out.len().min(self.settings.packet_budget_bytes);
        let Some((parity, out)) = self.repair.group.full().zip(out.get_mut(..budget)) else { return 0 };
        let len = parity.view().write(self.key, out);
        self.stats.parity_sent += u64::from(len > 0);
        self.count_sent(len)
    }

    pub(super) fn handle_parity(&mut self, datagram: &[u8]) -> Result<Handled, Reject> {
        let view = ParityView::read(datagram, self.key)?;
        let base = self.received.expand(view.base).map_err(|_| Reject::SequenceJump)?;
        let parity = Parity::check(&view, base)?;
        self.repair.recovery.parity(&parity)?;
        self.stats.parity_received += 1;
        Ok(Handled::Parity)
    }

    /// What a lost packet had, if it could be made again from a parity: as if it had come, but that it
    /// is not acknowledged. Call it until it returns `None`, after each packet.
    ///
    /// # Errors
    /// Says why it was dropped; it was counted and changed nothing.
    pub fn next_recovered(&mut self) -> Option<Result<Handled, Reject>> {
        let (sequence, len) = match self.repair.recovery.next_recovered()? {
            Ok(recovered) => {
                let place = self.repair.made.get_mut(..recovered.bytes.len())?;
                place.copy_from_slice(recovered.bytes);
                (recovered.sequence, recovered.bytes.len())
            }
            Err(reject) => {
                self.rejects.count(reject);
                return Some(Err(reject));
            }
        };
        let made = core::mem::take(&mut self.repair.made);
        let handled = self.handle_recovered(sequence, made.get(..len).unwrap_or_default());
        self.repair.made = made;
        if let Err(reject) = handled {
            self.rejects.count(reject);
        }
        Some(handled)
    }

    /// A recovered packet is never acknowledged: the loss that repair hides must stay visible to who
    /// decides whether repair is needed. It tells nothing of the round trip either.
    fn handle_recovered(&mut self, sequence: u64, body: &[u8]) -> Result<Handled, Reject> {
        let InputView { header, inputs } = InputView::of_body(body)?;
        if header.sequence != sequence as u16 {
            return Err(Reject::BadParity);
        }
        let (input_ack, window) = self.check_frames(&header)?;
        self.decode(window, inputs)?;
        self.check_ack(&header)?;
        self.acked_frame = self.acked_frame.max(input_ack);
        let any_new = self.take_window(window);
        self.stats.packets_recovered += 1;
        self.stats.inputs_only_by_parity += u64::from(any_new);
        Ok(Handled::Inputs(ReceivedInputs { window, any_new }))
    }
}
