//! [`Carrier`]: laminar below the connection to one player, on the caller's clock.
//!
//! laminar carries packets that may be lost, and says when the other end is heard, falls silent, and is
//! heard again. Its reliability stays unused: it has no timer, reassembles wrongly and keeps without
//! bound. Nothing of a peer reaches that code, because every header is checked before laminar sees it.
//!
//! A connection of laminar takes about 2 MB, most of it tables for that reliability. So there is one only
//! for a player who has proved to be one; it is dropped together with the connection that it carries.

#![expect(clippy::disallowed_types, reason = "the library counts in instants; ours are an origin and the caller's `now_us`")]

use super::pipe::Pipe;
use crate::packet::Reject;
use core::time::Duration;
use laminar::{Config, ConnectionManager, Packet, SocketEvent, VirtualConnection};
use std::collections::VecDeque;
use std::net::{Ipv6Addr, SocketAddr};
use std::time::Instant;

/// Bytes before the payload of a packet: laminar's version, the type, and how it is delivered and ordered.
pub(super) const HEADER_BYTES: usize = 5;

/// laminar's own version on the wire, the CRC-16 of `laminar-0.1.0`, big-endian.
const VERSION: [u8; 2] = [0x54, 0x09];

const PACKET: u8 = 0;
const HEARTBEAT: u8 = 2;
const UNRELIABLE: u8 = 0;
const UNORDERED: u8 = 0;

/// Without anything else to say, a sign of life goes out this often.
const HEARTBEAT_US: u64 = 1_000_000;

/// Events that wait: at most two come of one poll, and they are asked for after each.
const MAX_EVENTS: usize = 8;

/// What laminar found out about the other end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CarrierEvent {
    /// It is heard, and we have spoken.
    Connected,
    /// Nothing was heard for too long.
    FellSilent,
}

/// What we know of laminar's own connection, which comes and goes: it has no way to ask.
#[derive(Clone, Copy, Debug)]
struct Mirror {
    heard_us: u64,
    sent_us: u64,
    has_sent: bool,
    is_connected: bool,
}

/// See the module.
pub(super) struct Carrier {
    manager: ConnectionManager<Pipe, VirtualConnection>,
    /// An instant that stands for 0 µs. The library wants instants; it reads no clock.
    origin: Instant,
    peer: SocketAddr,
    heartbeat_us: u64,
    interrupt_us: u64,
    packet_bytes: usize,
    mirror: Option<Mirror>,
    polled_us: u64,
    /// laminar sends heartbeats only once both ends have spoken: until then we say something empty.
    next_call_us: u64,
    arrived: VecDeque<Packet>,
    events: VecDeque<CarrierEvent>,
}

impl Carrier {
    /// A carrier of packets of at most `packet_bytes`, its own header included, to the player in a seat.
    pub(super) fn new(seat: u8, packet_bytes: usize, interrupt_us: u64, now_us: u64) -> Self {
        let heartbeat_us = HEARTBEAT_US.min(interrupt_us / 3).max(1);
        // From the range for documentation: whatever address the player really has, and may change.
        let peer = SocketAddr::from((Ipv6Addr::new(0x2001, 0xDB8, 0, 0, 0, 0, 0, u16::from(seat)), 1));
        let config = Config {
            blocking_mode: false,
            idle_connection_timeout: Duration::from_micros(interrupt_us),
            heartbeat_interval: Some(Duration::from_micros(heartbeat_us)),
            max_packet_size: packet_bytes,
            max_fragments: 1,
            fragment_size: u16::try_from(packet_bytes).unwrap_or(u16::MAX),
            fragment_reassembly_buffer_size: 1,
            receive_buffer_max_size: packet_bytes,
            max_unestablished_connections: 1,
            ..Config::default()
        };
        Self {
            manager: ConnectionManager::new(Pipe::new(peer), config),
            // Where it stands does not matter: only the caller's clock is ever added to it.
            origin: Instant::now(),
            peer,
            heartbeat_us,
            interrupt_us,
            packet_bytes,
            mirror: None,
            polled_us: now_us,
            next_call_us: now_us.saturating_add(heartbeat_us),
            arrived: VecDeque::new(),
            events: VecDeque::with_capacity(MAX_EVENTS),
        }
    }

