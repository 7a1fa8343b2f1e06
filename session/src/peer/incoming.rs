//! What a peer makes of a datagram.

use super::Peer;
use super::SecureSocket;
use super::event::{Outcome, PeerEvent};
use super::phase::{PeerPhase, PhaseEvent};
use crate::rollback::InputPredictor;
use snapback_core::{InputSample, PlayerSet, Simulation, codec};
use snapback_transport::packet::{BarrierState, Bye, LeaveReason, PacketType, Reject};
use snapback_transport::{Handled, LinkState};
use std::net::SocketAddr;

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// Takes a datagram. What does not belong here is dropped and counted; it changes nothing.
    pub fn handle(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) {
        if self.phase == PeerPhase::Over {
            return;
        }
        self.excuse_if_late(now_us);
        let Some(wire) = &mut self.wire else { return self.handle_packet(now_us, from, datagram) };
        // It counts what it rejects.
        let _ = wire.handle(now_us, from, datagram);
        self.absorb_wire(now_us);
        let mut buffer = core::mem::take(&mut self.packet);
        while let Some((from, packet)) = self.wire.as_mut().and_then(SecureSocket::next_packet) {
            if let Some(place) = buffer.get_mut(..packet.len()) {
                place.copy_from_slice(packet);
                let len = packet.len();
                self.handle_packet(now_us, from, &buffer[..len]);
            }
        }
        self.packet = buffer;
    }

    fn handle_packet(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) {
        if self.phase == PeerPhase::Over {
            return;
        }
        let greeted = match PacketType::of(datagram) {
            Ok(PacketType::Knock) if self.wire.is_none() => Some(self.knock(from, datagram)),
            Ok(PacketType::Hello) => Some(self.hello(from, datagram, now_us)),
            _ => None,
        };
        if let Some(greeted) = greeted {
            if let Err(reject) = greeted {
                self.strangers.count(reject);
            }
            return;
        }
        let Some(at) = self.links.iter().position(|link| link.endpoint.address() == from) else {
            self.strangers.count(Reject::UnknownSender);
            return;
        };
        // What nobody can keep must not be acknowledged either. No honest peer plays before we are ready.
        let is_play = matches!(PacketType::of(datagram), Ok(PacketType::Input | PacketType::Parity));
        if is_play && self.phase == PeerPhase::Gathering && self.barrier_state() < BarrierState::Ready {
            self.strangers.count(Reject::WrongState);
            return;
        }
        // The endpoint counts what it rejects.
        let endpoint = &mut self.links[at].endpoint;
        let (was_interrupted, players) = (endpoint.is_interrupted(), endpoint.remote_players());
        let Ok(handled) = endpoint.handle(now_us, datagram) else { return };
        if was_interrupted {
            self.push_event(PeerEvent::Resumed { players });
        }
        match handled {
            Handled::Welcomed(welcome) => self.welcomed(from, &welcome),
            Handled::Refused(reason) if self.is_the_host(from) => self.end(Outcome::Refused(reason), PhaseEvent::Failed, now_us),
            // Another joiner: only the host can refuse us the match, but without this one there is none.
            Handled::Refused(_) => {
                self.lose(Outcome::Lost { players: self.links[at].endpoint.remote_players(), told_by: PlayerSet::EMPTY }, now_us)
            }
            Handled::Waiting => self.refine_start(now_us),
            Handled::Inputs(_) => {
                self.take_inputs(at, now_us);
                self.expect_check(at, now_us);
                self.expect_acks(at, now_us);
                if self.phase < PeerPhase::Playing && self.is_the_host(from) {
                    self.start_with_host(now_us);
                }
                self.take_recovered(at, now_us);
            }
            Handled::Parity => self.take_recovered(at, now_us),
            Handled::Check(check) => self.take_check(at, check, now_us),
            Handled::Bye(bye) => self.take_bye(at, bye, now_us),
        }
        self.gather(now_us);
    }

    /// Packets that were lost and can be made again: another one or a parity has come.
    fn take_recovered(&mut self, at: usize, now_us: u64) {
        while let Some(recovered) = self.links[at].endpoint.next_recovered() {
            // What was no packet was counted.
            if recovered.is_ok() {
                self.take_inputs(at, now_us);
            }
        }
    }

    fn take_bye(&mut self, at: usize, bye: Bye, now_us: u64) {
        let link = &mut self.links[at];
        if link.bye.is_some() {
            return;
        }
        link.bye = Some(bye);
        let players = link.endpoint.remote_players();
        // Whoever has finished has confirmed the last frame and heard that we have all its inputs.
        let last = self.facts.and_then(|facts| facts.last_frame);
        let finished = bye.reason == LeaveReason::Finished
            && last.is_some_and(|last| bye.confirmed_frame == last && link.endpoint.received_frame() >= last);
        self.push_event(PeerEvent::Left { players, reason: bye.reason });
        if finished || self.phase >= PeerPhase::Farewell || self.drop_link(at) {
            return;
        }
        if let Some(outcome) = self.dispute_of(at, &bye) {
            self.leave_reason = bye.reason;
            self.lost = match &outcome {
                Outcome::Desynced { players, .. } => *players,
                Outcome::InputsDiffer { player, .. } => PlayerSet::EMPTY.with(*player),
                _ => PlayerSet::EMPTY,
            };
            self.dispute(bye.confirmed_frame);
            self.end(outcome, PhaseEvent::Ended, now_us);
            return;
        }
        // Who left because of somebody else is not to blame, unless it means us: then it is the link
        // to that peer that is lost.
        let others = self.third_parties(at, &bye);
        let outcome = match bye.reason {
            LeaveReason::PeerLost if !others.is_empty() => Outcome::Lost { players: others, told_by: players },
            LeaveReason::PeerLost if !bye.lost.common(self.players_here()).is_empty() => Outcome::Lost { players, told_by: players },
            reason => Outcome::Abandoned { players, reason },
        };
        self.lose(outcome, now_us);
    }

    /// The match ends because a peer is gone; the others, if there are any, are told.
    pub(super) fn lose(&mut self, outcome: Outcome, now_us: u64) {
        self.leave_reason = LeaveReason::Quit;
        if let Outcome::Lost { players, .. } = &outcome
            && !players.is_empty()
        {
            self.leave_reason = LeaveReason::PeerLost;
            self.lost = *players;
        }
        let anybody = self.links.iter().any(|link| matches!(link.endpoint.state(), LinkState::Waiting | LinkState::Playing));
        self.end(outcome, if anybody { PhaseEvent::Ended } else { PhaseEvent::Failed }, now_us);
    }

    fn is_the_host(&self, address: SocketAddr) -> bool {
        self.host_address == Some(address)
    }

    /// The host plays already: every packet that said when to start was lost, or is on its way. The
    /// host starts nobody who has not said that it is ready; nobody else starts anybody.
    fn start_with_host(&mut self, now_us: u64) {
        match self.phase {
            PeerPhase::Gathering if self.barrier_state() == BarrierState::Ready => self.fix_start(now_us),
            PeerPhase::Countdown => self.start_at_us = self.start_at_us.map(|start| start.min(now_us)),
            _ => {}
        }
    }

    fn take_inputs(&mut self, at: usize, now_us: u64) {
        let Some(session) = &mut self.session else { return };
        let mut failed = None;
        self.links[at].endpoint.received_inputs(|frame, player, bytes, command| {
            if failed.is_some() {
                return;
            }
            match codec::read_input::<S::Input>(bytes) {
                Ok(input) => {
                    if let Err(error) = session.confirm(&InputSample { frame, player, input, command }) {
                        failed = Some(Outcome::Session(error));
                    }
                }
                Err(error) => failed = Some(Outcome::InvalidInput { player, frame, error }),
            }
        });
        if let Some(outcome) = failed {
            self.leave_reason = LeaveReason::Violation;
            self.end(outcome, PhaseEvent::Ended, now_us);
        }
    }
}
