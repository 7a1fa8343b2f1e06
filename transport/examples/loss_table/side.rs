//! One of two peers, with the windows, packets, acknowledgements and repair of the crate.

use super::path::{Vanish, Way};
use super::scheme::{Again, Scheme};
use snapback_core::codec::{BitReader, BitWriter, decode_run, encode_run};
use snapback_core::{Command, Frame, Rng};
use snapback_transport::ConnectionKey;
use snapback_transport::ack::{AckWindow, SentWindow};
use snapback_transport::endpoint::InputWindow;
use snapback_transport::fec::{NeedState, Parity, ParityGroup, ParityRecovery, RepairNeed, SpreadCopy};
use snapback_transport::packet::{DATAGRAM_BUDGET_BYTES, InputFlags, InputHeader, InputView, PacketType, ParityView};

pub(crate) const FRAME_US: u64 = 16_667;
const FLOOR_FRAMES: u32 = 8;
const CAP_FRAMES: usize = 61;
const INPUT_BYTES: usize = 2;
const FIRST_SEQUENCE: u64 = 65_536;
/// IPv4 and UDP, which every datagram pays.
const HEADERS_BYTES: u64 = 28;

pub(crate) struct Side {
    scheme: Scheme,
    key: ConnectionKey,
    pub(crate) way: Way,
    /// When frame 0 is pressed.
    starts_us: u64,
    inputs: Vec<u16>,
    rng: Rng,
    acked: Frame,
    sent: SentWindow,
    group: ParityGroup,
    grouping: bool,
    need: RepairNeed,
    spread: SpreadCopy,
    waiting_parity: Vec<u8>,
    received: AckWindow,
    pub(crate) received_frame: Frame,
    recovery: ParityRecovery,
    pub(crate) sent_bytes: u64,
    pub(crate) recovered_count: u64,
    /// By frame of the other side: how long after the press its input came, and whether a packet of
    /// just that frame came, which is all that counts if nothing is repeated.
    pub(crate) took_us: Vec<u32>,
    pub(crate) payloads: Vec<bool>,
}

impl Side {
    pub(crate) fn new(scheme: Scheme, vanish: Vanish, seed: u64, stream: u64, frames: usize) -> Self {
        Self {
            scheme,
            key: ConnectionKey::new(seed, 2, 3),
            way: Way::new(vanish, seed, stream),
            starts_us: stream * 5_000,
            inputs: Vec::with_capacity(frames),
            rng: Rng::new(seed, 200 + stream),
            acked: Frame::INITIAL,
            sent: SentWindow::new(FIRST_SEQUENCE),
            group: ParityGroup::new(4),
            grouping: false,
            need: RepairNeed::new(),
            spread: SpreadCopy::new(60),
            waiting_parity: Vec::new(),
            received: AckWindow::new(FIRST_SEQUENCE),
            received_frame: Frame::INITIAL,
            recovery: ParityRecovery::new(),
            sent_bytes: 0,
            recovered_count: 0,
            took_us: Vec::with_capacity(frames),
            payloads: vec![false; frames],
        }
    }

    /// A new frame: its input is pressed and goes out.
    pub(crate) fn tick(&mut self, now_us: u64) {
        let newest = self.inputs.len() as i64;
        let held = self.inputs.last().copied().unwrap_or(0);
        // People change what they press in one frame of six.
        let pressed = if self.rng.chance(160_000) { held ^ (1 << self.rng.below(10)) } else { held };
        self.inputs.push(pressed);
        self.need.update(self.sent.acked_count(), self.sent.lost_count());
        self.send(now_us, Frame::new(newest));
        if self.scheme.copies.is_on(self.need.state()) {
            match self.scheme.again {
                Again::AtOnce => self.send(now_us, Frame::new(newest)),
                Again::FramesLater(frames) if newest >= frames => self.send(now_us, Frame::new(newest - frames)),
                Again::FramesLater(_) => {}
                Again::HalfAFrameLater => self.spread.frame_sent(now_us, NeedState::On),
            }
        }
    }

    /// The middle between two frames.
    pub(crate) fn half_tick(&mut self, now_us: u64) {
        if !self.waiting_parity.is_empty() {
            self.way.send(now_us, &self.waiting_parity);
            self.waiting_parity.clear();
        }
        if self.spread.take_due(now_us) {
            self.send(now_us, Frame::new(self.inputs.len() as i64 - 1));
        }
    }

