//! What a peer makes of a datagram.

use super::event::{Outcome, PeerEvent};
use super::phase::{PeerPhase, PhaseEvent};
use super::{Peer, wire_input};
use crate::rollback::InputPredictor;
use snapback_core::{InputSample, Simulation};
use snapback_transport::Handled;
use snapback_transport::packet::{LeaveReason, PacketType, Reject};
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
        let Ok(handled) = self.links[at].endpoint.handle(now_us, datagram) else { return };
        if self.links[at].interrupted {
            self.links[at].interrupted = false;
            let players = self.links[at].endpoint.remote_players();
            self.push_event(PeerEvent::Resumed { players });
        }
        match handled {
            Handled::Welcomed(welcome) => self.welcomed(from, &welcome, now_us),
            Handled::Refused(reason) => self.end(Outcome::Refused(reason), PhaseEvent::Failed, now_us),
            Handled::Waiting => {}
            Handled::Inputs(received) => {
                self.take_inputs(at, now_us);
                if received.window.frame_count > 0 && self.phase < PeerPhase::Playing {
                    self.start_now(now_us);
                }
            }
            Handled::Bye(bye) => {
                let link = &mut self.links[at];
                let first = link.bye.replace(bye).is_none();
                let players = link.endpoint.remote_players();
                if first {
                    self.push_event(PeerEvent::Left { players, reason: bye.reason });
                }
                if bye.reason != LeaveReason::Finished && !self.free_seat(at) {
                    self.end(Outcome::Abandoned { players, reason: bye.reason }, PhaseEvent::Failed, now_us);
                }
            }
        }
        self.gather(now_us);
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
