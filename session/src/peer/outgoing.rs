//! What a peer sends, and when.

use super::SecureSocket;
use super::event::{Outcome, PeerEvent};
use super::link::Link;
use super::phase::PeerPhase;
use super::{Peer, Transmit};
use crate::rollback::InputPredictor;
use snapback_core::{Command, PlayerSet, Simulation, codec};
use snapback_transport::LinkState;
use snapback_transport::endpoint::{BACKLOG_INTERVAL_US, Silence};
use snapback_transport::packet::{ConnectionKey, DatagramDescriptor};
use std::net::SocketAddr;

/// Between two packets of the handshake.
const HELLO_INTERVAL_US: u64 = 100_000;

/// Greetings over an encrypted connection without an answer, after which the other side seems to have
/// forgotten the connection.
const PATIENCE_HELLOS: u32 = 15;

/// Between two packets of the barrier.
const SYNC_INTERVAL_US: u64 = 20_000;

/// A program that comes back so much later than [`Peer::poll_timeout`] asked was not running.
const LATE_US: u64 = 500_000;

/// Between two packets while the host program does not tick.
const KEEPALIVE_US: u64 = 100_000;

/// When nothing is due.
const NEVER_US: u64 = u64::MAX;

/// A packet that is written, and not yet sealed.
struct Packet {
    to: SocketAddr,
    len: usize,
    /// Whether it belongs to a parity group, if it is one of inputs.
    is_in_group: bool,
}

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// Writes the next datagram that is due into `out`, which is at least
    /// [`TRANSMIT_BUFFER_BYTES`](super::TRANSMIT_BUFFER_BYTES) long. `None` when nothing is due.
    pub fn poll_transmit(&mut self, now_us: u64, out: &mut [u8]) -> Option<Transmit> {
        self.excuse_if_late(now_us);
        // Every other call of a match finds nothing to do, and one look at when there will be says so.
        if self.phase == PeerPhase::Playing {
            let due_us = self.poll_timeout();
            if due_us.is_none_or(|due| now_us < due) {
                self.expected_us = due_us;
                return None;
            }
        }
        let transmit = self.next_transmit(now_us, out);
        if transmit.is_none() {
            self.expected_us = self.poll_timeout();
        }
        transmit
    }

    fn next_transmit(&mut self, now_us: u64, out: &mut [u8]) -> Option<Transmit> {
        self.check_silence(now_us);
        self.end_if_unanswerable(now_us);
        self.gather(now_us);
        if self.phase == PeerPhase::Over {
            return None;
        }
        self.redial_forgotten(now_us);
        if let Some(transmit) = self.transmit_below(now_us, out) {
            return Some(transmit);
        }
        let transmit = if self.wire.is_some() { self.next_sealed(now_us, out) } else { self.next_plain(now_us, out) };
        if transmit.is_none() {
            self.finish_farewell(now_us);
        }
        transmit
    }

    fn next_plain(&mut self, now_us: u64, out: &mut [u8]) -> Option<Transmit> {
        let Packet { to, len, is_in_group } = self.next_packet(now_us, out)?;
        Some(Transmit { to, len, descriptor: DatagramDescriptor::of_packet(out.get(..len)?, is_in_group, None) })
    }

    fn next_sealed(&mut self, now_us: u64, out: &mut [u8]) -> Option<Transmit> {
        let mut packet = core::mem::take(&mut self.packet);
        let mut transmit = None;
        while let Some(next) = self.next_packet(now_us, &mut packet) {
            // What cannot be sealed has no connection any more: the next is due.
            transmit = self.seal(&next, &packet, out);
            if transmit.is_some() {
                break;
            }
        }
        self.packet = packet;
        transmit
    }

    /// Dials those once more who answer no greeting over an encrypted connection.
    fn redial_forgotten(&mut self, now_us: u64) {
        if self.wire.is_none() {
            return;
        }
        for at in 0..self.links.len() {
            let link = &mut self.links[at];
            if link.hellos_sent >= PATIENCE_HELLOS && link.endpoint.state() == LinkState::Dialing {
                link.hellos_sent = 0;
                self.redial_secure(at, now_us);
            }
        }
    }

    /// Handshakes of the encryption.
    fn transmit_below(&mut self, now_us: u64, out: &mut [u8]) -> Option<Transmit> {
        let (to, len) = self.wire.as_mut()?.poll_transmit(now_us, out)?;
        Some(Transmit { to, len, descriptor: DatagramDescriptor::of_handshake(out.get(..len)?) })
    }

    /// Encrypts a packet.
    fn seal(&mut self, packet: &Packet, bytes: &[u8], out: &mut [u8]) -> Option<Transmit> {
        let Packet { to, len, is_in_group } = *packet;
        let bytes = bytes.get(..len)?;
        let sealed = self.wire.as_mut()?.seal(to, bytes, out);
        let descriptor = DatagramDescriptor::of_packet(bytes, is_in_group, out.get(..sealed));
        (sealed > 0).then_some(Transmit { to, len: sealed, descriptor })
    }

    /// The next packet that is due, not yet sealed.
    fn next_packet(&mut self, now_us: u64, out: &mut [u8]) -> Option<Packet> {
        if let Some((to, refusal)) = self.refusals.pop() {
            let key = if self.wire.is_some() { ConnectionKey::AEAD } else { ConnectionKey::GREETING };
            return Some(Packet { to, len: refusal.write(key, out), is_in_group: false });
        }
        for at in 0..self.links.len() {
            let len = self.write_due(at, now_us, out);
            if len > 0 {
                let endpoint = &self.links[at].endpoint;
                return Some(Packet { to: endpoint.address(), len, is_in_group: endpoint.is_last_protected() });
            }
        }
        None
    }

    /// When the next packet on a connection is due; never if nothing is.
    #[inline]
    fn due_us(&self, link: &Link) -> u64 {
        if self.wire.is_some() && !self.is_open(link.endpoint.address()) {
            return NEVER_US;
        }
        if link.welcome_due {
            return 0;
        }
        match (self.phase, link.endpoint.state()) {
            (PeerPhase::Playing, LinkState::Playing) if (link.inputs_due || link.checks.is_due) && !link.endpoint.is_backlogged() => 0,
            (PeerPhase::Playing, LinkState::Playing) => {
                link.endpoint.repair_due_us().map_or(link.next_send_us, |repair| repair.min(link.next_send_us))
            }
            (_, LinkState::Refused | LinkState::Lost) | (PeerPhase::Over, _) => NEVER_US,
            (PeerPhase::Farewell, LinkState::Dialing) => NEVER_US,
            (PeerPhase::Farewell, _) if link.bye_is_due() => link.next_send_us,
            (PeerPhase::Farewell, _) => NEVER_US,
            (_, LinkState::Dialing) => link.next_send_us,
            (PeerPhase::Gathering | PeerPhase::Countdown, LinkState::Left) => NEVER_US,
            // Nothing but answers to an address that has not shown that it receives them.
            (PeerPhase::Gathering, _) if !link.endpoint.is_proven() => NEVER_US,
            (PeerPhase::Gathering | PeerPhase::Countdown, _) => link.next_send_us,
            (PeerPhase::Playing, _) => NEVER_US,
        }
    }

    fn write_due(&mut self, at: usize, now_us: u64, out: &mut [u8]) -> usize {
        if now_us < self.due_us(&self.links[at]) {
            return 0;
        }
        let link = &mut self.links[at];
        if link.welcome_due
            && let Some(welcome) = link.welcome
        {
            link.welcome_due = false;
            return link.endpoint.write_welcome(&welcome, out);
        }
        match (self.phase, link.endpoint.state()) {
            (PeerPhase::Farewell, _) => self.write_bye(at, now_us, out),
            (_, LinkState::Dialing) => {
                link.next_send_us = now_us.saturating_add(HELLO_INTERVAL_US);
                link.hellos_sent += 1;
                link.endpoint.write_hello(self.settings.local_player_count, out)
            }
            (PeerPhase::Playing, _) => {
                let len = link.endpoint.write_repair(out);
                if len > 0 {
                    return len;
                }
                if !link.inputs_due && !link.endpoint.take_copy_due(now_us) && now_us < link.next_send_us {
                    return if link.checks.is_due { self.write_check(at, out) } else { 0 };
                }
                link.inputs_due = false;
                let interval_us = if link.endpoint.is_backlogged() { BACKLOG_INTERVAL_US } else { KEEPALIVE_US };
                link.next_send_us = now_us.saturating_add(interval_us);
                let Some(session) = &self.session else { return 0 };
                let len = link.endpoint.write_inputs(now_us, session.newest_local_frame(), out, |frame, player, bytes| {
                    session.pressed(frame, player).map_or(Command::NONE, |pressed| {
                        codec::write_input(&pressed.input, bytes);
                        pressed.command
                    })
                });
                self.repeat_check(at);
                len
            }
            _ => {
                link.next_send_us = now_us.saturating_add(SYNC_INTERVAL_US);
                let (state, roster) = (self.barrier_state(), self.roster(self.links[at].endpoint.remote_players()));
                let seed = self.seed.part(self.facts.map_or(PlayerSet::EMPTY, |facts| facts.local_players));
                self.links[at].endpoint.write_sync(now_us, state, self.start_at_us, &seed, &roster, out)
            }
        }
    }

    /// A program that was suspended, or whose clock leapt, comes back later than it was asked to. Nobody
    /// was silent since it was here last: we did not listen.
    #[inline]
    pub(super) fn excuse_if_late(&mut self, now_us: u64) {
        let last_us = core::mem::replace(&mut self.called_us, now_us);
        if self.expected_us.is_none_or(|expected| now_us < expected.saturating_add(LATE_US)) {
            return;
        }
        self.expected_us = Some(now_us);
        for link in &mut self.links {
            link.endpoint.excuse(now_us, now_us.saturating_sub(last_us));
        }
    }

    fn check_silence(&mut self, now_us: u64) {
        if self.phase >= PeerPhase::Farewell {
            return;
        }
        // From the end, because a link may be removed.
        for at in (0..self.links.len()).rev() {
            let link = &mut self.links[at];
            let players = link.endpoint.remote_players();
            match link.endpoint.check_silence(now_us) {
                Some(Silence::Interrupted) => self.push_event(PeerEvent::Interrupted { players }),
                Some(Silence::Lost) if self.drop_link(at) => self.gone(players),
                Some(Silence::Lost) => {
                    let address = self.links[at].endpoint.address();
                    let outcome = match self.failure_of(address).filter(|_| players.is_empty()) {
                        Some(failure) => Outcome::NotSecured { failure },
                        None => Outcome::Lost { players, told_by: PlayerSet::EMPTY },
                    };
                    self.lose(outcome, now_us);
                }
                None => {}
            }
        }
    }

    /// When [`poll_transmit`](Self::poll_transmit) should be called next even if nothing arrives and
    /// nothing ticks; `None` if never.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<u64> {
        if self.phase == PeerPhase::Over {
            return None;
        }
        if !self.refusals.is_empty() {
            return Some(0);
        }
        // A loop and no chain of iterators: a host program asks several times a tick.
        let is_farewell = self.phase >= PeerPhase::Farewell;
        let mut due_us = if is_farewell { self.next_farewell_us() } else { NEVER_US };
        for link in &self.links {
            due_us = due_us.min(self.due_us(link));
            if !is_farewell {
                due_us = due_us.min(link.endpoint.silence_timeout_us().unwrap_or(NEVER_US));
            }
        }
        if let Some(below_us) = self.wire.as_ref().and_then(SecureSocket::poll_timeout) {
            due_us = due_us.min(below_us);
        }
        (due_us < NEVER_US).then_some(due_us)
    }
}
