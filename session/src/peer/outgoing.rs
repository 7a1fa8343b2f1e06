//! What a peer sends, and when.

use super::event::{Outcome, PeerEvent};
use super::phase::{PeerPhase, PhaseEvent};
use super::{Peer, Transmit, wire_input};
use crate::rollback::InputPredictor;
use snapback_core::{Command, Simulation};
use snapback_transport::LinkState;
use snapback_transport::endpoint::Silence;

/// Between two packets of the handshake.
const HELLO_INTERVAL_US: u64 = 100_000;

/// Between two packets of the barrier.
const SYNC_INTERVAL_US: u64 = 20_000;

/// Between two packets while the host program does not tick.
const KEEPALIVE_US: u64 = 100_000;

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// Writes the next datagram that is due into `out`, which is at least
    /// [`TRANSMIT_BUFFER_BYTES`](super::TRANSMIT_BUFFER_BYTES) long. `None` when nothing is due.
    pub fn poll_transmit(&mut self, now_us: u64, out: &mut [u8]) -> Option<Transmit> {
        self.check_silence(now_us);
        self.gather(now_us);
        if self.phase == PeerPhase::Over {
            return None;
        }
        if let Some((to, refusal)) = self.refusals.pop() {
            return Some(Transmit { to, len: refusal.write(out) });
        }
        for at in 0..self.links.len() {
            let len = self.write_due(at, now_us, out);
            if len > 0 {
                return Some(Transmit { to: self.links[at].endpoint.address(), len });
            }
        }
        self.finish_farewell(now_us);
        None
    }

    fn write_due(&mut self, at: usize, now_us: u64, out: &mut [u8]) -> usize {
        let link = &mut self.links[at];
        if link.welcome_due
            && let Some(welcome) = link.welcome
        {
            link.welcome_due = false;
            return link.endpoint.write_welcome(&welcome, out);
        }
        match (self.phase, link.endpoint.state()) {
            (_, LinkState::Refused | LinkState::Lost) => 0,
            (PeerPhase::Farewell, _) => self.write_bye(at, now_us, out),
            (_, LinkState::Dialing) => {
                if now_us < link.next_send_us {
                    return 0;
                }
                link.next_send_us = now_us.saturating_add(HELLO_INTERVAL_US);
                link.endpoint.write_hello(self.settings.local_player_count, out)
            }
            (PeerPhase::Gathering | PeerPhase::Countdown, _) => {
                if now_us < link.next_send_us {
                    return 0;
                }
                link.next_send_us = now_us.saturating_add(SYNC_INTERVAL_US);
                let (state, roster) = (self.barrier_state(), self.roster());
                self.links[at].endpoint.write_sync(now_us, state, self.start_at_us, &roster, out)
            }
            (PeerPhase::Playing, LinkState::Playing) => {
                if !link.inputs_due && now_us < link.next_send_us {
                    return 0;
                }
                link.inputs_due = false;
                link.next_send_us = now_us.saturating_add(KEEPALIVE_US);
                let Some(session) = &self.session else { return 0 };
                link.endpoint.write_inputs(now_us, session.newest_local_frame(), out, |frame, player, bytes| {
                    session.pressed(frame, player).map_or(Command::NONE, |pressed| {
                        wire_input::write(&pressed.input, bytes);
                        pressed.command
                    })
                })
            }
            _ => 0,
        }
    }

    fn check_silence(&mut self, now_us: u64) {
        if self.phase >= PeerPhase::Farewell {
            return;
        }
        for at in 0..self.links.len() {
            let link = &mut self.links[at];
            let players = link.endpoint.remote_players();
            match link.endpoint.check_silence(now_us) {
                Some(Silence::Interrupted) => {
                    link.interrupted = true;
                    self.push_event(PeerEvent::Interrupted { players });
                }
                Some(Silence::Lost) => self.end(Outcome::Lost { players }, PhaseEvent::Failed, now_us),
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
        let due_now = !self.refusals.is_empty() || self.links.iter().any(|link| link.welcome_due || link.inputs_due);
        if due_now {
            return Some(0);
        }
        let sends = self.links.iter().filter(|link| !link.endpoint.state().is_over()).map(|link| link.next_send_us);
        let silences = self.links.iter().filter_map(|link| link.endpoint.silence_timeout_us());
        let farewell = (self.phase == PeerPhase::Farewell).then(|| self.next_farewell_us());
        sends.chain(silences).chain(farewell).chain(self.start_at_us.filter(|_| self.phase == PeerPhase::Countdown)).min()
    }
}
