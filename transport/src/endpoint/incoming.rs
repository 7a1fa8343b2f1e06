//! What an endpoint makes of a datagram: verify, then mutate.

use super::barrier::BarrierView;
use super::window::InputWindow;
use super::{Endpoint, LinkEvent, LinkState, PeerLag};
use crate::ack::Received;
use crate::packet::{
    Bye, Check, Cookie, DATAGRAM_BUDGET_BYTES, InputDigests, InputHeader, InputView, PacketType, Refusal, RefusalReason, Reject, Sync,
    Welcome, ack_delay_us,
};
use snapback_core::codec::BitReader;
use snapback_core::{Command, Frame, PlayerHandle};

/// A round trip at the barrier longer than this is not one: the echo is of something else.
const MAX_SYNC_ROUND_TRIP_US: u64 = 10_000_000;

/// A check of a frame further back than this says nothing that anybody still knows.
const MAX_CHECK_AGE_FRAMES: i64 = 1_024;

/// What stands for every wait that is too long for the wire.
const MOST_WAIT_US: u64 = 65_536;

/// What a datagram was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Handled {
    /// The peer answered our Hello: the match as it set it up.
    Welcomed(Welcome),
    /// The peer does not play with us.
    Refused(RefusalReason),
    /// The peer waits at the barrier.
    Waiting,
    /// What may make lost packets again: see [`Endpoint::next_recovered`].
    Parity,
    /// Inputs: see [`Endpoint::received_inputs`].
    Inputs(ReceivedInputs),
    /// What the peer computed for a frame; `None` if it has told that before, or something newer.
    Check(Option<ReceivedCheck>),
    /// The peer left.
    Bye(Bye),
}

/// A window of inputs that arrived and has been checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReceivedInputs {
    /// The frames.
    pub window: InputWindow,
    /// Whether any of them was not here before.
    pub any_new: bool,
}

/// What the peer says that it computed. Its frame is one that it can have confirmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReceivedCheck {
    /// The frame.
    pub frame: Frame,
    /// Of the hashes of all states up to and with it.
    pub states_digest: u32,
    /// What everybody pressed up to and with it, as the peer knows it.
    pub input_digests: InputDigests,
}

/// The numbers of a packet of inputs, once they are expanded and bounded.
struct Checked {
    sequence: u64,
    input_ack: Frame,
    window: InputWindow,
}

impl Endpoint {
    /// Takes a datagram from the peer's address.
    ///
    /// # Errors
    /// Says why it was dropped; it was counted and changed nothing.
    pub fn handle(&mut self, now_us: u64, datagram: &[u8]) -> Result<Handled, Reject> {
        let handled = self.dispatch(now_us, datagram);
        match &handled {
            Ok(handled) => {
                // A peer that still waits while we play must not keep us waiting for ever.
                let is_late = *handled == Handled::Waiting && self.state == LinkState::Playing;
                if !is_late {
                    self.last_heard_us = self.last_heard_us.max(now_us);
                    self.interrupted = false;
                }
                self.proven = true;
                self.stats.packets_received += 1;
                self.stats.bytes_received += (datagram.len() + self.settings.seal_bytes()) as u64;
            }
            Err(reject) => self.rejects.count(*reject),
        }
        handled
    }

    fn dispatch(&mut self, now_us: u64, datagram: &[u8]) -> Result<Handled, Reject> {
        if datagram.len() > DATAGRAM_BUDGET_BYTES {
            return Err(Reject::TooLong);
        }
        match (PacketType::of(datagram)?, self.state) {
            (PacketType::Welcome, LinkState::Dialing) => self.handle_welcome(datagram),
            (PacketType::Refuse, LinkState::Dialing) => self.handle_refusal(datagram),
            (PacketType::Cookie, LinkState::Dialing) => self.handle_cookie(datagram),
            (PacketType::Sync, LinkState::Waiting) => self.handle_sync(now_us, datagram),
            // The peer still waits. Once it has played, a Sync is late or a replay.
            (PacketType::Sync, LinkState::Playing) if self.received.highest().is_none() => self.handle_sync(now_us, datagram),
            (PacketType::Input, LinkState::Waiting | LinkState::Playing) => self.handle_inputs(now_us, datagram),
            (PacketType::Parity, LinkState::Waiting | LinkState::Playing) => self.handle_parity(datagram),
            (PacketType::Check, LinkState::Playing) => self.handle_check(datagram),
            (PacketType::Bye, LinkState::Waiting | LinkState::Playing | LinkState::Left) => {
                let bye = Bye::read(datagram, self.key)?;
                self.on(LinkEvent::Bye);
                Ok(Handled::Bye(bye))
            }
            _ => Err(Reject::WrongState),
        }
    }

