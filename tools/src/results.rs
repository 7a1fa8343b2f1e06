//! [`ResultLog`]: round results and how the round stands, read from confirmed states only.

use crate::standing::{Scorer, Standing};
use serde::Serialize;
use snapback::sim::{RoundEnd, RoundResult, Winner, WorldView};

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

/// Collects results and hits from confirmed states, each of which must be shown, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResultLog {
    count: u32,
    rounds: Vec<RoundLine>,
    scorer: Scorer,
}

impl ResultLog {
    /// Looks at a confirmed state.
    pub(crate) fn look(&mut self, snapshot: &[u8]) {
        let Some(view) = WorldView::read(snapshot) else { return };
        let results = view.results();
        self.scorer.look(view);
        if results.count > self.count {
            self.count = results.count;
            self.rounds.extend(results.last.map(RoundLine::from));
        }
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
