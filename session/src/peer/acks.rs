//! A peer that plays on and does not acknowledge our inputs is not waited for.

use super::Peer;
use super::event::Outcome;
use super::link::Link;
use super::phase::{PeerPhase, PhaseEvent};
use crate::rollback::InputPredictor;
use snapback_core::{PlayerSet, Simulation};
use snapback_transport::packet::LeaveReason;

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// A packet of inputs came.
    pub(super) fn expect_acks(&mut self, at: usize, now_us: u64) {
        // After the last frame nothing is held up: see `finish_when_confirmed`.
        if self.phase != PeerPhase::Playing || self.is_all_confirmed() {
            return;
        }
        let endpoint = &self.links[at].endpoint;
        let players = endpoint.remote_players();
        if let Some(until) = endpoint.denied_frame() {
            self.leave_reason = LeaveReason::Violation;
            let outcome = Outcome::AcksWithheld { players, after: endpoint.acked_frame(), until };
            self.end(outcome, PhaseEvent::Ended, now_us);
        } else if endpoint.is_unheard() {
            self.lose(Outcome::Lost { players, told_by: PlayerSet::EMPTY }, now_us);
        }
    }

    /// Whether every frame of the match is confirmed here.
    pub(super) fn is_all_confirmed(&self) -> bool {
        self.facts.and_then(|facts| facts.last_frame).is_some_and(|last| self.next_confirmed > last)
    }
}

impl Link {
    /// Whether the peer had the time to say that it has everything, and says that it has not.
    pub(super) fn withholds_acks(&self) -> bool {
        self.endpoint.denied_frame().is_some() || self.endpoint.is_unheard()
    }
}
