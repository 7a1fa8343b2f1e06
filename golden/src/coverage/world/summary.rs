//! [`WorldSummary`]: a replay of the fighting world on half a page, for a person who reviews a change.

use core::fmt;
use snapback_sim::{RoundEnd, RoundResult, Winner};
use std::collections::BTreeMap;

/// How a round ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundLine {
    /// The frame in which it was decided.
    pub frame: i64,
    /// Its result.
    pub result: RoundResult,
}

/// A replay on half a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldSummary {
    /// What the replay is there to show.
    pub note: String,
    /// Who fights as whom.
    pub setup: String,
    /// How many frames there are.
    pub frames: u64,
    /// The state hash of the last frame.
    pub last_hash: u32,
    /// CRC-32 over all state hashes.
    pub digest: u32,
    /// CRC-32 over everything that was raised to be seen and heard.
    pub effects_digest: u32,
    /// How many effects that was.
    pub effects: u64,
    /// The rounds that were decided.
    pub rounds: Vec<RoundLine>,
    /// Each fighter at the end: character, health, meter, act.
    pub fighters: Vec<String>,
    /// How often each move of each character began, hit and was guarded.
    pub moves: BTreeMap<(String, String), [u32; 3]>,
}

impl fmt::Display for WorldSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { note, setup, frames, last_hash, digest, effects, effects_digest, .. } = self;
        writeln!(f, "{note}")?;
        writeln!(f, "setup    {setup}")?;
        writeln!(f, "frames   {frames}, the last hash {last_hash:08x}, digest {digest:08x}")?;
        writeln!(f, "effects  {effects}, digest {effects_digest:08x}")?;
        for RoundLine { frame, result } in &self.rounds {
            writeln!(f, "round    {}", round(*frame, result))?;
        }
        for (seat, fighter) in self.fighters.iter().enumerate() {
            writeln!(f, "seat {seat}   {fighter}")?;
        }
        writeln!(f, "moves    begun, hit, guarded")?;
        for ((character, name), [begun, hit, guarded]) in &self.moves {
            writeln!(f, "  {:<24} {begun:>3} {hit:>3} {guarded:>3}", format!("{character} {name}"))?;
        }
        Ok(())
    }
}

fn round(frame: i64, result: &RoundResult) -> String {
    let who = |winner: Winner| match winner {
        Winner::Team(team) => format!("team {team}"),
        Winner::Draw => "nobody".to_owned(),
    };
    let how = match result.end {
        RoundEnd::KnockOut => "by knock-out",
        RoundEnd::DoubleKnockOut => "by double knock-out",
        RoundEnd::TimeOver => "on time",
        RoundEnd::Surrender => "by surrender",
    };
    let whole = result.match_winner.map_or(String::new(), |winner| format!(", and the match to {}", who(winner)));
    format!("{}.{} at frame {frame} to {} {how}{whole}", result.match_number, result.round_number, who(result.winner))
}
