//! [`SessionState`]: whether a session plays, waits or catches up, as a table.

use core::fmt;

/// Whether a session plays, waits or catches up.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SessionState {
    /// Every tick plays a frame.
    #[default]
    Running,
    /// The prediction ceiling is reached: nothing is played until inputs come.
    Recovering,
    /// A correction is deeper than one tick may resimulate: it takes several, and nothing new is played
    /// until it is done.
    CatchingUp,
    /// The state to rewind to is missing or broken. Nothing is guessed: the match cannot go on as rollback.
    FallbackOffered,
}

/// What moves a session on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SessionEvent {
    /// The next frame would be beyond the prediction window.
    CeilingReached,
    /// More frames must be resimulated than one tick may.
    BudgetExceeded,
    /// Nothing is wrong any more and the next frame is within the window: a frame is played.
    Advanced,
    /// A state that should be in the history is not, or was not taken back.
    RestoreFailed,
}

/// Every transition there is. An event in a state that has no row changes nothing. As a page: `session/docs/states.md`.
pub const SESSION_STATES: &[(SessionState, SessionEvent, SessionState)] = &[
    (SessionState::Running, SessionEvent::CeilingReached, SessionState::Recovering),
    (SessionState::Running, SessionEvent::BudgetExceeded, SessionState::CatchingUp),
    (SessionState::Running, SessionEvent::RestoreFailed, SessionState::FallbackOffered),
    (SessionState::Recovering, SessionEvent::BudgetExceeded, SessionState::CatchingUp),
    (SessionState::Recovering, SessionEvent::Advanced, SessionState::Running),
    (SessionState::Recovering, SessionEvent::RestoreFailed, SessionState::FallbackOffered),
    (SessionState::CatchingUp, SessionEvent::CeilingReached, SessionState::Recovering),
    (SessionState::CatchingUp, SessionEvent::Advanced, SessionState::Running),
    (SessionState::CatchingUp, SessionEvent::RestoreFailed, SessionState::FallbackOffered),
];

impl SessionState {
    /// Every state.
    pub const ALL: [Self; 4] = [Self::Running, Self::Recovering, Self::CatchingUp, Self::FallbackOffered];

    /// The state after `event`; the same one if the event means nothing in it.
    #[must_use]
    pub fn after(self, event: SessionEvent) -> Self {
        transition(self, event).and_then(|at| SESSION_STATES.get(at)).map_or(self, |(_, _, to)| *to)
    }
}

/// Which row of [`SESSION_STATES`] an event takes.
pub(super) fn transition(state: SessionState, event: SessionEvent) -> Option<usize> {
    SESSION_STATES.iter().position(|(from, on, _)| (*from, *on) == (state, event))
}

impl fmt::Display for SessionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "running",
            Self::Recovering => "recovering",
            Self::CatchingUp => "catching up",
            Self::FallbackOffered => "fallback offered",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page in the documentation is this table.
    #[test]
    fn the_page_has_every_row_and_no_other() {
        let page = include_str!("../../docs/states.md");
        let rows = SESSION_STATES.iter().map(|(from, on, to)| format!("| `{from:?}` | `{on:?}` | `{to:?}` |"));
        let rows: Vec<String> = rows.collect();
        let written: Vec<&str> = page.lines().skip_while(|line| !line.starts_with("| in |")).skip(2).collect();
        assert_eq!(written, rows);
        assert!(SessionState::ALL.iter().all(|state| page.contains(&format!("| `{state:?}` | "))));
    }

    #[test]
    fn the_table_stays() {
        let rows: Vec<String> = SESSION_STATES.iter().map(|(from, on, to)| format!("{from:?} --{on:?}--> {to:?}")).collect();
        insta::assert_snapshot!(rows.join("\n"), @"
        Running --CeilingReached--> Recovering
        Running --BudgetExceeded--> CatchingUp
        Running --RestoreFailed--> FallbackOffered
        Recovering --BudgetExceeded--> CatchingUp
        Recovering --Advanced--> Running
        Recovering --RestoreFailed--> FallbackOffered
        CatchingUp --CeilingReached--> Recovering
        CatchingUp --Advanced--> Running
        CatchingUp --RestoreFailed--> FallbackOffered
        ");
    }

    #[test]
    fn every_state_but_the_first_is_reached_and_every_one_but_the_last_is_left() {
        for state in SessionState::ALL {
            let is_reached = SESSION_STATES.iter().any(|(_, _, to)| *to == state);
            let is_left = SESSION_STATES.iter().any(|(from, _, _)| *from == state);
            assert!(is_reached, "{state}");
            assert_eq!(is_left, state != SessionState::FallbackOffered, "{state}");
        }
        for (at, (from, on, _)) in SESSION_STATES.iter().enumerate() {
            assert_eq!(transition(*from, *on), Some(at), "a row stands twice");
        }
    }
}