    /// Sends a payload. The datagram is in [`next_datagram`](Self::next_datagram).
    pub(super) fn send(&mut self, now_us: u64, payload: &[u8]) {
        if payload.len() + HEADER_BYTES > self.packet_bytes {
            return;
        }
        let mirror = self.mirror.get_or_insert(Mirror::new(now_us));
        mirror.has_sent = true;
        // The receiving half lives in the same struct.
        let _ = self.manager.event_sender().send(Packet::unreliable(self.peer, payload.to_vec()));
        self.poll(now_us);
    }

    /// Takes a datagram of the player. What it carried is in [`next_packet`](Self::next_packet).
    pub(super) fn take(&mut self, now_us: u64, datagram: &[u8]) -> Result<(), Reject> {
        check(datagram, self.packet_bytes)?;
        let mirror = self.mirror.get_or_insert(Mirror::new(now_us));
        mirror.heard_us = now_us;
        let is_answer_due = !mirror.has_sent;
        self.manager.socket_mut().put(datagram);
        self.poll(now_us);
        if is_answer_due {
            self.call(now_us);
        }
        Ok(())
    }

    /// Does what time brings: heartbeats, and silence.
    pub(super) fn tick(&mut self, now_us: u64) {
        if now_us < self.due_us() {
            return;
        }
        if self.next_call_us <= now_us && !self.is_connected() {
            self.call(now_us);
        }
        self.poll(now_us);
    }

    /// When [`tick`](Self::tick) has something to do.
    pub(super) fn due_us(&self) -> u64 {
        let call = (!self.is_connected()).then_some(self.next_call_us);
        let laminar = self.mirror.map(|mirror| {
            let silence_us = mirror.heard_us.saturating_add(self.interrupt_us);
            let heartbeat_us = if mirror.is_connected { mirror.sent_us.saturating_add(self.heartbeat_us) } else { u64::MAX };
            silence_us.min(heartbeat_us)
        });
        // Whatever laminar made of the last poll, the next one is later.
        call.into_iter().chain(laminar).min().unwrap_or(u64::MAX).max(self.polled_us.saturating_add(1))
    }

    /// Whether both ends have spoken, and lately.
    pub(super) fn is_connected(&self) -> bool {
        self.mirror.is_some_and(|mirror| mirror.is_connected)
    }

    pub(super) fn has_datagram(&mut self) -> bool {
        !self.manager.socket_mut().is_empty()
    }

    pub(super) fn next_datagram(&mut self) -> Option<Vec<u8>> {
        self.manager.socket_mut().take()
    }

    pub(super) fn next_packet(&mut self) -> Option<Packet> {
        self.arrived.pop_front()
    }

    pub(super) fn poll_event(&mut self) -> Option<CarrierEvent> {
        self.events.pop_front()
    }

    /// Says something empty.
    fn call(&mut self, now_us: u64) {
        self.next_call_us = now_us.saturating_add(self.heartbeat_us);
        self.send(now_us, &[]);
    }

    fn poll(&mut self, now_us: u64) {
        self.polled_us = now_us;
        let before = self.manager.socket_mut().written();
        let now = self.origin.checked_add(Duration::from_micros(now_us)).unwrap_or(self.origin);
        self.manager.manual_poll(now);
        if self.manager.socket_mut().written() != before
            && let Some(mirror) = &mut self.mirror
        {
            mirror.sent_us = now_us;
        }
        while let Ok(event) = self.manager.event_receiver().try_recv() {
            match event {
                SocketEvent::Packet(packet) if packet.payload().is_empty() => {}
                SocketEvent::Packet(packet) => self.arrived.push_back(packet),
                SocketEvent::Connect(_) => {
                    if let Some(mirror) = &mut self.mirror {
                        mirror.is_connected = true;
                    }
                    self.push(CarrierEvent::Connected);
                }
                SocketEvent::Timeout(_) => {
                    self.mirror = None;
                    self.next_call_us = now_us;
                    self.push(CarrierEvent::FellSilent);
                }
                // Comes with a timeout.
                SocketEvent::Disconnect(_) => {}
            }
        }
    }

