//! [`RewindState`]: whether an actor's time runs forwards or backwards, as a table.

use core::fmt;

/// Whether an actor's time runs forwards or backwards.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RewindState {
    /// Forwards: samples are taken.
    #[default]
    Recording,
    /// Backwards, or standing at the oldest sample: samples are played.
    Rewinding,
}

/// What turns it round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RewindEvent {
    /// The rewind begins.
    Began,
    /// The actor goes on from where it is.
    Resumed,
    /// Everything is forgotten, as for a new life.
    Cleared,
}

/// Whether the host simulates the actor's physics.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Physics {
    /// It does.
    #[default]
    On,
    /// It does not: the actor is put where the rewind says.
    Off,
}

/// Every transition there is. An event in a state that has no row changes nothing.
pub const REWIND_STATES: &[(RewindState, RewindEvent, RewindState)] = &[
    (RewindState::Recording, RewindEvent::Began, RewindState::Rewinding),
    (RewindState::Recording, RewindEvent::Cleared, RewindState::Recording),
    (RewindState::Rewinding, RewindEvent::Resumed, RewindState::Recording),
    (RewindState::Rewinding, RewindEvent::Cleared, RewindState::Recording),
];

impl RewindState {
    /// The state after `event`; none if the event means nothing in it.
    #[must_use]
    pub fn after(self, event: RewindEvent) -> Option<Self> {
        REWIND_STATES.iter().find(|(from, on, _)| (*from, *on) == (self, event)).map(|(_, _, to)| *to)
    }

    /// What the host does with the actor's physics.
    #[must_use]
    pub const fn physics(self) -> Physics {
        match self {
            Self::Recording => Physics::On,
            Self::Rewinding => Physics::Off,
        }
    }
}

impl fmt::Display for RewindState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Recording => "recording",
            Self::Rewinding => "rewinding",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stays() {
        let rows: Vec<String> = REWIND_STATES.iter().map(|(from, on, to)| format!("{from:?} --{on:?}--> {to:?}")).collect();
        insta::assert_snapshot!(rows.join("\n"), @"
        Recording --Began--> Rewinding
        Recording --Cleared--> Recording
        Rewinding --Resumed--> Recording
        Rewinding --Cleared--> Recording
        ");
    }

    #[test]
    fn no_row_stands_twice() {
        for (from, on, to) in REWIND_STATES {
            assert_eq!(from.after(*on), Some(*to));
        }
        assert_eq!(RewindState::Recording.after(RewindEvent::Resumed), None);
        assert_eq!(RewindState::Rewinding.after(RewindEvent::Began), None);
    }
}
