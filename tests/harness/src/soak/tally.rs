//! [`Tally`]: what many matches have shown together.

use super::ledger::Ledger;
use super::script::Script;
use crate::cluster::Cluster;
use core::fmt;
use serde::Serialize;
use snapback::{Outcome, SESSION_STATES};

/// What many matches have shown together.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Tally {
    /// Matches.
    pub matches: u64,
    /// Of those, the ones that all played to the end.
    pub whole: u64,
    /// Frames that all peers of a match confirmed.
    pub confirmed_frames: u64,
    /// Rewinds.
    pub rollbacks: u64,
    /// Frames that were played again.
    pub resimulated_frames: u64,
    /// Ticks that did not advance.
    pub stalled_ticks: u64,
    /// What went wrong on purpose: deeds of the scripts.
    pub deeds: u64,
    /// Games that broke.
    pub broken: u64,
    /// How often each row of the session's table was taken.
    pub transitions: [u64; SESSION_STATES.len()],
}

impl Tally {
    pub(super) fn count(&mut self, cluster: &Cluster<Ledger>, script: &Script) {
        self.matches += 1;
        let is_whole = cluster.nodes().iter().all(|node| matches!(node.peer.outcome(), Some(Outcome::Agreed | Outcome::Unverified { .. })));
        self.whole += u64::from(is_whole);
        self.confirmed_frames += u64::try_from(cluster.judge().confirmed_by_all() - script.settings.first_frame + 1).unwrap_or(0);
        self.deeds += script.deeds.len() as u64;
        self.broken += u64::from(script.breaks.is_some());
        for session in cluster.nodes().iter().filter_map(|node| node.peer.session()) {
            let stats = session.stats();
            self.rollbacks += stats.rollbacks;
            self.resimulated_frames += stats.resimulated_frames;
            self.stalled_ticks += stats.stalled_frames;
            for (sum, count) in self.transitions.iter_mut().zip(stats.transitions()) {
                *sum += count;
            }
        }
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Self) {
        let Self { matches, whole, confirmed_frames, rollbacks, resimulated_frames, stalled_ticks, deeds, broken, transitions } = other;
        self.matches += matches;
        self.whole += whole;
        self.confirmed_frames += confirmed_frames;
        self.rollbacks += rollbacks;
        self.resimulated_frames += resimulated_frames;
        self.stalled_ticks += stalled_ticks;
        self.deeds += deeds;
        self.broken += broken;
        for (sum, count) in self.transitions.iter_mut().zip(transitions) {
            *sum += count;
        }
    }

    /// The rows of the session's table that no match has taken: then the scripts prove too little.
    #[must_use]
    pub fn untaken(&self) -> Vec<String> {
        let row = |(at, _): (usize, &u64)| SESSION_STATES.get(at).map(|(from, on, to)| format!("{from:?} --{on:?}--> {to:?}"));
        self.transitions.iter().enumerate().filter(|(_, count)| **count == 0).filter_map(row).collect()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "matches       {:>12}   {} to the end, {} with a game that breaks", self.matches, self.whole, self.broken)?;
        writeln!(f, "faults        {:>12}", self.deeds)?;
        writeln!(f, "confirmed     {:>12}   frames", self.confirmed_frames)?;
        writeln!(f, "rollbacks     {:>12}   {} frames played again", self.rollbacks, self.resimulated_frames)?;
        writeln!(f, "stalled       {:>12}   ticks", self.stalled_ticks)?;
        for ((from, on, to), count) in SESSION_STATES.iter().zip(self.transitions) {
            writeln!(f, "{count:>12}   {from:?} --{on:?}--> {to:?}")?;
        }
        Ok(())
    }
}
