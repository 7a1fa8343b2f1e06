//! What an endpoint writes.

use super::window::InputWindow;
use super::{Endpoint, LinkState};
use crate::packet::{
    BarrierState, Bye, Check, Hello, InputDigests, InputFlags, InputHeader, PROTOCOL_VERSION, RosterEntry, SeedPart, Sync, Welcome,
    ack_delay_units,
};
use snapback_core::codec::BitWriter;
use snapback_core::{Command, Frame, PlayerHandle};

impl Endpoint {
    /// Writes a Hello. Belongs to [`LinkState::Dialing`]; repeat it until there is an answer.
    /// Returns its size.
    pub fn write_hello(&mut self, player_count: u8, out: &mut [u8]) -> usize {
        let hello = Hello {
            version: PROTOCOL_VERSION,
            match_id: self.settings.match_id,
            nonce: self.settings.nonce,
            players: self.settings.local_players,
            player_count,
            params: self.settings.params,
        };
        let len = hello.write(self.settings.greeting_key(), out);
        self.count_sent(len)
    }

    /// Writes the answer to the Hello that opened this connection. Repeat it for every repeated
    /// Hello. Returns its size.
    pub fn write_welcome(&mut self, welcome: &Welcome, out: &mut [u8]) -> usize {
        let len = welcome.write(self.settings.greeting_key(), out);
        self.count_sent(len)
    }

    /// Writes a packet of the barrier. Belongs to [`LinkState::Waiting`]; send one every 20 ms or so.
    /// `start_at_us` is when the host starts frame 0, on its own clock. Returns its size.
    pub fn write_sync(
        &mut self,
        now_us: u64,
        state: BarrierState,
        start_at_us: Option<u64>,
        seed: &SeedPart,
        roster: &[RosterEntry],
        out: &mut [u8],
    ) -> usize {
        let one_way_us = self.rtt.smoothed_us().unwrap_or(0) / 2;
        let start_in_us = start_at_us.map_or(0, |start| start.saturating_sub(now_us).saturating_sub(one_way_us));
        let sync = Sync {
            state,
            sent_us: now_us as u32,
            echo: self.barrier.to_echo.map(|(theirs, at)| (theirs, u32::try_from(now_us.saturating_sub(at)).unwrap_or(u32::MAX))),
            start_in_us: u32::try_from(start_in_us).unwrap_or(u32::MAX),
            seed: *seed,
            roster: roster.to_vec(),
        };
        let len = sync.write(self.key, out);
        self.count_sent(len)
    }

    /// Writes the packet of a frame: every input after the last one acknowledged, the floor at
    /// least, up to `newest`. Belongs to [`LinkState::Playing`]. `pressed` fills in the canonical
    /// bytes of a local player's input for a frame and returns its command; it is asked once for each
    /// frame, as what was sent never changes. Returns its size.
    ///
    /// If that would make the datagram larger than its budget, the frames that the peer has are left
    /// out first, then the newest: the oldest that is owed always goes.
    pub fn write_inputs(
        &mut self,
        now_us: u64,
        newest: Frame,
        out: &mut [u8],
        mut pressed: impl FnMut(Frame, PlayerHandle, &mut [u8]) -> Command,
    ) -> usize {
        if self.state != LinkState::Playing {
            return 0;
        }
        let budget = out.len().min(self.settings.packet_budget_bytes);
        let Some(out) = out.get_mut(..budget) else { return 0 };
        let ack = self.received.wire_ack();
        let mut header = InputHeader {
            flags: InputFlags { has_ack: ack.is_some(), all_acked: ack.is_some_and(|(_, bits)| bits == u32::MAX), ..InputFlags::default() },
            sequence: self.next_sequence as u16,
            ack: ack.map_or(0, |(ack, _)| ack),
            ack_bits: ack.map_or(0, |(_, bits)| bits),
            input_ack: self.received_frame.to_wire(),
            ack_delay_units: ack_delay_units(now_us.saturating_sub(self.newest_received_at_us)),
            lag_frames: self.lag_frames,
            ..InputHeader::default()
        };
        let mut window = InputWindow::new(self.first_frame, newest, self.acked_frame, self.settings.resend_floor_frames, self.cap_frames());
        let inputs_bytes = loop {
            match self.encode_inputs(window, header.bytes(), out, &mut pressed) {
                Some(len) => break len,
                None => match window.shrunk(self.acked_frame) {
                    Some(smaller) => window = smaller,
                    None => return 0,
                },
            }
        };
        let current = window.frame_count > 0 && window.last() == newest;
        header.flags.every_frame_send = current && newest == self.sent_frame.next();
        header.flags.batch_resend = current && window.frame_count > 1;
        header.newest_frame = window.last().to_wire();
        header.frame_count = window.frame_count as u8;
        let len = header.finish(self.key, inputs_bytes, out);
        self.sent.sent(self.next_sequence, now_us, len);
        let body = out.get(..len.saturating_sub(self.key.trailer_bytes())).unwrap_or_default();
        let brings_new_frame = header.flags.every_frame_send && !self.is_backlogged();
        let (acked, lost) = (self.sent.acked_count(), self.sent.lost_count());
        self.parity_covers_last = self.repair.sent(now_us, self.next_sequence, body, brings_new_frame, acked, lost);
        self.audit.sent(self.next_sequence, window.last());
        self.next_sequence += 1;
        self.on_beat = self.on_beat << 1 | u64::from(header.flags.every_frame_send);
        self.sent_frame = self.sent_frame.max(window.last());
        self.count_sent(len)
    }

    fn encode_inputs(
        &mut self,
        window: InputWindow,
        header_bytes: usize,
        out: &mut [u8],
        pressed: &mut impl FnMut(Frame, PlayerHandle, &mut [u8]) -> Command,
    ) -> Option<usize> {
        let end = out.len().checked_sub(self.key.trailer_bytes())?;
        let mut writer = BitWriter::new(out.get_mut(header_bytes..end)?);
        for (player, log) in &mut self.sent_logs {
            log.encode(&mut writer, window.first, window.frame_count, |frame, bytes| pressed(frame, *player, bytes));
        }
        writer.finish().ok()
    }

    /// Writes what this peer computed for a frame that it has confirmed. Belongs to
    /// [`LinkState::Playing`]. Returns its size.
    pub fn write_check(&mut self, frame: Frame, states_digest: u32, input_digests: &InputDigests, out: &mut [u8]) -> usize {
        if self.state != LinkState::Playing {
            return 0;
        }
        let len = Check { frame: frame.to_wire(), states_digest, input_digests: *input_digests }.write(self.key, out);
        self.count_sent(len)
    }

    /// Writes a goodbye; 0 before there is a connection. Send it a few times: nobody acknowledges
    /// it. Returns its size.
    pub fn write_bye(&mut self, bye: &Bye, out: &mut [u8]) -> usize {
        if self.state == LinkState::Dialing {
            return 0;
        }
        let len = bye.write(self.key, out);
        self.count_sent(len)
    }

    pub(super) fn count_sent(&mut self, len: usize) -> usize {
        self.stats.packets_sent += u64::from(len > 0);
        self.stats.bytes_sent += if len > 0 { (len + self.settings.seal_bytes()) as u64 } else { 0 };
        len
    }
}
