//! The end of a match: everybody learns that everything is confirmed, and whether it is the same.

use super::Peer;
use super::event::{FinalState, Outcome};
use super::link::BYES;
use super::phase::{PeerPhase, PhaseEvent};
use crate::rollback::InputPredictor;
use snapback_core::Simulation;
use snapback_transport::LinkState;
use snapback_transport::packet::{Bye, LeaveReason};

/// Between the first two goodbyes. Each pause after that is half as long again as this longer: all of
/// them together last two thirds of a second, so that no short outage takes every one.
const BYE_INTERVAL_US: u64 = 20_000;

/// How long a peer that has confirmed everything waits for another's goodbye.
const LINGER_US: u64 = 3_000_000;

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// Ends the match once every frame is confirmed here and every peer has all of our inputs. A
    /// peer that has said goodbye has confirmed everything, so it has them; one that will not say so is not
    /// waited for.
    pub(super) fn finish_when_confirmed(&mut self, now_us: u64) {
        let Some(last) = self.facts.and_then(|facts| facts.last_frame) else { return };
        if !self.is_all_confirmed() {
            return;
        }
        if self.links.iter().all(|link| link.endpoint.acked_frame() >= last || link.bye.is_some() || link.withholds_acks()) {
            self.leave_reason = LeaveReason::Finished;
            self.farewell_since_us = now_us;
            for link in &mut self.links {
                link.next_send_us = now_us;
            }
            self.on(PhaseEvent::AllConfirmed);
        }
    }

    pub(super) fn write_bye(&mut self, at: usize, now_us: u64, out: &mut [u8]) -> usize {
        let said = self.disputed.unwrap_or_else(|| self.confirmed_state());
        let bye = Bye {
            reason: self.leave_reason,
            confirmed_frame: said.frame,
            confirmed_hash: said.state_hash,
            digest: said.digest,
            lost: self.lost,
        };
        let link = &mut self.links[at];
        link.byes_sent += 1;
        link.next_send_us = now_us.saturating_add(BYE_INTERVAL_US + u64::from(link.byes_sent.min(BYES)) * BYE_INTERVAL_US / 2);
        link.endpoint.write_bye(&bye, out)
    }

    /// Whether everybody has heard us, or had the time to.
    pub(super) fn finish_farewell(&mut self, now_us: u64) {
        if self.phase != PeerPhase::Farewell {
            return;
        }
        let finished = self.leave_reason == LeaveReason::Finished;
        let heard = self.links.iter().all(|link| link.byes_sent >= BYES && (link.bye.is_some() || !finished));
        if !heard && now_us < self.next_farewell_us() {
            return;
        }
        if self.outcome.is_none() {
            self.outcome = Some(self.verdict());
        }
        self.on(PhaseEvent::SaidGoodbye);
        self.tell_when_over();
    }

    /// Until when this peer waits for goodbyes: for a while, and while it hears somebody who plays on. That
    /// one has lost every goodbye so far.
    pub(super) fn next_farewell_us(&self) -> u64 {
        let patient_us = self.farewell_since_us.saturating_add(LINGER_US);
        if self.leave_reason != LeaveReason::Finished {
            return patient_us;
        }
        let deaf = self.links.iter().filter(|link| link.bye.is_none() && link.endpoint.state() == LinkState::Playing);
        let heard_us = deaf.map(|link| link.endpoint.last_heard_us().saturating_add(LINGER_US)).max().unwrap_or(0);
        let longest_us = u64::from(self.settings.config.disconnect_timeout_ms) * 1_000;
        patient_us.max(heard_us.min(self.farewell_since_us.saturating_add(longest_us)))
    }

    fn verdict(&self) -> Outcome {
        let ours = self.confirmed_state();
        for (at, link) in self.links.iter().enumerate() {
            let players = link.endpoint.remote_players();
            if let Some(outcome) = link.bye.as_ref().and_then(|bye| self.dispute_of(at, bye)) {
                return outcome;
            }
            let Some(theirs) = link.bye.as_ref().map(FinalState::from) else { return Outcome::Unverified { players } };
            if theirs.frame != ours.frame {
                // It left while it had still to confirm the last frames.
                return Outcome::Unverified { players };
            }
            if theirs != ours {
                return Outcome::Disagreed { players, ours, theirs };
            }
        }
        Outcome::Agreed
    }
}
