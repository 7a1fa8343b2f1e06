//! [`ResultLog`]: round results and how the round stands, read from confirmed states only.

use crate::error::CliError;
use crate::side_channels::SideChannels;
use crate::standing::{Scorer, Standing};
use serde::Serialize;
use snapback::PlayerSet;
use snapback::control::MatchControl;
use snapback::sim::{RoundEnd, RoundResult, Winner, WorldView};
use std::path::Path;

/// One round, as the report shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct RoundLine {
    #[serde(rename = "match")]
    pub(crate) match_number: u32,
    #[serde(rename = "round")]
    pub(crate) round_number: u32,
    /// `team 0` (the players with even numbers), `team 1` or `draw`.
    pub(crate) winner: String,
    /// `knock-out`, `double knock-out`, `time over` or `surrender`.
    pub(crate) end: &'static str,
    /// Who won the match, if this round decided it.
    pub(crate) match_winner: Option<String>,
}

impl From<RoundResult> for RoundLine {
    fn from(result: RoundResult) -> Self {
        let RoundResult { match_number, round_number, winner, end, match_winner } = result;
        let end = match end {
            RoundEnd::KnockOut => "knock-out",
            RoundEnd::DoubleKnockOut => "double knock-out",
            RoundEnd::TimeOver => "time over",
            RoundEnd::Surrender => "surrender",
        };
        Self { match_number, round_number, winner: named(winner), end, match_winner: match_winner.map(named) }
    }
}

fn named(winner: Winner) -> String {
    match winner {
        Winner::Team(team) => format!("team {team}"),
        Winner::Draw => "draw".to_owned(),
    }
}

/// Writes the result that everybody has signed. If there is none, nothing is written, and the line says why.
pub(crate) fn write_signed(path: &Path, channels: Option<&SideChannels>) -> Result<Option<String>, CliError> {
    let Some(signed) = channels.and_then(SideChannels::signed) else {
        let why = channels.map_or_else(|| "this match has no channels".to_owned(), SideChannels::why_unsigned);
        return Ok(Some(not_written(path, &why)));
    };
    std::fs::write(path, signed.to_bytes()).map(|()| None).map_err(|error| {
        CliError::environment(format_args!("cannot write the result {}: {error}; check the path and its permissions", path.display()))
    })
}

/// Says why there is no signed result.
pub(crate) fn not_written(path: &Path, why: &str) -> String {
    let before = if path.is_file() { "; the file that is there is an older one" } else { "" };
    format!("{}: no signed result is written, because {why}{before}", path.display())
}

/// What a player commanded, as the report shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct CommandLine {
    /// The frame from which on it holds.
    pub(crate) frame: u64,
    pub(crate) player: usize,
    /// `pause`, `resume` or `surrender`.
    pub(crate) what: &'static str,
}

/// Most commands in a report.
const MAX_COMMANDS: usize = 1_024;

/// Collects results and hits from confirmed states, each of which must be shown, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResultLog {
    count: u32,
    rounds: Vec<RoundLine>,
    commands: Vec<CommandLine>,
    /// Frames that were looked at.
    frames: u64,
    control: Option<MatchControl>,
    scorer: Scorer,
}

impl ResultLog {
    /// Looks at a confirmed state.
    pub(crate) fn look(&mut self, snapshot: &[u8]) {
        let Some(view) = WorldView::read(snapshot) else { return };
        let results = view.results();
        self.see_commands(view.header().control);
        self.scorer.look(view);
        if results.count > self.count {
            self.count = results.count;
            self.rounds.extend(results.last.map(RoundLine::from));
        }
    }

    fn see_commands(&mut self, control: MatchControl) {
        let (frame, before) = (self.frames, self.control.replace(control));
        self.frames += 1;
        let paused_by = before.and_then(|before| before.paused_by());
        let (was, is) = (paused_by, control.paused_by());
        let new = control.surrendered().minus(before.map_or(PlayerSet::EMPTY, |before| before.surrendered()));
        let pauses = [(was, "resume"), (is, "pause")].into_iter().filter(|_| was != is).filter_map(|(by, what)| Some((by?, what)));
        let commands = pauses.chain(new.iter().map(|player| (player, "surrender")));
        let room = MAX_COMMANDS.saturating_sub(self.commands.len());
        self.commands.extend(commands.take(room).map(|(player, what)| CommandLine { frame, player: player.index(), what }));
    }

    /// What players commanded so far: the first 1,024.
    pub(crate) fn commands(&self) -> &[CommandLine] {
        &self.commands
    }

    /// The rounds so far.
    pub(crate) fn rounds(&self) -> &[RoundLine] {
        &self.rounds
    }

    /// How the round stands; none before the first state.
    pub(crate) fn standing(&self) -> Option<Standing> {
        self.scorer.standing()
    }
}
