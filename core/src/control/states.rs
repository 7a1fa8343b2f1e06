//! [`PauseState`] and [`SeatState`]: what a match and a seat can be in, as tables.

use core::fmt;

/// Whether the world goes on.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PauseState {
    /// It does.
    #[default]
    Running,
    /// It stands still at the expense of one player.
    Paused,
}

/// What begins and ends a pause.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PauseEvent {
    /// A player who has pauses and frames left asks for it. One who has not changes nothing.
    Granted,
    /// Who paused lets it go on. Nobody else can.
    Resumed,
    /// Who paused has used all the frames there were.
    BudgetSpent,
    /// Who paused has surrendered.
    PauserSurrendered,
    /// Who paused has left the match, which all peers agree on.
    PauserGone,
    /// Another match begins.
    MatchBegan,
}

/// Every transition there is. An event in a state that has no row changes nothing.
pub const PAUSE_STATES: &[(PauseState, PauseEvent, PauseState)] = &[
    (PauseState::Running, PauseEvent::Granted, PauseState::Paused),
    (PauseState::Paused, PauseEvent::Resumed, PauseState::Running),
    (PauseState::Paused, PauseEvent::BudgetSpent, PauseState::Running),
    (PauseState::Paused, PauseEvent::PauserSurrendered, PauseState::Running),
    (PauseState::Paused, PauseEvent::PauserGone, PauseState::Running),
    (PauseState::Paused, PauseEvent::MatchBegan, PauseState::Running),
];

impl PauseState {
    /// The state after `event`; the same one if the event means nothing in it.
    #[must_use]
    pub fn after(self, event: PauseEvent) -> Self {
        PAUSE_STATES.iter().find(|(from, on, _)| (*from, *on) == (self, event)).map_or(self, |(_, _, to)| *to)
    }
}

/// Who has a seat.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SeatState {
    /// Its own player plays it.
    #[default]
    Own,
    /// Its own player has given it away.
    GivenAway,
    /// Its own player has given the match up, and has nothing more to say until the next one.
    Surrendered,
}

/// What becomes of a seat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SeatEvent {
    /// Its own player gives it to another one or to the bot.
    HandedOver,
    /// Its own player takes it back.
    TakenBack,
    /// Its own player surrenders.
    Surrendered,
    /// Another match begins.
    MatchBegan,
}

/// Every transition there is. An event in a state that has no row changes nothing.
pub const SEAT_STATES: &[(SeatState, SeatEvent, SeatState)] = &[
    (SeatState::Own, SeatEvent::HandedOver, SeatState::GivenAway),
    (SeatState::Own, SeatEvent::Surrendered, SeatState::Surrendered),
    (SeatState::GivenAway, SeatEvent::HandedOver, SeatState::GivenAway),
    (SeatState::GivenAway, SeatEvent::TakenBack, SeatState::Own),
    (SeatState::GivenAway, SeatEvent::Surrendered, SeatState::Surrendered),
    (SeatState::Surrendered, SeatEvent::MatchBegan, SeatState::Own),
];

impl SeatState {
    /// The state after `event`; `None` if the event means nothing in it.
    #[must_use]
    pub fn after(self, event: SeatEvent) -> Option<Self> {
        SEAT_STATES.iter().find(|(from, on, _)| (*from, *on) == (self, event)).map(|(_, _, to)| *to)
    }
}

impl fmt::Display for PauseState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "running",
            Self::Paused => "paused",
        })
    }
}

impl fmt::Display for SeatState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Own => "played by its own player",
            Self::GivenAway => "given away",
            Self::Surrendered => "surrendered",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_stay() {
        let pauses = PAUSE_STATES.iter().map(|(from, on, to)| format!("{from:?} --{on:?}--> {to:?}"));
        let seats = SEAT_STATES.iter().map(|(from, on, to)| format!("{from:?} --{on:?}--> {to:?}"));
        insta::assert_snapshot!(pauses.chain(seats).collect::<Vec<_>>().join("\n"), @"
        Running --Granted--> Paused
        Paused --Resumed--> Running
        Paused --BudgetSpent--> Running
        Paused --PauserSurrendered--> Running
        Paused --PauserGone--> Running
        Paused --MatchBegan--> Running
        Own --HandedOver--> GivenAway
        Own --Surrendered--> Surrendered
        GivenAway --HandedOver--> GivenAway
        GivenAway --TakenBack--> Own
        GivenAway --Surrendered--> Surrendered
        Surrendered --MatchBegan--> Own
        ");
    }

    #[test]
    fn no_row_stands_twice() {
        for (from, on, to) in PAUSE_STATES {
            assert_eq!(from.after(*on), *to);
        }
        for (from, on, to) in SEAT_STATES {
            assert_eq!(from.after(*on), Some(*to));
        }
    }
}