    fn push(&mut self, event: CarrierEvent) {
        if self.events.len() < MAX_EVENTS {
            self.events.push_back(event);
        }
    }
}

impl Mirror {
    fn new(now_us: u64) -> Self {
        Self { heard_us: now_us, sent_us: now_us, has_sent: false, is_connected: false }
    }
}

/// Whether laminar may see a datagram: a packet that it only passes on, or a heartbeat.
fn check(datagram: &[u8], packet_bytes: usize) -> Result<(), Reject> {
    let (header, payload) = datagram.split_first_chunk::<HEADER_BYTES>().ok_or(Reject::TooShort)?;
    if datagram.len() > packet_bytes {
        return Err(Reject::TooLong);
    }
    let [high, low, kind, delivery, ordering] = *header;
    if [high, low] != VERSION {
        return Err(Reject::BadMagic);
    }
    match (kind, delivery, ordering) {
        (PACKET, UNRELIABLE, UNORDERED) => Ok(()),
        (HEARTBEAT, UNRELIABLE, UNORDERED) if payload.is_empty() => Ok(()),
        (HEARTBEAT, UNRELIABLE, UNORDERED) => Err(Reject::TrailingBytes),
        _ => Err(Reject::BadField),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERRUPT_US: u64 = 3_000_000;

    fn carrier(seat: u8) -> Carrier {
        Carrier::new(seat, 200, INTERRUPT_US, 0)
    }

    fn events(carrier: &mut Carrier) -> Vec<CarrierEvent> {
        core::iter::from_fn(|| carrier.poll_event()).collect()
    }

    /// Carries what one has to say to the other; how many datagrams that were.
    fn pass(now_us: u64, from: &mut Carrier, to: &mut Carrier) -> usize {
        let mut count = 0;
        while let Some(datagram) = from.next_datagram() {
            to.take(now_us, &datagram).unwrap();
            count += 1;
        }
        count
    }

    /// Two carriers that have spoken.
    fn pair() -> (Carrier, Carrier) {
        let (mut a, mut b) = (carrier(0), carrier(1));
        a.send(0, b"hello");
        pass(0, &mut a, &mut b);
        pass(0, &mut b, &mut a);
        assert_eq!((events(&mut a), events(&mut b)), (vec![CarrierEvent::Connected], vec![CarrierEvent::Connected]));
        (a, b)
    }

    #[test]
    fn a_payload_arrives_behind_laminars_own_header() {
        let (mut a, mut b) = (carrier(0), carrier(1));
        a.send(0, b"hello");
        let datagram = a.next_datagram().unwrap();
        assert_eq!(datagram, [&VERSION[..], &[PACKET, UNRELIABLE, UNORDERED], b"hello"].concat());
        b.take(0, &datagram).unwrap();
        assert_eq!(b.next_packet().map(|packet| packet.payload().to_vec()), Some(b"hello".to_vec()));
        // It has not spoken yet, so that laminar takes nobody for connected: it says something empty.
        assert_eq!(b.next_datagram().unwrap(), [&VERSION[..], &[PACKET, UNRELIABLE, UNORDERED]].concat());
        let mut full = [0; 200];
        full[..5].copy_from_slice(&datagram[..5]);
        assert_eq!(b.take(0, &full), Ok(()));
        assert_eq!(b.next_packet().map(|packet| packet.payload().len()), Some(195));
        a.send(0, &[7; 196]);
        assert!(!a.has_datagram(), "more than fits goes nowhere");
    }

    #[test]
    fn heartbeats_keep_a_quiet_pair_connected_with_one_datagram_a_second() {
        let (mut a, mut b) = pair();
        let (mut now_us, mut count) = (0, 0);
        while now_us < 60_000_000 {
            now_us = a.due_us().min(b.due_us());
            a.tick(now_us);
            b.tick(now_us);
            count += pass(now_us, &mut a, &mut b) + pass(now_us, &mut b, &mut a);
        }
        assert_eq!((events(&mut a), events(&mut b)), (vec![], vec![]));
        assert!((118..=122).contains(&count), "{count} heartbeats");
    }

    #[test]
    fn silence_is_told_once_heard_again_too_and_both_ends_call_meanwhile() {
        let (mut a, mut b) = pair();
        let mut calls = 0;
        let mut step = |a: &mut Carrier, b: &mut Carrier, until_us: u64, is_open: bool| {
            while a.due_us().min(b.due_us()) <= until_us {
                let now_us = a.due_us().min(b.due_us());
                a.tick(now_us);
                b.tick(now_us);
                if is_open {
                    pass(now_us, a, b);
                    pass(now_us, b, a);
                }
                while a.next_datagram().is_some() {
                    calls += 1;
                }
                while b.next_datagram().is_some() {}
            }
        };
        step(&mut a, &mut b, 2_999_999, false);
        assert_eq!(events(&mut a), []);
        step(&mut a, &mut b, 3_000_000, false);
        assert_eq!((events(&mut a), events(&mut b)), (vec![CarrierEvent::FellSilent], vec![CarrierEvent::FellSilent]));
        step(&mut a, &mut b, 12_500_000, false);
        assert!(events(&mut a).iter().all(|event| *event == CarrierEvent::FellSilent));
        events(&mut b);
        step(&mut a, &mut b, 14_000_000, true);
        assert_eq!((events(&mut a), events(&mut b)), (vec![CarrierEvent::Connected], vec![CarrierEvent::Connected]));
        assert!((8..=20).contains(&calls), "{calls} in twelve seconds of silence");
    }

    /// Whatever a peer sends: what laminar would order, reassemble, acknowledge or complain about stays
    /// outside, and is not taken for a sign of life.
    #[test]
    fn nothing_but_plain_packets_and_heartbeats_reaches_laminar() {
        let (mut a, _) = pair();
        for kind in 0..=u8::MAX {
            for delivery in 0..4 {
                for ordering in 0..4 {
                    let datagram = [&VERSION[..], &[kind, delivery, ordering], &[0; 16]].concat();
                    let may = (kind, delivery, ordering) == (PACKET, UNRELIABLE, UNORDERED);
                    assert_eq!(a.take(2_999_000, &datagram).is_ok(), may, "{kind} {delivery} {ordering}");
                    assert_eq!(a.next_packet().is_some(), may);
                    if kind == 0 && may {
                        a = pair().0;
                    }
                }
            }
        }
        a.tick(3_000_000);
        assert_eq!(events(&mut a), [CarrierEvent::FellSilent]);
        let heartbeat = [VERSION[0], VERSION[1], HEARTBEAT, UNRELIABLE, UNORDERED];
        assert_eq!(a.take(3_000_000, &heartbeat), Ok(()));
        assert_eq!(a.take(3_000_000, &[&heartbeat[..], &[1]].concat()), Err(Reject::TrailingBytes));
        assert_eq!(a.take(3_000_000, &heartbeat[..4]), Err(Reject::TooShort));
        assert_eq!(a.take(3_000_000, &[&[VERSION[1], VERSION[0], 0, 0, 0][..], &[1]].concat()), Err(Reject::BadMagic));
        let long = [&[VERSION[0], VERSION[1], 0, 0, 0][..], &[1; 196]].concat();
        assert_eq!(a.take(3_000_000, &long), Err(Reject::TooLong));
    }

    #[test]
    fn what_is_due_lies_in_the_future_after_every_poll() {
        let (mut a, _) = pair();
        let mut now_us = 0;
        for _ in 0..1_000 {
            let due_us = a.due_us();
            assert!(due_us > now_us);
            now_us = due_us;
            a.tick(now_us);
            while a.next_datagram().is_some() {}
            events(&mut a);
        }
        assert!(now_us > 300_000_000, "a thousand ticks took {now_us} µs: it spins");
    }
}
