//! [`LinkState`]: the life of a connection, as a table.

/// Where a connection to a peer stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LinkState {
    /// We have asked and wait for an answer.
    Dialing,
    /// Connected; both wait at the start barrier.
    Waiting,
    /// Inputs flow.
    Playing,
    /// The peer said goodbye.
    Left,
    /// The peer was silent for too long.
    Lost,
    /// The peer does not play with us.
    Refused,
}

/// What moves a connection on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkEvent {
    /// The peer answered with a seat.
    Welcomed,
    /// The peer answered with a refusal.
    Refused,
    /// The barrier fell, on our side or on theirs.
    Started,
    /// The peer said goodbye.
    Bye,
    /// The peer was silent for too long.
    Silence,
}

/// Every transition there is. An event in a state that has no row changes nothing.
pub const TRANSITIONS: &[(LinkState, LinkEvent, LinkState)] = &[
    (LinkState::Dialing, LinkEvent::Welcomed, LinkState::Waiting),
    (LinkState::Dialing, LinkEvent::Refused, LinkState::Refused),
    (LinkState::Dialing, LinkEvent::Silence, LinkState::Lost),
    (LinkState::Waiting, LinkEvent::Started, LinkState::Playing),
    (LinkState::Waiting, LinkEvent::Bye, LinkState::Left),
    (LinkState::Waiting, LinkEvent::Silence, LinkState::Lost),
    (LinkState::Playing, LinkEvent::Bye, LinkState::Left),
    (LinkState::Playing, LinkEvent::Silence, LinkState::Lost),
];

impl LinkState {
    /// The state after `event`; the same one if the event means nothing in it.
    #[must_use]
    pub fn after(self, event: LinkEvent) -> Self {
        TRANSITIONS.iter().find(|(from, on, _)| (*from, *on) == (self, event)).map_or(self, |(_, _, to)| *to)
    }

    /// Whether nothing can come of the connection any more.
    #[must_use]
    pub fn is_over(self) -> bool {
        TRANSITIONS.iter().all(|(from, _, _)| *from != self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph() {
        let rows: Vec<String> = TRANSITIONS.iter().map(|(from, on, to)| format!("{from:?} --{on:?}--> {to:?}")).collect();
        insta::assert_snapshot!(rows.join("\n"), @r"
        Dialing --Welcomed--> Waiting
        Dialing --Refused--> Refused
        Dialing --Silence--> Lost
        Waiting --Started--> Playing
        Waiting --Bye--> Left
        Waiting --Silence--> Lost
        Playing --Bye--> Left
        Playing --Silence--> Lost
        ");
    }

    #[test]
    fn each_row_stands_once_and_ends_are_ends() {
        for (n, (from, on, _)) in TRANSITIONS.iter().enumerate() {
            assert!(TRANSITIONS[..n].iter().all(|(f, o, _)| (f, o) != (from, on)));
        }
        assert!(LinkState::Left.is_over() && LinkState::Lost.is_over() && LinkState::Refused.is_over());
        assert_eq!(LinkState::Lost.after(LinkEvent::Welcomed), LinkState::Lost);
    }
}