    fn handle_welcome(&mut self, datagram: &[u8]) -> Result<Handled, Reject> {
        let welcome = Welcome::read(datagram, self.settings.greeting_key())?;
        if welcome.nonce != self.settings.nonce || welcome.match_id != self.settings.match_id {
            return Err(Reject::WrongNonce);
        }
        if crate::packet::PeerParams::compare(&self.settings.params, &welcome.params).is_err() {
            return Err(Reject::BadField);
        }
        let (ours, expected) = (self.settings.local_players, self.settings.expected);
        let seats_differ = !ours.is_empty() && ours != welcome.dialer_players;
        let count_differs = expected.local_player_count != 0 && usize::from(expected.local_player_count) != welcome.dialer_players.len();
        let stranger = !expected.remote_players.is_empty() && expected.remote_players != welcome.listener_players;
        let start_differs = expected.first_frame.is_some_and(|first| first != welcome.first_frame);
        if seats_differ || count_differs || stranger || start_differs {
            return Err(Reject::BadField);
        }
        self.settle(&welcome);
        self.on(LinkEvent::Welcomed);
        Ok(Handled::Welcomed(welcome))
    }

    fn handle_refusal(&mut self, datagram: &[u8]) -> Result<Handled, Reject> {
        let refusal = Refusal::read(datagram, self.settings.greeting_key())?;
        if refusal.nonce != self.settings.nonce || refusal.match_id != self.settings.match_id {
            return Err(Reject::WrongNonce);
        }
        self.on(LinkEvent::Refused);
        Ok(Handled::Refused(refusal.reason))
    }

    /// A listener with encryption answers us, who dial without.
    fn handle_cookie(&mut self, datagram: &[u8]) -> Result<Handled, Reject> {
        if self.settings.is_encrypted {
            return Err(Reject::WrongState);
        }
        if Cookie::read(datagram)?.nonce != self.settings.nonce {
            return Err(Reject::WrongNonce);
        }
        self.on(LinkEvent::Refused);
        Ok(Handled::Refused(RefusalReason::EncryptionRequired))
    }

    fn handle_sync(&mut self, now_us: u64, datagram: &[u8]) -> Result<Handled, Reject> {
        let sync = Sync::read(datagram, self.key)?;
        if let Some((ours, held_us)) = sync.echo {
            let round_trip_us = (now_us as u32).wrapping_sub(ours).wrapping_sub(held_us);
            if u64::from(round_trip_us) <= MAX_SYNC_ROUND_TRIP_US {
                self.rtt.sample(round_trip_us.into());
                self.barrier.samples = self.barrier.samples.saturating_add(1);
            }
        }
        self.barrier.take(sync, now_us);
        Ok(Handled::Waiting)
    }