    fn send(&mut self, now_us: u64, newest: Frame) {
        let mut out = [0; DATAGRAM_BUDGET_BYTES];
        let window = InputWindow::new(Frame::ZERO, newest, self.acked, FLOOR_FRAMES, CAP_FRAMES);
        let ack = self.received.wire_ack();
        let header = InputHeader {
            flags: InputFlags { has_ack: ack.is_some(), all_acked: ack.is_some_and(|(_, bits)| bits == u32::MAX), ..InputFlags::default() },
            sequence: self.sent.next_sequence() as u16,
            ack: ack.map_or(0, |(ack, _)| ack),
            ack_bits: ack.map_or(0, |(_, bits)| bits),
            newest_frame: window.last().to_wire(),
            frame_count: window.frame_count as u8,
            input_ack: self.received_frame.to_wire(),
            ack_delay_units: 0,
            lag_frames: 0,
        };
        let mut writer = BitWriter::new(&mut out[header.bytes()..]);
        encode_run(&mut writer, INPUT_BYTES, window.frame_count, |index, bytes| {
            let frame = (window.first + index as i64).number();
            bytes.copy_from_slice(&self.inputs[frame as usize].to_le_bytes());
            Command::NONE
        });
        let inputs_bytes = writer.finish().unwrap_or(0);
        let len = header.finish(self.key, inputs_bytes, &mut out);
        let sequence = self.sent.next_sequence();
        self.sent.sent(sequence, now_us, len);
        self.transmit(now_us, &out[..len]);
        self.protect(now_us, sequence, &out[..len - self.key.trailer_bytes()]);
    }

    fn protect(&mut self, now_us: u64, sequence: u64, body: &[u8]) {
        let on = self.scheme.parity.is_on(self.need.state());
        if on && !self.grouping {
            self.group.restart();
        }
        self.grouping = on;
        if !on {
            return;
        }
        let Some(parity) = self.group.push(sequence, body) else { return };
        let mut out = [0; DATAGRAM_BUDGET_BYTES];
        let len = parity.view().write(self.key, &mut out);
        if self.scheme.parity_waits {
            self.sent_bytes += len as u64 + HEADERS_BYTES;
            self.waiting_parity.extend_from_slice(&out[..len]);
        } else {
            self.transmit(now_us, &out[..len]);
        }
    }

    fn transmit(&mut self, now_us: u64, datagram: &[u8]) {
        self.sent_bytes += datagram.len() as u64 + HEADERS_BYTES;
        self.way.send(now_us, datagram);
    }

    /// Takes what `other` sent.
    pub(crate) fn receive(&mut self, now_us: u64, datagram: &[u8], other: &Self) {
        if PacketType::of(datagram) == Ok(PacketType::Parity) {
            let view = ParityView::read(datagram, self.key);
            let parity = view.and_then(|view| {
                let base = self.received.expand(view.base).map_err(|_| snapback_transport::Reject::SequenceJump)?;
                Parity::check(&view, base)
            });
            let taken = parity.and_then(|parity| self.recovery.parity(&parity));
            assert!(taken.is_ok(), "an honest parity was refused: {taken:?}");
        } else if let Ok(view) = InputView::read(datagram, self.key)
            && let Ok(sequence) = self.received.expand(view.header.sequence)
        {
            self.received.accept(sequence);
            // Only what arrived acknowledges: a packet that is made again is old.
            let acked = self.sent.acknowledge(view.header.ack, view.header.ack_bits, |_| {});
            assert!(acked.is_ok() || !view.header.flags.has_ack, "{acked:?}");
            let body = &datagram[..datagram.len() - self.key.trailer_bytes()];
            self.recovery.received(sequence, body);
            self.take(now_us, &view, other);
        }
        loop {
            let mut body = [0; DATAGRAM_BUDGET_BYTES];
            let (sequence, len) = match self.recovery.next_recovered() {
                None => break,
                Some(Ok(recovered)) => {
                    body[..recovered.bytes.len()].copy_from_slice(recovered.bytes);
                    (recovered.sequence, recovered.bytes.len())
                }
                Some(Err(reject)) => unreachable!("an honest parity was refused: {reject}"),
            };
            self.recovered_count += 1;
            if let Ok(view) = InputView::of_body(&body[..len]) {
                assert_eq!(view.header.sequence, sequence as u16);
                self.take(now_us, &view, other);
            }
        }
    }

    fn take(&mut self, now_us: u64, view: &InputView<'_>, other: &Self) {
        let header = view.header;
        let newest = Frame::from_wire(header.newest_frame, self.received_frame);
        let first = newest - i64::from(header.frame_count) + 1;
        let mut reader = BitReader::new(view.inputs);
        let decoded = decode_run(&mut reader, INPUT_BYTES, header.frame_count.into(), |index, bytes, _| {
            let expected = other.inputs[(first + index as i64).number() as usize];
            assert_eq!(bytes, expected.to_le_bytes());
        });
        assert!(decoded.is_ok() && first <= self.received_frame.next());
        self.acked = self.acked.max(Frame::from_wire(header.input_ack, self.acked));
        self.payloads[newest.number() as usize] = true;
        while self.received_frame < newest {
            self.received_frame = self.received_frame.next();
            let pressed_us = other.starts_us + self.received_frame.number() as u64 * FRAME_US;
            self.took_us.push((now_us - pressed_us) as u32);
        }
    }
}
