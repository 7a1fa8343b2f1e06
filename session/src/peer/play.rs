//! Ticking: the session advances, and a packet for every connection becomes due.

use super::Peer;
use super::event::Outcome;
use super::link::Link;
use super::phase::{PeerPhase, PhaseEvent};
use super::time_sync::{Lag, LagReport, SyncView, fresh};
use crate::rollback::{FreezeReason, InputPredictor, LocalInput, SessionError, SessionState, TickReport, check_local};
use snapback_core::{Frame, Simulation, crc32};
use snapback_transport::LinkState;
use snapback_transport::endpoint::{LinkEvent, most_owed_frames};
use snapback_transport::packet::LeaveReason;

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// One tick: drain what has arrived, correct, check the ceiling, advance unless frozen. `local`
    /// has one input for every local player; a frozen tick does not consume it, but still sends.
    ///
    /// Before the first frame is due, and after the last one, every tick is frozen.
    ///
    /// # Errors
    /// If `local` is not as described, in which case nothing changed. Whatever else goes wrong ends
    /// the match: see [`outcome`](Self::outcome).
    pub fn tick(&mut self, now_us: u64, local: &[LocalInput<S::Input>]) -> Result<TickReport, SessionError> {
        if let Some(facts) = &self.facts {
            check_local(facts.local_players, local)?;
        }
        self.start_when_due(now_us);
        let hold = self.hold();
        let Some(session) = &mut self.session else { return Ok(no_session_yet()) };
        let ticked = match hold {
            Some(reason) => session.tick_frozen(reason),
            None => session.tick_checked(local),
        };
        let mut report = match ticked {
            Ok(report) => report,
            Err(error) => {
                self.leave_reason = LeaveReason::Quit;
                self.end(Outcome::Session(error.clone()), PhaseEvent::Ended, now_us);
                return Err(error);
            }
        };
        report.stall = self.attribute(now_us, &report);
        self.absorb_confirmed(now_us);
        self.pace(now_us, report.reason);
        self.record_tick(now_us, &report);
        if self.phase == PeerPhase::Playing {
            for link in &mut self.links {
                link.inputs_due = true;
            }
            self.finish_when_confirmed(now_us);
        }
        Ok(report)
    }

    fn start_when_due(&mut self, now_us: u64) {
        self.gather(now_us);
        if self.phase == PeerPhase::Countdown && self.start_at_us.is_some_and(|start| now_us >= start) {
            self.on(PhaseEvent::StartReached);
            for link in &mut self.links {
                link.endpoint.on(LinkEvent::Started);
            }
        }
    }

    /// Why this tick must not advance, for reasons that the session does not know.
    fn hold(&self) -> Option<FreezeReason> {
        let session = self.session.as_ref()?;
        if self.phase < PeerPhase::Playing {
            return Some(FreezeReason::NotStarted);
        }
        let last = self.facts.and_then(|facts| facts.last_frame);
        if last.is_some_and(|last| session.current_frame() >= last) || self.phase > PeerPhase::Playing {
            return Some(FreezeReason::MatchOver);
        }
        self.links.iter().find_map(|link| {
            let player = Self::first_player(link);
            // Who has said that everything is confirmed has sent and received everything.
            let finished = link.bye.is_some_and(|bye| bye.reason == LeaveReason::Finished);
            match link.endpoint.state() {
                LinkState::Left if finished => None,
                LinkState::Left | LinkState::Lost | LinkState::Refused => Some(FreezeReason::Disconnected { player }),
                _ => {
                    let acked_frame = link.endpoint.acked_frame();
                    let owed = session.newest_local_frame().next() - acked_frame;
                    let most = most_owed_frames(&self.params, &link.endpoint.remote_params()) as i64;
                    (owed > most).then_some(FreezeReason::ResendWindowFull { waiting_for: player, acked_frame })
                }
            }
        })
    }

    /// Measures how far this peer is ahead of each other one, tells them, and waits for the slowest.
    fn pace(&mut self, now_us: u64, frozen: Option<FreezeReason>) {
        let Some(session) = &self.session else { return };
        let stretched_ppm = core::mem::take(&mut self.time_sync).stretch_ppm;
        if matches!(frozen, Some(FreezeReason::NotStarted | FreezeReason::MatchOver)) {
            return;
        }
        let local_delay_frames = session.newest_local_frame() - session.current_frame();
        let simulation_hz = session.settings().config.simulation_hz;
        // With three it would be a circle: who is behind one is ahead of another.
        let are_two = self.links.len() == 1;
        let here = self.facts.and_then(|facts| facts.local_players.iter().next());
        for Link { endpoint, time_sync, lags, offset, .. } in
            self.links.iter_mut().filter(|link| link.endpoint.state() == LinkState::Playing)
        {
            let lag_frames = session.current_frame() - endpoint.received_frame();
            let waited_us = now_us.saturating_sub(endpoint.beat_at_us());
            let lag = Lag::new(lag_frames, waited_us, simulation_hz);
            endpoint.set_lag(lag.frames);
            lags.push(lag);
            if are_two && frozen.is_none() && lag.waited < u8::MAX {
                offset.sample(lag, time_sync.advantage());
                time_sync.set_aim(offset.aim(here < endpoint.remote_players().iter().next()));
            }
            let heard = fresh(endpoint.peer_lag(), now_us).zip(endpoint.rtt_us());
            let report = heard.map(|(lag, rtt_us)| LagReport {
                lag: Lag::new(lag.frames.into(), lag.waited_us.unwrap_or(0), simulation_hz),
                rtt_us,
                simulation_hz,
                local_delay_frames,
                remote_delay_max_frames: endpoint.remote_params().delay_max_frames,
            });
            let then = heard.map_or(lag, |(lag, rtt_us)| lags.at_report(lag.at_us, now_us, rtt_us, simulation_hz));
            match frozen {
                None => time_sync.tick(then, report.as_ref(), stretched_ppm),
                Some(_) => time_sync.freeze(),
            }
            let advantage_milliframes = time_sync.advantage_milliframes();
            if advantage_milliframes > self.time_sync.advantage_milliframes || self.time_sync == SyncView::default() {
                self.time_sync.advantage_milliframes = advantage_milliframes;
                self.time_sync.drift_ppm = time_sync.drift_ppm();
            }
            self.time_sync.stretch_ppm = self.time_sync.stretch_ppm.max(time_sync.stretch_ppm());
        }
    }

    /// Adds the frames that have become confirmed to the digest and to what the peers compare.
    fn absorb_confirmed(&mut self, now_us: u64) {
        let (Some(session), Some(history)) = (&mut self.session, &mut self.history) else { return };
        let before = self.next_confirmed.previous();
        let newest = session.confirmed_frame();
        while self.next_confirmed <= newest
            && let Some(confirmed) = session.confirmed(self.next_confirmed)
        {
            self.digest = crc32(self.digest, &confirmed.state_hash.bits().to_le_bytes());
            history.push(confirmed.state_hash, self.digest, confirmed.inputs);
            self.last_confirmed_hash = confirmed.state_hash;
            self.next_confirmed = self.next_confirmed.next();
        }
        if self.next_confirmed.previous() > before {
            self.check_confirmed(before, now_us);
        }
    }
}

fn no_session_yet() -> TickReport {
    TickReport {
        frame: Frame::INITIAL,
        rollback_frames: 0,
        recovered: false,
        simulation_frozen: true,
        reason: Some(FreezeReason::NotStarted),
        stall: None,
        state: SessionState::Running,
        overlay: None,
    }
}
