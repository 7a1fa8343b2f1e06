//! [`RoundResult`]: who won, for a host that looks at confirmed states.

use crate::MAX_TEAMS;
use crate::header::ResultsState;

/// Who won a round or a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Winner {
    /// This team, from 0.
    Team(u8),
    /// Nobody.
    Draw,
}

/// How a round came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RoundEnd {
    /// Only one team had anybody left.
    KnockOut,
    /// No team had anybody left.
    DoubleKnockOut,
    /// The timer ran out: the greater share of health left wins.
    TimeOver,
    /// All others have given the match up, which decides it; nobody wins if the last ones did so at once.
    Surrender,
}

/// The result of one round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RoundResult {
    /// The match, from 1.
    pub match_number: u32,
    /// The round of the match, from 1.
    pub round_number: u32,
    /// Who won the round.
    pub winner: Winner,
    /// How the round ended.
    pub end: RoundEnd,
    /// Who won the match, if this round decided it.
    pub match_winner: Option<Winner>,
}

/// The newest result and how many there were.
///
/// A host that reads this from every confirmed state sees [`count`](Self::count) rise by one for
/// every result; predicted states may show results that are taken back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Results {
    /// How many rounds have been decided since the simulation started.
    pub count: u32,
    /// The newest; `None` before the first.
    pub last: Option<RoundResult>,
}

impl Winner {
    /// As the state holds it; 0 is kept for "no result".
    pub(crate) const fn to_state(self) -> u8 {
        match self {
            Self::Draw => 1,
            Self::Team(team) => 2 + team % MAX_TEAMS as u8,
        }
    }

    const fn from_state(state: u8) -> Option<Self> {
        match state {
            1 => Some(Self::Draw),
            2..=5 => Some(Self::Team(state - 2)),
            _ => None,
        }
    }

    /// As effects carry it.
    pub(crate) const fn to_cue(self) -> i32 {
        match self {
            Self::Draw => -1,
            Self::Team(team) => team as i32,
        }
    }
}

impl RoundEnd {
    pub(crate) const fn to_state(self) -> u8 {
        match self {
            Self::KnockOut => 0,
            Self::DoubleKnockOut => 1,
            Self::TimeOver => 2,
            Self::Surrender => 3,
        }
    }

    const fn from_state(state: u8) -> Self {
        match state {
            1 => Self::DoubleKnockOut,
            2 => Self::TimeOver,
            3 => Self::Surrender,
            _ => Self::KnockOut,
        }
    }
}

impl RoundResult {
    /// As the state holds it, little-endian: match 4, round 4, winner 1 (1 for a draw, 2 to 5 for the teams), end 1 (in
    /// the order of [`RoundEnd`], from 0), winner of the match 1 (0 for none yet).
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 11] {
        let [a, b, c, d] = self.match_number.to_le_bytes();
        let [e, f, g, h] = self.round_number.to_le_bytes();
        let match_winner = self.match_winner.map_or(0, Winner::to_state);
        [a, b, c, d, e, f, g, h, self.winner.to_state(), self.end.to_state(), match_winner]
    }
}

impl From<&ResultsState> for Results {
    fn from(state: &ResultsState) -> Self {
        let last = Winner::from_state(state.winner).map(|winner| RoundResult {
            match_number: state.match_number,
            round_number: state.round_number,
            winner,
            end: RoundEnd::from_state(state.end),
            match_winner: Winner::from_state(state.match_winner),
        });
        Self { count: state.count, last }
    }
}