    /// What is known of the peer at the start barrier.
    #[must_use]
    pub fn barrier(&self) -> BarrierView<'_> {
        self.barrier.view()
    }

    fn handle_inputs(&mut self, now_us: u64, datagram: &[u8]) -> Result<Handled, Reject> {
        let InputView { header, inputs } = InputView::read(datagram, self.key)?;
        let checked = self.check(&header)?;
        self.decode(checked.window, inputs)?;
        let acked_before = self.newest_acked_sequence;
        let acked_at = self.check_ack(&header)?;

        // Everything is known to be good: from here on nothing fails.
        if self.received.highest().is_none_or(|highest| checked.sequence > highest) {
            self.newest_received_at_us = now_us;
            self.peer_lag = Some(PeerLag { frames: header.lag_frames, at_us: now_us, waited_us: self.waited_us(&header) });
            if header.flags.every_frame_send {
                self.beat_at_us = now_us;
            }
        }
        self.received.accept(checked.sequence);
        self.received_loss.take(checked.sequence);
        let body_bytes = datagram.len() - self.key.trailer_bytes();
        self.repair.received(checked.sequence, datagram.get(..body_bytes).unwrap_or_default());
        if let Some(sent_us) = acked_at
            && let Some(held_us) = ack_delay_us(header.ack_delay_units)
        {
            self.rtt.sample(now_us.saturating_sub(sent_us).saturating_sub(held_us));
        }
        self.acked_frame = self.acked_frame.max(checked.input_ack);
        self.audit(now_us, &header, checked.input_ack, acked_before);
        let any_new = self.take_window(checked.window);
        if self.state != LinkState::Playing {
            self.on(LinkEvent::Started);
        }
        Ok(Handled::Inputs(ReceivedInputs { window: checked.window, any_new }))
    }

    /// How long our newest input had waited for the peer's tick. A packet that is a copy was not written at a tick:
    /// what the one before it said holds. If a copy of ours was the newest that had come, the first had come half
    /// a frame before.
    fn waited_us(&self, header: &InputHeader) -> Option<u64> {
        if !header.flags.every_frame_send || !header.flags.has_ack {
            return self.peer_lag.and_then(|lag| lag.waited_us);
        }
        let behind = (self.next_sequence as u16).wrapping_sub(1).wrapping_sub(header.ack);
        let is_copy = behind < 64 && self.on_beat >> behind & 1 == 0;
        let copied_us = if is_copy { self.repair.copied_after_us() } else { 0 };
        Some(ack_delay_us(header.ack_delay_units).unwrap_or(MOST_WAIT_US) + copied_us)
    }

    /// A frame is confirmed once every input of it is known: the peer has all of ours then, and we have sent
    /// them.
    fn handle_check(&mut self, datagram: &[u8]) -> Result<Handled, Reject> {
        let check = Check::read(datagram, self.key)?;
        if check.input_digests.as_slice().len() != usize::from(self.settings.params.player_count) {
            return Err(Reject::BadField);
        }
        let frame = Frame::from_wire(check.frame, self.sent_frame);
        if frame > self.sent_frame {
            return Err(Reject::BeyondHorizon);
        }
        if frame < self.first_frame {
            return Err(Reject::BadWindow);
        }
        // It is sent again while nothing new is confirmed, and datagrams overtake each other.
        if self.checked_frame.is_some_and(|newest| frame <= newest) {
            return Ok(Handled::Check(None));
        }
        if self.sent_frame - frame > MAX_CHECK_AGE_FRAMES {
            return Err(Reject::Stale);
        }
        self.checked_frame = Some(frame);
        Ok(Handled::Check(Some(ReceivedCheck { frame, states_digest: check.states_digest, input_digests: check.input_digests })))
    }

    /// Notes the frames of a window. Whether any of them was not here before.
    pub(super) fn take_window(&mut self, window: InputWindow) -> bool {
        let any_new = window.frame_count > 0 && window.last() > self.received_frame;
        if any_new {
            self.received_frame = window.last();
        }
        any_new
    }

    /// Expands and bounds every number of a header against what we sent and could have received.
    fn check(&self, header: &InputHeader) -> Result<Checked, Reject> {
        let sequence = self.received.expand(header.sequence).map_err(|_| Reject::SequenceJump)?;
        let mut probe = self.received;
        match probe.accept(sequence) {
            Received::New => {}
            Received::Duplicate => return Err(Reject::Duplicate),
            Received::Stale => return Err(Reject::Stale),
        }
        let (input_ack, window) = self.check_frames(header)?;
        Ok(Checked { sequence, input_ack, window })
    }

    /// The input acknowledgement and the window of a header, bounded.
    pub(super) fn check_frames(&self, header: &InputHeader) -> Result<(Frame, InputWindow), Reject> {
        let input_ack = Frame::from_wire(header.input_ack, self.acked_frame);
        if input_ack > self.sent_frame {
            return Err(Reject::InputAckOfUnsent);
        }
        let newest = Frame::from_wire(header.newest_frame, self.received_frame);
        let frame_count = usize::from(header.frame_count);
        let window = InputWindow { first: newest - frame_count as i64 + 1, frame_count };
        if frame_count > self.cap_frames() || (frame_count > 0 && window.first < self.first_frame) {
            return Err(Reject::BadWindow);
        }
        if newest > self.horizon() {
            return Err(Reject::BeyondHorizon);
        }
        if frame_count > 0 && window.first > self.received_frame.next() {
            return Err(Reject::Gap);
        }
        Ok((input_ack, window))
    }

    /// The newest frame whose input the peer can have: it needs our inputs up to its prediction
    /// window before it, and gives its own up to its input delay ahead.
    fn horizon(&self) -> Frame {
        let reach = i64::from(self.remote_params.window_max_frames) + i64::from(self.remote_params.delay_max_frames);
        self.sent_frame + reach
    }

    /// Decodes what is not known yet into the logs, which nobody reads unless the packet is good.
    pub(super) fn decode(&mut self, window: InputWindow, inputs: &[u8]) -> Result<(), Reject> {
        let mut reader = BitReader::new(inputs);
        for (_, log) in &mut self.received_logs {
            log.decode(&mut reader, window.first, window.frame_count).map_err(|_| Reject::BadInputs)?;
        }
        reader.finish().map_err(|_| Reject::BadInputs)
    }

    /// Takes the acknowledgement, or refuses it whole. Returns when the newest packet it
    /// acknowledges for the first time was sent.
    pub(super) fn check_ack(&mut self, header: &InputHeader) -> Result<Option<u64>, Reject> {
        if !header.flags.has_ack {
            return Ok(None);
        }
        let mut newest_sent_us = None;
        let ack = header.ack;
        let newest_acked = &mut self.newest_acked_sequence;
        let newest_acked_sent = &mut self.newest_acked_sent_us;
        self.sent
            .acknowledge(ack, header.ack_bits, |packet| {
                *newest_acked = packet.seq.max(*newest_acked);
                *newest_acked_sent = (*newest_acked_sent).max(Some(packet.sent_us));
                if packet.seq as u16 == ack {
                    newest_sent_us = Some(packet.sent_us);
                }
            })
            .map_err(|_| Reject::AckOfUnsent)?;
        Ok(newest_sent_us)
    }

    /// Shows the inputs that the last [`Handled::Inputs`] brought, player by player in seat order, each in
    /// the order of frames: frame, player, canonical bytes, command. Those that a call has shown before are
    /// left out, unless the packet contradicts them: then all that it says is shown.
    pub fn received_inputs(&mut self, mut visit: impl FnMut(Frame, PlayerHandle, &[u8], Command)) {
        for (player, log) in &mut self.received_logs {
            log.take(|frame, input, command| visit(frame, *player, input, command));
        }
    }
}
