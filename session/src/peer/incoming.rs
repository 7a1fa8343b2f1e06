//! What a peer makes of a datagram.

use super::event::{Outcome, PeerEvent};
use super::phase::{PeerPhase, PhaseEvent};
use super::{Peer, wire_input};
use crate::rollback::InputPredictor;
use snapback_core::{InputSample, Simulation};
use snapback_transport::packet::{Bye, LeaveReason, PacketType, Reject};
use snapback_transport::{Handled, LinkState};
use std::net::SocketAddr;

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// Takes a datagram. What does not belong here is dropped and counted; it changes nothing.
    pub fn handle(&mut self, now_us: u64, from: SocketAddr, datagram: &[u8]) {
        if self.phase == PeerPhase::Over {
            return;
        }
        if PacketType::of(datagram) == Ok(PacketType::Hello) {
            if let Err(reject) = self.hello(from, datagram, now_us) {
                self.strangers.count(reject);
            }
            return;
        }
        let Some(at) = self.links.iter().position(|link| link.endpoint.address() == from) else {
            self.strangers.count(Reject::UnknownSender);
            return;
        };
        // The endpoint counts what it rejects.
        let endpoint = &mut self.links[at].endpoint;
        let (was_interrupted, players) = (endpoint.is_interrupted(), endpoint.remote_players());
        let Ok(handled) = endpoint.handle(now_us, datagram) else { return };
        if was_interrupted {
            self.push_event(PeerEvent::Resumed { players });
        }
        match handled {
            Handled::Welcomed(welcome) => self.welcomed(from, &welcome, now_us),
            Handled::Refused(reason) => self.end(Outcome::Refused(reason), PhaseEvent::Failed, now_us),
            Handled::Waiting => self.refine_start(now_us),
            Handled::Inputs(received) => {
                self.take_inputs(at, now_us);
                if received.window.frame_count > 0 && self.phase < PeerPhase::Playing {
                    self.start_now(now_us);
                }
            }
            Handled::Bye(bye) => self.take_bye(at, bye, now_us),
        }
        self.gather(now_us);
    }

    fn take_bye(&mut self, at: usize, bye: Bye, now_us: u64) {
        let link = &mut self.links[at];
        if link.bye.replace(bye).is_some() {
            return;
        }
        let players = link.endpoint.remote_players();
        // Whoever has finished has confirmed the last frame and heard that we have all its inputs.
        let last = self.facts.and_then(|facts| facts.last_frame);
        let finished = bye.reason == LeaveReason::Finished
            && last.is_some_and(|last| bye.confirmed_frame == last && link.endpoint.received_frame() >= last);
        self.push_event(PeerEvent::Left { players, reason: bye.reason });
        if !finished && self.phase < PeerPhase::Farewell && !self.free_seat(at) {
            self.lose(Outcome::Abandoned { players, reason: bye.reason }, now_us);
        }
    }

    /// The match ends because a peer is gone; the others, if there are any, are told.
    pub(super) fn lose(&mut self, outcome: Outcome, now_us: u64) {
        self.leave_reason = LeaveReason::Quit;
        let anybody = self.links.iter().any(|link| matches!(link.endpoint.state(), LinkState::Waiting | LinkState::Playing));
        self.end(outcome, if anybody { PhaseEvent::Ended } else { PhaseEvent::Failed }, now_us);
    }

    /// Somebody plays already: every packet that said when to start was lost, or is still on its way.
    fn start_now(&mut self, now_us: u64) {
        if self.phase == PeerPhase::Gathering {
            self.fix_start(now_us);
        }
        self.start_at_us = self.start_at_us.map(|start| start.min(now_us));
    }

    fn take_inputs(&mut self, at: usize, now_us: u64) {
        let Some(session) = &mut self.session else { return };
        let mut failed = None;
        self.links[at].endpoint.received_inputs(|frame, player, bytes, command| {
            if failed.is_some() {
                return;
            }
            failed = match wire_input::read::<S::Input>(bytes) {
                Ok(input) => session.confirm(&InputSample { frame, player, input, command }).err().map(Outcome::Session),
                Err(error) => Some(Outcome::InvalidInput { player, frame, error }),
            };
        });
        if let Some(outcome) = failed {
            self.leave_reason = LeaveReason::Violation;
            self.end(outcome, PhaseEvent::Ended, now_us);
        }
    }
}
