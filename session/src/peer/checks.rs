//! What a peer tells of its confirmed frames, and what it makes of what the others tell.

use super::Peer;
use super::event::{FinalState, Outcome};
use super::phase::{PeerPhase, PhaseEvent};
use crate::desync::DesyncInquiry;
use crate::desync::comparison::{Finding, REPEAT_PACKETS};
use crate::desync::evidence::Evidence;
use crate::desync::history::Record;
use crate::rollback::InputPredictor;
use snapback_core::{Frame, PlayerHandle, PlayerSet, Simulation, codec};
use snapback_transport::endpoint::ReceivedCheck;
use snapback_transport::packet::{Bye, LeaveReason};

impl<S: Simulation, P: InputPredictor<S::Input>> Peer<S, P> {
    /// A frame whose turn it was is confirmed: everybody is told. What was told here before is compared.
    pub(super) fn check_confirmed(&mut self, before: Frame, now_us: u64) {
        let Some(history) = &self.history else { return };
        let newest = history.newest();
        if newest >= self.next_check_frame {
            let interval = i64::from(self.settings.config.check_interval_frames.max(1));
            let due = Frame::new(newest.number().div_euclid(interval) * interval);
            self.next_check_frame = due + interval;
            if due > before {
                self.check_frame = Some(due);
                self.links.iter_mut().for_each(|link| link.checks.is_due = true);
            }
        }
        for at in 0..self.links.len() {
            let finding = self.history.as_ref().and_then(|history| self.links[at].checks.settle(history));
            if let Some(finding) = finding {
                self.found(at, finding, now_us);
            }
        }
    }

    pub(super) fn take_check(&mut self, at: usize, check: Option<ReceivedCheck>, now_us: u64) {
        let (Some(check), Some(history)) = (check, &self.history) else { return };
        let finding = self.links[at].checks.take(check, history);
        if let Some(finding) = finding {
            self.found(at, finding, now_us);
        }
    }

    /// A packet of inputs came. Whoever plays on and never says what it computed is not waited for.
    pub(super) fn expect_check(&mut self, at: usize, now_us: u64) {
        if self.phase != PeerPhase::Playing {
            return;
        }
        let link = &mut self.links[at];
        let params = link.endpoint.remote_params();
        let reach_frames = i64::from(params.window_max_frames) + i64::from(params.delay_max_frames);
        let received = link.endpoint.received_frame();
        if link.checks.is_withheld(received, reach_frames, self.settings.config.simulation_hz) {
            let outcome = Outcome::ChecksWithheld { players: link.endpoint.remote_players(), after: link.checks.newest(), until: received };
            self.leave_reason = LeaveReason::ChecksWithheld;
            self.end(outcome, PhaseEvent::Ended, now_us);
        }
    }

    fn found(&mut self, at: usize, finding: Finding, now_us: u64) {
        if self.phase != PeerPhase::Playing {
            return;
        }
        let players = self.links[at].endpoint.remote_players();
        let outcome = match finding {
            Finding::State { frame, ours, theirs } => {
                self.leave_reason = LeaveReason::Desynced;
                self.lost = players;
                self.dispute(frame);
                Outcome::Desynced { players, frame, ours: Some(ours), theirs: Some(theirs), told_by: PlayerSet::EMPTY }
            }
            Finding::Inputs { player, after, until } => {
                // Everybody was shown the same of ours: whoever tells of others is the one to name.
                let player = if self.players_here().contains(player) { players.iter().next().unwrap_or(player) } else { player };
                self.leave_reason = LeaveReason::InputsDiffer;
                self.lost = PlayerSet::EMPTY.with(player);
                self.dispute(until);
                Outcome::InputsDiffer { player, peer: players, after, until, told_by: PlayerSet::EMPTY }
            }
        };
        self.end(outcome, PhaseEvent::Ended, now_us);
    }

    /// Whom a goodbye is about, of those whom its sender can know more of than we: players of the match who are
    /// neither its own nor ours.
    pub(super) fn third_parties(&self, at: usize, bye: &Bye) -> PlayerSet {
        let sender = self.links.get(at).map_or(PlayerSet::EMPTY, |link| link.endpoint.remote_players());
        PlayerSet::first(self.settings.player_count.into()).minus(sender).minus(self.players_here()).common(bye.lost)
    }

    /// What a goodbye that disputes a frame means here; `None` if it disputes nothing that can be.
    pub(super) fn dispute_of(&self, at: usize, bye: &Bye) -> Option<Outcome> {
        let link = self.links.get(at)?;
        let sender = link.endpoint.remote_players();
        let others = self.third_parties(at, bye);
        let frame = bye.confirmed_frame;
        // It has confirmed no frame for which it has not got our inputs.
        let can_know = (self.first_frame()..=link.endpoint.sent_frame()).contains(&frame);
        match bye.reason {
            LeaveReason::Desynced => {
                let ours = self.history.as_ref().and_then(|history| history.get(frame)).map(|record| record.states_digest);
                match ours {
                    Some(digest) if digest != bye.digest => {
                        Some(Outcome::Desynced { players: sender, frame, ours, theirs: Some(bye.digest), told_by: PlayerSet::EMPTY })
                    }
                    // Either it has what we have, so that the other one is somebody else, or we cannot tell.
                    _ if can_know && !others.is_empty() => {
                        Some(Outcome::Desynced { players: others, frame, ours, theirs: None, told_by: sender })
                    }
                    None if can_know && !bye.lost.common(self.players_here()).is_empty() => {
                        Some(Outcome::Desynced { players: sender, frame, ours, theirs: Some(bye.digest), told_by: sender })
                    }
                    // It says that we differ, and we do not; or it names nobody.
                    _ => None,
                }
            }
            LeaveReason::InputsDiffer if can_know => {
                let player = others.iter().next()?;
                let after = link.checks.verified().min(frame.previous());
                Some(Outcome::InputsDiffer { player, peer: sender, after, until: frame, told_by: sender })
            }
            _ => None,
        }
    }

