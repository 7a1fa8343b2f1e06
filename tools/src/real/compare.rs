//! [`Comparison`]: whether all peers confirm the same, and the same as a straight replay.

use super::pipe::FrameClaim;
use crate::plant::PlantedWorld;
use crate::report::DivergenceReport;
use crate::results::ResultLog;
use snapback::golden::{ReplayError, StraightReplay};
use snapback::{Divergence, Frame, PlayerInput, ResetError};
use std::collections::VecDeque;

/// Frames that one peer may be ahead of another. Peers freeze after a few, so more is a fault.
const MAX_PENDING: usize = 1_024;

/// Compares every frame once all peers have confirmed it, then forgets it.
pub(crate) struct Comparison {
    replay: StraightReplay<PlantedWorld>,
    /// By player.
    pending: Vec<VecDeque<FrameClaim>>,
    next: Frame,
    results: ResultLog,
}

impl Comparison {
    /// A comparison of one peer for each player. `world` is a fresh one without faults.
    pub(crate) fn new(world: PlantedWorld, seed: u64, players: usize) -> Result<Self, ResetError> {
        let replay = StraightReplay::new(world, seed, players, Frame::ZERO)?;
        Ok(Self { replay, pending: vec![VecDeque::new(); players], next: Frame::ZERO, results: ResultLog::default() })
    }

    /// Frames on which everybody agrees.
    pub(crate) fn agreed_frames(&self) -> u64 {
        u64::try_from(self.next.number()).unwrap_or(0)
    }

    /// What happened in those frames.
    pub(crate) fn into_log(self) -> ResultLog {
        self.results
    }

    /// Takes a frame that the process of `player` confirmed.
    pub(crate) fn take(&mut self, player: usize, claim: FrameClaim) -> Result<(), Box<DivergenceReport>> {
        let Some(queue) = self.pending.get_mut(player) else { return Ok(()) };
        let expected = self.next + queue.len() as i64;
        if claim.frame != expected || queue.len() >= MAX_PENDING {
            return Err(Box::new(DivergenceReport::of_gap(player, expected, claim.frame)));
        }
        queue.push_back(claim);
        while self.pending.iter().all(|queue| !queue.is_empty()) {
            let claims: Vec<FrameClaim> = self.pending.iter_mut().filter_map(VecDeque::pop_front).collect();
            self.compare(&claims)?;
            self.next = self.next.next();
        }
        Ok(())
    }

    fn compare(&mut self, claims: &[FrameClaim]) -> Result<(), Box<DivergenceReport>> {
        let Some(first) = claims.first() else { return Ok(()) };
        self.replay.step(&first.inputs);
        for (player, claim) in claims.iter().enumerate() {
            let different = first.inputs.iter().zip(&claim.inputs).position(|(ours, theirs)| ours != theirs);
            if let Some(of) = different {
                let [expected, actual] = [first, claim].map(|claim| claim.inputs.get(of).map(shown).unwrap_or_default());
                return Err(Box::new(DivergenceReport::of_input(player, claim.frame.number(), of, expected, actual)));
            }
            self.replay.check(claim.frame, claim.state_hash, Some(&claim.snapshot)).map_err(|error| {
                let divergence = match error {
                    ReplayError::Diverged(divergence) => divergence,
                    ReplayError::OutOfOrder { claimed, .. } => {
                        Divergence { frame: claimed, expected: claim.state_hash, actual: claim.state_hash, field: None }
                    }
                };
                Box::new(DivergenceReport::of_state(player, &divergence))
            })?;
        }
        self.results.look(self.replay.snapshot());
        Ok(())
    }
}

fn shown(input: &PlayerInput<snapback::sim::PadInput>) -> String {
    format!("{:#05x} ({:?}, {:?})", input.input.buttons, input.command, input.status)
}