    /// Writes what is due on a link of what this peer computed.
    pub(super) fn write_check(&mut self, at: usize, out: &mut [u8]) -> usize {
        let link = &mut self.links[at];
        link.checks.is_due = false;
        link.checks.unchecked_packets = 0;
        let record = self.check_frame.and_then(|frame| Some((frame, self.history.as_ref()?.get(frame)?)));
        record.map_or(0, |(frame, record)| link.endpoint.write_check(frame, record.states_digest, &record.input_digests, out))
    }

    /// A packet of inputs went out.
    pub(super) fn repeat_check(&mut self, at: usize) {
        let checks = &mut self.links[at].checks;
        checks.unchecked_packets += 1;
        if checks.unchecked_packets >= REPEAT_PACKETS && self.check_frame.is_some() {
            checks.is_due = true;
        }
    }

    /// An inquiry into why the match ended, with the peer that computed something else; `None` unless the
    /// outcome is [`Outcome::Desynced`], [`Outcome::Disagreed`] or [`Outcome::InputsDiffer`]. It has copies of
    /// what is left of the frames since the last verified one. The other peer's outcome is one of these too,
    /// unless it knows better, and it makes one of its own.
    #[must_use]
    pub fn inquiry(&self) -> Option<DesyncInquiry> {
        let (players, _) = self.in_dispute()?;
        self.inquiry_with(players.iter().next()?)
    }

    /// The same with the peer of a player of the host program's choice: of three peers that fall out, one may
    /// inquire with another than that one does with it.
    #[must_use]
    pub fn inquiry_with(&self, player: PlayerHandle) -> Option<DesyncInquiry> {
        let (_, found_at) = self.in_dispute()?;
        let (session, history) = (self.session.as_ref()?, self.history.as_ref()?);
        let link = self.links.iter().find(|link| link.endpoint.remote_players().contains(player))?;
        let first = history.oldest().max(link.checks.verified());
        let frames = || (0..=history.newest() - first).map(|n| first + n);
        // Consecutive, because whatever is in the ring between the oldest and the newest is.
        let kept = || frames().filter(|frame| session.snapshot(*frame).is_some());
        let id = session.simulation().id();
        let pressed = |frame| {
            let inputs = session.inputs(frame).unwrap_or_default().iter().map(|pressed| {
                let mut bytes = vec![0; size_of::<S::Input>()];
                codec::write_input(&pressed.input, &mut bytes);
                (bytes, pressed.command)
            });
            (frame, inputs.collect())
        };
        Some(DesyncInquiry::new(Evidence {
            simulation: id.name,
            simulation_version: id.version,
            layout: session.layout(),
            seed: session.settings().seed,
            first_frame: session.settings().first_frame,
            here: session.settings().local_players,
            there: link.endpoint.remote_players(),
            verified: link.checks.verified(),
            found_at,
            first,
            records: frames().filter_map(|frame| history.get(frame).copied()).collect(),
            states: kept().filter_map(|frame| Some((frame, session.snapshot(frame)?.to_vec()))).collect(),
            inputs: kept().map(pressed).collect(),
        }))
    }

    /// With whom, and by which frame.
    fn in_dispute(&self) -> Option<(PlayerSet, Frame)> {
        Some(match self.outcome.as_ref()? {
            Outcome::Desynced { players, frame, .. } => (*players, *frame),
            Outcome::Disagreed { players, ours, .. } => (*players, ours.frame),
            Outcome::InputsDiffer { peer, until, .. } => (*peer, *until),
            _ => return None,
        })
    }

    /// Our own players; none as long as this peer has no seat.
    pub(super) fn players_here(&self) -> PlayerSet {
        self.facts.map_or(PlayerSet::EMPTY, |facts| facts.local_players)
    }

    /// The first frame of the match; 0 as long as that is not known.
    pub(super) fn first_frame(&self) -> Frame {
        self.facts.map_or(Frame::ZERO, |facts| facts.first_frame)
    }

    /// The match ends because of that frame, and the goodbye is of it.
    pub(super) fn dispute(&mut self, frame: Frame) {
        let record = self.history.as_ref().and_then(|history| history.get(frame));
        self.disputed =
            record.map(|Record { state_hash, states_digest, .. }| FinalState { frame, state_hash: *state_hash, digest: *states_digest });
    }
}
